//! What can be done with tensors.

mod binary;
pub(crate) mod dispatch;
mod extreme;
mod fuse;
mod in_place;
mod logic;
pub(crate) mod matmul;
mod normalize;
mod operators;
mod reduce;
mod softmax;
mod unary;
mod variance;
pub(crate) mod zip;

pub use binary::select;
pub use fuse::{Meeting, Pass, fused};
pub use zip::{zip_with, zip_with3, zip_with4};
