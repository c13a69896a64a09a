//! A small picture: two rows of two pixels, and for each pixel its red, green and blue.
//!
//! To make it grey, the mean over the colours is taken. Axes are numbered from 0 at the front, so
//! the three axes of the picture are 0, 1 and 2; counted from the end they are -3, -2 and -1.

use tensor_core::{Tensor, shape, tensor};

fn grey(picture: &Tensor<shape![2, 2, 3]>) -> Tensor<shape![2, 2]> {
    // The colours are the last axis.
    picture.mean_axis::<-1>()
}

fn main() {
    let black_and_red = [[0.0, 0.0, 0.0], [0.9, 0.0, 0.0]];
    let blue_and_white = [[0.0, 0.0, 0.6], [1.0, 1.0, 1.0]];
    let picture = Tensor::from([black_and_red, blue_and_white]);

    assert!(grey(&picture).all_close(&tensor![[0.0, 0.3], [0.2, 1.0]], 1e-6, 1e-6));
}
