//! The kernels of [`tensor-core`]: element types, the table of operations, layout, storage and inner loops.
//!
//! `tensor-core` re-exports what programs need; depend on that crate alone. A kernel computes elements from a borrowed
//! array, whose sizes, strides and storage are not trusted to fit each other: kernels compare them with the memory of
//! their operands, and panic. Functions and traits that can break memory safety are `unsafe`. The hidden modules have no
//! stable interface.
//!
//! [`tensor-core`]: https://docs.rs/tensor-core

// The documentation of hidden modules is read where the private items are.
#![allow(rustdoc::private_intra_doc_links)]

#[macro_use]
#[doc(hidden)]
pub mod sizes;

mod arrays;

pub mod element;

#[doc(hidden)]
pub mod layout;

#[doc(hidden)]
pub mod plan;

#[doc(hidden)]
pub mod storage;

pub mod memory;

#[doc(hidden)]
pub mod array_ref;

mod elements;

#[doc(hidden)]
pub mod rows;

#[doc(hidden)]
pub mod iter;

#[doc(hidden)]
pub mod equality;

mod assign;

#[doc(hidden)]
pub mod instances;

#[doc(hidden)]
pub mod kernel;

#[doc(hidden)]
pub mod evaluate;

mod axis_ops;

#[doc(hidden)]
pub mod indexing;

#[doc(hidden)]
pub mod pooling;

#[doc(hidden)]
pub mod autocast;

#[doc(hidden)]
pub mod static_calls;

#[doc(hidden)]
pub mod ops;

pub use element::{Element, Float};
pub use iter::Iter;
pub use ops::{Padding, QuantileMethod};
pub use sizes::Sizes;
pub use sizes::error::ShapeError;
pub use sizes::index_error::{IndexError, IndexingError};

/// The options of window operations.
pub mod windows {
    pub use crate::sizes::window_options::{AxisPadding, ConvOptions, Interpolation, PoolOptions};
}

/// Whether there are 16-bit floats.
#[doc(hidden)]
pub const HALF: bool = cfg!(feature = "half");
