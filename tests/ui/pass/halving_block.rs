//! The block of a ResNet that halves, over any channels, sizes and leading axes: as a function of tensors, and
//! as a struct of layers.

use tensor_core::random::Generator;
use tensor_core::windows::{self, Convolve};
use tensor_core::{Axis, Shape, StaticAxis, Tensor, axis, dim, shape};
use tensor_nn::layers::{BatchNorm2d, Conv2d, NoBias, Options2d, Pass, Same2d};

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

/// Both convolutions of the input, as one bound for all callers.
trait Halves<I: Axis, O: Axis>:
    Convolve<shape![O, I, 3, 3], Halving, Output = Self::Half>
    + Convolve<shape![O, I, 1, 1], Shortcut, Output = Self::Half>
{
    type Half: Shape;
}

impl<S, Half: Shape, I: Axis, O: Axis> Halves<I, O> for S
where
    S: Convolve<shape![O, I, 3, 3], Halving, Output = Half>
        + Convolve<shape![O, I, 1, 1], Shortcut, Output = Half>,
{
    type Half = Half;
}

struct Block<I: Axis, O: Axis> {
    first: Conv2d<I, O, dim!(3), dim!(3), Halving, f32, NoBias>,
    first_norm: BatchNorm2d<O>,
    second: Conv2d<O, O, dim!(3), dim!(3), Same2d, f32, NoBias>,
    second_norm: BatchNorm2d<O>,
    shortcut: Conv2d<I, O, dim!(1), dim!(1), Shortcut>,
}

impl<I: StaticAxis, O: StaticAxis> Block<I, O> {
    fn new(rng: &mut Generator) -> Self {
        Self {
            first: Conv2d::without_bias(rng),
            first_norm: BatchNorm2d::new(),
            second: Conv2d::without_bias(rng),
            second_norm: BatchNorm2d::new(),
            shortcut: Conv2d::new(rng),
        }
    }
}

impl<I: Axis, O: Axis> Block<I, O> {
    fn forward<Lead: Shape, H: Axis, W: Axis, Y: Axis, X: Axis>(
        &self,
        x: &Tensor<shape![Lead.., I, H, W]>,
        pass: &mut Pass,
    ) -> Tensor<shape![Lead.., O, Y, X]>
    where
        shape![Lead.., I, H, W]: Halves<I, O, Half = shape![Lead.., O, Y, X]>,
    {
        let y = self.first_norm.forward(&self.first.forward(x), pass).relu();
        let y = self.second_norm.forward(&self.second.forward(&y), pass);
        (y + self.shortcut.forward(x)).relu()
    }
}

/// Generic over leading axes and channels alone, for images of one size: no bound.
fn twice<Lead: Shape, I: Axis, O: Axis>(
    x: &Tensor<shape![Lead.., I, 32, 32]>,
    blocks: &(Block<I, O>, Block<O, O>),
    pass: &mut Pass,
) -> Tensor<shape![Lead.., O, 8, 8]> {
    let x = blocks.0.forward(x, pass);
    blocks.1.forward(&x, pass)
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

    let rng = &mut Generator::seed(42);
    let layers: Block<dim!(3), dim!(8)> = Block::new(rng);
    let images = rng.normal_shaped(shape![Batch(2), 3, 7, 6], 0.0, 1.0);
    let y = layers.forward(&images, &mut Pass::eval());
    assert_eq!(y.shape(), shape![Batch(2), 8, 4, 3]);
    let image = images.index::<0>(1);
    assert!(layers.forward(&image, &mut Pass::eval()).all_close(&y.index::<0>(1), 1e-5, 1e-5));

    let blocks = (layers, Block::new(rng));
    let y = twice(&Tensor::<shape![3, 32, 32]>::ones(), &blocks, &mut Pass::eval());
    assert_eq!(y.shape(), shape![8, 8, 8]);
}
