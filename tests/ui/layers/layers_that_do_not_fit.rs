//! The second layer takes 512 features, and the first one gives 1024.
//!
//! The compiler says: "the layer takes `Dim<512>`, and the last axis of its input is `Dim<1024>`"

use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::{Linear, Pass, Relu, Sequential};

type Mlp = Sequential<(Linear<dim!(784), dim!(1024)>, Relu, Linear<dim!(512), dim!(10)>)>;

fn scores(model: &Mlp, images: &Tensor<shape![32, 784]>) {
    let _ = model.forward(images, &mut Pass::eval());
}

fn main() {}
