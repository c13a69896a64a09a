//! Functions of `f32` computed in `f64`: 29 more bits absorb every cancellation.
//!
//! The constants come from `tools/minimax.py`.

use core::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2, LN_2, LOG2_E};

use super::exp_log::single_precision::power_or_special;
use crate::element::Isa;

const EXP: [f64; 6] = [
    0.50000000142862233,
    0.16666666682534356,
    0.041666456809677878,
    8.3333100242252919e-3,
    1.3934541928270264e-3,
    1.989198131397769e-4,
];
const LN: [f64; 6] = [
    0.666666666666618,
    0.40000000011787484,
    0.28571423954752284,
    0.22222882159268573,
    0.18139329084810124,
    0.16634817293436976,
];
const SIN: [f64; 4] =
    [-0.16666666663832763, 8.3333318659594147e-3, -1.9840082012765537e-4, 2.7249314054698804e-6];
const COS: [f64; 4] =
    [-0.49999999968871983, 0.041666650548440196, -1.3887583970817676e-3, 2.4463116702438325e-5];
const ERF: [f64; 8] = [
    1.1283791670615435,
    -0.37612638468028708,
    0.11283782495236845,
    -0.026865430727670243,
    5.2210318078580228e-3,
    -8.4840804055351068e-4,
    1.1265959025606609e-4,
    -9.6670445714869965e-6,
];
const ERFC: [f64; 13] = [
    0.25539567632964999,
    -0.42718584783206986,
    0.24165819224495089,
    -0.078978562294478943,
    3.7329301626218181e-3,
    6.9972239758586356e-3,
    -8.4745411559521892e-4,
    -9.8067726033492669e-4,
    4.4987319797287076e-5,
    1.7089946377153446e-4,
    2.3663819336675136e-5,
    -2.3303398084656494e-5,
    -8.2631552687196636e-6,
];

const DIGITS: u32 = f64::MANTISSA_DIGITS - 1;
const BIAS: i64 = f64::MAX_EXP as i64 - 1;

/// The magic number `1.5 · 2^52`: adding it rounds to the nearest integer, in the low bits of the sum.
const ROUND_MAGIC: f64 = 1.5 * (1_u64 << DIGITS) as f64;

/// `e^x`, for `|x| ≤ 700`.
#[inline(always)]
fn exp(isa: Isa, x: f64) -> f64 {
    let shifted = isa.mul_add(x, LOG2_E, ROUND_MAGIC);
    let r = isa.mul_add(shifted - ROUND_MAGIC, -LN_2, x);
    let n = (shifted.to_bits() as i64).wrapping_sub(ROUND_MAGIC.to_bits() as i64);
    let power = f64::from_bits((n.wrapping_add(BIAS) << DIGITS) as u64);
    isa.mul_add(isa.mul_add(r * r, polynomial!(isa, r, EXP), r), power, power)
}

/// `ln x`, for normal positive `x`.
#[inline(always)]
fn ln(isa: Isa, x: f64) -> f64 {
    const ROOT: u64 = FRAC_1_SQRT_2.to_bits();
    let bits = x.to_bits().wrapping_sub(ROOT);
    let k = (bits as i64) >> DIGITS;
    let k = f64::from_bits((ROUND_MAGIC.to_bits() as i64).wrapping_add(k) as u64) - ROUND_MAGIC;
    let f = f64::from_bits((bits & ((1 << DIGITS) - 1)) + ROOT) - 1.0;
    let s = f / (2.0 + f);
    let z = s * s;
    isa.mul_add(k, LN_2, isa.mul_add(s * z, polynomial!(isa, z, LN), 2.0 * s))
}

/// `x^y`, with the special values of C's `pow`.
#[inline(always)]
pub(in crate::element) fn pow(isa: Isa, x: f32, y: f32) -> f32 {
    let size = x.abs();
    let logarithm = if size > 0.0 && size < f32::INFINITY {
        ln(isa, f64::from(size))
    } else if size == 0.0 {
        f64::NEG_INFINITY
    } else {
        f64::from(size)
    };
    let product = f64::from(y) * logarithm;
    let product = if product > 200.0 { 200.0 } else { product };
    let product = if product < -200.0 { -200.0 } else { product };
    let power = exp(isa, product) as f32;
    power_or_special(x, y, power)
}

/// The fraction bits of 2/π.
const TWO_OVER_PI: [u64; 4] =
    [0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561];

