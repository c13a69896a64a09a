//! Writing values at indices: `scatter`, `scatter_add`, `index_add`, `index_copy`.

use super::{IndexTensor, index_result};
use crate::shape::Shape;
use crate::shape::axis::Axis;
use crate::shape::axis_index::{HasAxis, ReplaceAxis, WithAxis};
use crate::shape::index_error::{IndexError, IndexingError};
use crate::shape::indexing::{Changed, IndicesAlong};
use crate::tensor::Tensor;
use crate::tensor::operations::dispatch::unwrap_or_panic;
use tensor_array::array::dynamic::DynTensor;
use tensor_array_macros::usage;
use tensor_kernels::element::{Element, Integer, Number};

/// Generates the methods that combine values with elements.
macro_rules! scatter_methods {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[tensor_array_macros::bounds_without_source]
        #[track_caller]
        #[usage(x.$name::<-1, _>(&indices, &values))]
        pub fn $name<const AXIS: isize, X>(
            &self,
            indices: X,
            values: &Tensor<X::Shape, T>,
        ) -> Result<Tensor<Changed<S, AXIS, X::Shape>, T>, IndexError>
        where
            X: IndexTensor,
            X::Shape: IndicesAlong<S, AXIS>,
            T: Number,
        {
            self.scattered::<AXIS, X>(&indices, values, DynTensor::$name)
        }
    )*};
}

/// # Elements changed at indices
#[tensor_array_macros::method_docs]
#[tensor_array_macros::bounds_without_source]
impl<S: Shape, T: Element> Tensor<S, T> {
    #[doc = doc_scatter!()]
    /// Errors: The first index that is out of range; negative ones count from the end.
    /// Panics: If two operands give a named axis different sizes.
    /// ```
    /// let x = tensor![[1, 2, 3], [4, 5, 6]];
    /// let changed = x.scatter::<-1, _>(tensor![[0], [-1]], &tensor![[10], [60]])?;
    /// assert_eq!(changed, tensor![[10, 2, 3], [4, 5, 60]]);
    /// ```
    #[doc(alias = "put_along_axis")]
    #[usage(x.scatter::<-1, _>(&indices, &values))]
    pub fn scatter<const AXIS: isize, X>(
        &self,
        indices: X,
        values: &Tensor<X::Shape, T>,
    ) -> Result<Tensor<Changed<S, AXIS, X::Shape>, T>, IndexError>
    where
        X: IndexTensor,
        X::Shape: IndicesAlong<S, AXIS>,
    {
        self.scattered::<AXIS, X>(&indices, values, DynTensor::scatter)
    }

    scatter_methods! {
        /// The tensor with a value added to an element along axis `AXIS` for each index,
        /// `[..a, n, ..b], [..a, k, ..b], [..a, k, ..b] → [..a, n, ..b]`, in row-major order; 16-bit
        /// floats are summed in `f32` and rounded once. As NumPy's `add.at`, PyTorch's `scatter_add`.
        ///
        /// # Errors
        ///
        /// The first index that is out of range; negative ones count from the end.
        ///
        /// # Panics
        ///
        /// If two operands give a named axis different sizes.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// let votes = tensor![0, 0, 0].scatter_add::<0, _>(tensor![2, 0, 2], &tensor![1, 1, 1])?;
        /// assert_eq!(votes, tensor![1, 0, 2]);
        /// # Ok::<(), tensor_core::IndexError>(())
        /// ```
        scatter_add;
        /// The tensor with an element along axis `AXIS` multiplied by a value for each index,
        /// `[..a, n, ..b], [..a, k, ..b], [..a, k, ..b] → [..a, n, ..b]`.
        ///
        /// # Errors
        ///
        /// The first index that is out of range; negative ones count from the end.
        ///
        /// # Panics
        ///
        /// If two operands give a named axis different sizes.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// let x = tensor![1, 2, 3].scatter_mul::<0, _>(tensor![1, 1], &tensor![5, 10])?;
        /// assert_eq!(x, tensor![1, 100, 3]);
        /// # Ok::<(), tensor_core::IndexError>(())
        /// ```
        scatter_mul;
        /// The tensor with each indexed element along axis `AXIS` replaced by the larger of it and a
        /// value, `[..a, n, ..b], [..a, k, ..b], [..a, k, ..b] → [..a, n, ..b]`; NaN if either is NaN.
        ///
        /// # Errors
        ///
        /// The first index that is out of range; negative ones count from the end.
        ///
        /// # Panics
        ///
        /// If two operands give a named axis different sizes.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// let x = tensor![1, 2, 3].scatter_max::<0, _>(tensor![0, 2], &tensor![5, 1])?;
        /// assert_eq!(x, tensor![5, 2, 3]);
        /// # Ok::<(), tensor_core::IndexError>(())
        /// ```
        scatter_max;
        /// The tensor with each indexed element along axis `AXIS` replaced by the smaller of it and a
        /// value, `[..a, n, ..b], [..a, k, ..b], [..a, k, ..b] → [..a, n, ..b]`; NaN if either is NaN.
        ///
        /// # Errors
        ///
        /// The first index that is out of range; negative ones count from the end.
        ///
        /// # Panics
        ///
        /// If two operands give a named axis different sizes.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// let x = tensor![1, 2, 3].scatter_min::<0, _>(tensor![0, 2], &tensor![5, 1])?;
        /// assert_eq!(x, tensor![1, 2, 1]);
        /// # Ok::<(), tensor_core::IndexError>(())
        /// ```
        scatter_min;
    }

