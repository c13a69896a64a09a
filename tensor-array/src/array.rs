//! Arrays without shape types: element type, sizes, strides, offset and storage, and the kernels that
//! run over them.

pub(crate) mod apply;
pub(crate) mod array_ref;
pub(crate) mod assign;
pub(crate) mod axis_ops;
pub(crate) mod dynamic;
pub(crate) mod element_types;
mod elements;
pub(crate) mod equality;
pub(crate) mod evaluate;
pub(crate) mod gradients;
pub(crate) mod history;
mod indexing;
pub(crate) mod instances;
pub(crate) mod iter;
pub(crate) mod kernel;
pub(crate) mod layout;
pub mod memory;
pub(crate) mod plan;
pub(crate) mod recording;
mod row_calls;
pub(crate) mod rows;
pub(crate) mod static_calls;
pub(crate) mod storage;
pub(crate) mod trace;
