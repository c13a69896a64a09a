//! Slices and indices: views of a part of a tensor, and assignment to one.
//!
//! [`slicing`](crate::slicing) has the shape types, [`DynTensor`](crate::DynTensor) the layouts.

use crate::shape::Shape;
use crate::shape::axis::Axis;
use crate::shape::axis_index::{HasAxis, ReplaceAxis};
use crate::shape::broadcast::InPlace;
use crate::shape::error::ShapeError;
use crate::shape::results::{WithAxis, WithoutAxis};
use crate::shape::slicing::{HasSlice, Sliced};
use crate::tensor::Tensor;
use crate::tensor::operand::Operand;
use crate::tensor::operations::dispatch::unwrap_or_panic;
use crate::tensor::recording::Recordable;
use core::ops::RangeBounds;
use tensor_array::array::dynamic::slicing::assign_part;
use tensor_array_macros::usage;
use tensor_kernels::element::Element;
use tensor_kernels::sizes::slicing::{
    AxisPart, SlicePlan, WrittenPart, plan_along, run_time_range,
};

/// # Slices and indices
#[tensor_array_macros::method_docs]
#[tensor_array_macros::bounds_without_source]
impl<S: Shape, T: Element> Tensor<S, T> {
    /// A slice of the tensor, as [`slice!`](crate::slice!) writes it: `[..s] → [..t]`. Without a copy.
    ///
    /// A range that is out of range of a static size does not compile.
    /// Panics: If a run-time index or range is out of range, or one name has two sizes in the result.
    /// ```
    /// axis!(Batch);
    ///
    /// let x = tensor![[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]];
    /// assert_eq!(x.slice(slice![.., 1..-1]), tensor![[1, 2], [5, 6], [9, 10]]);
    /// assert_eq!(x.slice(slice![-1]), tensor![8, 9, 10, 11]);
    ///
    /// let start = 1;
    /// let batch = x.slice(slice![Batch(start..start + 2)]);
    /// assert_eq!(batch.to_vec(), [4, 5, 6, 7, 8, 9, 10, 11]);
    /// ```
    #[doc(alias("narrow", "getitem"))]
    #[usage(x.slice(slice![.., 1..-1]))]
    pub fn slice<P>(&self, parts: P) -> Tensor<Sliced<S, P>, T>
    where
        S: HasSlice<P>,
    {
        let mut plan = SlicePlan::new();
        let shape = self.axes.sliced(parts, &mut plan);
        let shape = unwrap_or_panic(shape.and_then(Shape::with_one_size_each));
        Tensor::with_shape(shape, self.erased().with_plan(&plan))
    }

    #[doc = doc_slice_axis!()]
    /// The axis becomes the axis `B`.
    ///
    /// If `B` is a named run-time axis, the range is known only at run time, as for the rows of a
    /// minibatch.
    /// Panics: If the range is out of range, has another size than a static `B`, or one name has two sizes in the
    /// result.
    /// ```
    /// axis!(Batch);
    ///
    /// let images = tensor![[0.0, 0.1], [1.0, 1.1], [2.0, 2.1], [3.0, 3.1]];
    /// let batch: Tensor<shape![Batch, 2]> = images.slice_axis::<0, Batch>(1..3);
    /// assert_eq!(batch.to_vec(), [1.0, 1.1, 2.0, 2.1]);
    /// ```
    #[doc(alias = "narrow")]
    #[usage(x.slice_axis::<0, Batch>(0..32))]
    pub fn slice_axis<const AXIS: isize, B: Axis>(
        &self,
        range: impl RangeBounds<usize>,
    ) -> Tensor<WithAxis<S, AXIS, B>, T>
    where
        S: ReplaceAxis<AXIS, B>,
    {
        const { <S as ReplaceAxis<AXIS, B>>::KEEPS_LAYOUT };
        unwrap_or_panic(self.part_of_axis(S::INDEX, run_time_range(range, 1)))
    }

