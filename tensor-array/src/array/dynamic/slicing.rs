//! Slices and indices of a [`DynTensor`], parts along an axis, iteration, and assignment to a slice.

use core::ops::RangeBounds;

use tensor_kernels::element::Element;
use tensor_kernels::layout::Strides;
use tensor_kernels::layout::sliced_layout;
use tensor_kernels::ops::ElementMoves;
use tensor_kernels::sizes::Sizes;
use tensor_kernels::sizes::error::ShapeError;
use tensor_kernels::sizes::slicing::{
    AxisPart, SliceParts, WrittenPart, plan, run_time_range, sizes_of,
};
use tensor_kernels::sizes::slicing::{flipped, plan_along};

use super::DynTensor;
use super::reductions::axis_index;
use crate::array::recording::Recordable;

impl<T: Element> DynTensor<T> {
    /// The part of the tensor that a slicing plan keeps.
    #[doc(hidden)]
    pub fn with_plan(&self, plan: &[AxisPart]) -> Self {
        let layout = sliced_layout(&self.sizes, self.layout.as_deref(), plan);
        Self { sizes: sizes_of(plan, &self.sizes), layout, storage: self.storage.clone() }
    }

    /// Assigns to the part that a slicing plan keeps; the value has its sizes.
    pub(crate) fn assign_plan(&mut self, plan: &[AxisPart], value: &Self) {
        let (sizes, strides) = (self.sizes.clone(), value.strides());
        let (source, start) = (value.stored(), value.offset());
        assign_part(self.as_mut_slice(), &sizes, plan, &value.sizes, source, start, &strides);
    }

    /// A part of an axis.
    fn part_of_axis(&self, axis: usize, written: WrittenPart) -> Result<Self, ShapeError> {
        let part = written.of(axis, self.sizes[axis])?;
        Ok(self.with_plan(&plan_along(self.rank(), axis, part)))
    }

    /// The range of an axis from `start` to before `end`.
    fn between(&self, axis: usize, start: usize, end: usize) -> Self {
        let part = AxisPart::Range { first: start, len: end - start, step: 1 };
        self.with_plan(&plan_along(self.rank(), axis, part))
    }
}

/// # Slices and indices
#[tensor_array_macros::method_docs(twins)]
impl<T: Element> DynTensor<T> {
    /// A part of each axis, in the syntax of [`slice!`](https://docs.rs/tensor-core/latest/tensor_core/macro.slice.html):
    /// `[..s] → [..t]`. Without a copy.
    ///
    /// Run-time bounds need no name here: `slice![start..end, ..]`. For negative run-time bounds there is
    /// [`slice_axis_step`](DynTensor::slice_axis_step).
    /// Errors: [`ShapeError::TooManyParts`] if there are more parts than axes, [`ShapeError::SliceOutOfRange`] or
    /// [`ShapeError::IndexOutOfRange`] if one is out of range: it is not cut down to the size, as NumPy does.
    /// ```
    /// let x = DynTensor::from(tensor![[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]);
    /// assert_eq!(x.slice(slice![.., 1..-1])?, tensor![[1, 2], [5, 6], [9, 10]].into());
    ///
    /// let start = 1;
    /// assert_eq!(x.slice(slice![start.., 0])?, tensor![4, 8].into());
    /// assert!(x.slice(slice![..4]).is_err());
    /// ```
    #[doc(alias("narrow", "getitem"))]
    pub fn slice<P: SliceParts>(&self, parts: P) -> Result<Self, ShapeError> {
        let (plan, _) = plan(&parts.written(), &self.sizes)?;
        Ok(self.with_plan(&plan))
    }

