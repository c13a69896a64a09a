//! Functions of `f64` that carry numbers as sums of two where one loses too much.
//!
//! The constants come from `benches/coefficients.py`, those in `tables.rs` are written by it.

use core::f64::consts::SQRT_2;

use super::common::double_precision::{
    exp_near, halves_of_power, power_of_two, power_or_special, whole_to_float,
};
use super::tables::{ERF, LOG_1P, LOGARITHMS, NORMAL, NORMAL_TAIL};

/// The first 26 bits and the others: products of such parts are exact.
#[inline(always)]
pub(super) fn split(x: f64) -> (f64, f64) {
    let head = f64::from_bits(x.to_bits() & (u64::MAX << 27));
    (head, x - head)
}

/// `x y` and what rounding it lost.
#[inline(always)]
pub(super) fn product(x: f64, y: f64) -> (f64, f64) {
    let ((a, b), (c, d)) = (split(x), split(y));
    let result = x * y;
    (result, ((a * c - result) + (a * d + b * c)) + b * d)
}

/// `x + y` and what rounding it lost, where `x` is the larger one or a multiple of the last place
/// of `y`.
#[inline(always)]
pub(super) fn sum(x: f64, y: f64) -> (f64, f64) {
    let result = x + y;
    (result, (x - result) + y)
}

/// `x + y` and what rounding it lost.
#[inline(always)]
fn sum_of_any(x: f64, y: f64) -> (f64, f64) {
    let result = x + y;
    let back = result - y;
    (result, (x - back) + (y - (result - back)))
}

/// `ln x`, for finite positive `x`, to 65 bits.
///
/// `x = z · 2^k`, and of 128 numbers `c` with few digits the table has one with `|c z - 1| ≤ 2^-7`,
/// and `-ln c`.
#[inline(always)]
fn logarithm(x: f64) -> (f64, f64) {
    const LOWEST: u64 = 0.6875_f64.to_bits();
    const LN_2: (f64, f64) = (0.69314718055989033, 5.4979230187083712e-14);
    let subnormal = x < f64::MIN_POSITIVE;
    let x = if subnormal { x * (1_u64 << 54) as f64 } else { x };
    let above = x.to_bits().wrapping_sub(LOWEST);
    let [c, log_head, log_tail] = LOGARITHMS[(above >> 45 & 127) as usize];
    let z = f64::from_bits(x.to_bits().wrapping_sub(above & (0xfff << 52)));
    let k = whole_to_float(above as i64 >> 52) - if subnormal { 54.0 } else { 0.0 };

    let (z_head, z_tail) = split(z);
    let (r, r_tail) = sum(z_head * c - 1.0, z_tail * c);
    let (a, b) = split(r);
    let half_square = 0.5 * (a * a);
    let rest_of_square = 0.5 * (b * (r + a)) + r * r_tail;
    let (first, lost) = sum(k * LN_2.0 + log_head, r);
    let (first, lost_too) = sum(first, -half_square);
    let cubic = r * r * (r * polynomial!(r, LOG_1P));
    let small = (lost + lost_too + r_tail) + ((k * LN_2.1 + log_tail) + (cubic - rest_of_square));
    sum(first, small)
}

/// `x^y`, with the special values of C's `pow`.
#[inline(always)]
pub(in crate::element) fn pow(x: f64, y: f64) -> f64 {
    // Beyond this, powers are 0 or infinite.
    const END: f64 = 800.0;
    let size = x.abs();
    let (log, log_tail) = logarithm(size);
    let (log, log_tail) = if size > 0.0 && size < f64::INFINITY {
        (log, log_tail)
    } else {
        (if size == 0.0 { f64::NEG_INFINITY } else { size }, 0.0)
    };
    let (power, tail) = product(log, y);
    let tail = tail + y * log_tail;
    let tail = if power.abs() < END { tail } else { 0.0 };
    let power = if power > END { END } else { power };
    let power = if power < -END { -END } else { power };
    let ((m, lost), n) = exp_near(power, tail);
    let (scale, rest) = halves_of_power(n);
    let (value, tail) = sum(1.0, m);
    power_or_special(x, y, (value + (tail + lost)) * scale * rest)
}

/// `P(X > s) e^(s² / 2) (s + 4)` for a normal distribution, of `t = (s - 4) / (s + 4)` and what
/// rounding it lost: the result, and what rounding lost of it.
#[inline(always)]
fn normal(t: f64, lost_of_t: f64) -> (f64, f64) {
    let ([a, a_tail, b], [c, d, e, f, ..]) = (NORMAL, NORMAL_TAIL);
    let derivative = polynomial!(t, [b, 2.0 * c, 3.0 * d, 4.0 * e, 5.0 * f]);
    let (slope, lost_of_slope) = sum_of_any(b, t * polynomial!(t, NORMAL_TAIL));
    let (rest, lost_of_rest) = product(t, slope);
    let (result, lost) = sum_of_any(a, rest);
    let small = (lost_of_rest + t * lost_of_slope) + (a_tail + derivative * lost_of_t);
    (result, lost + small)
}

#[inline(always)]
pub(in crate::element) fn erf(x: f64) -> f64 {
    // erf(6) is 1.
    let size = if x.abs() > 6.0 { 6.0 } else { x.abs() };
    let near = size + size * polynomial!(size * size, ERF);
    let inverse = 1.0 / (size * SQRT_2 + 4.0);
    let ((m, _), n) = exp_near(-size * size, 0.0);
    let far =
        1.0 - 2.0 * (normal(1.0 - 8.0 * inverse, 0.0).0 * inverse * (1.0 + m) * power_of_two(n));
    (if size < 1.0 { near } else { far }).copysign(x)
}

/// `x Φ(x) = max(x, 0) - s Φ(-s)`, for `s = |x|`.
#[inline(always)]
pub(in crate::element) fn gelu(x: f64) -> f64 {
    // From here on, s Φ(-s) rounds to 0.
    let s = if x.abs() > 39.0 { 39.0 } else { x.abs() };
    let d = s + 4.0;
    let lost_of_d = if s < 4.0 { s - (d - 4.0) } else { 4.0 - (d - s) };
    let inverse = 1.0 / d;
    // s / d in two parts.
    let quotient = s * inverse;
    let (back, lost) = product(quotient, d);
    let rest = (((s - back) - lost) - quotient * lost_of_d) * inverse;
    let t = 2.0 * quotient - 1.0;
    let (factor, lost) = normal(t, 2.0 * rest + (2.0 * quotient - (t + 1.0)));
    let (value, tail) = product(quotient, factor);
    let tail = tail + (quotient * lost + rest * factor);
    let (square, lost) = product(s, s);
    let ((m, lost), n) = exp_near(-0.5 * square, -0.5 * lost);
    let value = value + (value * m + (value * lost + (tail + tail * m)));
    let (power, rest) = halves_of_power(n);
    let positive = if x < 0.0 { -0.0 } else { x };
    positive - value * power * rest
}
