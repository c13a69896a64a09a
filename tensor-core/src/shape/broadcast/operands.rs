//! What operations ask of the shapes of all their operands.
//!
//! Each of these traits has one impl, for every type that may have it. Where the shapes do not
//! match, the compiler looks for the reason in [`Broadcast`], [`ExpandTo`] and [`AssignTo`], and has
//! no impl to list here: the message is about the axis at fault.

use super::{AssignTo, AxisMismatch, Broadcast, Broadcasted, ExpandTo};
use crate::shape::Shape;
use crate::shape::error::ShapeError;

/// An element-wise operation on two operands: `[..l], [..r] → [..(l ⊕ r)]`.
///
/// In generic code, the bound to write is [`L: Broadcast<R>`](Broadcast).
#[diagnostic::on_unimplemented(
    message = "cannot broadcast shape `{Self}` with shape `{R}`",
    note = "in generic code, add the bound `{Self}: Broadcast<{R}>`, or keep the axis that was lost on the way, as `mean_axis_keepdims` does [T103]"
)]
pub trait ElementWise<R> {
    /// The shape of the result.
    type Output: Shape;

    /// Whether both sides have axes that stretch or are missing.
    #[doc(hidden)]
    const BOTH_STRETCH: bool;

    /// The shape of the result, as a value.
    ///
    /// # Errors
    ///
    /// If a named axis has different sizes on the two sides.
    #[doc(hidden)]
    fn result_shape(self, right: R) -> Result<Self::Output, ShapeError>;
}

impl<L: Broadcast<R, Output = O>, R, O: Shape> ElementWise<R> for L {
    type Output = O;
    const BOTH_STRETCH: bool = L::LEFT_STRETCHES && L::RIGHT_STRETCHES;

    fn result_shape(self, right: R) -> Result<O, ShapeError> {
        self.broadcast_shape(right).map_err(|mismatch| mismatch.in_rank(O::RANK))
    }
}

/// The right side of an element-wise operation: `L: ElementWise<Self>`.
///
/// Methods ask the right side, whose type the compiler learns last: while it does not know it, it
/// would take a bound on the left side for one that is not met.
#[diagnostic::on_unimplemented(
    message = "cannot broadcast shape `{L}` with shape `{Self}`",
    note = "in generic code, add the bound `{L}: Broadcast<{Self}>` [T103]"
)]
pub trait ElementWiseOf<L>: Shape {
    /// The shape of the result.
    type Output: Shape;

    /// Whether both sides have axes that stretch or are missing.
    #[doc(hidden)]
    const BOTH_STRETCH: bool;

    /// The shape of the result, as a value.
    ///
    /// # Errors
    ///
    /// If a named axis has different sizes on the two sides.
    #[doc(hidden)]
    fn result_shape(left: L, right: Self)
    -> Result<<Self as ElementWiseOf<L>>::Output, ShapeError>;
}

impl<L: ElementWise<R, Output = O>, R: Shape, O: Shape> ElementWiseOf<L> for R {
    type Output = O;
    const BOTH_STRETCH: bool = L::BOTH_STRETCH;

    fn result_shape(left: L, right: R) -> Result<O, ShapeError> {
        left.result_shape(right)
    }
}

/// An element-wise operation on three operands: `[..a], [..b], [..c] → [..((a ⊕ b) ⊕ c)]`.
#[diagnostic::on_unimplemented(
    message = "cannot broadcast shapes `{Self}`, `{B}` and `{C}`",
    note = "in generic code, add the bounds `{Self}: Broadcast<{B}>` and `Broadcasted<{Self}, {B}>: Broadcast<{C}>` [T103]"
)]
pub trait ElementWise3<B, C> {
    /// The shape of the result.
    type Output: Shape;

    /// The shape of the result, as a value.
    ///
    /// # Errors
    ///
    /// If a named axis has different sizes on the two sides.
    #[doc(hidden)]
    fn result_shape(self, b: B, c: C) -> Result<Self::Output, ShapeError>;
}

impl<A, B, C, O: Shape> ElementWise3<B, C> for A
where
    A: Broadcast<B>,
    Broadcasted<A, B>: Broadcast<C, Output = O>,
{
    type Output = O;

    fn result_shape(self, b: B, c: C) -> Result<O, ShapeError> {
        let both = self.broadcast_shape(b).and_then(|ab| ab.broadcast_shape(c));
        both.map_err(|mismatch| mismatch.in_rank(O::RANK))
    }
}

