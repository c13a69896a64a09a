//! `+ - * / %`, `& | ^ << >>`, `-` and `!`, and their in-place forms.
//!
//! Every operator takes tensors and scalars, owned and borrowed, on either side. If an owned operand has
//! the shape of the result, the result reuses its memory.

#![allow(unsafe_code, reason = "kernels take pointers")]

use core::ops::{
    Add, AddAssign, BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Div, DivAssign,
    Mul, MulAssign, Neg, Not, Rem, RemAssign, Shl, ShlAssign, Shr, ShrAssign, Sub, SubAssign,
};

use tensor_kernels::element::{Bits, Element, Integer, Number, Signed};
use tensor_kernels::kernel::function;
use tensor_kernels::ops;
use tensor_kernels::ops::elements::for_each_element;
#[cfg(feature = "half")]
use tensor_kernels::ops::elements::types::*;

use super::dispatch::{assign, map_assign, unary};
use super::operator_rhs::{OperatorRhs, ScalarLhs, ScalarWith};
use crate::shape::Shape;
use crate::shape::axis::NoAxis;
use crate::shape::broadcast::{AssignTo, BroadcastOf, Broadcasted};
use crate::tensor::Tensor;
use crate::tensor::operand::{Operand, SameElement};
use crate::tensor::recording::Recordable;

/// Impls of an operator for all element types, with uninhabited operands: the compiler finds the
/// operator, and then reports which bound the elements lack. Two of them, because the compiler would
/// suggest a single one as the intended one.
macro_rules! no_operand {
    ($Op:ident::$op:ident: $($Left:ty, $Right:ty;)*) => {$(
        #[cfg_attr(doc, doc(hidden))]
        #[diagnostic::do_not_recommend]
        impl<S: Shape, T: Element> $Op<$Right> for $Left {
            type Output = Tensor<S, T>;

            #[track_caller]
            fn $op(self, right: $Right) -> Tensor<S, T> {
                match *right {}
            }
        }
    )*};
}

