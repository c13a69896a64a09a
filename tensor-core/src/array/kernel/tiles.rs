//! Results in tiles: how operands that stretch, or that lie apart, meet in pieces that are small
//! enough to stay in the cache.
//!
//! Within a tile every operand is one slice. An operand that lies in one piece is read where it is;
//! another one is gathered into a buffer, once for all the tiles that need the same elements of it.
//! So no large operand is ever copied out as a whole, and the loop over a tile is the same for every way
//! in which shapes meet.

use core::mem::MaybeUninit;

use smallvec::SmallVec;

use super::pack::{WIDE, ask_for, blocks, gather};
use super::transpose::turn;
use crate::array::plan::{Loop, SPREAD, Source, Steps, Walk, takes_same};

/// The elements of a buffer.
pub(super) const BUFFER: usize = SPREAD;

/// Rows of as many elements are taken one by one, where that spares gathering.
const LONG: usize = 32;

/// Rows begin a multiple of so many elements apart if there is a choice: vectors then do not cross the
/// borders of cache lines.
const LINE: usize = 64;

/// The sides of a tile that is read by columns: two megabytes of the cache hold some of them, and
/// the memory is read and written in runs of a kilobyte.
const SIDE: usize = 256;

/// How the results are cut into tiles.
pub(super) enum Tiles<'a, const N: usize> {
    /// Pieces of the results as they lie in memory.
    Rows(Rows<'a, N>),
    /// Squares of the innermost loop and another one, along which an operand lies closer together.
    Squares(Squares<N>),
}

impl<'a, const N: usize> Tiles<'a, N> {
    /// The tiles for nested loops over more than one element; rows if the results are to be written in
    /// their order.
    pub(super) fn of(loops: &'a [Loop<N>], start: [isize; N], in_order: bool) -> Self {
        let (levels, block) = whole_loops(loops);
        match closer_loop(loops) {
            Some(level) if level >= levels && levels < loops.len() && !in_order => {
                Self::Squares(Squares::of(loops, start, level))
            }
            _ => Self::Rows(Rows::of(loops, levels, block, start)),
        }
    }
}

/// How many loops a row holds as a whole, and how many elements they have.
fn whole_loops<const N: usize>(loops: &[Loop<N>]) -> (usize, usize) {
    match loops.first() {
        // Nothing has to be gathered.
        Some(first) if first.size >= LONG && in_pieces(first) => return (1, first.size),
        _ => {}
    }
    let (mut levels, mut block) = (0, 1);
    for lap in loops {
        if block * lap.size > BUFFER {
            break;
        }
        block *= lap.size;
        levels += 1;
    }
    (levels, block)
}

/// The loop along which an operand lies much closer together than along the innermost one.
fn closer_loop<const N: usize>(loops: &[Loop<N>]) -> Option<usize> {
    let [inner, outer @ ..] = loops else { return None };
    let operand = (0..N).max_by_key(|&k| inner.strides[k].unsigned_abs())?;
    let steps = |lap: &Loop<N>| lap.strides[operand].unsigned_abs();
    let moving = outer.iter().enumerate().filter(|(_, lap)| steps(lap) > 0);
    let (level, closest) = moving.min_by_key(|(_, lap)| steps(lap))?;
    let pays = steps(inner) > 1 && steps(closest) < steps(inner);
    (pays && inner.size >= 4 && closest.size >= 4).then_some(level + 1)
}

/// Tiles of rows that lie one after the other. A row has all elements of the innermost loops, and some
/// steps of the next one; the rows go on along it.
pub(super) struct Rows<'a, const N: usize> {
    start: [isize; N],
    /// The loops that a row holds as a whole,
    inner: &'a [Loop<N>],
    /// and how many elements they have.
    block: usize,
    /// The loop of which a row holds some steps,
    next: Loop<N>,
    /// that is, so many.
    unit: usize,
    /// How many rows there are in a tile at most.
    rows: usize,
    outer: &'a [Loop<N>],
}