    /// The indices of a range along an axis: `[..a, n, ..b] → [..a, m, ..b]`. Without a copy.
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::SliceOutOfRange`] if the
    /// range is out of range.
    /// ```
    /// let x = DynTensor::from(tensor![[1, 2, 3], [4, 5, 6]]);
    /// assert_eq!(x.slice_axis(-1, 1..)?, tensor![[2, 3], [5, 6]].into());
    /// ```
    #[doc(alias = "narrow")]
    pub fn slice_axis(
        &self,
        axis: isize,
        range: impl RangeBounds<usize>,
    ) -> Result<Self, ShapeError> {
        self.part_of_axis(self.axis_index(axis)?, run_time_range(range, 1))
    }

    /// The indices `start..end` along an axis in steps: `[..a, n, ..b] → [..a, m, ..b]`. Without a copy.
    ///
    /// Negative bounds count from the end, `None` is the end. With a negative step the same indices are in
    /// reverse order.
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::SliceOutOfRange`] if the
    /// range is out of range, [`ShapeError::StepOfZero`] if the step is 0.
    /// ```
    /// let x = DynTensor::from(tensor![0, 1, 2, 3, 4, 5]);
    /// assert_eq!(x.slice_axis_step(0, 1, Some(-1), 2)?, tensor![1, 3].into());
    /// assert_eq!(x.slice_axis_step(0, 0, None, -2)?, tensor![5, 3, 1].into());
    /// ```
    #[twin(none)]
    pub fn slice_axis_step(
        &self,
        axis: isize,
        start: isize,
        end: Option<isize>,
        step: isize,
    ) -> Result<Self, ShapeError> {
        self.part_of_axis(self.axis_index(axis)?, WrittenPart::Range { start, end, step })
    }

    /// The elements at one index of an axis: `[..a, n, ..b] → [..a, ..b]`. Without a copy.
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::IndexOutOfRange`] if it has
    /// no such index.
    /// ```
    /// let x = DynTensor::from(tensor![[1, 2, 3], [4, 5, 6]]);
    /// assert_eq!(x.index(0, 1)?, tensor![4, 5, 6].into());
    /// assert!(x.index(0, 2).is_err());
    /// ```
    #[doc(alias("select", "row", "column"))]
    pub fn index(&self, axis: isize, index: usize) -> Result<Self, ShapeError> {
        let index = WrittenPart::At(isize::try_from(index).unwrap_or(isize::MAX));
        self.part_of_axis(self.axis_index(axis)?, index)
    }

    /// [`index`](Self::index), or `None` if there is no such index: `[..a, n, ..b] → [..a, ..b]`.
    /// ```
    /// let x = DynTensor::from(tensor![[1, 2, 3], [4, 5, 6]]);
    /// assert_eq!(x.get_index(0, 1), Some(tensor![4, 5, 6].into()));
    /// assert_eq!(x.get_index(0, 2), None);
    /// ```
    pub fn get_index(&self, axis: isize, index: usize) -> Option<Self> {
        self.index(axis, index).ok()
    }

    /// Writes a tensor into a slice of this one, broadcast to it: `[..s], [..r] → [..s]`. Another tensor that
    /// shares the storage is not changed.
    /// Errors: Those of [`slice`](DynTensor::slice), and [`ShapeError::Sizes`] or [`ShapeError::Grows`] if the
    /// value does not stretch to the slice. Then nothing is written.
    /// ```
    /// let mut x = DynTensor::from(tensor![[1, 2, 3], [4, 5, 6]]);
    /// x.assign_slice(slice![.., 1..], &tensor![[20], [50]].into())?;
    /// assert_eq!(x, tensor![[1, 20, 20], [4, 50, 50]].into());
    /// ```
    #[doc(alias("setitem", "slice_assign"))]
    pub fn assign_slice<P: SliceParts>(
        &mut self,
        parts: P,
        value: &Self,
    ) -> Result<(), ShapeError> {
        let (plan, target) = plan(&parts.written(), &self.sizes)?;
        let value = value.expand(&target)?;
        if self.is_recorded() || value.is_recorded() {
            *self = self.with_assigned(plan, &target, &value);
        } else {
            self.assign_plan(&plan, &value);
        }
        Ok(())
    }
}

