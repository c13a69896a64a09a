//! What the files of operations use.

pub(super) use smallvec::smallvec;

pub(super) use super::operation::operation_rows;
pub(super) use crate::array::apply::{Evaluate, TryEvaluate, apply, evaluate, try_apply};
pub(super) use crate::array::dynamic::DynTensor;
pub(super) use crate::array::dynamic::elementwise::fits_into_memory;
pub(super) use crate::array::gradients::operations::fits;
pub(super) use crate::array::gradients::rule::{At, GradientRule, GradientsOf};
pub(super) use crate::array::history::{Rule, Saves};
pub(super) use crate::array::trace::{count, primitive};
pub(super) use tensor_kernels::element::{Element, Float, Integer, Number};
pub(super) use tensor_kernels::sizes::Sizes;
pub(super) use tensor_kernels::sizes::error::ShapeError;
pub(super) use tensor_kernels::sizes::index_error::IndexingError;
pub(super) use tensor_kernels::storage::Storage;
