//! The options of convolutions and of pooling as types, which determine the sizes of results.
//!
//! `Conv2dOptions::new().stride::<2>().padding::<1>()` is a zero-sized value; the options are in its type.

mod conv;
mod named;
mod pool;
mod three;

use core::marker::PhantomData;

pub use self::named::NamedSlide;
pub use self::three::{Conv3dOptions, Pool3dOptions};
use crate::shape::arithmetic::{
    FewThousands, HasMagnitude, Magnitude, Nothing, PartTable, Single, SizePart, Units, Whole,
};
use crate::shape::axis::{Dim, One, StaticAxis};
use crate::sizes::window_options::{AxisPadding, ConvOptions, PoolOptions};

/// How a window moves along one axis: by a stride `S`, over padding `P`, with a dilation `D`. `O` is the
/// output padding of a transposed convolution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slide<S = One, P = Pads<Dim<0>, Dim<0>>, D = One, O = Dim<0>>(PhantomData<(S, P, D, O)>);

/// `B` elements of padding before an axis and `A` after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pads<B, A>(PhantomData<(B, A)>);

/// The padding that keeps the size of an axis along which the window moves with stride 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SamePadding;

/// Rounds the number of positions of a window down (`floor`): the default of pooling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundDown;

/// Rounds it up, so that the last window may reach beyond the axis: PyTorch's `ceil_mode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundUp;

/// The options of [`conv1d`](crate::Tensor::conv1d) and
/// [`conv_transpose1d`](crate::Tensor::conv_transpose1d): how the window moves along the last axis, and
/// the number of groups, as types.
///
/// ```
/// use tensor_core::{Tensor, shape, windows::Conv1dOptions};
///
/// let x = Tensor::<shape![2, 100]>::ones();
/// let y: Tensor<shape![8, 50]> =
///     x.conv1d(&Tensor::<shape![8, 2, 5]>::ones(), Conv1dOptions::new().stride::<2>().padding::<2>());
/// # let _ = y;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conv1dOptions<X = Slide, G = One>(PhantomData<(X, G)>);

/// The options of [`conv2d`](crate::Tensor::conv2d) and
/// [`conv_transpose2d`](crate::Tensor::conv_transpose2d): how the window moves down and to the right, and
/// the number of groups, as types.
///
/// ```
/// use tensor_core::{Tensor, shape, windows::Conv2dOptions};
///
/// let x = Tensor::<shape![3, 224, 224]>::ones();
/// let weights = Tensor::<shape![64, 3, 7, 7]>::ones();
/// let y: Tensor<shape![64, 112, 112]> =
///     x.conv2d(&weights, Conv2dOptions::new().stride::<2>().padding::<3>());
/// # let _ = y;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conv2dOptions<Y = Slide, X = Y, G = One>(PhantomData<(Y, X, G)>);

/// The options of pooling along the last axis: the size `K` of the window and how it moves, by default
/// with a stride of its own size.
///
/// ```
/// use tensor_core::{tensor, windows::Pool1dOptions};
///
/// let x = tensor![1.0, 5.0, 2.0, 3.0, 4.0];
/// assert_eq!(x.max_pool1d(Pool1dOptions::new::<2>()), tensor![5.0, 3.0]);
/// assert_eq!(x.max_pool1d(Pool1dOptions::new::<2>().ceil_mode()), tensor![5.0, 3.0, 4.0]);
/// assert_eq!(x.max_pool1d(Pool1dOptions::new::<2>().stride::<1>()), tensor![5.0, 5.0, 3.0, 4.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pool1dOptions<K, X = Slide<K>, Rounding = RoundDown> {
    types: PhantomData<(K, X, Rounding)>,
    excludes_padding: bool,
}

