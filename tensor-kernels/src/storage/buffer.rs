//! A reference-counted buffer, in one block of memory.
//!
//! `Arc<[T]>` would do the same, but supports weak references, which are not used here: creating,
//! checking and dropping one costs 35 ns more, a fifth of an addition of 1,024 floats (benchmark
//! `same_shape/1024`). Memory that has one owner is checked and freed here without a locked
//! instruction.

use core::any::TypeId;
use core::marker::PhantomData;
use core::mem::{ManuallyDrop, MaybeUninit};
use core::ptr::NonNull;
use core::sync::atomic::{AtomicUsize, Ordering, fence};
use std::alloc::{Layout, handle_alloc_error};

use super::block::{HEADER_BYTES, HEADER_OFFSET, MemoryBlock};
use super::{Plain, cache};

/// The header before the elements.
#[repr(C, align(16))]
struct BufferHeader {
    ref_count: AtomicUsize,
    len: usize,
}

const _: () = assert!(
    size_of::<BufferHeader>() == HEADER_BYTES && align_of::<BufferHeader>() == HEADER_BYTES
);

/// A type-erased buffer that several tensors may own; it is only written while there is one owner.
///
/// Invariants: `header` points to a `BufferHeader` in the prefix of a block, and
/// right after it is memory for `header.len` elements of one type; `header.ref_count` is the number of
/// buffers with this pointer, and whoever takes it to 0 frees the block. Elements are numbers and need
/// no drop.
pub struct RawBuffer {
    header: NonNull<BufferHeader>,
}

// SAFETY: only unsafe functions give access to the memory; the count of owners is atomic.
unsafe impl Send for RawBuffer {}
// SAFETY: as above.
unsafe impl Sync for RawBuffer {}

impl RawBuffer {
    /// Memory for `len` elements of this many bytes with its header written, and whether it is all zero.
    ///
    /// # Panics
    ///
    /// If it is larger than the address space.
    #[inline]
    fn allocate(len: usize, element_bytes: usize) -> (Self, bool) {
        let bytes = len.checked_mul(element_bytes);
        let layout =
            bytes.and_then(|bytes| Layout::from_size_align(bytes, align_of::<BufferHeader>()).ok());
        let Some(layout) = layout else { too_large(len, element_bytes) };
        let Some((block, is_zero)) = cache::acquire(layout.size()) else {
            handle_alloc_error(layout)
        };
        let elements = block.into_elements();
        // SAFETY: a block has `HEADER_BYTES` bytes at this offset, the size and alignment of a header.
        let header = unsafe { elements.sub(HEADER_OFFSET).cast::<BufferHeader>() };
        // SAFETY: as above; nothing else uses the block yet.
        unsafe { header.write(BufferHeader { ref_count: AtomicUsize::new(1), len }) };
        (Self { header }, is_zero)
    }

    /// Memory for `len` elements of this many bytes.
    ///
    /// # Panics
    ///
    /// If it is larger than the address space.
    #[inline]
    pub(crate) fn new_uninit(len: usize, element_bytes: usize) -> Self {
        Self::allocate(len, element_bytes).0
    }

    /// A pointer to the first element.
    #[inline]
    pub(crate) fn first(&self) -> NonNull<u8> {
        // SAFETY: this is where the elements are in the block; they need no more alignment than the header.
        unsafe { self.header.byte_add(HEADER_OFFSET).cast() }
    }

    #[inline]
    fn len(&self) -> usize {
        // SAFETY: the header is initialised and nobody writes its length.
        unsafe { (*self.header.as_ptr()).len }
    }

    #[inline]
    fn ref_count(&self) -> &AtomicUsize {
        // SAFETY: the header is initialised and lives as long as this owner.
        unsafe { &(*self.header.as_ptr()).ref_count }
    }
}

#[cold]
fn too_large(len: usize, element_bytes: usize) -> ! {
    panic!(
        "a tensor of {len} elements of {element_bytes} bytes does not fit into memory: it has more than \
         isize::MAX bytes"
    );
}

impl Clone for RawBuffer {
    #[inline]
    fn clone(&self) -> Self {
        // More owners than half the address space can only come from leaking them in a loop.
        if self.ref_count().fetch_add(1, Ordering::Relaxed) > usize::MAX / 2 {
            std::process::abort();
        }
        Self { header: self.header }
    }
}

impl Drop for RawBuffer {
    /// An outlined call, because it is part of dropping a tensor of any shape.
    #[inline(always)]
    fn drop(&mut self) {
        /// `extern "C"`: it does not unwind, so that no caller is prepared for that.
        #[inline(never)]
        extern "C" fn release(header: NonNull<BufferHeader>) {
            // Not dropped either, which would release the owner again.
            let buffer = ManuallyDrop::new(RawBuffer { header });
            // A single owner cannot lose that state to another thread: no locked instruction needed.
            let last = buffer.ref_count().load(Ordering::Acquire) == 1
                || buffer.ref_count().fetch_sub(1, Ordering::Release) == 1;
            if last {
                fence(Ordering::Acquire);
                // SAFETY: the elements start after the header, they are those of a block, and this was
                // its last owner. The elements are numbers and need no drop.
                cache::release(unsafe { MemoryBlock::from_elements(buffer.first()) });
            }
        }
        release(self.header);
    }
}

