//! Results in tiles: how operands that stretch, or that lie apart, meet in pieces that are small
//! enough to stay in the cache.
//!
//! Within a tile every operand is one slice. An operand that lies in one piece is read where it is;
//! another one is gathered into a buffer, once for all the tiles that need the same elements of it.
//! So no operand is ever copied out as a whole, and the loop over a tile is the same for every way
//! in which shapes meet.

use core::mem::MaybeUninit;

use smallvec::SmallVec;

use super::gather::{Steps, WIDE, gather, turn, turned_row};
use crate::plan::{Loop, Nest};

/// The elements of a buffer.
pub(super) const BUFFER: usize = 1024;

/// Rows of operands that lie in one piece are taken as they are from this length on.
const LONG: usize = 128;

/// The sides of a tile that is read by columns: two megabytes of the cache hold some of them, and
/// the memory is read and written in runs of a kilobyte.
const SIDE: usize = 256;

/// How the results are cut into tiles.
pub(super) enum Tiles<const N: usize> {
    /// Pieces of the results as they lie in memory.
    Rows(Rows<N>),
    /// Squares of the innermost loop and another one, along which an operand lies closer together.
    Squares(Squares<N>),
}

impl<const N: usize> Tiles<N> {
    /// The tiles for nested loops over more than one element.
    pub(super) fn of(nest: &Nest<N>) -> Self {
        let rows = Rows::of(nest);
        match closer_loop(nest) {
            Some(level) if level >= rows.inner.len() && rows.inner.len() < nest.loops.len() => {
                Self::Squares(Squares::of(nest, level))
            }
            _ => Self::Rows(rows),
        }
    }
}

/// The loop along which an operand lies much closer together than along the innermost one.
fn closer_loop<const N: usize>(nest: &Nest<N>) -> Option<usize> {
    let [inner, outer @ ..] = &nest.loops[..] else { return None };
    let operand = (0..N).max_by_key(|&k| inner.strides[k].unsigned_abs())?;
    let steps = |lap: &Loop<N>| lap.strides[operand].unsigned_abs();
    let moving = outer.iter().enumerate().filter(|(_, lap)| steps(lap) > 0);
    let (level, closest) = moving.min_by_key(|(_, lap)| steps(lap))?;
    let pays = steps(inner) > 1 && steps(closest) < steps(inner);
    (pays && inner.size >= 4 && closest.size >= 4).then_some(level + 1)
}

/// Tiles of all elements of the innermost loops and some steps of the next one.
pub(super) struct Rows<const N: usize> {
    start: [isize; N],
    /// The loops that a tile holds as a whole.
    inner: SmallVec<[Loop<N>; 4]>,
    /// The elements of one step of `next`.
    block: usize,
    /// The loop of which a tile holds some steps,
    next: Loop<N>,
    /// that is, so many.
    together: usize,
    outer: SmallVec<[Loop<N>; 8]>,
}

impl<const N: usize> Rows<N> {
    fn of(nest: &Nest<N>) -> Self {
        let (mut levels, mut block, mut most) = (0, 1, BUFFER);
        match nest.loops.first() {
            // Nothing has to be gathered.
            Some(first) if first.size >= LONG && in_pieces(first) => most = first.size,
            _ => {}
        }
        for lap in &nest.loops {
            if block * lap.size > most {
                break;
            }
            block *= lap.size;
            levels += 1;
        }
        let next = nest.loops.get(levels).copied().unwrap_or(Loop::ONCE);
        // As many tiles as necessary, all of about the same size.
        let tiles = next.size.div_ceil(most / block);
        Self {
            start: nest.start,
            inner: SmallVec::from_slice(&nest.loops[..levels]),
            block,
            next,
            together: next.size.div_ceil(tiles),
            outer: nest.loops.iter().skip(levels + 1).copied().collect(),
        }
    }

    /// The way of operand `k` through a tile.
    pub(super) fn way(&self, k: usize) -> Way {
        let mut steps: SmallVec<[Steps; 4]> = SmallVec::new();
        for lap in &self.inner {
            push(&mut steps, (lap.size, lap.strides[k]));
        }
        let (mut unit, mut stride) = (1, self.next.strides[k]);
        if let Some(&(size, step)) = steps.last()
            && (self.together == 1 || stride == step * size as isize)
        {
            steps.pop();
            (unit, stride) = (size, step);
        }
        Way { steps, unit, stride, block: self.block }
    }

    /// Calls `tile` for each tile in row-major order, with the places of the operands and the
    /// number of elements.
    pub(super) fn for_each(&self, mut tile: impl FnMut([isize; N], usize)) {
        crate::plan::odometer(&self.outer, self.start, &mut |place| {
            for step in (0..self.next.size).step_by(self.together) {
                let count = self.together.min(self.next.size - step);
                tile(self.next.after(step, place), count * self.block);
            }
        });
    }
}

