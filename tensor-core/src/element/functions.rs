//! Functions of one number that are not one instruction, written so that loops over them vectorise.
//!
//! Nothing here branches, calls or looks anything up except by a bounded index: whatever a loop
//! does with these functions, in the kernel or in a closure of a user, the compiler turns into
//! vectors of the instruction set that it compiles the loop for. The kernel compiles its loops for
//! several ([`vectors`](crate::kernel::vectors)).
//!
//! Results are the same on all of them, bit for bit: there is no fused multiply-add, which not
//! every machine has, only operations that IEEE 754 defines.
//!
//! The polynomials are derived by `benches/coefficients.py`. How far results are from the exact
//! ones, `tests/accuracy.rs` measures; the documentation of [`Float`](super::Float) states it.

/// `c[0] + c[1]·x + c[2]·x² …`
macro_rules! polynomial {
    ($x:expr, $coefficients:expr) => {{
        let (x, coefficients) = ($x, $coefficients);
        let mut index = coefficients.len() - 1;
        let mut value = coefficients[index];
        while index > 0 {
            index -= 1;
            value = value * x + coefficients[index];
        }
        value
    }};
}
// The digits of a constant, as its script prints them.
#[allow(clippy::excessive_precision)]
mod common;
#[allow(clippy::excessive_precision)]
mod wider;

/// Functions of `f32`.
pub(super) mod single {
    pub(in crate::element) use super::common::single_precision::*;
    pub(in crate::element) use super::wider::*;
}

/// Functions of `f64`. Those that compute in a wider type for `f32` are `std`'s and `libm`'s here:
/// exact to an ulp, but not vectorised.
pub(super) mod double {
    pub(in crate::element) use super::common::double_precision::*;
    pub(in crate::element) use libm::erf;

    pub(in crate::element) fn pow(x: f64, y: f64) -> f64 {
        x.powf(y)
    }
}
