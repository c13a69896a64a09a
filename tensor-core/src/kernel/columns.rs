//! Reducing rows to one row: the rows of a matrix are added up, so to say, element by element.
//!
//! The elements of a row lie next to each other, so that one vector instruction works on several
//! columns. Halves of the rows join pairwise, as in [lanes](super::lanes).

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
    add_rows(reduction, rows, about.within(0..width), partials);
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
const NARROW: usize = 64;

/// [`reduce_columns`] for rows that fill no vector: several are taken for one wide row, whose
/// parts are joined at the end.
pub(crate) fn reduce_narrow_columns<T: Copy, R: Reduction<T>>(
    reduction: R,
    rows: Rows<'_, T>,
    about: impl Known<R::About>,
    partials: &mut [R::Partial],
) -> bool {
    let width = partials.len();
    let together = NARROW / width.max(1);
    if rows.stride != width as isize || together < 2 || rows.count < 2 * together {
        return false;
    }
    let together = 1 << together.ilog2();
    let wide = together * width;
    let wide_rows = Rows { stride: wide as isize, count: rows.count / together, ..rows };
    let about_wide: Vec<R::About> = (0..wide).map(|column| about.one(column % width)).collect();
    let mut memory = vec![partials[0]; wide * (1 + scratch_rows::<T, R>(wide_rows.count))];
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
    add_rows(reduction, rest, about, partials);
    true
}
