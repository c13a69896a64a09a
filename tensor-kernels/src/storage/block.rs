//! Aligned memory for the elements of one tensor, from the allocator or from `mmap`.
//!
//! Alignment matters: an addition of 1,024 floats takes half as long again when the result starts
//! about 64 bytes further into its page than an operand (4K aliasing: the processor compares the low
//! twelve bits of addresses to detect a load that depends on a store), and vectors that cross a cache
//! line cost as much (benchmark `memory`). So elements are aligned to a cache line, larger ones to a
//! page.

use core::mem::ManuallyDrop;
use core::ptr::NonNull;
use std::alloc::{Layout, alloc, dealloc};

use memmap2::{MmapMut, MmapOptions};

const LINE: usize = 64;
/// Bytes before the elements: one cache line for the header, one unused. Without the unused line,
/// reading the header of a block of some pages aliases with pending stores to its last elements.
const PREFIX_BYTES: usize = 2 * LINE;
/// Minimum alignment of elements.
const MIN_ALIGN: usize = 16;
/// The number of bytes before the elements that the owner of the block may use.
pub(super) const HEADER_BYTES: usize = 16;
/// The distance of their start from the elements.
pub(super) const HEADER_OFFSET: usize = PREFIX_BYTES - LINE + HEADER_BYTES;

/// From this size on, elements are aligned to a cache line. Below, extra alignment costs more in the
/// allocator than it saves.
pub(super) const LINE_ALIGNED_FROM: usize = 1 << 10;
const PAGE: usize = 4096;
const HUGE_PAGE: usize = 2 << 20;

/// From this size on, elements are aligned to a page, at the cost of one page before them.
const PAGE_ALIGNED_FROM: usize = 32 << 10;
/// Above this size, elements have their own mapping, which is unmapped on drop: allocators keep freed
/// memory, per thread.
pub(super) const MMAP_THRESHOLD: usize = 128 << 10;
/// From this size on, elements are in huge pages where the system has them.
const HUGE_PAGE_FROM: usize = 2 << 20;

/// Owned memory for elements, with `HEADER_BYTES` bytes for the owner `HEADER_OFFSET` bytes before them.
///
/// Invariant: the pointer is to the elements, aligned to `MIN_ALIGN`. `PREFIX_BYTES` bytes before it is a
/// `BlockHeader`; the block owns the memory from there to `record.capacity` bytes after the pointer.
pub(super) struct MemoryBlock(NonNull<u8>);

/// Metadata, stored in the block's own memory so that a block is one pointer: moving three words in
/// and out of a cache takes as long as the allocator.
struct BlockHeader {
    capacity: usize,
    memory: Memory,
    cache_class: CacheClass,
    /// The next block in a thread cache's free list.
    next: Option<MemoryBlock>,
}

/// The [`cache`](super::cache) that takes a freed block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CacheClass {
    /// None: freed at once.
    Uncached,
    /// The thread cache, in the size class with this index.
    Thread(u8),
    /// The central cache.
    Central,
}

enum Memory {
    Allocated(Layout),
    Mapped(MmapMut),
}

const _: () = assert!(
    size_of::<BlockHeader>() + HEADER_OFFSET <= PREFIX_BYTES
        && align_of::<BlockHeader>() <= MIN_ALIGN
);
const _: () = assert!(HEADER_BYTES <= HEADER_OFFSET && HEADER_OFFSET.is_multiple_of(MIN_ALIGN));

// SAFETY: a block is the only owner of its memory, which is not tied to a thread.
unsafe impl Send for MemoryBlock {}

impl MemoryBlock {
    /// New memory; `None` if out of memory.
    #[inline]
    pub(super) fn new(capacity: usize, cache_class: CacheClass) -> Option<Self> {
        if capacity > MMAP_THRESHOLD
            && let Some(mapped) = Self::mapped(capacity, cache_class)
        {
            return Some(mapped);
        }
        Self::allocated(capacity, cache_class)
    }

    /// Offset of the elements in allocated memory, and its alignment.
    #[inline]
    fn start(capacity: usize) -> (usize, usize) {
        match capacity {
            ..LINE_ALIGNED_FROM => (PREFIX_BYTES, MIN_ALIGN),
            LINE_ALIGNED_FROM..PAGE => (PREFIX_BYTES, LINE),
            // A page before these is too much. They start at the same offset within a page.
            PAGE..PAGE_ALIGNED_FROM => (PREFIX_BYTES, PAGE),
            PAGE_ALIGNED_FROM.. => (PAGE, PAGE),
        }
    }

    #[inline]
    fn allocated(capacity: usize, cache_class: CacheClass) -> Option<Self> {
        let (front, alignment) = Self::start(capacity);
        let layout = Layout::from_size_align(front.checked_add(capacity)?, alignment).ok()?;
        // SAFETY: the layout is not empty: its size is at least `front`.
        let start = NonNull::new(unsafe { alloc(layout) })?;
        let record =
            BlockHeader { capacity, memory: Memory::Allocated(layout), cache_class, next: None };
        // SAFETY: the allocation has `front + capacity` bytes with `front ≥ PREFIX_BYTES`; the start is
        // aligned to `MIN_ALIGN`, and `front` is a multiple of it.
        Some(unsafe { Self::with_record(start.add(front), record) })
    }

