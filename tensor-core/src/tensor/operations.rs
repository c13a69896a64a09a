//! Operations on tensors.

// rustdoc shows the methods in this order.
mod unary;

mod binary;

mod reduce;

mod reduce_axes;

mod sum_as;

pub(crate) mod matmul;

pub(crate) mod zip;

pub(crate) mod dispatch;
pub(crate) mod operator_rhs;
mod operators;

pub use binary::select;
pub use zip::{zip_with, zip_with3, zip_with4};
