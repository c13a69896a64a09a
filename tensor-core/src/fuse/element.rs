//! One element of a tensor, with the operators and methods of tensors.

use core::any::Any;
use core::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Rem, Shl, Shr, Sub};

use super::functions::Functions;
use crate::element::{Bits, CastTo, Element, Instructions, Integer, Number};

/// One element of a tensor within [`fuse!`](crate::fuse!), with the operators and the element-wise
/// methods of tensors.
///
/// All types of elements have all of them, and the other side may be of any type. Whether that is
/// right, the same operation on the tensors says: one mistake is one error.
#[derive(Clone, Copy, Debug)]
pub struct FusedElement<T> {
    element: T,
    /// What the machine has that functions make use of.
    instructions: Instructions,
}

impl<T> FusedElement<T> {
    #[inline(always)]
    pub(crate) fn new(element: T, instructions: Instructions) -> Self {
        Self { element, instructions }
    }

    /// The element.
    #[inline(always)]
    pub(crate) fn get(self) -> T {
        self.element
    }
}

/// What stands on the other side: an element of a tensor, or a number.
#[doc(hidden)]
pub trait FusedOperand: Copy {
    /// The type of the element.
    type Element: Element;

    /// The element.
    fn element(self) -> Self::Element;

    /// What the machine has, as far as the operand knows it.
    #[inline(always)]
    fn instructions(self) -> Instructions {
        Instructions::OF_THE_BUILD
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element> FusedOperand for T {
    type Element = T;

    #[inline(always)]
    fn element(self) -> T {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element> FusedOperand for FusedElement<T> {
    type Element = T;

    #[inline(always)]
    fn element(self) -> T {
        self.element
    }

    #[inline(always)]
    fn instructions(self) -> Instructions {
        self.instructions
    }
}

/// The element, whose type is `T` by what the tensors say.
#[inline(always)]
fn element<T: 'static + Copy>(operand: impl FusedOperand) -> T {
    let element = operand.element();
    *(&element as &dyn Any).downcast_ref().expect("the operands have elements of one type")
}

/// A number of the program, with the type of the same number beside the tensors.
#[doc(hidden)]
#[inline(always)]
pub fn constant<T>(_: T, number: T) -> FusedElement<T> {
    FusedElement::new(number, Instructions::OF_THE_BUILD)
}

/// [`select`](crate::select()) for one element.
#[doc(hidden)]
#[inline(always)]
pub fn select<A: FusedOperand>(
    mask: impl FusedOperand,
    then: A,
    otherwise: impl FusedOperand,
) -> FusedElement<A::Element> {
    let instructions = mask.instructions().or(then.instructions()).or(otherwise.instructions());
    let (then, otherwise) = (then.element(), element(otherwise));
    FusedElement::new(if element(mask) { then } else { otherwise }, instructions)
}

impl<T: Element> Neg for FusedElement<T> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self::new(T::Functions::neg(self.element), self.instructions)
    }
}

impl<T: Element> Not for FusedElement<T> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Self::new(T::Functions::not(self.element), self.instructions)
    }
}

/// An operator with an element on its left.
macro_rules! operators {
    ($($Op:ident::$op:ident: $f:ident;)*) => {$(
        impl<T: Element, X: FusedOperand> $Op<X> for FusedElement<T> {
            type Output = Self;

            #[inline(always)]
            fn $op(self, right: X) -> Self {
                let instructions = self.instructions.or(right.instructions());
                Self::new(T::Functions::$f(self.element, element(right)), instructions)
            }
        }
    )*};
}

operators! {
    Add::add: add;
    Sub::sub: sub;
    Mul::mul: mul;
    Div::div: div;
    Rem::rem: rem;
    BitAnd::bitand: and;
    BitOr::bitor: or;
    BitXor::bitxor: xor;
    Shl::shl: shift_left;
    Shr::shr: shift_right;
}

/// Operators with a number on their left.
macro_rules! numbers_left {
    ([$($T:ident)*] with $operators:tt) => {$( numbers_left!(@one $T $operators); )*};
    (@one $T:ident [$($Op:ident::$op:ident = $Bound:ident::$f:ident),+]) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: Element> $Op<FusedElement<T>> for $T {
            type Output = FusedElement<$T>;

            #[inline(always)]
            fn $op(self, right: FusedElement<T>) -> FusedElement<$T> {
                FusedElement::new($Bound::$f(self, element(right)), right.instructions)
            }
        }
    )+};
}

