//! Lists of axes: the axes of a shape that `axes![0, -1]` denotes.
//!
//! The list marks the axes that it names, from the last axis of the shape to the first named one:
//! `axes![-1, -3]` marks three axes, whatever the leading ones are, so generic code over `(Lead, A)` may
//! use negative indices. Then each marked axis is removed, or gets size [`One`].

use crate::shape::Shape;
use crate::shape::axis::{Axis, One};
use crate::shape::axis_index::{AxisFromEnd, AxisIndex, FromEnd, FrontToEnd, Ranked};

/// A shape with all axes of the list `P`: the bound of reductions along several axes.
///
/// ```
/// use tensor_core::axis_list::{HasAxes, WithoutAxes};
/// use tensor_core::{Tensor, axes, tensor};
///
/// type Borders = axes![0, -1];
///
/// fn sums<S: HasAxes<Borders>>(x: &Tensor<S>) -> Tensor<WithoutAxes<S, Borders>> {
///     x.sum_axes::<Borders>()
/// }
///
/// assert_eq!(sums(&tensor![[[1.0, 2.0], [3.0, 4.0]]]), tensor![3.0, 7.0]);
/// ```
pub trait HasAxes<P>: Shape {
    /// The shape without the axes.
    type WithoutAxes: Shape;
    /// The shape with [`One`] in place of each of the axes.
    type KeepDims: Shape;

    /// The indices of the axes, counted from 0 at the front; the last of the list first.
    #[doc(hidden)]
    const AXES: Option<&'static AxisNode>;

    /// The shape without the axes, as a value.
    fn remove_axes(self) -> WithoutAxes<Self, P>;
    /// The shape with [`One`] in place of each of the axes, as a value.
    fn keep_axes(self) -> KeepDimsAxes<Self, P>;
}

/// `S` without the axes of the list `P`: `[..a, m, ..b, n, ..c] → [..a, ..b, ..c]`.
pub type WithoutAxes<S, P> = <S as HasAxes<P>>::WithoutAxes;
/// `S` with the axes of the list `P` of size [`One`], as NumPy's `keepdims`:
/// `[..a, m, ..b, n, ..c] → [..a, 1, ..b, 1, ..c]`.
pub type KeepDimsAxes<S, P> = <S as HasAxes<P>>::KeepDims;

impl<S, P> HasAxes<P> for S
where
    S: Shape,
    P: AxisList<S, Marks: MarksOf<S>>,
{
    type WithoutAxes = P::Checked<<P::Marks as MarksOf<S>>::Without>;
    type KeepDims = P::Checked<<P::Marks as MarksOf<S>>::Keep>;
    const AXES: Option<&'static AxisNode> = P::AXES;

    fn remove_axes(self) -> WithoutAxes<Self, P> {
        P::checked(<P::Marks as MarksOf<S>>::without(self))
    }

    fn keep_axes(self) -> KeepDimsAxes<Self, P> {
        P::checked(<P::Marks as MarksOf<S>>::keep(self))
    }
}

/// The indices of axes as a constant linked list: one index, and the rest.
#[cfg_attr(doc, doc(hidden))]
#[derive(Clone, Copy, Debug)]
pub struct AxisNode {
    index: usize,
    rest: Option<&'static AxisNode>,
}

impl AxisNode {
    /// The indices of a list.
    pub(crate) fn indices(list: Option<&'static Self>) -> impl Iterator<Item = usize> {
        core::iter::successors(list, |node| node.rest).map(|node| node.index)
    }
}

/// A list of distinct axes of the shape `S`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of axes",
    label = "this needs a list of axes",
    note = "`axes!` writes lists of axes, such as `axes![0, -1]` for the first and the last [T209]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait AxisList<S> {
    /// [`Reduced`] for each axis in the list, [`NotReduced`] for others, up to the first named axis.
    type Marks;
    /// `T`. Unknown to the compiler if an axis is named twice, so that one mistake is one error.
    type Checked<T: Shape>: Shape;
    /// The indices of the axes, counted from 0 at the front; the last of the list first.
    const AXES: Option<&'static AxisNode>;

    /// The same shape, as a value of the checked type.
    fn checked<T: Shape>(shape: T) -> Self::Checked<T>;
}

#[diagnostic::do_not_recommend]
impl<S> AxisList<S> for () {
    type Marks = ();
    type Checked<T: Shape> = T;
    const AXES: Option<&'static AxisNode> = None;

