//! Tensors of rank 0 used as numbers: `f32::from(x.sum())`, `total += x.sum()`.

use core::ops::{AddAssign, DivAssign, MulAssign, SubAssign};

use tensor_kernels::ops::elements::for_each_element;
#[cfg(feature = "half")]
use tensor_kernels::ops::elements::types::*;

use crate::tensor::Tensor;

/// The impls for the element types. They are impls for types of `core`, so none is generic.
macro_rules! numbers {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {
        $($(#[$cfg])* numbers!(@$class $T);)*
    };
    (@boolean $T:ident) => {
        /// Converts a tensor of rank 0 to its number, like [`item`](Tensor::item).
        impl From<Tensor<(), $T>> for $T {
            fn from(tensor: Tensor<(), $T>) -> $T {
                tensor.item()
            }
        }
    };
    (@$class:ident $T:ident) => {
        numbers!(@boolean $T);
        numbers!(@assign $T AddAssign::add_assign);
        numbers!(@assign $T SubAssign::sub_assign);
        numbers!(@assign $T MulAssign::mul_assign);
        numbers!(@assign $T DivAssign::div_assign);
    };
    (@assign $T:ident $Trait:ident::$method:ident) => {
        /// The number on the left, the tensor of rank 0 on the right.
        impl $Trait<Tensor<(), $T>> for $T {
            #[track_caller]
            fn $method(&mut self, tensor: Tensor<(), $T>) {
                $Trait::$method(self, tensor.item());
            }
        }
    };
}

for_each_element!(numbers);