impl<'a, const N: usize> Rows<'a, N> {
    fn of(loops: &'a [Loop<N>], levels: usize, block: usize, start: [isize; N]) -> Self {
        let next = loops.get(levels).copied().unwrap_or(Loop::ONCE);
        let (inner, outer) = loops.split_at(levels);
        let outer = outer.get(1..).unwrap_or(&[]);
        let mut rows = Self { start, inner, block, next, unit: 1, rows: usize::MAX, outer };
        // Long rows, of which there are as many as one likes, unless an operand has to be gathered for
        // each; else short ones.
        rows.unit = unit(block, next.size);
        if rows.gathers_while_moving() {
            if block >= LONG {
                rows.unit = 1;
            }
            if rows.gathers_while_moving() {
                rows.rows = (BUFFER / rows.columns()).max(1);
            }
        }
        if next.strides.iter().any(|&stride| stride < 0) {
            rows.rows = 1;
        }
        rows
    }

    /// How many elements a row has.
    fn columns(&self) -> usize {
        self.block * self.unit
    }

    /// Whether an operand is gathered, and other elements of it for each row.
    fn gathers_while_moving(&self) -> bool {
        let mut single = None;
        let mut gathers = false;
        for k in 0..N {
            let mut step = 1;
            let (mut stays, mut is_piece) = (true, true);
            let mut goes = |size: usize, stride: isize| {
                stays &= stride == 0;
                is_piece &= stride == step;
                step *= size as isize;
            };
            for lap in self.inner {
                goes(lap.size, lap.strides[k]);
            }
            let stride = self.next.strides[k];
            if self.unit > 1 {
                goes(self.unit, stride);
            }
            if stays && single.is_none() && takes_same(N) {
                single = Some(k);
            } else {
                gathers |= stride != 0 && !is_piece;
            }
        }
        gathers
    }

    /// Finds the way of operand `k` through a row.
    pub(super) fn way(&self, k: usize, way: &mut Way) {
        for lap in self.inner {
            way.push(lap.size, lap.strides[k]);
        }
        if self.unit > 1 {
            way.push(self.unit, self.next.strides[k]);
        }
        way.row_step = self.next.strides[k] * self.unit as isize;
    }

    /// Calls `tile` for each tile in row-major order, with the places of the operands and the
    /// numbers of rows and columns.
    pub(super) fn for_each(&self, mut tile: impl FnMut([isize; N], [usize; 2])) {
        let whole = self.next.size / self.unit;
        let rest = self.next.size % self.unit;
        crate::array::plan::odometer(self.outer, self.start, &mut |place| {
            let mut row = 0;
            while row < whole {
                let rows = self.rows.min(whole - row);
                tile(self.next.after(row * self.unit, place), [rows, self.columns()]);
                row += rows;
            }
            if rest > 0 {
                tile(self.next.after(whole * self.unit, place), [1, self.block * rest]);
            }
        });
    }
}

/// How many of `size` steps of `block` elements make a row that fits the buffer; one step at least.
fn unit(block: usize, size: usize) -> usize {
    let unit = size.min(BUFFER / block).max(1);
    // A power of two, as it divides the line.
    let even = LINE >> block.trailing_zeros().min(LINE.ilog2());
    if unit < size && unit > 4 * even { unit / even * even } else { unit }
}

/// Whether all operands lie in one piece along a loop, but for one that may stay the same.
pub(super) fn in_pieces<const N: usize>(lap: &Loop<N>) -> bool {
    let moving = lap.strides.iter().filter(|&&stride| stride == 1).count();
    let staying = lap.strides.iter().filter(|&&stride| stride == 0).count();
    moving == N || (takes_same(N) && moving == N - 1 && staying == 1)
}

/// How many loops a tile has at most, and one more: each has two steps at least.
const LEVELS: usize = BUFFER.ilog2() as usize + 1;

/// How an operand is walked through within a row, and from row to row.
pub(super) struct Way {
    row: Walk<LEVELS>,
    /// How many elements a row has.
    columns: usize,
    row_step: isize,
}

impl Default for Way {
    #[inline]
    fn default() -> Self {
        Self { row: Walk::EMPTY, columns: 1, row_step: 0 }
    }
}

impl Way {
    /// One more step around the others.
    fn push(&mut self, size: usize, stride: isize) {
        self.columns *= size;
        self.row.push((size, stride));
    }

    /// Calls `walk` with the steps through some rows, which may be shorter than others.
    #[inline]
    fn through(&mut self, rows: usize, columns: usize, walk: impl FnOnce(&[Steps])) {
        let Walk { steps, levels } = &mut self.row;
        let (last, whole) = (*levels - 1, steps[*levels - 1].0);
        if columns < self.columns {
            // Fewer steps of the outermost loop.
            steps[last].0 = whole * columns / self.columns;
        }
        if rows > 1 {
            steps[*levels] = (rows, self.row_step);
            walk(&steps[..=*levels]);
            steps[*levels] = (1, 0);
        } else {
            walk(&steps[..*levels]);
        }
        steps[last].0 = whole;
    }
}

