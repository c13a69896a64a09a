//! The operations that sum products over an axis.
#![allow(
    private_interfaces,
    reason = "users cannot name the traits, only this crate calls their items"
)]

use super::array_types::{Storage, View};

/// What an operation is called, here and elsewhere.
#[allow(dead_code, reason = "the list of all operations reads it")]
pub(crate) struct OperationInfo {
    /// The method of `Tensor` and `DynTensor`.
    pub name: &'static str,
    /// The shapes.
    pub shapes: &'static str,
    /// What it takes, for the error at run time.
    pub operands: &'static str,
    /// The name in NumPy.
    pub numpy: &'static str,
    /// The name in PyTorch.
    pub pytorch: &'static str,
    /// The operation of StableHLO.
    pub stablehlo: &'static str,
    /// The bound on element types.
    pub elements: &'static str,
}

/// Stamps out operations: zero-sized types with their row.
macro_rules! operations {
    ($($(#[$doc:meta])* $Op:ident: $name:literal, $shapes:literal, $operands:literal,
        numpy $numpy:literal, pytorch $pytorch:literal, stablehlo $stablehlo:literal,
        elements $elements:literal;)*) => {
        $(
            $(#[$doc])*
            pub(crate) struct $Op;

            impl $Op {
                pub(crate) const INFO: OperationInfo = OperationInfo {
                    name: $name,
                    shapes: $shapes,
                    operands: $operands,
                    numpy: $numpy,
                    pytorch: $pytorch,
                    stablehlo: $stablehlo,
                    elements: $elements,
                };
            }
        )*

        /// The rows of this file.
        #[allow(dead_code, reason = "the list of all operations reads it")]
        pub(crate) const PRODUCTS: &[OperationInfo] = &[$($Op::INFO),*];
    };
}

operations! {
    /// Matrix product over broadcast leading axes.
    Matmul: "matmul", "[..l, m, k] × [..r, k, n] → [..(l ⊕ r), m, n]",
        "`matmul` takes at least one axis on both sides",
        numpy "matmul", pytorch "matmul", stablehlo "dot_general", elements "Number";
    /// Contraction of the last axis with a matrix or a vector.
    Dot: "dot", "[..lead, k] · [k, n] → [..lead, n]",
        "`dot` takes at least one axis on its left side, a matrix or a vector on its right side",
        numpy "dot", pytorch "matmul", stablehlo "dot_general", elements "Number";
    /// All products of an element of one vector with an element of another.
    Outer: "outer", "[m] ⊗ [n] → [m, n]",
        "`outer` takes two vectors",
        numpy "outer", pytorch "outer", stablehlo "dot_general", elements "Number";
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
        left: View<'_, Self>,
        right: View<'_, Self>,
    ) -> Storage<Self>;

    /// The product of contiguous matrices, `[m, k] × [k, n]`.
    ///
    /// # Panics
    ///
    /// If the result does not fit into memory.
    #[track_caller]
    fn matmul_contiguous(mkn: [usize; 3], left: &[Self], right: &[Self]) -> Storage<Self>;
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
