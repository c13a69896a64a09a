//! The shapes of views: `squeeze`, `unsqueeze`, `transpose`, `permute`.

use crate::shape::axis::{Axis, NoAxis, One};
use crate::shape::axis_index::{AxisFromEnd, AxisIndex, AxisOf, FromEnd, HasAxis};
use crate::shape::broadcast::After;
use crate::shape::{Shape, Sizes};

pub use crate::shape::axis_index::{Unsqueeze, Unsqueezed};

/// A shape whose axis `I` has size [`One`] and can be removed: `[..a, 1, ..b] → [..a, ..b]`.
///
/// ```
/// use tensor_core::{Tensor, tensor, views::{Squeeze, Squeezed}};
///
/// fn column<S: Squeeze<-1>>(x: &Tensor<S>) -> Tensor<Squeezed<S, -1>> {
///     x.squeeze::<-1>()
/// }
///
/// assert_eq!(column(&tensor![[1.0], [2.0]]), tensor![1.0, 2.0]);
/// ```
pub trait Squeeze<const I: isize>: Shape {
    /// The shape without the axis.
    type Output: Shape;

    /// The index of the axis, counted from 0 at the front.
    const INDEX: usize;

    /// The shape without the axis, as a value.
    fn squeeze(self) -> Squeezed<Self, I>;
}

/// `S` without axis `I`, which has size [`One`]: `[..a, 1, ..b] → [..a, ..b]`.
pub type Squeezed<S, const I: isize> = <S as Squeeze<I>>::Output;

/// `[..a, 1, ..b] → [..a, ..b]`. One impl for each index: the error for a call without an index is then
/// about the index alone.
macro_rules! squeeze {
    ($($index:literal)*) => {$(
        impl<S> Squeeze<$index> for S
        where
            S: HasAxis<$index>,
            (AxisOf<S, $index>,): Squeezable<$index, AxisOf<S, $index>>,
        {
            type Output = After<
                <(AxisOf<S, $index>,) as Squeezable<$index, AxisOf<S, $index>>>::Matched,
                S::WithoutAxis,
            >;
            const INDEX: usize = <S as HasAxis<$index>>::INDEX;

            fn squeeze(self) -> Squeezed<Self, $index> {
                self.remove()
            }
        }
    )*};
}

/// Impls for indices that no axis has, like those of [`HasAxis`]: with them, rustc resolves the index
/// before it rejects the shape.
macro_rules! no_axis {
    ($($number:literal $axis:literal)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<S: Shape> Squeeze<$axis> for S {
            type Output = ();
            const INDEX: usize = panic!("no axis has this number");

            fn squeeze(self) {}
        }

        #[diagnostic::do_not_recommend]
        impl<S: Shape> Permute<(NoAxis, FromEnd<$number>)> for S {
            type Output = ();

            fn permute(self) {}

            fn order(_: &mut Sizes) {}
        }
    )*};
}

no_axis! {
    0 -2_000_000_000 1 -2_000_000_001 2 -2_000_000_002 3 -2_000_000_003 4 -2_000_000_004
    5 -2_000_000_005 6 -2_000_000_006 7 -2_000_000_007 8 -2_000_000_008 9 -2_000_000_009
}

squeeze! {
    0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
    -1 -2 -3 -4 -5 -6 -7 -8 -9 -10 -11 -12 -13 -14 -15 -16
    -17 -18 -19 -20 -21 -22 -23 -24 -25 -26 -27 -28 -29 -30 -31 -32
}

/// Requires that an axis has size exactly 1. `Self` is a one-element tuple, because for a type that the
/// user declared rustc would also show its declaration.
#[diagnostic::on_unimplemented(
    message = "only an axis of size `One` can be squeezed, and axis {I} is `{A}`",
    label = "axis {I} is `{A}`",
    note = "squeezing removes an axis and keeps every element; to remove a longer axis, reduce over it or reshape; in generic code, the bound is `S: Squeeze<{I}>` [T203]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait Squeezable<const I: isize, A> {
    /// A type that the compiler knows only if the axis has size 1: [`After`] uses it.
    #[doc(hidden)]
    type Matched;
}

#[diagnostic::do_not_recommend]
impl<const I: isize> Squeezable<I, One> for (One,) {
    type Matched = One;
}

#[diagnostic::do_not_recommend]
impl<const I: isize> Squeezable<I, NoAxis> for (NoAxis,) {
    type Matched = NoAxis;
}