/// The one operand that is a single element in all rows, if the loop takes it as it is.
pub(super) fn single<const N: usize>(stays: [bool; N]) -> Option<usize> {
    stays.iter().position(|&stays| takes_same(N) && stays)
}

/// What a loop over a tile reads of an operand.
#[derive(Clone, Copy)]
pub(super) struct Read<'a, T> {
    pub elements: &'a [T],
    /// From row to row, and from plane to plane.
    pub steps: [usize; 2],
    /// Whether a row stays at one element.
    pub stays: bool,
}

impl<T> Read<'_, T> {
    /// Where a row of a plane begins, if that is a number.
    #[inline(always)]
    pub(super) fn checked_place(&self, plane: usize, row: usize) -> Option<usize> {
        let [row_step, plane_step] = self.steps;
        plane.checked_mul(plane_step)?.checked_add(row.checked_mul(row_step)?)
    }

    /// Where a row of a plane begins.
    #[inline(always)]
    pub(super) fn place(&self, plane: usize, row: usize) -> usize {
        plane * self.steps[1] + row * self.steps[0]
    }
}

/// The elements of an operand from `start` on, spread out if it has to be.
#[inline]
pub(super) fn spread_out<'a, T: Copy>(
    source: &Source,
    elements: &'a [T],
    start: isize,
    slots: &'a mut Slots<T>,
) -> &'a [T] {
    match *source {
        Source::Rows | Source::Single => &elements[start as usize..],
        Source::SpreadOut(steps) => {
            blocks(elements, start, steps, slots);
            let len = steps.iter().map(|&(size, _)| size).product::<usize>();
            // SAFETY: `blocks` has written as many elements as the steps make.
            unsafe { slots[..len].assume_init_ref() }
        }
    }
}

/// Memory for what is gathered of one operand.
pub(super) type Slots<T> = [MaybeUninit<T>; BUFFER + WIDE];

/// One operand, and what of it was gathered last.
pub(super) struct Operand<'a, T> {
    elements: &'a [T],
    pub way: Way,
    slots: &'a mut Slots<T>,
    /// Where the elements in the buffer come from, and how many there are; for squares, where the
    /// square begins.
    held: (isize, usize),
    /// The rows of a square that lies across. It is empty or written to the end: a new one has no room for
    /// more than its first square.
    turned: Box<[MaybeUninit<T>]>,
}

impl<'a, T: Copy> Operand<'a, T> {
    #[inline]
    pub(super) fn new(elements: &'a [T], slots: &'a mut Slots<T>) -> Self {
        Self { elements, way: Way::default(), slots, held: (0, 0), turned: Box::default() }
    }

    /// Whether a row stays at one element.
    pub(super) fn stays(&self) -> bool {
        self.way.row.stays()
    }

