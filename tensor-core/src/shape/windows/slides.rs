//! A window along one axis: the number of its positions, and the requirements for having one.

use super::{Pads, RoundDown, RoundUp, SamePadding, Slide};
use crate::shape::arithmetic::{CountPlaces, CountPlacesCeil, CoversPadding, Spread, Uncount};
use crate::shape::axis::{Axis, Dim, NoAxis, One, StaticAxis};

/// The number of positions of a window of `k` elements along an axis of `n` elements, for the options of
/// an axis.
#[cfg_attr(doc, doc(hidden))]
pub trait Slides<N, K> {
    /// The number of positions.
    type Output: Axis;
}

/// `positions(n, k)`
impl<S, B, A, D, O, N, K> Slides<N, K> for Slide<S, Pads<B, A>, D, O>
where
    (O,): NoOutputPadding,
    (N,): WindowedAxis<N>,
    (K,): WindowedAxis<K>,
    WindowedSize<K>: Spread<D>,
    WindowedSize<N>: CountPlaces<B, A, WindowExtent<K, D>, S, K, D>,
{
    type Output = <WindowedSize<N> as CountPlaces<B, A, WindowExtent<K, D>, S, K, D>>::Output;
}

/// `n`
impl<S, D, O, N, K> Slides<N, K> for Slide<S, SamePadding, D, O>
where
    (O,): NoOutputPadding,
    (S,): MovesByOne<S>,
    (K,): WindowedAxis<K>,
    N: Axis,
{
    type Output = N;
}

/// The size of an axis along which the window has `n` positions, for the options of an axis.
#[cfg_attr(doc, doc(hidden))]
pub trait Unslides<N, K> {
    /// The size of the axis.
    type Output: Axis;
}

/// `(n - 1) s + (k - 1) d + 1 + o - padding`
impl<S, B, A, D, O, N, K> Unslides<N, K> for Slide<S, Pads<B, A>, D, O>
where
    (N,): WindowedAxis<N>,
    (K,): WindowedAxis<K>,
    WindowedSize<K>: Spread<D>,
    WindowedSize<N>: Uncount<B, A, WindowExtent<K, D>, S, O, K, D>,
{
    type Output = <WindowedSize<N> as Uncount<B, A, WindowExtent<K, D>, S, O, K, D>>::Output;
}

/// `n`
impl<S, D, O, N, K> Unslides<N, K> for Slide<S, SamePadding, D, O>
where
    (O,): NoOutputPadding,
    (S,): MovesByOne<S>,
    (K,): WindowedAxis<K>,
    N: Axis,
{
    type Output = N;
}

/// Requires that the padding of a pooling along an axis is at most half of the window.
#[cfg_attr(doc, doc(hidden))]
pub trait PadsHalf<K> {}

/// `2 b ≤ (k - 1) d + 1`, and the same for `a`
impl<S, B, A, D, O, K> PadsHalf<K> for Slide<S, Pads<B, A>, D, O>
where
    (K,): WindowedAxis<K>,
    WindowedSize<K>: Spread<D>,
    WindowExtent<K, D>: CoversPadding<B, K> + CoversPadding<A, K>,
{
}

/// Half of a window, or the rest of it, less 1.
impl<S, D, O, K> PadsHalf<K> for Slide<S, SamePadding, D, O> {}

/// The number of positions of a window in pooling, by the rounding.
#[cfg_attr(doc, doc(hidden))]
pub trait SlidesRounded<N, K, Rounding> {
    /// The number of positions.
    type Output: Axis;
}

/// `positions(n, k)`
impl<X: Slides<N, K> + PadsHalf<K>, N, K> SlidesRounded<N, K, RoundDown> for X {
    type Output = X::Output;
}

/// `positions(n, k)`, rounded up
impl<S, B, A, D, N, K> SlidesRounded<N, K, RoundUp> for Slide<S, Pads<B, A>, D>
where
    Self: PadsHalf<K>,
    (N,): WindowedAxis<N>,
    (K,): WindowedAxis<K>,
    WindowedSize<K>: Spread<D>,
    WindowedSize<N>: CountPlacesCeil<B, A, WindowExtent<K, D>, S, K, D>,
{
    type Output = <WindowedSize<N> as CountPlacesCeil<B, A, WindowExtent<K, D>, S, K, D>>::Output;
}

/// Requires that the size of an axis along which a window moves is static. `Self` is a one-element
/// tuple, because for a type that the user declared the compiler would also show its declaration.
#[diagnostic::on_unimplemented(
    message = "the output size along axis `{A}` is unknown at compile time, as the size of the axis is",
    label = "the size of `{A}` is not known here: `.named::<Frames>()` counts at run time, by an axis `axis!(Frames)`, one for each axis of the window; `.same()` keeps the size; in generic code, the bound is the one on the whole shape, such as `S: Convolve<W, Options>` or `S: Pool<Options>` [T805]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait WindowedAxis<A> {
    /// The size without a name.
    type Size: StaticAxis;
}

#[diagnostic::do_not_recommend]
impl<A: StaticAxis> WindowedAxis<A> for (A,) {
    type Size = A::Size;
}

/// The size of an axis along which a window moves.
pub type WindowedSize<N> = <(N,) as WindowedAxis<N>>::Size;

/// The number of elements that a window spans.
type WindowExtent<K, D> = <WindowedSize<K> as Spread<D>>::Extent;

/// Requires a stride of 1.
#[diagnostic::on_unimplemented(
    message = "`.same()` keeps the size of an axis, and a stride of `{S}` does not",
    label = "`.same()` with stride `{S}`",
    note = "with a stride, write the padding: `.stride::<2>().padding::<1>()` halves an axis for a window of 3 [T807]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait MovesByOne<S> {}

#[diagnostic::do_not_recommend]
impl MovesByOne<One> for (One,) {}

#[diagnostic::do_not_recommend]
impl MovesByOne<NoAxis> for (NoAxis,) {}

/// Requires that there is no output padding.
#[diagnostic::on_unimplemented(
    message = "only a transposed convolution has output padding, and only without `.same()`",
    label = "leave `.output_padding::<…>()` out",
    note = "several input sizes give this output size: output padding selects one [T807]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait NoOutputPadding {}

#[diagnostic::do_not_recommend]
impl NoOutputPadding for (Dim<0>,) {}

#[diagnostic::do_not_recommend]
impl NoOutputPadding for (NoAxis,) {}
