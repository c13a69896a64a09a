//! The order of the elements of a [`DynTensor`]: `sort`, `topk`, `quantile`, `unique`.

use super::DynTensor;
use super::elementwise::fits_into_memory;
use crate::array::evaluate::unwrap_or_panic;
use crate::array::gradients;
use crate::array::layout::{ErasedView, num_elements};
use crate::array::recording::Outcome;
use crate::array::storage::Storage;
use crate::array::trace;
use crate::element::{Element, Float};
use crate::ops::{Along, Groups, QuantileMethod};
use crate::sizes::Sizes;
use crate::sizes::error::ShapeError;

impl<T: Element> DynTensor<T> {
    #[track_caller]
    fn argsorted(&self, axis: usize, descending: bool) -> DynTensor<i64> {
        if self.is_traced() {
            return self.traced_order(axis, self.sizes[axis], descending);
        }
        let order = T::arg_order(self.as_view(), axis, self.sizes[axis], descending);
        DynTensor::from_storage(self.sizes.clone(), numbers(order))
    }

    #[track_caller]
    fn chosen(
        &self,
        axis: isize,
        k: usize,
        descending: bool,
    ) -> Result<(Self, DynTensor<i64>), ShapeError> {
        let axis = self.axis_index(axis)?;
        let size = self.sizes[axis];
        if k > size {
            return Err(ShapeError::TooFewElements { chosen: k, axis, size });
        }
        if self.is_traced() {
            let indices = self.traced_order(axis, k, descending);
            return Ok((self.traced_take_along(axis, &indices), indices));
        }
        let mut sizes = self.sizes.clone();
        sizes[axis] = k;
        let indices = T::arg_order(self.as_view(), axis, k, descending);
        let values = T::take_along(self.as_view(), Along { axis, len: k, indices: &indices });
        let rule = || gradients::TakeAlong::new(axis, &sizes, indices.clone());
        let values = Self::from_storage(sizes.clone(), values).with(&[self], rule);
        Ok((values, DynTensor::from_storage(sizes, numbers(indices))))
    }

    /// Sorts the elements along an axis.
    #[track_caller]
    fn sorted(&self, axis: usize, descending: bool) -> Self {
        if self.is_traced() {
            let order = self.traced_order(axis, self.sizes[axis], descending);
            return self.traced_take_along(axis, &order);
        }
        let storage = T::sort(self.as_view(), axis, descending);
        let result = Self::from_storage(self.sizes.clone(), storage);
        result.with(&[self], || {
            let positions = T::arg_order(self.as_view(), axis, self.sizes[axis], descending);
            gradients::TakeAlong::new(axis, &self.sizes, positions)
        })
    }

    pub(super) fn without_axis(&self, axis: usize) -> Sizes {
        let mut sizes = self.sizes.clone();
        sizes.remove(axis);
        sizes
    }
}

/// # In order
///
/// NaN is larger than every number: it comes last in ascending order, first in descending order. Equal
/// elements keep their order; -0.0 equals 0.0.
#[tensor_array_macros::method_docs(twins)]
#[tensor_array_macros::bounds_without_source]
impl<T: Element> DynTensor<T> {
    /// The elements along an axis in ascending order, NaN last, `[..a, n, ..b] → [..a, n, ..b]`.
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::TooLarge`] if the result
    /// does not fit into memory.
    /// ```
    /// assert_eq!(DynTensor::from(tensor![[3, 1, 2]]).sort(-1)?, tensor![[1, 2, 3]].into());
    /// ```
    pub fn sort(&self, axis: isize) -> Result<DynTensor<T>, ShapeError> {
        let axis = self.axis_index(axis)?;
        fits_into_memory::<T>(&self.sizes)?;
        Ok(self.sorted(axis, false))
    }

