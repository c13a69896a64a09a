//! What can be done with tensors.

pub(crate) mod apply;
pub(crate) mod collect;
mod compare;
pub(crate) mod elementwise;
mod fuse;
mod matmul;
mod operators;
mod reduce;
mod zip;

pub use compare::select;
pub use fuse::{Meeting, Pass, fused};
pub use zip::{zip_with, zip_with3, zip_with4};
