//! The shapes of stacks, padding, repetition and diagonals.
//!
//! The shapes of `concat` are those of [`ConcatAxis`](crate::reshape::ConcatAxis).

use crate::shape::arithmetic::{
    AddSizes, FewThousands, HasMagnitude, Magnitude, MulSizes, Nothing, PartTable, Single,
    SizePart, SizeProduct, SizeSum, Units, Whole,
};
use crate::shape::axis::{Axis, Dim, NoAxis, One, StaticAxis};
use crate::shape::axis_index::index_left_out;
use crate::shape::axis_index::{
    AxisOf, FromEnd, HasAxis, ReplaceAxis, Unsqueeze, Unsqueezed, WithAxis,
};
use crate::shape::broadcast::After;
use crate::shape::error::ShapeError;
use crate::shape::reshape::{ConcatAxis, Concatenated};
use crate::shape::{Shape, SizeInTypes, StaticSize};

/// `S` with a new axis `A`, which is axis `I` of the result: `[..l, ..r] → [..l, a, ..r]`.
pub type Stacked<S, const I: isize, A> = WithAxis<Unsqueezed<S, I>, I, A>;

/// The axis of size `N`, from a constant below 10,000.
pub type SizeOf<const N: usize> = <CountTable as CountedSize<N>>::Size;

/// `S` with axis `I` repeated `N` times: `[..l, m, ..r] → [..l, m · n, ..r]`.
pub type Repeated<S, const I: isize, const N: usize> = <S as RepeatAxis<I, N>>::Output;

/// `S` tiled: `[m, n], [a, b] → [m · a, n · b]`.
pub type Tiled<S, Counts> = <S as TileBy<Counts>>::Output;

/// `S` with its last axes padded: `[..l, m, n], [a, b], [c, d] → [..l, a + m + c, b + n + d]`.
pub type Padded<S, Before, After> = <S as PadBy<Before, After>>::Output;

/// `S` with its last axis duplicated: `[..l, n] → [..l, n, n]`.
pub type DiagEmbedded<S> = (S, AxisOf<S, -1>);

/// `S` without its last two axes: `[..l, m, n] → [..l]`.
pub type Traced<S> = <S as Trace>::Traced;

/// A shape to which an axis `A` can be added, as axis `I` of the result: `[..l, ..r] → [..l, a, ..r]`.
///
/// ```
/// use tensor_core::joins::{NewAxis, Stacked};
/// use tensor_core::{Tensor, dim, tensor};
///
/// fn pair<S: NewAxis<0, dim!(2)>>(x: &Tensor<S>) -> Tensor<Stacked<S, 0, dim!(2)>> {
///     Tensor::stack_all::<0, dim!(2)>([x, x])
/// }
///
/// assert_eq!(pair(&tensor![1.0, 2.0]), tensor![[1.0, 2.0], [1.0, 2.0]]);
/// ```
pub trait NewAxis<const I: isize, A>: Unsqueeze<I, Output: ReplaceAxis<I, A>> {}

/// `[..l, ..r] → [..l, a, ..r]`
impl<S, A, const I: isize> NewAxis<I, A> for S where S: Unsqueeze<I, Output: ReplaceAxis<I, A>> {}

/// The right side of a concatenation: `S: ConcatAxis<I, Self>`, which is the bound to write in generic
/// code.
///
/// Methods bound the right side, whose type is inferred last.
#[diagnostic::on_unimplemented(
    message = "cannot concatenate shape `{S}` with shape `{Self}` along axis {I}",
    note = "in generic code, add the bound `{S}: ConcatAxis<{I}, {Self}>` [T402]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait ConcatRhs<S, const I: isize>: Shape {
    /// The shape of the concatenation.
    type Output: Shape;

    /// The index of the axis, counted from 0 at the front.
    #[doc(hidden)]
    const INDEX: usize;

    /// The shape of the concatenation, as a value.
    ///
    /// # Errors
    ///
    /// If a named axis has different sizes on the two sides.
    #[doc(hidden)]
    fn concat_shape(left: S, right: Self) -> Result<ConcatenatedRhs<S, I, Self>, ShapeError>;
}

/// `R`, resolved after axis `I` of `S`: if the axis is left out, rustc reports each impl that takes it.
#[cfg_attr(doc, doc(hidden))]
pub type AfterAxis<S, const I: isize, R> = After<<S as HasAxis<I>>::WithoutAxis, R>;

