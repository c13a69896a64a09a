//! The products of element types.
#![allow(
    private_interfaces,
    reason = "users cannot name the traits, only this crate calls their items"
)]

use crate::array_ref::ArrayRef;
use crate::layout::{ErasedView, Layout};
use crate::ops::ProductCall;
use crate::storage::Storage;

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

    /// The product in the type of [`autocast`](crate::autocast::autocast); `None` where there is none. Only `f32` has one.
    #[inline(always)]
    #[track_caller]
    fn autocast_product(
        _call: &ProductCall<'_>,
        _left: ArrayRef<'_, Self>,
        _right: ArrayRef<'_, Self>,
    ) -> Option<(Storage<Self>, Layout)> {
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
