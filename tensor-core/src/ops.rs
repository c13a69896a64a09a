//! The table of operations.

pub(crate) mod reductions;