    fn checked<T: Shape>(shape: T) -> T {
        shape
    }
}

impl<S, P, const I: isize, const K: usize> AxisList<S> for (P, AxisIndex<I>)
where
    AxisIndex<I>: FromTheEnd<S, Place = FromEnd<K>>,
    S: ListedAxis<K>,
    P: AxisList<S, Marks: MarkAxis<K, I>>,
{
    type Marks = <P::Marks as MarkAxis<K, I>>::Output;
    type Checked<T: Shape> = <P::Marks as MarkAxis<K, I>>::Checked<P::Checked<T>>;
    const AXES: Option<&'static AxisNode> = Some(&AxisNode { index: S::INDEX, rest: P::AXES });

    fn checked<T: Shape>(shape: T) -> Self::Checked<T> {
        <P::Marks as MarkAxis<K, I>>::checked(P::checked(shape))
    }
}

/// An axis index of the shape `S`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is out of range",
    label = "there is no such axis",
    note = "axes count from 0 at the front and from -1 at the end [T201]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait FromTheEnd<S> {
    /// [`FromEnd<K>`](FromEnd) for axis `-K`.
    type Place;
}

/// Axis `-K` of a shape. Error messages end at this bound, as generic code has a bound on the whole list.
#[diagnostic::on_unimplemented(
    message = "axis -{K} is out of range for shape `{Self}`",
    label = "there is no axis -{K} here",
    note = "axes count from 0 at the front and from -1 at the end; in generic code, add a bound on the whole list, such as `{Self}: HasAxes<axes![-1, -2]>` [T201]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait ListedAxis<const K: usize> {
    /// The index of the axis, counted from 0 at the front.
    const INDEX: usize;
}

#[diagnostic::do_not_recommend]
impl<S: Shape + AxisFromEnd<K>, const K: usize> ListedAxis<K> for S {
    const INDEX: usize = S::RANK - K;
}

/// Generates the impls for indices from the end, and for those from the front if the rank is known.
macro_rules! from_the_end {
    ($($k:literal is $negative:literal)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<S> FromTheEnd<S> for AxisIndex<$negative> {
            type Place = FromEnd<$k>;
        }
    )*};
    (front $($i:literal)*) => {$(
        impl<S> FromTheEnd<S> for AxisIndex<$i>
        where
            S: Ranked<Rank: FrontToEnd<$i, S>>,
        {
            type Place = <S::Rank as FrontToEnd<$i, S>>::FromEnd;
        }
    )*};
}

from_the_end! {
    1 is -1  2 is -2  3 is -3  4 is -4  5 is -5  6 is -6  7 is -7  8 is -8
    9 is -9  10 is -10  11 is -11  12 is -12  13 is -13  14 is -14  15 is -15  16 is -16
    17 is -17  18 is -18  19 is -19  20 is -20  21 is -21  22 is -22  23 is -23  24 is -24
    25 is -25  26 is -26  27 is -27  28 is -28  29 is -29  30 is -30  31 is -31  32 is -32
}

from_the_end! {
    front 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
}

/// The mark of an axis that the list names.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(doc, doc(hidden))]
pub struct Reduced;

/// The mark of an axis that the list does not name.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(doc, doc(hidden))]
pub struct NotReduced;

/// Requires that a list has not named an axis before.
#[diagnostic::on_unimplemented(
    message = "axis {I} is in this list of axes twice",
    label = "axis {I} is named before",
    note = "each axis is named once; -1 is the last axis, whatever its number from the front is [T209]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait ReducedOnce<const I: isize> {
    /// `T`
    type Checked<T: Shape>: Shape;

    /// The same shape.
    fn checked<T: Shape>(shape: T) -> Self::Checked<T>;
}

#[diagnostic::do_not_recommend]
impl<const I: isize> ReducedOnce<I> for NotReduced {
    type Checked<T: Shape> = T;

    fn checked<T: Shape>(shape: T) -> T {
        shape
    }
}

/// Marks with one more for axis `-K`, which is index `I` in the list. An axis without a mark is not
/// named.
#[cfg_attr(doc, doc(hidden))]
pub trait MarkAxis<const K: usize, const I: isize> {
    /// The marks.
    type Output;
    /// `T`, unless the axis was named before: then the type does not exist, and the program does not compile.
    type Checked<T: Shape>: Shape;