/// `S` and `R` concatenated along axis `I`, computed by [`ConcatRhs`].
#[cfg_attr(doc, doc(hidden))]
pub type ConcatenatedRhs<S, const I: isize, R> = <R as ConcatRhs<S, I>>::Output;

impl<S: ConcatAxis<I, R>, R: Shape, const I: isize> ConcatRhs<S, I> for R {
    type Output = Concatenated<S, I, R>;
    const INDEX: usize = S::AXIS_INDEX;

    fn concat_shape(left: S, right: Self) -> Result<Concatenated<S, I, R>, ShapeError> {
        left.concat_axis(right)
    }
}

/// The table of the numbers that are sizes.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(doc, doc(hidden))]
pub struct CountTable;

/// The size of a constant.
#[diagnostic::on_unimplemented(
    message = "{N} is not a count from 0 to 9999",
    label = "a count written as a number is at most 9999",
    note = "a longer axis has a name, declared by `axis!(Rows)`, and its size is known when the program runs [T404]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait CountedSize<const N: usize> {
    /// The axis of this size.
    type Size: StaticAxis;
}

#[diagnostic::do_not_recommend]
impl<const N: usize> CountedSize<N> for CountTable
where
    PartTable: SizePart<N, Part: HasMagnitude>,
    Magnitude<N>: CountOf<N>,
{
    type Size = <Magnitude<N> as CountOf<N>>::Size;
}

/// The axis of size `N`, by the magnitude of `N`.
#[cfg_attr(doc, doc(hidden))]
pub trait CountOf<const N: usize> {
    /// The axis of this size.
    type Size: StaticAxis;
}

/// `1`
impl CountOf<1> for Single {
    type Size = One;
}

macro_rules! counts {
    ($($Magnitude:ident)*) => {$(
        impl<const N: usize> CountOf<N> for $Magnitude
        where
            Dim<N>: StaticAxis,
        {
            type Size = Dim<N>;
        }
    )*};
}

counts!(Nothing Units FewThousands Whole);

/// A shape whose axis `I` can be repeated `N` times: `[..l, m, ..r] → [..l, m · n, ..r]`.
///
/// ```
/// use tensor_core::joins::{RepeatAxis, Repeated};
/// use tensor_core::{Tensor, tensor};
///
/// fn twice<S: RepeatAxis<-1, 2>>(x: &Tensor<S>) -> Tensor<Repeated<S, -1, 2>> {
///     x.repeat::<-1, 2>()
/// }
///
/// assert_eq!(twice(&tensor![1.0, 2.0]), tensor![1.0, 1.0, 2.0, 2.0]);
/// ```
pub trait RepeatAxis<const I: isize, const N: usize>: HasAxis<I> {
    /// The shape with the longer axis.
    type Output: Shape;
}

index_left_out! { $N
    impl<L: Shape, A: Axis, const N: usize> RepeatAxis<$N, N> for (L, A) {
        type Output = ();
    }
}

/// `[..l, m, ..r] → [..l, m · n, ..r]`
impl<S, const I: isize, const N: usize, const K: usize> RepeatAxis<I, N> for S
where
    S: HasAxis<I, FromTheEnd = FromEnd<K>>,
    CountTable: CountedSize<N>,
    (AxisOf<S, I>,): SizeInTypes<AxisOf<S, I>, Size: MulSizes<SizeOf<N>>>,
    S: ReplaceAxis<I, SizeProduct<StaticSize<AxisOf<S, I>>, SizeOf<N>>>,
{
    type Output = WithAxis<S, I, SizeProduct<StaticSize<AxisOf<S, I>>, SizeOf<N>>>;
}

/// A shape that can be tiled by `Counts`, a shape whose last axis is the count for the last axis:
/// `[m, n], [a, b] → [m · a, n · b]`.
///
/// ```
/// use tensor_core::joins::{TileBy, Tiled};
/// use tensor_core::{Tensor, shape, tensor};
///
/// type Twice = shape![2, 1];
///
/// fn rows<S: TileBy<Twice>>(x: &Tensor<S>) -> Tensor<Tiled<S, Twice>> {
///     x.tile::<Twice>()
/// }
///
/// assert_eq!(rows(&tensor![1.0, 2.0]), tensor![[1.0, 2.0], [1.0, 2.0]]);
/// ```
pub trait TileBy<Counts>: Shape {
    /// The shape of the tiles.
    type Output: Shape;
}