/// An operator between tensors, and between a tensor and a scalar on its right.
macro_rules! operator {
    ($Op:ident::$op:ident, $OpAssign:ident::$op_assign:ident: $Bound:ident) => {
        #[doc = concat!(
            "`core::ops::", stringify!($Op), "`, element-wise, with a tensor, owned or borrowed, or a ",
            "scalar: `[..l], [..r] → [..(l ⊕ r)]`."
        )]
        ///
        /// # Panics
        ///
        /// If a named axis has different sizes on the two sides; `/` and `%` also if an integer is divided
        /// by zero.
        ///
        #[doc = concat!(
            "```\nuse tensor_core::tensor;\n\n",
            "let (x, y) = (tensor![[6, 5], [4, 3]], tensor![2, 1]);\n",
            "let result = core::ops::", stringify!($Op), "::", stringify!($op), "(&x, &y);\n",
            "assert_eq!(result[[1, 0]], core::ops::", stringify!($Op), "::", stringify!($op),
            "(4, 2));\n```",
        )]
        impl<L, T, X> $Op<X> for &Tensor<L, T>
        where
            L: Shape + BroadcastOf<L, X::Shape>,
            (T,): SameElement<T, X::Element, Same = T>,
            <(T,) as SameElement<T, X::Element>>::Same: $Bound,
            X: OperatorRhs,
        {
            type Output =
                Tensor<Broadcasted<L, X::Shape>, <(T,) as SameElement<T, X::Element>>::Same>;

            #[inline]
            #[track_caller]
            fn $op(self, right: X) -> Self::Output {
                right.after_view::<ops::$Op, L, T>(self.as_view())
            }
        }

        #[doc = concat!(
            "`core::ops::", stringify!($Op), "`, element-wise, with a tensor, owned or borrowed, or a ",
            "scalar: `[..l], [..r] → [..(l ⊕ r)]`."
        )]
        ///
        /// Reuses the memory of an owned operand that has the shape of the result.
        ///
        /// # Panics
        ///
        /// If a named axis has different sizes on the two sides; `/` and `%` also if an integer is divided
        /// by zero.
        impl<L, T, X> $Op<X> for Tensor<L, T>
        where
            L: Shape + BroadcastOf<L, X::Shape>,
            (T,): SameElement<T, X::Element, Same = T>,
            <(T,) as SameElement<T, X::Element>>::Same: $Bound,
            X: OperatorRhs,
        {
            type Output =
                Tensor<Broadcasted<L, X::Shape>, <(T,) as SameElement<T, X::Element>>::Same>;

            #[inline]
            #[track_caller]
            fn $op(self, right: X) -> Self::Output {
                right.after::<ops::$Op, L, T>(self)
            }
        }

        no_operand! {
            $Op::$op:
            &Tensor<S, T>, &NoAxis;
            &Tensor<S, T>, &mut NoAxis;
            Tensor<S, T>, &NoAxis;
            Tensor<S, T>, &mut NoAxis;
        }

        #[doc = concat!(
            "`core::ops::", stringify!($OpAssign), "`, in place, with a tensor that stretches to this one, or ",
            "a scalar: `[..s], [..r] → [..s]`."
        )]
        ///
        /// # Panics
        ///
        /// If a named axis has different sizes on the two sides; `/` and `%` also if an integer is divided
        /// by zero.
        ///
        #[doc = concat!(
            "```\nuse tensor_core::tensor;\n\n",
            "let mut x = tensor![[6, 5], [4, 3]];\n",
            "core::ops::", stringify!($OpAssign), "::", stringify!($op_assign),
            "(&mut x, &tensor![2, 1]);\n",
            "assert_eq!(x[[1, 0]], core::ops::", stringify!($Op), "::", stringify!($op),
            "(4, 2));\n```",
        )]
        impl<L, T, X> $OpAssign<X> for Tensor<L, T>
        where
            L: Shape,
            T: $Bound,
            X: Operand<T>,
            X::Shape: AssignTo<L>,
        {
            #[inline]
            #[track_caller]
            fn $op_assign(&mut self, right: X) {
                assign::<ops::$Op, L, X::Shape, T>(self, right.as_view());
            }
        }
    };
}

operator!(Add::add, AddAssign::add_assign: Number);
operator!(Sub::sub, SubAssign::sub_assign: Number);
operator!(Mul::mul, MulAssign::mul_assign: Number);
operator!(Div::div, DivAssign::div_assign: Number);
operator!(Rem::rem, RemAssign::rem_assign: Number);
operator!(BitAnd::bitand, BitAndAssign::bitand_assign: Bits);
operator!(BitOr::bitor, BitOrAssign::bitor_assign: Bits);
operator!(BitXor::bitxor, BitXorAssign::bitxor_assign: Bits);
operator!(Shl::shl, ShlAssign::shl_assign: Integer);
operator!(Shr::shr, ShrAssign::shr_assign: Integer);

/// An operator with a scalar on its left, for one element type. The documentation shows the impls of
/// `f32`, or `i64`, and leaves out those of the other types.
macro_rules! scalar_left {
    (#[$visibility:meta] <$($U:ident)?> $T:ident $Elements:ident $Op:ident::$op:ident) => {
        #[doc = concat!(
            "`core::ops::", stringify!($Op), "` with a scalar on the left, `[..s] → [..s]`; the same for ",
            "every other element type that has the operator."
        )]
        ///
        /// # Panics
        ///
        /// `/` and `%`: if an integer is divided by zero.
        #[$visibility]
        impl<S: Shape $(, $U: Element, O: Element)?> $Op<&Tensor<S, $Elements>> for $T
        $(where $T: ScalarWith<$U, O> + ScalarLhs<$U, Element = O>)?
        {
            type Output = Tensor<S, <$T as ScalarLhs<$Elements>>::Element>;

            #[inline]
            #[track_caller]
            fn $op(self, right: &Tensor<S, $Elements>) -> Self::Output {
                self.before_view::<ops::$Op, S>(right.as_view())
            }
        }

        #[cfg_attr(doc, doc(hidden))]
        impl<S: Shape $(, $U: Element, O: Element)?> $Op<Tensor<S, $Elements>> for $T
        $(where $T: ScalarWith<$U, O> + ScalarLhs<$U, Element = O>)?
        {
            type Output = Tensor<S, <$T as ScalarLhs<$Elements>>::Element>;

            #[inline]
            #[track_caller]
            fn $op(self, right: Tensor<S, $Elements>) -> Self::Output {
                self.before::<ops::$Op, S>(right)
            }
        }
    };
}

