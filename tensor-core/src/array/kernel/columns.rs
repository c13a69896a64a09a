//! Reducing rows to one row: the rows of a matrix are added up, so to say, element by element.
//!
//! The elements of a row lie next to each other, so that one vector instruction works on several
//! columns. Halves of the rows join pairwise, as runs do in [lanes](super::lanes).

use core::hint::black_box;

use smallvec::SmallVec;

use super::lanes::{Fold, Known, Reduction};
use super::simd_dispatch::in_vectors;

/// How many rows are taken one after the other before halves join.
pub(crate) const ROWS: usize = 64;

/// Rows of the same width in one list of elements.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a, T> {
    pub elements: &'a [T],
    /// Where the first row starts.
    pub start: isize,
    /// From one row to the next, in elements.
    pub stride: isize,
    /// How many rows there are; at least one.
    pub count: usize,
}

impl<'a, T> Rows<'a, T> {
    #[inline(always)]
    pub(super) fn row(&self, index: usize, width: usize) -> &'a [T] {
        let start = (self.start + index as isize * self.stride) as usize;
        &self.elements[start..start + width]
    }

    /// Four rows from `first` on.
    #[inline(always)]
    fn four(&self, first: usize, width: usize) -> [&'a [T]; 4] {
        [
            self.row(first, width),
            self.row(first + 1, width),
            self.row(first + 2, width),
            self.row(first + 3, width),
        ]
    }

    #[inline(always)]
    pub(super) fn from(self, first: usize) -> Self {
        let start = self.start + first as isize * self.stride;
        Self { start, count: self.count - first, ..self }
    }

    #[inline(always)]
    pub(super) fn columns_from(self, first: usize) -> Self {
        Self { start: self.start + first as isize, ..self }
    }
}

/// The memory that [`reduce_columns`] needs besides the partial results, in units of their number.
pub(crate) fn scratch_rows<T, R: Reduction<T>>(rows: usize) -> usize {
    if R::PAIRWISE { rows.div_ceil(ROWS).next_power_of_two().ilog2() as usize } else { 0 }
}

/// Reduces column `j` of the rows to `partials[j]`.
pub(crate) fn reduce_columns<T: Copy, R: Reduction<T>, K: Known<R::About>>(
    reduction: R,
    rows: Rows<'_, T>,
    about: K,
    partials: &mut [R::Partial],
    scratch: &mut [R::Partial],
) {
    let width = partials.len();
    if R::PAIRWISE && rows.count > ROWS {
        let half = (rows.count / 2).next_multiple_of(ROWS);
        let (second, scratch) = scratch.split_at_mut(width);
        reduce_columns(reduction, Rows { count: half, ..rows }, about, partials, scratch);
        reduce_columns(reduction, rows.from(half), about, second, scratch);
        in_vectors(
            #[inline(always)]
            |_| {
                for (a, &b) in partials.iter_mut().zip(&*second) {
                    *a = reduction.join(*a, b);
                }
            },
        );
    } else {
        in_vectors(
            #[inline(always)]
            |instructions| {
                let reduction = reduction.with(instructions);
                reduction.of_rows(rows, about.within(0..width), partials);
            },
        );
    }
}

/// How many columns have their partial results in registers.
pub(super) const TILE: usize = 16;

/// How many bytes [`ROWS`] rows may lie apart to be read once for each tile.
const NEAR: usize = 1 << 15;

/// Folds every column of some rows.
///
/// A column is folded in the same order, whichever columns are beside it: four rows join, and then
/// join the rows before.
#[inline(always)]
pub(super) fn fold_rows<T: Copy, F: Fold<T>>(
    fold: F,
    rows: Rows<'_, T>,
    about: impl Known<F::About>,
    partials: &mut [F::Partial],
) {
    let width = partials.len();
    for (partial, &element) in partials.iter_mut().zip(rows.row(0, width)) {
        *partial = fold.start(element);
    }
    let near = rows.stride.unsigned_abs() * ROWS * size_of::<T>() <= NEAR;
    let tiles = if near { width / TILE } else { 0 };
    let done = tiles * TILE;
    let mut rows = rows;
    loop {
        let some = Rows { count: rows.count.min(ROWS), ..rows };
        for first in (0..done).step_by(TILE) {
            let columns = first..first + TILE;
            let about = about.lanes::<TILE>(first);
            if let Some(partials) = partials[columns].first_chunk_mut::<TILE>() {
                *partials = fold_tile(fold, some.columns_from(first), about, *partials);
            }
        }
        if done < width {
            let about = about.within(done..width);
            fold_long_rows(fold, some.columns_from(done), about, &mut partials[done..]);
        }
        if rows.count <= ROWS {
            return;
        }
        rows = rows.from(ROWS);
    }
}

