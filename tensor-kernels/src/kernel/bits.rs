//! Integers of the sizes of elements, as which elements are moved.

use core::mem::MaybeUninit;

use crate::element::Element;
use crate::layout::ErasedView;
use crate::storage::{Buffer, Storage};

/// Runs `$work` with `$B` as the integer type of the size of an element.
macro_rules! with_bits {
    ($bytes:expr, $B:ident => $work:expr) => {
        match $bytes {
            1 => {
                type $B = u8;
                $work
            }
            2 => {
                type $B = u16;
                $work
            }
            4 => {
                type $B = u32;
                $work
            }
            8 => {
                type $B = u64;
                $work
            }
            bytes => unreachable!("elements of {bytes} bytes"),
        }
    };
}

pub(super) use with_bits;

/// The same view, with the bits of its elements.
#[track_caller]
pub(super) fn bits<'a, T: Element>(view: &ErasedView<'a, T>) -> ErasedView<'a, T::Bits> {
    view.with_elements(bits_of(view.elements()))
}

/// The bits of elements.
pub(super) fn bits_of<T: Element>(elements: &[T]) -> &[T::Bits] {
    // SAFETY: elements have the size of their bits, at least the alignment, and no padding.
    unsafe { core::slice::from_raw_parts(elements.as_ptr().cast(), elements.len()) }
}

/// The bits of elements, for writing.
///
/// # Safety
///
/// What is written are the bits of elements of the type.
pub(super) unsafe fn bits_of_mut<T: Element>(elements: &mut [T]) -> &mut [T::Bits] {
    // SAFETY: as above, and as the caller promises.
    unsafe { core::slice::from_raw_parts_mut(elements.as_mut_ptr().cast(), elements.len()) }
}

/// [`bits_of_mut`] of memory that is not initialised.
///
/// # Safety
///
/// The same.
pub(super) unsafe fn bits_of_slots<T: Element>(
    slots: &mut [MaybeUninit<T>],
) -> &mut [MaybeUninit<T::Bits>] {
    // SAFETY: as above.
    unsafe { core::slice::from_raw_parts_mut(slots.as_mut_ptr().cast(), slots.len()) }
}

/// The elements with these bits.
///
/// # Safety
///
/// They are the bits of elements of the type, or 0.
pub(super) unsafe fn from_bits<T: Element>(bits: Storage<T::Bits>) -> Storage<T> {
    match bits {
        // SAFETY: an element has the size of its bits, and these are those of elements, as the caller promises.
        Storage::Inline(bits) => Storage::Inline(unsafe { core::mem::transmute_copy(&bits) }),
        // SAFETY: as above; memory that the crate allocated is aligned for all elements.
        Storage::Heap(bits) => Storage::Heap(unsafe { Buffer::from_raw(bits.into_raw()) }),
        Storage::FromVec(_) => unreachable!("kernels allocate their results themselves"),
    }
}
