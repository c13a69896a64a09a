//! `+ - * / %`, `& | ^ << >>`, `-` and `!`, and their in-place forms.
//!
//! Every operator takes tensors and scalars, owned and borrowed, on either side. Where an owned
//! operand has the shape of the result, the result takes its memory.

use core::ops::{
    Add, AddAssign, BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Div, DivAssign,
    Mul, MulAssign, Neg, Not, Rem, RemAssign, Shl, ShlAssign, Shr, ShrAssign, Sub, SubAssign,
};

use super::apply::{assign, map, map_assign, zip2, zip2_both, zip2_left, zip2_right};
use super::collect::Shared;
use crate::element::{Bits, Element, Integer, Number, SameElement, Signed};
use crate::shape::Shape;
use crate::shape::axis::NoAxis;
use crate::shape::broadcast::{AssignTo, ElementWise};
use crate::tensor::Tensor;
use crate::tensor::operand::OperandOf;

// The functions below know types of elements and no shape: a closure written within a function that
// knows shapes would be another one for every shape, and the loops with it.

/// An operation whose right side has the type of the left side by another name.
fn same<T: SameElement<U>, U>(f: impl Fn(T, T) -> T + Sync) -> impl Fn(T, U) -> T + Sync {
    move |left, right| f(left, T::same(right))
}

/// An operation with one and the same right side.
fn with_right<T: Element>(f: impl Fn(T, T) -> T + Sync, right: T) -> impl Fn(T) -> T + Sync {
    move |left| f(left, right)
}

/// An operation with one and the same left side.
fn with_left<T: Element>(f: impl Fn(T, T) -> T + Sync, left: T) -> impl Fn(T) -> T + Sync {
    move |right| f(left, right)
}

/// The impls of an operator for elements that do not have it, for operands that do not exist: the
/// compiler finds the operator, and then says what the elements lack. Two, because it would take
/// the one for what was meant.
macro_rules! no_operand {
    ($Op:ident::$op:ident: $($Left:ty, $Right:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<S: Shape, T: Element> $Op<$Right> for $Left {
            type Output = Tensor<S, T>;

            fn $op(self, right: $Right) -> Tensor<S, T> {
                match *right {}
            }
        }
    )*};
}

/// An operator between tensors, and between a tensor and a scalar on its right.
macro_rules! operator {
    ($Op:ident::$op:ident, $OpAssign:ident::$op_assign:ident: $Bound:ident::$f:ident) => {
        impl<L, R, T, U> $Op<&Tensor<R, U>> for &Tensor<L, T>
        where
            L: Shape + ElementWise<R>,
            R: Shape,
            T: $Bound + SameElement<U>,
            U: Element,
        {
            type Output = Tensor<<L as ElementWise<R>>::Output, T>;

            #[inline]
            #[track_caller]
            fn $op(self, right: &Tensor<R, U>) -> Self::Output {
                zip2(self.view(), right.view(), Shared(same(T::$f)))
            }
        }

        impl<L, R, T, U> $Op<&Tensor<R, U>> for Tensor<L, T>
        where
            L: Shape + ElementWise<R>,
            R: Shape,
            T: $Bound + SameElement<U>,
            U: Element,
        {
            type Output = Tensor<<L as ElementWise<R>>::Output, T>;

            #[inline]
            #[track_caller]
            fn $op(self, right: &Tensor<R, U>) -> Self::Output {
                zip2_left(self, right.view(), Shared(same(T::$f)))
            }
        }

        impl<L, R, T, U> $Op<Tensor<R, U>> for &Tensor<L, T>
        where
            L: Shape + ElementWise<R>,
            R: Shape,
            T: $Bound + SameElement<U>,
            U: Element,
        {
            type Output = Tensor<<L as ElementWise<R>>::Output, T>;

            #[inline]
            #[track_caller]
            fn $op(self, right: Tensor<R, U>) -> Self::Output {
                zip2_right(self.view(), T::same_tensor(right), Shared(T::$f))
            }
        }

        impl<L, R, T, U> $Op<Tensor<R, U>> for Tensor<L, T>
        where
            L: Shape + ElementWise<R>,
            R: Shape,
            T: $Bound + SameElement<U>,
            U: Element,
        {
            type Output = Tensor<<L as ElementWise<R>>::Output, T>;

            #[inline]
            #[track_caller]
            fn $op(self, right: Tensor<R, U>) -> Self::Output {
                zip2_both(self, T::same_tensor(right), Shared(T::$f))
            }
        }

        impl<S: Shape, T: $Bound> $Op<T> for &Tensor<S, T> {
            type Output = Tensor<S, T>;

            #[inline]
            fn $op(self, right: T) -> Self::Output {
                map(self.view(), Shared(with_right(T::$f, right)))
            }
        }

        impl<S: Shape, T: $Bound> $Op<T> for Tensor<S, T> {
            type Output = Tensor<S, T>;

            #[inline]
            fn $op(mut self, right: T) -> Self::Output {
                map_assign(&mut self, Shared(with_right(T::$f, right)));
                self
            }
        }

        no_operand! {
            $Op::$op:
            &Tensor<S, T>, &NoAxis;
            &Tensor<S, T>, &mut NoAxis;
            Tensor<S, T>, &NoAxis;
            Tensor<S, T>, &mut NoAxis;
        }

        impl<L, T, X> $OpAssign<X> for Tensor<L, T>
        where
            L: Shape,
            T: $Bound,
            X: OperandOf<T>,
            X::Shape: AssignTo<L>,
        {
            #[inline]
            #[track_caller]
            fn $op_assign(&mut self, right: X) {
                assign(self, right.view(), Shared(T::$f));
            }
        }
    };
}

