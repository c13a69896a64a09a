//! Loops that reduce rows to one row, element by element: the elements of a row are contiguous, so
//! that one vector instruction works on several columns.

use core::hint::black_box;
use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::contiguous::ElementParams;
use super::ops::Reducer;

/// The number of rows that are taken one after the other; beyond it, recursive halves are combined.
pub(crate) const ROWS: usize = 64;

/// Rows of contiguous elements, at least one.
///
/// Invariant: for each row there are `width` initialised elements from `first` and `row * stride`
/// elements on, which are not written during `'a`.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a, T> {
    first: *const T,
    /// The stride from one row to the next, in elements.
    stride: isize,
    count: usize,
    width: usize,
    /// Whether tiles of columns may be reduced in registers.
    in_tiles: bool,
    elements: PhantomData<&'a [T]>,
}

impl<'a, T> Rows<'a, T> {
    /// # Safety
    ///
    /// The invariant holds.
    #[inline(always)]
    pub(super) unsafe fn new(first: *const T, stride: isize, count: usize, width: usize) -> Self {
        Self { first, stride, count, width, in_tiles: true, elements: PhantomData }
    }

    /// The rows, whose columns are reduced in tiles only if that is `worth` the code.
    #[inline(always)]
    pub(super) fn in_tiles_if(self, worth: bool) -> Self {
        Self { in_tiles: worth, ..self }
    }

    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The first columns of a row.
    ///
    /// # Panics
    ///
    /// If they leave the rows.
    #[inline(always)]
    pub(super) fn row(&self, index: usize, width: usize) -> &'a [T] {
        assert!(index < self.count && width <= self.width, "a row that there is");
        // SAFETY: by the invariant, the row exists and has at least this many columns.
        unsafe {
            let row = self.first.offset(index as isize * self.stride);
            core::slice::from_raw_parts(row, width)
        }
    }

    /// Four rows, starting at `first`.
    #[inline(always)]
    fn four(&self, first: usize, width: usize) -> [&'a [T]; 4] {
        [
            self.row(first, width),
            self.row(first + 1, width),
            self.row(first + 2, width),
            self.row(first + 3, width),
        ]
    }

    /// At most `count` rows, starting at `first`.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    #[inline(always)]
    fn some(self, first: usize, count: usize) -> Self {
        assert!(first < self.count, "a row that there is");
        let row = self.first.wrapping_offset(first as isize * self.stride);
        Self { first: row, count: count.min(self.count - first), ..self }
    }

    /// The columns starting at `first`.
    ///
    /// # Panics
    ///
    /// If there are fewer columns.
    #[inline(always)]
    pub(super) fn columns_from(self, first: usize) -> Self {
        assert!(first <= self.width, "columns that there are");
        Self { first: self.first.wrapping_add(first), width: self.width - first, ..self }
    }
}

/// The number of columns whose accumulators stay in registers.
const TILE: usize = 16;

/// The maximum number of bytes that [`ROWS`] rows may span to be near.
const NEAR: usize = 1 << 15;

/// The number of near rows that are read for one tile before they are for the next: enough to keep its accumulators in
/// registers, and few enough to read memory from front to back.
const NEAR_ROWS: usize = 32;

/// Reduces every column of some rows into `accumulators`, which are initialised.
///
/// A column is reduced in the same order whatever its neighbours are: four rows are combined, and
/// then combined with the rows before.
#[inline(always)]
pub(super) fn fold_rows<T: Copy, R: Reducer<T>>(
    reducer: R,
    rows: Rows<'_, T>,
    params: impl ElementParams<R::Param>,
    accumulators: &mut [R::Accumulator],
) {
    let width = accumulators.len();
    let near = rows.stride.unsigned_abs() * ROWS * size_of::<T>() <= NEAR;
    if !(near && rows.in_tiles && rows.count >= 4) {
        return fold_long_rows(reducer, rows, params, accumulators);
    }
    let done = width / TILE * TILE;
    let together = if done == TILE { rows.count } else { NEAR_ROWS };
    for first in (0..rows.count).step_by(together) {
        let some = rows.some(first, together);
        for first in (0..done).step_by(TILE) {
            let columns = first..first + TILE;
            let params = params.lanes::<TILE>(first);
            if let Some(tile) = accumulators[columns].first_chunk_mut::<TILE>() {
                *tile = fold_tile(reducer, some.columns_from(first), params, *tile);
            }
        }
    }
    if done < width {
        let params = params.within(done..width);
        fold_long_rows(reducer, rows.columns_from(done), params, &mut accumulators[done..]);
    }
}

