//! The second convolution takes 64 channels, and the first one gives 32.
//!
//! The compiler says: "the input has `Dim<32>` channels, and the weights take `Dim<64>`"

use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::{Conv2d, Pass, Relu, Sequential};

type Features = Sequential<(
    Conv2d<dim!(1), dim!(32), dim!(3), dim!(3)>,
    Relu,
    Conv2d<dim!(64), dim!(64), dim!(3), dim!(3)>,
)>;

fn features(model: &Features, images: &Tensor<shape![32, 1, 1024, 1024]>) {
    let _ = model.forward(images, &mut Pass::eval());
}

fn main() {}
