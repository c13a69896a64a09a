//! Conversion from one element type to another.

use super::Element;
use crate::ops::CastKernel;
use crate::ops::elements::for_each_element;
#[cfg(feature = "half")]
use crate::ops::elements::types::*;

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
    label = "no conversion from `{Self}` to `{U}` is known here",
    note = "elements are f32, f64, i8 to i64, u8 to u64 and bool, and with the feature `half` f16 and bf16; in generic code, add the bound `{Self}: CastTo<{U}>` [T501]"
)]
pub trait CastTo<U>: Element + CastKernel<U> {
    /// The element as `U`.
    fn to_element(self) -> U;
}

/// Generates the impls for every pair of types, by their classes.
macro_rules! casts {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {
        $($(#[$cfg])* for_each_element!(casts @from $T $class); )*
    };
    (@from $T:ident $from:ident $($(#[$cfg:meta])* $U:ident: $class:ident $Other:ident;)*) => {
        $($(#[$cfg])* casts!(@$from $T to $class $U); )*
    };
    (@boolean $T:ident to boolean $U:ident) => { casts!(@impl $T to $U: |x| x); };
    (@half $T:ident to half $U:ident) => { casts!(@impl $T to $U: |x| $U::from_f32(x.to_f32())); };
    (@boolean $T:ident to half $U:ident) => {
        casts!(@impl $T to $U: |x| if x { $U::ONE } else { $U::ZERO });
    };
    (@boolean $T:ident to $number:ident $U:ident) => { casts!(@impl $T to $U: |x| u8::from(x) as $U); };
    (@$number:ident $T:ident to boolean $U:ident) => { casts!(@impl $T to $U: |x| x != $T::ZERO); };
    (@half $T:ident to $number:ident $U:ident) => { casts!(@impl $T to $U: |x| x.to_f64() as $U); };
    (@float $T:ident to half $U:ident) => {
        casts!(@impl $T to $U: |x| $U::from_f32(f64_to_odd(f64::from(x))));
    };
    (@unsigned $T:ident to half $U:ident) => {
        casts!(@impl $T to $U: |x| $U::from_f32(u64_to_odd(u64::from(x))));
    };
    (@signed $T:ident to half $U:ident) => {
        casts!(@impl $T to $U: |x| {
            let magnitude = u64_to_odd(u64::from(x.unsigned_abs()));
            $U::from_f32(if x < 0 { -magnitude } else { magnitude })
        });
    };
    (@$number:ident $T:ident to $other:ident $U:ident) => { casts!(@impl $T to $U: |x| x as $U); };
    (@impl $T:ident to $U:ident: |$x:ident| $cast:expr) => {
        #[diagnostic::do_not_recommend]
        impl CastTo<$U> for $T {
            #[inline(always)]
            fn to_element(self) -> $U {
                let $x = self;
                $cast
            }
        }
    };
}

for_each_element!(casts);

/// The number rounded to odd as an `f32`: if it is not exact, the one of the two nearest whose last bit is 1.
///
/// Rounding the result to a 16-bit float gives the same as rounding the number: it is halfway between two
/// 16-bit floats only if the number is, as `f32` has at least two more bits at every magnitude
/// ([Boldo and Melquiond, 2008](https://doi.org/10.1109/TC.2007.70819)).
#[cfg(feature = "half")]
#[inline(always)]
pub(super) fn f64_to_odd(x: f64) -> f32 {
    let nearest = x as f32;
    let (wide, bits) = (f64::from(nearest), nearest.to_bits());
    if wide == x || x.is_nan() || bits % 2 == 1 {
        return nearest;
    }
    // The neighbour on the other side of the number.
    f32::from_bits(if wide.abs() > x.abs() { bits - 1 } else { bits + 1 })
}

/// [`f64_to_odd`] of an integer.
#[cfg(feature = "half")]
#[inline(always)]
fn u64_to_odd(x: u64) -> f32 {
    // Above 53 bits, the last 11 bits only determine whether the number is exact without them.
    let exact =
        if x >> 53 == 0 { x } else { x >> 11 << 11 | u64::from(!x.is_multiple_of(1 << 11)) << 11 };
    f64_to_odd(exact as f64)
}