/// `[..s], [..c] → [..(s · c)]`
impl<S: Shape + TileAxes<Counts, Tiles: Shape>, Counts> TileBy<Counts> for S {
    type Output = <S as TileAxes<Counts>>::Tiles;
}

/// The axes of a shape, each repeated by its count in `Counts`.
#[diagnostic::on_unimplemented(
    message = "shape `{Self}` cannot be tiled by `{Counts}`",
    note = "`tile::<shape![2, 1]>()` repeats the last axis but one twice; in generic code, add the bound `{Self}: TileBy<{Counts}>` [T405]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait TileAxes<Counts> {
    /// The shape of the tiles.
    type Tiles;
}

/// `[..s], [] → [..s]`
impl<S> TileAxes<()> for S {
    type Tiles = S;
}

/// `[], [..l, n] → [..l, n]`
impl<L, N> TileAxes<(L, N)> for () {
    type Tiles = (L, N);
}

/// `[..l, m], [..k, n] → [..(l · k), m · n]`
impl<L, A, K, N> TileAxes<(K, N)> for (L, A)
where
    L: TileAxes<K>,
    (A,): SizeInTypes<A, Size: MulSizes<N>>,
{
    type Tiles = (L::Tiles, SizeProduct<StaticSize<A>, N>);
}

/// A shape whose last axes can be padded at the start and at the end, by amounts that are the last axes
/// of two shapes: `[..l, m, n], [a, b], [c, d] → [..l, a + m + c, b + n + d]`.
///
/// ```
/// use tensor_core::joins::{PadBy, Padded};
/// use tensor_core::{Padding, Tensor, shape, tensor};
///
/// type Border = shape![1, 1];
///
/// fn framed<S: PadBy<Border, Border>>(x: &Tensor<S>) -> Tensor<Padded<S, Border, Border>> {
///     x.pad::<Border, Border>(Padding::Edge)
/// }
///
/// assert_eq!(framed(&tensor![[5.0]]), Tensor::full(5.0));
/// ```
pub trait PadBy<Before, Behind>: HasPadded<Before> {
    /// The shape with the longer axes.
    type Output: Shape;
}

/// `[..l, m, n], [a, b], [c, d] → [..l, a + m + c, b + n + d]`
impl<S, Before, Behind> PadBy<Before, Behind> for S
where
    S: HasPadded<Before>,
    S: PadPairs<After<<S as HasPadded<Before>>::Checked, Before>, Behind>,
{
    type Output = <S as PadPairs<After<<S as HasPadded<Before>>::Checked, Before>, Behind>>::Output;
}

/// [`PadAxes`], once the two lists of amounts, at the start and at the end, have the same length.
#[cfg_attr(doc, doc(hidden))]
pub trait PadPairs<Before, Behind> {
    /// The shape with the longer axes.
    type Output: Shape;
}

impl<S, B, C> PadPairs<B, C> for S
where
    B: PairsWith<C>,
    S: PadAxes<After<B::Checked, S>, After<B::Checked, B>, After<B::Checked, C>>,
{
    type Output =
        <S as PadAxes<After<B::Checked, S>, After<B::Checked, B>, After<B::Checked, C>>>::Output;
}

/// A shape whose rank is at least the number of amounts of padding.
#[cfg_attr(doc, doc(hidden))]
pub trait HasPadded<Before>: Shape {
    /// A type that the compiler knows only if the ranks are equal: [`After`] uses it.
    #[doc(hidden)]
    type Checked;
}

impl<S: Shape + PaddedAxes<Before, S, Before>, Before> HasPadded<Before> for S {
    type Checked = <S as PaddedAxes<Before, S, Before>>::Checked;
}

/// Requires the axes of [`HasPadded`], of shape `S` with amounts `All`.
#[diagnostic::on_unimplemented(
    message = "`pad` has amounts for more axes than the shape has: `{All}` for `{S}`",
    label = "there is an amount for each of the last axes, and for no more",
    note = "`pad::<shape![1, 2], shape![1, 2]>(padding)` pads the last two axes; in generic code, add a bound such as `{S}: PadBy<shape![1], shape![1]>` [T405]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait PaddedAxes<Before, S, All> {
    /// A type that the compiler knows only if the ranks are equal: [`After`] uses it.
    #[doc(hidden)]
    type Checked;
}

