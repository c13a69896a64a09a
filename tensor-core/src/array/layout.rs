//! Where the element of an index lies: row-major from the start of the storage, or by strides.

mod regroup;

pub(crate) use regroup::regroup;

use smallvec::SmallVec;

use crate::array::plan::{broadcast_strides, row_major_strides};
// The sizes of arrays are counted as those of shapes are.
pub(crate) use crate::shape::count::{
    checked_len, checked_num_elements, len_in_memory, num_elements,
};

/// Strides of all axes, first axis first, in elements.
pub(crate) type Strides = SmallVec<[isize; 6]>;

/// The layout of a view that is not row-major from the start of its storage.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct StridedLayout {
    /// The element of index `[0, 0, …]`, in elements from the start of the storage.
    pub(crate) offset: usize,
    pub(crate) strides: Strides,
}

/// `None` for row-major order from the start of the storage.
pub(crate) type Layout = Option<Box<StridedLayout>>;

/// The layout with this offset and these strides, in its simplest form.
pub(crate) fn layout(sizes: &[usize], offset: usize, strides: Strides) -> Layout {
    let plain = row_major_strides(sizes);
    let same = |axis: usize| sizes[axis] == 1 || strides[axis] == plain[axis];
    let empty = sizes.contains(&0);
    if empty || (offset == 0 && (0..sizes.len()).all(same)) {
        return None;
    }
    Some(Box::new(StridedLayout { offset, strides }))
}

/// A tensor to read from, without the type of its shape.
#[derive(Clone, Copy)]
pub(crate) struct ErasedView<'a, T> {
    pub sizes: &'a [usize],
    pub layout: Option<&'a StridedLayout>,
    pub elements: &'a [T],
}

impl<'a, T> ErasedView<'a, T> {
    /// The elements in row-major order, where they lie so in one piece.
    pub(crate) fn as_slice(&self) -> Option<&'a [T]> {
        match self.layout {
            None => Some(&self.elements[..num_elements(self.sizes)]),
            Some(_) => None,
        }
    }

    /// The strides along the axes of this tensor.
    pub(crate) fn strides(&self) -> Strides {
        match self.layout {
            Some(layout) => layout.strides.clone(),
            None => row_major_strides(self.sizes),
        }
    }

    pub(crate) fn offset(&self) -> usize {
        self.layout.map_or(0, |layout| layout.offset)
    }

    /// The same sizes and layout over elements of another type.
    pub(crate) fn with_elements<'b, U>(self, elements: &'b [U]) -> ErasedView<'b, U>
    where
        'a: 'b,
    {
        ErasedView { sizes: self.sizes, layout: self.layout, elements }
    }

    /// The strides along the axes of a result of `rank` axes that this tensor stretches to.
    pub(crate) fn broadcast_strides_to(&self, rank: usize) -> Strides {
        match self.layout {
            Some(layout) => broadcast_strides(self.sizes, &layout.strides, rank),
            None => broadcast_strides(self.sizes, &row_major_strides(self.sizes), rank),
        }
    }
}

/// A tensor to read from, without the types of its shape and its elements.
#[derive(Clone, Copy)]
pub(crate) struct UntypedView<'a> {
    pub sizes: &'a [usize],
    pub layout: Option<&'a StridedLayout>,
    /// The first element of the storage.
    pub first: *const u8,
    /// How many elements the storage has.
    pub len: usize,
}

impl<'a, T> ErasedView<'a, T> {
    /// The same without the type of the elements.
    #[inline(always)]
    pub(crate) fn untyped(&self) -> UntypedView<'a> {
        let Self { sizes, layout, elements } = *self;
        UntypedView { sizes, layout, first: elements.as_ptr().cast(), len: elements.len() }
    }
}

impl UntypedView<'_> {
    pub(crate) fn offset(&self) -> usize {
        self.layout.map_or(0, |layout| layout.offset)
    }

    /// The strides along the axes of a result of `rank` axes that this tensor stretches to.
    pub(crate) fn broadcast_strides_to(&self, rank: usize) -> Strides {
        match self.layout {
            Some(layout) => broadcast_strides(self.sizes, &layout.strides, rank),
            None => broadcast_strides(self.sizes, &row_major_strides(self.sizes), rank),
        }
    }
}
