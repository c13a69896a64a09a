//! Lists of axes: what `axes![0, -1]` means for a shape.
//!
//! The list marks the axes that it names, from the last axis of the shape on and no further than it
//! has to: `axes![-1, -3]` marks three axes, whatever the leading ones are, so generic code over
//! `(Lead, A)` may use negative indices. Then each marked axis is left out, or gets size [`One`].

use crate::shape::Shape;
use crate::shape::axis::{Axis, One};
use crate::shape::axis_index::{AxisIndex, FromEnd, HasAxis};

/// A shape with all axes of the list `P`, as reductions along several axes need it.
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
    P: AxisList<S>,
    S: Shape + Marked<P::Marks>,
{
    type WithoutAxes = P::Checked<<S as Marked<P::Marks>>::Without>;
    type KeepDims = P::Checked<<S as Marked<P::Marks>>::Keep>;
    const AXES: Option<&'static AxisNode> = P::AXES;

    fn remove_axes(self) -> WithoutAxes<Self, P> {
        P::checked(Marked::<P::Marks>::without(self))
    }

    fn keep_axes(self) -> KeepDimsAxes<Self, P> {
        P::checked(Marked::<P::Marks>::keep(self))
    }
}

/// The indices of axes as a constant: one, and the rest.
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
    /// [`Reduced`] for each axis in the list, [`NotReduced`] for others, up to the first that is named.
    type Marks;
    /// `T`; unknown where an axis is named twice, so that one mistake is one error.
    type Checked<T: Shape>: Shape;
    /// The indices of the axes, counted from 0 at the front; the last of the list first.
    const AXES: Option<&'static AxisNode>;

    /// The same shape.
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
    S: HasAxis<I, FromTheEnd = FromEnd<K>>,
    P: AxisList<S, Marks: MarkAxis<K, I>>,
{
    type Marks = <P::Marks as MarkAxis<K, I>>::Output;
    type Checked<T: Shape> = <P::Marks as MarkAxis<K, I>>::Checked<P::Checked<T>>;
    const AXES: Option<&'static AxisNode> =
        Some(&AxisNode { index: <S as HasAxis<I>>::INDEX, rest: P::AXES });

    fn checked<T: Shape>(shape: T) -> Self::Checked<T> {
        <P::Marks as MarkAxis<K, I>>::checked(P::checked(shape))
    }
}

/// The mark of an axis that the list names.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(doc, doc(hidden))]
pub struct Reduced;

/// The mark of an axis that the list does not name.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(doc, doc(hidden))]
pub struct NotReduced;

/// An axis that a list has not named yet.
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

/// Marks with one more for axis `-K`, which the list calls `I`. Where there is no mark, the axis is not
/// named.
#[cfg_attr(doc, doc(hidden))]
pub trait MarkAxis<const K: usize, const I: isize> {
    /// The marks.
    type Output;
    /// `T`; unknown where the axis is named before.
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

/// The impls for axis `-$k` by those of the axis behind it.
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

/// A shape whose last axes have these marks.
#[cfg_attr(doc, doc(hidden))]
pub trait Marked<M>: Sized {
    /// The shape without the axes that are named.
    type Without: Shape;
    /// The shape with [`One`] in place of them.
    type Keep: Shape;

    /// The shape without the axes that are named, as a value.
    fn without(self) -> Self::Without;
    /// The shape with [`One`] in place of them, as a value.
    fn keep(self) -> Self::Keep;
}

/// `[..s] → [..s]`
impl<S: Shape> Marked<()> for S {
    type Without = S;
    type Keep = S;

    fn without(self) -> S {
        self
    }

    fn keep(self) -> S {
        self
    }
}

/// `[..l, a] → [..(l), a]`
impl<L: Marked<M>, A: Axis, M> Marked<(M, NotReduced)> for (L, A) {
    type Without = (L::Without, A);
    type Keep = (L::Keep, A);

    fn without(self) -> Self::Without {
        (self.0.without(), self.1)
    }

    fn keep(self) -> Self::Keep {
        (self.0.keep(), self.1)
    }
}

/// `[..l, a] → [..(l)]`, `[..l, a] → [..(l), 1]`
impl<L: Marked<M>, A: Axis, M> Marked<(M, Reduced)> for (L, A) {
    type Without = L::Without;
    type Keep = (L::Keep, One);

    fn without(self) -> Self::Without {
        self.0.without()
    }

    fn keep(self) -> Self::Keep {
        (self.0.keep(), One)
    }
}
