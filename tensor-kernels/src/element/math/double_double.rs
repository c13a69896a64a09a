//! Functions of `f64` with double-double intermediate results (Dekker, 1971).
//!
//! The constants come from `tools/minimax.py`, which also writes `constants.rs`.

use core::f64::consts::SQRT_2;

use super::constants::{ERF, LOG_1P, LOGARITHMS, NORMAL, NORMAL_TAIL};
use super::exp_log::double_precision::{exp_extended, int_to_float, power_or_special};
use crate::element::Isa;

/// FastTwoSum (Dekker): `x + y` and its rounding error, where `|x| ≥ |y|` or `x` is a multiple of the
/// last place of `y`.
#[inline(always)]
pub(super) fn fast_two_sum(x: f64, y: f64) -> (f64, f64) {
    let result = x + y;
    (result, (x - result) + y)
}

/// TwoSum (Knuth): `x + y` and its rounding error.
#[inline(always)]
pub(super) fn two_sum(x: f64, y: f64) -> (f64, f64) {
    let result = x + y;
    let back = result - y;
    (result, (x - back) + (y - (result - back)))
}

/// `ln x` for finite positive `x`, to 65 bits.
///
/// `x = z · 2^k`; the table has 128 short `c`, one of them with `|c z - 1| ≤ 2^-7`, and `-ln c`.
#[inline(always)]
fn ln_extended(isa: Isa, x: f64) -> (f64, f64) {
    const LOWEST: u64 = 0.6875_f64.to_bits();
    const LN_2: (f64, f64) = (0.69314718055989033, 5.4979230187083712e-14);
    let subnormal = x < f64::MIN_POSITIVE;
    let x = if subnormal { x * (1_u64 << 54) as f64 } else { x };
    let above = x.to_bits().wrapping_sub(LOWEST);
    let [c, log_head, log_tail] = LOGARITHMS[(above >> 45 & 127) as usize];
    let z = f64::from_bits(x.to_bits().wrapping_sub(above & (0xfff << 52)));
    let k = int_to_float(above as i64 >> 52) - if subnormal { 54.0 } else { 0.0 };

    let (near, lost) = isa.product(z, c);
    let (r, r_tail) = fast_two_sum(near - 1.0, lost);
    let (square, lost) = isa.product(r, r);
    let (half_square, rest_of_square) = (0.5 * square, isa.mul_add(r, r_tail, 0.5 * lost));
    // The products with the high part of ln 2 are exact.
    let (first, lost) = fast_two_sum(isa.mul_add(k, LN_2.0, log_head), r);
    let (first, lost_too) = fast_two_sum(first, -half_square);
    let cubic = r * r * (r * polynomial!(isa, r, LOG_1P));
    let small =
        (lost + lost_too + r_tail) + (isa.mul_add(k, LN_2.1, log_tail) + (cubic - rest_of_square));
    fast_two_sum(first, small)
}

/// `x^y`, with the special values of C's `pow`.
#[inline(always)]
pub(in crate::element) fn pow(isa: Isa, x: f64, y: f64) -> f64 {
    // Beyond this, powers overflow or are 0.
    const END: f64 = 800.0;
    let size = x.abs();
    let (log, log_tail) = ln_extended(isa, size);
    let (log, log_tail) = if size > 0.0 && size < f64::INFINITY {
        (log, log_tail)
    } else {
        (if size == 0.0 { f64::NEG_INFINITY } else { size }, 0.0)
    };
    let (power, tail) = isa.product(log, y);
    let tail = isa.mul_add(y, log_tail, tail);
    let tail = if power.abs() < END { tail } else { 0.0 };
    let power = if power > END { END } else { power };
    let power = if power < -END { -END } else { power };
    let (m, lost, [scale, rest]) = exp_extended(isa, power, tail);
    let (value, tail) = fast_two_sum(1.0, m);
    power_or_special(x, y, (value + (tail + lost)) * scale * rest)
}

/// `P(X > s) e^(s² / 2) (s + 4)` for a normal distribution, of `t = (s - 4) / (s + 4)` and its rounding
/// error: the result and its rounding error.
#[inline(always)]
fn normal(isa: Isa, t: f64, lost_of_t: f64) -> (f64, f64) {
    let ([a, a_tail, b, b_tail], [c, d, e, f, ..]) = (NORMAL, NORMAL_TAIL);
    let derivative = polynomial!(isa, t, [b, 2.0 * c, 3.0 * d, 4.0 * e, 5.0 * f]);
    let rest = isa.mul_add(t, polynomial!(isa, t, NORMAL_TAIL), b_tail);
    let (slope, lost_of_slope) = two_sum(b, rest);
    let (rest, lost_of_rest) = isa.product(t, slope);
    let (result, lost) = two_sum(a, rest);
    let small =
        isa.mul_add(t, lost_of_slope, lost_of_rest) + isa.mul_add(derivative, lost_of_t, a_tail);
    (result, lost + small)
}

#[inline(always)]
pub(in crate::element) fn erf(isa: Isa, x: f64) -> f64 {
    // erf(6) is 1.
    let size = if x.abs() > 6.0 { 6.0 } else { x.abs() };
    let near = isa.mul_add(size, polynomial!(isa, size * size, ERF), size);
    let inverse = 1.0 / isa.mul_add(size, SQRT_2, 4.0);
    let (m, _, [power, rest]) = exp_extended(isa, -size * size, 0.0);
    let (factor, _) = normal(isa, isa.mul_add(inverse, -8.0, 1.0), 0.0);
    let small = factor * inverse * isa.mul_add(m, power, power);
    let far = isa.mul_add(small, -2.0 * rest, 1.0);
    (if size < 1.0 { near } else { far }).copysign(x)
}

/// `x Φ(x) = max(x, 0) - s Φ(-s)`, for `s = |x|`.
#[inline(always)]
pub(in crate::element) fn gelu(isa: Isa, x: f64) -> f64 {
    // Beyond this, s Φ(-s) rounds to 0.
    let s = if x.abs() > 39.0 { 39.0 } else { x.abs() };
    let d = s + 4.0;
    let lost_of_d = if s < 4.0 { s - (d - 4.0) } else { 4.0 - (d - s) };
    let inverse = 1.0 / d;
    // s / d in two parts.
    let quotient = s * inverse;
    let (back, lost) = isa.product(quotient, d);
    let rest = isa.mul_add(quotient, -lost_of_d, (s - back) - lost) * inverse;
    let t = isa.mul_add(quotient, 2.0, -1.0);
    let lost_of_t = isa.mul_add(rest, 2.0, isa.mul_add(quotient, 2.0, -(t + 1.0)));
    let (factor, lost) = normal(isa, t, lost_of_t);
    let (value, tail) = isa.product(quotient, factor);
    let tail = tail + isa.mul_add(quotient, lost, rest * factor);
    let (square, lost) = isa.product(s, s);
    let (m, lost, [power, rest]) = exp_extended(isa, -0.5 * square, -0.5 * lost);
    let small = isa.mul_add(value, lost, isa.mul_add(tail, m, tail));
    let value = value + isa.mul_add(value, m, small);
    let positive = if x < 0.0 { -0.0 } else { x };
    isa.mul_add(value * power, -rest, positive)
}
