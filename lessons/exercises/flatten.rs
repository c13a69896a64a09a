//! Images of 8 by 8 pixels, classified into ten classes: a convolution makes four channels,
//! `Flatten` puts all of an image's numbers into one row, and a linear layer makes ten scores of
//! the row.
//!
//! The linear layer has to know how long the row is: channels · height · width.

use tensor_core::random::Generator;
use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::{Conv2d, Flatten, Linear, Pass, Sequential};

type Classifier = Sequential<(
    Conv2d<dim!(1), dim!(4), dim!(3), dim!(3)>,
    Flatten,
    Linear<dim!(256), dim!(10)>,
)>;

fn main() {
    let mut rng = Generator::seed(1);
    let layers = (Conv2d::new(&mut rng), Flatten, Linear::new(&mut rng));
    let model: Classifier = Sequential(layers);
    let images = Tensor::<shape![2, 1, 8, 8]>::ones();

    let scores = model.forward(&images, &mut Pass::eval());

    assert_eq!(scores.shape(), shape![2, 10]);
    // Both images are the same, and so are their scores.
    assert_eq!(scores.index::<0>(0), scores.index::<0>(1));
}
