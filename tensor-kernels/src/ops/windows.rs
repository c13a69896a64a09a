//! Convolution: a function for each element type.
#![allow(
    private_interfaces,
    reason = "users cannot name the traits, only this crate calls their items"
)]

use crate::layout::ErasedView;
use crate::sizes::windows::Convolution;
use crate::storage::Storage;

/// Convolution of an element type: a concrete function, compiled in this crate.
///
/// A supertrait of `Number`, whose items are in scope in users' generic code: none is a method, so
/// that none is ambiguous with a method of theirs.
#[doc(hidden)]
pub trait NumberWindows: Sized {
    /// The convolution of two tensors of the sizes of the plan.
    ///
    /// # Panics
    ///
    /// If the result does not fit into memory.
    #[track_caller]
    fn convolved(
        plan: &Convolution,
        input: ErasedView<'_, Self>,
        weights: ErasedView<'_, Self>,
    ) -> Storage<Self>;
}

/// Gradients of convolutions of an element type.
#[doc(hidden)]
pub trait FloatWindows: Sized {
    /// The gradient of a convolution with regard to its weights, from that of its results; the plan is not
    /// that of a transposed one.
    ///
    /// # Panics
    ///
    /// If the result does not fit into memory.
    fn convolved_weights(
        plan: &Convolution,
        input: ErasedView<'_, Self>,
        gradient: ErasedView<'_, Self>,
    ) -> Storage<Self>;
}