/// Argument reduction: `x = q π/2 + r` with `|r| ≤ π/4`, for `x ≥ 0`: `(q, r)`, with relative error
/// 2^-31 of `r` over the whole range.
///
/// The significand is multiplied with the bits of 2/π that matter modulo a full turn: two for the
/// quadrant, 62 for the fraction, and 32 guard bits
/// ([Payne and Hanek, 1983](https://doi.org/10.1145/1057600.1057602)).
#[inline(always)]
fn rem_pio2(x: f32) -> (u64, f64) {
    let bits = u64::from(x.to_bits());
    let significand = bits & 0x7f_ffff | 0x80_0000;
    // Index of the last of the first 64 bits: for ½ the 38th fraction bit. A lookup by this index would
    // prevent vectorisation.
    let last = (bits >> 23).wrapping_sub(126 - 38) & 0xff;
    let [first, second, third, fourth] = TWO_OVER_PI;
    let (before, here, after) = if last < 64 {
        (0, first, second)
    } else if last < 128 {
        (first, second, third)
    } else {
        (second, third, fourth)
    };
    let (up, down) = (last & 63, 63 - (last & 63));
    let head = before << up | here >> 1 >> down;
    let tail = (here << up | after >> 1 >> down) >> 32;
    let quarters =
        significand.wrapping_mul(head).wrapping_add(significand.wrapping_mul(tail) >> 32);
    let q = quarters.wrapping_add(1 << 61) >> 62;
    let rest = quarters.wrapping_sub(q << 62) as i64;
    let r = rest as f64 * (FRAC_PI_2 / (1_u64 << 62) as f64);
    let near = x < core::f32::consts::FRAC_PI_4;
    (if near { 0 } else { q }, if near { f64::from(x) } else { r })
}

/// `sin(r + q π/2)`, negated by the sign bit `sign`; NaN for infinite or NaN `x`.
#[inline(always)]
fn sine(isa: Isa, x: f32, q: u64, r: f64, sign: u32) -> f32 {
    let z = r * r;
    let sine = isa.mul_add(r * z, polynomial!(isa, z, SIN), r);
    let cosine = isa.mul_add(z, polynomial!(isa, z, COS), 1.0);
    let value = if q & 1 == 1 { cosine } else { sine } as f32;
    let value = f32::from_bits(value.to_bits() ^ sign ^ ((q as u32 & 2) << 30));
    if x.abs() < f32::INFINITY { value } else { f32::NAN }
}

#[inline(always)]
pub(in crate::element) fn sin(isa: Isa, x: f32) -> f32 {
    let (q, r) = rem_pio2(x.abs());
    sine(isa, x, q, r, x.to_bits() & (1 << 31))
}

#[inline(always)]
pub(in crate::element) fn cos(isa: Isa, x: f32) -> f32 {
    let (q, r) = rem_pio2(x.abs());
    sine(isa, x, q + 1, r, 0)
}

/// `1 - erf(a)`, to 32 bits, for `0 ≤ a ≤ 10.5`.
#[inline(always)]
fn erfc(isa: Isa, a: f64) -> f64 {
    // `(a - 2) / (a + 2)` by an inverse of 24 bits and a step of Newton's method, which a division takes twice as long as.
    let divisor = a + 2.0;
    let inverse = f64::from(1.0 / divisor as f32);
    let inverse = isa.mul_add(isa.mul_add(-divisor, inverse, 1.0), inverse, inverse);
    exp(isa, -a * a) * polynomial!(isa, isa.mul_add(inverse, -4.0, 1.0), ERFC)
}

#[inline(always)]
pub(in crate::element) fn erf(isa: Isa, x: f32) -> f32 {
    // erf(4) is 1 in f32.
    let size = if x.abs() > 4.0 { 4.0 } else { f64::from(x.abs()) };
    let near = size * polynomial!(isa, size * size, ERF);
    let value = if size < 1.0 { near } else { 1.0 - erfc(isa, size) };
    (value as f32).copysign(x)
}

#[inline(always)]
pub(in crate::element) fn gelu(isa: Isa, x: f32) -> f32 {
    // Below this bound the result is subnormal, for which 0 is given: see [`Float`](crate::Float).
    const ZERO: f32 = -13.146247;
    let bounded = f64::from(if x < ZERO { ZERO } else { x });
    let size = if bounded > -f64::from(ZERO) { -f64::from(ZERO) } else { bounded.abs() };
    let tail = 0.5 * erfc(isa, size * FRAC_1_SQRT_2);
    let tail = if x < 0.0 { tail } else { 1.0 - tail };
    if x < ZERO { -0.0 } else { (bounded * tail) as f32 }
}