numbers_left!([f32 f64 i8 i16 i32 i64 u8 u16 u32 u64] with [
    Add::add = Number::add, Sub::sub = Number::sub, Mul::mul = Number::mul,
    Div::div = Number::div, Rem::rem = Number::rem
]);
numbers_left!([i8 i16 i32 i64 u8 u16 u32 u64] with [
    Shl::shl = Integer::shift_left, Shr::shr = Integer::shift_right
]);
numbers_left!([i8 i16 i32 i64 u8 u16 u32 u64 bool] with [
    BitAnd::bitand = Bits::and, BitOr::bitor = Bits::or, BitXor::bitxor = Bits::xor
]);
#[cfg(feature = "half")]
use half::{bf16, f16};
#[cfg(feature = "half")]
numbers_left!([f16 bf16] with [
    Add::add = Number::add, Sub::sub = Number::sub, Mul::mul = Number::mul,
    Div::div = Number::div, Rem::rem = Number::rem
]);

/// Methods by the function of the same name.
macro_rules! methods {
    (
        $($name:ident)+;
        $($name_with:ident)+;
        $($name2:ident)+;
        $($question:ident)+;
    ) => {
        #[allow(clippy::should_implement_trait, reason = "tensors have a method `neg`, too")]
        impl<T: Element> FusedElement<T> {
            $(
                #[doc = concat!("The method `", stringify!($name), "` of tensors.")]
                #[inline(always)]
                pub fn $name(self) -> Self {
                    Self::new(T::Functions::$name(self.element), self.instructions)
                }
            )+

            $(
                #[doc = concat!("The method `", stringify!($name_with), "` of tensors.")]
                #[inline(always)]
                pub fn $name_with(self) -> Self {
                    let instructions = self.instructions;
                    Self::new(T::Functions::$name_with(self.element, instructions), instructions)
                }
            )+

            $(
                #[doc = concat!("The method `", stringify!($name2), "` of tensors.")]
                #[inline(always)]
                pub fn $name2(self, other: impl FusedOperand) -> Self {
                    let instructions = self.instructions.or(other.instructions());
                    Self::new(T::Functions::$name2(self.element, element(other)), instructions)
                }
            )+

            $(
                #[doc = concat!("The method `", stringify!($question), "` of tensors.")]
                #[inline(always)]
                pub fn $question(self) -> FusedElement<bool> {
                    FusedElement::new(T::Functions::$question(self.element), self.instructions)
                }
            )+
        }
    };
}

methods! {
    abs sign square neg sqrt rsqrt reciprocal tan asin acos atan sinh cosh asinh acosh atanh relu
    floor ceil round trunc;
    exp exp_m1 ln ln_1p sin cos tanh erf sigmoid gelu gelu_tanh silu softplus;
    minimum maximum floor_divide remainder atan2;
    is_nan is_finite;
}

/// Methods that compare.
macro_rules! comparisons {
    ($($name:ident: $op:tt;)+) => {
        impl<T: Element> FusedElement<T> {$(
            #[doc = concat!("The method `", stringify!($name), "` of tensors.")]
            #[inline(always)]
            pub fn $name(self, other: impl FusedOperand) -> FusedElement<bool> {
                let instructions = self.instructions.or(other.instructions());
                FusedElement::new(self.element $op element(other), instructions)
            }
        )+}
    };
}

comparisons! {
    equal: ==;
    not_equal: !=;
    less: <;
    less_equal: <=;
    greater: >;
    greater_equal: >=;
}

impl<T: Element> FusedElement<T> {
    /// The method `powi` of tensors.
    #[inline(always)]
    pub fn powi(self, power: impl FusedOperand) -> Self {
        Self::new(T::Functions::powi(self.element, element(power)), self.instructions)
    }

    /// The method `pow` of tensors.
    #[inline(always)]
    pub fn pow(self, power: impl FusedOperand) -> Self {
        let instructions = self.instructions.or(power.instructions());
        let result = T::Functions::pow(self.element, element(power), instructions);
        Self::new(result, instructions)
    }

    /// The method `clamp` of tensors.
    #[inline(always)]
    pub fn clamp(self, low: impl FusedOperand, high: impl FusedOperand) -> Self {
        self.maximum(low).minimum(high)
    }

    /// The method `cast` of tensors.
    #[inline(always)]
    pub fn cast<U: Element>(self) -> FusedElement<U>
    where
        <T as CastTo<U>>::Checked: Sized,
        T: CastTo<U>,
    {
        FusedElement::new(self.element.cast_to(), self.instructions)
    }
}
