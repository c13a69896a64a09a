//! What `helpers.rs` has, without threads.

/// The number of threads for an operation of this thread.
pub(super) fn num_threads() -> usize {
    1
}

/// Whether helpers poll for work of this thread.
#[inline]
pub(super) fn are_polling() -> bool {
    false
}

/// Calls `work` on this thread.
pub(super) fn run_with_helpers(_: usize, work: &dyn Fn()) {
    work();
}
