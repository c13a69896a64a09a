//! Functions of one number that are not one instruction, written so that loops over them vectorise.
//!
//! Nothing here branches, calls or looks anything up except by a bounded index: whatever a loop
//! does with these functions, in the kernel or in a closure of a user, the compiler turns into
//! vectors of the instruction set that it compiles the loop for. The kernel compiles its loops for
//! several ([`simd_dispatch`](crate::array::kernel::simd_dispatch)).
//!
//! Each is told what [instructions](super::Instructions) there are: fused multiply-adds save a third
//! of the operations and keep what rounding loses. The code is the same with them and without, and so
//! are the results of all instruction sets that have them, bit for bit; without, results differ in the
//! last bits. Nothing else is used but operations that IEEE 754 defines.
//!
//! The polynomials are derived by `benches/coefficients.py`. How far results are from the exact
//! ones, `tests/accuracy.rs` measures; the documentation of [`Float`](super::Float) states it.

/// `c[0] + c[1]·x + c[2]·x² …`, the even and the odd powers side by side: one operation more than one
/// after the other, and half the time that one waits for the other.
macro_rules! polynomial {
    ($with:expr, $x:expr, $coefficients:expr) => {{
        let (with, x, coefficients) = ($with, $x, $coefficients);
        let square = x * x;
        let mut index = coefficients.len() - 2;
        let (mut here, mut next) = (coefficients[index], coefficients[index + 1]);
        while index > 1 {
            index -= 2;
            here = with.mul_add(here, square, coefficients[index]);
            next = with.mul_add(next, square, coefficients[index + 1]);
        }
        if index == 1 {
            with.mul_add(next, square, with.mul_add(here, x, coefficients[0]))
        } else {
            with.mul_add(next, x, here)
        }
    }};
}
mod trig_f64;
// The digits of a constant, as its script prints them.
mod constants;
#[allow(clippy::excessive_precision)]
mod double_double;
#[allow(clippy::excessive_precision)]
mod exp_log;
#[allow(clippy::excessive_precision)]
mod f32_via_f64;

/// Functions of `f32`.
pub(super) mod single {
    pub(in crate::element) use super::exp_log::single_precision::*;
    pub(in crate::element) use super::f32_via_f64::*;
}

/// Functions of `f64`.
pub(super) mod double {
    pub(in crate::element) use super::double_double::{erf, gelu, pow};
    pub(in crate::element) use super::exp_log::double_precision::*;
    pub(in crate::element) use super::trig_f64::*;
}