operator!(Add::add, AddAssign::add_assign: Number::add);
operator!(Sub::sub, SubAssign::sub_assign: Number::sub);
operator!(Mul::mul, MulAssign::mul_assign: Number::mul);
operator!(Div::div, DivAssign::div_assign: Number::div);
operator!(Rem::rem, RemAssign::rem_assign: Number::rem);
operator!(BitAnd::bitand, BitAndAssign::bitand_assign: Bits::and);
operator!(BitOr::bitor, BitOrAssign::bitor_assign: Bits::or);
operator!(BitXor::bitxor, BitXorAssign::bitxor_assign: Bits::xor);
operator!(Shl::shl, ShlAssign::shl_assign: Integer::shift_left);
operator!(Shr::shr, ShrAssign::shr_assign: Integer::shift_right);

/// An operator with a scalar on its left, for one type of elements.
macro_rules! scalar_left {
    ($T:ident: $($Op:ident::$op:ident = $Bound:ident::$f:ident),+) => {$(
        impl<S: Shape> $Op<&Tensor<S, $T>> for $T {
            type Output = Tensor<S, $T>;

            #[inline]
            fn $op(self, right: &Tensor<S, $T>) -> Self::Output {
                map(right.view(), Shared(with_left(<$T as $Bound>::$f, self)))
            }
        }

        impl<S: Shape> $Op<Tensor<S, $T>> for $T {
            type Output = Tensor<S, $T>;

            #[inline]
            fn $op(self, mut right: Tensor<S, $T>) -> Self::Output {
                map_assign(&mut right, Shared(with_left(<$T as $Bound>::$f, self)));
                right
            }
        }
    )+};
}

macro_rules! scalars_left {
    ([$($T:ident)*] with $operators:tt) => {$( scalars_left!(@one $T $operators); )*};
    (@one $T:ident [$($operators:tt)+]) => { scalar_left!($T: $($operators)+); };
}

scalars_left!([f32 f64 i8 i16 i32 i64 u8 u16 u32 u64] with [
    Add::add = Number::add, Sub::sub = Number::sub, Mul::mul = Number::mul,
    Div::div = Number::div, Rem::rem = Number::rem
]);
scalars_left!([i8 i16 i32 i64 u8 u16 u32 u64] with [
    Shl::shl = Integer::shift_left, Shr::shr = Integer::shift_right
]);
scalars_left!([i8 i16 i32 i64 u8 u16 u32 u64 bool] with [
    BitAnd::bitand = Bits::and, BitOr::bitor = Bits::or, BitXor::bitxor = Bits::xor
]);

#[cfg(feature = "half")]
use half::{bf16, f16};
#[cfg(feature = "half")]
scalars_left!([f16 bf16] with [
    Add::add = Number::add, Sub::sub = Number::sub, Mul::mul = Number::mul,
    Div::div = Number::div, Rem::rem = Number::rem
]);

/// A prefix operator.
macro_rules! prefix {
    ($Op:ident::$op:ident: $Bound:ident::$f:ident) => {
        impl<S: Shape, T: $Bound> $Op for &Tensor<S, T> {
            type Output = Tensor<S, T>;

            #[inline]
            fn $op(self) -> Self::Output {
                map(self.view(), Shared($Bound::$f))
            }
        }

        impl<S: Shape, T: $Bound> $Op for Tensor<S, T> {
            type Output = Tensor<S, T>;

            #[inline]
            fn $op(mut self) -> Self::Output {
                map_assign(&mut self, Shared($Bound::$f));
                self
            }
        }
    };
}

prefix!(Neg::neg: Signed::neg);
prefix!(Not::not: Bits::not);
