//! Elements in row-major order, with any axis as the last one: the input of kernels by indices.

use core::mem::MaybeUninit;

use smallvec::SmallVec;

use super::axis_map::copy_strided;
use super::bits::{bits, from_bits};
use super::erased::Results;
use super::raw_view::RawView;
use crate::element::Element;
use crate::layout::{ErasedView, StridedLayout, checked_num_elements, len_in_memory, num_elements};
use crate::sizes::Sizes;
use crate::storage::Storage;

/// The elements of a view in row-major order: borrowed, or a copy.
pub enum RowMajor<'a, T> {
    Borrowed(&'a [T]),
    Copied(Storage<T>, usize),
}

impl<'a, T: Element> RowMajor<'a, T> {
    #[track_caller]
    pub fn of(view: ErasedView<'a, T>) -> Self {
        match view.as_slice() {
            Some(elements) => Self::Borrowed(elements),
            None => Self::copied(&view),
        }
    }

    /// A copy of the elements of a view.
    #[track_caller]
    pub fn copied(view: &ErasedView<'_, T>) -> Self {
        Self::Copied(copied(view), num_elements(view.sizes))
    }

    pub fn as_slice(&self) -> &[T] {
        match self {
            Self::Borrowed(elements) => elements,
            Self::Copied(storage, len) => &storage.as_slice()[..*len],
        }
    }

    /// The elements as storage that may be written to.
    pub fn into_storage(self) -> Storage<T> {
        match self {
            Self::Borrowed(elements) => Storage::from_slice(elements),
            Self::Copied(storage, _) => storage,
        }
    }
}

/// A copy of the elements of a view in row-major order.
#[track_caller]
fn copied<T: Element>(view: &ErasedView<'_, T>) -> Storage<T> {
    let len = len_in_memory(view.sizes, size_of::<T>());
    let fill = |results: &mut [MaybeUninit<T>]| {
        if len > 0 {
            copy_strided(&RawView::new(view), &mut Results::of(results));
        }
    };
    // SAFETY: `fill` writes every element: the view has `len` elements, each of which is copied.
    unsafe { Storage::build(len, fill) }
}

/// The numbers of elements before an axis, along it, and after it.
pub(crate) fn around(sizes: &[usize], axis: usize) -> [usize; 3] {
    // If one size is 0, there are no elements, however large the others are.
    let others = [checked_num_elements(&sizes[..axis]), checked_num_elements(&sizes[axis + 1..])];
    match others {
        [Some(outer @ 1..), Some(inner @ 1..)] if outer.checked_mul(inner).is_some() => {
            [outer, sizes[axis], inner]
        }
        _ => [0, sizes[axis], 0],
    }
}

/// The axes of a view with one of them as the last, in row-major order.
#[track_caller]
pub(crate) fn axis_last<'a, T: Element>(view: ErasedView<'a, T>, axis: usize) -> RowMajor<'a, T> {
    let last = view.sizes.len() - 1;
    move_axis(view, axis, last)
}

/// The axes of a view with one of them as the first, in row-major order.
#[track_caller]
pub(crate) fn axis_first<'a, T: Element>(view: ErasedView<'a, T>, axis: usize) -> RowMajor<'a, T> {
    move_axis(view, axis, 0)
}

#[track_caller]
fn move_axis<'a, T: Element>(view: ErasedView<'a, T>, axis: usize, to: usize) -> RowMajor<'a, T> {
    if axis == to {
        return RowMajor::of(view);
    }
    // SAFETY: these are the elements of the view.
    let elements = unsafe { from_bits(moved(bits(&view), axis, to)) };
    RowMajor::Copied(elements, num_elements(view.sizes))
}

#[track_caller]
fn moved<T: Element>(view: ErasedView<'_, T>, axis: usize, to: usize) -> Storage<T> {
    let (mut sizes, mut strides) = (Sizes::from_slice(view.sizes), view.strides());
    let (size, stride) = (sizes.remove(axis), strides.remove(axis));
    sizes.insert(to, size);
    strides.insert(to, stride);
    let layout = StridedLayout::new(view.offset(), strides);
    copied(&ErasedView::new(&sizes, Some(&layout), view.elements()))
}

/// The inverse of [`axis_last`]: elements `[outer, inner, n]` as `[outer, n, inner]`.
pub(crate) fn axis_back<T: Element>(
    elements: Storage<T>,
    [outer, n, inner]: [usize; 3],
) -> Storage<T> {
    if inner <= 1 || n <= 1 {
        return elements;
    }
    let sizes = [outer, n, inner];
    let strides = SmallVec::from_slice(&[(inner * n) as isize, 1, n as isize]);
    let layout = StridedLayout::new(0, strides);
    copied(&ErasedView::new(&sizes, Some(&layout), elements.as_slice()))
}
