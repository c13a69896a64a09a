//! The kernels of the [table](crate::ops) for every element type, which `fuse!` runs.
//!
//! A type that lacks an operation implements it all the same: otherwise the compiler would report a second
//! error for the elements, with another text than the one for the tensors.

use super::operation::{BinaryOp, UnaryOp};
use super::{Bits, Element, Float, Integer, Number, Signed};
use crate::ops::elements::for_each_element;
#[cfg(feature = "half")]
use crate::ops::elements::types::*;
use crate::ops::{self, BinaryKernel, UnaryKernel};
use crate::ops::{
    bits_binary, bits_unary, element_binary, float_binary, float_unary, integer_binary,
    number_binary, number_unary, signed_unary,
};

/// An element type, through which generic code accesses its functions.
#[doc(hidden)]
pub trait HasElementOps: Sized {
    /// The functions.
    type ElementOps: ElementOps<Self>
        + ElementBinaryFunctions<Self>
        + NumberUnaryFunctions<Self>
        + NumberBinaryFunctions<Self>
        + SignedUnaryFunctions<Self>
        + BitsUnaryFunctions<Self>
        + BitsBinaryFunctions<Self>
        + IntegerBinaryFunctions<Self>
        + FloatUnaryFunctions<Self>
        + FloatBinaryFunctions<Self>;
}

/// Stands in for an operation that the tensors have refused.
#[cold]
fn unsupported<T>() -> T {
    unreachable!("tensors of these elements do not have this operation")
}

/// The functions that belong to no group.
#[doc(hidden)]
pub trait ElementOps<T> {
    /// `Number::powi`, whose parameter is an `i32`.
    fn powi() -> &'static UnaryKernel {
        unsupported()
    }
}

/// Generates the trait of a group, whose functions are unsupported unless a type overrides them.
macro_rules! declare {
    ([$ElementOps:ident $Kernel:ident] $(topic $topic:literal {$(
        $(#[$meta:meta])* $kind:ident $name:ident: $Op:ident -> $Out:tt {
            $cost:ident $bits:ident $numpy:literal $pytorch:literal $stablehlo:tt
            |$isa:ident $(, $x:ident)+| $body:expr
        }
    )+})+) => {
        /// The operations of a group on elements `T`.
        #[doc(hidden)]
        pub trait $ElementOps<T> {$($(
            #[doc = concat!("`", stringify!($name), "`")]
            fn $name() -> &'static $Kernel {
                unsupported()
            }
        )+)+}
    };
}

element_binary!(declare![ElementBinaryFunctions BinaryKernel]);
number_unary!(declare![NumberUnaryFunctions UnaryKernel]);
number_binary!(declare![NumberBinaryFunctions BinaryKernel]);
signed_unary!(declare![SignedUnaryFunctions UnaryKernel]);
bits_unary!(declare![BitsUnaryFunctions UnaryKernel]);
bits_binary!(declare![BitsBinaryFunctions BinaryKernel]);
integer_binary!(declare![IntegerBinaryFunctions BinaryKernel]);
float_unary!(declare![FloatUnaryFunctions UnaryKernel]);
float_binary!(declare![FloatBinaryFunctions BinaryKernel]);

/// Floats, which have the functions of numbers and floats.
#[doc(hidden)]
#[derive(Debug)]
pub enum FloatOps {}
/// Signed integers.
#[doc(hidden)]
#[derive(Debug)]
pub enum SignedOps {}
/// Unsigned integers.
#[doc(hidden)]
#[derive(Debug)]
pub enum UnsignedOps {}
/// `bool`
#[doc(hidden)]
#[derive(Debug)]
pub enum BooleanOps {}

/// Implements the functions of a group for a class of types that supports them.
macro_rules! has {
    ([$ElementOps:ident $Kernel:ident $Op_trait:ident for $Class:ident: $Bound:ident] $(topic $topic:literal {$(
        $(#[$meta:meta])* $kind:ident $name:ident: $Op:ident -> $Out:tt $row:tt
    )+})+) => {
        impl<T: $Bound> $ElementOps<T> for $Class {$($(
            #[inline(always)]
            fn $name() -> &'static $Kernel {
                <ops::$Op as $Op_trait<T>>::KERNEL
            }
        )+)+}
    };
}

/// Implements the functions of all groups for each class of types; each class supports some and lacks others.
macro_rules! functions {
    ($Class:ident: $($group:ident)*, lacks $($Lacking:ident)*) => {
        element_binary!(has! [ElementBinaryFunctions BinaryKernel BinaryOp for $Class: Element]);
        $( functions!(@$group $Class); )*
        $( impl<T> $Lacking<T> for $Class {} )*
    };
    (@number $Class:ident) => {
        number_unary!(has! [NumberUnaryFunctions UnaryKernel UnaryOp for $Class: Number]);
        number_binary!(has! [NumberBinaryFunctions BinaryKernel BinaryOp for $Class: Number]);

        impl<T: Number> ElementOps<T> for $Class {
            #[inline(always)]
            fn powi() -> &'static UnaryKernel {
                T::POWI
            }
        }
    };
    (@signed $Class:ident) => {
        signed_unary!(has! [SignedUnaryFunctions UnaryKernel UnaryOp for $Class: Signed]);
    };
    (@bits $Class:ident) => {
        bits_unary!(has! [BitsUnaryFunctions UnaryKernel UnaryOp for $Class: Bits]);
        bits_binary!(has! [BitsBinaryFunctions BinaryKernel BinaryOp for $Class: Bits]);
    };
    (@integer $Class:ident) => {
        integer_binary!(has! [IntegerBinaryFunctions BinaryKernel BinaryOp for $Class: Integer]);
    };
    (@float $Class:ident) => {
        float_unary!(has! [FloatUnaryFunctions UnaryKernel UnaryOp for $Class: Float]);
        float_binary!(has! [FloatBinaryFunctions BinaryKernel BinaryOp for $Class: Float]);
    };
}

functions! {
    FloatOps: number signed float,
    lacks BitsUnaryFunctions BitsBinaryFunctions IntegerBinaryFunctions
}
functions! {
    SignedOps: number signed bits integer,
    lacks FloatUnaryFunctions FloatBinaryFunctions
}
functions! {
    UnsignedOps: number bits integer,
    lacks SignedUnaryFunctions FloatUnaryFunctions FloatBinaryFunctions
}
functions! {
    BooleanOps: bits,
    lacks ElementOps NumberUnaryFunctions NumberBinaryFunctions SignedUnaryFunctions
        IntegerBinaryFunctions FloatUnaryFunctions FloatBinaryFunctions
}

macro_rules! classes {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {$(
        $(#[$cfg])*
        impl HasElementOps for $T {
            type ElementOps = classes!(@$class);
        }
    )*};
    (@float) => { FloatOps };
    (@half) => { FloatOps };
    (@signed) => { SignedOps };
    (@unsigned) => { UnsignedOps };
    (@boolean) => { BooleanOps };
}

for_each_element!(classes);
