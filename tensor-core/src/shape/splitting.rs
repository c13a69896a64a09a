//! The shapes of the parts of a split, and of equal parts.

use crate::shape::arithmetic::{AddSizes, Count, CountSize, DivSizes, SizeSum};
use crate::shape::axis::{Axis, Dim, NoAxis, StaticAxis};
use crate::shape::axis_index::index_left_out;
use crate::shape::axis_index::{AxisFromEnd, AxisOf, FromEnd, HasAxis, ReplaceAxis, WithAxis};
use crate::shape::broadcast::After;
use crate::shape::{Shape, SizeInTypes, StaticShape, StaticSize};

/// A shape whose axis `I` can be split into parts of the sizes `Sizes`, which add up to the axis.
///
/// ```
/// use tensor_core::{Tensor, shape, splitting::SplitParts, tensor};
///
/// fn halves<S: SplitParts<-1, shape![2, 2]>>(x: &Tensor<S>) -> usize {
///     S::COUNT
/// }
///
/// assert_eq!(halves(&tensor![1.0, 2.0, 3.0, 4.0]), 2);
/// ```
pub trait SplitParts<const I: isize, Sizes>: HasAxis<I> {
    /// The list of the shapes of the parts.
    #[doc(hidden)]
    type Parts;

    /// The number of parts.
    const COUNT: usize;

    /// The sizes of the parts.
    #[doc(hidden)]
    fn sizes_of_parts() -> crate::shape::Sizes;
}

impl<S, Sizes, const I: isize> SplitParts<I, Sizes> for S
where
    S: HasAxis<I> + SplitSizes<I, Sizes>,
    Sizes: StaticShape,
{
    type Parts = <S as SplitSizes<I, Sizes>>::Parts;
    const COUNT: usize = <Sizes as Shape>::RANK;

    fn sizes_of_parts() -> crate::shape::Sizes {
        Sizes::VALUE.sizes()
    }
}

/// [`SplitParts`], computed from the sizes: its bound, separate so that messages are about the call alone.
#[cfg_attr(doc, doc(hidden))]
pub trait SplitSizes<const I: isize, Sizes> {
    /// The list of the shapes of the parts.
    type Parts;
}

impl<S, Sizes, const I: isize> SplitSizes<I, Sizes> for S
where
    S: HasAxis<I>,
    (AxisOf<S, I>,): SizeInTypes<AxisOf<S, I>>,
    Sizes: SumSizes<Sum: FillsAxis<StaticSize<AxisOf<S, I>>, Sizes, I, AxisOf<S, I>>>
        + PartShapes<S, I>,
{
    type Parts = After<
        <Sizes::Sum as FillsAxis<StaticSize<AxisOf<S, I>>, Sizes, I, AxisOf<S, I>>>::Matched,
        <Sizes as PartShapes<S, I>>::Parts,
    >;
}

/// The sum of a list of sizes.
#[cfg_attr(doc, doc(hidden))]
pub trait SumSizes {
    /// [`One`](crate::One) or a [`Dim`].
    type Sum;
}

impl SumSizes for () {
    type Sum = Dim<0>;
}

impl<L, A> SumSizes for (L, A)
where
    L: SumSizes<Sum: AddSizes<A::Size>>,
    A: StaticAxis,
{
    type Sum = SizeSum<L::Sum, A::Size>;
}

/// The shapes of the parts with these sizes along axis `I` of `S`.
#[cfg_attr(doc, doc(hidden))]
pub trait PartShapes<S, const I: isize> {
    /// The list of the shapes.
    type Parts;
}

impl<S, const I: isize> PartShapes<S, I> for () {
    type Parts = ();
}

impl<S, L, A, const I: isize> PartShapes<S, I> for (L, A)
where
    L: PartShapes<S, I>,
    S: ReplaceAxis<I, A>,
{
    type Parts = (L::Parts, WithAxis<S, I, A>);
}

