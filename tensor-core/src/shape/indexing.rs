//! The shapes of operations with indices, and of those that choose some of the elements along an axis.

use crate::shape::arithmetic::{AtLeast, SizeDifference, SubSizes};
use crate::shape::axis::{Axis, Dim, NoAxis, One, StaticAxis};
use crate::shape::axis_index::index_left_out;
use crate::shape::axis_index::{Axes, AxisOf, FromEnd, HasAxis, Ranked, ReplaceAxis, WithAxis};
use crate::shape::broadcast::After;
use crate::shape::error::ShapeError;
use crate::shape::reshape::{Append, SplitAtAxis};
use crate::shape::{Shape, SizeInTypes, StaticSize};

/// `S` with axis `I` replaced by the axes of `Indices`: `[..a, n, ..b], [..i] → [..a, ..i, ..b]`.
pub type Taken<S, const I: isize, Indices> = <S as TakeAxis<I, Indices>>::Output;

/// `R`, the shape of indices along axis `I` of a tensor of shape `S`: `[..a, n, ..b], [..a, k, ..b] → [..a, k, ..b]`.
pub type Indexed<S, const I: isize, R> = <R as IndicesAlong<S, I>>::Indexed;

/// `S`, with elements along axis `I` changed at indices of shape `R`.
pub type Changed<S, const I: isize, R> = <R as IndicesAlong<S, I>>::Changed;

/// `S` with axis `I` replaced by axis `K`, which is not longer: `[..a, n, ..b] → [..a, k, ..b]`.
pub type Chosen<S, const I: isize, K> = <S as ChooseAxis<I, K>>::Chosen;

/// `S` with axis `I` one shorter: `[..a, n, ..b] → [..a, n - 1, ..b]`.
pub type Differences<S, const I: isize> = <S as DifferenceAxis<I>>::Output;

/// A shape whose axis `I` a tensor of indices replaces: the bound of `take`.
///
/// ```
/// use tensor_core::indexing::{TakeAxis, Taken};
/// use tensor_core::{IndexError, Tensor, shape, tensor};
///
/// type Chosen = shape![2];
///
/// fn both<S: TakeAxis<0, Chosen>>(x: &Tensor<S>) -> Result<Tensor<Taken<S, 0, Chosen>>, IndexError> {
///     x.take::<0, _>(&tensor![0, -1])
/// }
///
/// assert_eq!(both(&tensor![1.0, 2.0, 3.0])?, tensor![1.0, 3.0]);
/// # Ok::<(), IndexError>(())
/// ```
pub trait TakeAxis<const I: isize, Indices>: Shape {
    /// The shape of the result.
    type Output: Shape;

    /// The index of the axis, counted from 0 at the front.
    #[doc(hidden)]
    const INDEX: usize;

    /// The shape of the result, as a value.
    fn take_axis(self, indices: Indices) -> <Self as TakeAxis<I, Indices>>::Output;
}

/// `[..a, n, ..b], [..i] → [..a, ..i, ..b]`
impl<S, Indices, const I: isize, Place, A, Before, Lead, Behind> TakeAxis<I, Indices> for S
where
    S: HasAxis<I, FromTheEnd = Place, Axis = A>,
    After<A, S>: SplitAtAxis<Place, I, I, Leading = Before, Trailing = Behind>,
    Before: Append<Indices, Output = Lead>,
    Lead: Append<Behind, Output: Shape>,
{
    type Output = <Lead as Append<Behind>>::Output;
    const INDEX: usize = <S as HasAxis<I>>::INDEX;

    fn take_axis(self, indices: Indices) -> <Self as TakeAxis<I, Indices>>::Output {
        self.split_before().0.append(indices).append(self.split_behind().1)
    }
}

/// A table with one row for each word, `[v, d]`: the bound of `embedding`.
#[diagnostic::on_unimplemented(
    message = "an embedding takes the rows of a table of two axes, and shape `{Self}` is none",
    label = "this needs a table, such as `shape![50257, 768]`",
    note = "along another axis, or of a tensor of another rank, `x.take::<0, _>(&indices)` takes the elements [T231]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait EmbeddingTable: Shape {
    /// The axis of a row.
    type Row: Axis;

    /// The axis of a row.
    fn row(self) -> Self::Row;
}

#[diagnostic::do_not_recommend]
impl<V: Axis, D: Axis> EmbeddingTable for (((), V), D) {
    type Row = D;

    fn row(self) -> D {
        self.1
    }
}