/// # Views with other axes
#[tensor_array_macros::method_docs(twins)]
impl<T: Element> DynTensor<T> {
    /// The tensor with the listed axes in reverse order, `[..s] → [..s]`. Without a copy.
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::AxisTwice`] if one is named
    /// twice.
    /// ```
    /// let x = DynTensor::from(tensor![[1, 2, 3], [4, 5, 6]]);
    /// assert_eq!(x.flip(&[-1])?, tensor![[3, 2, 1], [6, 5, 4]].into());
    /// ```
    #[doc(alias = "reverse")]
    pub fn flip(&self, axes: &[isize]) -> Result<Self, ShapeError> {
        let axes = self.axis_indices(axes)?;
        Ok(self.with_plan(&flipped(&self.sizes, axes.into_iter())))
    }

    /// The tensor with two axes swapped: `[..a, m, ..b, n, ..c] → [..a, n, ..b, m, ..c]`. Without a copy.
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis.
    /// ```
    /// assert_eq!(DynTensor::full(&[2, 3, 4], 0.0).swap_axes(0, -1)?.sizes(), [4, 3, 2]);
    /// ```
    #[doc(alias("swapaxes", "swapdims"))]
    pub fn swap_axes(&self, first: isize, second: isize) -> Result<Self, ShapeError> {
        let (first, second) = (self.axis_index(first)?, self.axis_index(second)?);
        let (mut sizes, mut strides) = (self.sizes.clone(), self.strides());
        sizes.swap(first, second);
        strides.swap(first, second);
        let layout = self.layout_of_view(&sizes, strides);
        Ok(Self { sizes, layout, storage: self.storage.clone() })
    }

    /// The tensor with one axis moved to another index, such as `[h, w, c] → [c, h, w]`; the others keep their
    /// order. Without a copy.
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis.
    /// ```
    /// assert_eq!(DynTensor::full(&[28, 32, 3], 0.0).move_axis(-1, 0)?.sizes(), [3, 28, 32]);
    /// ```
    #[doc(alias("moveaxis", "movedim"))]
    pub fn move_axis(&self, from: isize, to: isize) -> Result<Self, ShapeError> {
        let (from, to) = (self.axis_index(from)?, self.axis_index(to)?);
        let (mut sizes, mut strides) = (self.sizes.clone(), self.strides());
        let (size, stride) = (sizes.remove(from), strides.remove(from));
        sizes.insert(to, size);
        strides.insert(to, stride);
        let layout = self.layout_of_view(&sizes, strides);
        Ok(Self { sizes, layout, storage: self.storage.clone() })
    }

    /// The diagonal along two axes, as the last axis: `[..a, m, ..b, n, ..c] → [..a, ..b, ..c, min(m, n)]`.
    /// Without a copy.
    ///
    /// `offset` is its distance above the main diagonal, negative below; beyond the tensor it is
    /// empty, as in NumPy.
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::AxisTwice`] if both are one.
    /// ```
    /// let x = DynTensor::from(tensor![[1, 2, 3], [4, 5, 6], [7, 8, 9]]);
    /// assert_eq!(x.diagonal(0, 0, 1)?, tensor![1, 5, 9].into());
    /// assert_eq!(x.diagonal(1, 0, 1)?, tensor![2, 6].into());
    /// assert_eq!(x.diagonal(-1, 0, 1)?, tensor![4, 8].into());
    /// ```
    pub fn diagonal(&self, offset: isize, first: isize, second: isize) -> Result<Self, ShapeError> {
        let axes = self.axis_indices(&[first, second])?;
        // A diagonal above the main one is the main one of a slice.
        let axis = if offset < 0 { axes[0] } else { axes[1] };
        let start = offset.unsigned_abs().min(self.sizes[axis]);
        let part = self.between(axis, start, self.sizes[axis]);
        let axes = [axes[0], axes[1]];
        let others = (0..part.rank()).filter(|axis| !axes.contains(axis));
        let mut sizes: Sizes = others.map(|axis| part.sizes[axis]).collect();
        sizes.push(part.sizes[axes[0]].min(part.sizes[axes[1]]));
        let layout = part.layout_of_view(&sizes, diagonal_strides(&part.strides(), axes));
        Ok(Self { sizes, layout, storage: part.storage })
    }

