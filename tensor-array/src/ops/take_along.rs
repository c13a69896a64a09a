//! One element along an axis for each index: `take_along_axis`.

use tensor_kernels::indexing;
use tensor_kernels::ops::Along;

use super::positions::{check_operand, positions};
use super::prelude::*;

operation_rows! {
    topic "By indices" {
        take_along_axis: 2 "Element" "take_along_axis" "gather" "gather";
    }
}

/// The elements at positions, the second operand, along an axis.
#[derive(Debug)]
struct TakeAlong {
    axis: usize,
}

primitive!(TakeAlong, |_| "take_along_axis", |_, _, _| 0, |take, to| {
    to.builder.take_along(&to.x[0], &to.x[1], take.axis)
});

evaluate!(
    TakeAlong => (x: T, positions: i64) -> T where T: Element,
    |take, sizes| {
        let indices = positions.row_major();
        let along = Along { axis: take.axis, len: sizes[take.axis], indices: indices.as_slice() };
        indexing::take_along(x.as_view(), along)
    },
    |take| TakeAlongRule { axis: take.axis, positions: positions.clone() },
);

struct TakeAlongRule {
    axis: usize,
    positions: DynTensor<i64>,
}

impl GradientRule for TakeAlongRule {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> GradientsOf<T> {
        let gradient = gradient.in_sizes(&self.positions.sizes);
        let zeros = DynTensor::zeros(at.sizes(0));
        smallvec![Some(zeros.scatter_added(self.axis, &self.positions, &gradient))]
    }
}

impl<T: Element> DynTensor<T> {
    /// The elements at positions along an axis: `[..a, n, ..b], [..a, k, ..b] → [..a, k, ..b]`.
    #[track_caller]
    pub(crate) fn taken_along(&self, axis: usize, positions: &DynTensor<i64>) -> Self {
        apply::<(T, i64), _>(TakeAlong { axis }, (self, positions), positions.sizes.clone())
    }

    /// The positions of indices that select elements along an axis, whose other sizes are those of the tensor;
    /// values have the sizes of the indices.
    #[track_caller]
    pub(super) fn positions_along<I: Integer>(
        &self,
        axis: isize,
        indices: &DynTensor<I>,
        values: Option<&Self>,
    ) -> Result<(usize, DynTensor<i64>), IndexingError> {
        let axis = self.axis_index(axis)?;
        let pairs = || self.sizes.iter().zip(&indices.sizes).enumerate();
        let is_equal = |(other, (left, right))| other == axis || left == right;
        if self.rank() != indices.rank() || !pairs().all(is_equal) {
            let sizes = Box::new([self.sizes.to_vec(), indices.sizes.to_vec()]);
            return Err(ShapeError::IndexShape { axis, sizes }.into());
        }
        if let Some(values) = values {
            check_operand("values", &indices.sizes, &values.sizes)?;
        }
        Ok((axis, positions(indices, axis, self.sizes[axis])?))
    }
}

/// # Elements at indices
#[tensor_array_macros::method_docs(twins)]
#[tensor_array_macros::bounds_without_source]
impl<T: Element> DynTensor<T> {
    /// One element along an axis for each index, `[..a, n, ..b], [..a, k, ..b] → [..a, k, ..b]`: the element with
    /// the same indices on all other axes. As NumPy's `take_along_axis`, PyTorch's `gather`.
    /// Errors: [`IndexingError::InvalidIndex`] with the first index that is out of range,
    /// [`IndexingError::InvalidShape`] if there is no such axis, or if the shapes differ in another axis.
    /// ```
    /// let x = DynTensor::from(tensor![[1, 2, 3], [4, 5, 6]]);
    /// let indices = tensor![[2], [0]].into();
    /// assert_eq!(x.take_along_axis(-1, &indices)?, tensor![[3], [4]].into());
    /// ```
    #[doc(alias("gather", "gather_elements"))]
    pub fn take_along_axis<I>(
        &self,
        axis: isize,
        indices: &DynTensor<I>,
    ) -> Result<Self, IndexingError>
    where
        I: Integer,
    {
        let (axis, positions) = self.positions_along(axis, indices, None)?;
        Ok(self.taken_along(axis, &positions))
    }
}