/// Whether a loop over one or two operands takes an element that stays the same as it is. A loop
/// over more of them does not: there would be too many ways to combine.
const fn takes_same(operands: usize) -> bool {
    operands <= 2
}

/// Whether all operands lie in one piece along a loop, but for one that may stay the same.
pub(super) fn in_pieces<const N: usize>(lap: &Loop<N>) -> bool {
    let moving = lap.strides.iter().filter(|&&stride| stride == 1).count();
    let staying = lap.strides.iter().filter(|&&stride| stride == 0).count();
    moving == N || (takes_same(N) && moving == N - 1 && staying == 1)
}

/// One more step around others, joined with them where it goes on as they end.
fn push(steps: &mut SmallVec<[Steps; 4]>, (size, stride): Steps) {
    match steps.last_mut() {
        Some((inner, step)) if stride == *step * *inner as isize => *inner *= size,
        _ => steps.push((size, stride)),
    }
}

/// How an operand is walked through within a tile: `steps`, and around them `unit` steps of
/// `stride` for each `block` of elements.
#[derive(Default)]
pub(super) struct Way {
    steps: SmallVec<[Steps; 4]>,
    unit: usize,
    stride: isize,
    block: usize,
}

/// The one operand that is a single element in all tiles, if the loop takes it as it is.
pub(super) fn single<const N: usize>(stays: [bool; N]) -> Option<usize> {
    stays.iter().position(|&stays| takes_same(N) && stays)
}

/// One operand, and the tile of it that was gathered last.
pub(super) struct Operand<'a, T> {
    elements: &'a [T],
    way: Way,
    slots: [MaybeUninit<T>; BUFFER + WIDE],
    /// Where the elements in the buffer come from, and how many there are; for squares, where the
    /// square begins, and its rows.
    held: (isize, usize),
    /// A square that is read by columns.
    turned: Vec<T>,
}

impl<'a, T: Copy> Operand<'a, T> {
    pub(super) fn new(elements: &'a [T], way: Way) -> Self {
        Self {
            elements,
            way,
            slots: [const { MaybeUninit::uninit() }; BUFFER + WIDE],
            held: (0, 0),
            turned: Vec::new(),
        }
    }

    /// Whether a tile stays at one element.
    pub(super) fn stays(&self) -> bool {
        self.way.steps.is_empty() && self.way.stride == 0
    }

    /// The elements of a tile of `len` elements that begins at `start`; one element where all are
    /// the same and `single`.
    #[inline]
    pub(super) fn tile(&mut self, start: isize, len: usize, single: bool) -> &[T] {
        if single {
            return core::slice::from_ref(&self.elements[start as usize]);
        }
        if self.way.steps.is_empty() && self.way.stride == 1 {
            return &self.elements[start as usize..][..len];
        }
        if self.held.0 != start || self.held.1 < len {
            let Way { steps, unit, stride, block } = &mut self.way;
            let count = *unit * (len / *block);
            if count > 1 {
                steps.push((count, *stride));
            }
            gather(self.elements, start, steps, &mut self.slots);
            if count > 1 {
                steps.pop();
            }
            self.held = (start, len);
        }
        // SAFETY: `gather` has written as many elements as its steps lead to, which are `len` or, for
        // the tile that is still held, more.
        unsafe { self.slots[..len].assume_init_ref() }
    }

    /// Gets ready for the rows of a square that begins at `start`.
    pub(super) fn enter_square(
        &mut self,
        start: isize,
        [rows, columns]: [usize; 2],
        [row_stride, stride]: [isize; 2],
    ) {
        self.held = (start, rows);
        if row_stride == 1 && stride > 1 {
            let source = &self.elements[start as usize..];
            turn(source, stride as usize, [rows, columns], &mut self.turned);
        }
    }

    /// A row of a square.
    #[inline]
    pub(super) fn row(
        &mut self,
        row: usize,
        columns: usize,
        [row_stride, stride]: [isize; 2],
    ) -> &[T] {
        let (start, rows) = self.held;
        let start = start + row as isize * row_stride;
        if stride == 1 {
            return &self.elements[start as usize..][..columns];
        }
        if row_stride == 1 && stride > 1 {
            turned_row(&self.turned, (row, rows), columns, &mut self.slots);
        } else {
            gather(self.elements, start, &[(columns, stride)], &mut self.slots);
        }
        // SAFETY: both have written `columns` elements or more.
        unsafe { self.slots[..columns].assume_init_ref() }
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
    fn of(nest: &Nest<N>, level: usize) -> Self {
        let mut step = 1;
        let mut row_of_results = 0;
        let mut outer = SmallVec::new();
        for (index, lap) in nest.loops.iter().enumerate() {
            if index == level {
                row_of_results = step;
            } else if index > 0 {
                outer.push((*lap, step));
            }
            step *= lap.size;
        }
        let (columns, rows) = (nest.loops[0], nest.loops[level]);
        Self { start: nest.start, columns, rows, row_of_results, outer }
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
