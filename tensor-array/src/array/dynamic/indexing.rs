//! Elements at indices of a [`DynTensor`]: `take`, `scatter`, `one_hot`.

use super::DynTensor;
use super::elementwise::fits_into_memory;
use crate::array::dynamic::traced::traced_indices;
use crate::array::gradients;
use crate::array::layout::ErasedView;
use crate::array::recording::Outcome;
use crate::array::storage::Storage;
use crate::array::trace;
use crate::element::{Element, Integer, Number};
use crate::ops::{Along, Combine};
use crate::sizes::Sizes;
use crate::sizes::error::ShapeError;
use crate::sizes::index_error::IndexingError;

/// Indices along an axis, checked to be in range.
struct Resolved {
    axis: usize,
    /// The number of indices along the axis.
    len: usize,
    indices: Vec<usize>,
}

impl Resolved {
    fn along(&self) -> Along<'_> {
        Along { axis: self.axis, len: self.len, indices: &self.indices }
    }
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

/// Generates the methods that combine elements with values; a row has the operation and the example's result.
macro_rules! combined {
    ($($name:ident: $Combine:ident $combined:literal $result:tt;)*) => {$(
        #[doc = concat!("The tensor with ", $combined, " along an axis for each index,")]
        /// `[..a, n, ..b], [..a, k, ..b], [..a, k, ..b] → [..a, n, ..b]`, one after the other in row-major
        /// order.
        ///
        /// # Errors
        ///
        /// [`IndexingError::InvalidIndex`] with the first index that is out of range,
        /// [`IndexingError::InvalidShape`] if there is no such axis, or if the shapes differ in another axis.
        ///
        /// ```
        /// use tensor_core::{DynTensor, tensor};
        ///
        /// let x = DynTensor::from(tensor![1, 2, 3]);
        /// let (indices, values) = (tensor![0, -1].into(), tensor![5, 2].into());
        #[doc = concat!(
            "assert_eq!(x.", stringify!($name), "(0, &indices, &values)?, tensor!",
            stringify!($result), ".into());"
        )]
        /// # Ok::<(), tensor_core::IndexingError>(())
        /// ```
        #[track_caller]
        pub fn $name<I>(
            &self,
            axis: isize,
            indices: &DynTensor<I>,
            values: &Self,
        ) -> Result<Self, IndexingError>
        where
            I: Integer,
            T: Number,
        {
            if trace::is_any_traced(&[self, indices, values]) {
                let axis = self.check_along(axis, indices, Some(values))?;
                let indices = traced_indices(indices, axis, self.sizes[axis])?;
                let combine = Some(Combine::$Combine);
                let run = move |x: &Self, i: &DynTensor<i64>, v: &Self| x.$name(axis as isize, i, v);
                return Ok(self.traced_scatter(axis, &indices, values, combine, run));
            }
            let found = self.along(axis, indices, Some(values))?;
            let combine = Combine::$Combine;
            let storage = T::scatter_combine(self.as_view(), found.along(), values.as_view(), combine);
            Ok(self.scattered(storage, values, found, Some(combine)))
        }
    )*};
}

impl<T: Element> DynTensor<T> {
    /// Checks the shapes of indices that select elements along an axis; the values have the same shape.
    fn check_along<I: Integer>(
        &self,
        axis: isize,
        indices: &DynTensor<I>,
        values: Option<&Self>,
    ) -> Result<usize, IndexingError> {
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
        Ok(axis)
    }

    /// Resolves indices that select elements along an axis; the values have the same shape.
    fn along<I: Integer>(
        &self,
        axis: isize,
        indices: &DynTensor<I>,
        values: Option<&Self>,
    ) -> Result<Resolved, IndexingError> {
        let axis = self.check_along(axis, indices, values)?;
        let len = indices.sizes[axis];
        let indices = I::resolve(indices.as_view(), axis, self.sizes[axis])?;
        Ok(Resolved { axis, len, indices })
    }

    /// Resolves the indices of rows along an axis; the values have one row for each.
    fn scattered(
        &self,
        storage: Storage<T>,
        values: &Self,
        found: Resolved,
        combine: Option<Combine>,
    ) -> Self {
        let rule = || {
            let Resolved { axis, indices: positions, .. } = found;
            let along = gradients::TakeAlong::new(axis, &values.sizes, positions);
            gradients::Scatter { along, combine }
        };
        Self::from_storage(self.sizes.clone(), storage).with(&[self, values], rule)
    }

