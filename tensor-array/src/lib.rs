//! The arrays of [`tensor-core`], without shape types: [`DynTensor`], its gradients, programs and files.
//!
//! `tensor-core` re-exports what programs need; depend on that crate alone. This one computes by the kernels of
//! [`tensor_kernels`], and is compiled once for all changes of types. The hidden modules, over which `tensor-core` is
//! written, have no stable interface.
//!
//! [`tensor-core`]: https://docs.rs/tensor-core

// The documentation of hidden modules is read where the private items are.
#![allow(rustdoc::private_intra_doc_links)]
// `on_move` is of a later rustc: CONTRIBUTING.md, "Attributes that wait".
#![allow(unknown_diagnostic_attributes)]
// Kernels and storage are those of `tensor-kernels`; the files that allow it give their reasons.
#![deny(unsafe_code)]

#[macro_use]
mod another_file;

#[doc(hidden)]
pub mod array;

// After `array`: rustdoc shows the methods of `DynTensor` in this order.
#[doc(hidden)]
pub mod ops;

#[doc(hidden)]
pub mod display;

#[cfg(any(feature = "image", feature = "nalgebra", feature = "ndarray", feature = "serde"))]
#[doc(hidden)]
pub mod interop;

#[cfg(feature = "files")]
pub mod io;

pub use array::dynamic::DynTensor;
pub use array::dynamic::einsum::equation::EinsumError;
pub use array::dynamic::length_error::LengthError;
pub use array::dynamic::rearrange::pattern::RearrangeError;
pub use ops::{Operation, operations};
#[doc(inline)]
pub use tensor_kernels::{
    Element, Float, IndexError, IndexingError, Iter, Padding, QuantileMethod, ShapeError, Sizes,
    element, memory, windows,
};

/// Items that the macros expand to; not for use by hand.
#[doc(hidden)]
pub mod __private {
    pub use tensor_array_macros::locate_bounds;
}