/// Generates the operators of each class of elements, with a scalar on their left.
///
/// `f64` and `i32` have an impl for elements of any type, which the compiler selects for a number that
/// fits no other impl, and then reports what does not match. One float and one integer type only: where
/// two impls fit, the compiler lists impls of the standard library.
macro_rules! scalars_left {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {
        $($(#[$cfg])* scalars_left!(@$class $T); )*
    };
    (@float $T:ident) => { scalars_left!(@arithmetic $T); };
    (@half $T:ident) => { scalars_left!(@arithmetic $T); };
    (@signed $T:ident) => {
        scalars_left!(@arithmetic $T);
        scalars_left!(@shifts $T);
        scalars_left!(@bits $T);
    };
    (@unsigned $T:ident) => { scalars_left!(@signed $T); };
    (@boolean $T:ident) => { scalars_left!(@bits $T); };
    (@arithmetic $T:ident) => {
        scalars_left!(f32 $T: Add::add, Sub::sub, Mul::mul, Div::div, Rem::rem);
    };
    (@shifts $T:ident) => { scalars_left!(i64 $T: Shl::shl, Shr::shr); };
    (@bits $T:ident) => {
        scalars_left!(i64 $T: BitAnd::bitand, BitOr::bitor, BitXor::bitxor);
    };
    ($shown:ident f64: $($Op:ident::$op:ident),+) => {
        $( scalar_left!(#[cfg_attr(doc, doc(hidden))] <U> f64 U $Op::$op); )+
    };
    ($shown:ident i32: $($Op:ident::$op:ident),+) => {
        $( scalar_left!(#[cfg_attr(doc, doc(hidden))] <U> i32 U $Op::$op); )+
    };
    (f32 f32: $($Op:ident::$op:ident),+) => {
        $( scalar_left!(#[cfg(all())] <> f32 f32 $Op::$op); )+
    };
    (i64 i64: $($Op:ident::$op:ident),+) => {
        $( scalar_left!(#[cfg(all())] <> i64 i64 $Op::$op); )+
    };
    ($shown:ident $T:ident: $($Op:ident::$op:ident),+) => {
        $( scalar_left!(#[cfg_attr(doc, doc(hidden))] <> $T $T $Op::$op); )+
    };
}

for_each_element!(scalars_left);

/// A prefix operator.
macro_rules! prefix {
    ($Op:ident::$op:ident: $Bound:ident, $Operation:ident) => {
        #[doc = concat!("`core::ops::", stringify!($Op), "`, element-wise: `[..s] → [..s]`.")]
        impl<S: Shape, T: $Bound> $Op for &Tensor<S, T> {
            type Output = Tensor<S, T>;

            #[inline]
            #[track_caller]
            fn $op(self) -> Self::Output {
                unary::<ops::$Operation, S, T>(self.as_view())
            }
        }

        #[doc = concat!("`core::ops::", stringify!($Op), "`, element-wise, in the memory of the operand: `[..s] → [..s]`.")]
        impl<S: Shape, T: $Bound> $Op for Tensor<S, T> {
            type Output = Tensor<S, T>;

            #[inline]
            #[track_caller]
            fn $op(mut self) -> Self::Output {
                if self.is_recorded() {
                    return unary::<ops::$Operation, S, T>(self.as_view());
                }
                map_assign(function::unary::<ops::$Operation, T>(), &mut self);
                self
            }
        }
    };
}

prefix!(Neg::neg: Signed, Negate);
prefix!(Not::not: Bits, Not);
