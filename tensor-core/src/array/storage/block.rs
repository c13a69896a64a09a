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
const FRONT: usize = 2 * LINE;
/// Minimum alignment of elements.
const LEAST: usize = 16;
/// Bytes before the elements that the owner of the block may use,
pub(super) const ROOM: usize = 16;
/// and how far before the elements they start.
pub(super) const ROOM_BEFORE: usize = FRONT - LINE + ROOM;

/// From this size on, elements are aligned to a cache line. Below, extra alignment costs more in the
/// allocator than it saves.
pub(super) const BEGINS_A_LINE: usize = 1 << 10;
const PAGE: usize = 4096;
const HUGE_PAGE: usize = 2 << 20;

/// From this size on, elements are aligned to a page, at the cost of one page before them.
const BEGINS_A_PAGE: usize = 32 << 10;
/// Above this size, elements have their own mapping, which is unmapped on drop: allocators keep freed
/// memory, per thread.
pub(super) const MOST_ALLOCATED: usize = 128 << 10;
/// From this size on, elements are in huge pages where the system has them.
const IS_HUGE: usize = 2 << 20;

/// Owned memory for elements, with `ROOM` bytes for the owner `ROOM_BEFORE` bytes before them.
///
/// Invariant: the pointer is to the elements, aligned to `LEAST`. `FRONT` bytes before it is a
/// `Record`; the block owns the memory from there to `record.capacity` bytes after the pointer.
pub(super) struct Block(NonNull<u8>);

/// Metadata, stored in the block's own memory so that a block is one pointer: moving three words in
/// and out of a cache takes as long as the allocator.
struct Record {
    capacity: usize,
    memory: Memory,
    kept: Kept,
    /// The next block in a thread cache's free list.
    next: Option<Block>,
}

/// Which [`cache`](super::cache) takes a freed block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    /// None: freed at once.
    Not,
    /// The thread cache, in the size class with this index.
    ByThread(u8),
    /// The central cache.
    ForAll,
}

enum Memory {
    Allocated(Layout),
    Mapped(MmapMut),
}

const _: () = assert!(size_of::<Record>() + ROOM_BEFORE <= FRONT && align_of::<Record>() <= LEAST);
const _: () = assert!(ROOM <= ROOM_BEFORE && ROOM_BEFORE.is_multiple_of(LEAST));

// SAFETY: a block is the only owner of its memory, which is not tied to a thread.
unsafe impl Send for Block {}

impl Block {
    /// New memory; `None` if out of memory.
    #[inline]
    pub(super) fn new(capacity: usize, kept: Kept) -> Option<Self> {
        if capacity > MOST_ALLOCATED
            && let Some(mapped) = Self::mapped(capacity, kept)
        {
            return Some(mapped);
        }
        Self::allocated(capacity, kept)
    }

    /// Offset of the elements in allocated memory, and its alignment.
    #[inline]
    fn start(capacity: usize) -> (usize, usize) {
        match capacity {
            ..BEGINS_A_LINE => (FRONT, LEAST),
            BEGINS_A_LINE..PAGE => (FRONT, LINE),
            // A page before these is too much. They start at the same offset within a page.
            PAGE..BEGINS_A_PAGE => (FRONT, PAGE),
            BEGINS_A_PAGE.. => (PAGE, PAGE),
        }
    }

    #[inline]
    fn allocated(capacity: usize, kept: Kept) -> Option<Self> {
        let (front, alignment) = Self::start(capacity);
        let layout = Layout::from_size_align(front.checked_add(capacity)?, alignment).ok()?;
        // SAFETY: the layout is not empty: its size is at least `front`.
        let start = NonNull::new(unsafe { alloc(layout) })?;
        let record = Record { capacity, memory: Memory::Allocated(layout), kept, next: None };
        // SAFETY: the allocation has `front + capacity` bytes with `front ≥ FRONT`; the start is
        // aligned to `LEAST`, and `front` is a multiple of it.
        Some(unsafe { Self::with_record(start.add(front), record) })
    }

