//! The chunk type in fused expressions, with the operators and methods of tensors.

#![allow(unsafe_code, reason = "chunks of elements have no type")]

use core::any::TypeId;
use core::marker::PhantomData;
use core::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Rem, Shl, Shr, Sub};

use core::ptr::{from_ref, null};

use tensor_kernels::element::functions::{
    BitsBinaryFunctions, BitsUnaryFunctions, ElementBinaryFunctions, ElementOps,
    FloatBinaryFunctions, FloatUnaryFunctions, IntegerBinaryFunctions, NumberBinaryFunctions,
    NumberUnaryFunctions, SignedUnaryFunctions,
};
use tensor_kernels::element::{CastTo, Element};
use tensor_kernels::kernel::chunk::{RawChunk, apply_clamp, apply1, apply2, apply3};
use tensor_kernels::ops::elements::for_each_element;
#[cfg(feature = "half")]
use tensor_kernels::ops::elements::types::*;
use tensor_kernels::ops::{CastKernel, ElementMoves};

/// The elements of a tensor for a chunk of the results of [`fuse!`](crate::fuse!), with the operators
/// and the element-wise methods of tensors. Each runs the kernel of the operation.
///
/// All element types have all of them, and the other side may be of any type. The same operation on the
/// tensors is type-checked and reports errors: one mistake is one error.
#[derive(Clone, Copy, Debug)]
pub struct FusedElement<T> {
    chunk: RawChunk,
    elements: PhantomData<fn() -> T>,
}

impl<T> FusedElement<T> {
    /// The elements of a chunk.
    ///
    /// # Safety
    ///
    /// They are of type `T`, and valid as long as operations read them. Temporaries are read once.
    #[inline(always)]
    pub(crate) unsafe fn new(chunk: RawChunk) -> Self {
        Self { chunk, elements: PhantomData }
    }

    /// The chunk.
    #[inline(always)]
    pub(crate) fn get(self) -> RawChunk {
        self.chunk
    }
}

/// The other operand: elements of a tensor, or a number.
#[doc(hidden)]
pub trait FusedOperand: Copy {
    /// The element type.
    type Element: Element;

    /// The elements.
    fn chunk(self) -> FusedElement<Self::Element>;
}

#[diagnostic::do_not_recommend]
impl<T: Element> FusedOperand for T {
    type Element = T;

    #[inline(always)]
    fn chunk(self) -> FusedElement<T> {
        FusedElement { chunk: RawChunk::splat(self), elements: PhantomData }
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element> FusedOperand for FusedElement<T> {
    type Element = T;

    #[inline(always)]
    fn chunk(self) -> Self {
        self
    }
}

/// The elements, whose type is `T`, as type-checked with the tensors.
#[inline(always)]
fn elements<T: 'static>(operand: impl FusedOperand) -> RawChunk {
    same_type(TypeId::of::<T>(), operand)
}

#[inline(always)]
fn same_type<X: FusedOperand>(expected: TypeId, operand: X) -> RawChunk {
    assert!(expected == TypeId::of::<X::Element>(), "the operands have elements of one type");
    operand.chunk().get()
}

/// A number in the expression, with the type of the same number in the expression over tensors.
#[doc(hidden)]
#[inline(always)]
pub fn constant<T: Element>(_: T, number: T) -> FusedNumber<T> {
    FusedNumber(number)
}

/// A number in the expression. The result of an operator on it and elements has the type of the
/// elements: if the number has another type, only the operation on the tensors reports an error.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct FusedNumber<T>(T);

#[diagnostic::do_not_recommend]
impl<T: Element> FusedOperand for FusedNumber<T> {
    type Element = T;

