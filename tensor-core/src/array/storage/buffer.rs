//! Memory with a count of its owners, in one block.
//!
//! `Arc<[T]>` would do the same. It pays for weak references that nothing here uses: making,
//! checking and dropping one costs 35 ns more, a fifth of an addition of 1,024 floats (benchmark
//! `same_shape/1024`). Memory that has one owner is checked and freed here without a locked
//! instruction.

use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicUsize, Ordering, fence};
use std::alloc::{Layout, handle_alloc_error};

use super::block::{Block, ROOM, ROOM_BEFORE};
use super::cache;
use crate::element::Element;

/// What stands before the elements.
#[repr(C, align(16))]
struct Header {
    owners: AtomicUsize,
    len: usize,
}

const _: () = assert!(size_of::<Header>() == ROOM && align_of::<Header>() == ROOM);

/// Elements that several tensors may own; they are only written while there is one owner.
///
/// Invariants: `header` points to a `Header` in the room that a block has before its elements, and
/// right behind it are `header.len` initialised elements; `header.owners` is the number of buffers
/// with this pointer, and whoever takes it to 0 frees the block.
pub(crate) struct Buffer<T> {
    header: NonNull<Header>,
    elements: PhantomData<T>,
}

// SAFETY: a buffer gives out `&[T]` from any thread and moves between threads, as `Arc<[T]>` does
// under the same bounds; the count of owners is atomic.
unsafe impl<T: Send + Sync> Send for Buffer<T> {}
// SAFETY: as above.
unsafe impl<T: Send + Sync> Sync for Buffer<T> {}

impl<T> Buffer<T> {
    /// Memory for `len` elements with its header written, and whether the elements are all zero.
    ///
    /// # Panics
    ///
    /// When it is larger than the address space.
    #[inline]
    fn allocate(len: usize) -> (NonNull<Header>, bool) {
        const { assert!(align_of::<T>() <= align_of::<Header>()) };
        let layout = Layout::array::<T>(len).expect("a tensor that fits into memory");
        let Some((block, is_zero)) = cache::take(layout.size()) else { handle_alloc_error(layout) };
        let elements = block.into_elements();
        // SAFETY: a block has `ROOM` bytes there, the size of a header, aligned as a header is.
        let header = unsafe { elements.sub(ROOM_BEFORE).cast::<Header>() };
        // SAFETY: as above; nobody else uses the block.
        unsafe { header.write(Header { owners: AtomicUsize::new(1), len }) };
        (header, is_zero)
    }

    /// The first element.
    fn first(header: NonNull<Header>) -> NonNull<T> {
        // SAFETY: there they are in the block; they need no more alignment than the header has.
        unsafe { header.byte_add(ROOM_BEFORE).cast() }
    }

    fn len(&self) -> usize {
        // SAFETY: the header is initialised and nobody writes its length.
        unsafe { (*self.header.as_ptr()).len }
    }

    fn owners(&self) -> &AtomicUsize {
        // SAFETY: the header is initialised and lives as long as this owner.
        unsafe { &(*self.header.as_ptr()).owners }
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[T] {
        // SAFETY: `len` elements are initialised, and they are only written through `get_mut`,
        // which borrows the one owner there is.
        unsafe { core::slice::from_raw_parts(Self::first(self.header).as_ptr(), self.len()) }
    }

    /// The elements for writing, if this is the only owner.
    #[inline]
    pub(crate) fn get_mut(&mut self) -> Option<&mut [T]> {
        // Pairs with the release of an owner that went away: what it read, it has read.
        if self.owners().load(Ordering::Acquire) != 1 {
            return None;
        }
        // SAFETY: there is one owner, and it is borrowed mutably for as long as the slice lives;
        // a new owner could only come from it.
        Some(unsafe {
            core::slice::from_raw_parts_mut(Self::first(self.header).as_ptr(), self.len())
        })
    }
}

impl<T: Element> Buffer<T> {
    /// `len` elements that `fill` writes.
    ///
    /// # Safety
    ///
    /// `fill` must write every element of the slice that it is given.
    #[inline]
    pub(crate) unsafe fn build(len: usize, fill: impl FnOnce(&mut [MaybeUninit<T>])) -> Self {
        /// Frees memory whose elements are not written yet, should `fill` panic.
        struct Unfinished<T>(Buffer<MaybeUninit<T>>);

        let (header, _) = Self::allocate(len);
        let unfinished = Unfinished::<T>(Buffer { header, elements: PhantomData });
        // SAFETY: the memory behind the header holds `len` elements, which need no initialisation
        // as `MaybeUninit`; nobody else knows of it.
        fill(unsafe {
            core::slice::from_raw_parts_mut(
                Buffer::<MaybeUninit<T>>::first(unfinished.0.header).as_ptr(),
                len,
            )
        });
        core::mem::forget(unfinished);
        // All elements are written, as the caller promises.
        Self { header, elements: PhantomData }
    }

    /// `len` times zero.
    pub(crate) fn zeros(len: usize) -> Self {
        let (header, is_zero) = Self::allocate(len);
        if !is_zero {
            // SAFETY: there is room for `len` elements. Zero is all bits zero for every type of
            // elements: `Element` is sealed.
            unsafe { Self::first(header).write_bytes(0, len) };
        }
        Self { header, elements: PhantomData }
    }
}

impl<T> Clone for Buffer<T> {
    #[inline]
    fn clone(&self) -> Self {
        // More owners than half the address space can only come from leaking them in a loop.
        if self.owners().fetch_add(1, Ordering::Relaxed) > usize::MAX / 2 {
            std::process::abort();
        }
        Self { header: self.header, elements: PhantomData }
    }
}

impl<T> Drop for Buffer<T> {
    #[inline]
    fn drop(&mut self) {
        // A single owner cannot lose that state to another thread: no locked instruction needed.
        let last = self.owners().load(Ordering::Acquire) == 1
            || self.owners().fetch_sub(1, Ordering::Release) == 1;
        if last {
            fence(Ordering::Acquire);
            // SAFETY: the elements begin behind the header, they are those of a block, and this was
            // its last owner. The elements are `Copy` or `MaybeUninit` and need no drop.
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
            // SAFETY: `fill` does not return.
            unsafe { Buffer::<u8>::build(100, |_| panic!("stop")) }
        };
        assert!(std::panic::catch_unwind(fill).is_err());
    }
}