    /// The elements along an axis in descending order, NaN first, `[..a, n, ..b] → [..a, n, ..b]`.
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::TooLarge`] if the result
    /// does not fit into memory.
    /// ```
    /// assert_eq!(DynTensor::from(tensor![[3, 1, 2]]).sort_descending(-1)?, tensor![[3, 2, 1]].into());
    /// ```
    pub fn sort_descending(&self, axis: isize) -> Result<DynTensor<T>, ShapeError> {
        let axis = self.axis_index(axis)?;
        fits_into_memory::<T>(&self.sizes)?;
        Ok(self.sorted(axis, true))
    }

    /// The indices of the elements along an axis in ascending order, NaN last, `[..a, n, ..b] → [..a, n, ..b]`;
    /// equal elements keep their order.
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::TooLarge`] if the result
    /// does not fit into memory.
    /// ```
    /// assert_eq!(DynTensor::from(tensor![[3, 1, 2]]).argsort(-1)?, tensor![[1, 2, 0]].into());
    /// ```
    pub fn argsort(&self, axis: isize) -> Result<DynTensor<i64>, ShapeError> {
        let axis = self.axis_index(axis)?;
        fits_into_memory::<i64>(&self.sizes)?;
        Ok(self.argsorted(axis, false))
    }

    /// The indices of the elements along an axis in descending order, NaN first, `[..a, n, ..b] → [..a, n, ..b]`;
    /// equal elements keep their order.
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::TooLarge`] if the result
    /// does not fit into memory.
    /// ```
    /// let x = DynTensor::from(tensor![[3, 1, 2]]);
    /// assert_eq!(x.argsort_descending(-1)?, tensor![[0, 2, 1]].into());
    /// ```
    pub fn argsort_descending(&self, axis: isize) -> Result<DynTensor<i64>, ShapeError> {
        let axis = self.axis_index(axis)?;
        fits_into_memory::<i64>(&self.sizes)?;
        Ok(self.argsorted(axis, true))
    }

    /// The `k` largest elements along an axis in descending order, and their indices,
    /// `[..a, n, ..b] → [..a, k, ..b]`. NaN is larger than every number; of equal elements the first ones are
    /// chosen.
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::TooFewElements`] if it has
    /// fewer elements.
    /// ```
    /// let (values, indices) = DynTensor::from(tensor![3, 7, 5]).topk(0, 2)?;
    /// assert_eq!((values, indices), (tensor![7, 5].into(), tensor![1, 2].into()));
    /// ```
    pub fn topk(&self, axis: isize, k: usize) -> Result<(Self, DynTensor<i64>), ShapeError> {
        self.chosen(axis, k, true)
    }

    /// The `k` smallest elements along an axis in ascending order, and their indices,
    /// `[..a, n, ..b] → [..a, k, ..b]`, as PyTorch's `topk` with `largest=False`; of equal elements the first ones
    /// are chosen.
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::TooFewElements`] if it has
    /// fewer elements.
    /// ```
    /// let (values, indices) = DynTensor::from(tensor![3, 7, 5]).topk_smallest(0, 2)?;
    /// assert_eq!((values, indices), (tensor![3, 5].into(), tensor![0, 2].into()));
    /// ```
    pub fn topk_smallest(
        &self,
        axis: isize,
        k: usize,
    ) -> Result<(Self, DynTensor<i64>), ShapeError> {
        self.chosen(axis, k, false)
    }

