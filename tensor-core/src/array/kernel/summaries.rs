//! Reductions that look at every block of elements twice while it is in the cache, and read the
//! memory once: means with squared deviations, and sums of exponentials.

use super::columns::{Rows, fold_long_rows};
use super::lanes::{All, Known, Reduction, fold_slice};
use super::reductions::{Deviations, Exponentials, Maximum, Squares, Sum, exp, ln, sqrt};
use crate::element::{Element, Float, Instructions, Number};

/// How many columns are looked at twice, before the next ones are: as many as are read well from rows
/// far apart.
const STRIP: usize = 256;

/// The strips of some columns, [`STRIP`] of them in all but the last.
#[inline(always)]
fn strips<'a, T: Copy, P>(
    rows: Rows<'a, T>,
    partials: &'a mut [P],
) -> impl Iterator<Item = (Rows<'a, T>, &'a mut [P])> {
    partials.chunks_mut(STRIP).enumerate().map(
        #[inline(always)]
        move |(index, partials)| (rows.columns_from(index * STRIP), partials),
    )
}

/// `Σ x / n` and `Σ (x - mean)²` of some elements.
#[derive(Clone, Copy)]
pub(crate) struct Spread<S> {
    count: S,
    /// One of the elements.
    shift: S,
    /// The mean of the differences to it.
    mean: S,
    squares: S,
}

/// The mean and the squared deviations from it, and what `F` makes of them.
///
/// A block is summed twice. What two blocks give is what Chan, Golub and LeVeque
/// ([1979](http://i.stanford.edu/pub/cstr/reports/cs/tr/79/773/CS-TR-79-773.pdf)) say. Everything
/// is relative to an element, so that a large mean spoils nothing, and so that equal elements
/// deviate by exactly 0.
#[derive(Clone, Copy)]
pub(crate) struct Moments<F>(F);

impl<F> Moments<F> {
    #[inline(always)]
    fn spread<S: Number>(count: usize, shift: S, sum: S) -> Spread<S> {
        let count = S::from_f64(count as f64);
        Spread { count, shift, mean: sum.div(count), squares: S::ZERO }
    }
}

impl<T: Float, O: Send, F: Fn([T::Sum; 2]) -> O + Copy + Sync> Reduction<T> for Moments<F> {
    type About = ();
    type Partial = Spread<T::Sum>;
    type Result = O;
    const PAIRWISE: bool = true;

    #[inline(always)]
    fn of_slice(self, elements: &[T], _: impl Known<()>) -> Spread<T::Sum> {
        let shift = elements[0].widen();
        let sum = fold_slice(Sum(Deviations), elements, All(shift));
        let spread = Self::spread(elements.len(), shift, sum);
        let squares = fold_slice(Sum(Squares), elements, All(shift.add(spread.mean)));
        Spread { squares, ..spread }
    }

    #[inline(always)]
    fn of_rows(self, rows: Rows<'_, T>, _: impl Known<()>, partials: &mut [Spread<T::Sum>]) {
        for (rows, partials) in strips(rows, partials) {
            let width = partials.len();
            let zero = T::Sum::from_f64(-0.0);
            let [mut shifts, mut sums, mut centres, mut squares] = [[zero; STRIP]; 4];
            for (shift, &element) in shifts.iter_mut().zip(rows.row(0, width)) {
                *shift = element.widen();
            }
            fold_long_rows(Sum(Deviations), rows, &shifts[..width], &mut sums[..width]);
            for column in 0..width {
                let mean = Self::spread(rows.count, zero, sums[column]).mean;
                centres[column] = shifts[column].add(mean);
            }
            fold_long_rows(Sum(Squares), rows, &centres[..width], &mut squares[..width]);
            for (column, partial) in partials.iter_mut().enumerate() {
                let spread = Self::spread(rows.count, shifts[column], sums[column]);
                *partial = Spread { squares: squares[column], ..spread };
            }
        }
    }

    #[inline(always)]
    fn join(self, a: Spread<T::Sum>, b: Spread<T::Sum>) -> Spread<T::Sum> {
        let count = a.count.add(b.count);
        let share = b.count.div(count);
        let apart = b.shift.sub(a.shift).add(b.mean.sub(a.mean));
        let between = apart.mul(apart).mul(a.count.mul(share));
        Spread {
            count,
            shift: a.shift,
            mean: a.mean.add(apart.mul(share)),
            squares: a.squares.add(b.squares).add(between),
        }
    }

    #[inline(always)]
    fn empty(self) -> Option<Spread<T::Sum>> {
        let zero = T::Sum::ZERO;
        let nan = T::Sum::from_f64(f64::NAN);
        Some(Spread { count: zero, shift: zero, mean: nan, squares: zero })
    }

    #[inline(always)]
    fn finish(self, partial: Spread<T::Sum>, (): ()) -> O {
        (self.0)([partial.shift.add(partial.mean), partial.squares])
    }
}

