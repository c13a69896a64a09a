//! Explicit instantiation of generic functions for the usual element types.
//!
//! The compiler generates a generic function anew in each crate that calls it, except where a crate below has the same
//! instance of a function that is never inlined. So this crate and `tensor-array` instantiate what typed tensors call, and
//! the crate of a user has calls alone: its rebuild takes a third as long (rows `rebuild` of the benchmark `costs`).
//! `#[method_docs(twins)]` does so for the methods of `DynTensor`.

/// Generates these instances of functions in this crate: a static has their addresses. Pointers alone could not be in one.
#[doc(hidden)]
#[macro_export]
macro_rules! instances {
    ($($function:path),+ $(,)?) => {
        const _: () = {
            use core::sync::atomic::AtomicPtr;

            #[expect(dead_code, reason = "the compiler generates what a static names")]
            static INSTANCES: [AtomicPtr<()>; [$(stringify!($function)),+].len()] =
                [$(AtomicPtr::new($function as *mut ())),+];
        };
    };
}

pub use instances;