/// A shape that differs from `R` along axis `I` alone: the bound of `take_along_axis` and `scatter`.
///
/// ```
/// use tensor_core::indexing::{AlongAxis, Indexed};
/// use tensor_core::{IndexError, Shape, Tensor, shape, tensor};
///
/// fn chosen<S: AlongAxis<-1, R>, R: Shape>(
///     x: &Tensor<S>,
///     indices: &Tensor<R, i64>,
/// ) -> Result<Tensor<Indexed<S, -1, R>>, IndexError> {
///     x.take_along_axis::<-1, _>(indices)
/// }
///
/// let x = tensor![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
/// assert_eq!(chosen(&x, &tensor![[2], [0]])?, tensor![[3.0], [4.0]]);
/// # Ok::<(), IndexError>(())
/// ```
pub trait AlongAxis<const I: isize, R>: Shape {
    /// `R`, resolved if the other axes are equal.
    #[doc(hidden)]
    type Indexed: Shape;

    /// This shape, resolved if the other axes are equal.
    #[doc(hidden)]
    type Changed: Shape;

    /// The index of the axis, counted from 0 at the front.
    #[doc(hidden)]
    const INDEX: usize;

    /// `R`, as a value.
    #[doc(hidden)]
    fn indexed(self, other: R) -> Self::Indexed;

    /// This shape, as a value.
    #[doc(hidden)]
    fn changed(self) -> Self::Changed;

    /// Compares the run-time sizes.
    ///
    /// # Errors
    ///
    /// If a named axis has different sizes on the two sides.
    #[doc(hidden)]
    fn compare(self, other: R) -> Result<(), ShapeError>;
}

impl<S, R, const I: isize, M> AlongAxis<I, R> for S
where
    S: HasAxis<I>,
    R: HasAxis<I>,
    <S as HasAxis<I>>::WithoutAxis: OtherAxes<<R as HasAxis<I>>::WithoutAxis, I, Matched = M>,
{
    type Indexed = After<M, R>;
    type Changed = After<M, S>;
    const INDEX: usize = <S as HasAxis<I>>::INDEX;

    fn indexed(self, other: R) -> R {
        other
    }

    fn changed(self) -> S {
        self
    }

    fn compare(self, other: R) -> Result<(), ShapeError> {
        let fits = HasAxis::<I>::remove(self).same(HasAxis::<I>::remove(other));
        fits.map_err(|error| match error {
            // Axes are counted without axis `I`.
            ShapeError::Sizes { left, right, axis, name } if axis >= <S as HasAxis<I>>::INDEX => {
                ShapeError::Sizes { left, right, axis: axis + 1, name }
            }
            error => error,
        })
    }
}

/// The other axes of a tensor indexed along axis `I`, which must equal those of the indices.
#[diagnostic::on_unimplemented(
    message = "along axis {I}, indices choose where all other axes are equal: `{Self}` is not `{Other}`",
    label = "without axis {I}, the tensor is `{Self}` and the other one `{Other}`",
    note = "indices along an axis have one list for each position on the other axes; `x.take::<{I}, _>(&indices)` takes the same indices everywhere; two type parameters are two shapes: use one for both [T232]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait OtherAxes<Other, const I: isize> {
    /// A type that the compiler knows only if they are equal: [`After`] uses it.
    #[doc(hidden)]
    type Matched;

    /// Compares the run-time sizes.
    ///
    /// # Errors
    ///
    /// If a named axis has different sizes on the two sides; axes are counted without axis `I`.
    fn same(self, other: Other) -> Result<(), ShapeError>;
}

#[diagnostic::do_not_recommend]
impl<S: Shape, const I: isize> OtherAxes<S, I> for S {
    type Matched = S;

    fn same(self, other: S) -> Result<(), ShapeError> {
        self.broadcast(other).map(drop)
    }
}

#[diagnostic::do_not_recommend]
impl<S, const I: isize> OtherAxes<NoAxis, I> for S {
    type Matched = NoAxis;

    fn same(self, other: NoAxis) -> Result<(), ShapeError> {
        match other {}
    }
}

/// A shape with at least `K` elements along axis `I`: the bound of `topk`.
///
/// ```
/// use tensor_core::indexing::{ChooseAxis, Chosen};
/// use tensor_core::{Tensor, dim, tensor};
///
/// fn best<S: ChooseAxis<-1, dim!(2)>>(x: &Tensor<S>) -> Tensor<Chosen<S, -1, dim!(2)>> {
///     x.topk::<-1, dim!(2)>().0
/// }
///
/// assert_eq!(best(&tensor![1.0, 3.0, 2.0]), tensor![3.0, 2.0]);
/// ```
pub trait ChooseAxis<const I: isize, K>: ReplaceAxis<I, K> {
    /// [`WithAxis`], resolved if there are enough elements.
    #[doc(hidden)]
    type Chosen: Shape;

