//! The second layer takes 512 features, and the first one gives 1024.
//!
//! The compiler says: "the last axis of the left side is `Dim<1024>`, the first axis of the matrix on the right side is `Dim<512>`"

use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::{Linear, Pass, Relu, Sequential};

type Mlp = Sequential<(Linear<dim!(784), dim!(1024)>, Relu, Linear<dim!(512), dim!(10)>)>;

fn scores(model: &Mlp, images: &Tensor<shape![32, 784]>) {
    let _ = model.forward(images, &mut Pass::eval());
}

fn main() {}