/// A shape of rank 2 or more, whose last two axes can be swapped: `[..l, a, b] → [..l, b, a]`.
///
/// ```
/// use tensor_core::{Tensor, tensor, views::{Transpose, Transposed}};
///
/// fn swapped<S: Transpose>(x: &Tensor<S>) -> Tensor<Transposed<S>> {
///     x.transpose()
/// }
///
/// assert_eq!(swapped(&tensor![[1.0, 2.0]]), tensor![[1.0], [2.0]]);
/// ```
#[diagnostic::on_unimplemented(
    message = "shape `{Self}` has no two axes to transpose",
    label = "this needs two axes at least",
    note = "`transpose` swaps the last two axes; `unsqueeze::<0>()` or `unsqueeze::<-1>()` makes a vector a row or a column; generic code names both axes, `shape![Lead.., A, B]` [T204]"
)]
pub trait Transpose: Shape {
    /// The shape with its last two axes swapped.
    type Transposed: Shape;

    /// The shape with its last two axes swapped, as a value.
    fn transpose(self) -> Transposed<Self>;
}

/// `S` with its last two axes swapped: `[..l, a, b] → [..l, b, a]`.
pub type Transposed<S> = <S as Transpose>::Transposed;

/// `[..l, a, b] → [..l, b, a]`
#[diagnostic::do_not_recommend]
impl<L: Shape, A: Axis, B: Axis> Transpose for ((L, A), B) {
    type Transposed = ((L, B), A);

    fn transpose(self) -> Transposed<Self> {
        let ((lead, a), b) = self;
        ((lead, b), a)
    }
}

/// A shape whose axes can be permuted by a list of axis indices.
///
/// ```
/// use tensor_core::{Tensor, axes, tensor, views::{Permute, Permuted}};
///
/// type Reversed = axes![1, 0];
///
/// fn reversed<S: Permute<Reversed>>(x: &Tensor<S>) -> Tensor<Permuted<S, Reversed>> {
///     x.permute::<Reversed>()
/// }
///
/// assert_eq!(reversed(&tensor![[1.0, 2.0]]), tensor![[1.0], [2.0]]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`permute` takes a list of axis indices, and `{P}` is none",
    label = "write the indices of the axes: `axes![1, 0]`",
    note = "for a shape of three axes, `permute::<axes![0, 2, 1]>()` swaps the last two [T205]"
)]
pub trait Permute<P>: Shape {
    /// The shape with its axes in that order.
    type Output: Shape;

    /// The shape with its axes in that order, as a value.
    fn permute(self) -> Permuted<Self, P>;

    /// Appends, for each axis of the result, its index in this shape, counted from the front.
    #[doc(hidden)]
    fn order(order: &mut Sizes);
}

/// `S` with its axes in the order of the list `P`.
pub type Permuted<S, P> = <S as Permute<P>>::Output;

/// `S`, resolved once its rank is known, so that no error about its axes comes first.
type OfKnownRank<S> = After<<S as Unpicked>::Known, S>;

/// `[a, b, c] → [c, a, b]`. One impl for each length, so that a type that is not a list of axis indices
/// has none; of longer lists, only the last nine entries are matched here.
macro_rules! permute {
    (@impl [$($Lead:ident)? $(, const $I:ident)*] $list:ty) => {
        impl<S, $($Lead,)? $(const $I: isize),*> Permute<$list> for S
        where
            S: Shape + Unpicked,
            $list: NamesEveryAxis<OfKnownRank<S>> + Pick<S, Shape: Shape>,
        {
            type Output = After<
                <$list as NamesEveryAxis<OfKnownRank<S>>>::All,
                <$list as Pick<S>>::Shape,
            >;

            fn permute(self) -> Permuted<Self, $list> {
                <$list as Pick<S>>::pick(self)
            }

            fn order(order: &mut Sizes) {
                <$list as Pick<S>>::order(order);
            }
        }
    };
    ([$($I:ident)*] $list:ty; $next:ident $($more:ident)*) => {
        permute!(@impl [$(, const $I)*] $list);
        permute!([$($I)* $next] ($list, AxisIndex<$next>); $($more)*);
    };
    ([$($I:ident)*] $list:ty;) => {
        permute!(@impl [$(, const $I)*] $list);
    };
}

permute! { [] (); I0 I1 I2 I3 I4 I5 I6 I7 }

/// A list of at least nine, whose first axes are in `P`.
type Longer<
    P,
    const I0: isize,
    const I1: isize,
    const I2: isize,
    const I3: isize,
    const I4: isize,
    const I5: isize,
    const I6: isize,
    const I7: isize,
    const I8: isize,
> = (
    (
        (
            (
                (
                    ((((P, AxisIndex<I0>), AxisIndex<I1>), AxisIndex<I2>), AxisIndex<I3>),
                    AxisIndex<I4>,
                ),
                AxisIndex<I5>,
            ),
            AxisIndex<I6>,
        ),
        AxisIndex<I7>,
    ),
    AxisIndex<I8>,
);

