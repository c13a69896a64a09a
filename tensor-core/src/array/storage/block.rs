//! Memory for the elements of one tensor, from the allocator or from the system.
//!
//! Where the elements begin matters: additions of 1,024 floats take half as long again when the
//! result begins some 64 bytes further into its page than an operand, because the processor compares
//! the low twelve bits of addresses to see whether a load waits for a store; and vectors that cross
//! the border of two cache lines cost as much (benchmark `memory`). So elements begin a cache line,
//! and those of larger tensors a page.

use core::mem::ManuallyDrop;
use core::ptr::NonNull;
use std::alloc::{Layout, alloc, dealloc};

use memmap2::{MmapMut, MmapOptions};

const LINE: usize = 64;
/// What a block has in front of its elements: a cache line for what is known of them, and an unused
/// one. Without that, what is read of a block of some pages would be taken for a part of its last
/// elements, which the processor has still to write.
const FRONT: usize = 2 * LINE;
/// The least alignment of elements.
const LEAST: usize = 16;
/// How much of that is for whoever has the block,
pub(super) const ROOM: usize = 16;
/// and how far before the elements it begins.
pub(super) const ROOM_BEFORE: usize = FRONT - LINE + ROOM;

/// Elements of fewer bytes begin anywhere: allocators are quick with so little, and slower when they
/// are asked for more alignment than they have anyway.
pub(super) const BEGINS_A_LINE: usize = 1 << 10;
const PAGE: usize = 4096;
const HUGE_PAGE: usize = 2 << 20;

/// Elements of as many bytes begin a page, and a page in front of them is spent on it.
const BEGINS_A_PAGE: usize = 32 << 10;
/// Elements of more bytes have a mapping of their own, which goes back to the system as soon as it is
/// dropped: allocators keep it, and those of many threads keep much.
pub(super) const MOST_ALLOCATED: usize = 128 << 10;
/// Elements of as many bytes lie in huge pages, if the system has some.
const IS_HUGE: usize = 2 << 20;

/// Owned memory for elements, and `ROOM` bytes, `ROOM_BEFORE` bytes before them.
///
/// Invariant: the pointer is to the elements, aligned to `LEAST`. `FRONT` bytes before it is a
/// `Record`, and from there on the memory belongs to this block alone, up to `record.capacity`
/// bytes behind the pointer.
pub(super) struct Block(NonNull<u8>);

/// What a block knows of itself. It is kept in the block's own memory, so that a block is one
/// pointer: moving three words in and out of a cache takes as long as the allocator does.
struct Record {
    capacity: usize,
    memory: Memory,
    kept: Kept,
    /// The next block in the list of a thread that keeps this one.
    next: Option<Block>,
}

/// What becomes of a block that nobody uses any more: see [`cache`](super::cache).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    /// It goes back where it came from.
    Not,
    /// The thread keeps it, among those of the size with this number.
    ByThread(u8),
    /// It is kept for all threads.
    ForAll,
}

enum Memory {
    Allocated(Layout),
    Mapped(MmapMut),
}

const _: () = assert!(size_of::<Record>() + ROOM_BEFORE <= FRONT && align_of::<Record>() <= LEAST);
const _: () = assert!(ROOM <= ROOM_BEFORE && ROOM_BEFORE.is_multiple_of(LEAST));

// SAFETY: a block is the only owner of its memory, and has no ties to a thread.
unsafe impl Send for Block {}

impl Block {
    /// New memory, unless there is none.
    #[inline]
    pub(super) fn new(capacity: usize, kept: Kept) -> Option<Self> {
        if capacity > MOST_ALLOCATED
            && let Some(mapped) = Self::mapped(capacity, kept)
        {
            return Some(mapped);
        }
        Self::allocated(capacity, kept)
    }

    /// How far behind the start of allocated memory the elements are, and its alignment.
    #[inline]
    fn start(capacity: usize) -> (usize, usize) {
        match capacity {
            ..BEGINS_A_LINE => (FRONT, LEAST),
            BEGINS_A_LINE..PAGE => (FRONT, LINE),
            // A page in front of these would be too much. They begin at the same place of a page.
            PAGE..BEGINS_A_PAGE => (FRONT, PAGE),
            BEGINS_A_PAGE.. => (PAGE, PAGE),
        }
    }

