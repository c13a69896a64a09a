//! Elements chosen by a mask: `masked_select`, `compress`, `nonzero`. Their number depends on the elements.

use super::prelude::*;
use smallvec::SmallVec;
use tensor_kernels::indexing;
use tensor_kernels::plan::row_major_strides;

use super::positions::check_operand;

operation_rows! {
    topic "Chosen by a mask" {
        masked_select: 2 "Element" "extract" "masked_select" "";
        compress: 2 "Element" "compress" "" "";
        nonzero: 1 "Element" "argwhere" "nonzero" "";
        flatnonzero: 1 "Element" "flatnonzero" "" "";
    }
}

/// # Chosen by a mask
#[tensor_array_macros::method_docs(twins)]
impl<T: Element> DynTensor<T> {
    /// The elements where a mask of the same shape is `true`, in row-major order, `[..s], [..s] → [found]`:
    /// NumPy's `x[mask]`.
    /// Errors: [`ShapeError::OperandShape`] if the mask has another shape.
    /// Panics: If the mask is part of a program that is being traced.
    /// ```
    /// let x = DynTensor::from(tensor![[1.0, -2.0], [3.0, -4.0]]);
    /// let mask = tensor![[true, false], [true, false]].into();
    /// assert_eq!(x.masked_select(&mask)?, tensor![1.0, 3.0].into());
    /// ```
    #[doc(alias("extract", "boolean_mask"))]
    pub fn masked_select(&self, mask: &DynTensor<bool>) -> Result<Self, ShapeError> {
        check_operand("elements of the mask", &self.sizes, &mask.sizes)?;
        Ok(self.flatten().taken(0, &mask.flatnonzero()))
    }

    /// The elements along an axis where a mask is `true`, `[..a, n, ..b], [n] → [..a, found, ..b]`: NumPy's
    /// `x[mask]` for the first axis, `x[:, mask]` for the second.
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::OperandShape`] if the mask
    /// has another shape.
    /// Panics: If the mask is part of a program that is being traced.
    /// ```
    /// let rows = DynTensor::from(tensor![[1, 2], [3, 4], [5, 6]]);
    /// let kept = rows.compress(0, &tensor![true, false, true].into())?;
    /// assert_eq!(kept, tensor![[1, 2], [5, 6]].into());
    /// ```
    pub fn compress(&self, axis: isize, mask: &DynTensor<bool>) -> Result<Self, ShapeError> {
        let axis = self.axis_index(axis)?;
        check_operand("elements of the mask", &self.sizes[axis..=axis], &mask.sizes)?;
        Ok(self.taken(axis, &mask.flatnonzero()))
    }

    /// The indices of the elements that are not 0, one row for each, in row-major order: `[..s] → [found, rank]`.
    /// As NumPy's `argwhere`, PyTorch's `nonzero`.
    /// Panics: If the tensor is part of a program that is being traced.
    /// ```
    /// assert_eq!(DynTensor::from(tensor![[0, 7], [8, 0]]).nonzero(), tensor![[0, 1], [1, 0]].into());
    /// ```
    #[doc(alias = "argwhere")]
    pub fn nonzero(&self) -> DynTensor<i64> {
        let positions = indexing::nonzero(self.as_view());
        let sizes = [positions.len(), self.rank()].as_slice().into();
        DynTensor::from_storage(sizes, Storage::from_vec(indices(&self.sizes, &positions)))
    }

    /// The flat indices (in row-major order) of the elements that are not 0, `[..s] → [found]`.
    /// Panics: If the tensor is part of a program that is being traced.
    /// ```
    /// assert_eq!(DynTensor::from(tensor![[0, 7], [8, 0]]).flatnonzero(), tensor![1, 2].into());
    /// ```
    pub fn flatnonzero(&self) -> DynTensor<i64> {
        DynTensor::vector(indexing::nonzero(self.as_view()))
    }
}

/// Row-major positions as indices, one row for each.
fn indices(sizes: &[usize], positions: &[i64]) -> Vec<i64> {
    let strides = row_major_strides(sizes);
    let index = |position: &i64| {
        let position = *position as usize;
        let axes = strides.iter().zip(sizes);
        let index = axes.map(move |(&stride, &size)| (position / stride as usize % size) as i64);
        index.collect::<SmallVec<[i64; 6]>>()
    };
    positions.iter().flat_map(index).collect()
}
