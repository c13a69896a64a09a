//! The operations that sum products over an axis.
#![allow(
    private_interfaces,
    reason = "users cannot name the traits, only this crate calls their items"
)]

use super::operation::Operation;
use crate::array::layout::ErasedView;
use crate::array::storage::Storage;

/// The ranks that a product takes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProductRow {
    /// The ranks that it takes, for the run-time error.
    pub operands: &'static str,
}

/// Generates the operation types (zero-sized) and their rows.
macro_rules! operations {
    ($($(#[$doc:meta])* $Op:ident: $name:literal, $operands:literal,
        numpy $numpy:literal, pytorch $pytorch:literal, stablehlo $stablehlo:literal;)*) => {
        $(
            $(#[$doc])*
            pub struct $Op;

            impl $Op {
                pub(crate) const ROW: ProductRow = ProductRow { operands: $operands };
            }
        )*

        /// The operations of this file.
        pub(super) const PRODUCTS: &[Operation] = &[$(Operation {
            name: $name,
            operands: 2,
            elements: "Number",
            topic: "Products",
            numpy: Some($numpy),
            pytorch: Some($pytorch),
            stablehlo: Some($stablehlo),
        }),*];
    };
}

operations! {
    /// Matrix product over broadcast leading axes.
    Matmul: "matmul",
        "`matmul` takes at least one axis on both sides",
        numpy "matmul", pytorch "matmul", stablehlo "dot_general";
    /// Contraction of the last axis with a matrix or a vector.
    Dot: "dot",
        "`dot` takes at least one axis on its left side, a matrix or a vector on its right side",
        numpy "dot", pytorch "matmul", stablehlo "dot_general";
    /// All products of an element of one vector with an element of another.
    Outer: "outer",
        "`outer` takes two vectors",
        numpy "outer", pytorch "outer", stablehlo "dot_general";
}

/// The products of an element type: concrete functions, compiled in this crate.
///
/// A supertrait of `Number`, whose items are in scope in users' generic code: none is a method, so
/// that none is ambiguous with a method of theirs.
#[doc(hidden)]
pub trait MatmulKernels: Sized {
    /// Whether small products of static shapes are unrolled where they are called, by
    /// [`matmul_fma`](MatmulKernels::matmul_fma).
    const IS_UNROLLED: bool = false;

    /// `a * b + c`, rounded once.
    fn matmul_fma(a: Self, b: Self, c: Self) -> Self;

    /// The product of two tensors of rank 1 or more, whose sizes were found to match; `result` is its
    /// sizes.
    ///
    /// # Panics
    ///
    /// If the result does not fit into memory.
    #[track_caller]
    fn matmul_strided(
        result: &[usize],
        left: ErasedView<'_, Self>,
        right: ErasedView<'_, Self>,
    ) -> Storage<Self>;

    /// The product of contiguous matrices, `[m, k] × [k, n]`.
    ///
    /// # Panics
    ///
    /// If the result does not fit into memory.
    #[track_caller]
    fn matmul_contiguous(mkn: [usize; 3], left: &[Self], right: &[Self]) -> Storage<Self>;

    /// `x · weightᵀ + bias`, `[..lead, i] × [o, i] + [o] → [..lead, o]`; `None` where sizes do not match, the
    /// product is small, or nothing is gained on this machine.
    ///
    /// # Panics
    ///
    /// If the result does not fit into memory.
    fn linear(
        _x: ErasedView<'_, Self>,
        _weight: ErasedView<'_, Self>,
        _bias: ErasedView<'_, Self>,
    ) -> Option<Storage<Self>> {
        None
    }
}

/// Element types with inner products of slices.
#[doc(hidden)]
pub trait DotSlices: Sized {
    /// `Σ a[i] b[i]`, summed pairwise; 16-bit floats in `f32`, and rounded once.
    ///
    /// # Panics
    ///
    /// If the slices are empty or differ in length.
    fn dot_slices(a: &[Self], b: &[Self]) -> Self;
}
