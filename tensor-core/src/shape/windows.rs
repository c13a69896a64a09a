//! The shapes of operations on windows: convolution, pooling, interpolation.
//!
//! ```text
//! [..l, c, n]    * [o, c / g, k]      = [..l, o, positions(n, k)]                    conv1d
//! [..l, c, h, w] * [o, c / g, kh, kw] = [..l, o, positions(h, kh), positions(w, kw)]    conv2d
//! [..l, h, w]                         → [..l, positions(h, kh), positions(w, kw)]       pooling
//! ```
//!
//! `positions(n, k) = (n + padding - (k - 1) · dilation - 1) / stride + 1`, rounded down, is the number of
//! positions of a window, computed by the compiler. An axis along which a window moves has a static
//! size; with [`same`](Conv2dOptions::same) padding its size is kept, and it may be a named axis of any size; with
//! [`named`](Conv2dOptions::named) the positions are counted at run time.

mod convolution;
mod options;
mod pooling;
mod results;
mod slides;

use crate::shape::Shape;
use crate::shape::axis_index::HasAxis;
use crate::shape::broadcast::After;
#[doc(inline)]
pub use tensor_kernels::sizes::window_options::{
    AxisPadding, ConvOptions, Interpolation, PoolOptions,
};

pub use self::convolution::{
    Axes1d, Axes2d, Axes3d, ChannelGroups, ChannelsMatch, NoChannelLeft, SameChannels,
    TakesChannels, TakesGroups, TimesGroups, TransposedGroups,
};
pub use self::options::{
    Conv1dOptions, Conv2dOptions, Conv3dOptions, ConvSettings, NamedSlide, NumberTable,
    PaddingNumber, PaddingSettings, Pads, Pool1dOptions, Pool2dOptions, Pool3dOptions,
    PoolSettings, RoundDown, RoundUp, SamePadding, Slide, SlideSettings, StepNumber,
};
pub use self::pooling::{LastAxes, LastAxis, LastThreeAxes, LastTwoAxes};
pub use self::slides::{
    MovesByOne, NoOutputPadding, PadsHalf, Slides, SlidesRounded, Unslides, WindowedAxis,
};

/// The shape of `x.conv2d(&weights, options)` for `x` of shape `S`, weights of shape `W` and options of
/// type `O`; the same for `conv1d` and `conv3d`.
pub type Convolved<S, W, O> = <After<W, S> as Convolve<W, O>>::Output;

/// The shape of `x.conv_transpose2d(&weights, options)`, like [`Convolved`].
pub type ConvolvedTransposed<S, W, O> = <After<W, S> as ConvolveTransposed<W, O>>::Output;

/// The shape of `x.max_pool2d(options)` for `x` of shape `S`.
pub type Pooled<S, O> = <S as Pool<O>>::Output;

/// `S` with its last axes replaced by those of `Target`.
pub type Resized<S, Target> = <S as Resize<Target>>::Output;

/// A shape that can be convolved with weights of shape `W`:
/// `[..l, c, h, w] * [o, c / g, kh, kw] = [..l, o, positions(h, kh), positions(w, kw)]`.
///
/// The only bound that generic code needs:
///
/// ```
/// use tensor_core::windows::{Conv2dOptions, Convolve};
/// use tensor_core::{Axis, Shape, Tensor, shape};
///
/// fn edges<Lead, H, W, Y, X>(
///     x: &Tensor<shape![Lead.., 1, H, W]>,
///     kernel: &Tensor<shape![1, 1, 3, 3]>,
/// ) -> Tensor<shape![Lead.., 1, Y, X]>
/// where
///     Lead: Shape,
///     H: Axis,
///     W: Axis,
///     Y: Axis,
///     X: Axis,
///     shape![Lead.., 1, H, W]: Convolve<shape![1, 1, 3, 3], Conv2dOptions, Output = shape![Lead.., 1, Y, X]>,
/// {
///     x.conv2d(kernel, Conv2dOptions::new())
/// }
///
/// let image = Tensor::<shape![5, 1, 28, 28]>::ones();
/// let edges: Tensor<shape![5, 1, 26, 26]> = edges(&image, &Tensor::ones());
/// assert_eq!(edges[[4, 0, 25, 25]], 9.0);
/// ```
pub trait Convolve<W, Options> {
    /// The shape of the result.
    type Output: Shape;

    /// The axes before the channels.
    #[doc(hidden)]
    type Lead: Shape;
}

/// A shape whose transposed convolution with weights of shape `W` exists:
/// `[..l, c, h, w] * [c, o / g, kh, kw] = [..l, o, y, x]`, where the convolution of `[.., y, x]` has `h`
/// by `w` positions.
///
/// ```
/// use tensor_core::windows::{Conv1dOptions, ConvolveTransposed, ConvolvedTransposed};
/// use tensor_core::{Shape, Tensor, shape, tensor};
///
/// type Weights = shape![1, 1, 2];
///
/// fn spread<S: Shape + ConvolveTransposed<Weights, Conv1dOptions>>(
///     x: &Tensor<S>,
/// ) -> Tensor<ConvolvedTransposed<S, Weights, Conv1dOptions>> {
///     x.conv_transpose1d(Tensor::<Weights>::ones(), Conv1dOptions::new())
/// }
///
/// assert_eq!(spread(&tensor![[1.0, 2.0]]), tensor![[1.0, 3.0, 2.0]]);
/// ```
pub trait ConvolveTransposed<W, Options> {
    /// The shape of the result.
    type Output: Shape;

    /// The axes before the channels.
    #[doc(hidden)]
    type Lead: Shape;
}

/// A shape whose last axes can be pooled: `[..l, h, w] → [..l, positions(h, kh), positions(w, kw)]`.
///
/// ```
/// use tensor_core::windows::{Pool, Pool2dOptions, Pooled};
/// use tensor_core::{Shape, Tensor, dim, shape};
///
/// type Halves = Pool2dOptions<dim!(2), dim!(2)>;
///
/// fn halves<S: Shape + Pool<Halves>>(x: &Tensor<S>) -> Tensor<Pooled<S, Halves>> {
///     x.max_pool2d(Halves::default())
/// }
///
/// let half: Tensor<shape![8, 14, 14]> = halves(&Tensor::<shape![8, 28, 28]>::ones());
/// # let _ = half;
/// ```
pub trait Pool<Options> {
    /// The shape of the result.
    type Output: Shape;
}

/// A shape whose last axes can be replaced by those of `Target`: `[..l, h, w] → [..l, y, x]`.
///
/// ```
/// use tensor_core::windows::{Interpolation, Resize, Resized};
/// use tensor_core::{Shape, Tensor, shape};
///
/// type Thumbnail = shape![32, 32];
///
/// fn thumbnail<S: Shape + Resize<Thumbnail>>(x: &Tensor<S>) -> Tensor<Resized<S, Thumbnail>> {
///     x.interpolate::<Thumbnail>(Interpolation::Bilinear)
/// }
///
/// assert_eq!(thumbnail(&Tensor::<shape![3, 4, 8]>::ones()).len(), 3 * 32 * 32);
/// ```
pub trait Resize<Target> {
    /// The shape of the result.
    type Output: Shape;
}

/// A shape whose axis `I` can be divided into `GROUPS` groups of the same size.
#[cfg_attr(doc, doc(hidden))]
pub trait DividesAxis<const I: isize, const GROUPS: usize>: HasAxis<I> {}