permute! {
    @impl [P, const I0, const I1, const I2, const I3, const I4, const I5, const I6, const I7, const I8]
    Longer<P, I0, I1, I2, I3, I4, I5, I6, I7, I8>
}

/// Requires that a list of axis indices is not shorter than the rank. In a longer list one index is out
/// of range or repeated, which [`Pick`] reports.
#[diagnostic::on_unimplemented(
    message = "a permutation names every axis once, and this list is too short",
    label = "write one number for each axis",
    note = "for a shape of three axes, `permute::<axes![0, 2, 1]>()` swaps the last two [T205]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait NamesEveryAxis<S> {
    /// A type that the compiler knows only if every axis is named: [`After`] uses it.
    #[doc(hidden)]
    type All;
}

#[diagnostic::do_not_recommend]
impl<P> NamesEveryAxis<()> for P {
    type All = ();
}

#[diagnostic::do_not_recommend]
impl<P: NamesEveryAxis<L>, X, L, A> NamesEveryAxis<(L, A)> for (P, X) {
    type All = P::All;
}

/// A second impl, so that the compiler does not explain the first one: see [`NoAxis`].
#[diagnostic::do_not_recommend]
impl<P, X> NamesEveryAxis<NoAxis> for (P, X) {
    type All = ();
}

/// The mark of an axis that no index of the list has named yet.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(doc, doc(hidden))]
pub struct NotYetNamed;

/// The mark of an axis that an index of the list has named.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(doc, doc(hidden))]
pub struct AlreadyNamed;

/// A shape, with [`NotYetNamed`] for each axis.
#[diagnostic::on_unimplemented(
    message = "the rank of `{Self}` is not known here",
    label = "`permute` names every axis",
    note = "in generic code, add the bound on the whole shape, such as `S: Permute<axes![1, 0]>`; `transpose` swaps the last two axes of `shape![Lead.., A, B]` without a bound [T205]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait Unpicked {
    /// [`NotYetNamed`] for every axis.
    type Axes;
    /// Resolves once the rank is known: see [`After`].
    #[doc(hidden)]
    type Known;
}

impl Unpicked for () {
    type Axes = ();
    type Known = ();
}

impl<L: Unpicked, A> Unpicked for (L, A) {
    type Axes = (L::Axes, NotYetNamed);
    type Known = L::Known;
}

/// A list of distinct axis indices of the shape `S`.
#[diagnostic::on_unimplemented(
    message = "`permute` takes a list of axis indices, and `{Self}` is none",
    label = "write the indices of the axes: `axes![1, 0]`",
    note = "`...` represents the axes before those that a list names, at most eight [T205]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait Pick<S> {
    /// The axes of `S` that the list names, in its order.
    type Shape;
    /// For each axis of `S`, whether the list names it.
    type Axes;

    /// The axes that the list names, as a value.
    fn pick(shape: S) -> Self::Shape;
    /// Appends their indices, counted from the front.
    fn order(order: &mut Sizes);
}

#[diagnostic::do_not_recommend]
impl<S: Unpicked> Pick<S> for () {
    type Shape = ();
    type Axes = S::Axes;

    fn pick(_: S) -> Self::Shape {}

    fn order(_: &mut Sizes) {}
}

impl<S, P, const I: isize, const K: usize, X> Pick<S> for (P, AxisIndex<I>)
where
    S: Unpicked,
    OfKnownRank<S>: HasAxis<I, FromTheEnd = FromEnd<K>>,
    P: Pick<S, Axes: AxisFromEnd<K, Axis = X>>,
    X: NamedOnce<I>,
{
    type Shape = After<X::Named, (P::Shape, <OfKnownRank<S> as HasAxis<I>>::Axis)>;
    type Axes = <P::Axes as AxisFromEnd<K>>::With<AlreadyNamed>;

    fn pick(shape: S) -> Self::Shape {
        (P::pick(shape), shape.axis())
    }

    fn order(order: &mut Sizes) {
        P::order(order);
        order.push(<S as HasAxis<I>>::INDEX);
    }
}

/// Requires that a list of axis indices has not named an axis before.
#[diagnostic::on_unimplemented(
    message = "a permutation names every axis once, and axis {I} is named before",
    label = "axis {I} is in this list twice",
    note = "-1 is the last axis, whatever its number from the front is [T205]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait NamedOnce<const I: isize> {
    /// A type that the compiler knows only if the axis is named once: [`After`] uses it.
    #[doc(hidden)]
    type Named;
}

#[diagnostic::do_not_recommend]
impl<const I: isize> NamedOnce<I> for NotYetNamed {
    type Named = ();
}
