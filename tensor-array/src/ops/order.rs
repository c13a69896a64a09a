//! Elements along an axis in order, and those at one end of it: `sort`, `argsort`, `topk`, `kthvalue`.

use super::prelude::*;
use crate::array::recording::Recordable;
use tensor_kernels::indexing;

operation_rows! {
    topic "In order" {
        sort: 1 "Element" "sort" "sort" "sort";
        sort_descending: 1 "Element" "" "sort" "sort";
        argsort: 1 "Element" "argsort" "argsort" "sort";
        argsort_descending: 1 "Element" "" "argsort" "sort";
        topk: 1 "Element" "" "topk" "sort";
        topk_smallest: 1 "Element" "" "topk" "sort";
        kthvalue: 1 "Element" "partition" "kthvalue" "sort";
    }
}

/// The positions of the first elements along an axis in order: as many as the result has.
#[derive(Debug)]
struct Order {
    axis: usize,
    descending: bool,
}

primitive!(Order, |_| "argsort", |_, _, _| 0, |order, to| {
    let all = to.builder.order(&to.x[0], order.axis, order.descending);
    to.builder.slice(&all, &vec![0; to.sizes.len()], to.sizes)
});

evaluate!(
    Order => (x: T) -> i64 where T: Element,
    |order, sizes| indexing::arg_order(x.as_view(), order.axis, sizes[order.axis], order.descending),
);

impl<T: Element> DynTensor<T> {
    /// The positions of the first `k` elements along an axis in order.
    #[track_caller]
    fn order(&self, axis: usize, k: usize, descending: bool) -> DynTensor<i64> {
        let mut sizes = self.sizes.clone();
        sizes[axis] = k;
        apply::<(T,), _>(Order { axis, descending }, (self,), sizes)
    }

    /// The elements along an axis in order. The gradient needs their positions, the elements alone are quicker sorted.
    #[track_caller]
    fn sorted(&self, axis: isize, descending: bool) -> Result<Self, ShapeError> {
        let axis = self.axis_index(axis)?;
        fits_into_memory::<T>(&self.sizes)?;
        if Recordable::is_recorded(self) {
            return Ok(self.taken_along(axis, &self.order(axis, self.sizes[axis], descending)));
        }
        let storage = indexing::sort(self.as_view(), axis, descending);
        Ok(Self::from_storage(self.sizes.clone(), storage))
    }

    #[track_caller]
    fn argsorted(&self, axis: isize, descending: bool) -> Result<DynTensor<i64>, ShapeError> {
        let axis = self.axis_index(axis)?;
        fits_into_memory::<i64>(&self.sizes)?;
        Ok(self.order(axis, self.sizes[axis], descending))
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
        let positions = self.order(axis, k, descending);
        Ok((self.taken_along(axis, &positions), positions))
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
        self.sorted(axis, false)
    }

    /// The elements along an axis in descending order, NaN first, `[..a, n, ..b] → [..a, n, ..b]`.
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::TooLarge`] if the result
    /// does not fit into memory.
    /// ```
    /// assert_eq!(DynTensor::from(tensor![[3, 1, 2]]).sort_descending(-1)?, tensor![[3, 2, 1]].into());
    /// ```
    pub fn sort_descending(&self, axis: isize) -> Result<DynTensor<T>, ShapeError> {
        self.sorted(axis, true)
    }

    /// The indices of the elements along an axis in ascending order, NaN last, `[..a, n, ..b] → [..a, n, ..b]`;
    /// equal elements keep their order.
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::TooLarge`] if the result
    /// does not fit into memory.
    /// ```
    /// assert_eq!(DynTensor::from(tensor![[3, 1, 2]]).argsort(-1)?, tensor![[1, 2, 0]].into());
    /// ```
    pub fn argsort(&self, axis: isize) -> Result<DynTensor<i64>, ShapeError> {
        self.argsorted(axis, false)
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
        self.argsorted(axis, true)
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
        let of_axis = self.axis_index(axis)?;
        let size = self.sizes[of_axis];
        if k >= size {
            let chosen = k.saturating_add(1);
            return Err(ShapeError::TooFewElements { chosen, axis: of_axis, size });
        }
        // The last of the first `k + 1`.
        let position = self.order(of_axis, k + 1, false).slice_axis(axis, k..)?.contiguous();
        let values = self.taken_along(of_axis, &position);
        Ok((values.index(axis, 0)?, position.index(axis, 0)?))
    }
}