    fn check_rows<I: Integer>(
        &self,
        axis: isize,
        indices: &DynTensor<I>,
        values: &Self,
    ) -> Result<usize, IndexingError> {
        let axis = self.axis_index(axis)?;
        let mut expected = self.sizes.clone();
        expected[axis] = indices.len();
        check_operand("indices", &[indices.len()], &indices.sizes)?;
        check_operand("values", &expected, &values.sizes)?;
        Ok(axis)
    }

    fn rows<I: Integer>(
        &self,
        axis: isize,
        indices: &DynTensor<I>,
        values: &Self,
    ) -> Result<(usize, Vec<usize>), IndexingError> {
        let axis = self.check_rows(axis, indices, values)?;
        Ok((axis, I::resolve(indices.as_view(), axis, self.sizes[axis])?))
    }
}

/// # Elements at indices
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
        let mut sizes = self.sizes.clone();
        sizes.remove(axis);
        sizes.insert_from_slice(axis, &indices.sizes);
        fits_into_memory::<T>(&sizes)?;
        if self.is_traced() || indices.is_traced() {
            return Ok(self.traced_take(axis, &traced_indices(indices, axis, self.sizes[axis])?));
        }
        let indices = I::resolve(indices.as_view(), axis, self.sizes[axis])?;
        let result = Self::from_storage(sizes, T::take(self.as_view(), axis, &indices));
        Ok(result.with(&[self], || gradients::Take::new(Some(axis), indices)))
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
        let sizes = indices.sizes.clone();
        if self.is_traced() || indices.is_traced() {
            let axis = self.check_along(axis, indices, None)?;
            let indices = traced_indices(indices, axis, self.sizes[axis])?;
            return Ok(self.traced_take_along(axis, &indices));
        }
        let Resolved { axis, len, indices } = self.along(axis, indices, None)?;
        let along = Along { axis, len, indices: &indices };
        let result = Self::from_storage(sizes.clone(), T::take_along(self.as_view(), along));
        let rule = || gradients::TakeAlong::new(axis, &sizes, indices);
        Ok(result.with(&[self], rule))
    }

    /// The tensor with one element along an axis replaced by a value for each index,
    /// `[..a, n, ..b], [..a, k, ..b], [..a, k, ..b] → [..a, n, ..b]`: the inverse of
    /// [`take_along_axis`](Self::take_along_axis). As NumPy's `put_along_axis`, PyTorch's `scatter`. If an index
    /// occurs twice, the last value in row-major order is kept.
    /// Errors: [`IndexingError::InvalidIndex`] with the first index that is out of range,
    /// [`IndexingError::InvalidShape`] if there is no such axis, or if the shapes differ in another axis.
    /// ```
    /// let x = DynTensor::from(tensor![1, 2, 3]);
    /// let (indices, values) = (tensor![0, -1].into(), tensor![5, 2].into());
    /// assert_eq!(x.scatter(0, &indices, &values)?, tensor![5, 2, 2].into());
    /// ```
    #[doc(alias = "put_along_axis")]
    pub fn scatter<I>(
        &self,
        axis: isize,
        indices: &DynTensor<I>,
        values: &Self,
    ) -> Result<Self, IndexingError>
    where
        I: Integer,
    {
        if trace::is_any_traced(&[self, indices, values]) {
            let axis = self.check_along(axis, indices, Some(values))?;
            let indices = traced_indices(indices, axis, self.sizes[axis])?;
            return Ok(self.traced_scatter(axis, &indices, values, None, move |x, i, v| {
                x.scatter(axis as isize, i, v)
            }));
        }
        let found = self.along(axis, indices, Some(values))?;
        let storage = T::scatter(self.as_view(), found.along(), values.as_view());
        Ok(self.scattered(storage, values, found, None))
    }

    combined! {
        scatter_add: Add "a value added to an element" [6, 2, 5];
        scatter_mul: Mul "an element multiplied by a value" [5, 2, 6];
        scatter_max: Max "the larger of an element and a value" [5, 2, 3];
        scatter_min: Min "the smaller of an element and a value" [1, 2, 2];
    }

    /// The tensor with the slices at `indices` along an axis replaced by those of `values`,
    /// `[..a, n, ..b], [k], [..a, k, ..b] → [..a, n, ..b]`: the inverse of [`take`](Self::take). If an index
    /// occurs twice, the last slice is kept.
    /// Errors: [`IndexingError::InvalidIndex`] with the first index that is out of range,
    /// [`IndexingError::InvalidShape`] if there is no such axis, or if the number of rows differs from the number
    /// of indices.
    /// ```
    /// let x = DynTensor::from(tensor![[1, 2], [3, 4], [5, 6]]);
    /// let (indices, rows) = (tensor![2, 0].into(), tensor![[50, 60], [10, 20]].into());
    /// assert_eq!(x.index_copy(0, &indices, &rows)?, tensor![[10, 20], [3, 4], [50, 60]].into());
    /// ```
    pub fn index_copy<I>(
        &self,
        axis: isize,
        indices: &DynTensor<I>,
        values: &Self,
    ) -> Result<Self, IndexingError>
    where
        I: Integer,
    {
        self.put_rows(axis, indices, values, false, T::index_copy, Self::index_copy)
    }

    /// The tensor with slices of `values` added to those at `indices` along an axis,
    /// `[..a, n, ..b], [k], [..a, k, ..b] → [..a, n, ..b]`, in order; 16-bit floats are summed in `f32`: the
    /// gradient of [`take`](Self::take) and [`embedding`](Self::embedding).
    /// Errors: [`IndexingError::InvalidIndex`] with the first index that is out of range,
    /// [`IndexingError::InvalidShape`] if there is no such axis, or if the number of rows differs from the number
    /// of indices.
    /// ```
    /// let x = DynTensor::from(tensor![[1, 2], [3, 4], [5, 6]]);
    /// let (indices, rows) = (tensor![2, 0].into(), tensor![[50, 60], [10, 20]].into());
    /// assert_eq!(x.index_add(0, &indices, &rows)?, tensor![[11, 22], [3, 4], [55, 66]].into());
    /// ```
    pub fn index_add<I>(
        &self,
        axis: isize,
        indices: &DynTensor<I>,
        values: &Self,
    ) -> Result<Self, IndexingError>
    where
        I: Integer,
        T: Number,
    {
        self.put_rows(axis, indices, values, true, T::index_add, Self::index_add)
    }

    /// [`index_add`](Self::index_add) if `add`, else [`index_copy`](Self::index_copy): their kernel, and the method
    /// again for the steps of a program.
    fn put_rows<I: Integer>(
        &self,
        axis: isize,
        indices: &DynTensor<I>,
        values: &Self,
        add: bool,
        kernel: fn(ErasedView<'_, T>, usize, &[usize], ErasedView<'_, T>) -> Storage<T>,
        again: fn(&Self, isize, &DynTensor<i64>, &Self) -> Result<Self, IndexingError>,
    ) -> Result<Self, IndexingError> {
        if trace::is_any_traced(&[self, indices, values]) {
            let axis = self.check_rows(axis, indices, values)?;
            let indices = traced_indices(indices, axis, self.sizes[axis])?;
            let run = move |x: &Self, i: &DynTensor<i64>, v: &Self| again(x, axis as isize, i, v);
            return Ok(self.traced_rows(axis, &indices, values, add, run));
        }
        let (axis, indices) = self.rows(axis, indices, values)?;
        let storage = kernel(self.as_view(), axis, &indices, values.as_view());
        let rule = || gradients::IndexRows::new(axis, indices, add);
        Ok(Self::from_storage(self.sizes.clone(), storage).with(&[self, values], rule))
    }

    /// One-hot encoding: a new last axis with 1 at each index and 0 elsewhere, `[..s] → [..s, depth]`.
    /// Errors: [`IndexingError::InvalidIndex`] with the first index that is out of range, where negative ones
    /// count from the end, [`IndexingError::InvalidShape`] if the result does not fit into memory.
    /// ```
    /// let one_hot = DynTensor::from(tensor![1, -1]).one_hot::<i32>(3)?;
    /// assert_eq!(one_hot, tensor![[0, 1, 0], [0, 0, 1]].into());
    /// ```
    pub fn one_hot<O: Element>(&self, depth: usize) -> Result<DynTensor<O>, IndexingError>
    where
        T: Integer,
    {
        let mut sizes: Sizes = self.sizes.clone();
        sizes.push(depth);
        fits_into_memory::<O>(&sizes)?;
        if self.is_traced() {
            let indices = traced_indices(self, self.rank(), depth)?;
            let hot = indices.unsqueeze(-1)?.equal(&DynTensor::<i64>::arange(depth))?;
            let (one, zero) = (DynTensor::full(&[], O::ONE), DynTensor::full(&[], O::ZERO));
            return Ok(hot.select(&one, &zero)?);
        }
        let indices = T::resolve(self.as_view(), self.rank(), depth)?;
        Ok(DynTensor::from_storage(sizes, O::one_hot(&indices, depth)))
    }
}
