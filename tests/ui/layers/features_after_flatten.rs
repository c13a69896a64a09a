//! The images are 26 by 28, and the last layer was made for 28 by 28.
//!
//! The compiler says: "the last axis of the left side is `Dim<19000, 968>`, the first axis of the matrix on the right side is `Dim<21000, 632>`"

use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::{Conv2d, Flatten, Linear, Pass, Sequential};

type Net = Sequential<(
    Conv2d<dim!(1), dim!(32), dim!(3), dim!(3)>,
    Flatten,
    Linear<dim!(21632), dim!(10)>,
)>;

fn scores(model: &Net, images: &Tensor<shape![32, 1, 26, 28]>) {
    let _ = model.forward(images, &mut Pass::eval());
}

fn main() {}
