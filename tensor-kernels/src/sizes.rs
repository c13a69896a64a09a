//! Sizes known at run time, without shape types: counting elements, errors, slices, windows.

pub mod count;
#[macro_use]
pub mod error;
pub mod index_error;
pub mod inferred;
pub mod slicing;
pub mod window_options;
pub mod windows;

use smallvec::SmallVec;

/// Sizes of all axes, first axis first.
pub type Sizes = SmallVec<[usize; 6]>;