    /// The elements of a tile that begins at `start`; one for each row where all are the same and
    /// `single`.
    #[inline]
    pub(super) fn tile(
        &mut self,
        start: isize,
        [rows, columns]: [usize; 2],
        single: bool,
    ) -> Read<'_, T> {
        let step = self.way.row_step;
        if single || self.way.row.is_piece() {
            // Steps are not negative where there are several rows.
            let step = if rows == 1 { 0 } else { step as usize };
            let len = step * (rows - 1) + if single { 1 } else { columns };
            let elements = &self.elements[start as usize..][..len];
            return Read { elements, steps: [step, 0], stays: single };
        }
        let rows = if step == 0 { 1 } else { rows };
        let len = rows * columns;
        if self.held.0 != start || self.held.1 < len {
            let (elements, slots) = (self.elements, &mut *self.slots);
            self.way.through(rows, columns, |steps| gather(elements, start, steps, slots));
            self.held = (start, len);
        }
        // SAFETY: `gather` has written `len` elements, or more, of which these are the first.
        let elements = unsafe { self.slots[..len].assume_init_ref() };
        Read { elements, steps: [if rows == 1 { 0 } else { columns }, 0], stays: false }
    }

    /// Gets ready for the rows of a square that begins at `start`.
    pub(super) fn enter_square(
        &mut self,
        start: isize,
        [rows, columns]: [usize; 2],
        [row_stride, stride]: [isize; 2],
    ) {
        self.held = (start, 0);
        if row_stride == 1 && stride > 1 {
            let source = &self.elements[start as usize..];
            if self.turned.len() < rows * columns {
                self.turned = Box::new_uninit_slice(rows * columns);
            }
            turn(source, stride as usize, [rows, columns], &mut self.turned);
        }
    }

    /// All rows of a square, if each lies in one piece, and none before another.
    #[inline]
    pub(super) fn square(
        &self,
        [rows, columns]: [usize; 2],
        [row_stride, stride]: [isize; 2],
    ) -> Option<Read<'_, T>> {
        let (elements, step) = if stride == 1 && row_stride >= 0 {
            (&self.elements[self.held.0 as usize..], row_stride as usize)
        } else if row_stride == 1 && stride > 1 {
            // SAFETY: what there is of it is written.
            (unsafe { self.turned[..rows * columns].assume_init_ref() }, columns)
        } else {
            return None;
        };
        Some(Read { elements, steps: [step, 0], stays: false })
    }

    /// Asks the memory for a row of a square, where it lies there in one piece.
    #[inline]
    pub(super) fn ask_for_row(&self, row: usize, columns: usize, [row_stride, stride]: [isize; 2]) {
        if stride == 1 {
            let start = self.held.0 + row as isize * row_stride;
            ask_for(&self.elements[start as usize..][..columns]);
        }
    }

    /// A row of a square.
    #[inline]
    pub(super) fn row(
        &mut self,
        row: usize,
        columns: usize,
        [row_stride, stride]: [isize; 2],
    ) -> Read<'_, T> {
        let start = self.held.0 + row as isize * row_stride;
        if stride == 1 {
            let elements = &self.elements[start as usize..][..columns];
            return Read { elements, steps: [0; 2], stays: false };
        }
        let row = if row_stride == 1 && stride > 1 {
            &self.turned[row * columns..]
        } else {
            gather(self.elements, start, &[(columns, stride)], self.slots);
            &self.slots[..]
        };
        // SAFETY: what there is of `turned` is written, and `gather` has written these.
        let elements = unsafe { row[..columns].assume_init_ref() };
        Read { elements, steps: [0; 2], stays: false }
    }
}

/// Squares of the innermost loop and the loop `rows`.
pub(super) struct Squares<const N: usize> {
    start: [isize; N],
    columns: Loop<N>,
    rows: Loop<N>,
    /// From one row of the results to the next.
    pub(super) row_of_results: usize,
    /// The other loops, with the stride of the results behind those of the operands.
    outer: SmallVec<[(Loop<N>, usize); 8]>,
}

impl<const N: usize> Squares<N> {
    fn of(loops: &[Loop<N>], start: [isize; N], level: usize) -> Self {
        let mut step = 1;
        let mut row_of_results = 0;
        let mut outer = SmallVec::new();
        for (index, lap) in loops.iter().enumerate() {
            if index == level {
                row_of_results = step;
            } else if index > 0 {
                outer.push((*lap, step));
            }
            step *= lap.size;
        }
        let (columns, rows) = (loops[0], loops[level]);
        Self { start, columns, rows, row_of_results, outer }
    }

    /// The strides of operand `k` from row to row and from column to column.
    pub(super) fn strides(&self, k: usize) -> [isize; 2] {
        [self.rows.strides[k], self.columns.strides[k]]
    }

    /// Calls `square` for each square, with the places of the operands, the place of the first
    /// result, and the numbers of rows and columns.
    pub(super) fn for_each(&self, mut square: impl FnMut([isize; N], usize, [usize; 2])) {
        self.around(&self.outer, self.start, 0, &mut |place, result| {
            for row in (0..self.rows.size).step_by(SIDE) {
                let rows = SIDE.min(self.rows.size - row);
                let place = self.rows.after(row, place);
                for column in (0..self.columns.size).step_by(SIDE) {
                    let columns = SIDE.min(self.columns.size - column);
                    let result = result + row * self.row_of_results + column;
                    square(self.columns.after(column, place), result, [rows, columns]);
                }
            }
        });
    }

    fn around(
        &self,
        outer: &[(Loop<N>, usize)],
        place: [isize; N],
        result: usize,
        block: &mut impl FnMut([isize; N], usize),
    ) {
        let [inner @ .., (lap, step)] = outer else { return block(place, result) };
        for index in 0..lap.size {
            self.around(inner, lap.after(index, place), result + index * step, block);
        }
    }
}
