//! Reducing rows to one row: the rows of a matrix are added up, so to say, element by element.
//!
//! The elements of a row lie next to each other, so that one vector instruction works on several
//! columns. Halves of the rows join pairwise, as in [lanes](super::lanes).

use smallvec::SmallVec;

use super::lanes::{Known, Reduction};

/// How many rows are taken one after the other before halves join.
const ROWS: usize = 64;

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

    fn from(self, first: usize) -> Self {
        let start = self.start + first as isize * self.stride;
        Self { start, count: self.count - first, ..self }
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
        for (a, &b) in partials.iter_mut().zip(&*second) {
            *a = reduction.join(*a, b);
        }
        return;
    }
    for (partial, &element) in partials.iter_mut().zip(rows.row(0, width)) {
        *partial = reduction.start(element);
    }
    let about = about.within(0..width);
    let mut done = 0;
    if rows.stride.unsigned_abs() * ROWS * size_of::<T>() <= NEAR {
        while done + TILE <= width {
            let tile = Rows { start: rows.start + done as isize, ..rows };
            let columns = done..done + TILE;
            add_tile(reduction, tile, about.within(columns.clone()), &mut partials[columns]);
            done += TILE;
        }
    }
    if done < width {
        let rest = Rows { start: rows.start + done as isize, ..rows };
        add_rows(reduction, rest, about.within(done..width), &mut partials[done..]);
    }
}

/// How many columns have their partial results in registers.
const TILE: usize = 16;

/// How many bytes [`ROWS`] rows may lie apart to be read once for each tile.
const NEAR: usize = 1 << 15;

/// Joins every row to the partial results of [`TILE`] columns.
#[inline(never)]
fn add_tile<T: Copy, R: Reduction<T>>(
    reduction: R,
    rows: Rows<'_, T>,
    about: impl Known<R::About>,
    partials: &mut [R::Partial],
) {
    let Some(partials) = partials.first_chunk_mut::<TILE>() else { return };
    let mut lanes = *partials;
    let about = about.lanes::<TILE>(0);
    for row in 0..rows.count {
        let row = rows.row(row, TILE);
        for lane in 0..TILE {
            lanes[lane] = reduction.join(lanes[lane], reduction.lift(row[lane], about[lane]));
        }
    }
    *partials = lanes;
}

/// Joins every row to the partial results, four rows at a time.
#[inline(never)]
fn add_rows<T: Copy, R: Reduction<T>>(
    reduction: R,
    rows: Rows<'_, T>,
    about: impl Known<R::About>,
    partials: &mut [R::Partial],
) {
    let width = partials.len();
    let mut done = 0;
    while done + 4 <= rows.count {
        let [a, b, c, d] = [0, 1, 2, 3].map(|row| rows.row(done + row, width));
        for (column, partial) in partials.iter_mut().enumerate() {
            let about = about.one(column);
            let lift = |element| reduction.lift(element, about);
            let ab = reduction.join(lift(a[column]), lift(b[column]));
            let cd = reduction.join(lift(c[column]), lift(d[column]));
            *partial = reduction.join(*partial, reduction.join(ab, cd));
        }
        done += 4;
    }
    for row in done..rows.count {
        for (column, (partial, &element)) in
            partials.iter_mut().zip(rows.row(row, width)).enumerate()
        {
            *partial = reduction.join(*partial, reduction.lift(element, about.one(column)));
        }
    }
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
    add_rows(reduction, rows.from(wide_rows.count * together), about, partials);
    true
}
