//! Kernels of operations on three operands, with a parameter, or that only move elements.

use super::{TernaryKernel, UnaryKernel};

/// The kernels that move elements of any type, by their size alone.
#[doc(hidden)]
pub trait ElementMoves: Sized {
    /// A copy of the elements.
    const COPY: &'static UnaryKernel;
    /// `then` where `mask` is true, `otherwise` elsewhere.
    const SELECT: &'static TernaryKernel;

    /// Writes the elements of `source` from `start` on into those of `target` from `first` on, along axes
    /// given by their sizes and the strides in both.
    fn assign(
        target: &mut [Self],
        first: usize,
        axes: &[(usize, isize, isize)],
        source: &[Self],
        start: usize,
    );
}

/// The kernels of numbers with three operands or a parameter.
#[doc(hidden)]
pub trait NumberTernary {
    /// The elements, not below `low` and not above `high`.
    const CLAMP: &'static TernaryKernel;
    /// The elements raised to an integer power, which is the parameter, an `i32`.
    const POWI: &'static UnaryKernel;
}

/// The kernel that converts elements to type `U`.
#[doc(hidden)]
pub trait CastKernel<U> {
    /// The elements as `U`.
    const CAST: &'static UnaryKernel;
}
