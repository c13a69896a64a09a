//! Conversions between all element types, against exact arithmetic: to floats the nearest one, of two the even
//! one; floats to integers toward zero, within the range; integers to integers the low bits.

use half::{bf16, f16};
use tensor_core::DynTensor;
use tensor_core::element::{CastTo, Element, Number};

/// The exact value of an element.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Value {
    Nan,
    Infinite {
        negative: bool,
    },
    /// `mantissa · 2^exponent`
    Finite {
        negative: bool,
        mantissa: u64,
        exponent: i32,
    },
}

/// An element type as this test knows it.
trait Exact: Element {
    const FLOAT: bool;
    fn value(self) -> Value;
    /// The bits of the right result for a value.
    fn expected(value: Value, from_float: bool) -> u64;
    fn pattern(self) -> u64;
    fn is_nan(self) -> bool {
        self.value() == Value::Nan
    }
    fn samples() -> Vec<Self>;
}

/// The bits of the nearest float with this many bits of mantissa and exponent.
fn nearest(value: Value, mantissa_bits: u32, exponent_bits: u32) -> u64 {
    let sign = |negative: bool| u64::from(negative) << (mantissa_bits + exponent_bits);
    let infinity = ((1 << exponent_bits) - 1) << mantissa_bits;
    let (negative, mantissa, exponent) = match value {
        Value::Nan => return infinity + 1,
        Value::Infinite { negative } => return sign(negative) + infinity,
        Value::Finite { negative, mantissa: 0, .. } => return sign(negative),
        Value::Finite { negative, mantissa, exponent } => (negative, mantissa, exponent),
    };
    // The exponents of the last bit of a subnormal number and of the result.
    let smallest = 2 - (1 << (exponent_bits - 1)) - mantissa_bits as i32;
    let leading = exponent + mantissa.ilog2() as i32;
    let last = (leading - mantissa_bits as i32).max(smallest);
    let rounded = match last - exponent {
        shift @ ..=0 => mantissa << -shift,
        shift @ 1..=64 => {
            let (mantissa, half) = (u128::from(mantissa), 1_u128 << (shift - 1));
            let (whole, rest) = (mantissa >> shift, mantissa & ((1 << shift) - 1));
            (whole + u128::from(rest > half || (rest == half && whole % 2 == 1))) as u64
        }
        _ => 0,
    };
    // The leading bit of a normal number adds 1 to its exponent.
    sign(negative) + ((((last - smallest) as u64) << mantissa_bits) + rounded).min(infinity)
}

/// The value of the bits of a float.
fn value(bits: u64, mantissa_bits: u32, exponent_bits: u32) -> Value {
    let negative = bits >> (mantissa_bits + exponent_bits) == 1;
    let exponent = (bits >> mantissa_bits & ((1 << exponent_bits) - 1)) as i32;
    let mantissa = bits & ((1 << mantissa_bits) - 1);
    if exponent == (1 << exponent_bits) - 1 {
        return if mantissa == 0 { Value::Infinite { negative } } else { Value::Nan };
    }
    let leading = u64::from(exponent > 0) << mantissa_bits;
    let smallest = 2 - (1 << (exponent_bits - 1)) - mantissa_bits as i32;
    Value::Finite {
        negative,
        mantissa: mantissa + leading,
        exponent: smallest + exponent.max(1) - 1,
    }
}

/// All 16-bit floats and the midpoints between two, each with its neighbours among `f64`.
fn around_halves() -> impl Iterator<Item = f64> {
    let all = |to_f64: fn(u16) -> f64| {
        (0..u16::MAX).flat_map(move |bits| {
            let (this, next) = (to_f64(bits), to_f64(bits + 1));
            // Halfway to infinity, where the next float would be.
            let (this, next) = if next.is_infinite() {
                (this, this + (this - to_f64(bits - 1)))
            } else {
                (this, next)
            };
            [this, this + (next - this) / 2.0]
        })
    };
    let all =
        all(|bits| f16::from_bits(bits).to_f64()).chain(all(|bits| bf16::from_bits(bits).to_f64()));
    all.flat_map(|x| [x, x.next_up(), x.next_down(), x * (1.0 + 1e-9)])
}

/// Integers with 9 leading bits, or 25 of which most are 0, and the numbers next to them.
fn integers() -> impl Iterator<Item = i128> {
    let leading = (0..1 << 9)
        .chain((0..32).map(|bits| (1 << 24) + bits))
        .chain([(1 << 54) + 1, (1 << 53) + 1]);
    let all = leading.flat_map(|leading: i128| (0..64).map(move |shift| leading << shift));
    let all = all.filter(|x| *x <= i128::from(u64::MAX) + 1);
    all.flat_map(|x| [x - 1, x, x + 1, 1 - x, -x, -1 - x])
}

macro_rules! floats {
    ($($T:ident: $bits:ident $mantissa:literal $exponent:literal, $samples:expr;)*) => {$(
        impl Exact for $T {
            const FLOAT: bool = true;
            fn value(self) -> Value {
                value(self.to_bits().into(), $mantissa, $exponent)
            }
            fn expected(value: Value, _: bool) -> u64 {
                nearest(value, $mantissa, $exponent)
            }
            fn pattern(self) -> u64 {
                self.to_bits().into()
            }
            fn samples() -> Vec<Self> {
                $samples
            }
        }
    )*};
}