    #[cold]
    fn mapped(capacity: usize, kept: Kept) -> Option<Self> {
        let alignment = if capacity >= IS_HUGE { HUGE_PAGE } else { PAGE };
        let mut mapping =
            MmapOptions::new().len(capacity.checked_add(alignment)?).map_anon().ok()?;
        let start = mapping.as_mut_ptr();
        // Between `FRONT` and `alignment` bytes, because a mapping is page-aligned.
        let front = FRONT + start.wrapping_add(FRONT).align_offset(alignment);
        if front > alignment {
            return None;
        }
        #[cfg(target_os = "linux")]
        if capacity >= IS_HUGE {
            // Best effort: without huge pages, small ones serve.
            let _ = mapping.advise_range(memmap2::Advice::HugePage, front, capacity);
        }
        // SAFETY: the mapping has `alignment + capacity` bytes, and `FRONT ≤ front ≤ alignment`.
        unsafe {
            let elements = NonNull::new(start.add(front))?;
            let record = Record { capacity, memory: Memory::Mapped(mapping), kept, next: None };
            Some(Self::with_record(elements, record))
        }
    }

    /// A block with this record.
    ///
    /// # Safety
    ///
    /// `elements` is aligned to `LEAST`, and `record.memory` owns the memory from `FRONT` bytes before
    /// it to `record.capacity` bytes after it.
    #[inline]
    unsafe fn with_record(elements: NonNull<u8>, record: Record) -> Self {
        // SAFETY: a record fits, by the assertion above.
        unsafe { elements.sub(FRONT).cast().write(record) };
        Self(elements)
    }

    #[inline]
    fn record(&self) -> &Record {
        // SAFETY: a record is there by the invariant; writing it needs `&mut self`.
        unsafe { self.0.sub(FRONT).cast().as_ref() }
    }

    /// Whether new memory is zeroed.
    pub(super) fn is_zero_when_new(&self) -> bool {
        matches!(self.record().memory, Memory::Mapped(_))
    }

    /// The next block in the free list that starts with this one.
    #[inline]
    pub(super) fn next(&mut self) -> &mut Option<Block> {
        // SAFETY: a record is there by the invariant; `&mut self` makes the borrow exclusive.
        unsafe { &mut (*self.0.sub(FRONT).cast::<Record>().as_ptr()).next }
    }

    /// Which cache takes it when it is freed.
    #[inline]
    pub(super) fn kept(&self) -> Kept {
        self.record().kept
    }

    /// Bytes for elements.
    #[inline]
    pub(super) fn capacity(&self) -> usize {
        self.record().capacity
    }

    /// Pointer to the elements: the caller owns `capacity` bytes from here and `ROOM` bytes before
    /// them, and frees them by [`Block::from_elements`].
    #[inline]
    pub(super) fn into_elements(self) -> NonNull<u8> {
        ManuallyDrop::new(self).0
    }

    /// The block with these elements.
    ///
    /// # Safety
    ///
    /// The pointer comes from [`Block::into_elements`] and is passed here once.
    #[inline]
    pub(super) unsafe fn from_elements(elements: NonNull<u8>) -> Self {
        Self(elements)
    }
}

impl Drop for Block {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: a record is there by the invariant; it is moved out and not read again.
        let record = unsafe { self.0.sub(FRONT).cast::<Record>().read() };
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
    use super::{Block, FRONT, HUGE_PAGE, Kept, LEAST, LINE, PAGE, ROOM, ROOM_BEFORE};

    #[test]
    fn elements_begin_where_the_processor_likes_it() {
        let blocks = [1, 64, 1024, 4095, 4096, 32 << 10, 1 << 20, 2 << 20, 5 << 20]
            .map(|capacity| (capacity, Block::new(capacity, Kept::Not).unwrap()));
        for (capacity, block) in &blocks {
            let place = block.0.as_ptr() as usize;
            match capacity {
                ..1024 => assert_eq!(place % LEAST, 0),
                1024..4096 => assert_eq!(place % LINE, 0),
                4096..0x8000 => assert_eq!(place % PAGE, FRONT),
                0x8000..0x20_0000 => assert_eq!(place % PAGE, 0),
                _ => assert_eq!(place % HUGE_PAGE, 0),
            }
            assert_eq!(block.capacity(), *capacity);
        }
    }

    #[test]
    fn all_of_a_block_can_be_written() {
        for capacity in [1, 4096, 1 << 15, 1 << 20, (2 << 20) + 1] {
            let elements = Block::new(capacity, Kept::Not).unwrap().into_elements();
            // SAFETY: the owner may write `ROOM` bytes before the elements and `capacity` from there.
            unsafe {
                elements.sub(ROOM_BEFORE).write_bytes(7, ROOM);
                elements.write_bytes(7, capacity);
                drop(Block::from_elements(elements));
            }
        }
    }

    #[test]
    fn more_than_there_is_is_none() {
        assert!(Block::new(usize::MAX / 2, Kept::Not).is_none());
        assert!(Block::new(usize::MAX, Kept::Not).is_none());
    }
}
