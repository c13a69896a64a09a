//! Indices along an axis as positions, which count from 0.

use super::prelude::*;
use tensor_kernels::indexing;

/// Indices, which may be given from the end of the axis, as positions.
#[derive(Clone, Debug)]
struct Positions {
    axis: usize,
    size: usize,
}

impl<I: Integer> TryEvaluate<I> for Positions {
    #[track_caller]
    fn try_evaluate(&self, indices: &DynTensor<I>) -> Result<Storage<i64>, IndexingError> {
        Ok(indexing::resolve(indices.as_view(), self.axis, self.size)?)
    }
}

primitive!(Positions, |_| "indices", |_, _, _| 0, |positions, to| {
    let x = &to.builder.convert(&to.x[0], "i64");
    let [zero, size] =
        [0, positions.size].map(|number| to.builder.number(number as f64, &x.sizes, "i64"));
    let is_negative = to.builder.compare(x, &zero, "LT");
    let from_end = to.builder.binary("add", x, &size);
    to.builder.select(&is_negative, &from_end, x)
});

/// The positions that indices along an axis of this size mean, `[..s] → [..s]`; those of an array that is traced are
/// checked when the program runs.
///
/// # Errors
///
/// If an index that is known is out of range.
#[track_caller]
pub(super) fn positions<I: Integer>(
    indices: &DynTensor<I>,
    axis: usize,
    size: usize,
) -> Result<DynTensor<i64>, IndexingError> {
    try_apply(Positions { axis, size }, indices, indices.sizes.clone())
}

/// # Errors
///
/// If an operand has another shape than it needs.
pub(super) fn check_operand(
    operand: &'static str,
    expected: &[usize],
    found: &[usize],
) -> Result<(), ShapeError> {
    if expected == found {
        return Ok(());
    }
    Err(ShapeError::OperandShape { operand, sizes: Box::new([expected.to_vec(), found.to_vec()]) })
}

impl DynTensor<i64> {
    /// The vector of these numbers.
    pub(super) fn vector(numbers: Vec<i64>) -> Self {
        Self::from_storage(Sizes::from_slice(&[numbers.len()]), Storage::from_vec(numbers))
    }
}
