//! Operations on windows: convolution, pooling, interpolation.
#![allow(
    private_interfaces,
    reason = "users cannot name the traits, only this crate calls their items"
)]

use crate::layout::ErasedView;
use crate::sizes::windows::{Convolution, Pooling, Resizing};
use crate::storage::Storage;

/// Convolution and maximum pooling of an element type: concrete functions, compiled in this crate.
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

    /// The largest element of each window.
    ///
    /// # Panics
    ///
    /// If the result does not fit into memory.
    #[track_caller]
    fn max_pooled(plan: &Pooling, input: ErasedView<'_, Self>) -> Storage<Self>;
}

/// Means over windows, and interpolation, of an element type.
#[doc(hidden)]
pub trait FloatWindows: Sized {
    /// The mean of each window.
    ///
    /// # Panics
    ///
    /// If the result does not fit into memory.
    #[track_caller]
    fn avg_pooled(plan: &Pooling, input: ErasedView<'_, Self>) -> Storage<Self>;

    /// The last axes at other sizes.
    ///
    /// # Panics
    ///
    /// If the result does not fit into memory, or if an axis of size 0 is to become longer.
    #[track_caller]
    fn resized(plan: &Resizing, input: ErasedView<'_, Self>) -> Storage<Self>;

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

    /// An element for each window, added where the largest element of the window is.
    ///
    /// # Panics
    ///
    /// If the result does not fit into memory.
    fn max_unpooled(
        plan: &Pooling,
        input: ErasedView<'_, Self>,
        elements: ErasedView<'_, Self>,
    ) -> Storage<Self>;

    /// For each window, of other elements that where its largest element is, 0 for a window of padding alone.
    ///
    /// # Panics
    ///
    /// If the result does not fit into memory.
    fn max_picked(
        plan: &Pooling,
        input: ErasedView<'_, Self>,
        elements: ErasedView<'_, Self>,
    ) -> Storage<Self>;

    /// An element for each window, shared among the elements that its mean is of: images of these sizes.
    ///
    /// # Panics
    ///
    /// If the result does not fit into memory.
    fn avg_unpooled(
        plan: &Pooling,
        sizes: &[usize],
        elements: ErasedView<'_, Self>,
    ) -> Storage<Self>;

    /// The transpose of [`resized`](Self::resized): each element, by its weights, where it came from in
    /// images of these sizes.
    ///
    /// # Panics
    ///
    /// If the result does not fit into memory.
    fn resized_transposed(
        plan: &Resizing,
        sizes: &[usize],
        elements: ErasedView<'_, Self>,
    ) -> Storage<Self>;
}
