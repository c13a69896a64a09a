//! A type-erased tensor to read from, which the drivers of the kernels traverse.

use core::marker::PhantomData;
use core::ops::Range;

use smallvec::SmallVec;

use crate::layout::{
    ErasedView, StridedLayout, checked_num_elements, is_contiguous, num_elements, refuse_traced,
};
use crate::plan::row_major_strides;

/// A type-erased view of a tensor, whose elements are addressed as bytes.
///
/// Invariant: for each index within `sizes` there is an element of `element` bytes at the address given by
/// `first` and the strides. All of them, and those between, are in one slice of initialised elements, aligned
/// for their type, which are not written during `'a`.
#[derive(Clone, Debug)]
pub(crate) struct RawView<'a> {
    first: *const u8,
    element: usize,
    sizes: SmallVec<[usize; 6]>,
    strides: SmallVec<[isize; 6]>,
    lifetime: PhantomData<&'a [u8]>,
}

// SAFETY: nothing is written through a view, and elements are `Send` and `Sync`.
unsafe impl Send for RawView<'_> {}
// SAFETY: as above.
unsafe impl Sync for RawView<'_> {}

impl<'a> RawView<'a> {
    /// A view with all axes of an array.
    ///
    /// # Panics
    ///
    /// If the array is traced.
    #[track_caller]
    pub(crate) fn new<T: Copy>(view: &ErasedView<'a, T>) -> Self {
        refuse_traced(view.layout);
        let (first, len) = (view.first, view.len);
        match view.layout {
            None => Self::contiguous(first, size_of::<T>(), len, view.sizes),
            Some(layout) => Self::strided(first, size_of::<T>(), len, view.sizes, layout),
        }
    }

    /// A view of contiguous elements in which some neighbouring axes are merged into one, all axes before
    /// them into another, and all after them into a third; and the number of the middle axis. `None` if the
    /// elements are not contiguous.
    pub(crate) fn around_axes<T: Copy>(
        view: &ErasedView<'a, T>,
        axes: Range<usize>,
    ) -> Option<(Self, usize)> {
        if !is_contiguous(view.layout) {
            return None;
        }
        let (outer, n) = view.sizes[..axes.end].split_at(axes.start);
        // A product overflows only if another axis has size 0; then there are no results.
        let count = |sizes| checked_num_elements(sizes).unwrap_or(0);
        let (n, inner) = (count(n), count(&view.sizes[axes.end..]));
        let sizes = [count(outer), n, inner];
        assert!(num_elements(&sizes) <= view.len, "the elements of all indices");
        let step = inner.max(1) as isize;
        let strides = SmallVec::from_slice(&[(n.max(1) as isize).wrapping_mul(step), step, 1]);
        let first = view.first;
        let (element, sizes) = (size_of::<T>(), SmallVec::from_slice(&sizes));
        Some((Self { first, element, sizes, strides, lifetime: PhantomData }, 1))
    }

    /// The same elements with the axes `last` moved to the end, and the number of axes before them. Axes
    /// that one stride covers are merged, axes of size 1 are dropped. The moved axes are in memory
    /// order, and at least one; the others keep their order.
    ///
    /// # Panics
    ///
    /// If the axes have more steps than `usize` counts.
    pub(crate) fn with_last_axes(&self, last: &[usize]) -> (Self, usize) {
        let kept = self.merged((0..self.sizes.len()).filter(|axis| !last.contains(axis)));
        let steps: SmallVec<[usize; 6]> = last.iter().map(|&axis| self.sizes[axis]).collect();
        let last = match num_elements(&steps) {
            size @ (0 | 1) => SmallVec::from_slice(&[(size, 0)]),
            _ => {
                let order = self.in_memory_order(None);
                self.merged(order.into_iter().filter(|axis| last.contains(axis)))
            }
        };
        let axes = || kept.iter().chain(&last);
        let sizes = axes().map(|axis| axis.0).collect();
        let strides = axes().map(|axis| axis.1).collect();
        // Each index of the new axes corresponds to one of the old axes.
        (Self { sizes, strides, ..*self }, kept.len())
    }

    /// The sizes and strides of some axes; neighbours that one stride covers are merged.
    fn merged(&self, axes: impl Iterator<Item = usize>) -> SmallVec<[(usize, isize); 6]> {
        let mut merged: SmallVec<[(usize, isize); 6]> = SmallVec::new();
        for axis in axes {
            let (size, stride) = (self.sizes[axis], self.strides[axis]);
            match merged.last_mut() {
                _ if size == 1 => {}
                Some((outer, step)) if *step == stride.wrapping_mul(size as isize) => {
                    // If the product overflows, another size is 0.
                    (*outer, *step) = (outer.wrapping_mul(size), stride);
                }
                _ => merged.push((size, stride)),
            }
        }
        merged
    }

