//! Bounds of operations, on the shapes of all their operands.
//!
//! Each trait has one blanket impl. Where shapes do not match, rustc descends to [`Broadcast`],
//! [`ExpandTo`] and [`AssignTo`] and lists no impl of these traits: the message names the axis.

use super::{After, AssignTo, AxisMismatch, BroadcastOf, Broadcasted, ExpandTo};
use crate::shape::error::ShapeError;
use crate::shape::{Shape, StaticShape};

/// An element-wise operation on three operands: `[..a], [..b], [..c] → [..((a ⊕ b) ⊕ c)]`.
#[diagnostic::on_unimplemented(
    message = "cannot broadcast shapes `{A}`, `{B}` and `{Self}`",
    note = "in generic code, add the bounds `{A}: Broadcast<{B}>` and `Broadcasted<{A}, {B}>: Broadcast<{Self}>` [T103]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait ElementWise3<A, B>: Shape {
    /// The shape of the result.
    type Output: Shape;

    /// The shape of the result, as a value.
    ///
    /// # Errors
    ///
    /// If a named axis has different sizes on the two sides, or two sizes in the result.
    #[doc(hidden)]
    fn result_shape(
        a: A,
        b: B,
        c: Self,
    ) -> Result<<Self as ElementWise3<A, B>>::Output, ShapeError>;
}

impl<A, B, C: Shape> ElementWise3<A, B> for C
where
    A: BroadcastOf<A, B>,
    Broadcasted<A, B>: BroadcastOf<Broadcasted<A, B>, C>,
{
    type Output = Broadcasted<Broadcasted<A, B>, C>;

    fn result_shape(a: A, b: B, c: C) -> Result<Broadcasted<Broadcasted<A, B>, C>, ShapeError> {
        let both =
            A::broadcast_shape(a, b).and_then(|ab| Broadcasted::<A, B>::broadcast_shape(ab, c));
        let rank = <Broadcasted<Broadcasted<A, B>, C> as Shape>::RANK;
        both.map_err(|mismatch| mismatch.in_rank(rank))?.with_one_size_each()
    }
}

/// An element-wise operation on four operands.
#[diagnostic::on_unimplemented(
    message = "cannot broadcast shapes `{A}`, `{B}`, `{C}` and `{Self}`",
    note = "in generic code, add a bound such as `{A}: Broadcast<{B}>` for each step from left to right [T103]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait ElementWise4<A, B, C>: Shape {
    /// The shape of the result.
    type Output: Shape;

    /// The shape of the result, as a value.
    ///
    /// # Errors
    ///
    /// If a named axis has different sizes on the two sides, or two sizes in the result.
    #[doc(hidden)]
    fn result_shape(
        a: A,
        b: B,
        c: C,
        d: Self,
    ) -> Result<<Self as ElementWise4<A, B, C>>::Output, ShapeError>;
}

impl<A, B, C, D: Shape> ElementWise4<A, B, C> for D
where
    A: BroadcastOf<A, B>,
    Broadcasted<A, B>: BroadcastOf<Broadcasted<A, B>, C>,
    Broadcasted<Broadcasted<A, B>, C>: BroadcastOf<Broadcasted<Broadcasted<A, B>, C>, D>,
{
    type Output = Broadcasted<Broadcasted<Broadcasted<A, B>, C>, D>;

    fn result_shape(
        a: A,
        b: B,
        c: C,
        d: D,
    ) -> Result<<D as ElementWise4<A, B, C>>::Output, ShapeError> {
        let abc =
            A::broadcast_shape(a, b).and_then(|ab| Broadcasted::<A, B>::broadcast_shape(ab, c));
        let all = abc.and_then(|abc| Broadcasted::<Broadcasted<A, B>, C>::broadcast_shape(abc, d));
        let rank = <<D as ElementWise4<A, B, C>>::Output as Shape>::RANK;
        all.map_err(|mismatch| mismatch.in_rank(rank))?.with_one_size_each()
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
    /// `Target`, which may be inferred from the result, as in `let y: Tensor<shape![2, 3]> = x.expand()`.
    type Output: Shape;

    /// The target, as a value.
    #[doc(hidden)]
    fn expanded() -> Self::Output;
}

impl<S, Target: StaticShape> Expand<Target> for S
where
    S: ExpandTo<After<<Target as Shape>::Checked, Target>>,
{
    type Output = Target;

    fn expanded() -> Target {
        Target::VALUE
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
    S: ExpandTo<After<<Target as Shape>::Checked, Target>>,
{
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
    /// Compares the run-time sizes.
    ///
    /// # Errors
    ///
    /// If a named axis has different sizes on the two sides.
    #[doc(hidden)]
    fn fits(self, target: Target) -> Result<(), AxisMismatch>;
}

impl<S: AssignTo<Target>, Target> InPlace<Target> for S {
    fn fits(self, target: Target) -> Result<(), AxisMismatch> {
        self.expand_shape(target)
    }
}
