//! What can be done with tensors.

pub(crate) mod apply;
pub(crate) mod collect;
mod compare;
pub(crate) mod elementwise;
mod extreme;
mod fuse;
mod in_place;
mod logic;
mod matmul;
mod normalize;
mod operators;
mod reduce;
mod softmax;
mod variance;
mod zip;

pub use compare::select;
pub use fuse::{Meeting, Pass, fused};
pub use zip::{zip_with, zip_with3, zip_with4};
