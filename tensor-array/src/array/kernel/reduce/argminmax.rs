//! Argmax and argmin: the index of the first maximum or minimum, or of the first NaN.
//!
//! The maximum of a block is computed first, by the loops of the [reduction](super), and then its index. Both are
//! vectorised loops, and the second one often ends early.

use core::hint::black_box;
use core::mem::MaybeUninit;

use super::contiguous::{Uniform, largest_of_slice};
use super::loops::BlockReducer;
use super::ops::{FlipBits, Largest};
use super::outer::{Rows, fold_rows, start_rows};
use crate::array::kernel::isa_fns::isa_fns;
use crate::array::kernel::reduce::results::FinishFn;
use crate::element::{Isa, Number};

/// The largest of some consecutive elements.
#[derive(Clone, Copy)]
pub(super) struct FirstLargest<T> {
    largest: T,
    /// The index of the first one, counted from the first of the elements.
    index: usize,
    /// The number of elements.
    len: usize,
}

/// The index of the largest element, with the bits to flip as the table states them.
#[derive(Clone, Copy)]
pub(super) struct LargestIndex(u64);

/// Whether an element is the maximum, which is NaN if some element is.
#[inline(always)]
fn is_largest<T: Number>(element: T, largest: T) -> bool {
    (element == largest) | (element.is_nan() & largest.is_nan())
}

/// The number of elements that are compared before the search may end.
const STEP: usize = 64;

/// The number of columns whose maxima are computed before their indices: the rows stay in the L2 cache.
const COLUMNS: usize = 256;

/// The number of columns whose indices stay in registers.
const TILE: usize = 16;

impl<T: FlipBits> BlockReducer<T> for LargestIndex {
    type Accumulator = FirstLargest<T>;
    const PAIRWISE: bool = true;
    const IN_ORDER: bool = true;

    #[inline(always)]
    fn new(_: Isa, flip: u64) -> Self {
        Self(flip)
    }

    #[inline(always)]
    fn accumulate_slice(self, elements: &[T]) -> FirstLargest<T> {
        let bits = T::bits(self.0);
        let largest = largest_of_slice(elements, bits).flip(bits);
        let mut before = 0;
        for step in elements.chunks(STEP) {
            if step.iter().fold(false, |found, &x| found | is_largest(x, largest)) {
                break;
            }
            before += step.len();
        }
        let after = elements[before..].iter().position(|&x| is_largest(x, largest));
        let index = before + after.expect("an element is the maximum");
        FirstLargest { largest, index, len: elements.len() }
    }

    #[inline(always)]
    fn accumulate_rows(
        self,
        rows: Rows<'_, T>,
        accumulators: &mut [MaybeUninit<FirstLargest<T>>],
        _: bool,
    ) {
        let bits = T::bits(self.0);
        for (part, accumulators) in accumulators.chunks_mut(COLUMNS).enumerate() {
            let rows = rows.columns_from(part * COLUMNS);
            let mut largest = [const { MaybeUninit::<T>::uninit() }; COLUMNS];
            let largest = start_rows(Largest(bits), rows, &mut largest[..accumulators.len()]);
            fold_rows(Largest(bits), rows, Uniform(()), largest);
            for largest in largest.iter_mut() {
                *largest = largest.flip(bits);
            }
            let tiles = accumulators.chunks_mut(TILE).zip(largest.chunks(TILE)).enumerate();
            for (tile, (accumulators, largest)) in tiles {
                write_tile(rows.columns_from(tile * TILE), largest, accumulators);
            }
        }
    }

    #[inline(always)]
    fn combine(self, a: FirstLargest<T>, b: FirstLargest<T>) -> FirstLargest<T> {
        let bits = T::bits(self.0);
        let (first, second) = (a.largest.flip(bits), b.largest.flip(bits));
        let len = a.len + b.len;
        if is_largest(first, first.maximum(second)) {
            FirstLargest { len, ..a }
        } else {
            FirstLargest { largest: b.largest, index: a.len + b.index, len }
        }
    }

    #[inline(always)]
    fn empty(self) -> Option<FirstLargest<T>> {
        None
    }
}

/// Writes the accumulators of at most [`TILE`] columns with these maxima.
#[inline(always)]
fn write_tile<T: Number>(
    rows: Rows<'_, T>,
    largest: &[T],
    accumulators: &mut [MaybeUninit<FirstLargest<T>>],
) {
    let mut indices = [0; TILE];
    match largest.first_chunk::<TILE>() {
        Some(largest) => indices = first_rows(rows, *largest),
        None => {
            for (column, (index, &largest)) in indices.iter_mut().zip(largest).enumerate() {
                [*index] = first_rows(rows.columns_from(column), [largest]);
            }
        }
    }
    for ((accumulator, &largest), index) in accumulators.iter_mut().zip(largest).zip(indices) {
        accumulator.write(FirstLargest { largest, index: index as usize, len: rows.count() });
    }
}

/// The first row that has the maximum of its column: searches from the last row to the first. Indices have 32 bits, so
/// that a vector holds as many of them as of elements of the usual types.
#[inline(always)]
fn first_rows<T: Number, const W: usize>(rows: Rows<'_, T>, largest: [T; W]) -> [u32; W] {
    let mut indices = [0; W];
    for index in (0..rows.count()).rev() {
        let row = rows.row(index, W);
        for lane in 0..W {
            let found = is_largest(row[lane], largest[lane]);
            indices[lane] = if found { index as u32 } else { indices[lane] };
        }
    }
    // Through memory, where columns are adjacent, so that vectors consist of neighbours.
    black_box(indices)
}

isa_fns! {
    /// The indices alone.
    pub(super) unsafe fn indices[T: Number](
        _isa, accumulators: *const u8, count: usize, _divisor: usize, results: *mut u8
    ) as FinishFn {
        // SAFETY: there are `count` accumulators, and room for an index of each.
        let (accumulators, results) = unsafe {
            (
                core::slice::from_raw_parts(accumulators.cast::<FirstLargest<T>>(), count),
                core::slice::from_raw_parts_mut(results.cast::<MaybeUninit<i64>>(), count),
            )
        };
        for (result, accumulator) in results.iter_mut().zip(accumulators) {
            result.write(accumulator.index as i64);
        }
    }
}