    #[inline(always)]
    fn chunk(self) -> FusedElement<T> {
        self.0.chunk()
    }
}

impl<T: Neg<Output = T>> Neg for FusedNumber<T> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl<T: Not<Output = T>> Not for FusedNumber<T> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

/// [`select`](crate::select()) for a chunk.
#[doc(hidden)]
#[inline(always)]
pub fn select<A: FusedOperand>(
    mask: impl FusedOperand,
    then: A,
    otherwise: impl FusedOperand,
) -> FusedElement<A::Element> {
    let (mask, then) = (elements::<bool>(mask), then.chunk().get());
    let otherwise = elements::<A::Element>(otherwise);
    let kernel = <A::Element as ElementMoves>::SELECT;
    // SAFETY: the kernel chooses between elements of this type by a `bool`; the macro reads each
    // temporary once.
    unsafe { FusedElement::new(apply3(kernel, null(), mask, then, otherwise)) }
}

/// The element type of a result.
macro_rules! output {
    (T, $T:ident) => {
        $T
    };
    ($Other:ident, $T:ident) => {
        $Other
    };
}

/// Generates the methods and operators of a group of operations on one operand.
macro_rules! unary_methods {
    ([$Ops:ident] $(topic $topic:literal {$(
        $(#[$meta:meta])* $kind:ident $name:ident: $Op:ident -> $Out:tt $row:tt
    )+})+) => {
        #[allow(clippy::should_implement_trait, reason = "tensors have methods `neg` and `not`, too")]
        impl<T: Element> FusedElement<T> {$($(
            #[doc = concat!("The method `", stringify!($name), "` of tensors.")]
            #[inline(always)]
            pub fn $name(self) -> FusedElement<output!($Out, T)> {
                let kernel = <T::ElementOps as $Ops<T>>::$name();
                // SAFETY: the kernel is that of the operation on elements of type `T`; the macro reads
                // each temporary once.
                unsafe { FusedElement::new(apply1(kernel, null(), self.chunk)) }
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

/// Generates the methods and operators of a group of operations on two operands.
macro_rules! binary_methods {
    ([$Ops:ident] $(topic $topic:literal {$(
        $(#[$meta:meta])* $kind:ident $name:ident: $Op:ident -> $Out:tt $row:tt
    )+})+) => {$($(
        binary_methods!(@$kind $Ops $name $Op $Out);
    )+)+};
    (@operator $Ops:ident $name:ident $Op:ident $Out:tt) => {
        impl<T: Element, X: FusedOperand> $Op<X> for FusedElement<T> {
            type Output = Self;

            #[inline(always)]
            #[track_caller]
            fn $name(self, right: X) -> Self {
                let kernel = <T::ElementOps as $Ops<T>>::$name();
                // SAFETY: the kernel is that of the operation on elements of type `T`; the macro reads
                // each temporary once.
                unsafe { Self::new(apply2(kernel, null(), self.chunk, elements::<T>(right))) }
            }
        }

        impl<T: Element, X: FusedOperand> $Op<X> for FusedNumber<T> {
            type Output = FusedElement<X::Element>;

            #[inline(always)]
            fn $name(self, right: X) -> FusedElement<X::Element> {
                let number = elements::<X::Element>(self);
                // SAFETY: the number is of that type, which `elements` asserts, and is stored in the chunk.
                let number = unsafe { FusedElement::<X::Element>::new(number) };
                number.$name(right)
            }
        }
    };
    (@method $Ops:ident $name:ident $Op:ident $Out:tt) => {
        impl<T: Element> FusedElement<T> {
            #[doc = concat!("The method `", stringify!($name), "` of tensors.")]
            #[inline(always)]
            #[track_caller]
            pub fn $name(self, other: impl FusedOperand) -> FusedElement<output!($Out, T)> {
                let kernel = <T::ElementOps as $Ops<T>>::$name();
                // SAFETY: as for operators.
                unsafe {
                    FusedElement::new(apply2(kernel, null(), self.chunk, elements::<T>(other)))
                }
            }
        }
    };
}

element_binary!(binary_methods![ElementBinaryFunctions]);
number_binary!(binary_methods![NumberBinaryFunctions]);
bits_binary!(binary_methods![BitsBinaryFunctions]);
integer_binary!(binary_methods![IntegerBinaryFunctions]);
float_binary!(binary_methods![FloatBinaryFunctions]);

/// Generates the operators with a number on their left.
macro_rules! numbers_left {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {
        $($(#[$cfg])* numbers_left!(@$class $T); )*
    };
    (@float $T:ident) => { numbers_left!(@arithmetic $T); };
    (@half $T:ident) => { numbers_left!(@arithmetic $T); };
    (@signed $T:ident) => {
        numbers_left!(@arithmetic $T);
        numbers_left!(@operators $T: Shl::shl, Shr::shr);
        numbers_left!(@boolean $T);
    };
    (@unsigned $T:ident) => { numbers_left!(@signed $T); };
    (@boolean $T:ident) => {
        numbers_left!(@operators $T: BitAnd::bitand, BitOr::bitor, BitXor::bitxor);
    };
    (@arithmetic $T:ident) => {
        numbers_left!(@operators $T: Add::add, Sub::sub, Mul::mul, Div::div, Rem::rem);
    };
    (@operators $T:ident: $($Op:ident::$op:ident),+) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: Element> $Op<FusedElement<T>> for $T {
            type Output = FusedElement<$T>;

            #[inline(always)]
            #[track_caller]
            fn $op(self, right: FusedElement<T>) -> FusedElement<$T> {
                self.chunk().$op(right)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T: Element> $Op<FusedNumber<T>> for $T {
            type Output = FusedElement<$T>;

            #[inline(always)]
            fn $op(self, right: FusedNumber<T>) -> FusedElement<$T> {
                self.chunk().$op(right)
            }
        }
    )+};
}

for_each_element!(numbers_left);

impl<T: Element> FusedElement<T> {
    /// The tensor method `powi`, for a chunk.
    #[inline(always)]
    #[track_caller]
    pub fn powi(self, power: impl FusedOperand) -> Self {
        let kernel = <T::ElementOps as ElementOps<T>>::powi();
        // SAFETY: the type of the elements was checked.
        let power = unsafe { elements::<i32>(power).splatted::<i32>() };
        let power = power.expect("the tensors take a number");
        // SAFETY: the kernel is that of the operation on elements of type `T`, and takes an `i32`; the
        // macro reads each temporary once.
        unsafe { Self::new(apply1(kernel, from_ref(&power).cast(), self.chunk)) }
    }

    /// The tensor method `clamp`, for a chunk.
    #[inline(always)]
    pub fn clamp(self, low: impl FusedOperand, high: impl FusedOperand) -> Self {
        let kernels = [
            <T::ElementOps as NumberBinaryFunctions<T>>::maximum(),
            <T::ElementOps as NumberBinaryFunctions<T>>::minimum(),
        ];
        let (low, high) = (elements::<T>(low), elements::<T>(high));
        // SAFETY: the kernels are those of the operations on elements of type `T`; the macro reads each
        // temporary once.
        unsafe { Self::new(apply_clamp(kernels, self.chunk, low, high)) }
    }

    /// The tensor method `cast`, for a chunk.
    #[inline(always)]
    pub fn cast<U: Element>(self) -> FusedElement<U>
    where
        T: CastTo<U>,
    {
        // SAFETY: the kernel converts elements of type `T` to type `U`; the macro reads each temporary
        // once.
        unsafe { FusedElement::new(apply1(<T as CastKernel<U>>::CAST, null(), self.chunk)) }
    }
}
