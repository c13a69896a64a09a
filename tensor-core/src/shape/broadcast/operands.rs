//! Bounds of operations on the shapes of all their operands.
//!
//! Each trait has one blanket impl. Where shapes do not match, rustc descends to [`Broadcast`],
//! [`ExpandTo`] and [`AssignTo`] and lists no impl of these traits: the message names the axis.

use super::{After, AssignTo, AxisMismatch, Broadcast, Broadcasted, ExpandTo};
use crate::shape::Shape;
use crate::shape::error::ShapeError;

/// An element-wise operation on two operands: `[..l], [..r] → [..(l ⊕ r)]`.
///
/// In generic code, the bound to write is [`L: Broadcast<R>`](Broadcast).
#[diagnostic::on_unimplemented(
    message = "cannot broadcast shape `{Self}` with shape `{R}`",
    note = "in generic code, add the bound `{Self}: Broadcast<{R}>`, with `Output = S` in it where the result has shape `S`; where an axis was lost on the way, keep it, as `mean_axis_keepdims` does [T103]"
)]
#[cfg_attr(doc, doc(hidden))]
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
    /// If a named axis has different sizes on the two sides, or two sizes in the result.
    #[doc(hidden)]
    fn result_shape(self, right: R) -> Result<Self::Output, ShapeError>;
}

impl<L: Broadcast<R, Output = O>, R, O: Shape> ElementWise<R> for L {
    type Output = O;
    const BOTH_STRETCH: bool = L::LEFT_STRETCHES && L::RIGHT_STRETCHES;

    fn result_shape(self, right: R) -> Result<O, ShapeError> {
        let shape = self.broadcast_shape(right);
        shape.map_err(|mismatch| mismatch.in_rank(O::RANK))?.with_one_size_each()
    }
}

/// The right side of an element-wise operation: `L: ElementWise<Self>`.
///
/// Methods bound the right side, whose type is inferred last: a bound on the left side would be
/// reported as not met while the right side is unknown.
#[diagnostic::on_unimplemented(
    message = "cannot broadcast shape `{L}` with shape `{Self}`",
    note = "in generic code, add the bound `{L}: Broadcast<{Self}>`, with `Output = S` in it where the result has shape `S`; where an axis was lost on the way, keep it, as `mean_axis_keepdims` does [T103]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait ElementWiseRhs<L>: Shape {
    /// The shape of the result.
    type Output: Shape;

    /// Whether both sides have axes that stretch or are missing.
    #[doc(hidden)]
    const BOTH_STRETCH: bool;

    /// The shape of the result, as a value.
    ///
    /// # Errors
    ///
    /// If a named axis has different sizes on the two sides, or two sizes in the result.
    #[doc(hidden)]
    fn result_shape(
        left: L,
        right: Self,
    ) -> Result<<Self as ElementWiseRhs<L>>::Output, ShapeError>;
}

impl<L: ElementWise<R, Output = O>, R: Shape, O: Shape> ElementWiseRhs<L> for R {
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
#[cfg_attr(doc, doc(hidden))]
pub trait ElementWise3<B, C> {
    /// The shape of the result.
    type Output: Shape;

    /// The shape of the result, as a value.
    ///
    /// # Errors
    ///
    /// If a named axis has different sizes on the two sides, or two sizes in the result.
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
        both.map_err(|mismatch| mismatch.in_rank(O::RANK))?.with_one_size_each()
    }
}

/// An element-wise operation on four operands.
#[diagnostic::on_unimplemented(
    message = "cannot broadcast shapes `{Self}`, `{B}`, `{C}` and `{D}`",
    note = "in generic code, add a bound such as `{Self}: Broadcast<{B}>` for each step from left to right [T103]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait ElementWise4<B, C, D> {
    /// The shape of the result.
    type Output: Shape;

    /// The shape of the result, as a value.
    ///
    /// # Errors
    ///
    /// If a named axis has different sizes on the two sides, or two sizes in the result.
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
        all.map_err(|mismatch| mismatch.in_rank(O::RANK))?.with_one_size_each()
    }
}

/// A shape that broadcasts to `Target`.
///
/// In generic code, the bound to write is [`S: ExpandTo<Target>`](ExpandTo).
#[diagnostic::on_unimplemented(
    message = "cannot expand shape `{Self}` to shape `{Target}`",
    note = "in generic code, add the bound `{Self}: ExpandTo<{Target}>` [T105]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait Expand<Target> {
    /// `Target`.
    type Output: Shape;

    /// The shape of the result, as a value: the target.
    #[doc(hidden)]
    fn expanded(target: Target) -> Self::Output;
}

impl<S, Target: Shape, X> Expand<Target> for S
where
    S: ExpandTo<After<Target::Checked, Target>, Stretched = X>,
{
    // Of a type that is no shape, and of a shape that does not stretch, the result is none.
    type Output = After<X, Target>;

    fn expanded(target: Target) -> Self::Output {
        target
    }
}

/// `Target`, if `S` broadcasts to it.
pub type Expanded<S, Target> = <S as Expand<Target>>::Output;

/// A shape that `S` broadcasts to: `S: ExpandTo<Self>`, which is the bound to write in generic code.
#[diagnostic::on_unimplemented(
    message = "cannot expand shape `{S}` to shape `{Self}`",
    note = "in generic code, add the bound `{S}: ExpandTo<{Self}>` [T105]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait ExpandedFrom<S>: Shape {
    /// Named by methods beside this bound: see [`bounds`](crate::bounds).
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

impl<S, Target: Shape> ExpandedFrom<S> for Target
where
    S: ExpandTo<After<Target::Checked, Target>>,
{
    type Checked = Self;

    fn holds(self, shape: S) -> Result<(), AxisMismatch> {
        shape.expand_shape(self)
    }
}

/// The shape of an operand of an in-place operation on a tensor of shape `Target`.
///
/// In generic code, the bound to write is [`S: AssignTo<Target>`](AssignTo).
#[diagnostic::on_unimplemented(
    message = "an in-place result cannot grow: shape `{Target}` does not hold shape `{Self}`",
    note = "in generic code, add the bound `{Self}: AssignTo<{Target}>` [T104]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait InPlace<Target> {
    /// `Target`.
    type InPlaceTarget;

    /// Compares the run-time sizes.
    ///
    /// # Errors
    ///
    /// If a named axis has different sizes on the two sides.
    #[doc(hidden)]
    fn fits(self, target: Target) -> Result<(), AxisMismatch>;
}

impl<S: AssignTo<Target>, Target> InPlace<Target> for S {
    type InPlaceTarget = Target;

    fn fits(self, target: Target) -> Result<(), AxisMismatch> {
        self.expand_shape(target)
    }
}

/// `Target`, if an operand of shape `S` broadcasts to it in place.
pub type InPlaceTarget<S, Target> = <S as InPlace<Target>>::InPlaceTarget;