/// The mean, and the sum of the squared deviations from it.
pub(crate) fn moments<T: Float>() -> Moments<impl Fn([T::Sum; 2]) -> [T::Sum; 2] + Copy> {
    Moments(
        #[inline(always)]
        |both| both,
    )
}

/// `Σ (x - mean)² / divisor`; its root, if asked for.
pub(crate) fn variance<T: Float>(
    divisor: usize,
    root: bool,
) -> Moments<impl Fn([T::Sum; 2]) -> T + Copy> {
    Moments(
        #[inline(always)]
        move |[_, squares]: [T::Sum; 2]| {
            let variance = squares.div(T::Sum::from_f64(divisor as f64));
            T::narrow(if root { sqrt::<T>(variance) } else { variance })
        },
    )
}

/// The largest of some elements, and `Σ e^(x - largest)`.
#[derive(Clone, Copy)]
pub(crate) struct Exponential<S> {
    largest: S,
    sum: S,
}

/// The sum of the exponentials of elements, relative to the largest, and what `F` makes of both.
#[derive(Clone, Copy)]
pub(crate) struct SumOfExponentials<F>(F, Instructions);

/// What is subtracted from elements: the largest. Where that is -∞, all are, and their exponentials
/// are 0 beside those of other blocks, which `-∞ - -∞` would spoil.
#[inline(always)]
fn reference<T: Float>(largest: T::Sum) -> T::Sum {
    if largest == T::INFINITY.neg().widen() { T::Sum::ZERO } else { largest }
}

impl<T: Float, O: Send, F: Fn([T::Sum; 2]) -> O + Copy + Sync> Reduction<T>
    for SumOfExponentials<F>
{
    type About = ();
    type Partial = Exponential<T::Sum>;
    type Result = O;
    const PAIRWISE: bool = true;

    #[inline(always)]
    fn with(self, instructions: Instructions) -> Self {
        Self(self.0, instructions)
    }

    #[inline(always)]
    fn of_slice(self, elements: &[T], _: impl Known<()>) -> Exponential<T::Sum> {
        let largest = fold_slice(Maximum, elements, All(())).widen();
        let about = All(reference::<T>(largest));
        Exponential { largest, sum: fold_slice(Sum(Exponentials(self.1)), elements, about) }
    }

    #[inline(always)]
    fn of_rows(self, rows: Rows<'_, T>, _: impl Known<()>, partials: &mut [Exponential<T::Sum>]) {
        for (rows, partials) in strips(rows, partials) {
            let width = partials.len();
            let zero = T::Sum::from_f64(-0.0);
            let mut largest = [T::ZERO; STRIP];
            let [mut about, mut sums] = [[zero; STRIP]; 2];
            largest[..width].copy_from_slice(rows.row(0, width));
            fold_long_rows(Maximum, rows, All(()), &mut largest[..width]);
            for column in 0..width {
                about[column] = reference::<T>(largest[column].widen());
            }
            fold_long_rows(Sum(Exponentials(self.1)), rows, &about[..width], &mut sums[..width]);
            for (column, partial) in partials.iter_mut().enumerate() {
                *partial = Exponential { largest: largest[column].widen(), sum: sums[column] };
            }
        }
    }

    #[inline(always)]
    fn join(self, a: Exponential<T::Sum>, b: Exponential<T::Sum>) -> Exponential<T::Sum> {
        let largest = a.largest.maximum(b.largest);
        let about = reference::<T>(largest);
        let [a, b] = [a, b].map(
            #[inline(always)]
            |part| part.sum.mul(exp::<T>(part.largest.sub(about), Instructions::OF_THE_BUILD)),
        );
        Exponential { largest, sum: a.add(b) }
    }

    #[inline(always)]
    fn empty(self) -> Option<Exponential<T::Sum>> {
        Some(Exponential { largest: T::INFINITY.neg().widen(), sum: T::Sum::ZERO })
    }

    #[inline(always)]
    fn finish(self, partial: Exponential<T::Sum>, (): ()) -> O {
        (self.0)([partial.largest, partial.sum])
    }
}

/// The largest element, and `Σ e^(x - largest)`; where all elements are -∞, 0.
pub(crate) fn exponentials<T: Float>(
    instructions: Instructions,
) -> SumOfExponentials<impl Fn([T::Sum; 2]) -> [T::Sum; 2] + Copy> {
    SumOfExponentials(
        #[inline(always)]
        |both| both,
        instructions,
    )
}

/// `ln Σ e^x`
pub(crate) fn log_of_exponentials<T: Float>() -> SumOfExponentials<impl Fn([T::Sum; 2]) -> T + Copy>
{
    SumOfExponentials(
        #[inline(always)]
        |[largest, sum]: [T::Sum; 2]| {
            // With an infinite element, `inf - inf` has spoilt the sum; the infinity is the answer.
            let infinite = !largest.is_finite() & !largest.is_nan();
            T::narrow(if infinite { largest } else { ln::<T>(sum).add(largest) })
        },
        Instructions::OF_THE_BUILD,
    )
}
