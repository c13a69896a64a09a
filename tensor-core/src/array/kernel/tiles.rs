//! Results in tiles: how operands that stretch, or that lie apart, meet in pieces that are small
//! enough to stay in the cache.
//!
//! Within a tile every operand is one slice. An operand that lies in one piece is read where it is;
//! another one is gathered into a buffer, once for all the tiles that need the same elements of it.
//! So no large operand is ever copied out as a whole, and the loop over a tile is the same for every way
//! in which shapes meet.

use core::mem::MaybeUninit;

use smallvec::SmallVec;

use super::pack::{BUFFER, PACK_PADDING, blocks, pack_strided};
use super::prefetch::prefetch;
use super::transpose::transpose_into;
use crate::array::layout::UntypedView;
use crate::array::plan::{CountStride, Loop, OperandSource, StridedWalk};

/// Rows of as many elements are taken one by one, where that spares gathering.
const LONG: usize = 32;

/// Rows begin a multiple of so many elements apart if there is a choice: vectors then do not cross the
/// borders of cache lines.
const LINE: usize = 64;

/// The sides of a tile that is read by columns: two megabytes of the cache hold some of them, and
/// the memory is read and written in runs of a kilobyte.
const BLOCK_SIDE: usize = 256;

/// How the results are cut into tiles.
pub(super) enum Tiling<'a, const N: usize> {
    /// Pieces of the results as they lie in memory.
    Rows(Rows<'a, N>),
    /// Squares of the innermost loop and another one, along which an operand lies closer together.
    TransposeBlocks(TransposeBlocks<N>),
}

impl<'a, const N: usize> Tiling<'a, N> {
    /// The tiles for nested loops over more than one element; rows if the results are to be written in
    /// their order.
    pub(super) fn new(loops: &'a [Loop<N>], start: [isize; N], in_order: bool) -> Self {
        let (levels, block) = inner_loops(loops);
        match smallest_stride_loop(loops) {
            Some(level) if level >= levels && levels < loops.len() && !in_order => {
                Self::TransposeBlocks(TransposeBlocks::of(loops, start, level))
            }
            _ => Self::Rows(Rows::of(loops, levels, block, start)),
        }
    }
}

/// How many loops a row holds as a whole, and how many elements they have.
fn inner_loops<const N: usize>(loops: &[Loop<N>]) -> (usize, usize) {
    match loops.first() {
        // Nothing has to be gathered.
        Some(first) if first.size >= LONG && is_unit_stride(first) => return (1, first.size),
        _ => {}
    }
    let (mut levels, mut block) = (0, 1);
    for dim in loops {
        if block * dim.size > BUFFER {
            break;
        }
        block *= dim.size;
        levels += 1;
    }
    (levels, block)
}

