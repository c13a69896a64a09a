//! The arrays of [`tensor-core`], without shape types: element types, the table of operations, storage, kernels,
//! [`DynTensor`] and its gradients.
//!
//! `tensor-core` re-exports what programs need; depend on that crate alone. This one is compiled once for all changes
//! of types, and [`tensor-core`] is written over its hidden module `internal`, which has no stable interface.
//!
//! [`tensor-core`]: https://docs.rs/tensor-core

// The macros write every name as `::tensor_core::…`.
extern crate self as tensor_core;

#[macro_use]
mod another_file;

#[macro_use]
mod sizes;

pub mod element;

mod array;

// After `array`: rustdoc shows the methods of `DynTensor` in this order.
mod ops;

mod display;

#[cfg(any(feature = "image", feature = "nalgebra", feature = "ndarray", feature = "serde"))]
mod interop;

#[cfg(feature = "files")]
pub mod io;

#[doc(hidden)]
pub mod internal;

pub use array::dynamic::DynTensor;
pub use array::dynamic::einsum::equation::EinsumError;
pub use array::dynamic::length_error::LengthError;
pub use array::dynamic::rearrange::pattern::RearrangeError;
pub use array::iter::Iter;
pub use array::memory;
pub use element::{Element, Float};
pub use ops::{Operation, Padding, QuantileMethod, operations};
pub use sizes::Sizes;
pub use sizes::error::ShapeError;
pub use sizes::index_error::{IndexError, IndexingError};

/// The options of window operations of [`DynTensor`]s.
pub mod windows {
    pub use crate::sizes::window_options::{AxisPadding, ConvOptions, Interpolation, PoolOptions};
}

/// Items that the macros expand to; not for use by hand.
#[doc(hidden)]
pub mod __private {
    pub use tensor_array_macros::locate_bounds;
}
