//! `DynTensor`, the graphs that its operations are recorded in, and programs.

pub(crate) mod apply;
pub mod dynamic;
pub mod element_types;
pub mod gradients;
pub mod history;
#[cfg_attr(doc, doc(hidden))]
pub mod other_names;
pub mod recording;
pub mod row_calls;
mod row_constants;
pub mod trace;
