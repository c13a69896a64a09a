//! One element of a tensor, with the operators and methods of tensors.

use core::any::Any;
use core::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Rem, Shl, Shr, Sub};

use crate::element::functions::{
    BitsBinaryFunctions, BitsUnaryFunctions, ElementBinaryFunctions, ElementOps,
    FloatBinaryFunctions, FloatUnaryFunctions, IntegerBinaryFunctions, NumberBinaryFunctions,
    NumberUnaryFunctions, SignedUnaryFunctions,
};
use crate::element::{Bits, CastTo, Element, Integer, Isa, Number};

/// One element of a tensor within [`fuse!`](crate::fuse!), with the operators and the element-wise
/// methods of tensors.
///
/// All types of elements have all of them, and the other side may be of any type. Whether that is
/// right, the same operation on the tensors says: one mistake is one error.
#[derive(Clone, Copy, Debug)]
pub struct FusedElement<T> {
    element: T,
    /// What the machine has that functions make use of.
    isa: Isa,
}

impl<T> FusedElement<T> {
    #[inline(always)]
    pub(crate) fn new(element: T, isa: Isa) -> Self {
        Self { element, isa }
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
    fn isa(self) -> Isa {
        Isa::BASELINE
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
    fn isa(self) -> Isa {
        self.isa
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
    FusedElement::new(number, Isa::BASELINE)
}

/// [`select`](crate::select()) for one element.
#[doc(hidden)]
#[inline(always)]
pub fn select<A: FusedOperand>(
    mask: impl FusedOperand,
    then: A,
    otherwise: impl FusedOperand,
) -> FusedElement<A::Element> {
    let isa = mask.isa().or(then.isa()).or(otherwise.isa());
    let (then, otherwise) = (then.element(), element(otherwise));
    FusedElement::new(if element(mask) { then } else { otherwise }, isa)
}

/// The type of a result.
macro_rules! output {
    (T, $T:ident) => {
        $T
    };
    ($Other:ident, $T:ident) => {
        $Other
    };
}

/// The methods and operators of a group of operations on one operand.
macro_rules! unary_methods {
    ([$Ops:ident] $(topic $topic:literal {$(
        $(#[$meta:meta])* $kind:ident $name:ident: $Op:ident -> $Out:tt $row:tt;
    )+})+) => {
        #[allow(clippy::should_implement_trait, reason = "tensors have methods `neg` and `not`, too")]
        impl<T: Element> FusedElement<T> {$($(
            #[doc = concat!("The method `", stringify!($name), "` of tensors.")]
            #[inline(always)]
            pub fn $name(self) -> FusedElement<output!($Out, T)> {
                let result = <T::ElementOps as $Ops<T>>::$name(self.isa, self.element);
                FusedElement::new(result, self.isa)
            }
        )+)+}
    };
}

number_unary!(unary_methods![NumberUnaryFunctions]);
signed_unary!(unary_methods![SignedUnaryFunctions]);
bits_unary!(unary_methods![BitsUnaryFunctions]);
float_unary!(unary_methods![FloatUnaryFunctions]);

impl<T: Element> Neg for FusedElement<T> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        FusedElement::neg(self)
    }
}

impl<T: Element> Not for FusedElement<T> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        FusedElement::not(self)
    }
}

/// The methods and operators of a group of operations on two operands.
macro_rules! binary_methods {
    ([$Ops:ident] $(topic $topic:literal {$(
        $(#[$meta:meta])* $kind:ident $name:ident: $Op:ident -> $Out:tt $row:tt;
    )+})+) => {$($(
        binary_methods!(@$kind $Ops $name $Op $Out);
    )+)+};
    (@operator $Ops:ident $name:ident $Op:ident $Out:tt) => {
        impl<T: Element, X: FusedOperand> $Op<X> for FusedElement<T> {
            type Output = Self;

            #[inline(always)]
            fn $name(self, right: X) -> Self {
                let isa = self.isa.or(right.isa());
                let right = element(right);
                let result = <T::ElementOps as $Ops<T>>::$name(isa, self.element, right);
                Self::new(result, isa)
            }
        }
    };
    (@method $Ops:ident $name:ident $Op:ident $Out:tt) => {
        impl<T: Element> FusedElement<T> {
            #[doc = concat!("The method `", stringify!($name), "` of tensors.")]
            #[inline(always)]
            pub fn $name(self, other: impl FusedOperand) -> FusedElement<output!($Out, T)> {
                let isa = self.isa.or(other.isa());
                let other = element(other);
                let result = <T::ElementOps as $Ops<T>>::$name(isa, self.element, other);
                FusedElement::new(result, isa)
            }
        }
    };
}

element_binary!(binary_methods![ElementBinaryFunctions]);
number_binary!(binary_methods![NumberBinaryFunctions]);
bits_binary!(binary_methods![BitsBinaryFunctions]);
integer_binary!(binary_methods![IntegerBinaryFunctions]);
float_binary!(binary_methods![FloatBinaryFunctions]);

/// Operators with a number on their left.
macro_rules! numbers_left {
    ([$($T:ident)*] with $operators:tt) => {$( numbers_left!(@one $T $operators); )*};
    (@one $T:ident [$($Op:ident::$op:ident = $Bound:ident::$f:ident),+]) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: Element> $Op<FusedElement<T>> for $T {
            type Output = FusedElement<$T>;

            #[inline(always)]
            fn $op(self, right: FusedElement<T>) -> FusedElement<$T> {
                FusedElement::new($Bound::$f(self, element(right)), right.isa)
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

impl<T: Element> FusedElement<T> {
    /// The method `powi` of tensors.
    #[inline(always)]
    pub fn powi(self, power: impl FusedOperand) -> Self {
        Self::new(<T::ElementOps as ElementOps<T>>::powi(self.element, element(power)), self.isa)
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
        FusedElement::new(self.element.cast_to(), self.isa)
    }
}
