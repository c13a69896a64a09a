//! Kernels with the types that they are for.

use core::marker::PhantomData;

/// A kernel that reads elements of type `T` and writes results of type `O`.
#[derive(Clone, Copy)]
pub(crate) struct Typed<K, T, O> {
    kernel: K,
    types: PhantomData<fn(T) -> O>,
}

impl<K, T, O> Typed<K, T, O> {
    /// # Safety
    ///
    /// The kernel is for these types.
    pub(crate) const unsafe fn new(kernel: K) -> Self {
        Self { kernel, types: PhantomData }
    }

    /// The kernel alone.
    pub(crate) const fn get(&self) -> &K {
        &self.kernel
    }
}
