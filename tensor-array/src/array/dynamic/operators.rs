//! The operators of [`DynTensor`], generated from the [table](tensor_kernels::ops).

use core::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Rem, Shl, Shr, Sub};

use tensor_kernels::element::{Bits, Integer, Number, Signed};
use tensor_kernels::ops;
use tensor_kernels::ops::{bits_binary, integer_binary, number_binary};
use tensor_kernels::sizes::error::ShapeError;

use super::DynTensor;

/// Generates the operators of a group of operations on two operands; methods are skipped.
macro_rules! binary_operators {
    ([$Bound:ident] $(topic $topic:literal {$(
        $(#[$meta:meta])* $kind:ident $name:ident: $Op:ident -> $Out:tt $row:tt
    )+})+) => {
        $($( binary_operators!(@$kind $Bound $name $Op); )+)+
    };
    (@method $Bound:ident $name:ident $Op:ident) => {};
    (@operator $Bound:ident $name:ident $Op:ident) => {
        #[doc = concat!("`x.", stringify!($name), "(y)`, element-wise: `[..l], [..r] → [..(l ⊕ r)]`.")]
        ///
        /// # Errors
        ///
        /// If the shapes do not broadcast, or the result does not fit into memory.
        #[doc = concat!(
            "\n```\nuse tensor_core::{DynTensor, tensor};\n\n",
            "let (x, y) = (tensor![7, 5], tensor![[2], [1]]);\n",
            "let result = core::ops::", stringify!($Op), "::", stringify!($name),
            "(&DynTensor::from(x.clone()), &DynTensor::from(y.clone()))?;\n",
            "assert_eq!(result, DynTensor::from(core::ops::", stringify!($Op), "::",
            stringify!($name), "(x, y)));\n",
            "# Ok::<(), tensor_core::ShapeError>(())\n```",
        )]
        impl<T: $Bound> $Op for &DynTensor<T> {
            type Output = Result<DynTensor<T>, ShapeError>;

            #[track_caller]
            fn $name(self, right: Self) -> Self::Output {
                self.binary::<ops::$Op>(right)
            }
        }

        binary_operators!(@owned $Bound $name $Op DynTensor<T>, DynTensor<T>);
        binary_operators!(@owned $Bound $name $Op DynTensor<T>, &DynTensor<T>);
        binary_operators!(@owned $Bound $name $Op &DynTensor<T>, DynTensor<T>);

        #[doc = concat!("`x.", stringify!($name), "(y)` with a scalar, element-wise: `[..s] → [..s]`.")]
        impl<T: $Bound> $Op<T> for &DynTensor<T> {
            type Output = DynTensor<T>;

            #[track_caller]
            fn $name(self, right: T) -> Self::Output {
                self.with_scalar::<ops::$Op>(right, 1)
            }
        }

        #[doc = concat!("`x.", stringify!($name), "(y)` with a scalar, element-wise: `[..s] → [..s]`.")]
        impl<T: $Bound> $Op<T> for DynTensor<T> {
            type Output = Self;

            #[track_caller]
            fn $name(self, right: T) -> Self {
                self.with_scalar::<ops::$Op>(right, 1)
            }
        }
    };
    (@owned $Bound:ident $name:ident $Op:ident $Left:ty, $Right:ty) => {
        #[doc = concat!("`x.", stringify!($name), "(y)` of owned operands.")]
        ///
        /// # Errors
        ///
        /// As that of borrowed ones.
        impl<T: $Bound> $Op<$Right> for $Left {
            type Output = Result<DynTensor<T>, ShapeError>;

            #[track_caller]
            fn $name(self, right: $Right) -> Self::Output {
                self.binary::<ops::$Op>(&right)
            }
        }
    };
}

number_binary!(binary_operators![Number]);
bits_binary!(binary_operators![Bits]);
integer_binary!(binary_operators![Integer]);

impl<T: Signed> Neg for &DynTensor<T> {
    type Output = DynTensor<T>;

    #[track_caller]
    fn neg(self) -> DynTensor<T> {
        DynTensor::neg(self)
    }
}

impl<T: Bits> Not for &DynTensor<T> {
    type Output = DynTensor<T>;

    #[track_caller]
    fn not(self) -> DynTensor<T> {
        DynTensor::not(self)
    }
}

impl<T: Signed> Neg for DynTensor<T> {
    type Output = Self;

    #[track_caller]
    fn neg(self) -> Self {
        DynTensor::neg(&self)
    }
}

impl<T: Bits> Not for DynTensor<T> {
    type Output = Self;

    #[track_caller]
    fn not(self) -> Self {
        DynTensor::not(&self)
    }
}