    /// All windows of a size along an axis, in steps of 1: the axis counts the windows, and the new last axis
    /// holds the elements of a window, `[..a, n, ..b] → [..a, n - w + 1, ..b, w]`. Without a copy.
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::Window`] if the window is
    /// longer than it.
    /// ```
    /// let x = DynTensor::from(tensor![1, 2, 6, 3]);
    /// assert_eq!(x.windows(-1, 3)?, tensor![[1, 2, 6], [2, 6, 3]].into());
    /// ```
    #[doc(alias("sliding_window_view", "unfold"))]
    pub fn windows(&self, axis: isize, window: usize) -> Result<Self, ShapeError> {
        let axis = self.axis_index(axis)?;
        let size = self.sizes[axis];
        if window > size {
            return Err(ShapeError::Window { window, axis, size });
        }
        let (mut sizes, mut strides) = (self.sizes.clone(), self.strides());
        sizes[axis] = (size - window).saturating_add(1);
        sizes.push(window);
        strides.push(strides[axis]);
        if tensor_kernels::layout::checked_num_elements(&sizes).is_none() {
            return Err(ShapeError::TooLarge { sizes: sizes.to_vec() });
        }
        let layout = self.layout_of_view(&sizes, strides);
        Ok(Self { sizes, layout, storage: self.storage.clone() })
    }
}

/// # Parts
#[tensor_array_macros::method_docs(twins)]
impl<T: Element> DynTensor<T> {
    /// Splits an axis into consecutive parts of the listed sizes, which add up to its size, as PyTorch's `split`:
    /// `[..a, m + n, ..b] → [..a, m, ..b], [..a, n, ..b]`. Without a copy.
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::Split`] if the sizes do not
    /// add up to its size.
    /// ```
    /// let x = DynTensor::from(tensor![1, 2, 3, 4]);
    /// assert_eq!(x.split(0, &[1, 3])?, [tensor![1].into(), tensor![2, 3, 4].into()]);
    /// ```
    #[doc(alias = "split_with_sizes")]
    pub fn split(&self, axis: isize, sizes: &[usize]) -> Result<Vec<Self>, ShapeError> {
        let axis = self.axis_index(axis)?;
        let size = self.sizes[axis];
        let total = sizes.iter().try_fold(0, |sum: usize, &part| sum.checked_add(part));
        if total != Some(size) {
            return Err(ShapeError::Split { parts: sizes.to_vec(), axis, size });
        }
        let mut start = 0;
        let part = |&size: &usize| {
            start += size;
            self.between(axis, start - size, start)
        };
        Ok(sizes.iter().map(part).collect())
    }

    /// Splits an axis into at most `count` parts of equal size, as PyTorch's `chunk`: if the axis is not a
    /// multiple, the last part is shorter, and there may be fewer. `[..a, n, ..b] → [..a, m, ..b] …`
    /// Without a copy.
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::StepOfZero`] if `count` is
    /// 0, [`ShapeError::TooLarge`] if `count` parts of an empty axis do not fit into memory.
    /// ```
    /// let x = DynTensor::from(tensor![1, 2, 3, 4, 5]);
    /// let sizes: Vec<_> = x.chunk(0, 3)?.iter().map(DynTensor::len).collect();
    /// assert_eq!(sizes, [2, 2, 1]);
    /// ```
    pub fn chunk(&self, axis: isize, count: usize) -> Result<Vec<Self>, ShapeError> {
        let axis = self.axis_index(axis)?;
        if count == 0 {
            return Err(ShapeError::StepOfZero { axis });
        }
        let size = self.sizes[axis];
        if size == 0 {
            let mut parts = Vec::new();
            if parts.try_reserve_exact(count).is_err() {
                return Err(ShapeError::TooLarge { sizes: vec![count] });
            }
            parts.resize(count, self.clone());
            return Ok(parts);
        }
        self.chunks_axis(axis as isize, size.div_ceil(count)).map(Iterator::collect)
    }
}

