//! What a normalisation is: two numbers about a line, and what they make of an element.

use core::mem::MaybeUninit;

use crate::element::{Float, Isa};

/// What an element becomes, by two numbers about its line.
///
/// All of it is `#[inline(always)]`, so that it takes the instruction set of its caller.
pub(crate) trait Normalization<T: Float>: Copy {
    /// The accumulators of the reduction that the numbers come from.
    type Accumulator: Copy;

    fn new(isa: Isa) -> Self;

    /// The two numbers; the divisor is the number of elements less the correction.
    fn prepare(accumulator: Self::Accumulator, divisor: usize, epsilon: f64) -> [T; 2];

    /// What an element becomes.
    fn apply(self, element: T, numbers: [T; 2]) -> T;
}

/// Rows that lie next to each other, and what becomes of them.
#[derive(Clone, Copy)]
pub(crate) struct Mapped {
    pub from: *const u8,
    pub to: *mut u8,
    pub width: usize,
    pub count: usize,
}

impl Mapped {
    /// The elements and what they become.
    ///
    /// # Safety
    ///
    /// There are elements of this type in each row, and room for the same number, which does not overlap.
    #[inline(always)]
    pub(super) unsafe fn typed<'a, T>(self) -> (&'a [T], &'a mut [MaybeUninit<T>]) {
        let len = self.width * self.count;
        // SAFETY: the caller keeps the contract.
        unsafe {
            (
                core::slice::from_raw_parts(self.from.cast(), len),
                core::slice::from_raw_parts_mut(self.to.cast(), len),
            )
        }
    }
}