    /// The same shape.
    fn checked<T: Shape>(shape: T) -> Self::Checked<T>;
}

impl<const I: isize> MarkAxis<1, I> for () {
    type Output = ((), Reduced);
    type Checked<T: Shape> = T;

    fn checked<T: Shape>(shape: T) -> T {
        shape
    }
}

impl<M, X: ReducedOnce<I>, const I: isize> MarkAxis<1, I> for (M, X) {
    type Output = (M, Reduced);
    type Checked<T: Shape> = X::Checked<T>;

    fn checked<T: Shape>(shape: T) -> X::Checked<T> {
        X::checked(shape)
    }
}

/// Generates the impls for axis `-$k` from those of the axis after it.
macro_rules! mark_axis {
    ($($k:literal behind $next:literal)*) => {$(
        impl<const I: isize> MarkAxis<$k, I> for () {
            type Output = (<() as MarkAxis<$next, I>>::Output, NotReduced);
            type Checked<T: Shape> = T;

            fn checked<T: Shape>(shape: T) -> T {
                shape
            }
        }

        impl<M: MarkAxis<$next, I>, X, const I: isize> MarkAxis<$k, I> for (M, X) {
            type Output = (M::Output, X);
            type Checked<T: Shape> = M::Checked<T>;

            fn checked<T: Shape>(shape: T) -> M::Checked<T> {
                M::checked(shape)
            }
        }
    )*};
}

mark_axis! {
    2 behind 1    3 behind 2    4 behind 3    5 behind 4    6 behind 5    7 behind 6    8 behind 7
    9 behind 8    10 behind 9   11 behind 10  12 behind 11  13 behind 12  14 behind 13  15 behind 14
    16 behind 15  17 behind 16  18 behind 17  19 behind 18  20 behind 19  21 behind 20  22 behind 21
    23 behind 22  24 behind 23  25 behind 24  26 behind 25  27 behind 26  28 behind 27  29 behind 28
    30 behind 29  31 behind 30  32 behind 31
}

/// The marks of the last axes of the shape `S`.
#[diagnostic::on_unimplemented(
    message = "the axes of shape `{S}` are not known here",
    label = "this needs some axes of `{S}`",
    note = "in generic code, add a bound on the whole list, such as `{S}: HasAxes<axes![-1, -2]>` [T201]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait MarksOf<S> {
    /// The shape without the axes that are named.
    type Without: Shape;
    /// The shape with [`One`] in place of them.
    type Keep: Shape;

    /// The shape without the axes that are named, as a value.
    fn without(shape: S) -> Self::Without;
    /// The shape with [`One`] in place of them, as a value.
    fn keep(shape: S) -> Self::Keep;
}

/// `[..s] → [..s]`
#[diagnostic::do_not_recommend]
impl<S: Shape> MarksOf<S> for () {
    type Without = S;
    type Keep = S;

    fn without(shape: S) -> S {
        shape
    }

    fn keep(shape: S) -> S {
        shape
    }
}

/// `[] → []`: [`ListedAxis`] rejects a list that names more axes.
#[diagnostic::do_not_recommend]
impl<M, X> MarksOf<()> for (M, X) {
    type Without = ();
    type Keep = ();

    fn without((): ()) {}

    fn keep((): ()) {}
}

/// `[..l, a] → [..(l), a]`
#[diagnostic::do_not_recommend]
impl<L, A: Axis, M: MarksOf<L>> MarksOf<(L, A)> for (M, NotReduced) {
    type Without = (M::Without, A);
    type Keep = (M::Keep, A);

    fn without((lead, axis): (L, A)) -> Self::Without {
        (M::without(lead), axis)
    }

    fn keep((lead, axis): (L, A)) -> Self::Keep {
        (M::keep(lead), axis)
    }
}

/// `[..l, a] → [..(l)]`, `[..l, a] → [..(l), 1]`
#[diagnostic::do_not_recommend]
impl<L, A: Axis, M: MarksOf<L>> MarksOf<(L, A)> for (M, Reduced) {
    type Without = M::Without;
    type Keep = (M::Keep, One);

    fn without((lead, _): (L, A)) -> Self::Without {
        M::without(lead)
    }

    fn keep((lead, _): (L, A)) -> Self::Keep {
        (M::keep(lead), One)
    }
}