/// The options of pooling along the last two axes: the sizes `KH` and `KW` of the window and how it
/// moves, by default with strides of its own sizes.
///
/// ```
/// use tensor_core::{Tensor, shape, windows::Pool2dOptions};
///
/// let x = Tensor::<shape![64, 112, 112]>::ones();
/// let y: Tensor<shape![64, 56, 56]> =
///     x.max_pool2d(Pool2dOptions::new::<3>().stride::<2>().padding::<1>());
/// # let _ = y;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pool2dOptions<KH, KW = KH, Y = Slide<KH>, X = Slide<KW>, Rounding = RoundDown> {
    types: PhantomData<(KH, KW, Y, X, Rounding)>,
    excludes_padding: bool,
}

/// The axis of size `N`, for a stride, a dilation, a window or groups.
type Step<const N: usize> = <NumberTable as StepNumber<N>>::Size;

/// The axis of size `N`, for padding.
type Padded<const N: usize> = <NumberTable as PaddingNumber<N>>::Size;

/// The numbers that options take.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(doc, doc(hidden))]
pub struct NumberTable;

/// A number from 1 to 9,999.
#[diagnostic::on_unimplemented(
    message = "a stride, dilation, window or number of groups is from 1 to 9,999, not {N}",
    label = "{N} is out of range",
    note = "a stride of 1 moves a window by one element, a dilation of 1 leaves no gaps, and 1 group is all channels: these are the defaults [T806]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait StepNumber<const N: usize> {
    /// The axis of this size.
    type Size: StaticAxis;
}

/// A number from 0 to 9,999.
#[diagnostic::on_unimplemented(
    message = "padding is from 0 to 9,999 elements, not {N}",
    label = "{N} is out of range",
    note = "no padding is the default [T806]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait PaddingNumber<const N: usize> {
    /// The axis of this size.
    type Size: StaticAxis;
}

#[diagnostic::do_not_recommend]
impl<const N: usize> StepNumber<N> for NumberTable
where
    PartTable: SizePart<N, Part: HasMagnitude>,
    Magnitude<N>: StepOf<N>,
{
    type Size = <Magnitude<N> as StepOf<N>>::Size;
}

#[diagnostic::do_not_recommend]
impl<const N: usize> PaddingNumber<N> for NumberTable
where
    PartTable: SizePart<N, Part: HasMagnitude>,
    Magnitude<N>: PaddingOf<N>,
{
    type Size = <Magnitude<N> as PaddingOf<N>>::Size;
}

/// [`StepNumber`], by the magnitude of `N`.
#[cfg_attr(doc, doc(hidden))]
pub trait StepOf<const N: usize> {
    /// The axis of this size.
    type Size: StaticAxis;
}

/// [`PaddingNumber`], by the magnitude of `N`.
#[cfg_attr(doc, doc(hidden))]
pub trait PaddingOf<const N: usize> {
    /// The axis of this size.
    type Size: StaticAxis;
}

/// Generates the impls of both for a magnitude.
macro_rules! numbers {
    ($({$($parameter:tt)*} $N:tt $Magnitude:ty = $size:ty;)*) => {$(
        impl<$($parameter)*> StepOf<$N> for $Magnitude
        where
            $size: StaticAxis,
        {
            type Size = $size;
        }

        impl<$($parameter)*> PaddingOf<$N> for $Magnitude
        where
            $size: StaticAxis,
        {
            type Size = $size;
        }
    )*};
}

numbers! {
    {} 1 Single = One;
    {const N: usize} N Units = Dim<N>;
    {const N: usize} N FewThousands = Dim<N>;
    {const N: usize} N Whole = Dim<N>;
}

impl PaddingOf<0> for Nothing {
    type Size = Dim<0>;
}

/// The options of one axis, as values.
#[cfg_attr(doc, doc(hidden))]
pub trait SlideSettings {
    /// The stride of the window.
    const STRIDE: usize;
    /// The dilation of the window.
    const DILATION: usize;
    /// The padding of the axis.
    const PADDING: AxisPadding;
    /// The elements that a transposed convolution adds at the end.
    const OUTPUT_PADDING: usize;
}

