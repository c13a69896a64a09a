//! The block of a ResNet that halves, over any channels, sizes and leading axes, as a function of tensors:
//! `examples/generic_models/resnet.rs` has it as a struct of layers.

use tensor_core::windows::{self, Convolve};
use tensor_core::{Axis, Shape, Tensor, axis, shape};
use tensor_nn::layers::Options2d;

axis!(Batch);

type Halving = Options2d<2, 1>;
type Shortcut = Options2d<2>;

fn block<Lead, I, O, H, W, Y, X>(
    x: &Tensor<shape![Lead.., I, H, W]>,
    first: &Tensor<shape![O, I, 3, 3]>,
    second: &Tensor<shape![O, O, 3, 3]>,
    shortcut: &Tensor<shape![O, I, 1, 1]>,
    bias: &Tensor<shape![O, 1, 1]>,
) -> Tensor<shape![Lead.., O, Y, X]>
where
    Lead: Shape,
    I: Axis,
    O: Axis,
    H: Axis,
    W: Axis,
    Y: Axis,
    X: Axis,
    shape![Lead.., I, H, W]:
        Convolve<shape![O, I, 3, 3], Halving, Output = shape![Lead.., O, Y, X]>,
    shape![Lead.., I, H, W]:
        Convolve<shape![O, I, 1, 1], Shortcut, Output = shape![Lead.., O, Y, X]>,
{
    let y = x.conv2d(first, windows::Conv2dOptions::new().stride::<2>().padding::<1>());
    let y = (y + bias).relu();
    let y = y.conv2d(second, windows::Conv2dOptions::new().same());
    let z = x.conv2d(shortcut, windows::Conv2dOptions::new().stride::<2>());
    (y + bias + z).relu()
}

/// Generic over leading axes and channels alone, for images of one size: no bound.
fn twice<Lead: Shape, I: Axis, O: Axis>(
    x: &Tensor<shape![Lead.., I, 32, 32]>,
    first: &Tensor<shape![O, I, 3, 3]>,
    others: &Tensor<shape![O, O, 3, 3]>,
    shortcuts: (&Tensor<shape![O, I, 1, 1]>, &Tensor<shape![O, O, 1, 1]>),
    bias: &Tensor<shape![O, 1, 1]>,
) -> Tensor<shape![Lead.., O, 8, 8]> {
    let x: Tensor<shape![Lead.., O, 16, 16]> = block(x, first, others, shortcuts.0, bias);
    block(&x, others, others, shortcuts.1, bias)
}

fn main() {
    let weight = Tensor::ones();
    let x = Tensor::<shape![1, 4, 4]>::ones();
    // In the corner, a window of 3 by 3 covers 2 by 2 elements, elsewhere 2 by 3 or 3 by 3.
    let y: Tensor<shape![1, 2, 2]> = block(&x, &weight, &weight, &Tensor::ones(), &Tensor::zeros());
    assert_eq!(y.to_vec(), [26.0; 4]);
    let batch = Tensor::ones_shaped(shape![Batch(2), 5, 1, 4, 4]);
    let y: Tensor<shape![Batch, 5, 1, 2, 2]> =
        block(&batch, &weight, &weight, &Tensor::ones(), &Tensor::zeros());
    assert_eq!(y.to_vec(), [26.0; 40]);

    let images = Tensor::<shape![3, 32, 32]>::ones();
    let shortcuts = (&Tensor::ones(), &Tensor::ones());
    let y: Tensor<shape![8, 8, 8]> =
        twice(&images, &Tensor::ones(), &Tensor::ones(), shortcuts, &Tensor::zeros());
    assert!(y.iter().all(|&y| y > 0.0));
}