/// The loop along which an operand lies much closer together than along the innermost one.
fn smallest_stride_loop<const N: usize>(loops: &[Loop<N>]) -> Option<usize> {
    let [inner, outer @ ..] = loops else { return None };
    let operand = (0..N).max_by_key(|&k| inner.strides[k].unsigned_abs())?;
    let steps = |dim: &Loop<N>| dim.strides[operand].unsigned_abs();
    let moving = outer.iter().enumerate().filter(|(_, dim)| steps(dim) > 0);
    let (level, closest) = moving.min_by_key(|(_, dim)| steps(dim))?;
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
        if rows.repacks_per_row() {
            if block >= LONG {
                rows.unit = 1;
            }
            if rows.repacks_per_row() {
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
    fn repacks_per_row(&self) -> bool {
        let mut gathers = false;
        for k in 0..N {
            let mut step = 1;
            let (mut is_broadcast, mut is_contiguous) = (true, true);
            let mut goes = |size: usize, stride: isize| {
                is_broadcast &= stride == 0;
                is_contiguous &= stride == step;
                step *= size as isize;
            };
            for dim in self.inner {
                goes(dim.size, dim.strides[k]);
            }
            let stride = self.next.strides[k];
            if self.unit > 1 {
                goes(self.unit, stride);
            }
            gathers |= !is_broadcast && stride != 0 && !is_contiguous;
        }
        gathers
    }

    /// Finds the way of operand `k` through a row.
    pub(super) fn walk(&self, k: usize, walk: &mut RowWalk) {
        for dim in self.inner {
            walk.push(dim.size, dim.strides[k]);
        }
        if self.unit > 1 {
            walk.push(self.unit, self.next.strides[k]);
        }
        walk.row_step = self.next.strides[k] * self.unit as isize;
    }

    /// Calls `tile` for each tile in row-major order, with the places of the operands and the
    /// numbers of rows and columns.
    pub(super) fn for_each(&self, mut tile: impl FnMut([isize; N], [usize; 2])) {
        let whole = self.next.size / self.unit;
        let rest = self.next.size % self.unit;
        crate::array::plan::for_each_index(self.outer, self.start, &mut |place| {
            let mut row = 0;
            while row < whole {
                let rows = self.rows.min(whole - row);
                tile(self.next.advance(row * self.unit, place), [rows, self.columns()]);
                row += rows;
            }
            if rest > 0 {
                tile(self.next.advance(whole * self.unit, place), [1, self.block * rest]);
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

/// Whether every operand is contiguous along a loop, or stays at one element.
pub(super) fn is_unit_stride<const N: usize>(dim: &Loop<N>) -> bool {
    dim.strides.iter().all(|&stride| stride == 0 || stride == 1)
}

/// How many loops a tile has at most, and one more: each has two steps at least.
const LEVELS: usize = BUFFER.ilog2() as usize + 1;

/// How an operand is walked through within a row, and from row to row.
pub(super) struct RowWalk {
    row: StridedWalk<LEVELS>,
    /// How many elements a row has.
    columns: usize,
    row_step: isize,
}

impl Default for RowWalk {
    #[inline]
    fn default() -> Self {
        Self { row: StridedWalk::EMPTY, columns: 1, row_step: 0 }
    }
}

impl RowWalk {
    /// One more step around the others.
    fn push(&mut self, size: usize, stride: isize) {
        self.columns *= size;
        self.row.push((size, stride));
    }

    /// Calls `walk` with the steps through some rows, which may be shorter than others.
    #[inline]
    fn through(&mut self, rows: usize, columns: usize, walk: impl FnOnce(&[CountStride])) {
        let StridedWalk { steps, levels } = &mut self.row;
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

/// The elements of one operand, from the start of its storage on.
#[derive(Clone, Copy)]
pub(super) struct RawOperand {
    pub first: *const u8,
    /// How many elements there are.
    pub len: usize,
}

// SAFETY: the elements are numbers, which several threads may read.
unsafe impl Send for RawOperand {}
// SAFETY: as above.
unsafe impl Sync for RawOperand {}

impl From<UntypedView<'_>> for RawOperand {
    fn from(view: UntypedView<'_>) -> Self {
        Self { first: view.first, len: view.len }
    }
}

impl RawOperand {
    /// The elements as bits.
    ///
    /// # Safety
    ///
    /// They have the size of `B`, an alignment that serves it, and outlive what is made of them.
    unsafe fn bits<'a, B>(self) -> &'a [B] {
        // SAFETY: as the caller promises; there are `len` initialised elements.
        unsafe { core::slice::from_raw_parts(self.first.cast(), self.len) }
    }
}

/// Runs `$work` with `$B` an integer of as many bytes as an element has.
macro_rules! with_bits {
    ($bytes:expr, $B:ident => $work:expr) => {
        match $bytes {
            1 => {
                type $B = u8;
                $work
            }
            2 => {
                type $B = u16;
                $work
            }
            4 => {
                type $B = u32;
                $work
            }
            8 => {
                type $B = u64;
                $work
            }
            bytes => unreachable!("elements of {bytes} bytes"),
        }
    };
}

/// What an inner loop reads of an operand: rows from an element on.
#[derive(Clone, Copy)]
pub(super) struct TileView {
    pub first: *const u8,
    /// How many elements there are from `first` on.
    pub len: usize,
    /// From row to row, and from plane to plane, in elements.
    pub strides: [usize; 2],
    /// Whether a row repeats one element.
    pub is_splat: bool,
}

impl TileView {
    /// Contiguous elements from `first` on.
    fn contiguous(first: *const u8, len: usize) -> Self {
        Self { first, len, strides: [0; 2], is_splat: false }
    }

    /// The elements of an operand from `start` on.
    fn from(operand: RawOperand, bytes: usize, start: isize) -> Self {
        let start = usize::try_from(start).ok().filter(|&start| start <= operand.len);
        let start = start.expect("an operand begins within its elements");
        Self::contiguous(operand.first.wrapping_add(start * bytes), operand.len - start)
    }

    /// The offset of a row of a plane, unless it overflows.
    #[inline(always)]
    pub(super) fn checked_offset(&self, plane: usize, row: usize) -> Option<usize> {
        let [row_stride, plane_stride] = self.strides;
        plane.checked_mul(plane_stride)?.checked_add(row.checked_mul(row_stride)?)
    }
}

/// Memory for the packed elements of one operand, of any size up to eight bytes.
pub(super) struct Scratch([MaybeUninit<u64>; BUFFER + PACK_PADDING]);

impl Scratch {
    pub(super) const UNINIT: Self = Self([const { MaybeUninit::uninit() }; _]);

    /// The memory for elements of type `B`.
    fn slots<B>(&mut self) -> &mut [MaybeUninit<B>] {
        const { assert!(size_of::<B>() <= 8 && align_of::<B>() <= 8) };
        // SAFETY: there is room for as many elements of eight bytes, and anything is valid.
        unsafe { core::slice::from_raw_parts_mut(self.0.as_mut_ptr().cast(), self.0.len()) }
    }

    fn first(&self) -> *const u8 {
        self.0.as_ptr().cast()
    }
}

/// The elements of an operand from `start` on, materialised if the plan says so.
#[inline]
pub(super) fn materialize_operand(
    source: &OperandSource,
    operand: &RawOperand,
    bytes: usize,
    start: isize,
    scratch: &mut Scratch,
) -> TileView {
    match *source {
        OperandSource::Rows | OperandSource::Single => TileView::from(*operand, bytes, start),
        OperandSource::Materialized(steps) => {
            with_bits!(bytes, B => {
                // SAFETY: the elements have this size, and are as aligned as integers of it.
                blocks(unsafe { operand.bits::<B>() }, start, steps, scratch.slots::<B>())
            });
            let len = steps.iter().map(|&(size, _)| size).product::<usize>();
            TileView::contiguous(scratch.first(), len)
        }
    }
}

/// One operand, and which of its elements were packed last.
pub(super) struct TileOperand<'a> {
    operand: RawOperand,
    bytes: usize,
    pub walk: RowWalk,
    scratch: &'a mut Scratch,
    /// Where the packed elements come from, and how many there are; for transposed blocks, where the
    /// block begins.
    held: (isize, usize),
    /// The rows of a transposed block, as many bytes as it has or more.
    transposed: Vec<MaybeUninit<u64>>,
}

impl<'a> TileOperand<'a> {
    #[inline]
    pub(super) fn new(operand: RawOperand, bytes: usize, scratch: &'a mut Scratch) -> Self {
        let walk = RowWalk::default();
        Self { operand, bytes, walk, scratch, held: (0, 0), transposed: Vec::new() }
    }

    /// The elements of a tile that begins at `start`; one for each row where it is a splat.
    #[inline]
    pub(super) fn tile(&mut self, start: isize, [rows, columns]: [usize; 2]) -> TileView {
        let step = self.walk.row_step;
        let is_splat = self.walk.row.is_broadcast();
        if is_splat || self.walk.row.is_contiguous() {
            // Steps are not negative where there are several rows.
            let step = if rows == 1 { 0 } else { step as usize };
            let view = TileView::from(self.operand, self.bytes, start);
            return TileView { strides: [step, 0], is_splat, ..view };
        }
        let rows = if step == 0 { 1 } else { rows };
        let len = rows * columns;
        if self.held.0 != start || self.held.1 < len {
            let (operand, scratch) = (self.operand, &mut *self.scratch);
            self.walk.through(rows, columns, |steps| {
                with_bits!(self.bytes, B => {
                    // SAFETY: the elements have this size, and are as aligned as integers of it.
                    pack_strided(unsafe { operand.bits::<B>() }, start, steps, scratch.slots::<B>());
                });
            });
            self.held = (start, len);
        }
        let view = TileView::contiguous(self.scratch.first(), len);
        TileView { strides: [if rows == 1 { 0 } else { columns }, 0], ..view }
    }

    /// Gets ready for the rows of a block that begins at `start`, and transposes it if its columns are
    /// contiguous.
    pub(super) fn load_block(
        &mut self,
        start: isize,
        [rows, columns]: [usize; 2],
        [row_stride, stride]: [isize; 2],
    ) {
        self.held = (start, 0);
        if row_stride == 1 && stride > 1 {
            let len = rows * columns;
            self.transposed.resize((len * self.bytes).div_ceil(8), MaybeUninit::uninit());
            with_bits!(self.bytes, B => {
                // SAFETY: the elements have this size, and are as aligned as integers of it.
                let source = unsafe { &self.operand.bits::<B>()[start as usize..] };
                // SAFETY: there are as many bytes, aligned for eight, and anything is valid.
                let out = unsafe {
                    core::slice::from_raw_parts_mut(self.transposed.as_mut_ptr().cast(), len)
                };
                transpose_into::<B>(source, stride as usize, [rows, columns], out);
            });
        }
    }

    /// All rows of a block, if each is contiguous, and none before another.
    #[inline]
    pub(super) fn block_view(
        &self,
        [rows, columns]: [usize; 2],
        [row_stride, stride]: [isize; 2],
    ) -> Option<TileView> {
        let (view, step) = if stride == 1 && row_stride >= 0 {
            (TileView::from(self.operand, self.bytes, self.held.0), row_stride as usize)
        } else if row_stride == 1 && stride > 1 {
            (TileView::contiguous(self.transposed.as_ptr().cast(), rows * columns), columns)
        } else {
            return None;
        };
        Some(TileView { strides: [step, 0], ..view })
    }

    /// Prefetches a row of a block, where it is contiguous in the operand.
    #[inline]
    pub(super) fn prefetch_row(
        &self,
        row: usize,
        columns: usize,
        [row_stride, stride]: [isize; 2],
    ) {
        if stride == 1 {
            let start = self.held.0 + row as isize * row_stride;
            let first = self.operand.first.wrapping_offset(start * self.bytes as isize);
            prefetch(first, columns * self.bytes);
        }
    }

    /// A row of a block.
    #[inline]
    pub(super) fn row(
        &mut self,
        row: usize,
        columns: usize,
        [row_stride, stride]: [isize; 2],
    ) -> TileView {
        let start = self.held.0 + row as isize * row_stride;
        if stride == 1 {
            return TileView::from(self.operand, self.bytes, start);
        }
        if stride == 0 {
            return TileView { is_splat: true, ..TileView::from(self.operand, self.bytes, start) };
        }
        if row_stride == 1 && stride > 1 {
            let first = self.transposed.as_ptr().cast::<u8>();
            return TileView::contiguous(first.wrapping_add(row * columns * self.bytes), columns);
        }
        with_bits!(self.bytes, B => {
            // SAFETY: the elements have this size, and are as aligned as integers of it.
            let source = unsafe { self.operand.bits::<B>() };
            pack_strided(source, start, &[(columns, stride)], self.scratch.slots::<B>());
        });
        TileView::contiguous(self.scratch.first(), columns)
    }
}

/// Squares of the innermost loop and the loop `rows`.
pub(super) struct TransposeBlocks<const N: usize> {
    start: [isize; N],
    columns: Loop<N>,
    rows: Loop<N>,
    /// From one row of the results to the next.
    pub(super) out_row_stride: usize,
    /// The other loops, with the stride of the results behind those of the operands.
    outer: SmallVec<[(Loop<N>, usize); 8]>,
}

impl<const N: usize> TransposeBlocks<N> {
    fn of(loops: &[Loop<N>], start: [isize; N], level: usize) -> Self {
        let mut step = 1;
        let mut out_row_stride = 0;
        let mut outer = SmallVec::new();
        for (index, dim) in loops.iter().enumerate() {
            if index == level {
                out_row_stride = step;
            } else if index > 0 {
                outer.push((*dim, step));
            }
            step *= dim.size;
        }
        let (columns, rows) = (loops[0], loops[level]);
        Self { start, columns, rows, out_row_stride, outer }
    }

    /// The strides of operand `k` from row to row and from column to column.
    pub(super) fn strides(&self, k: usize) -> [isize; 2] {
        [self.rows.strides[k], self.columns.strides[k]]
    }

    /// Calls `block_view` for each square, with the places of the operands, the place of the first
    /// result, and the numbers of rows and columns.
    pub(super) fn for_each(&self, mut block_view: impl FnMut([isize; N], usize, [usize; 2])) {
        self.for_each_outer(&self.outer, self.start, 0, &mut |place, result| {
            for row in (0..self.rows.size).step_by(BLOCK_SIDE) {
                let rows = BLOCK_SIDE.min(self.rows.size - row);
                let place = self.rows.advance(row, place);
                for column in (0..self.columns.size).step_by(BLOCK_SIDE) {
                    let columns = BLOCK_SIDE.min(self.columns.size - column);
                    let result = result + row * self.out_row_stride + column;
                    block_view(self.columns.advance(column, place), result, [rows, columns]);
                }
            }
        });
    }

    fn for_each_outer(
        &self,
        outer: &[(Loop<N>, usize)],
        place: [isize; N],
        result: usize,
        block: &mut impl FnMut([isize; N], usize),
    ) {
        let [inner @ .., (dim, step)] = outer else { return block(place, result) };
        for index in 0..dim.size {
            self.for_each_outer(inner, dim.advance(index, place), result + index * step, block);
        }
    }
}