    #[cold]
    fn mapped(capacity: usize, cache_class: CacheClass) -> Option<Self> {
        let alignment = if capacity >= HUGE_PAGE_FROM { HUGE_PAGE } else { PAGE };
        let mut mapping =
            MmapOptions::new().len(capacity.checked_add(alignment)?).map_anon().ok()?;
        let start = mapping.as_mut_ptr();
        // Between `PREFIX_BYTES` and `alignment` bytes, because a mapping is page-aligned.
        let front = PREFIX_BYTES + start.wrapping_add(PREFIX_BYTES).align_offset(alignment);
        if front > alignment {
            return None;
        }
        #[cfg(target_os = "linux")]
        if capacity >= HUGE_PAGE_FROM {
            // Best effort: without huge pages, small ones serve.
            let _ = mapping.advise_range(memmap2::Advice::HugePage, front, capacity);
        }
        // SAFETY: the mapping has `alignment + capacity` bytes, and `PREFIX_BYTES ≤ front ≤ alignment`.
        unsafe {
            let elements = NonNull::new(start.add(front))?;
            let record =
                BlockHeader { capacity, memory: Memory::Mapped(mapping), cache_class, next: None };
            Some(Self::with_record(elements, record))
        }
    }

    /// A block with this record.
    ///
    /// # Safety
    ///
    /// `elements` is aligned to `MIN_ALIGN`, and `record.memory` owns the memory from `PREFIX_BYTES` bytes before
    /// it to `record.capacity` bytes after it.
    #[inline]
    unsafe fn with_record(elements: NonNull<u8>, record: BlockHeader) -> Self {
        // SAFETY: a record fits, by the assertion above.
        unsafe { elements.sub(PREFIX_BYTES).cast().write(record) };
        Self(elements)
    }

    #[inline]
    fn record(&self) -> &BlockHeader {
        // SAFETY: a record is there by the invariant; writing it needs `&mut self`.
        unsafe { self.0.sub(PREFIX_BYTES).cast().as_ref() }
    }

    /// Whether new memory is zeroed.
    pub(super) fn is_zero_when_new(&self) -> bool {
        matches!(self.record().memory, Memory::Mapped(_))
    }

    /// The next block in the free list that starts with this one.
    #[inline]
    pub(super) fn next(&mut self) -> &mut Option<MemoryBlock> {
        // SAFETY: a record is there by the invariant; `&mut self` makes the borrow exclusive.
        unsafe { &mut (*self.0.sub(PREFIX_BYTES).cast::<BlockHeader>().as_ptr()).next }
    }

    /// The cache that takes the block when it is freed.
    #[inline]
    pub(super) fn cache_class(&self) -> CacheClass {
        self.record().cache_class
    }

    /// Bytes for elements.
    #[inline]
    pub(super) fn capacity(&self) -> usize {
        self.record().capacity
    }

    /// Pointer to the elements: the caller owns `capacity` bytes from here and `HEADER_BYTES` bytes before
    /// them, and frees them by [`MemoryBlock::from_elements`].
    #[inline]
    pub(super) fn into_elements(self) -> NonNull<u8> {
        ManuallyDrop::new(self).0
    }

    /// The block with these elements.
    ///
    /// # Safety
    ///
    /// The pointer comes from [`MemoryBlock::into_elements`] and is passed here once.
    #[inline]
    pub(super) unsafe fn from_elements(elements: NonNull<u8>) -> Self {
        Self(elements)
    }
}

impl Drop for MemoryBlock {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: a record is there by the invariant; it is moved out and not read again.
        let record = unsafe { self.0.sub(PREFIX_BYTES).cast::<BlockHeader>().read() };
        match record.memory {
            Memory::Allocated(layout) => {
                let (front, _) = Self::start(record.capacity);
                // SAFETY: `allocated` allocated with this layout, `front` bytes before the elements.
                unsafe { dealloc(self.0.sub(front).as_ptr(), layout) };
            }
            Memory::Mapped(mapping) => drop(mapping),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{
        CacheClass, HEADER_BYTES, HEADER_OFFSET, HUGE_PAGE, LINE, MIN_ALIGN, MemoryBlock, PAGE,
        PREFIX_BYTES,
    };

    #[test]
    fn elements_begin_where_the_processor_likes_it() {
        let blocks = [1, 64, 1024, 4095, 4096, 32 << 10, 1 << 20, 2 << 20, 5 << 20]
            .map(|capacity| (capacity, MemoryBlock::new(capacity, CacheClass::Uncached).unwrap()));
        for (capacity, block) in &blocks {
            let position = block.0.as_ptr() as usize;
            match capacity {
                ..1024 => assert_eq!(position % MIN_ALIGN, 0),
                1024..4096 => assert_eq!(position % LINE, 0),
                4096..0x8000 => assert_eq!(position % PAGE, PREFIX_BYTES),
                0x8000..0x20_0000 => assert_eq!(position % PAGE, 0),
                _ => assert_eq!(position % HUGE_PAGE, 0),
            }
            assert_eq!(block.capacity(), *capacity);
        }
    }

    #[test]
    fn all_of_a_block_can_be_written() {
        for capacity in [1, 4096, 1 << 15, 1 << 20, (2 << 20) + 1] {
            let elements =
                MemoryBlock::new(capacity, CacheClass::Uncached).unwrap().into_elements();
            // SAFETY: the owner may write `HEADER_BYTES` bytes before the elements and `capacity` from there.
            unsafe {
                elements.sub(HEADER_OFFSET).write_bytes(7, HEADER_BYTES);
                elements.write_bytes(7, capacity);
                drop(MemoryBlock::from_elements(elements));
            }
        }
    }

    #[test]
    fn more_than_there_is_is_none() {
        assert!(MemoryBlock::new(usize::MAX / 2, CacheClass::Uncached).is_none());
        assert!(MemoryBlock::new(usize::MAX, CacheClass::Uncached).is_none());
    }
}