    /// The shape, as a value.
    #[doc(hidden)]
    fn chosen(shape: WithAxis<Self, I, K>) -> Self::Chosen;
}

index_left_out! { $N
    impl<L: Shape, A: Axis, K> ChooseAxis<$N, K> for (L, A) {
        type Chosen = ();

        fn chosen((): ()) {}
    }
}

impl<S, K, const I: isize, const N: usize> ChooseAxis<I, K> for S
where
    S: ReplaceAxis<I, K>,
    S: HasAxis<I, FromTheEnd = FromEnd<N>>,
    (AxisOf<S, I>,): SizeInTypes<AxisOf<S, I>, Size: AtLeast<K>>,
{
    type Chosen = After<<StaticSize<AxisOf<S, I>> as AtLeast<K>>::Matched, WithAxis<S, I, K>>;

    fn chosen(shape: WithAxis<S, I, K>) -> WithAxis<S, I, K> {
        shape
    }
}

/// A shape with at least one element along axis `I`: the bound of `diff`.
#[cfg_attr(doc, doc(hidden))]
pub trait DifferenceAxis<const I: isize>: Shape {
    /// The shape with the axis one shorter.
    type Output: Shape;

    /// The index of the axis, counted from 0 at the front.
    const INDEX: usize;

    /// The shape with the axis one shorter, as a value.
    ///
    /// # Errors
    ///
    /// As [`ReplaceAxis::replace_axis`].
    fn differences(self) -> Result<<Self as DifferenceAxis<I>>::Output, ShapeError>;
}

impl<S, const I: isize> DifferenceAxis<I> for S
where
    S: HasAxis<I>,
    (AxisOf<S, I>,): SizeInTypes<AxisOf<S, I>, Size: SubSizes<One>>,
    S: ReplaceAxis<I, SizeDifference<StaticSize<AxisOf<S, I>>, One>>,
{
    type Output = WithAxis<S, I, SizeDifference<StaticSize<AxisOf<S, I>>, One>>;
    const INDEX: usize = <S as HasAxis<I>>::INDEX;

    fn differences(self) -> Result<<Self as DifferenceAxis<I>>::Output, ShapeError> {
        self.replace_axis(StaticAxis::VALUE)
    }
}

/// A shape whose rank is the size of an axis: each index of an element consists of that many numbers.
#[cfg_attr(doc, doc(hidden))]
pub trait RankAxis: Shape {
    /// The number of axes, as a static size.
    type Rank: StaticAxis;
}

impl<S, R> RankAxis for S
where
    S: Shape + Ranked<Rank = R>,
    R: NumberOfAxes,
{
    type Rank = R::Axis;
}

/// A rank as an axis.
#[cfg_attr(doc, doc(hidden))]
pub trait NumberOfAxes {
    /// The axis of this size.
    type Axis: StaticAxis;
}

/// Generates [`NumberOfAxes`]; an index of a tensor of rank 0 consists of no numbers.
macro_rules! numbers_of_axes {
    ($($rank:literal)*) => {$(
        impl NumberOfAxes for Axes<$rank> {
            type Axis = Dim<$rank>;
        }
    )*};
}

numbers_of_axes! {
    0 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
}

impl NumberOfAxes for Axes<1> {
    type Axis = One;
}

/// A shape of indices along axis `I` of a tensor of shape `S`: `S: AlongAxis<I, Self>`, which is the
/// bound to write in generic code.
#[cfg_attr(doc, doc(hidden))]
pub trait IndicesAlong<S, const I: isize>: Shape {
    /// [`Indexed`].
    type Indexed: Shape;
    /// [`Changed`].
    type Changed: Shape;

    /// The index of the axis, counted from 0 at the front.
    const INDEX: usize;

    /// The shape of the elements that the indices choose, and that of the tensor.
    ///
    /// # Errors
    ///
    /// If a named axis has different sizes on the two sides.
    fn along(self, x: S) -> Result<(Self::Indexed, Self::Changed), ShapeError>;
}

impl<S, R, const I: isize, O: Shape, C: Shape> IndicesAlong<S, I> for R
where
    S: AlongAxis<I, R, Indexed = O, Changed = C>,
    R: Shape,
{
    type Indexed = O;
    type Changed = C;
    const INDEX: usize = <S as AlongAxis<I, R>>::INDEX;

    fn along(self, x: S) -> Result<(O, C), ShapeError> {
        x.compare(self)?;
        Ok((x.indexed(self), x.changed()))
    }
}
