//! Inverse hyperbolic functions of `f64`; those of `f32` are these, rounded.
//!
//! Each is the logarithm of an algebraic function. If the result is small, the logarithm also takes the
//! rounding error of its argument, so that the result is about as accurate as the logarithm.

use core::f64::consts::LN_2;

use super::double_double::{fast_two_sum, two_sum};
use super::exp_log::double_precision::{ln, ln_1p_of_sum};
use crate::element::Isa;

/// From this number on `√(x² ± 1)` rounds to `x`.
const LARGE: f64 = (1_u64 << 28) as f64;

/// Up to this number the results round to `x`, because `x³` is less than a rounding error.
const SMALL: f64 = 1.0 / LARGE;

/// `± ln(|x| + √(x² + 1))`
pub(in crate::element) fn asinh(x: f64) -> f64 {
    let isa = Isa::BASELINE;
    let size = x.abs();
    let result = if size < SMALL {
        size
    } else if size > LARGE {
        ln(isa, size) + LN_2
    } else if size > 2.0 {
        ln(isa, 2.0 * size + 1.0 / (size + (size * size + 1.0).sqrt()))
    } else {
        // √(x² + 1) - 1 = x² / (1 + √(x² + 1)), which does not cancel.
        let square = size * size;
        let (sum, lost) = fast_two_sum(size, square / (1.0 + (1.0 + square).sqrt()));
        ln_1p_of_sum(isa, sum, lost)
    };
    result.copysign(x)
}

/// `ln(x + √(x² - 1))`; NaN below 1.
pub(in crate::element) fn acosh(x: f64) -> f64 {
    let isa = Isa::BASELINE;
    if x > LARGE {
        ln(isa, x) + LN_2
    } else if x > 2.0 {
        ln(isa, 2.0 * x - 1.0 / (x + (x * x - 1.0).sqrt()))
    } else if x > 1.0 {
        // ln(1 + t + √(2t + t²)), of t = x - 1, which is exact.
        let t = x - 1.0;
        let (square, lost) = isa.product(t, t);
        let (radicand, lost_of_radicand) = fast_two_sum(2.0 * t, square);
        let root = radicand.sqrt();
        let (back, lost_of_back) = isa.product(root, root);
        let rest = ((radicand - back) - lost_of_back) + (lost_of_radicand + lost);
        let (sum, lost) = two_sum(root, t);
        ln_1p_of_sum(isa, sum, lost + 0.5 * rest / root)
    } else if x == 1.0 {
        0.0
    } else {
        f64::NAN
    }
}

/// `± ½ ln((1 + |x|) / (1 - |x|))`; infinite at ±1, NaN beyond.
pub(in crate::element) fn atanh(x: f64) -> f64 {
    let isa = Isa::BASELINE;
    let size = x.abs();
    let result = if size < SMALL {
        size
    } else if size < 1.0 {
        // ½ ln(1 + q), of q = 2|x| / (1 - |x|) with its rounding error.
        let (divisor, lost_of_divisor) = fast_two_sum(1.0, -size);
        let quotient = 2.0 * size / divisor;
        let (back, lost_of_back) = isa.product(quotient, divisor);
        let rest = ((2.0 * size - back) - lost_of_back) - quotient * lost_of_divisor;
        0.5 * ln_1p_of_sum(isa, quotient, rest / divisor)
    } else if size == 1.0 {
        f64::INFINITY
    } else {
        f64::NAN
    };
    result.copysign(x)
}

/// Functions of `f32`.
pub(super) mod single_precision {
    pub(in crate::element) fn asinh(x: f32) -> f32 {
        super::asinh(f64::from(x)) as f32
    }

    pub(in crate::element) fn acosh(x: f32) -> f32 {
        super::acosh(f64::from(x)) as f32
    }

    pub(in crate::element) fn atanh(x: f32) -> f32 {
        super::atanh(f64::from(x)) as f32
    }
}