    /// The element at index `k` of each lane along an axis sorted in ascending order, and its index in the lane,
    /// `[..a, n, ..b] → [..a, ..b]`: the smallest for `k` = 0. PyTorch counts `k` from 1.
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::TooFewElements`] if it has
    /// `k` elements or fewer.
    /// ```
    /// let (values, indices) = DynTensor::from(tensor![[9, 3, 5], [4, 8, 6]]).kthvalue(-1, 1)?;
    /// assert_eq!((values, indices), (tensor![5, 6].into(), tensor![2, 2].into()));
    /// ```
    #[doc(alias = "partition")]
    pub fn kthvalue(&self, axis: isize, k: usize) -> Result<(Self, DynTensor<i64>), ShapeError> {
        let axis = self.axis_index(axis)?;
        if self.is_traced() && k < self.sizes[axis] {
            let of_kth = |values: &DynTensor<i64>| values.index(axis as isize, k);
            let index = of_kth(&self.traced_order(axis, k + 1, false))?;
            let values = self.traced_take_along(axis, &index.unsqueeze(axis as isize)?);
            return Ok((values.index(axis as isize, 0)?, index));
        }
        let (values, indices) = kth(self.as_view(), axis, k)?;
        let values = Self::from_storage(self.without_axis(axis), values);
        let values = values
            .with(&[self], || gradients::TakeAlong::at_one(axis, &self.sizes, indices.clone()));
        Ok((values, DynTensor::from_storage(self.without_axis(axis), numbers(indices))))
    }
}

/// # Medians and quantiles
///
/// They are NaN if there is no element, or if one is NaN.
#[tensor_array_macros::method_docs(twins)]
#[tensor_array_macros::bounds_without_source]
impl<T: Element> DynTensor<T> {
    /// The median of all elements, `[..] → []`: for an even number of elements the mean of the two in the middle,
    /// as in NumPy; PyTorch returns the smaller one.
    /// ```
    /// assert_eq!(DynTensor::from(tensor![7.0, 1.0, 2.0, 4.0]).median().to_vec(), [3.0]);
    /// ```
    pub fn median(&self) -> Self
    where
        T: Float,
    {
        self.quantile(0.5)
    }

    /// The medians along an axis, `[..a, n, ..b] → [..a, ..b]`.
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis.
    /// ```
    /// let x = DynTensor::from(tensor![[7.0, 1.0, 2.0], [4.0, 4.0, 9.0]]);
    /// assert_eq!(x.median_axis(-1)?, tensor![2.0, 4.0].into());
    /// ```
    pub fn median_axis(&self, axis: isize) -> Result<Self, ShapeError>
    where
        T: Float,
    {
        self.quantile_axis(axis, 0.5)
    }

    /// The quantile `q` of all elements, `[..] → []`: 0 is the smallest, 1 the largest; between two elements it is
    /// interpolated linearly.
    /// Panics: If `q` is not from 0 to 1.
    /// ```
    /// assert_eq!(DynTensor::from(tensor![4.0, 0.0, 2.0]).quantile(0.75).to_vec(), [3.0]);
    /// ```
    #[doc(alias = "percentile")]
    pub fn quantile(&self, q: f64) -> Self
    where
        T: Float,
    {
        self.quantile_with(q, QuantileMethod::Interpolate)
    }

    /// The quantile `q` of all elements, interpolated between the two nearest ones by a [`QuantileMethod`],
    /// `[..] → []`.
    /// Panics: If `q` is not from 0 to 1.
    /// ```
    /// let x = DynTensor::from(tensor![4.0, 1.0]);
    /// assert_eq!(x.quantile_with(0.25, QuantileMethod::Higher).to_vec(), [4.0]);
    /// ```
    pub fn quantile_with(&self, q: f64, method: QuantileMethod) -> Self
    where
        T: Float,
    {
        unwrap_or_panic(check_quantile(q));
        if self.is_traced() {
            return unwrap_or_panic(self.flatten().traced_quantile(0, q, method));
        }
        let (flat, len) = (self.contiguous(), [self.len()]);
        let view = ErasedView::new(&len, None, flat.stored());
        let result = Self::from_storage(Sizes::new(), T::quantile(view, 0, q, method));
        let rule = || gradients::Quantile { axis: None, q, method };
        result.with(&[self], rule)
    }

