//! Kernels of reductions and of operations along an axis, without their element types.

use core::mem::MaybeUninit;

use super::raw_view::RawView;
use crate::ops::AxisParams;

/// Room for results, as bytes; aligned for their type.
pub(crate) struct Results<'a> {
    bytes: &'a mut [MaybeUninit<u8>],
    /// The size of a result, in bytes.
    size: usize,
}

impl<'a> Results<'a> {
    pub(crate) fn new(bytes: &'a mut [MaybeUninit<u8>], size: usize) -> Self {
        assert!(bytes.len().is_multiple_of(size), "room for whole results");
        Self { bytes, size }
    }

    /// The room of typed results.
    pub(crate) fn of<T>(results: &'a mut [MaybeUninit<T>]) -> Self {
        let (len, first) = (size_of_val(results), results.as_mut_ptr().cast());
        // SAFETY: the same memory, byte by byte; nothing but results is written to it.
        Self::new(unsafe { core::slice::from_raw_parts_mut(first, len) }, size_of::<T>())
    }

    /// The number of results.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len() / self.size
    }

    /// The size of a result, in bytes.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    pub(crate) fn into_bytes(self) -> &'a mut [MaybeUninit<u8>] {
        self.bytes
    }

    /// Room for `count` results from `first` on.
    ///
    /// # Panics
    ///
    /// If there are fewer.
    pub(crate) fn room(&mut self, first: isize, count: usize) -> *mut u8 {
        let first = first as usize;
        assert!(first <= self.len() && count <= self.len() - first, "results that there are");
        self.bytes[first * self.size..].as_mut_ptr().cast()
    }
}

/// What can be reduced to one result for all elements, or for those along an axis.
///
/// # Safety
///
/// Each method writes every result.
pub(crate) unsafe trait ErasedReduction: Sync {
    /// Writes the result of contiguous elements.
    ///
    /// # Safety
    ///
    /// There are `len` initialised elements of its type, at least one, and aligned room for a result.
    unsafe fn contiguous(&self, first: *const u8, len: usize, correction: usize, result: *mut u8);

    /// Writes the result of all elements of a view.
    ///
    /// # Safety
    ///
    /// The view has elements of its type, and there is aligned room for a result.
    unsafe fn all(&self, view: &RawView<'_>, correction: usize, result: *mut u8);

    /// Writes the results along an axis, in row-major order of the other axes.
    ///
    /// # Safety
    ///
    /// The view has elements of its type, and the results have theirs.
    ///
    /// # Panics
    ///
    /// If there is another number of results.
    unsafe fn axis(&self, view: &RawView<'_>, axis: usize, correction: usize, results: Results<'_>);

    /// Writes the results along some axes, each of them named once, in row-major order of the other
    /// axes.
    ///
    /// # Safety
    ///
    /// The view has elements of its type, and the results have theirs.
    ///
    /// # Panics
    ///
    /// If there is another number of results.
    unsafe fn axes(
        &self,
        view: &RawView<'_>,
        axes: &[usize],
        correction: usize,
        results: Results<'_>,
    );
}

/// The sizes of the blocks of an axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockSizes {
    /// The elements of a block, `n * inner`.
    pub block: usize,
    /// The elements of the axes behind the axis.
    pub inner: usize,
}

/// An operation along an axis that keeps the sizes, from the table of operations.
///
/// # Safety
///
/// Each method writes every result.
pub(crate) unsafe trait ErasedAxisMap: Sync {
    /// Writes the results of contiguous elements.
    ///
    /// # Safety
    ///
    /// There is an initialised element of its type for each result.
    unsafe fn contiguous(
        &self,
        first: *const u8,
        sizes: BlockSizes,
        params: AxisParams,
        results: Results<'_>,
    );

    /// Replaces contiguous elements, all of them initialised, by the results.
    ///
    /// # Safety
    ///
    /// They are elements of its type.
    unsafe fn in_place(&self, sizes: BlockSizes, params: AxisParams, elements: Results<'_>);
}
