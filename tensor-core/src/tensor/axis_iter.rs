//! Iteration along an axis: views at each index, or of several consecutive indices.

use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::ops::Range;

use crate::shape::axis::Axis;
use crate::shape::axis_index::{HasAxis, ReplaceAxis};
use crate::shape::results::{WithAxis, WithoutAxis};
use crate::shape::{Shape, Sizes};
use crate::tensor::Tensor;
use crate::tensor::operations::dispatch::unwrap_or_panic;
use tensor_array_macros::usage;
use tensor_kernels::element::Element;
use tensor_kernels::layout::{Layout, Strides, view_layout};
use tensor_kernels::storage::Storage;

/// Iterator over the views at each index of an axis, created by [`Tensor::iter_axis`].
#[derive(Clone)]
pub struct AxisIter<S, T> {
    shape: S,
    along: Along<T>,
}

/// Iterator over views of several indices of an axis at a time, created by [`Tensor::chunks_axis`].
#[derive(Clone)]
pub struct AxisChunks<S, T> {
    shape: PhantomData<S>,
    sizes: Sizes,
    axis: usize,
    count: usize,
    along: Along<T>,
}

/// The state of an iteration along an axis.
#[derive(Clone)]
struct Along<T> {
    storage: Storage<T>,
    /// The layout of the tensor.
    layout: Layout,
    offset: usize,
    /// The strides of the views, and the stride from one index to the next.
    strides: Strides,
    step: isize,
    /// The indices still to visit.
    left: Range<usize>,
}

impl<T: Element> Along<T> {
    /// The view with this shape that begins at `index`.
    fn view<S: Shape>(&self, shape: S, index: usize) -> Tensor<S, T> {
        let moved = self.step.wrapping_mul(index as isize);
        let offset = (self.offset as isize).wrapping_add(moved) as usize;
        let of = self.layout.as_deref();
        let layout = view_layout(of, &shape.sizes(), offset, self.strides.clone());
        Tensor { axes: shape, layout, storage: self.storage.clone() }
    }
}

impl<S: Shape, T: Element> Iterator for AxisIter<S, T> {
    type Item = Tensor<S, T>;

    fn next(&mut self) -> Option<Self::Item> {
        let index = self.along.left.next()?;
        Some(self.along.view(self.shape, index))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.along.left.size_hint()
    }

    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        let index = self.along.left.nth(n)?;
        Some(self.along.view(self.shape, index))
    }
}

impl<S: Shape, T: Element> DoubleEndedIterator for AxisIter<S, T> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let index = self.along.left.next_back()?;
        Some(self.along.view(self.shape, index))
    }
}

impl<S: Shape, T: Element> ExactSizeIterator for AxisIter<S, T> {}

impl<S: Shape, T: Element> FusedIterator for AxisIter<S, T> {}

impl<S: Shape, T: Element> AxisChunks<S, T> {
    /// The view of the indices `start..end`.
    fn chunk(&self, start: usize, end: usize) -> Tensor<S, T> {
        let mut sizes = self.sizes.clone();
        sizes[self.axis] = end - start;
        self.along.view(unwrap_or_panic(S::from_sizes(&sizes)), start)
    }
}

impl<S: Shape, T: Element> Iterator for AxisChunks<S, T> {
    type Item = Tensor<S, T>;

    fn next(&mut self) -> Option<Self::Item> {
        let Range { start, end } = self.along.left;
        let next = start.saturating_add(self.count).min(end);
        self.along.left.start = next;
        (start < next).then(|| self.chunk(start, next))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.along.left.len().div_ceil(self.count);
        (count, Some(count))
    }
}

impl<S: Shape, T: Element> DoubleEndedIterator for AxisChunks<S, T> {
    fn next_back(&mut self) -> Option<Self::Item> {
        let Range { start, end } = self.along.left;
        // The last chunk may be shorter.
        let rest = match (end - start) % self.count {
            0 => self.count.min(end - start),
            rest => rest,
        };
        self.along.left.end = end - rest;
        (rest > 0).then(|| self.chunk(end - rest, end))
    }
}

impl<S: Shape, T: Element> ExactSizeIterator for AxisChunks<S, T> {}

impl<S: Shape, T: Element> FusedIterator for AxisChunks<S, T> {}

/// # Iteration along an axis
#[tensor_array_macros::method_docs]
#[tensor_array_macros::bounds_without_source]
impl<S: Shape, T: Element> Tensor<S, T> {
    /// The state of an iteration along `axis`.
    fn along(&self, axis: usize) -> Along<T> {
        let (strides, storage) = (self.as_view().strides(), self.storage.clone());
        let (step, left) = (strides[axis], 0..self.axes.sizes()[axis]);
        let (layout, offset) = (self.layout.clone(), self.as_view().offset());
        Along { storage, layout, offset, strides, step, left }
    }

    #[doc = doc_iter_axis!()]
    /// ```
    /// let x = tensor![[1, 2, 3], [4, 5, 6]];
    /// let sums: Vec<i32> = x.iter_axis::<0>().map(|row| row.sum().item()).collect();
    /// assert_eq!(sums, [6, 15]);
    /// assert_eq!(x.iter_axis::<1>().rev().next(), Some(tensor![3, 6]));
    /// ```
    #[doc(alias("rows", "columns", "unbind", "unstack", "axis_iter"))]
    #[usage(x.iter_axis::<0>())]
    pub fn iter_axis<const AXIS: isize>(&self) -> AxisIter<WithoutAxis<S, AXIS>, T>
    where
        S: HasAxis<AXIS>,
    {
        let mut along = self.along(<S as HasAxis<AXIS>>::INDEX);
        along.strides.remove(<S as HasAxis<AXIS>>::INDEX);
        AxisIter { shape: self.axes.remove(), along }
    }

    #[doc = doc_chunks_axis!()]
    /// The axis becomes the named axis `B`.
    /// Panics: If `count` is 0, `B` has another, static size, or one name has two sizes in a view.
    /// ```
    /// axis!(Batch);
    ///
    /// let x = tensor![[1, 2], [3, 4], [5, 6]];
    /// let sizes: Vec<usize> = x.chunks_axis::<0, Batch>(2).map(|batch| batch.sizes()[0]).collect();
    /// assert_eq!(sizes, [2, 1]);
    /// ```
    #[doc(alias("batches", "axis_chunks_iter"))]
    #[usage(x.chunks_axis::<0, Batch>(32))]
    pub fn chunks_axis<const AXIS: isize, B: Axis>(
        &self,
        count: usize,
    ) -> AxisChunks<WithAxis<S, AXIS, B>, T>
    where
        S: ReplaceAxis<AXIS, B>,
    {
        const { <S as ReplaceAxis<AXIS, B>>::KEEPS_LAYOUT };
        assert!(count > 0, "chunks of 0 indices along axis {}: a chunk has at least 1", S::INDEX);
        let along = self.along(S::INDEX);
        let sizes = self.axes.sizes();
        AxisChunks { shape: PhantomData, sizes, axis: S::INDEX, count, along }
    }
}
