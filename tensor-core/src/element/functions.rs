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

/// `c[0] + c[1]·x + c[2]·x² …`, the even and the odd powers side by side: as many operations as one
/// after the other, and half the time that one waits for the other.
macro_rules! polynomial {
    ($x:expr, $coefficients:expr) => {{
        let (x, coefficients) = ($x, $coefficients);
        let square = x * x;
        let mut index = coefficients.len() - 2;
        let (mut here, mut next) = (coefficients[index], coefficients[index + 1]);
        while index > 1 {
            index -= 2;
            here = here * square + coefficients[index];
            next = next * square + coefficients[index + 1];
        }
        if index == 1 { (next * square + here * x) + coefficients[0] } else { next * x + here }
    }};
}
mod circle;
// The digits of a constant, as its script prints them.
#[allow(clippy::excessive_precision)]
mod common;
mod tables;
#[allow(clippy::excessive_precision)]
mod twofold;
#[allow(clippy::excessive_precision)]
mod wider;

/// Functions of `f32`.
pub(super) mod single {
    pub(in crate::element) use super::common::single_precision::*;
    pub(in crate::element) use super::wider::*;
}

/// Functions of `f64`.
pub(super) mod double {
    pub(in crate::element) use super::circle::*;
    pub(in crate::element) use super::common::double_precision::*;
    pub(in crate::element) use super::twofold::{erf, gelu, pow};
}