    /// A slice along one axis.
    pub(crate) fn part_of_axis<Target: Shape>(
        &self,
        axis: usize,
        written: WrittenPart,
    ) -> Result<Tensor<Target, T>, ShapeError> {
        let mut sizes = self.axes.sizes();
        let part = written.of(axis, sizes[axis])?;
        if let AxisPart::Range { len, .. } = part {
            sizes[axis] = len;
        }
        let shape = Target::from_sizes(&sizes)?;
        let part = self.erased().with_plan(&plan_along(S::RANK, axis, part));
        Ok(Tensor::with_shape(shape, part))
    }

    #[doc = doc_index!()]
    /// For an index that is known at compile time, the compiler checks
    /// `x.slice(slice![.., 2])`.
    /// Panics: If there is no such index.
    /// ```
    /// let x = tensor![[1, 2, 3], [4, 5, 6]];
    /// assert_eq!(x.index::<0>(1), tensor![4, 5, 6]);
    /// assert_eq!(x.index::<-1>(0), tensor![1, 4]);
    /// ```
    #[doc(alias("select", "row", "column", "index_axis"))]
    #[usage(x.index::<0>(3))]
    pub fn index<const AXIS: isize>(&self, index: usize) -> Tensor<WithoutAxis<S, AXIS>, T>
    where
        S: HasAxis<AXIS>,
    {
        let axis = <S as HasAxis<AXIS>>::INDEX;
        let size = self.axes.sizes()[axis];
        let found = self.get_index::<AXIS>(index);
        let index = isize::try_from(index).unwrap_or(isize::MAX);
        unwrap_or_panic(found.ok_or(ShapeError::IndexOutOfRange { index, axis, size }))
    }

    #[doc = doc_get_index!()]
    /// ```
    /// let x = tensor![[1, 2, 3], [4, 5, 6]];
    /// assert_eq!(x.get_index::<0>(1), Some(tensor![4, 5, 6]));
    /// assert_eq!(x.get_index::<0>(2), None);
    /// ```
    #[usage(x.get_index::<0>(3))]
    pub fn get_index<const AXIS: isize>(
        &self,
        index: usize,
    ) -> Option<Tensor<WithoutAxis<S, AXIS>, T>>
    where
        S: HasAxis<AXIS>,
    {
        let axis = <S as HasAxis<AXIS>>::INDEX;
        let size = self.axes.sizes()[axis];
        let plan = plan_along(S::RANK, axis, AxisPart::At(index));
        let part = || Tensor::with_shape(self.axes.remove(), self.erased().with_plan(&plan));
        (index < size).then(part)
    }

    #[doc = doc_assign_slice!()]
    /// The value may be one number; a tensor must stretch to the slice, which keeps its shape.
    /// Panics: If a run-time index or range is out of range, or the two sides give a named axis different sizes.
    /// ```
    /// let mut x = tensor![[1, 2, 3], [4, 5, 6]];
    /// x.assign_slice(slice![.., 1..], &tensor![[20], [50]]);
    /// assert_eq!(x, tensor![[1, 20, 20], [4, 50, 50]]);
    /// x.assign_slice(slice![0], 0);
    /// assert_eq!(x, tensor![[0, 0, 0], [4, 50, 50]]);
    /// ```
    #[doc(alias("setitem", "slice_assign", "copy_", "fill_"))]
    #[usage(x.assign_slice(slice![.., 1..], &y))]
    pub fn assign_slice<P, V, SV>(&mut self, parts: P, value: V)
    where
        V: Operand<T, Shape = SV>,
        S: HasSlice<P>,
        SV: Shape + InPlace<Sliced<S, P>>,
    {
        let mut plan = SlicePlan::new();
        let target = unwrap_or_panic(self.axes.sliced(parts, &mut plan));
        let value = value.as_view();
        let fits = value.shape.fits(target).map_err(|mismatch| mismatch.swapped());
        unwrap_or_panic(fits.map_err(|mismatch| mismatch.in_rank(Sliced::<S, P>::RANK)));
        let target = target.sizes();
        if self.is_recorded() || value.is_recorded() {
            let assigned = self.erased().with_assigned(plan, &target, &value.erased());
            *self = Self::with_shape(self.axes, assigned);
            return;
        }
        let (sizes, strides) = (self.axes.sizes(), value.broadcast_strides_to(target.len()));
        let (source, start) = (value.elements(), value.offset());
        assign_part(self.as_mut_slice(), &sizes, &plan, &target, source, start, &strides);
    }
}
