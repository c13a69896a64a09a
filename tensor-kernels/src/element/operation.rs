//! The operations of the [table](crate::ops) on one element.

use super::{Bits, CastTo, Element, Float, Integer, Isa, Number, Signed};
use crate::ops::gradient_binary;
use crate::ops::{
    self, BinaryKernel, BitsBinary, BitsUnary, ElementBinary, FloatBinary, FloatUnary,
    GradientBinary, IntegerBinary, NumberBinary, NumberUnary, SignedUnary, UnaryKernel,
};
use crate::ops::{
    bits_binary, bits_unary, element_binary, float_binary, float_unary, integer_binary,
    number_binary, number_unary, signed_unary,
};

/// The cost of one element of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementCost {
    /// A few instructions, in vectors.
    Cheap,
    /// Tens of instructions, in vectors.
    Costly,
    /// Code that the compiler does not vectorise: a call, or a division of integers.
    Scalar,
}

macro_rules! cost {
    (cheap) => {
        ElementCost::Cheap
    };
    (costly) => {
        ElementCost::Costly
    };
    (scalar) => {
        ElementCost::Scalar
    };
}

/// An operation on one element of type `T`.
///
/// # Safety
///
/// The kernel takes elements of type `T`, without parameters, and returns elements of type `Output`.
pub unsafe trait UnaryOp<T: Element>: 'static {
    /// The type of the result.
    type Output: Element;

    /// The cost of one element.
    const COST: ElementCost;

    /// The kernel that runs it.
    const KERNEL: &'static UnaryKernel;

    /// The result for one element.
    fn apply(isa: Isa, x: T) -> Self::Output;
}

/// An operation on two elements of type `T`.
///
/// # Safety
///
/// As [`UnaryOp`], of two operands.
#[cfg_attr(doc, doc(hidden))]
pub unsafe trait BinaryOp<T: Element>: 'static {
    /// The type of the result.
    type Output: Element;

    /// The cost of one element.
    const COST: ElementCost;

    /// The element type, if it is an integer type that the operation divides by: division by 0 panics.
    const DIVIDES: Option<&'static str>;

    /// The kernel that runs it.
    const KERNEL: &'static BinaryKernel;

    /// The result for two elements.
    fn apply(isa: Isa, x: T, y: T) -> Self::Output;
}

/// The result type of a row.
macro_rules! output {
    (T) => {
        T
    };
    ($Other:ident) => {
        $Other
    };
}

/// Implements the operations of a group for all element types that support them.
macro_rules! implement {
    ([$Op_trait:ident: $Bound:ident $Kernels:ident $Kernel:ident] $(topic $topic:literal {$(
        $(#[$meta:meta])* $kind:ident $name:ident: $Op:ident -> $Out:tt {
            $cost:ident $bits:ident $numpy:literal $pytorch:literal $stablehlo:tt
            |$isa:ident $(, $x:ident)+| $body:expr
        }
    )+})+) => {$($(
        // SAFETY: the kernel of the row is made of the row's function, for elements of type `T`.
        unsafe impl<T: $Bound> $Op_trait<T> for ops::$Op {
            type Output = output!($Out);

            const COST: ElementCost = cost!($cost);
            implement!(@$Op_trait $bits T);
            const KERNEL: &'static $Kernel = <T as $Kernels>::$Op;

            #[inline(always)]
            fn apply($isa: Isa $(, $x: T)+) -> Self::Output {
                $body
            }
        }
    )+)+};
    (@BinaryOp divides $T:ident) => {
        const DIVIDES: Option<&'static str> = $T::INTEGER;
    };
    (@BinaryOp $bits:ident $T:ident) => {
        const DIVIDES: Option<&'static str> = None;
    };
    (@UnaryOp $bits:ident $T:ident) => {};
}

number_unary!(implement! [UnaryOp: Number NumberUnary UnaryKernel]);
signed_unary!(implement! [UnaryOp: Signed SignedUnary UnaryKernel]);
bits_unary!(implement! [UnaryOp: Bits BitsUnary UnaryKernel]);
float_unary!(implement! [UnaryOp: Float FloatUnary UnaryKernel]);
element_binary!(implement! [BinaryOp: Element ElementBinary BinaryKernel]);
number_binary!(implement! [BinaryOp: Number NumberBinary BinaryKernel]);
bits_binary!(implement! [BinaryOp: Bits BitsBinary BinaryKernel]);
integer_binary!(implement! [BinaryOp: Integer IntegerBinary BinaryKernel]);
float_binary!(implement! [BinaryOp: Float FloatBinary BinaryKernel]);
gradient_binary!(implement! [BinaryOp: Float GradientBinary BinaryKernel]);

/// The element, clamped to at least `low` and at most `high`.
#[inline(always)]
pub(crate) fn clamp<T: Number>(x: T, low: T, high: T) -> T {
    x.maximum(low).minimum(high)
}

/// `then` if the mask is true, else `otherwise`.
#[inline(always)]
pub(crate) fn select<T>(mask: bool, then: T, otherwise: T) -> T {
    if mask { then } else { otherwise }
}

/// The element, converted to another type.
#[inline(always)]
pub(crate) fn cast<T: CastTo<U>, U: Element>(x: T) -> U {
    x.to_element()
}
