//! Selection by a mask, and counts of elements of a [`DynTensor`]: `masked_select`, `nonzero`, `bincount`.

use core::ops::RangeInclusive;

use super::DynTensor;
use super::elementwise::fits_into_memory;
use super::indexing::check_operand;
use super::ordering::numbers;
use crate::array::gradients;
use crate::array::layout::ErasedView;
use crate::array::plan::row_major_strides;
use crate::array::recording::Outcome;
use crate::array::storage::Storage;
use crate::element::{Element, Integer, Number};
use crate::ops::ElementIndexing;
use crate::sizes::error::ShapeError;
use crate::sizes::index_error::IndexingError;
use smallvec::SmallVec;

/// # Chosen by a mask
#[tensor_array_macros::method_docs(twins)]
impl<T: Element> DynTensor<T> {
    /// The elements where a mask of the same shape is `true`, in row-major order, `[..s], [..s] → [found]`:
    /// NumPy's `x[mask]`.
    /// Errors: [`ShapeError::OperandShape`] if the mask has another shape.
    /// Panics: If the tensor is part of a program that is being traced.
    /// ```
    /// let x = DynTensor::from(tensor![[1.0, -2.0], [3.0, -4.0]]);
    /// let mask = tensor![[true, false], [true, false]].into();
    /// assert_eq!(x.masked_select(&mask)?, tensor![1.0, 3.0].into());
    /// ```
    #[doc(alias("extract", "boolean_mask"))]
    pub fn masked_select(&self, mask: &DynTensor<bool>) -> Result<Self, ShapeError> {
        check_operand("elements of the mask", &self.sizes, &mask.sizes)?;
        let chosen = <bool as ElementIndexing>::nonzero(mask.as_view());
        let (flat, len) = (self.contiguous(), [self.len()]);
        let view = ErasedView::new(&len, None, flat.stored());
        let sizes = [chosen.len()].as_slice().into();
        let result = Self::from_storage(sizes, T::take(view, 0, &chosen));
        Ok(result.with(&[self], || gradients::Take::new(None, chosen)))
    }

    /// The elements along an axis where a mask is `true`, `[..a, n, ..b], [n] → [..a, found, ..b]`: NumPy's
    /// `x[mask]` for the first axis, `x[:, mask]` for the second.
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::OperandShape`] if the mask
    /// has another shape.
    /// Panics: If the tensor is part of a program that is being traced.
    /// ```
    /// let rows = DynTensor::from(tensor![[1, 2], [3, 4], [5, 6]]);
    /// let kept = rows.compress(0, &tensor![true, false, true].into())?;
    /// assert_eq!(kept, tensor![[1, 2], [5, 6]].into());
    /// ```
    pub fn compress(&self, axis: isize, mask: &DynTensor<bool>) -> Result<Self, ShapeError> {
        let axis = self.axis_index(axis)?;
        check_operand("elements of the mask", &self.sizes[axis..=axis], &mask.sizes)?;
        let chosen = <bool as ElementIndexing>::nonzero(mask.as_view());
        let mut sizes = self.sizes.clone();
        sizes[axis] = chosen.len();
        let result = Self::from_storage(sizes, T::take(self.as_view(), axis, &chosen));
        let rule = || gradients::Take::new(Some(axis), chosen);
        Ok(result.with(&[self], rule))
    }

    /// The indices of the elements that are not 0, one row for each, in row-major order: `[..s] → [found, rank]`.
    /// As NumPy's `argwhere`, PyTorch's `nonzero`.
    /// Panics: If the tensor is part of a program that is being traced.
    /// ```
    /// assert_eq!(DynTensor::from(tensor![[0, 7], [8, 0]]).nonzero(), tensor![[0, 1], [1, 0]].into());
    /// ```
    #[doc(alias = "argwhere")]
    pub fn nonzero(&self) -> DynTensor<i64> {
        let positions = T::nonzero(self.as_view());
        let sizes = [positions.len(), self.rank()].as_slice().into();
        DynTensor::from_storage(sizes, Storage::from_vec(indices(&self.sizes, &positions)))
    }

    /// The flat indices (in row-major order) of the elements that are not 0, `[..s] → [found]`.
    /// Panics: If the tensor is part of a program that is being traced.
    /// ```
    /// assert_eq!(DynTensor::from(tensor![[0, 7], [8, 0]]).flatnonzero(), tensor![1, 2].into());
    /// ```
    pub fn flatnonzero(&self) -> DynTensor<i64> {
        let positions = T::nonzero(self.as_view());
        DynTensor::from_storage([positions.len()].as_slice().into(), numbers(positions))
    }
}

