//! Borrowed arrays, the operands of operations. Their sizes are passed separately.

use crate::array::layout::{ErasedView, StridedLayout};
use crate::array::storage::{INLINE, Plain, Storage};

/// An array whose sizes are known elsewhere.
pub struct ArrayRef<'a, T> {
    /// `None` for row-major order from the start of the storage.
    pub layout: Option<&'a StridedLayout>,
    /// The elements.
    pub storage: &'a Storage<T>,
}

impl<T> Clone for ArrayRef<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for ArrayRef<'_, T> {}

impl<'a, T: Plain> ArrayRef<'a, T> {
    /// The array with its sizes.
    #[inline(always)]
    pub fn with_sizes(self, sizes: &'a [usize]) -> ErasedView<'a, T> {
        ErasedView::new(sizes, self.layout, self.storage.as_slice())
    }

    /// A pointer to the first `len` elements of a contiguous array.
    ///
    /// # Panics
    ///
    /// If there are fewer.
    #[inline(always)]
    pub fn first(self, len: usize) -> *const u8 {
        self.storage.as_slice()[..len].as_ptr().cast()
    }

    /// The inline elements, padded with zeros, of an array stored inline in row-major order.
    #[inline(always)]
    pub fn inline(self) -> Option<&'a [T; INLINE]> {
        match (self.layout, self.storage) {
            (None, Storage::Inline(elements)) => Some(elements),
            _ => None,
        }
    }

    /// Whether the operation that computed the array was recorded.
    #[inline(always)]
    pub fn is_recorded(self) -> bool {
        self.layout.is_some_and(StridedLayout::is_recorded)
    }
}

/// An operand whose sizes are known elsewhere: an array, or a scalar.
#[doc(hidden)]
pub enum Source<'a, T> {
    Array(ArrayRef<'a, T>),
    Scalar(&'a T),
}

impl<T> Clone for Source<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Source<'_, T> {}

impl<'a, T> Source<'a, T> {
    /// `None` for row-major order from the start of the elements.
    #[inline(always)]
    pub fn layout(&self) -> Option<&'a StridedLayout> {
        match self {
            Self::Array(array) => array.layout,
            Self::Scalar(_) => None,
        }
    }

    /// Whether the operation that computed the array was recorded.
    #[inline(always)]
    pub fn is_recorded(&self) -> bool {
        self.layout().is_some_and(StridedLayout::is_recorded)
    }
}

impl<'a, T: Plain> Source<'a, T> {
    /// All elements of the storage.
    #[inline]
    pub fn elements(&self) -> &'a [T] {
        match self {
            Self::Array(array) => array.storage.as_slice(),
            Self::Scalar(scalar) => core::slice::from_ref(*scalar),
        }
    }

    /// A pointer to the first `len` elements.
    ///
    /// # Panics
    ///
    /// If there are fewer.
    #[inline]
    pub fn first(&self, len: usize) -> *const u8 {
        self.elements()[..len].as_ptr().cast()
    }

    /// The operand with its sizes.
    #[inline(always)]
    pub fn with_sizes(&self, sizes: &'a [usize]) -> ErasedView<'a, T> {
        ErasedView::new(sizes, self.layout(), self.elements())
    }
}
