//! Conversion from one type of elements to another.

use super::Element;
use crate::ops::CastKernel;

/// Converts one element, as `x.cast::<U>()` does.
///
/// Numbers convert as Rust's `as` does: floats to integers round toward zero, stay within the range
/// of the integer, and NaN gives 0; integers to narrower integers keep the low bits; to floats
/// gives the nearest. `bool` gives 0 and 1, and every number but 0 gives `true`.
///
/// ```
/// use tensor_core::{Tensor, element::CastTo, shape, tensor};
///
/// fn floats<T: CastTo<f32>>(x: &Tensor<shape![2], T>) -> Tensor<shape![2]> {
///     x.cast::<f32>()
/// }
///
/// assert_eq!(floats(&tensor![true, false]), tensor![1.0, 0.0]);
/// ```
#[diagnostic::on_unimplemented(
    message = "elements of type `{Self}` do not become elements of type `{U}`",
    label = "`{U}` is not a type of tensor elements",
    note = "elements are f32, f64, i8 to i64, u8 to u64 and bool, and with the feature `half` f16 and bf16; in generic code, add the bound `{Self}: CastTo<{U}>` [T501]"
)]
pub trait CastTo<U>: Element + CastKernel<U> {
    /// What methods name beside this bound, so that a message is about the call alone: see
    /// [`bounds`](crate::bounds).
    #[doc(hidden)]
    type Checked;

    /// The element as `U`.
    fn cast_to(self) -> U;
}

macro_rules! casts {
    ([$($T:ident)*] to $all:tt) => {$( casts!(@row $T $all); )*};
    (@row $T:ident [$($U:ident)*]) => {
        $(
            #[diagnostic::do_not_recommend]
            impl CastTo<$U> for $T {
                type Checked = Self;

                #[inline(always)]
                fn cast_to(self) -> $U {
                    self as $U
                }
            }
        )*
        #[diagnostic::do_not_recommend]
        impl CastTo<bool> for $T {
            type Checked = Self;

            #[inline(always)]
            fn cast_to(self) -> bool {
                self != Self::ZERO
            }
        }
        #[diagnostic::do_not_recommend]
        impl CastTo<$T> for bool {
            type Checked = Self;

            #[inline(always)]
            fn cast_to(self) -> $T {
                u8::from(self) as $T
            }
        }
    };
}

casts!([f32 f64 i8 i16 i32 i64 u8 u16 u32 u64] to [f32 f64 i8 i16 i32 i64 u8 u16 u32 u64]);
#[diagnostic::do_not_recommend]
impl CastTo<bool> for bool {
    type Checked = Self;

    #[inline(always)]
    fn cast_to(self) -> bool {
        self
    }
}

#[cfg(feature = "half")]
mod sixteen_bits {
    use half::{bf16, f16};

    use super::CastTo;

    macro_rules! casts {
        ([$($H:ident)*] with $all:tt) => {$( casts!(@row $H $all); )*};
        (@row $H:ident [$($T:ident)*]) => {
            $(
                #[diagnostic::do_not_recommend]
                impl CastTo<$T> for $H {
                    type Checked = Self;

                    fn cast_to(self) -> $T {
                        self.to_f64() as $T
                    }
                }
                #[diagnostic::do_not_recommend]
                impl CastTo<$H> for $T {
                    type Checked = Self;

                    fn cast_to(self) -> $H {
                        $H::from_f64(self as f64)
                    }
                }
            )*
            #[diagnostic::do_not_recommend]
            impl CastTo<bool> for $H {
                type Checked = Self;

                fn cast_to(self) -> bool {
                    self != Self::ZERO
                }
            }
            #[diagnostic::do_not_recommend]
            impl CastTo<$H> for bool {
                type Checked = Self;

                fn cast_to(self) -> $H {
                    if self { $H::ONE } else { $H::ZERO }
                }
            }
        };
    }

    casts!([f16 bf16] with [f32 f64 i8 i16 i32 i64 u8 u16 u32 u64]);

    macro_rules! between {
        ($($T:ident to $U:ident)*) => {$(
            #[diagnostic::do_not_recommend]
            impl CastTo<$U> for $T {
                type Checked = Self;

                fn cast_to(self) -> $U {
                    $U::from_f32(self.to_f32())
                }
            }
        )*};
    }

    between!(f16 to f16 f16 to bf16 bf16 to f16 bf16 to bf16);
}