impl<S: StaticAxis, P: PaddingSettings, D: StaticAxis, O: StaticAxis> SlideSettings
    for Slide<S, P, D, O>
{
    const STRIDE: usize = size_of_axis::<S>();
    const DILATION: usize = size_of_axis::<D>();
    const PADDING: AxisPadding = P::PADDING;
    const OUTPUT_PADDING: usize = size_of_axis::<O>();
}

/// The padding in a type, as a value.
#[cfg_attr(doc, doc(hidden))]
pub trait PaddingSettings {
    /// The padding of the axis.
    const PADDING: AxisPadding;
}

impl<B: StaticAxis, A: StaticAxis> PaddingSettings for Pads<B, A> {
    const PADDING: AxisPadding = AxisPadding::Elements(size_of_axis::<B>(), size_of_axis::<A>());
}

impl PaddingSettings for SamePadding {
    const PADDING: AxisPadding = AxisPadding::Same;
}

const fn size_of_axis<A: StaticAxis>() -> usize {
    match A::SIZE {
        Some(size) => size,
        None => panic!("a static axis has a size"),
    }
}

/// The options of a convolution, as values.
#[cfg_attr(doc, doc(hidden))]
pub trait ConvSettings {
    /// The options.
    fn options(self) -> ConvOptions;
}

impl<X: SlideSettings, G: StaticAxis> ConvSettings for Conv1dOptions<X, G> {
    fn options(self) -> ConvOptions {
        ConvOptions::of_axes(
            &[(X::STRIDE, X::DILATION, X::PADDING, X::OUTPUT_PADDING)],
            G::VALUE.size(),
        )
    }
}

impl<Y: SlideSettings, X: SlideSettings, G: StaticAxis> ConvSettings for Conv2dOptions<Y, X, G> {
    fn options(self) -> ConvOptions {
        ConvOptions::of_axes(
            &[
                (Y::STRIDE, Y::DILATION, Y::PADDING, Y::OUTPUT_PADDING),
                (X::STRIDE, X::DILATION, X::PADDING, X::OUTPUT_PADDING),
            ],
            G::VALUE.size(),
        )
    }
}

/// The options of pooling, as values.
#[cfg_attr(doc, doc(hidden))]
pub trait PoolSettings {
    /// The options.
    fn options(self) -> PoolOptions;
}

/// The rounding of the number of positions.
trait RoundingSettings {
    const IS_CEIL: bool;
}

impl RoundingSettings for RoundDown {
    const IS_CEIL: bool = false;
}

impl RoundingSettings for RoundUp {
    const IS_CEIL: bool = true;
}

#[allow(private_bounds, reason = "which rounding there is, is no choice of users")]
impl<K: StaticAxis, X: SlideSettings, R: RoundingSettings> PoolSettings for Pool1dOptions<K, X, R> {
    fn options(self) -> PoolOptions {
        let window = [K::VALUE.size()];
        let axes = [(X::STRIDE, X::DILATION, X::PADDING, X::OUTPUT_PADDING)];
        PoolOptions::of_axes(&window, &axes, R::IS_CEIL, self.excludes_padding)
    }
}

#[allow(private_bounds, reason = "which rounding there is, is no choice of users")]
impl<KH: StaticAxis, KW: StaticAxis, Y: SlideSettings, X: SlideSettings, R: RoundingSettings>
    PoolSettings for Pool2dOptions<KH, KW, Y, X, R>
{
    fn options(self) -> PoolOptions {
        let window = [KH::VALUE.size(), KW::VALUE.size()];
        let axes = [
            (Y::STRIDE, Y::DILATION, Y::PADDING, Y::OUTPUT_PADDING),
            (X::STRIDE, X::DILATION, X::PADDING, X::OUTPUT_PADDING),
        ];
        PoolOptions::of_axes(&window, &axes, R::IS_CEIL, self.excludes_padding)
    }
}
