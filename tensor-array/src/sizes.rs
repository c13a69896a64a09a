//! Sizes known at run time, without shape types: counting elements, errors, slices, windows.

pub(crate) mod count;
#[macro_use]
pub(crate) mod error;
pub(crate) mod index_error;
pub(crate) mod inferred;
pub(crate) mod slicing;
pub(crate) mod window_options;
pub(crate) mod windows;

use smallvec::SmallVec;

/// Sizes of all axes, first axis first.
pub type Sizes = SmallVec<[usize; 6]>;