/// # Counts and differences
#[tensor_array_macros::method_docs(twins)]
#[tensor_array_macros::bounds_without_source]
impl<T: Element> DynTensor<T> {
    /// The number of occurrences of each integer below `bins`, `[..s] → [bins]`.
    /// Errors: [`IndexingError::InvalidIndex`] with the first number that is negative or not below `bins`,
    /// [`IndexingError::InvalidShape`] if the result does not fit into memory.
    ///
    /// Of a program, this is the error of the run; XLA does not count a number that is out of range.
    /// ```
    /// assert_eq!(DynTensor::from(tensor![1, 3, 1]).bincount(4)?, tensor![0, 2, 0, 1].into());
    /// ```
    pub fn bincount(&self, bins: usize) -> Result<DynTensor<i64>, IndexingError>
    where
        T: Integer,
    {
        fits_into_memory::<i64>(&[bins])?;
        if self.is_traced() {
            return Ok(self.traced_bincount(bins)?);
        }
        let counts = T::bincount(self.as_view(), bins)?;
        Ok(DynTensor::from_storage([bins].as_slice().into(), counts))
    }

    /// The number of elements in each of `bins` equal parts of a range, `[..s] → [bins]`. A part includes its
    /// lower end, the last part both ends; elements outside the range, and NaN, are not counted. A range of one
    /// number is extended by 0.5 in both directions.
    /// Errors: [`ShapeError::HistogramRange`] if the range is reversed or not finite, as that of elements of which
    /// one is NaN; [`ShapeError::TooLarge`] if the result does not fit into memory.
    /// ```
    /// let x = DynTensor::from(tensor![0.1, 0.2, 0.5, 1.0, 7.0]);
    /// assert_eq!(x.histogram(2, 0.0..=1.0)?, tensor![2, 2].into());
    /// ```
    #[doc(alias = "histc")]
    pub fn histogram(
        &self,
        bins: usize,
        range: RangeInclusive<f64>,
    ) -> Result<DynTensor<i64>, ShapeError>
    where
        T: Number,
    {
        let range = ends(range)?;
        fits_into_memory::<i64>(&[bins])?;
        if self.is_traced() {
            return self.traced_histogram(bins, range);
        }
        let counts = T::histogram(self.as_view(), bins, range);
        Ok(DynTensor::from_storage([bins].as_slice().into(), counts))
    }

    /// Each element along an axis less the one before it, `[..a, n, ..b] → [..a, n - 1, ..b]`. Integers wrap
    /// around.
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::Empty`] if it has size 0.
    /// ```
    /// let x = DynTensor::from(tensor![[1, 4, 9], [10, 20, 40]]);
    /// assert_eq!(x.diff(-1)?, tensor![[3, 5], [10, 20]].into());
    /// ```
    pub fn diff(&self, axis: isize) -> Result<Self, ShapeError>
    where
        T: Number,
    {
        let axis = self.axis_index(axis)?;
        let mut sizes = self.sizes.clone();
        sizes[axis] = match sizes[axis].checked_sub(1) {
            Some(fewer) => fewer,
            None => return Err(ShapeError::Empty { operation: "diff", axis: Some(axis) }),
        };
        if self.is_traced() {
            let axis = axis as isize;
            let last = self.sizes[axis as usize] - 1;
            return Ok(self.slice_axis(axis, 1..)?.difference(&self.slice_axis(axis, ..last)?));
        }
        let result = Self::from_storage(sizes, T::diff(self.as_view(), axis));
        Ok(result.with(&[self], || gradients::Move::Differences { axis }))
    }
}

/// The ends of the range of a histogram. A single number is widened to a range of width 1 around it, as in
/// NumPy, or to the next smaller and larger number if those are further away.
///
/// # Errors
///
/// If the range is reversed or not finite.
fn ends(range: RangeInclusive<f64>) -> Result<(f64, f64), ShapeError> {
    let (low, high) = range.into_inner();
    if low == high && low.is_finite() {
        let (below, above) = (low.next_down().min(low - 0.5), low.next_up().max(low + 0.5));
        return Ok((below.max(f64::MIN), above.min(f64::MAX)));
    }
    match low < high && (high - low).is_finite() {
        true => Ok((low, high)),
        false => Err(ShapeError::HistogramRange { range: format!("{low:?}..={high:?}") }),
    }
}

/// Row-major positions as indices, one row for each.
fn indices(sizes: &[usize], positions: &[usize]) -> Vec<i64> {
    let strides = row_major_strides(sizes);
    let index = |position: &usize| {
        let position = *position;
        let axes = strides.iter().zip(sizes);
        let index = axes.map(move |(&stride, &size)| (position / stride as usize % size) as i64);
        index.collect::<SmallVec<[i64; 6]>>()
    };
    positions.iter().flat_map(index).collect()
}
