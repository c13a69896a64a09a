//! A tensor of rank 0 where a number is wanted: `f32::from(x.sum())`, `total += x.sum()`.

use core::ops::{AddAssign, DivAssign, MulAssign, SubAssign};

#[cfg(feature = "half")]
use half::{bf16, f16};

use crate::tensor::Tensor;

/// The impls for the element types. They are impls for types of `core`, so none is generic.
macro_rules! numbers {
    (numbers: $($(#[$cfg:meta])* $T:ident)*) => {$(
        numbers!(@from $(#[$cfg])* $T);
        numbers!(@assign $(#[$cfg])* $T AddAssign::add_assign);
        numbers!(@assign $(#[$cfg])* $T SubAssign::sub_assign);
        numbers!(@assign $(#[$cfg])* $T MulAssign::mul_assign);
        numbers!(@assign $(#[$cfg])* $T DivAssign::div_assign);
    )*};
    (@from $(#[$cfg:meta])* $T:ident) => {
        /// The number of a tensor of rank 0, as [`item`](Tensor::item) gives it.
        $(#[$cfg])*
        impl From<Tensor<(), $T>> for $T {
            fn from(tensor: Tensor<(), $T>) -> $T {
                tensor.item()
            }
        }
    };
    (@assign $(#[$cfg:meta])* $T:ident $Trait:ident::$method:ident) => {
        /// The number of a tensor of rank 0 on the right.
        $(#[$cfg])*
        impl $Trait<Tensor<(), $T>> for $T {
            #[track_caller]
            fn $method(&mut self, tensor: Tensor<(), $T>) {
                $Trait::$method(self, tensor.item());
            }
        }
    };
}

numbers! {
    numbers: f32 f64 i8 i16 i32 i64 u8 u16 u32 u64
    #[cfg(feature = "half")] f16
    #[cfg(feature = "half")] bf16
}
numbers!(@from bool);