    #[inline]
    fn allocated(capacity: usize, kept: Kept) -> Option<Self> {
        let (front, alignment) = Self::start(capacity);
        let layout = Layout::from_size_align(front.checked_add(capacity)?, alignment).ok()?;
        // SAFETY: the layout has the size of the front at least.
        let start = NonNull::new(unsafe { alloc(layout) })?;
        let record = Record { capacity, memory: Memory::Allocated(layout), kept, next: None };
        // SAFETY: the allocation has `front` bytes, `FRONT` or more, and then `capacity` more;
        // the start is aligned to `LEAST`, and `front` is a multiple of it.
        Some(unsafe { Self::with_record(start.add(front), record) })
    }

    #[cold]
    fn mapped(capacity: usize, kept: Kept) -> Option<Self> {
        let alignment = if capacity >= IS_HUGE { HUGE_PAGE } else { PAGE };
        let mut mapping =
            MmapOptions::new().len(capacity.checked_add(alignment)?).map_anon().ok()?;
        let start = mapping.as_mut_ptr();
        // At least `FRONT` and at most `alignment` bytes, because a mapping begins a page.
        let front = FRONT + start.wrapping_add(FRONT).align_offset(alignment);
        if front > alignment {
            return None;
        }
        #[cfg(target_os = "linux")]
        if capacity >= IS_HUGE {
            // A system without huge pages refuses, and small ones do.
            let _ = mapping.advise_range(memmap2::Advice::HugePage, front, capacity);
        }
        // SAFETY: the mapping has `alignment + capacity` bytes, and `front` is not more than
        // `alignment` and not less than `FRONT`.
        unsafe {
            let elements = NonNull::new(start.add(front))?;
            let record = Record { capacity, memory: Memory::Mapped(mapping), kept, next: None };
            Some(Self::with_record(elements, record))
        }
    }

    /// The block with this record.
    ///
    /// # Safety
    ///
    /// `elements` is aligned to `LEAST`, and the memory from `FRONT` bytes before it to
    /// `record.capacity` bytes behind it is that of `record.memory`.
    #[inline]
    unsafe fn with_record(elements: NonNull<u8>, record: Record) -> Self {
        // SAFETY: there is room for a record, by the assertion above.
        unsafe { elements.sub(FRONT).cast().write(record) };
        Self(elements)
    }

    #[inline]
    fn record(&self) -> &Record {
        // SAFETY: by the invariant; nobody writes it while there is the block.
        unsafe { self.0.sub(FRONT).cast().as_ref() }
    }

    /// Whether nothing but zero has been written where the elements of new memory are.
    pub(super) fn is_zero_when_new(&self) -> bool {
        matches!(self.record().memory, Memory::Mapped(_))
    }

    /// The next block in a list that begins with this one.
    #[inline]
    pub(super) fn next(&mut self) -> &mut Option<Block> {
        // SAFETY: by the invariant there is a record, which this borrow of the block keeps for itself.
        unsafe { &mut (*self.0.sub(FRONT).cast::<Record>().as_ptr()).next }
    }

    /// What becomes of it when nobody uses it any more.
    #[inline]
    pub(super) fn kept(&self) -> Kept {
        self.record().kept
    }

    /// How many bytes there are for elements.
    #[inline]
    pub(super) fn capacity(&self) -> usize {
        self.record().capacity
    }

    /// The first byte for elements: `capacity` bytes from here and the room before them are for
    /// whoever owns the block. To be made a block again by [`Block::from_elements`].
    #[inline]
    pub(super) fn into_elements(self) -> NonNull<u8> {
        ManuallyDrop::new(self).0
    }

    /// The block with these elements.
    ///
    /// # Safety
    ///
    /// The pointer comes from [`Block::into_elements`], and is given back once.
    #[inline]
    pub(super) unsafe fn from_elements(elements: NonNull<u8>) -> Self {
        Self(elements)
    }
}

impl Drop for Block {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: by the invariant there is a record, and nobody reads it again: it is moved out of
        // the memory that it owns.
        let record = unsafe { self.0.sub(FRONT).cast::<Record>().read() };
        match record.memory {
            Memory::Allocated(layout) => {
                let (front, _) = Self::start(record.capacity);
                // SAFETY: `allocated` got the memory with this layout and went `front` bytes into it.
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
            // SAFETY: a block has room before its elements and `capacity` bytes for them.
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