    /// The quantiles `q` along an axis, `[..a, n, ..b] → [..a, ..b]`.
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::Quantile`] if `q` is not
    /// from 0 to 1, [`ShapeError::TooLarge`] if the result does not fit into memory.
    /// ```
    /// let x = DynTensor::from(tensor![[4.0, 0.0, 2.0], [10.0, 30.0, 20.0]]);
    /// assert_eq!(x.quantile_axis(-1, 0.75)?, tensor![3.0, 25.0].into());
    /// ```
    pub fn quantile_axis(&self, axis: isize, q: f64) -> Result<Self, ShapeError>
    where
        T: Float,
    {
        self.quantile_axis_with(axis, q, QuantileMethod::Interpolate)
    }

    /// The quantiles `q` along an axis, interpolated between the two nearest elements by a [`QuantileMethod`],
    /// `[..a, n, ..b] → [..a, ..b]`.
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::Quantile`] if `q` is not
    /// from 0 to 1, [`ShapeError::TooLarge`] if the result does not fit into memory.
    /// ```
    /// let x = DynTensor::from(tensor![[4.0, 0.0], [10.0, 30.0]]);
    /// let lower = x.quantile_axis_with(-1, 0.5, QuantileMethod::Lower)?;
    /// assert_eq!(lower, tensor![0.0, 10.0].into());
    /// ```
    pub fn quantile_axis_with(
        &self,
        axis: isize,
        q: f64,
        method: QuantileMethod,
    ) -> Result<Self, ShapeError>
    where
        T: Float,
    {
        check_quantile(q)?;
        let axis = self.axis_index(axis)?;
        fits_into_memory::<T>(&self.without_axis(axis))?;
        if self.is_traced() {
            return self.traced_quantile(axis, q, method);
        }
        let quantiles = T::quantile(self.as_view(), axis, q, method);
        let rule = || gradients::Quantile { axis: Some(axis), q, method };
        let result = Self::from_storage(self.without_axis(axis), quantiles);
        Ok(result.with(&[self], rule))
    }
}

/// # Searches
#[tensor_array_macros::method_docs(twins)]
impl<T: Element> DynTensor<T> {
    /// For each value the index at which it would be inserted into these elements, which are in ascending order,
    /// before equal ones: `[n], [..s] → [..s]`. A program compares every value with every element.
    /// Errors: [`ShapeError::AxisCount`] if these elements have not one axis, [`ShapeError::TooLarge`] if the
    /// comparisons of all values with all elements, which a program makes, do not fit into memory.
    /// ```
    /// let sorted = DynTensor::from(tensor![0, 1, 1, 2]);
    /// assert_eq!(sorted.searchsorted(&tensor![1, 5].into())?, tensor![1, 4].into());
    /// ```
    #[doc(alias = "bucketize")]
    pub fn searchsorted(&self, values: &Self) -> Result<DynTensor<i64>, ShapeError> {
        if self.rank() != 1 {
            return Err(ShapeError::AxisCount { expected: 1, sizes: self.sizes.to_vec() });
        }
        if trace::is_any_traced(&[self, values]) {
            return self.traced_search(values, false);
        }
        let positions = T::searchsorted(self.as_view(), values.as_view(), false);
        Ok(DynTensor::from_storage(values.sizes.clone(), positions))
    }

    /// For each value the index at which it would be inserted into these elements, which are in ascending order,
    /// after equal ones, as `side="right"`: `[n], [..s] → [..s]`.
    /// Errors: [`ShapeError::AxisCount`] if these elements have not one axis, [`ShapeError::TooLarge`] if the
    /// comparisons of all values with all elements, which a program makes, do not fit into memory.
    /// ```
    /// let sorted = DynTensor::from(tensor![0, 1, 1, 2]);
    /// assert_eq!(sorted.searchsorted_right(&tensor![1, 5].into())?, tensor![3, 4].into());
    /// ```
    #[doc(alias = "bucketize")]
    pub fn searchsorted_right(&self, values: &Self) -> Result<DynTensor<i64>, ShapeError> {
        if self.rank() != 1 {
            return Err(ShapeError::AxisCount { expected: 1, sizes: self.sizes.to_vec() });
        }
        if trace::is_any_traced(&[self, values]) {
            return self.traced_search(values, true);
        }
        let positions = T::searchsorted(self.as_view(), values.as_view(), true);
        Ok(DynTensor::from_storage(values.sizes.clone(), positions))
    }

