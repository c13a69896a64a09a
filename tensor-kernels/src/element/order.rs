//! Sort keys: elements as unsigned integers that compare like them.

use crate::element::Element;
use crate::ops::elements::for_each_element;
#[cfg(feature = "half")]
use crate::ops::elements::types::*;

/// An unsigned integer of 32 or 64 bits.
pub(crate) trait KeyBits: Ord + Copy + Into<u64> + core::ops::Not<Output = Self> {
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

/// The key types of element types, by whether they have more than 32 bits.
pub(crate) struct Width<const IS_WIDE: bool>;

pub(crate) trait HasBits {
    /// The key type.
    type Bits: KeyBits;
}

impl HasBits for Width<false> {
    type Bits = u32;
}

impl HasBits for Width<true> {
    type Bits = u64;
}

/// An element with a sort key: larger elements have larger keys, NaN the largest.
pub(crate) trait OrderKey: Element {
    /// The type of the key.
    type Bits: KeyBits;
    /// -0.0, if the type has it; else 0.
    const NEGATIVE_ZERO: Self = Self::ZERO;

    /// The key, which has 32 bits if the element has at most 32. -0.0 comes before 0.0.
    fn key(self) -> u64;
    /// The element with this key.
    fn from_key(key: u64) -> Self;

    /// Like [`key`](OrderKey::key), but the same for -0.0 and 0.0: equal elements have equal ranks.
    fn rank(self) -> u64 {
        if self == Self::ZERO { Self::ZERO.key() } else { self.key() }
    }

    /// Whether the element is NaN.
    fn is_unordered(self) -> bool {
        #[expect(clippy::eq_op, reason = "NaN is the one that differs from itself")]
        let differs = self != self;
        differs
    }
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
        type Bits = $Bits;
        const NEGATIVE_ZERO: Self = -0.0;

        #[inline]
        fn key(self) -> u64 {
            if self.is_nan() { <$Bits>::MAX.into() } else { float_key!(self.to_bits(), $Bits).into() }
        }

        #[inline]
        fn from_key(key: u64) -> Self {
            if key == u64::from(<$Bits>::MAX) { Self::NAN } else { Self::from_bits(float_bits!(key, $Bits)) }
        }
    };
    // The key of a 16-bit float is the upper half of 32 bits.
    (@half $T:ident) => {
        type Bits = u32;
        const NEGATIVE_ZERO: Self = Self::NEG_ZERO;

        #[inline]
        fn key(self) -> u64 {
            let bits = u32::from(self.to_bits()) << 16;
            if self.is_nan() { u32::MAX.into() } else { float_key!(bits, u32).into() }
        }

        #[inline]
        fn from_key(key: u64) -> Self {
            if key == u64::from(u32::MAX) {
                return Self::NAN;
            }
            Self::from_bits((float_bits!(key, u32) >> 16) as _)
        }
    };
    (@signed $T:ident) => {
        type Bits = <Width<{ size_of::<$T>() > 4 }> as HasBits>::Bits;

        #[inline]
        fn key(self) -> u64 {
            (self as i64).wrapping_sub(<$T>::MIN as i64) as u64
        }

        #[inline]
        fn from_key(key: u64) -> Self {
            (key as i64).wrapping_add(<$T>::MIN as i64) as $T
        }
    };
    (@unsigned $T:ident) => {
        type Bits = <Width<{ size_of::<$T>() > 4 }> as HasBits>::Bits;

        #[inline]
        fn key(self) -> u64 {
            self.into()
        }

        #[inline]
        fn from_key(key: u64) -> Self {
            key as $T
        }
    };
    (@boolean $T:ident) => {
        type Bits = u32;

        #[inline]
        fn key(self) -> u64 {
            self.into()
        }

        #[inline]
        fn from_key(key: u64) -> Self {
            key != 0
        }
    };
}

for_each_element!(keys);

#[cfg(test)]
mod tests {
    use super::OrderKey;

    fn check<T: OrderKey>(ascending: &[T]) {
        for pair in ascending.windows(2) {
            assert!(pair[0].key() < pair[1].key(), "{} {}", pair[0], pair[1]);
        }
        for &element in ascending {
            assert!(size_of::<T>() == 8 || element.key() <= u64::from(u32::MAX));
            let same = T::from_key(element.key());
            assert!(same == element || same.is_unordered() && element.is_unordered());
            assert_eq!(same.key(), element.key());
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
                assert_eq!((-nan).key(), nan.key());
                assert_eq!((-0.0 as $T).rank(), (0.0 as $T).rank());
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
