//! A picture of a camera is height, width, colours; a convolution takes colours, height, width.
//! This picture has three rows, so that its sizes alone would not tell.
//!
//! `ChannelAxis` marks the axis of the colours, in any position, and `move_axis` brings it to
//! the front.

use tensor_core::random::Generator;
use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::{ChannelAxis, Conv2d};

type Rgb = ChannelAxis<dim!(3)>;

fn main() {
    let layer: Conv2d<Rgb, dim!(8), dim!(1), dim!(1)> = Conv2d::new(&mut Generator::seed(1));
    let picture: Tensor<shape![3, 5, Rgb]> = Tensor::ones();

    let features = layer.forward(&picture);

    assert_eq!(features.shape(), shape![8, 3, 5]);
}