#[diagnostic::do_not_recommend]
impl<Lead, S, All> PaddedAxes<(), S, All> for Lead {
    type Checked = ();
}

#[diagnostic::do_not_recommend]
impl<L: PaddedAxes<B, S, All>, M, B, A, S, All> PaddedAxes<(B, A), S, All> for (L, M) {
    type Checked = L::Checked;
}

// With a second impl for each, rustc prints the message alone.
#[diagnostic::do_not_recommend]
impl<S, All> PaddedAxes<NoAxis, S, All> for () {
    type Checked = ();
}

#[diagnostic::do_not_recommend]
impl<L, M, S, All> PaddedAxes<NoAxis, S, All> for (L, M) {
    type Checked = ();
}

/// Requires that the amounts at the start and at the end are for the same number of axes.
#[diagnostic::on_unimplemented(
    message = "the amounts before and after the axes are for different numbers of axes: `{Self}` and `{Behind}`",
    label = "both lists have an amount for the same axes",
    note = "0 leaves one end of an axis as it is: `pad::<shape![1, 2], shape![0, 2]>(padding)` [T405]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait PairsWith<Behind> {
    /// A type that the compiler knows only if the lists have the same length: [`After`] uses it.
    #[doc(hidden)]
    type Checked;
}

#[diagnostic::do_not_recommend]
impl PairsWith<()> for () {
    type Checked = ();
}

#[diagnostic::do_not_recommend]
impl<B: PairsWith<C>, A, C, D> PairsWith<(C, D)> for (B, A) {
    type Checked = B::Checked;
}

// With a second impl for each, rustc prints the message alone.
#[diagnostic::do_not_recommend]
impl PairsWith<NoAxis> for () {
    type Checked = ();
}

#[diagnostic::do_not_recommend]
impl<B, A> PairsWith<NoAxis> for (B, A) {
    type Checked = ();
}

/// The last axes of `S` with padding, whose amounts are two lists of the same length. `Self` is any
/// type: the compiler lists the impls of an unmet trait, unless they are for any type.
#[cfg_attr(doc, doc(hidden))]
pub trait PadAxes<S, Before, Behind> {
    /// The shape with the longer axes.
    type Output: Shape;
}

/// `[..s] → [..s]`
impl<X, S: Shape> PadAxes<S, (), ()> for X {
    type Output = S;
}

/// `[..l, m] → [..(l), a + m + c]`
impl<X, L, M, B, A, C, D> PadAxes<(L, M), (B, A), (C, D)> for X
where
    X: PadAxes<L, B, C>,
    (M,): SizeInTypes<M, Size: AddSizes<A, Output: AddSizes<D>>>,
{
    type Output = (<X as PadAxes<L, B, C>>::Output, SizeSum<SizeSum<StaticSize<M>, A>, D>);
}

/// A shape of matrices, for `trace`, the sum of their diagonals: `[..l, m, n] → [..l]`.
///
/// ```
/// use tensor_core::joins::{Trace, Traced};
/// use tensor_core::{Tensor, tensor};
///
/// fn sums<S: Trace>(x: &Tensor<S>) -> Tensor<Traced<S>> {
///     x.trace()
/// }
///
/// assert_eq!(sums(&tensor![[1.0, 2.0], [3.0, 4.0]]).item(), 5.0);
/// ```
#[diagnostic::on_unimplemented(
    message = "shape `{Self}` has no two axes with a diagonal",
    label = "this needs two axes at least",
    note = "`trace` sums the diagonals of the last two axes; generic code names both, `shape![Lead.., A, B]`, or adds the bound `{Self}: Trace` [T204]"
)]
pub trait Trace: Shape {
    /// The shape without the two axes.
    type Traced: Shape;

    /// The shape without the two axes, as a value.
    fn without_matrix(self) -> Traced<Self>;
}

/// `[..l, m, n] → [..l]`
#[diagnostic::do_not_recommend]
impl<L: Shape, A: Axis, B: Axis> Trace for ((L, A), B) {
    type Traced = L;

    fn without_matrix(self) -> Traced<Self> {
        self.0.0
    }
}