    /// Whether each element is one of `others`, `[..s], [..r] → [..s]`. NaN is never.
    /// Panics: If the comparisons of all elements with all others, which a program makes, exceed `isize::MAX`
    /// bytes.
    /// ```
    /// let x = DynTensor::from(tensor![1, 2, 3]);
    /// assert_eq!(x.isin(&tensor![4, 2].into()), tensor![false, true, false].into());
    /// ```
    #[doc(alias = "in1d")]
    pub fn isin(&self, others: &Self) -> DynTensor<bool> {
        if trace::is_any_traced(&[self, others]) {
            return unwrap_or_panic(self.traced_isin(others));
        }
        DynTensor::from_storage(self.sizes.clone(), T::isin(self.as_view(), others.as_view()))
    }

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
        let Groups { first, inverse, counts } = T::groups(self.as_view());
        let (flat, len) = (self.contiguous(), [self.len()]);
        let view = ErasedView::new(&len, None, flat.stored());
        let sizes: Sizes = [counts.len()].as_slice().into();
        let values = Self::from_storage(sizes.clone(), T::take(view, 0, &first));
        let rule = || gradients::Take::new(None, first.clone());
        let values = values.with(&[self], rule);
        (
            values,
            DynTensor::from_storage(sizes.clone(), numbers(first)),
            DynTensor::from_storage(self.sizes.clone(), Storage::from_vec(inverse)),
            DynTensor::from_storage(sizes, Storage::from_vec(counts)),
        )
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
        let n = [self.sizes[axis]];
        fits_into_memory::<i64>(&n)?;
        let Groups { first, inverse, counts } = T::groups_along(self.as_view(), axis);
        let mut sizes = self.sizes.clone();
        sizes[axis] = counts.len();
        let slices = Self::from_storage(sizes, T::take(self.as_view(), axis, &first));
        let rule = || gradients::Take::new(Some(axis), first.clone());
        let slices = slices.with(&[self], rule);
        let found: Sizes = [counts.len()].as_slice().into();
        Ok((
            slices,
            DynTensor::from_storage(found.clone(), numbers(first)),
            DynTensor::from_storage(n.as_slice().into(), Storage::from_vec(inverse)),
            DynTensor::from_storage(found, Storage::from_vec(counts)),
        ))
    }
}

/// The elements along an axis with `k` elements before them in order, and their indices.
///
/// # Errors
///
/// [`ShapeError::TooFewElements`] if the axis has not more.
fn kth<T: Element>(
    view: ErasedView<'_, T>,
    axis: usize,
    k: usize,
) -> Result<(Storage<T>, Vec<usize>), ShapeError> {
    let size = view.sizes[axis];
    if k >= size {
        return Err(ShapeError::TooFewElements { chosen: k.saturating_add(1), axis, size });
    }
    // The last of the first `k + 1`.
    let first = T::arg_order(view, axis, k + 1, false);
    let inner = num_elements(&view.sizes[axis + 1..]);
    let blocks = first.chunks_exact(((k + 1) * inner).max(1));
    let indices: Vec<_> = blocks.flat_map(|block| &block[k * inner..]).copied().collect();
    let values = T::take_along(view, Along { axis, len: 1, indices: &indices });
    Ok((values, indices))
}

/// # Errors
///
/// If `q` is not from 0 to 1.
fn check_quantile(q: f64) -> Result<(), ShapeError> {
    if (0.0..=1.0).contains(&q) { Ok(()) } else { Err(ShapeError::Quantile { q: q.to_string() }) }
}

/// Converts indices to elements.
pub(super) fn numbers(indices: Vec<usize>) -> Storage<i64> {
    Storage::from_vec(indices.into_iter().map(|index| index as i64).collect())
}
