//! A reference-counted `Vec`.

use std::sync::Arc;

/// A `Vec` that several tensors may own.
///
/// Its drop is an outlined call, because it is part of dropping a tensor of any shape.
#[derive(Clone)]
pub struct SharedVec<T>(Option<Arc<Vec<T>>>);

impl<T> SharedVec<T> {
    pub(super) fn new(elements: Vec<T>) -> Self {
        Self(Some(Arc::new(elements)))
    }

    #[inline]
    pub(super) fn as_slice(&self) -> &[T] {
        // Only `drop` and `into_vec` take it.
        self.0.as_ref().map_or(&[], |elements| elements.as_slice())
    }

    /// The elements for writing, if this is the only owner.
    #[inline]
    pub(super) fn get_mut(&mut self) -> Option<&mut [T]> {
        self.0.as_mut().and_then(Arc::get_mut).map(Vec::as_mut_slice)
    }
}

impl<T: Clone> SharedVec<T> {
    /// The elements; a copy of them if there are other owners.
    pub(super) fn into_vec(mut self) -> Vec<T> {
        self.0.take().map_or_else(Vec::new, Arc::unwrap_or_clone)
    }
}

impl<T> Drop for SharedVec<T> {
    #[inline(always)]
    fn drop(&mut self) {
        /// `extern "C"`: it does not unwind, so that no caller is prepared for that. Elements are numbers,
        /// whose drop does nothing.
        #[inline(never)]
        #[allow(improper_ctypes_definitions, reason = "only Rust calls it")]
        extern "C" fn release<T>(elements: Option<Arc<Vec<T>>>) {
            drop(elements);
        }
        release(self.0.take());
    }
}
