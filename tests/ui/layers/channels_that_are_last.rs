//! A picture of three rows has its colours last.
//!
//! The compiler says: "the input has `Dim<3>` channels, and the weights take `ChannelAxis<Dim<3>>`"

use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::{ChannelAxis, Conv2d};

type Rgb = ChannelAxis<dim!(3)>;

fn features(
    layer: &Conv2d<Rgb, dim!(16), dim!(3), dim!(3)>,
    picture: &Tensor<shape![3, 1024, Rgb]>,
) {
    let _ = layer.forward(picture);
}

fn main() {}
