//! Slices at indices along an axis: `take`, `embedding`.

use super::positions::positions;
use super::prelude::*;
use tensor_kernels::indexing;

operation_rows! {
    topic "By indices" {
        take: 2 "Element" "take" "index_select" "gather";
        embedding: 2 "Element" "take" "nn.functional.embedding" "gather";
    }
}

/// The slices at positions, the second operand, along an axis, which the axes of the positions replace.
#[derive(Debug)]
struct Take {
    axis: usize,
}

primitive!(Take, |_| "take", |_, _, _| 0, |take, to| {
    to.builder.take(&to.x[0], &to.x[1], take.axis, to.sizes)
});

evaluate!(
    Take => (x: T, positions: i64) -> T where T: Element,
    |take, _| indexing::take(x.as_view(), take.axis, positions.row_major().as_slice()),
    |take| TakeRule { axis: take.axis, positions: positions.clone() },
);

struct TakeRule {
    axis: usize,
    positions: DynTensor<i64>,
}

/// Taken slices are added to those that they were taken from.
impl GradientRule for TakeRule {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> GradientsOf<T> {
        let zeros = DynTensor::zeros(at.sizes(0));
        let mut sizes: Sizes = at.sizes(0).into();
        sizes[self.axis] = self.positions.len();
        let rows = gradient.in_sizes(&sizes);
        smallvec![Some(zeros.add_rows(self.axis, &self.positions.flatten(), &rows))]
    }
}

impl<T: Element> DynTensor<T> {
    /// The slices at positions along an axis: `[..a, n, ..b], [..i] → [..a, ..i, ..b]`.
    #[track_caller]
    pub(crate) fn taken(&self, axis: usize, positions: &DynTensor<i64>) -> Self {
        let sizes = self.sizes_of_taken(axis, &positions.sizes);
        apply::<(T, i64), _>(Take { axis }, (self, positions), sizes)
    }

    /// The sizes with those of indices in place of an axis.
    fn sizes_of_taken(&self, axis: usize, indices: &[usize]) -> Sizes {
        let mut sizes = self.sizes.clone();
        sizes.remove(axis);
        sizes.insert_from_slice(axis, indices);
        sizes
    }
}

/// # Slices at indices
#[tensor_array_macros::method_docs(twins)]
#[tensor_array_macros::bounds_without_source]
impl<T: Element> DynTensor<T> {
    /// The slices at some indices along an axis; the axes of the indices replace the axis:
    /// `[..a, n, ..b], [..i] → [..a, ..i, ..b]`, as NumPy's `take` with an `axis`.
    /// Errors: [`IndexingError::InvalidIndex`] with the first index that is out of range, where negative ones
    /// count from the end, [`IndexingError::InvalidShape`] if there is no such axis, or if the result does not fit
    /// into memory.
    /// ```
    /// let x = DynTensor::from(tensor![[1, 2], [3, 4], [5, 6]]);
    /// assert_eq!(x.take(0, &tensor![2, 0].into())?, tensor![[5, 6], [1, 2]].into());
    /// assert_eq!(
    ///     x.take(0, &tensor![3].into()).unwrap_err().to_string(),
    ///     "index 3, at position [0] of the indices, is out of range for axis 0 of size 3: indices go from -3 to 2"
    /// );
    /// ```
    #[doc(alias("index_select", "gather"))]
    pub fn take<I>(&self, axis: isize, indices: &DynTensor<I>) -> Result<Self, IndexingError>
    where
        I: Integer,
    {
        let axis = self.axis_index(axis)?;
        let sizes = self.sizes_of_taken(axis, &indices.sizes);
        fits_into_memory::<T>(&sizes)?;
        let positions = positions(indices, axis, self.sizes[axis])?;
        Ok(apply::<(T, i64), _>(Take { axis }, (self, &positions), sizes))
    }

    /// The rows of a table at some indices, `[v, d], [..i] → [..i, d]`: an embedding layer, whose indices are
    /// words; [`take`](Self::take) along the first of two axes.
    /// Errors: [`IndexingError::InvalidIndex`] with the first index that is out of range,
    /// [`IndexingError::InvalidShape`] if this is no table, or if the result does not fit into memory.
    /// ```
    /// let table = DynTensor::from(tensor![[0.0, 1.0], [2.0, 3.0]]);
    /// assert_eq!(table.embedding(&tensor![[1]].into())?, tensor![[[2.0, 3.0]]].into());
    /// ```
    #[doc(alias = "lookup")]
    pub fn embedding<I>(&self, indices: &DynTensor<I>) -> Result<Self, IndexingError>
    where
        I: Integer,
    {
        if self.rank() != 2 {
            return Err(ShapeError::AxisCount { expected: 2, sizes: self.sizes.to_vec() }.into());
        }
        self.take(0, indices)
    }
}
