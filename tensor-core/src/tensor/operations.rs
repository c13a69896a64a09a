//! What can be done with tensors.

mod binary;
pub(crate) mod dispatch;
pub(crate) mod matmul;
mod operators;
mod reduce;
mod unary;
pub(crate) mod zip;

pub use binary::select;
pub use zip::{zip_with, zip_with3, zip_with4};