    /// The same elements with the axes in another order.
    ///
    /// # Panics
    ///
    /// If the order does not name each axis once.
    pub(crate) fn permuted(&self, order: &[usize]) -> Self {
        let mut axes: SmallVec<[usize; 6]> = SmallVec::from_slice(order);
        axes.sort_unstable();
        assert!(axes.iter().copied().eq(0..self.sizes.len()), "each axis once");
        let sizes = order.iter().map(|&axis| self.sizes[axis]).collect();
        let strides = order.iter().map(|&axis| self.strides[axis]).collect();
        Self { sizes, strides, ..*self }
    }

    /// `len` elements in row-major order.
    fn contiguous(first: *const u8, element: usize, len: usize, sizes: &[usize]) -> Self {
        assert!(num_elements(sizes) <= len, "the elements of all indices");
        let (sizes, strides) = (SmallVec::from_slice(sizes), row_major_strides(sizes));
        Self { first, element, sizes, strides, lifetime: PhantomData }
    }

    /// A strided view of `len` elements of a storage.
    fn strided(
        first: *const u8,
        element: usize,
        len: usize,
        sizes: &[usize],
        layout: &StridedLayout,
    ) -> Self {
        assert_eq!(sizes.len(), layout.strides.len(), "a stride for each axis");
        let mut offset = 0;
        if !sizes.contains(&0) {
            let reach = |size: usize, stride: isize| {
                isize::try_from(size - 1).ok().and_then(|steps| stride.checked_mul(steps))
            };
            let start = isize::try_from(layout.offset).ok();
            let mut range = start.map(|start| (start, start));
            for (&size, &stride) in sizes.iter().zip(&layout.strides) {
                range = range.zip(reach(size, stride)).and_then(|((least, most), reach)| {
                    Some((least.checked_add(reach.min(0))?, most.checked_add(reach.max(0))?))
                });
            }
            let within = |(least, most): (isize, isize)| least >= 0 && (most as usize) < len;
            assert!(range.is_some_and(within), "the strides stay within the elements");
            offset = layout.offset;
        }
        // SAFETY: the element of the first index is within the elements, if the view has any.
        let first = unsafe { first.add(offset * element) };
        let (sizes, strides) = (SmallVec::from_slice(sizes), layout.strides.clone());
        Self { first, element, sizes, strides, lifetime: PhantomData }
    }

    /// The same elements, limited to a range of an axis.
    ///
    /// # Panics
    ///
    /// If there are fewer steps.
    pub(crate) fn part(&self, axis: usize, start: usize, count: usize) -> Self {
        assert!(start + count <= self.sizes[axis], "steps that there are");
        let moved = start as isize * self.strides[axis] * self.element as isize;
        let mut part = Self { first: self.first.wrapping_offset(moved), ..self.clone() };
        part.sizes[axis] = count;
        part
    }

    /// The element of the first index; an arbitrary address if the view is empty.
    pub(crate) fn first(&self) -> *const u8 {
        self.first
    }

    /// The element that is this many elements after the first one.
    pub(crate) fn at(&self, elements: isize) -> *const u8 {
        self.first.wrapping_offset(elements * self.element as isize)
    }

    /// The size of an element, in bytes.
    pub(crate) fn element(&self) -> usize {
        self.element
    }

    pub(crate) fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    pub(crate) fn strides(&self) -> &[isize] {
        &self.strides
    }

    /// The number of elements.
    pub(crate) fn len(&self) -> usize {
        num_elements(&self.sizes)
    }

    /// The number of elements that the view reaches before the first one, and the number from
    /// there to the last.
    pub(crate) fn reach(&self) -> (usize, usize) {
        if self.sizes.contains(&0) {
            return (0, 0);
        }
        let (mut before, mut behind) = (0, 0);
        for (&size, &stride) in self.sizes.iter().zip(&self.strides) {
            let reach = (size - 1) * stride.unsigned_abs();
            *(if stride < 0 { &mut before } else { &mut behind }) += reach;
        }
        (before, before + behind + 1)
    }

    /// The axes except `without` by stride: first those with stride 0, then from the
    /// largest stride to the smallest.
    pub(crate) fn in_memory_order(&self, without: Option<usize>) -> SmallVec<[usize; 6]> {
        let mut axes: SmallVec<[usize; 6]> =
            (0..self.strides.len()).filter(|&axis| Some(axis) != without).collect();
        axes.sort_by_key(|&axis| match self.strides[axis].unsigned_abs() {
            0 => 0,
            stride => usize::MAX - stride,
        });
        axes
    }
}