/// The initial accumulators of columns, before any row is reduced.
#[inline(always)]
pub(super) fn start_rows<'a, T: Copy, R: Reducer<T>>(
    reducer: R,
    rows: Rows<'_, T>,
    accumulators: &'a mut [MaybeUninit<R::Accumulator>],
) -> &'a mut [R::Accumulator] {
    let row = rows.row(0, accumulators.len());
    for (accumulator, &element) in accumulators.iter_mut().zip(row) {
        accumulator.write(reducer.start(element));
    }
    // SAFETY: a row has an element for each accumulator, so all were written above.
    unsafe { accumulators.assume_init_mut() }
}

/// Combines every row with the accumulators of `W` columns, which stay in registers.
#[inline(always)]
fn fold_tile<T: Copy, R: Reducer<T>, const W: usize>(
    reducer: R,
    rows: Rows<'_, T>,
    params: [R::Param; W],
    mut accumulators: [R::Accumulator; W],
) -> [R::Accumulator; W] {
    let mut done = 0;
    while done + 4 <= rows.count {
        let [a, b, c, d] = rows.four(done, W);
        for lane in 0..W {
            let four = combine_4(reducer, [a[lane], b[lane], c[lane], d[lane]], params[lane]);
            accumulators[lane] = reducer.combine(accumulators[lane], four);
        }
        done += 4;
    }
    for row in done..rows.count {
        let row = rows.row(row, W);
        for lane in 0..W {
            let element = reducer.map_element(row[lane], params[lane]);
            accumulators[lane] = reducer.combine(accumulators[lane], element);
        }
    }
    // Through memory, where columns are adjacent, so that vectors consist of neighbours.
    black_box(accumulators)
}

/// Combines every row with the accumulators, one long row after the other.
#[inline(always)]
fn fold_long_rows<T: Copy, R: Reducer<T>>(
    reducer: R,
    rows: Rows<'_, T>,
    params: impl ElementParams<R::Param>,
    accumulators: &mut [R::Accumulator],
) {
    let width = accumulators.len();
    let mut done = 0;
    while done + 4 <= rows.count {
        let [a, b, c, d] = rows.four(done, width);
        for (column, accumulator) in accumulators.iter_mut().enumerate() {
            let elements = [a[column], b[column], c[column], d[column]];
            *accumulator =
                reducer.combine(*accumulator, combine_4(reducer, elements, params.one(column)));
        }
        done += 4;
    }
    for row in done..rows.count {
        let row = rows.row(row, width);
        // By index: a loop over pairs is not vectorised for the largest element.
        for (column, accumulator) in accumulators.iter_mut().enumerate() {
            let element = reducer.map_element(row[column], params.one(column));
            *accumulator = reducer.combine(*accumulator, element);
        }
    }
}

/// The accumulator of a few elements, with the bits that [`fold_rows`] gives a column of them.
#[inline(always)]
pub(super) fn fold_column<T: Copy, R: Reducer<T>>(
    reducer: R,
    elements: &[T],
    param: R::Param,
) -> R::Accumulator {
    let mut accumulator = reducer.start(elements[0]);
    let (fours, rest) = elements.as_chunks::<4>();
    for &four in fours {
        accumulator = reducer.combine(accumulator, combine_4(reducer, four, param));
    }
    for &element in rest {
        accumulator = reducer.combine(accumulator, reducer.map_element(element, param));
    }
    accumulator
}

#[inline(always)]
fn combine_4<T, R: Reducer<T>>(reducer: R, elements: [T; 4], param: R::Param) -> R::Accumulator {
    let [a, b, c, d] = elements;
    let ab = reducer.combine(reducer.map_element(a, param), reducer.map_element(b, param));
    let cd = reducer.combine(reducer.map_element(c, param), reducer.map_element(d, param));
    reducer.combine(ab, cd)
}
