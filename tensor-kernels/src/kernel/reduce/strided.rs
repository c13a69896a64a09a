//! Gather and scatter of elements and accumulators between strided and contiguous memory, by size.

use core::mem::MaybeUninit;

use crate::plan::Loop;

/// Calls `$f::<Bits>` for the integer type of a size in bytes.
macro_rules! by_size {
    ($size:expr, $f:ident($($argument:expr),*)) => {
        match $size {
            1 => $f::<u8>($($argument),*),
            2 => $f::<u16>($($argument),*),
            4 => $f::<u32>($($argument),*),
            8 => $f::<u64>($($argument),*),
            16 => $f::<[u64; 2]>($($argument),*),
            32 => $f::<[u64; 4]>($($argument),*),
            size => unreachable!("no element or accumulator has {size} bytes"),
        }
    };
}

/// Copies `count` elements that are `stride` elements apart to contiguous memory.
///
/// # Safety
///
/// There are `count` initialised elements of `size` bytes, and room for them, which does not overlap.
pub(crate) unsafe fn gather(
    size: usize,
    from: *const u8,
    stride: isize,
    to: *mut u8,
    count: usize,
) {
    // SAFETY: the caller promises the elements and the room.
    unsafe { by_size!(size, copy((from, stride), (to, 1), count)) }
}

/// Copies `count` contiguous elements to memory where they are `stride` elements apart.
///
/// # Safety
///
/// There are `count` initialised elements of `size` bytes, and room for them, which does not overlap.
pub(crate) unsafe fn scatter(
    size: usize,
    from: *const u8,
    to: *mut u8,
    stride: isize,
    count: usize,
) {
    // SAFETY: the caller promises the elements and the room.
    unsafe { by_size!(size, copy((from, 1), (to, stride), count)) }
}

/// # Safety
///
/// As for [`gather`], with strides on both sides.
unsafe fn copy<B: Copy>(
    (from, from_stride): (*const u8, isize),
    (to, to_stride): (*mut u8, isize),
    count: usize,
) {
    let (from, to) = (from.cast::<B>(), to.cast::<B>());
    for index in 0..count as isize {
        // SAFETY: the caller promises the elements and room for them. Their type may need less
        // alignment than these bits.
        unsafe {
            let element = from.offset(index * from_stride).read_unaligned();
            to.offset(index * to_stride).write_unaligned(element);
        }
    }
}

/// The number of elements that are packed at a time.
pub(crate) const CHUNK: usize = 256;

/// Strided elements that are packed, to be reduced together.
pub(crate) struct StridedChunk {
    elements: [MaybeUninit<u64>; CHUNK],
    /// The size of an element, in bytes.
    size: usize,
    len: usize,
}

impl StridedChunk {
    pub(crate) fn new(size: usize) -> Self {
        assert!(size <= 8, "an element fits into its room");
        Self { elements: [MaybeUninit::uninit(); CHUNK], size, len: 0 }
    }

    /// Takes the elements and their number; the chunk is empty afterwards.
    pub(crate) fn take(&mut self) -> (*const u8, usize) {
        (self.elements.as_ptr().cast(), core::mem::take(&mut self.len))
    }

    /// Appends the elements of a loop, and calls `full` whenever there are [`CHUNK`] elements.
    ///
    /// # Safety
    ///
    /// The loop leads from `start` to initialised elements of this size.
    pub(crate) unsafe fn pack(
        &mut self,
        start: *const u8,
        steps: Loop<1>,
        full: &mut dyn FnMut(*const u8, usize),
    ) {
        let [stride] = steps.strides;
        let mut done = 0;
        while done < steps.size {
            let count = (CHUNK - self.len).min(steps.size - done);
            let from = start.wrapping_offset(done as isize * stride * self.size as isize);
            // SAFETY: the elements exist, as the caller promises, and the chunk has room for them.
            unsafe {
                let to = self.elements.as_mut_ptr().cast::<u8>().add(self.len * self.size);
                gather(self.size, from, stride, to, count);
            }
            self.len += count;
            done += count;
            if self.len == CHUNK {
                let (elements, len) = self.take();
                full(elements, len);
            }
        }
    }
}