/// An element-wise operation on four operands.
#[diagnostic::on_unimplemented(
    message = "cannot broadcast shapes `{Self}`, `{B}`, `{C}` and `{D}`",
    note = "in generic code, add a bound such as `{Self}: Broadcast<{B}>` for each step from left to right [T103]"
)]
pub trait ElementWise4<B, C, D> {
    /// The shape of the result.
    type Output: Shape;

    /// The shape of the result, as a value.
    ///
    /// # Errors
    ///
    /// If a named axis has different sizes on the two sides.
    #[doc(hidden)]
    fn result_shape(self, b: B, c: C, d: D) -> Result<Self::Output, ShapeError>;
}

impl<A, B, C, D, O: Shape> ElementWise4<B, C, D> for A
where
    A: Broadcast<B>,
    Broadcasted<A, B>: Broadcast<C>,
    Broadcasted<Broadcasted<A, B>, C>: Broadcast<D, Output = O>,
{
    type Output = O;

    fn result_shape(self, b: B, c: C, d: D) -> Result<O, ShapeError> {
        let abc = self.broadcast_shape(b).and_then(|ab| ab.broadcast_shape(c));
        let all = abc.and_then(|abc| abc.broadcast_shape(d));
        all.map_err(|mismatch| mismatch.in_rank(O::RANK))
    }
}

/// A view of shape `Target`, to which `Self` stretches.
///
/// In generic code, the bound to write is [`S: ExpandTo<Target>`](ExpandTo).
#[diagnostic::on_unimplemented(
    message = "cannot expand shape `{Self}` to shape `{Target}`",
    note = "in generic code, add the bound `{Self}: ExpandTo<{Target}>` [T105]"
)]
pub trait Expand<Target> {
    /// `Target`.
    type Output: Shape;
}

impl<S: ExpandTo<Target>, Target: Shape> Expand<Target> for S {
    type Output = Target;
}

/// `Target`, where `S` stretches to it.
pub type Expanded<S, Target> = <S as Expand<Target>>::Output;

/// A shape to which a shape `S` stretches: `S: ExpandTo<Self>`, which is the bound to write in generic
/// code.
#[diagnostic::on_unimplemented(
    message = "cannot expand shape `{S}` to shape `{Self}`",
    note = "in generic code, add the bound `{S}: ExpandTo<{Self}>` [T105]"
)]
pub trait ExpandedFrom<S>: Shape {
    /// What methods name beside this bound: see [`bounds`](crate::bounds).
    #[doc(hidden)]
    type Checked;

    /// Compares the run-time sizes.
    ///
    /// # Errors
    ///
    /// If a named axis has different sizes on the two sides.
    #[doc(hidden)]
    fn holds(self, shape: S) -> Result<(), AxisMismatch>;
}

impl<S: ExpandTo<Target>, Target: Shape> ExpandedFrom<S> for Target {
    type Checked = Self;

    fn holds(self, shape: S) -> Result<(), AxisMismatch> {
        shape.expand_shape(self)
    }
}

/// An operation that changes a tensor of shape `Target`, with an operand of this shape.
///
/// In generic code, the bound to write is [`S: AssignTo<Target>`](AssignTo).
#[diagnostic::on_unimplemented(
    message = "an in-place result cannot grow: shape `{Target}` does not hold shape `{Self}`",
    note = "in generic code, add the bound `{Self}: AssignTo<{Target}>` [T104]"
)]
pub trait InPlace<Target> {
    /// `Target`.
    type Changed;

    /// Compares the run-time sizes.
    ///
    /// # Errors
    ///
    /// If a named axis has different sizes on the two sides.
    #[doc(hidden)]
    fn fits(self, target: Target) -> Result<(), AxisMismatch>;
}

impl<S: AssignTo<Target>, Target> InPlace<Target> for S {
    type Changed = Target;

    fn fits(self, target: Target) -> Result<(), AxisMismatch> {
        self.expand_shape(target)
    }
}

/// `Target`, where an operand of shape `S` can change a tensor of that shape.
pub type Changed<S, Target> = <S as InPlace<Target>>::Changed;
