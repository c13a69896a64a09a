//! Elementary functions, written so that loops over them are vectorised.
//!
//! They have no branches, no calls and only bounded table lookups: a loop over them, in the kernel or
//! in a user's closure, is vectorised for the instruction set that it is compiled for. The kernel
//! compiles its loops for several ([`isa_fns`](crate::kernel::isa_fns)). Those of
//! `inverse_hyperbolic` and `integer_power` have branches, and take one number at a time.
//!
//! Each takes the [instruction set](super::Isa): fused multiply-adds save a third of the
//! operations and give exact rounding errors. Results are bit-identical on all instruction sets with
//! fused multiply-adds; without, they differ in the last bits. All other operations are those of
//! IEEE 754.
//!
//! The minimax polynomials are derived by `tools/minimax.py`. `tests/core/tests/elements/accuracy.rs` measures the
//! errors; the documentation of [`Float`](super::Float) states them.

/// `c[0] + c[1]·x + c[2]·x² …` by even and odd powers (second-order Horner): one operation more than
/// Horner's scheme, and half its latency.
macro_rules! polynomial {
    ($isa:expr, $x:expr, $coefficients:expr) => {{
        let (isa, x, coefficients) = ($isa, $x, $coefficients);
        let square = x * x;
        let mut index = coefficients.len() - 2;
        let (mut here, mut next) = (coefficients[index], coefficients[index + 1]);
        while index > 1 {
            index -= 2;
            here = isa.mul_add(here, square, coefficients[index]);
            next = isa.mul_add(next, square, coefficients[index + 1]);
        }
        if index == 1 {
            isa.mul_add(next, square, isa.mul_add(here, x, coefficients[0]))
        } else {
            isa.mul_add(next, x, here)
        }
    }};
}
mod trig_f64;
// Constants with all digits, as the script prints them.
mod constants;
#[allow(clippy::excessive_precision)]
mod double_double;
#[allow(clippy::excessive_precision)]
mod exp_log;
#[allow(clippy::excessive_precision)]
mod f32_via_f64;
mod integer_power;
mod inverse_hyperbolic;

/// Functions of `f32`.
pub(super) mod f32_fns {
    pub(in crate::element) use super::exp_log::single_precision::*;
    pub(in crate::element) use super::f32_via_f64::*;
    pub(in crate::element) use super::integer_power::single_precision::*;
    pub(in crate::element) use super::inverse_hyperbolic::single_precision::*;
}

/// Functions of `f64`.
pub(super) mod f64_fns {
    pub(in crate::element) use super::double_double::{erf, gelu, pow};
    pub(in crate::element) use super::exp_log::double_precision::*;
    pub(in crate::element) use super::integer_power::double_precision::*;
    pub(in crate::element) use super::inverse_hyperbolic::{acosh, asinh, atanh};
    pub(in crate::element) use super::trig_f64::*;
}