    /// The result of a scatter operation, whose indices are in range.
    fn scattered<const AXIS: isize, X>(
        &self,
        indices: &X,
        values: &Tensor<X::Shape, T>,
        scatter: impl FnOnce(
            &DynTensor<T>,
            isize,
            &DynTensor<X::Element>,
            &DynTensor<T>,
        ) -> Result<DynTensor<T>, IndexingError>,
    ) -> Result<Tensor<Changed<S, AXIS, X::Shape>, T>, IndexError>
    where
        X: IndexTensor,
        X::Shape: IndicesAlong<S, AXIS>,
    {
        let shape = indices.read().shape;
        let (_, result) = unwrap_or_panic(shape.along(self.axes));
        unwrap_or_panic(shape.broadcast(values.axes));
        let axis = <X::Shape as IndicesAlong<S, AXIS>>::INDEX;
        let indices = indices.read().erased();
        let scattered = scatter(&self.erased(), axis as isize, &indices, &values.erased());
        Ok(Tensor::with_shape(result, index_result(scattered)?))
    }

    #[doc = doc_index_copy!()]
    /// Errors: The first index that is out of range; negative ones count from the end.
    /// Panics: If two operands give a named axis different sizes.
    /// ```
    /// let x = tensor![[1, 2], [3, 4], [5, 6]];
    /// let changed = x.index_copy::<0, _>(&tensor![2, 0], &tensor![[50, 60], [10, 20]])?;
    /// assert_eq!(changed, tensor![[10, 20], [3, 4], [50, 60]]);
    /// ```
    #[doc(alias = "index_put")]
    #[usage(x.index_copy::<0, _>(&indices, &rows))]
    pub fn index_copy<const AXIS: isize, K>(
        &self,
        indices: &Tensor<((), K), impl Integer>,
        values: &Tensor<WithAxis<S, AXIS, K>, T>,
    ) -> Result<Self, IndexError>
    where
        S: ReplaceAxis<AXIS, K>,
        K: Axis,
    {
        let axis = self.check_rows::<AXIS, K>(indices.axes.1, values.axes);
        let (indices, values) = (indices.erased(), values.erased());
        let result = self.erased().index_copy(axis as isize, &indices, &values);
        Ok(Tensor::with_shape(self.axes, index_result(result)?))
    }

    #[doc = doc_index_add!()]
    /// Errors: The first index that is out of range; negative ones count from the end.
    /// Panics: If two operands give a named axis different sizes.
    /// ```
    /// let x = tensor![[1, 2], [3, 4]];
    /// let sums = x.index_add::<0, _>(&tensor![1, 1], &tensor![[10, 10], [100, 100]])?;
    /// assert_eq!(sums, tensor![[1, 2], [113, 114]]);
    /// ```
    #[usage(x.index_add::<0, _>(&indices, &rows))]
    pub fn index_add<const AXIS: isize, K>(
        &self,
        indices: &Tensor<((), K), impl Integer>,
        values: &Tensor<WithAxis<S, AXIS, K>, T>,
    ) -> Result<Self, IndexError>
    where
        S: ReplaceAxis<AXIS, K>,
        K: Axis,
        T: Number,
    {
        let axis = self.check_rows::<AXIS, K>(indices.axes.1, values.axes);
        let (indices, values) = (indices.erased(), values.erased());
        let result = self.erased().index_add(axis as isize, &indices, &values);
        Ok(Tensor::with_shape(self.axes, index_result(result)?))
    }

    /// The index of the axis.
    ///
    /// # Panics
    ///
    /// If the number of rows differs from the number of indices, which may both be run-time sizes.
    fn check_rows<const AXIS: isize, K: Axis>(&self, rows: K, values: WithAxis<S, AXIS, K>) -> usize
    where
        S: ReplaceAxis<AXIS, K>,
    {
        let shape = unwrap_or_panic(self.axes.replace_axis(rows));
        unwrap_or_panic(shape.broadcast(values));
        <S as HasAxis<AXIS>>::INDEX
    }
}
