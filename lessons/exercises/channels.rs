//! Two convolutions, one after the other. An image of one colour has an axis for it too: `[1, 8,
//! 8]` is channels, height, width. `Conv2d<In, Out, …>` gives `Out` channels,
//! and the next one has to take them.
//!
//! `Sequential` is a list of layers, in which every layer takes what the one before gives.

use tensor_core::random::Generator;
use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::{Conv2d, Pass, Relu, Sequential};

type Features = Sequential<(
    Conv2d<dim!(1), dim!(4), dim!(3), dim!(3)>,
    Relu,
    Conv2d<dim!(8), dim!(16), dim!(3), dim!(3)>,
)>;

fn main() {
    let mut rng = Generator::seed(1);
    let model: Features = Sequential((Conv2d::new(&mut rng), Relu, Conv2d::new(&mut rng)));
    let images = Tensor::<shape![2, 1, 8, 8]>::ones();

    let features = model.forward(&images, &mut Pass::eval());

    // A window of 3 has two places less than the image has pixels, twice.
    assert_eq!(features.shape(), shape![2, 16, 4, 4]);
}