/// Joins every row to the partial results of `W` columns, which stay in registers.
#[inline(always)]
pub(super) fn fold_tile<T: Copy, F: Fold<T>, const W: usize>(
    fold: F,
    rows: Rows<'_, T>,
    about: [F::About; W],
    mut partials: [F::Partial; W],
) -> [F::Partial; W] {
    let mut done = 0;
    while done + 4 <= rows.count {
        let [a, b, c, d] = rows.four(done, W);
        for lane in 0..W {
            let joined = join_four(fold, [a[lane], b[lane], c[lane], d[lane]], about[lane]);
            partials[lane] = fold.join(partials[lane], joined);
        }
        done += 4;
    }
    for row in done..rows.count {
        let row = rows.row(row, W);
        for lane in 0..W {
            partials[lane] = fold.join(partials[lane], fold.lift(row[lane], about[lane]));
        }
    }
    // Through memory, where columns lie side by side, so that vectors are made of neighbours.
    black_box(partials)
}

/// Joins every row to the partial results, one long row after the other.
#[inline(always)]
pub(super) fn fold_long_rows<T: Copy, F: Fold<T>>(
    fold: F,
    rows: Rows<'_, T>,
    about: impl Known<F::About>,
    partials: &mut [F::Partial],
) {
    let width = partials.len();
    let mut done = 0;
    while done + 4 <= rows.count {
        let [a, b, c, d] = rows.four(done, width);
        for (column, partial) in partials.iter_mut().enumerate() {
            let elements = [a[column], b[column], c[column], d[column]];
            *partial = fold.join(*partial, join_four(fold, elements, about.one(column)));
        }
        done += 4;
    }
    for row in done..rows.count {
        for (column, (partial, &element)) in
            partials.iter_mut().zip(rows.row(row, width)).enumerate()
        {
            *partial = fold.join(*partial, fold.lift(element, about.one(column)));
        }
    }
}

#[inline(always)]
fn join_four<T, F: Fold<T>>(fold: F, elements: [T; 4], about: F::About) -> F::Partial {
    let [a, b, c, d] = elements;
    let ab = fold.join(fold.lift(a, about), fold.lift(b, about));
    let cd = fold.join(fold.lift(c, about), fold.lift(d, about));
    fold.join(ab, cd)
}

/// Rows of fewer columns are taken several at a time, where they lie next to each other.
const NARROW: usize = 16;

/// About how many columns they have together.
const WIDE: usize = 64;

/// [`reduce_columns`] for rows that fill hardly any vector: several are taken for one wide row,
/// whose parts are joined at the end. `false` where the rows are not of this kind.
pub(crate) fn reduce_narrow_columns<T: Copy, R: Reduction<T>>(
    reduction: R,
    rows: Rows<'_, T>,
    about: impl Known<R::About>,
    partials: &mut [R::Partial],
) -> bool {
    let width = partials.len();
    if width >= NARROW || rows.stride != width as isize || rows.count < WIDE {
        return false;
    }
    let together = 1 << (WIDE / width).ilog2();
    let wide = together * width;
    let wide_rows = Rows { stride: wide as isize, count: rows.count / together, ..rows };
    let about_wide: SmallVec<[R::About; WIDE]> =
        (0..wide).map(|column| about.one(column % width)).collect();
    let memory = wide * (1 + scratch_rows::<T, R>(wide_rows.count));
    let mut memory: SmallVec<[R::Partial; WIDE]> = SmallVec::from_elem(partials[0], memory);
    let (parts, scratch) = memory.split_at_mut(wide);
    reduce_columns(reduction, wide_rows, &about_wide[..], parts, scratch);
    let mut len = wide;
    while len > width {
        len /= 2;
        let (first, second) = parts.split_at_mut(len);
        for (a, &b) in first.iter_mut().zip(&*second) {
            *a = reduction.join(*a, b);
        }
    }
    partials.copy_from_slice(&parts[..width]);
    let rest = rows.from(wide_rows.count * together);
    if rest.count > 0 {
        let parts = &mut parts[..width];
        reduction.of_rows(rest, about, parts);
        for (a, &b) in partials.iter_mut().zip(&*parts) {
            *a = reduction.join(*a, b);
        }
    }
    true
}
