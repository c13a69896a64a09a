//! Reference-counted memory in one block.
//!
//! Unlike `Arc<[T]>` it has no weak count, which nothing here uses: making, checking and dropping an
//! `Arc` costs 35 ns more, a fifth of an addition of 1,024 floats (benchmark `same_shape/1024`).
//! With a count of 1, checking and freeing need no locked instruction.

use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicUsize, Ordering, fence};
use std::alloc::{Layout, handle_alloc_error};

use super::block::{Block, ROOM, ROOM_BEFORE};
use super::cache;
use crate::element::Element;

/// The header before the elements.
#[repr(C, align(16))]
struct Header {
    owners: AtomicUsize,
    len: usize,
}

const _: () = assert!(size_of::<Header>() == ROOM && align_of::<Header>() == ROOM);

/// Shared elements, written only while the reference count is 1.
///
/// Invariants: `header` points to a `Header` in the bytes that a block reserves before its elements,
/// followed by `header.len` initialised elements; `header.owners` is the number of buffers with this
/// pointer, and the one that takes it to 0 frees the block.
pub(crate) struct Buffer<T> {
    header: NonNull<Header>,
    elements: PhantomData<T>,
}

// SAFETY: a buffer shares `&[T]` between threads and is dropped on any thread, as `Arc<[T]>` under
// the same bounds; the reference count is atomic.
unsafe impl<T: Send + Sync> Send for Buffer<T> {}
// SAFETY: as above.
unsafe impl<T: Send + Sync> Sync for Buffer<T> {}

impl<T> Buffer<T> {
    /// Memory for `len` elements with its header written, and whether the elements are zeroed.
    ///
    /// # Panics
    ///
    /// If `len` elements exceed `isize::MAX` bytes.
    #[inline]
    fn allocate(len: usize) -> (NonNull<Header>, bool) {
        const { assert!(align_of::<T>() <= align_of::<Header>()) };
        let layout = Layout::array::<T>(len).expect("a tensor that fits into memory");
        let Some((block, is_zero)) = cache::take(layout.size()) else { handle_alloc_error(layout) };
        let elements = block.into_elements();
        // SAFETY: the owner of a block has `ROOM` bytes there, with the size and alignment of a header.
        let header = unsafe { elements.sub(ROOM_BEFORE).cast::<Header>() };
        // SAFETY: as above; the block is not shared yet.
        unsafe { header.write(Header { owners: AtomicUsize::new(1), len }) };
        (header, is_zero)
    }

    /// The first element.
    fn first(header: NonNull<Header>) -> NonNull<T> {
        // SAFETY: the elements start there, within the same block; `T` needs no more alignment than
        // the header, by the assertion in `allocate`.
        unsafe { header.byte_add(ROOM_BEFORE).cast() }
    }

    fn len(&self) -> usize {
        // SAFETY: the header is initialised and its length never changes.
        unsafe { (*self.header.as_ptr()).len }
    }

    fn owners(&self) -> &AtomicUsize {
        // SAFETY: the header is initialised and lives as long as this reference to it counts.
        unsafe { &(*self.header.as_ptr()).owners }
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[T] {
        // SAFETY: `len` elements are initialised, and they are only written through `get_mut`, which
        // borrows the only buffer with this pointer.
        unsafe { core::slice::from_raw_parts(Self::first(self.header).as_ptr(), self.len()) }
    }

    /// The elements for writing; `None` if the buffer is shared.
    #[inline]
    pub(crate) fn get_mut(&mut self) -> Option<&mut [T]> {
        // Pairs with the `Release` in `drop`: the reads of a dropped buffer happen before.
        if self.owners().load(Ordering::Acquire) != 1 {
            return None;
        }
        // SAFETY: this is the only buffer with this pointer, and it is borrowed mutably for as long
        // as the slice lives; only it could be cloned.
        Some(unsafe {
            core::slice::from_raw_parts_mut(Self::first(self.header).as_ptr(), self.len())
        })
    }
}

impl<T: Element> Buffer<T> {
    /// `len` elements, initialised by `fill`.
    ///
    /// # Safety
    ///
    /// `fill` must write every element of its slice.
    #[inline]
    pub(crate) unsafe fn build(len: usize, fill: impl FnOnce(&mut [MaybeUninit<T>])) -> Self {
        /// Frees the uninitialised memory if `fill` panics.
        struct Unfinished<T>(Buffer<MaybeUninit<T>>);

        let (header, _) = Self::allocate(len);
        let unfinished = Unfinished::<T>(Buffer { header, elements: PhantomData });
        // SAFETY: the memory after the header holds `len` elements, which as `MaybeUninit` need no
        // initialisation; it is not shared yet.
        fill(unsafe {
            core::slice::from_raw_parts_mut(
                Buffer::<MaybeUninit<T>>::first(unfinished.0.header).as_ptr(),
                len,
            )
        });
        core::mem::forget(unfinished);
        // All elements are initialised, by the contract of `fill`.
        Self { header, elements: PhantomData }
    }

    /// `len` zeros.
    pub(crate) fn zeros(len: usize) -> Self {
        let (header, is_zero) = Self::allocate(len);
        if !is_zero {
            // SAFETY: the memory holds `len` elements. For every element type zero is all bits zero:
            // `Element` is sealed.
            unsafe { Self::first(header).write_bytes(0, len) };
        }
        Self { header, elements: PhantomData }
    }
}

impl<T> Clone for Buffer<T> {
    #[inline]
    fn clone(&self) -> Self {
        // As `Arc`: only leaking clones in a loop gets here.
        if self.owners().fetch_add(1, Ordering::Relaxed) > usize::MAX / 2 {
            std::process::abort();
        }
        Self { header: self.header, elements: PhantomData }
    }
}

impl<T> Drop for Buffer<T> {
    #[inline]
    fn drop(&mut self) {
        // A count of 1 cannot change on another thread: no locked instruction needed.
        let last = self.owners().load(Ordering::Acquire) == 1
            || self.owners().fetch_sub(1, Ordering::Release) == 1;
        if last {
            fence(Ordering::Acquire);
            // SAFETY: `first` is the pointer that `into_elements` returned, and this was the last
            // reference. The elements are `Copy` or `MaybeUninit` and need no drop.
            cache::give(unsafe { Block::from_elements(Self::first(self.header).cast()) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Buffer;

    #[test]
    fn owners_share_and_the_last_one_writes() {
        let mut first = Buffer::<u16>::zeros(1000);
        first.get_mut().unwrap()[999] = 7;
        let second = first.clone();
        assert!(first.get_mut().is_none());
        assert_eq!(second.as_slice()[998..], [0, 7]);
        drop(second);
        assert!(first.get_mut().is_some());
    }

    #[test]
    fn owners_go_away_on_other_threads() {
        let mut first = Buffer::<f64>::zeros(100);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                let other = first.clone();
                scope.spawn(move || assert_eq!(other.as_slice().iter().sum::<f64>(), 0.0));
            }
        });
        assert!(first.get_mut().is_some());
    }

    #[test]
    fn a_panic_while_filling_frees_the_memory() {
        let fill = || {
            // SAFETY: `fill` diverges.
            unsafe { Buffer::<u8>::build(100, |_| panic!("stop")) }
        };
        assert!(std::panic::catch_unwind(fill).is_err());
    }
}
