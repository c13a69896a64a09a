//! The options of convolutions and of pooling as types, which determine the sizes of results.
//!
//! `Conv2dOptions::new().stride::<2>().padding::<1>()` is a zero-sized value; the options are in its type.

mod conv;
mod generate;
mod named;
mod pool;
mod three;

use core::marker::PhantomData;

pub use self::conv::{Conv1dOptions, Conv2dOptions};
pub use self::named::NamedSlide;
pub use self::pool::{Pool1dOptions, Pool2dOptions};
pub use self::three::{Conv3dOptions, Pool3dOptions};
use tensor_kernels::sizes::window_options::{AxisPadding, ConvOptions, PoolOptions};

use crate::shape::arithmetic::{
    FewThousands, HasMagnitude, Magnitude, Nothing, PartTable, Single, SizePart, Units, Whole,
};
use crate::shape::axis::{Dim, One, StaticAxis};

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

/// The axis of size `N`, for a stride, a dilation, a window or groups.
type Step<const N: usize> = <NumberTable as StepNumber<N>>::Size;

/// The axis of size `N`, for padding.
type PaddingSize<const N: usize> = <NumberTable as PaddingNumber<N>>::Size;

/// `N` elements of padding on both sides of an axis.
type Both<const N: usize> = Sides<N, N>;

/// `B` elements of padding before an axis and `A` after it.
type Sides<const B: usize, const A: usize> = Pads<PaddingSize<B>, PaddingSize<A>>;

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

/// The stride, dilation, padding and output padding along one axis.
type AxisSettings = (usize, usize, AxisPadding, usize);

/// The options of one axis, as values.
#[cfg_attr(doc, doc(hidden))]
pub trait SlideSettings {
    /// The stride, dilation, padding and output padding.
    const SETTINGS: AxisSettings;
}

impl<S: StaticAxis, P: PaddingSettings, D: StaticAxis, O: StaticAxis> SlideSettings
    for Slide<S, P, D, O>
{
    const SETTINGS: AxisSettings =
        (size_of_axis::<S>(), size_of_axis::<D>(), P::PADDING, size_of_axis::<O>());
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

/// Reads the options from their types, with a size of the window and a movement for each axis.
macro_rules! settings {
    ($($Conv:ident $Pool:ident: $($K:ident $X:ident),*;)*) => {$(
        impl<$($X: SlideSettings,)* G: StaticAxis> ConvSettings for $Conv<$($X,)* G> {
            fn options(self) -> ConvOptions {
                ConvOptions::of_axes(&[$($X::SETTINGS),*], G::VALUE.size())
            }
        }

        #[allow(private_bounds, reason = "which rounding there is, is no choice of users")]
        impl<$($K: StaticAxis, $X: SlideSettings,)* R: RoundingSettings> PoolSettings
            for $Pool<$($K,)* $($X,)* R>
        {
            fn options(self) -> PoolOptions {
                let window = [$($K::VALUE.size()),*];
                PoolOptions::of_axes(&window, &[$($X::SETTINGS),*], R::IS_CEIL, self.1)
            }
        }
    )*};
}

settings! {
    Conv1dOptions Pool1dOptions: K X;
    Conv2dOptions Pool2dOptions: KH Y, KW X;
    Conv3dOptions Pool3dOptions: KD Z, KH Y, KW X;
}