/// A typed buffer that several tensors may own; it is only written while there is one owner.
///
/// Invariant: the memory holds initialised elements of type `T`.
pub struct Buffer<T> {
    raw: RawBuffer,
    elements: PhantomData<T>,
}

impl<T> Clone for Buffer<T> {
    #[inline]
    fn clone(&self) -> Self {
        Self { raw: self.raw.clone(), elements: PhantomData }
    }
}

impl<T> Buffer<T> {
    /// The buffer with its element type.
    ///
    /// # Safety
    ///
    /// The elements are initialised and of type `T`.
    #[inline]
    pub unsafe fn from_raw(raw: RawBuffer) -> Self {
        const { assert!(align_of::<T>() <= align_of::<BufferHeader>()) };
        Self { raw, elements: PhantomData }
    }

    /// The buffer without its element type.
    #[inline]
    pub fn into_raw(self) -> RawBuffer {
        self.raw
    }

    #[inline]
    pub(crate) fn as_slice(&self) -> &[T] {
        // SAFETY: `len` elements are initialised, and they are only written through `get_mut`,
        // which borrows the only owner.
        unsafe { core::slice::from_raw_parts(self.raw.first().cast().as_ptr(), self.raw.len()) }
    }

    /// The elements for writing, if this is the only owner.
    #[inline]
    pub(crate) fn get_mut(&mut self) -> Option<&mut [T]> {
        // Pairs with the release of a former owner: its reads have completed.
        if self.raw.ref_count().load(Ordering::Acquire) != 1 {
            return None;
        }
        // SAFETY: there is one owner, and it is borrowed mutably for as long as the slice lives;
        // a new owner could only come from it.
        Some(unsafe {
            core::slice::from_raw_parts_mut(self.raw.first().cast().as_ptr(), self.raw.len())
        })
    }
}

/// A buffer with its element type as a value.
///
/// Invariant: the memory holds initialised elements of the type.
#[derive(Clone)]
pub struct ErasedBuffer {
    raw: RawBuffer,
    element: &'static TypeId,
}

impl ErasedBuffer {
    /// The buffer of a kernel.
    ///
    /// # Safety
    ///
    /// The elements are initialised, and have this type.
    pub unsafe fn from_raw(raw: RawBuffer, element: &'static TypeId) -> Self {
        Self { raw, element }
    }

    /// The buffer, if its elements have this type.
    pub fn typed<T: 'static>(self) -> Option<Buffer<T>> {
        // SAFETY: the elements are initialised, and of type `T`.
        (*self.element == TypeId::of::<T>()).then(|| unsafe { Buffer::from_raw(self.raw) })
    }
}

impl<T: 'static> Buffer<T> {
    /// The buffer with its element type as a value.
    pub fn erased(self) -> ErasedBuffer {
        ErasedBuffer { raw: self.raw, element: const { &TypeId::of::<T>() } }
    }
}

impl<T: Plain> Buffer<T> {
    /// A copy of the elements.
    #[inline(never)]
    pub fn from_slice(elements: &[T]) -> Self {
        let copy = |slots: &mut [MaybeUninit<T>]| {
            slots.write_copy_of_slice(elements);
        };
        // SAFETY: `copy` writes all elements.
        unsafe { Self::build(elements.len(), copy) }
    }

    /// `len` elements that `fill` writes.
    ///
    /// # Safety
    ///
    /// `fill` must write every element of the slice that it is passed.
    #[inline]
    pub(crate) unsafe fn build(len: usize, fill: impl FnOnce(&mut [MaybeUninit<T>])) -> Self {
        // If `fill` panics, the memory is freed.
        let raw = RawBuffer::new_uninit(len, size_of::<T>());
        // SAFETY: there is room for `len` elements, which need no initialisation as
        // `MaybeUninit`; nothing else has a pointer to it.
        fill(unsafe { core::slice::from_raw_parts_mut(raw.first().cast().as_ptr(), len) });
        // SAFETY: all elements are written, as the caller promises.
        unsafe { Self::from_raw(raw) }
    }

    /// `len` zeros.
    #[inline(never)]
    pub fn zeros(len: usize) -> Self {
        let (raw, is_zero) = RawBuffer::allocate(len, size_of::<T>());
        if !is_zero {
            // SAFETY: there is room for `len` elements.
            unsafe { raw.first().cast::<T>().write_bytes(0, len) };
        }
        // SAFETY: all bits zero are a value of the type, as its `Plain` promises.
        unsafe { Self::from_raw(raw) }
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
