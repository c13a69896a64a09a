//! Reductions that read each block of elements twice while it is in the cache, and the memory once:
//! means with squared deviations, and sums of exponentials.

use core::mem::MaybeUninit;
use core::ops::Range;

use super::contiguous::{Uniform, fold_slice, largest_of_slice};
use super::loops::BlockReducer;
use super::ops::{CenteredSquares, CenteredSum, Exponentials, FlipBits, Largest, Reducer, SumOf};
use super::outer::{Rows, fold_column, fold_rows};
use crate::element::{Float, Isa, Number};
use crate::kernel::prefetch::prefetch_l2;

/// The maximum number of columns that are read twice before the next ones are read, 1 KiB of them: enough to read
/// strided rows fast, and few enough for the L2 cache to hold [`ROWS`] of them.
const STRIP: usize = 256;

/// The number of rows that have one accumulator for each column: combining accumulators takes as long as some rows.
const ROWS: usize = 256;

/// Lanes shorter than a vector: as columns, several of them share one.
const SHORT: Range<usize> = 2..8;

/// The largest number of bytes that are prefetched: where the hardware reads ahead afterwards.
const PREFETCHED: usize = 1 << 13;

/// The strips of some columns, at most [`STRIP`] of them.
#[inline(always)]
fn strips<'a, T: Copy, P>(
    rows: Rows<'a, T>,
    accumulators: &'a mut [P],
) -> impl Iterator<Item = (Rows<'a, T>, &'a mut [P])> {
    let strip = STRIP * size_of::<f32>() / size_of::<T>();
    accumulators.chunks_mut(strip).enumerate().map(
        #[inline(always)]
        move |(index, accumulators)| (rows.columns_from(index * strip), accumulators),
    )
}

/// `Σ x / n` and `Σ (x - mean)²` of some elements.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct MomentsState<S> {
    count: S,
    /// An arbitrary one of the elements.
    shift: S,
    /// The mean of the differences from it.
    mean: S,
    squares: S,
}

impl<S: Number> MomentsState<S> {
    #[inline(always)]
    fn new(count: usize, shift: S, sum: S) -> Self {
        let count = S::from_f64(count as f64);
        Self { count, shift, mean: sum.div(count), squares: S::ZERO }
    }

    /// The mean, and the sum of the squared deviations from it.
    #[inline(always)]
    pub(crate) fn mean_and_m2(self) -> [S; 2] {
        [self.shift.add(self.mean), self.squares]
    }
}

/// The accumulator of a lane: the same bits, whether short lanes are taken one by one or as the columns of their transpose.
#[inline(always)]
fn fold_line<T: Float, R: Reducer<T>>(
    reducer: R,
    elements: &[T],
    param: R::Param,
) -> R::Accumulator {
    if SHORT.contains(&elements.len()) {
        fold_column(reducer, elements, param)
    } else {
        fold_slice(reducer, elements, Uniform(param))
    }
}

/// The mean and the sum of the squared deviations from it.
///
/// A block is summed twice. Blocks are combined as in Chan, Golub and LeVeque
/// ([1979](http://i.stanford.edu/pub/cstr/reports/cs/tr/79/773/CS-TR-79-773.pdf)). Everything
/// is relative to one element, so that a large mean does not cost precision, and equal elements
/// deviate by exactly 0.
#[derive(Clone, Copy)]
pub(crate) struct Moments;

impl<T: Float> BlockReducer<T> for Moments {
    type Accumulator = MomentsState<T>;
    const PAIRWISE: bool = true;
    const ROWS: usize = ROWS;
    const TRANSPOSED: Range<usize> = SHORT;

    #[inline(always)]
    fn new(_: Isa, _: u64) -> Self {
        Self
    }

    #[inline(always)]
    fn accumulate_slice(self, elements: &[T]) -> MomentsState<T> {
        let shift = elements[0];
        let sum = fold_line(SumOf(CenteredSum), elements, shift);
        let state = MomentsState::new(elements.len(), shift, sum);
        let center = shift.add(state.mean);
        // The next lane comes from memory while this one is read again.
        prefetch_l2(elements.as_ptr_range().end.cast(), size_of_val(elements).min(PREFETCHED));
        MomentsState { squares: fold_line(SumOf(CenteredSquares), elements, center), ..state }
    }

