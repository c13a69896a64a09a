//! Type-erased kernels of reductions and of operations along an axis.

use core::mem::MaybeUninit;

use super::raw_view::RawView;
use crate::ops::AxisParams;

/// Memory for results as bytes, aligned for their type.
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

    /// The memory of typed results.
    pub(crate) fn of<T>(results: &'a mut [MaybeUninit<T>]) -> Self {
        let (len, first) = (size_of_val(results), results.as_mut_ptr().cast());
        // SAFETY: this is the same memory as bytes; nothing but results is written to it.
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

    /// Pointer to the memory of `count` results, starting with result `first`.
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

/// A reduction to one result of all elements, or of the elements along one or several axes.
///
/// # Safety
///
/// Each method writes every result.
pub(crate) unsafe trait ErasedReduction: Sync {
    /// Writes the result of reducing `len` contiguous elements.
    ///
    /// # Safety
    ///
    /// There are `len` initialised elements of the kernel's type, at least one; `result` is aligned for one.
    unsafe fn contiguous(&self, first: *const u8, len: usize, correction: usize, result: *mut u8);

    /// Writes the result of reducing all elements of a view.
    ///
    /// # Safety
    ///
    /// The view has elements of the kernel's type, and `result` is aligned memory for a result.
    unsafe fn all(&self, view: &RawView<'_>, correction: usize, result: *mut u8);

    /// Writes the results along an axis, in row-major order of the other axes.
    ///
    /// # Safety
    ///
    /// The view has elements of the kernel's type, and the results have its result type.
    ///
    /// # Panics
    ///
    /// If there is another number of results.
    unsafe fn axis(&self, view: &RawView<'_>, axis: usize, correction: usize, results: Results<'_>);

    /// Writes the results along some axes, without duplicates, in row-major order of the other
    /// axes.
    ///
    /// # Safety
    ///
    /// The view has elements of the kernel's type, and the results have its result type.
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

/// The sizes of the blocks `[n, inner]` of an axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockSizes {
    /// The number of elements of a block, `n * inner`.
    pub block: usize,
    /// The number of elements of the axes after the axis.
    pub inner: usize,
}

/// The weight, and the bias if there is one, of each element of a lane, as bytes.
#[derive(Clone, Copy)]
pub(crate) struct Affine<'a> {
    pub weight: &'a [u8],
    pub bias: Option<&'a [u8]>,
}

/// An operation along an axis that keeps the sizes, from the table of operations.
///
/// # Safety
///
/// Each method writes every result.
pub(crate) unsafe trait ErasedAxisMap: Sync {
    /// Writes the results for contiguous elements.
    ///
    /// # Safety
    ///
    /// There is an initialised element of the kernel's type for each result.
    unsafe fn contiguous(
        &self,
        first: *const u8,
        sizes: BlockSizes,
        params: AxisParams,
        results: Results<'_>,
    );

    /// Replaces contiguous, initialised elements by the results.
    ///
    /// # Safety
    ///
    /// The elements are of the kernel's type.
    unsafe fn in_place(&self, sizes: BlockSizes, params: AxisParams, elements: Results<'_>);

    /// The same operation followed by weights and biases, if there are loops for contiguous lanes of this
    /// length.
    fn affine(&self, _lane: usize) -> Option<&dyn ErasedAffine> {
        None
    }
}

/// An operation along an axis, then a product with a weight and the sum with a bias for each element of a lane.
///
/// # Safety
///
/// The method writes every result.
pub(crate) unsafe trait ErasedAffine: Sync {
    /// Writes the results for contiguous lanes of elements.
    ///
    /// # Safety
    ///
    /// There is an initialised element of the kernel's type for each result; weights and biases have this
    /// type, too.
    ///
    /// # Panics
    ///
    /// If there is not one weight, and one bias if there are any, for each element of a lane.
    unsafe fn contiguous(
        &self,
        first: *const u8,
        params: AxisParams,
        affine: Affine<'_>,
        results: Results<'_>,
    );
}
