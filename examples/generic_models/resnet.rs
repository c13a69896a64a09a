//! A small ResNet. Channels, sizes of images and leading axes are parameters.
//!
//! Source: He and others, "Deep residual learning for image recognition", 2015.

use tensor_core::random::Generator;
use tensor_core::windows::Convolve;
use tensor_core::{Axis, Shape, StaticAxis, Tensor, dim, shape, shapes};
use tensor_nn::Module;
use tensor_nn::layers::{
    BatchNorm2d, Conv2d, GlobalAvgPool2d, Linear, NoBias, Options2d, Pass, Same2d,
};

/// Stride 2 and padding 1: windows of 3 by 3 halve both axes.
type Halving = Options2d<2, 1>;
/// Stride 2: windows of 1 by 1 halve both axes.
type Shortcut = Options2d<2>;

/// Images with `I` channels that a [`Block`] turns into half as large ones with `O` channels:
/// `[..lead, i, h, w] → [..lead, o, y, x]`.
///
/// The two convolutions of the block that read its input, as one bound.
pub trait Halves<I: Axis, O: Axis>:
    Convolve<shape![O, I, 3, 3], Halving, Output = Self::Half>
    + Convolve<shape![O, I, 1, 1], Shortcut, Output = Self::Half>
{
    /// The shape of the result.
    type Half: Shape;
}

impl<S, Half: Shape, I: Axis, O: Axis> Halves<I, O> for S
where
    S: Convolve<shape![O, I, 3, 3], Halving, Output = Half>
        + Convolve<shape![O, I, 1, 1], Shortcut, Output = Half>,
{
    type Half = Half;
}

/// Two convolutions and a shortcut around them, all of which halve the image.
#[shapes]
#[derive(Clone, Debug, Module)]
pub struct Block<I: Axis, O: Axis> {
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
    /// `[..lead, i, h, w] → [..lead, o, y, x]`
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

/// A stem, two blocks that halve, and a score for each class from the means of the channels.
#[shapes]
#[derive(Clone, Debug, Module)]
pub struct ResNet<I: Axis, A: Axis, B: Axis, C: Axis, Classes: Axis> {
    stem: Conv2d<I, A, dim!(3), dim!(3), Same2d>,
    first: Block<A, B>,
    second: Block<B, C>,
    head: Linear<C, Classes>,
}

impl<I, A, B, C, Classes> ResNet<I, A, B, C, Classes>
where
    I: StaticAxis,
    A: StaticAxis,
    B: StaticAxis,
    C: StaticAxis,
    Classes: StaticAxis,
{
    pub fn new(rng: &mut Generator) -> Self {
        Self {
            stem: Conv2d::new(rng),
            first: Block::new(rng),
            second: Block::new(rng),
            head: Linear::new(rng),
        }
    }
}

impl<I: Axis, A: Axis, B: Axis, C: Axis, Classes: Axis> ResNet<I, A, B, C, Classes> {
    /// Scores of classes, `[..lead, i, h, w] → [..lead, classes]`.
    pub fn forward<Lead: Shape, H: Axis, W: Axis, H2: Axis, W2: Axis, H4: Axis, W4: Axis>(
        &self,
        images: &Tensor<shape![Lead.., I, H, W]>,
        pass: &mut Pass,
    ) -> Tensor<shape![Lead.., Classes]>
    where
        shape![Lead.., A, H, W]: Halves<A, B, Half = shape![Lead.., B, H2, W2]>,
        shape![Lead.., B, H2, W2]: Halves<B, C, Half = shape![Lead.., C, H4, W4]>,
    {
        let x = self.stem.forward(images).relu();
        let x = self.first.forward(&x, pass);
        let x = self.second.forward(&x, pass);
        self.head.forward(&GlobalAvgPool2d.forward(&x))
    }
}
