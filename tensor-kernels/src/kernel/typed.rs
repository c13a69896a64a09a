//! Kernels with their element types.

use core::marker::PhantomData;

/// A kernel that reads elements of type `T` and writes results of type `O`.
#[derive(Clone, Copy)]
pub struct Typed<K, T, O> {
    kernel: K,
    types: PhantomData<fn(T) -> O>,
}

impl<K, T, O> Typed<K, T, O> {
    /// # Safety
    ///
    /// The kernel reads elements of type `T` and writes results of type `O`.
    pub const unsafe fn new(kernel: K) -> Self {
        Self { kernel, types: PhantomData }
    }

    /// The kernel without the types.
    pub const fn get(&self) -> &K {
        &self.kernel
    }
}
