//! The definition of a normalisation: two statistics of a lane, and the result for each element.

use core::mem::MaybeUninit;

use crate::element::{Float, Isa};

/// The result for an element, given two statistics of its lane.
///
/// All of it is `#[inline(always)]`, so that it is compiled for the instruction set of its caller.
pub(crate) trait Normalization<T: Float>: Copy {
    /// The accumulators of the reduction that computes the statistics.
    type Accumulator: Copy;

    /// Whether AVX-512 pays: for exponentials.
    const AVX512: bool = false;

    fn new(isa: Isa) -> Self;

    /// The two statistics; the divisor is the number of elements less the correction.
    fn prepare(accumulator: Self::Accumulator, divisor: usize, epsilon: f64) -> [T; 2];

    /// The result for an element.
    fn apply(self, element: T, numbers: [T; 2]) -> T;
}

/// Adjacent rows, and the memory for their results.
#[derive(Clone, Copy)]
pub(crate) struct Mapped {
    pub from: *const u8,
    pub to: *mut u8,
    pub width: usize,
    pub count: usize,
}

impl Mapped {
    /// The elements and the memory for their results.
    ///
    /// # Safety
    ///
    /// Each row has elements of this type, and room for as many results, which do not overlap the elements.
    #[inline(always)]
    pub(super) unsafe fn typed<'a, T>(self) -> (&'a [T], &'a mut [MaybeUninit<T>]) {
        let len = self.width * self.count;
        // SAFETY: the caller promises that the rows and the room exist and do not overlap.
        unsafe {
            (
                core::slice::from_raw_parts(self.from.cast(), len),
                core::slice::from_raw_parts_mut(self.to.cast(), len),
            )
        }
    }
}
