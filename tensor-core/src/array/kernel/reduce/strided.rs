//! Elements and accumulators from strided places to contiguous ones and back, by their size.

use core::mem::MaybeUninit;

use crate::array::plan::Loop;

/// Calls `$f::<Bits>` for the bits of an element or an accumulator of a size in bytes.
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

/// Writes `count` elements, `stride` elements apart, next to each other.
///
/// # Safety
///
/// They are initialised elements of `size` bytes, and there is room that they do not overlap.
pub(crate) unsafe fn gather(
    size: usize,
    from: *const u8,
    stride: isize,
    to: *mut u8,
    count: usize,
) {
    // SAFETY: the caller keeps the contract.
    unsafe { by_size!(size, copy((from, stride), (to, 1), count)) }
}

/// Writes `count` elements that lie next to each other `stride` elements apart.
///
/// # Safety
///
/// They are initialised elements of `size` bytes, and there is room that they do not overlap.
pub(crate) unsafe fn scatter(
    size: usize,
    from: *const u8,
    to: *mut u8,
    stride: isize,
    count: usize,
) {
    // SAFETY: the caller keeps the contract.
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
        // SAFETY: these are elements that there are, and room for them. Their type may need less
        // alignment than these bits.
        unsafe {
            let element = from.offset(index * from_stride).read_unaligned();
            to.offset(index * to_stride).write_unaligned(element);
        }
    }
}

/// How many elements are packed at a time.
pub(crate) const CHUNK: usize = 256;

/// Strided elements, packed to be reduced together.
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

    /// The elements, and how many there are; afterwards there is none.
    pub(crate) fn take(&mut self) -> (*const u8, usize) {
        (self.elements.as_ptr().cast(), core::mem::take(&mut self.len))
    }

    /// Adds the elements of a loop, and calls `full` with [`CHUNK`] elements whenever there are.
    ///
    /// # Safety
    ///
    /// There are initialised elements of this size where the loop leads from `start`.
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
            // SAFETY: the elements are there, as the caller promises, and so is the room.
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
