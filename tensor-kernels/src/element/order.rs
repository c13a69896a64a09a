//! Sort keys: elements as unsigned integers that compare like them.

use super::sealed::{HasBits, OfSize};
use crate::ops::elements::for_each_element;
#[cfg(feature = "half")]
use crate::ops::elements::types::*;

/// An unsigned integer of 32 or 64 bits.
#[doc(hidden)]
pub trait KeyBits: Ord + Copy + Into<u64> + core::ops::Not<Output = Self> {
    /// The lowest bits of a 64-bit key.
    fn truncated(key: u64) -> Self;
}

impl KeyBits for u32 {
    fn truncated(key: u64) -> Self {
        key as Self
    }
}

impl KeyBits for u64 {
    fn truncated(key: u64) -> Self {
        key
    }
}

/// Elements as sort keys: larger elements have larger keys, NaN the largest.
///
/// A supertrait of `Element`: none of its items is a method, so that none is ambiguous in users' code.
#[doc(hidden)]
pub trait OrderKey: Sized {
    /// The type of the key.
    type OrderKey: KeyBits;
    /// -0.0, if the type has it; else 0.
    const NEGATIVE_ZERO: Self;

    /// The key, which has 32 bits if the element has at most 32. -0.0 comes before 0.0.
    fn order_key(x: Self) -> u64;
    /// The element with this key.
    fn from_order_key(key: u64) -> Self;
}

/// The key of a float: its bits, all of them flipped for negative floats, and only the sign flipped for
/// others.
macro_rules! float_key {
    ($bits:expr, $Bits:ty) => {{
        let bits: $Bits = $bits;
        let sign = 1 << (<$Bits>::BITS - 1);
        if bits & sign == 0 { bits | sign } else { !bits }
    }};
}

/// The inverse of [`float_key`]: the bits of a float.
macro_rules! float_bits {
    ($key:expr, $Bits:ty) => {{
        let key = $key as $Bits;
        let sign = 1 << (<$Bits>::BITS - 1);
        if key & sign != 0 { key ^ sign } else { !key }
    }};
}

macro_rules! keys {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {$(
        $(#[$cfg])*
        impl OrderKey for $T { keys!(@$class $T); }
    )*};
    (@float f32) => { keys!(@float f32, u32); };
    (@float f64) => { keys!(@float f64, u64); };
    (@float $T:ident, $Bits:ident) => {
        type OrderKey = $Bits;
        const NEGATIVE_ZERO: Self = -0.0;

        #[inline]
        fn order_key(x: Self) -> u64 {
            if x.is_nan() { <$Bits>::MAX.into() } else { float_key!(x.to_bits(), $Bits).into() }
        }

        #[inline]
        fn from_order_key(key: u64) -> Self {
            if key == u64::from(<$Bits>::MAX) { Self::NAN } else { Self::from_bits(float_bits!(key, $Bits)) }
        }
    };
    // The key of a 16-bit float is the upper half of 32 bits.
    (@half $T:ident) => {
        type OrderKey = u32;
        const NEGATIVE_ZERO: Self = Self::NEG_ZERO;

        #[inline]
        fn order_key(x: Self) -> u64 {
            let bits = u32::from(x.to_bits()) << 16;
            if x.is_nan() { u32::MAX.into() } else { float_key!(bits, u32).into() }
        }

        #[inline]
        fn from_order_key(key: u64) -> Self {
            if key == u64::from(u32::MAX) {
                return Self::NAN;
            }
            Self::from_bits((float_bits!(key, u32) >> 16) as _)
        }
    };
    (@signed $T:ident) => {
        const NEGATIVE_ZERO: Self = 0;
        type OrderKey = <OfSize<{ if size_of::<$T>() > 4 { 8 } else { 4 } }> as HasBits>::Bits;

        #[inline]
        fn order_key(x: Self) -> u64 {
            (x as i64).wrapping_sub(<$T>::MIN as i64) as u64
        }

        #[inline]
        fn from_order_key(key: u64) -> Self {
            (key as i64).wrapping_add(<$T>::MIN as i64) as $T
        }
    };
    (@unsigned $T:ident) => {
        const NEGATIVE_ZERO: Self = 0;
        type OrderKey = <OfSize<{ if size_of::<$T>() > 4 { 8 } else { 4 } }> as HasBits>::Bits;

        #[inline]
        fn order_key(x: Self) -> u64 {
            x.into()
        }

        #[inline]
        fn from_order_key(key: u64) -> Self {
            key as $T
        }
    };
    (@boolean $T:ident) => {
        const NEGATIVE_ZERO: Self = false;
        type OrderKey = u32;

        #[inline]
        fn order_key(x: Self) -> u64 {
            x.into()
        }

        #[inline]
        fn from_order_key(key: u64) -> Self {
            key != 0
        }
    };
}

for_each_element!(keys);

#[cfg(test)]
mod tests {
    use super::OrderKey;
    use crate::element::Element;

    fn check<T: Element>(ascending: &[T]) {
        for pair in ascending.windows(2) {
            assert!(T::order_key(pair[0]) < T::order_key(pair[1]), "{} {}", pair[0], pair[1]);
        }
        for &element in ascending {
            assert!(size_of::<T>() == 8 || T::order_key(element) <= u64::from(u32::MAX));
            let same = T::from_order_key(T::order_key(element));
            #[expect(clippy::eq_op, reason = "NaN is the one that differs from itself")]
            let are_nan = same != same && element != element;
            assert!(same == element || are_nan);
            assert_eq!(T::order_key(same), T::order_key(element));
        }
    }

    #[test]
    fn keys_are_in_the_order_of_the_elements() {
        macro_rules! floats {
            ($T:ident) => {
                let (least, most) = ($T::MIN, $T::MAX);
                let (infinity, nan) = ($T::INFINITY, $T::NAN);
                check(&[
                    -infinity,
                    least,
                    -1.0,
                    -$T::MIN_POSITIVE,
                    -0.0,
                    0.0,
                    1.0,
                    most,
                    infinity,
                    nan,
                ]);
                assert_eq!($T::order_key(-nan), $T::order_key(nan));
            };
        }
        floats!(f32);
        floats!(f64);
        check(&[i8::MIN, -1, 0, 1, i8::MAX]);
        check(&[i64::MIN, -1, 0, 1, i64::MAX]);
        check(&[0, 1, u32::MAX]);
        check(&[0, 1, u64::MAX]);
        check(&[false, true]);
    }

    #[cfg(feature = "half")]
    #[test]
    fn keys_of_halves_are_in_the_order_of_the_elements() {
        use half::{bf16, f16};

        let [f, b] = [1.0, -1.0].map(f16::from_f32).map(|x| (x, bf16::from_f32(x.to_f32())));
        check(&[
            f16::NEG_INFINITY,
            f16::MIN,
            b.0,
            f16::NEG_ZERO,
            f16::ZERO,
            f.0,
            f16::MAX,
            f16::INFINITY,
            f16::NAN,
        ]);
        check(&[
            bf16::NEG_INFINITY,
            bf16::MIN,
            b.1,
            bf16::NEG_ZERO,
            bf16::ZERO,
            f.1,
            bf16::MAX,
            bf16::NAN,
        ]);
    }
}