    #[inline(always)]
    fn accumulate_rows(
        self,
        rows: Rows<'_, T>,
        accumulators: &mut [MaybeUninit<MomentsState<T>>],
        _: bool,
    ) {
        for (rows, accumulators) in strips(rows, accumulators) {
            let width = accumulators.len();
            let zero = T::from_f64(-0.0);
            let [mut shifts, mut sums, mut centers, mut squares] = [[zero; STRIP]; 4];
            shifts[..width].copy_from_slice(rows.row(0, width));
            fold_rows(SumOf(CenteredSum), rows, &shifts[..width], &mut sums[..width]);
            for column in 0..width {
                let mean = MomentsState::new(rows.count(), zero, sums[column]).mean;
                centers[column] = shifts[column].add(mean);
            }
            fold_rows(SumOf(CenteredSquares), rows, &centers[..width], &mut squares[..width]);
            for (column, accumulator) in accumulators.iter_mut().enumerate() {
                let state = MomentsState::new(rows.count(), shifts[column], sums[column]);
                accumulator.write(MomentsState { squares: squares[column], ..state });
            }
        }
    }

    #[inline(always)]
    fn combine(self, a: MomentsState<T>, b: MomentsState<T>) -> MomentsState<T> {
        let count = a.count.add(b.count);
        let share = b.count.div(count);
        let apart = b.shift.sub(a.shift).add(b.mean.sub(a.mean));
        let between = apart.mul(apart).mul(a.count.mul(share));
        MomentsState {
            count,
            shift: a.shift,
            mean: a.mean.add(apart.mul(share)),
            squares: a.squares.add(b.squares).add(between),
        }
    }

    #[inline(always)]
    fn empty(self) -> Option<MomentsState<T>> {
        let (zero, nan) = (T::ZERO, T::from_f64(f64::NAN));
        Some(MomentsState { count: zero, shift: zero, mean: nan, squares: zero })
    }
}

/// The largest of some elements, and `Σ e^(x - largest)`.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct LogSumExpState<S> {
    pub(crate) largest: S,
    pub(crate) sum: S,
}

/// The sum of the exponentials of elements, relative to the largest.
#[derive(Clone, Copy)]
pub(crate) struct LogSumExp(Isa);

/// The number that is subtracted from elements: the largest. If it is -∞, all elements are, and it is 0
/// instead, because `-∞ - -∞` is NaN; their exponentials are 0.
#[inline(always)]
fn reference<T: Float>(largest: T) -> T {
    if largest == T::INFINITY.neg() { T::ZERO } else { largest }
}

/// The largest element, no bits flipped.
#[inline(always)]
fn largest<T: FlipBits>() -> Largest<T::Bits> {
    Largest(T::bits(0))
}

impl<T: Float + FlipBits> BlockReducer<T> for LogSumExp {
    type Accumulator = LogSumExpState<T>;
    const PAIRWISE: bool = true;
    const ROWS: usize = ROWS;
    const TRANSPOSED: Range<usize> = SHORT;
    const AVX512: bool = true;

    #[inline(always)]
    fn new(isa: Isa, _: u64) -> Self {
        Self(isa)
    }

    #[inline(always)]
    fn accumulate_slice(self, elements: &[T]) -> LogSumExpState<T> {
        let largest = largest_of_slice(elements, T::bits(0));
        let param = reference(largest);
        LogSumExpState { largest, sum: fold_line(SumOf(Exponentials(self.0)), elements, param) }
    }

    #[inline(always)]
    fn accumulate_rows(
        self,
        rows: Rows<'_, T>,
        accumulators: &mut [MaybeUninit<LogSumExpState<T>>],
        _: bool,
    ) {
        for (rows, accumulators) in strips(rows, accumulators) {
            let width = accumulators.len();
            let zero = T::from_f64(-0.0);
            let mut maxima = [T::ZERO; STRIP];
            let [mut params, mut sums] = [[zero; STRIP]; 2];
            maxima[..width].copy_from_slice(rows.row(0, width));
            fold_rows(largest::<T>(), rows, Uniform(()), &mut maxima[..width]);
            for column in 0..width {
                params[column] = reference(maxima[column]);
            }
            let exponentials = SumOf(Exponentials(self.0));
            fold_rows(exponentials, rows, &params[..width], &mut sums[..width]);
            for (column, accumulator) in accumulators.iter_mut().enumerate() {
                accumulator.write(LogSumExpState { largest: maxima[column], sum: sums[column] });
            }
        }
    }

    #[inline(always)]
    fn combine(self, a: LogSumExpState<T>, b: LogSumExpState<T>) -> LogSumExpState<T> {
        let largest = a.largest.maximum(b.largest);
        let reference = reference(largest);
        let [a, b] = [a, b].map(
            #[inline(always)]
            |part| part.sum.mul(part.largest.sub(reference).exp_isa(Isa::BASELINE)),
        );
        LogSumExpState { largest, sum: a.add(b) }
    }

    #[inline(always)]
    fn empty(self) -> Option<LogSumExpState<T>> {
        Some(LogSumExpState { largest: T::INFINITY.neg(), sum: T::ZERO })
    }
}
