//! A convolution whose weights have the inputs first, under a bound that has the outputs first.
//!
//! The compiler says: "the input has `I` channels, and the weights take `O`"
//! And: "weights `[o, c / groups, kh, kw]`"

use tensor_core::windows::{Conv2dOptions, Convolve};
use tensor_core::{Axis, Tensor, shape};

struct Layer<I: Axis, O: Axis> {
    weights: Tensor<shape![I, O, 3, 3]>,
    bias: Tensor<shape![O, 1, 1]>,
}

impl<I: Axis, O: Axis> Layer<I, O> {
    fn forward<B: Axis, H: Axis, W: Axis, Y: Axis, X: Axis>(
        &self,
        images: &Tensor<shape![B, I, H, W]>,
    ) -> Tensor<shape![B, O, Y, X]>
    where
        shape![B, I, H, W]: Convolve<shape![O, I, 3, 3], Conv2dOptions, Output = shape![B, O, Y, X]>,
    {
        (images.conv2d(&self.weights, Conv2dOptions::new()) + &self.bias).relu()
    }
}

fn main() {}
