//! Distinct elements and slices: `unique` and others. Their number depends on the elements.

use tensor_kernels::indexing;
use tensor_kernels::ops::Groups;

use super::prelude::*;

operation_rows! {
    topic "In order" {
        unique: 1 "Element" "unique_values" "unique" "";
        unique_counts: 1 "Element" "unique_counts" "unique" "";
        unique_inverse: 1 "Element" "unique_inverse" "unique" "";
        unique_all: 1 "Element" "unique_all" "unique" "";
        unique_axis: 1 "Element" "unique" "unique" "";
        unique_all_axis: 1 "Element" "unique" "unique" "";
    }
}

/// # Distinct elements
#[tensor_array_macros::method_docs(twins)]
impl<T: Element> DynTensor<T> {
    /// The distinct elements in ascending order, `[..s] → [found]`. All NaNs count as one element, the last; -0.0
    /// and 0.0 count as one.
    /// Panics: If the tensor is part of a program that is being traced.
    /// ```
    /// assert_eq!(DynTensor::from(tensor![[3, 1], [1, 3]]).unique(), tensor![1, 3].into());
    /// ```
    #[doc(alias = "unique_values")]
    pub fn unique(&self) -> Self {
        self.unique_all().0
    }

    /// The distinct elements in ascending order, and the count of each: `[..s] → [found], [found]`.
    /// Panics: If the tensor is part of a program that is being traced.
    /// ```
    /// let (values, counts) = DynTensor::from(tensor![3, 1, 3]).unique_counts();
    /// assert_eq!((values, counts), (tensor![1, 3].into(), tensor![1, 2].into()));
    /// ```
    pub fn unique_counts(&self) -> (Self, DynTensor<i64>) {
        let (values, _, _, counts) = self.unique_all();
        (values, counts)
    }

    /// The distinct elements in ascending order, and for each element of the tensor the index of its equal among
    /// them: `[..s] → [found], [..s]`.
    /// Panics: If the tensor is part of a program that is being traced.
    /// ```
    /// let (values, numbers) = DynTensor::from(tensor![30, 10, 30]).unique_inverse();
    /// assert_eq!((values, numbers), (tensor![10, 30].into(), tensor![1, 0, 1].into()));
    /// ```
    #[doc(alias = "factorize")]
    pub fn unique_inverse(&self) -> (Self, DynTensor<i64>) {
        let (values, _, inverse, _) = self.unique_all();
        (values, inverse)
    }

    /// The distinct elements in ascending order, the flat index (in row-major order) of the first occurrence of
    /// each, for each element the index of its equal among the distinct ones, and the count of each:
    /// `[..s] → [found], [found], [..s], [found]`.
    /// Panics: If the tensor is part of a program that is being traced.
    /// ```
    /// let (_, first, _, counts) = DynTensor::from(tensor![3, 1, 3]).unique_all();
    /// assert_eq!((first, counts), (tensor![1, 0].into(), tensor![1, 2].into()));
    /// ```
    pub fn unique_all(&self) -> (Self, DynTensor<i64>, DynTensor<i64>, DynTensor<i64>) {
        let Groups { first, inverse, counts } = indexing::groups(self.as_view());
        let [first, counts] = [first, counts].map(DynTensor::vector);
        let values = self.flatten().taken(0, &first);
        let inverse = DynTensor::from_storage(self.sizes.clone(), Storage::from_vec(inverse));
        (values, first, inverse, counts)
    }

    /// The distinct slices along an axis, such as the distinct rows for axis 0,
    /// `[..a, n, ..b] → [..a, found, ..b]`: NumPy's `unique(x, axis=…)`. They are in ascending lexicographic
    /// order; all NaNs count as one element, the last.
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::TooLarge`] if the numbers
    /// that are sorted, of eight bytes each, do not fit into memory.
    /// Panics: If the tensor is part of a program that is being traced.
    /// ```
    /// let edges = DynTensor::from(tensor![[2, 1], [0, 3], [2, 1]]);
    /// assert_eq!(edges.unique_axis(0)?, tensor![[0, 3], [2, 1]].into());
    /// ```
    #[doc(alias("unique_rows", "unique_dim"))]
    pub fn unique_axis(&self, axis: isize) -> Result<Self, ShapeError> {
        Ok(self.unique_all_axis(axis)?.0)
    }

    /// The distinct slices along an axis in ascending lexicographic order, the index of the first occurrence of
    /// each, for each slice the index of its equal among them, and the count of each:
    /// `[..a, n, ..b] → [..a, found, ..b], [found], [n], [found]`.
    /// Errors: As [`unique_axis`](DynTensor::unique_axis).
    /// Panics: If the tensor is part of a program that is being traced.
    /// ```
    /// let edges = DynTensor::from(tensor![[2, 1], [0, 3], [2, 1]]);
    /// let (different, _, inverse, counts) = edges.unique_all_axis(0)?;
    /// assert_eq!(counts, tensor![1, 2].into());
    /// assert_eq!(different.take(0, &inverse).unwrap(), edges);
    /// ```
    #[expect(clippy::type_complexity, reason = "as NumPy has it")]
    pub fn unique_all_axis(
        &self,
        axis: isize,
    ) -> Result<(Self, DynTensor<i64>, DynTensor<i64>, DynTensor<i64>), ShapeError> {
        let axis = self.axis_index(axis)?;
        fits_into_memory::<u64>(&self.sizes)?;
        fits_into_memory::<i64>(&[self.sizes[axis]])?;
        let Groups { first, inverse, counts } = indexing::groups_along(self.as_view(), axis);
        let [first, inverse, counts] = [first, inverse, counts].map(DynTensor::vector);
        Ok((self.taken(axis, &first), first, inverse, counts))
    }
}
