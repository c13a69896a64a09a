//! The kernels of the [table](crate::ops) for every element type: what `fuse!` runs.
//!
//! A type that lacks an operation has it all the same, because the compiler would refuse it for the
//! elements once more, in other words than for the tensors.

use super::operation::{BinaryOp, UnaryOp};
use crate::ops::elements::for_each_element;
#[cfg(feature = "half")]
use crate::ops::elements::types::*;
use crate::ops::{self, Kernel, NumberTernary};

/// An element type, through which generic code gets at its functions.
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

/// In place of an operation that the tensors have refused.
#[cold]
fn unsupported<T>() -> T {
    unreachable!("tensors of these elements do not have this operation")
}

/// The functions that are in no group.
#[doc(hidden)]
pub trait ElementOps<T> {
    /// `Number::powi`, whose parameter is an `i32`.
    fn powi() -> &'static Kernel<1> {
        unsupported()
    }
}

/// The trait of a group, whose functions are unsupported unless a type has them.
macro_rules! declare {
    ([$ElementOps:ident] $(topic $topic:literal {$(
        $(#[$meta:meta])* $kind:ident $name:ident: $Op:ident -> $Out:tt {
            $cost:ident $bits:ident $numpy:literal $pytorch:literal $stablehlo:literal
            |$isa:ident $(, $x:ident)+| $body:expr
        } $gradient:tt;
    )+})+) => {
        /// The operations of a group on elements `T`.
        #[doc(hidden)]
        pub trait $ElementOps<T> {$($(
            #[doc = concat!("`", stringify!($name), "`")]
            fn $name() -> &'static Kernel<{ [$(stringify!($x)),+].len() }> {
                unsupported()
            }
        )+)+}
    };
}

element_binary!(declare![ElementBinaryFunctions]);
number_unary!(declare![NumberUnaryFunctions]);
number_binary!(declare![NumberBinaryFunctions]);
signed_unary!(declare![SignedUnaryFunctions]);
bits_unary!(declare![BitsUnaryFunctions]);
bits_binary!(declare![BitsBinaryFunctions]);
integer_binary!(declare![IntegerBinaryFunctions]);
float_unary!(declare![FloatUnaryFunctions]);
float_binary!(declare![FloatBinaryFunctions]);

/// The functions of a group for a type that has them.
macro_rules! has {
    ([$ElementOps:ident $Op_trait:ident for $T:ident] $(topic $topic:literal {$(
        $(#[$meta:meta])* $kind:ident $name:ident: $Op:ident -> $Out:tt {
            $cost:ident $bits:ident $numpy:literal $pytorch:literal $stablehlo:literal
            |$isa:ident $(, $x:ident)+| $body:expr
        } $gradient:tt;
    )+})+) => {
        impl $ElementOps<$T> for () {$($(
            #[inline(always)]
            fn $name() -> &'static Kernel<{ [$(stringify!($x)),+].len() }> {
                <ops::$Op as $Op_trait<$T>>::KERNEL
            }
        )+)+}
    };
}

/// The functions of all groups for each type, of which it has some and lacks others.
macro_rules! functions {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {
        $($(#[$cfg])* functions!(@class $class $T); )*
    };
    (@class float $T:ident) => {
        functions! {
            @groups $T: number signed float,
                lacks BitsUnaryFunctions BitsBinaryFunctions IntegerBinaryFunctions
        }
    };
    (@class half $T:ident) => { functions!(@class float $T); };
    (@class signed $T:ident) => {
        functions! {
            @groups $T: number signed bits integer,
                lacks FloatUnaryFunctions FloatBinaryFunctions
        }
    };
    (@class unsigned $T:ident) => {
        functions! {
            @groups $T: number bits integer,
                lacks SignedUnaryFunctions FloatUnaryFunctions FloatBinaryFunctions
        }
    };
    (@class boolean $T:ident) => {
        functions! {
            @groups $T: bits,
                lacks ElementOps NumberUnaryFunctions NumberBinaryFunctions SignedUnaryFunctions
                    IntegerBinaryFunctions FloatUnaryFunctions FloatBinaryFunctions
        }
    };
    (@groups $T:ident: $($group:ident)*, lacks $($Lacking:ident)*) => {
        impl HasElementOps for $T {
            type ElementOps = ();
        }

        element_binary!(has! [ElementBinaryFunctions BinaryOp for $T]);
        $( functions!(@$group $T); )*
        $( impl $Lacking<$T> for () {} )*
    };
    (@number $T:ident) => {
        number_unary!(has! [NumberUnaryFunctions UnaryOp for $T]);
        number_binary!(has! [NumberBinaryFunctions BinaryOp for $T]);

        impl ElementOps<$T> for () {
            #[inline(always)]
            fn powi() -> &'static Kernel<1> {
                <$T as NumberTernary>::POWI
            }
        }
    };
    (@signed $T:ident) => {
        signed_unary!(has! [SignedUnaryFunctions UnaryOp for $T]);
    };
    (@bits $T:ident) => {
        bits_unary!(has! [BitsUnaryFunctions UnaryOp for $T]);
        bits_binary!(has! [BitsBinaryFunctions BinaryOp for $T]);
    };
    (@integer $T:ident) => {
        integer_binary!(has! [IntegerBinaryFunctions BinaryOp for $T]);
    };
    (@float $T:ident) => {
        float_unary!(has! [FloatUnaryFunctions UnaryOp for $T]);
        float_binary!(has! [FloatBinaryFunctions BinaryOp for $T]);
    };
}

for_each_element!(functions);
