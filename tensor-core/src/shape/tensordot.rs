//! The shape of `tensordot`: the axes of both sides without those that are summed over.

use crate::shape::axis::{Axis, NoAxis};
use crate::shape::axis_index::{AxisIndex, AxisOf, HasAxis};
use crate::shape::axis_list::{AxisNode, HasAxes, WithoutAxes};
use crate::shape::error::ShapeError;
use crate::shape::reshape::Append;
use crate::shape::{Shape, Sizes};

/// The shape of `l.tensordot::<P, Q, _>(r)`: `[..l without p, ..r without q]`.
pub type TensordotOutput<L, P, R, Q> = <L as Tensordot<P, R, Q>>::Product;

/// A shape whose axes `P` are summed over together with the axes `Q` of the shape `R`.
///
/// ```
/// use tensor_core::{Shape, Tensor, axes, tensor};
/// use tensor_core::bounds::{Tensordot, TensordotOutput};
///
/// type Last = axes![-1];
/// type First = axes![0];
///
/// fn product<L: Tensordot<Last, R, First>, R: Shape>(
///     l: &Tensor<L>,
///     r: &Tensor<R>,
/// ) -> Tensor<TensordotOutput<L, Last, R, First>> {
///     l.tensordot::<Last, First, R>(r)
/// }
///
/// assert_eq!(product(&tensor![[1.0, 2.0]], &tensor![[1.0], [10.0]]), tensor![[21.0]]);
/// ```
pub trait Tensordot<P, R, Q>: HasAxes<P> {
    /// The shape of the result.
    type Product: Shape;

    /// The shape of the result, as a value.
    ///
    /// # Errors
    ///
    /// If a named axis has different sizes on the two sides, or two sizes in the result.
    #[doc(hidden)]
    fn tensordot_shape(self, right: R) -> Result<Self::Product, ShapeError>;

    /// The axes of both sides, counted from 0 at the front; the last of each list first.
    #[doc(hidden)]
    fn axes() -> [Sizes; 2];
}

impl<S, P, R, Q> Tensordot<P, R, Q> for S
where
    S: Shape + HasAxes<P>,
    R: Shape + HasAxes<Q>,
    P: ContractedPairs<Q, S, R>,
    WithoutAxes<S, P>: Append<WithoutAxes<R, Q>, Output: Shape>,
{
    type Product = <WithoutAxes<S, P> as Append<WithoutAxes<R, Q>>>::Output;

    fn tensordot_shape(self, right: R) -> Result<Self::Product, ShapeError> {
        P::check(self, right)?;
        self.remove_axes().append(right.remove_axes()).with_one_size_each()
    }

    fn axes() -> [Sizes; 2] {
        [
            AxisNode::indices(<S as HasAxes<P>>::AXES).collect(),
            AxisNode::indices(<R as HasAxes<Q>>::AXES).collect(),
        ]
    }
}

/// A list of axes of `L` that match the axes `Q` of `R`, in order.
#[diagnostic::on_unimplemented(
    message = "`tensordot` takes two lists of axis indices, and `{Self}` or `{Q}` is none",
    label = "write the indices of the axes: `axes![-1]`",
    note = "write `l.tensordot::<axes![0, 1], axes![2, 0], _>(&r)`: axis 0 of the left side with axis 2 of the right side, 1 with 0 [T209]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait ContractedPairs<Q, L, R> {
    /// # Errors
    ///
    /// If a named axis has different sizes on the two sides.
    fn check(left: L, right: R) -> Result<(), ShapeError>;
}

#[diagnostic::do_not_recommend]
impl<L, R> ContractedPairs<(), L, R> for () {
    fn check(_: L, _: R) -> Result<(), ShapeError> {
        Ok(())
    }
}

impl<P, Q, L, R, const I: isize, const J: isize> ContractedPairs<(Q, AxisIndex<J>), L, R>
    for (P, AxisIndex<I>)
where
    L: HasAxis<I>,
    R: HasAxis<J>,
    (AxisOf<L, I>,): ContractsWith<I, J, AxisOf<L, I>, AxisOf<R, J>>,
    P: ContractedPairs<Q, L, R>,
{
    fn check(left: L, right: R) -> Result<(), ShapeError> {
        P::check(left, right)?;
        let (size, other) = (left.axis().size(), right.axis().size());
        if size != other {
            let axes = [<L as HasAxis<I>>::INDEX, <R as HasAxis<J>>::INDEX];
            return Err(ShapeError::ContractedAxes { axes, sizes: [size, other] });
        }
        Ok(())
    }
}

/// Rejects the axes of a list that is longer than the other.
#[diagnostic::on_unimplemented(
    message = "`tensordot` sums over pairs of axes, and these lists have different lengths",
    label = "one axis on each side",
    note = "write `l.tensordot::<axes![0, 1], axes![2, 0], _>(&r)`: axis 0 of the left side with axis 2 of the right side, 1 with 0 [T306]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait Unpaired {}

impl<P, X, L, R> ContractedPairs<(), L, R> for (P, X)
where
    (P, X): Unpaired,
{
    fn check(_: L, _: R) -> Result<(), ShapeError> {
        unreachable!("nothing is unpaired")
    }
}

impl<Q, X, L, R> ContractedPairs<(Q, X), L, R> for ()
where
    (Q, X): Unpaired,
{
    fn check(_: L, _: R) -> Result<(), ShapeError> {
        unreachable!("nothing is unpaired")
    }
}

/// An axis that is summed over together with an axis of the other side. `Self` is a one-element tuple,
/// because for a type that the user declared rustc would also show its declaration.
#[diagnostic::on_unimplemented(
    message = "`tensordot` sums over axis {I} of the left side, `{A}`, with axis {J} of the right side, `{B}`",
    label = "`{A}` and `{B}` differ",
    note = "the axes of each pair have the same size [T301]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait ContractsWith<const I: isize, const J: isize, A, B> {}

#[diagnostic::do_not_recommend]
impl<const I: isize, const J: isize, A: Axis> ContractsWith<I, J, A, A> for (A,) {}

/// A second impl, so that rustc does not assume the first one.
#[diagnostic::do_not_recommend]
impl<const I: isize, const J: isize, A> ContractsWith<I, J, A, NoAxis> for (A,) {}