floats! {
    f16: u16 10 5, (0..=u16::MAX).map(f16::from_bits).collect();
    bf16: u16 7 8, (0..=u16::MAX).map(bf16::from_bits).collect();
    f32: u32 23 8, {
        // Most doubles next to each other are the same float.
        let mut near: Vec<f32> = around_halves().map(|x| x as f32).collect();
        near.dedup();
        let near = near.into_iter().flat_map(|x| [x, x.next_up(), x.next_down()]);
        near.chain([f32::MAX, f32::MIN, f32::from_bits(1)]).collect()
    };
    f64: u64 52 11, {
        let integers = integers().map(|x| x as f64).flat_map(|x| [x, x.next_up(), x.next_down(), x + 0.5]);
        let ends = [f64::MAX, f64::MIN, f64::from_bits(1), f64::from(f32::MAX), 2_f64.powi(-150), 0.99, -0.99];
        around_halves().chain(integers).chain(ends).collect()
    };
}

macro_rules! whole {
    ($($T:ident)*) => {$(
        impl Exact for $T {
            const FLOAT: bool = false;
            fn value(self) -> Value {
                #[allow(unused_comparisons, reason = "integers without a sign, too")]
                let negative = self < 0;
                Value::Finite { negative, mantissa: i128::from(self).unsigned_abs() as u64, exponent: 0 }
            }
            fn expected(value: Value, from_float: bool) -> u64 {
                let limits = [i128::from(<$T>::MIN), i128::from(<$T>::MAX)];
                let whole = match value {
                    Value::Nan => 0,
                    Value::Infinite { negative } => limits[usize::from(!negative)],
                    Value::Finite { negative, mantissa, exponent } => {
                        let mantissa = i128::from(mantissa);
                        // Saturated far outside of every range.
                        let whole = match exponent {
                            0.. if mantissa == 0 => 0,
                            0..=60 => mantissa << exponent,
                            61.. => 1 << 120,
                            -63..0 => mantissa >> -exponent,
                            _ => 0,
                        };
                        let whole = if negative { -whole } else { whole };
                        if from_float { whole.clamp(limits[0], limits[1]) } else { whole }
                    }
                };
                whole as u64 & (u64::MAX >> (64 - <$T>::BITS))
            }
            fn pattern(self) -> u64 {
                i128::from(self) as u64 & (u64::MAX >> (64 - <$T>::BITS))
            }
            fn samples() -> Vec<Self> {
                integers().filter_map(|x| x.try_into().ok()).collect()
            }
        }
    )*};
}

whole! { i8 i16 i32 i64 u8 u16 u32 u64 }

impl Exact for bool {
    const FLOAT: bool = false;
    fn value(self) -> Value {
        Value::Finite { negative: false, mantissa: self.into(), exponent: 0 }
    }
    fn expected(value: Value, _: bool) -> u64 {
        u64::from(!matches!(value, Value::Finite { mantissa: 0, .. }))
    }
    fn pattern(self) -> u64 {
        self.into()
    }
    fn samples() -> Vec<Self> {
        vec![false, true]
    }
}

/// Compares what whole tensors and single elements become.
fn check<T: Exact + CastTo<U>, U: Exact>(samples: &[T]) {
    let x = DynTensor::from_vec(&[samples.len()], samples.to_vec()).unwrap();
    // A row of a contiguous tensor and elements that are strided.
    let converted = x.cast::<U>().to_vec();
    let strided = x.flip(&[0]).unwrap().cast::<U>().flip(&[0]).unwrap().to_vec();
    for (index, &from) in samples.iter().enumerate() {
        let expected = U::expected(from.value(), T::FLOAT);
        for got in [converted[index], strided[index], from.to_element()] {
            let is_right =
                if U::FLOAT && from.is_nan() { got.is_nan() } else { got.pattern() == expected };
            assert!(
                is_right,
                "{from:?} becomes {got:?} of bits {:x}, not {expected:x}",
                got.pattern()
            );
        }
    }
}

macro_rules! pairs {
    ($($test:ident: $T:ident;)*) => {$(
        #[test]
        fn $test() {
            let samples = $T::samples();
            pairs!(@to $T, samples: f16 bf16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 bool);
        }
    )*};
    (@to $T:ident, $samples:ident: $($U:ident)*) => { $(check::<$T, $U>(&$samples);)* };
}

pairs! {
    of_f16: f16;
    of_bf16: bf16;
    of_f32: f32;
    of_f64: f64;
    of_i8: i8;
    of_i16: i16;
    of_i32: i32;
    of_i64: i64;
    of_u8: u8;
    of_u16: u16;
    of_u32: u32;
    of_u64: u64;
    of_bool: bool;
}

/// Conversions from `f64` of constants, quantiles and closures.
#[test]
fn numbers_from_f64() {
    fn check<T: Exact + Number>(samples: &[f64]) {
        for &x in samples {
            let (got, expected) = (T::from_f64(x), T::expected(x.value(), true));
            assert!(got.pattern() == expected || x.is_nan(), "{x:?} becomes {got:?}");
        }
    }
    let samples = f64::samples();
    check::<f16>(&samples);
    check::<bf16>(&samples);
    check::<f32>(&samples);
    check::<i8>(&samples);
    check::<u64>(&samples);
}

/// The examples of reports: f64 to 16 bits rounded twice, or without its last bits.
#[test]
fn rounded_once() {
    let x = 1.0 + 2_f64.powi(-11) + 2_f64.powi(-40);
    assert_eq!(CastTo::<f16>::to_element(x).to_f64(), 1.0 + 2_f64.powi(-10));
    assert_eq!(CastTo::<f16>::to_element(65_519.999_999_999_99_f64).to_f64(), 65504.0);
    assert_eq!(CastTo::<f16>::to_element(65520.0_f64), f16::INFINITY);
    assert_eq!(
        CastTo::<bf16>::to_element((1_i64 << 62) + (1 << 54) + 1).to_f64(),
        2_f64.powi(62) + 2_f64.powi(55)
    );
    assert_eq!(CastTo::<bf16>::to_element(u64::MAX).to_f64(), 2_f64.powi(64));
}
