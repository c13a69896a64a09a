//! Borrowed arrays, the operands of operations. Their sizes are passed separately.

use crate::layout::{ErasedView, StridedLayout};
use crate::storage::{INLINE, Plain, Storage};

/// An operand whose sizes are known elsewhere: an array, or a scalar. Two registers.
pub struct ArrayRef<'a, T> {
    layout: LayoutOrScalar<'a, T>,
    /// `None` for a scalar.
    storage: Option<&'a Storage<T>>,
}

/// The layout of an array, `None` for row-major order from the start of its storage; or a scalar.
///
/// A union, because rustc passes an enum of both by its address: `&a + &b` then writes its operands to the stack
/// in the user's crate.
union LayoutOrScalar<'a, T> {
    layout: Option<&'a StridedLayout>,
    scalar: &'a T,
    /// The address of either, null without a layout.
    address: *const (),
}

impl<T> Clone for LayoutOrScalar<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for LayoutOrScalar<'_, T> {}

impl<T> Clone for ArrayRef<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for ArrayRef<'_, T> {}

impl<'a, T> ArrayRef<'a, T> {
    /// An array.
    #[inline(always)]
    pub fn new(layout: Option<&'a StridedLayout>, storage: &'a Storage<T>) -> Self {
        Self { layout: LayoutOrScalar { layout }, storage: Some(storage) }
    }

    /// A scalar, which has rank 0.
    #[inline(always)]
    pub fn scalar(scalar: &'a T) -> Self {
        Self { layout: LayoutOrScalar { scalar }, storage: None }
    }

    /// The storage of an array.
    ///
    /// # Errors
    ///
    /// A scalar has none: the error is the scalar.
    #[inline(always)]
    pub fn storage(self) -> Result<&'a Storage<T>, &'a T> {
        match self.storage {
            Some(storage) => Ok(storage),
            // SAFETY: what has no storage was made of a scalar.
            None => Err(unsafe { self.layout.scalar }),
        }
    }

    /// `None` for row-major order from the start of the elements.
    #[inline(always)]
    pub fn layout(self) -> Option<&'a StridedLayout> {
        self.storage?;
        // SAFETY: what has a storage was made of a layout.
        unsafe { self.layout.layout }
    }

    /// The storage of an array in row-major order from its start, without a history: one test for both.
    #[inline(always)]
    pub fn row_major(self) -> Option<&'a Storage<T>> {
        // SAFETY: each field is an address, and a scalar is not at null.
        if unsafe { self.layout.address }.is_null() { self.storage } else { None }
    }

    /// Whether the operation that computed the array was recorded.
    #[inline(always)]
    pub fn is_recorded(self) -> bool {
        self.layout().is_some_and(StridedLayout::is_recorded)
    }
}

impl<'a, T: Plain> ArrayRef<'a, T> {
    /// All elements of the storage.
    #[inline(always)]
    pub fn elements(self) -> &'a [T] {
        match self.storage() {
            Ok(storage) => storage.as_slice(),
            Err(scalar) => core::slice::from_ref(scalar),
        }
    }

    /// The operand with its sizes.
    #[inline(always)]
    pub fn with_sizes(self, sizes: &'a [usize]) -> ErasedView<'a, T> {
        ErasedView::new(sizes, self.layout(), self.elements())
    }

    /// A pointer to the first `len` elements of a contiguous operand.
    ///
    /// # Panics
    ///
    /// If there are fewer.
    #[inline(always)]
    pub fn first(self, len: usize) -> *const u8 {
        self.elements()[..len].as_ptr().cast()
    }

    /// The inline elements, padded with zeros, of an array stored inline in row-major order.
    #[inline(always)]
    pub fn inline(self) -> Option<&'a [T; INLINE]> {
        match self.row_major() {
            Some(Storage::Inline(elements)) => Some(elements),
            _ => None,
        }
    }
}
