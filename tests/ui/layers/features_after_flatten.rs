//! The images are 26 by 28, and the last layer was made for 28 by 28.
//!
//! The compiler says: "the layer takes `Dim<21000, 632>`, and the last axis of its input is `Dim<19000, 968>`"

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