/// # Iteration along an axis
#[tensor_array_macros::method_docs(twins)]
impl<T: Element> DynTensor<T> {
    /// Iterates over the views at each index of an axis: `[..a, n, ..b] → n × [..a, ..b]`. Without a copy.
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis.
    /// ```
    /// let x = DynTensor::from(tensor![[1, 2, 3], [4, 5, 6]]);
    /// let rows: Vec<_> = x.iter_axis(0)?.map(|row| row.to_vec()).collect();
    /// assert_eq!(rows, [[1, 2, 3], [4, 5, 6]]);
    /// ```
    #[doc(alias("rows", "columns", "unbind"))]
    pub fn iter_axis(
        &self,
        axis: isize,
    ) -> Result<impl DoubleEndedIterator<Item = Self> + ExactSizeIterator, ShapeError> {
        let (axis, rank) = (self.axis_index(axis)?, self.rank());
        let view = move |index| self.with_plan(&plan_along(rank, axis, AxisPart::At(index)));
        Ok((0..self.sizes[axis]).map(view))
    }

    /// Iterates over views of `count` consecutive indices of an axis; the last view may be shorter:
    /// `[..a, n, ..b] → ⌈n / count⌉ × [..a, m, ..b]`. Without a copy.
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::StepOfZero`] if `count` is
    /// 0.
    /// ```
    /// let x = DynTensor::from(tensor![[1, 2], [3, 4], [5, 6]]);
    /// let sizes: Vec<_> = x.chunks_axis(0, 2)?.map(|rows| rows.sizes()[0]).collect();
    /// assert_eq!(sizes, [2, 1]);
    /// ```
    #[doc(alias = "batches")]
    pub fn chunks_axis(
        &self,
        axis: isize,
        count: usize,
    ) -> Result<impl DoubleEndedIterator<Item = Self> + ExactSizeIterator, ShapeError> {
        let axis = axis_index(axis, self.rank())?;
        if count == 0 {
            return Err(ShapeError::StepOfZero { axis });
        }
        let size = self.sizes[axis];
        let chunk = move |position: usize| {
            let start = position * count;
            self.between(axis, start, start.saturating_add(count).min(size))
        };
        Ok((0..size.div_ceil(count)).map(chunk))
    }
}

/// The strides with both axes removed and that of a diagonal after the others.
pub(crate) fn diagonal_strides(strides: &[isize], axes: [usize; 2]) -> Strides {
    let others = (0..strides.len()).filter(|axis| !axes.contains(axis));
    let mut diagonal: Strides = others.map(|axis| strides[axis]).collect();
    diagonal.push(strides[axes[0]].wrapping_add(strides[axes[1]]));
    diagonal
}

/// Copies the elements of `source` from `start` on to those of a contiguous tensor that a plan keeps.
#[doc(hidden)]
pub fn assign_part<T: ElementMoves>(
    elements: &mut [T],
    sizes: &[usize],
    plan: &[AxisPart],
    target: &Sizes,
    source: &[T],
    start: usize,
    strides: &[isize],
) {
    let layout = sliced_layout(sizes, None, plan);
    let (first, to) = match layout.into_strided() {
        Some(layout) => (layout.offset, layout.strides),
        None => (0, tensor_kernels::plan::row_major_strides(target)),
    };
    let axes = target.iter().zip(&to).zip(strides);
    let axes: Vec<_> = axes.map(|((&size, &to), &from)| (size, to, from)).collect();
    T::assign(elements, first, &axes, source, start);
}