/// Requires that the sum of the parts is the size of the axis.
#[diagnostic::on_unimplemented(
    message = "`split` keeps every element: the parts are `{Self}` in all, and axis {I} has size `{A}`",
    label = "the parts `{Sizes}` are not axis {I} of size `{A}`",
    note = "the sizes of the parts add up to the size of the axis; `slice` takes some of it [T223]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait FillsAxis<Z, Sizes, const I: isize, A> {
    /// A type that the compiler knows only if the sizes are equal: [`After`] uses it.
    type Matched;
}

#[diagnostic::do_not_recommend]
impl<N: StaticAxis, Sizes, const I: isize, A> FillsAxis<N, Sizes, I, A> for N {
    type Matched = N;
}

#[diagnostic::do_not_recommend]
impl<N, Sizes, const I: isize, A> FillsAxis<NoAxis, Sizes, I, A> for N {
    type Matched = NoAxis;
}

/// A shape whose axis `I` can be split into `N` equal parts, at most 999.
///
/// ```
/// use tensor_core::{Tensor, splitting::{ChunkAxis, Chunked}, tensor};
///
/// fn first_half<S: ChunkAxis<-1, 2>>(x: &Tensor<S>) -> Tensor<Chunked<S, -1, 2>> {
///     let [half, _] = x.chunk::<-1, 2>();
///     half
/// }
///
/// assert_eq!(first_half(&tensor![1.0, 2.0, 3.0, 4.0]), tensor![1.0, 2.0]);
/// ```
pub trait ChunkAxis<const I: isize, const N: usize>: HasAxis<I> {
    /// The shape of a part.
    type Output: Shape;
}

/// `S` with axis `I` divided by `N`, for `N` equal parts: `[..a, n, ..b] → [..a, n / N, ..b]`.
pub type Chunked<S, const I: isize, const N: usize> = <S as ChunkAxis<I, N>>::Output;

index_left_out! { $N
    impl<L: Shape, A: Axis, const N: usize> ChunkAxis<$N, N> for (L, A) {
        type Output = ();
    }
}

impl<S, const I: isize, const N: usize> ChunkAxis<I, N> for S
where
    S: HasAxis<I> + ChunkSizes<I, N, Output: Shape>,
{
    type Output = <S as ChunkSizes<I, N>>::Output;
}

/// [`ChunkAxis`], computed from the sizes: its bound, separate so that messages are about the call alone.
#[cfg_attr(doc, doc(hidden))]
pub trait ChunkSizes<const I: isize, const N: usize> {
    /// The shape of a part.
    type Output;
}

impl<S, A, Z, D, Q, R, M, const I: isize, const N: usize, const K: usize> ChunkSizes<I, N> for S
where
    S: HasAxis<I, FromTheEnd = FromEnd<K>, Axis = A>,
    (A,): SizeInTypes<A, Size = Z>,
    Count<N>: CountSize<Size = D>,
    Z: DivSizes<D, Output = Q, Remainder = R>,
    (R,): NothingLeft<N, I, A, Matched = M>,
    Q: Axis,
    S: AxisFromEnd<K, With<Q>: Shape>,
{
    type Output = After<M, <S as AxisFromEnd<K>>::With<Q>>;
}

/// Requires that the remainder of an axis divided into parts is 0.
#[diagnostic::on_unimplemented(
    message = "axis {I} of size `{A}` cannot be split into {N} equal parts",
    label = "`{A}` is not a multiple of {N}",
    note = "`split` takes parts of other sizes, such as `x.split::<0, shape![3, 2]>()`; `chunks_axis` gives parts whose last one is shorter [T223]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait NothingLeft<const N: usize, const I: isize, A> {
    /// A type that the compiler knows only if the remainder is 0: [`After`] uses it.
    type Matched;
}

#[diagnostic::do_not_recommend]
impl<const N: usize, const I: isize, A> NothingLeft<N, I, A> for (Dim<0>,) {
    type Matched = A;
}

#[diagnostic::do_not_recommend]
impl<const N: usize, const I: isize, A> NothingLeft<N, I, A> for (NoAxis,) {
    type Matched = A;
}
