//! Sine and cosine of `f64`.
//!
//! The constants come from `tools/minimax.py`.

use core::f64::consts::{FRAC_PI_2, FRAC_PI_4};

use super::constants::{COS, SIN, TWO_OVER_PI};
use super::double_double::fast_two_sum;
use crate::element::Isa;

/// The low 32 of 64 bits.
const LAST: u64 = u32::MAX as u64;

/// At `k` the bits of `2/π · 2^-1077` from bit `32 k` on: for `k` the biased exponent of an `f64` over 32,
/// these are the bits that matter modulo a full turn.
const WINDOWS: [u64; 70] = {
    let mut windows = [0; 70];
    let mut k = 32;
    while k < 70 {
        // TWO_OVER_PI begins with a word of zeros.
        let first = 32 * k + 64 - 1077;
        let (word, shift) = (first / 64, first % 64);
        windows[k] = TWO_OVER_PI[word] << shift | TWO_OVER_PI[word + 1] >> 1 >> (63 - shift);
        k += 1;
    }
    windows
};

/// `bits · 2^-places`, for 32 bits.
#[inline(always)]
fn fraction(bits: u64, positions: u64) -> f64 {
    let zero = (1023 + 52 - positions) << 52;
    f64::from_bits(zero | bits) - f64::from_bits(zero)
}

/// `x = q π/2 + r` with `|r| ≤ π/4`, for `x ≥ 0`: `(q, r, rounding error of r)`.
///
/// The significand is multiplied with the 192 bits of 2/π that matter modulo a full turn, 32 bits at a
/// time: two bits of the product for the quadrant and 126 for the fraction. No `f64` is nearer than
/// 2^-61 to a multiple of π/2
/// ([Payne and Hanek, 1983](https://doi.org/10.1145/1057600.1057602)).
#[inline(always)]
fn rem_pio2(isa: Isa, x: f64) -> (u64, f64, f64) {
    let bits = x.to_bits();
    let significand = bits & ((1 << 52) - 1) | 1 << 52;
    let (high, low) = (significand >> 32, significand & LAST);
    let exponent = bits >> 52 & 0x7ff;
    let (first, up) = ((exponent >> 5) as usize, 32 - (exponent & 31));
    let word = |k: usize| WINDOWS[first + k] >> up & LAST;
    let [a, b, c, d, e, f] = [word(0), word(1), word(2), word(3), word(4), word(5)];

    let carry = ((low * e) >> 32) + ((high * f) >> 32);
    let (x, y) = (low * d, high * e);
    let fourth = (x & LAST) + (y & LAST) + carry;
    let carry = (fourth >> 32) + (x >> 32) + (y >> 32);
    let (x2, y2) = (low * c, high * d);
    let third = (x2 & LAST) + (y2 & LAST) + carry;
    let carry = (third >> 32) + (x2 >> 32) + (y2 >> 32);
    let (x3, y3) = (low * b, high * c);
    let second = (x3 & LAST) + (y3 & LAST) + carry;
    let carry = (second >> 32) + (x3 >> 32) + (y3 >> 32);
    let first = low.wrapping_mul(a).wrapping_add(high * b).wrapping_add(carry);
    let head = first << 32 | (second & LAST);

    let q = head.wrapping_add(1 << 61) >> 62;
    let rest = head.wrapping_sub(q << 62);
    // The absolute value of the rest, to within its last bit.
    let negative = (rest as i64 >> 63) as u64;
    let (rest, third, fourth) = (rest ^ negative, third ^ negative, fourth ^ negative);
    let (r, lost) = fast_two_sum(fraction(rest >> 32, 30), fraction(rest & LAST, 62));
    let small = lost + (fraction(third & LAST, 94) + fraction(fourth & LAST, 126));
    let (r, lost) = fast_two_sum(r, small);
    let (angle, lost_of_angle) = isa.product(r, FRAC_PI_2);
    let tail = lost_of_angle + isa.mul_add(lost, FRAC_PI_2, r * 6.123233995736766e-17);
    let sign = negative & 1 << 63;
    let near = f64::from_bits(bits) < FRAC_PI_4;
    (
        if near { 0 } else { q },
        if near { f64::from_bits(bits) } else { f64::from_bits(angle.to_bits() ^ sign) },
        if near { 0.0 } else { f64::from_bits(tail.to_bits() ^ sign) },
    )
}

/// `sin(r + tail + q π/2)`, negated by the sign bit `sign`; NaN for infinite or NaN `x`.
#[inline(always)]
fn sine(isa: Isa, x: f64, q: u64, (r, tail): (f64, f64), sign: u64) -> f64 {
    let z = r * r;
    let half = 0.5 * z;
    let sine = r + isa.mul_add(r * z, polynomial!(isa, z, SIN), isa.mul_add(tail, -half, tail));
    let one = 1.0 - half;
    let small = isa.mul_add(r, -tail, (1.0 - one) - half);
    let cosine = one + isa.mul_add(z * z, polynomial!(isa, z, COS), small);
    let value = if q & 1 == 1 { cosine } else { sine };
    let value = f64::from_bits(value.to_bits() ^ sign ^ ((q & 2) << 62));
    if x.abs() < f64::INFINITY { value } else { f64::NAN }
}

#[inline(always)]
pub(in crate::element) fn sin(isa: Isa, x: f64) -> f64 {
    let (q, r, tail) = rem_pio2(isa, x.abs());
    sine(isa, x, q, (r, tail), x.to_bits() & (1 << 63))
}

#[inline(always)]
pub(in crate::element) fn cos(isa: Isa, x: f64) -> f64 {
    let (q, r, tail) = rem_pio2(isa, x.abs());
    sine(isa, x, q.wrapping_add(1), (r, tail), 0)
}
