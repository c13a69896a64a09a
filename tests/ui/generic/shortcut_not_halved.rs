//! The block of a ResNet halves the image, and its shortcut keeps the size.
//!
//! The compiler says: "cannot broadcast an axis of size `X` with one of size `W`"

use tensor_core::windows::Convolve;
use tensor_core::{Axis, Shape, Tensor, dim, shape};
use tensor_nn::layers::{BatchNorm2d, Conv2d, Options2d, Pass, Same2d};

type Halving = Options2d<2, 1>;

struct Block<I: Axis, O: Axis> {
    first: Conv2d<I, O, dim!(3), dim!(3), Halving>,
    first_norm: BatchNorm2d<O>,
    second: Conv2d<O, O, dim!(3), dim!(3), Same2d>,
    second_norm: BatchNorm2d<O>,
    shortcut: Conv2d<I, O, dim!(1), dim!(1), Same2d>,
}

impl<I: Axis, O: Axis> Block<I, O> {
    fn forward<Lead: Shape, H: Axis, W: Axis, Y: Axis, X: Axis>(
        &self,
        x: &Tensor<shape![Lead.., I, H, W]>,
        pass: &mut Pass,
    ) -> Tensor<shape![Lead.., O, Y, X]>
    where
        shape![Lead.., I, H, W]:
            Convolve<shape![O, I, 3, 3], Halving, Output = shape![Lead.., O, Y, X]>,
    {
        let y = self.first_norm.forward(&self.first.forward(x), pass).relu();
        let y = self.second_norm.forward(&self.second.forward(&y), pass);
        (y + self.shortcut.forward(x)).relu()
    }
}

fn main() {}
