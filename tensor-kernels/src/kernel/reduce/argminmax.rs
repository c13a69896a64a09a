//! Argmax and argmin: the index of the first maximum or minimum, or of the first NaN.
//!
//! The maximum is computed first, by its [reduction](super), and then its index. Both are vectorised
//! loops, and the second one often ends early.

use core::hint::black_box;
use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::contiguous::BLOCK;
use super::loops::{LoopElement, RawLines, RawRows, ReduceLoops, Widening};
use super::lowered::Lowered;
use super::outer::{ROWS, Rows};
use super::pairwise::reduce_slice;
use super::strided::{StridedChunk, gather};
use super::{
    Accumulators, ErasedReduction, NARROW, ReduceKernel, WIDTH, reduce_all, reduce_columns,
};
use crate::element::Number;
use crate::kernel::axis_lanes::AxisLanes;
use crate::kernel::erased::Results;
use crate::kernel::isa_fns::{IsaFns, isa_fns};
use crate::kernel::raw_view::RawView;
use crate::kernel::transpose::transpose_erased;
use crate::kernel::typed::Typed;
use crate::plan::{Loop, Loops};

/// Whether an element is the maximum, which is NaN if some element is.
#[inline(always)]
fn is_min_or_max<T: Number>(element: T, extreme: T) -> bool {
    (element == extreme) | (element.is_nan() & extreme.is_nan())
}

/// The index of the first maximum of some contiguous elements; their number if there is none.
///
/// # Safety
///
/// There are that many initialised elements of the function's type, and an initialised maximum.
type FindFn = unsafe fn(*const u8, usize, *const u8) -> usize;

/// Writes for each column the first row that has the maximum of the column; columns without such a row
/// keep their index.
///
/// # Safety
///
/// Each row has initialised elements of the function's type; there are a maximum and an index for each
/// column, and the indices do not overlap the rest; there are at most `u32::MAX` rows.
type FindRowsFn = unsafe fn(RawRows, *const u8, *mut u32);

/// Merges the maxima of a block of rows, with their indices, which count from its first row, into those
/// of the rows before: takes them where they exceed those.
///
/// # Safety
///
/// There are that many maxima and indices, and those of the block do not overlap those before.
type MergeFn = unsafe fn(&ReduceLoops, ColumnExtremes, BlockColumns);

/// The maxima of columns so far, with their indices.
#[derive(Clone, Copy)]
struct ColumnExtremes {
    extremes: *mut u8,
    indices: *mut u32,
    count: usize,
}

/// The maxima of a block of rows, with their indices, and its first row.
#[derive(Clone, Copy)]
struct BlockColumns {
    extremes: *mut u8,
    indices: *const u32,
    first: u32,
}

/// The search for the index of the maximum, from the table of operations.
#[derive(Clone, Copy)]
pub(crate) struct ArgKernel {
    /// The reduction to the maximum.
    loops: ReduceLoops,
    find: IsaFns<FindFn>,
    find_rows: IsaFns<FindRowsFn>,
    merge: MergeFn,
    widening: Option<&'static Widening>,
}

/// The loops of an element type.
struct Find<T>(PhantomData<T>);

impl<T: LoopElement> Find<T> {
    const FIND: IsaFns<FindFn> = if T::AVX512 { find::all::<T>() } else { find::up_to_avx2::<T>() };
    const FIND_ROWS: IsaFns<FindRowsFn> =
        if T::AVX512 { find_rows::all::<T>() } else { find_rows::up_to_avx2::<T>() };
}

impl ArgKernel {
    const fn new<T: Lowered>(loops: ReduceLoops) -> Typed<Self, T, i64> {
        let kernel = Self {
            loops,
            find: Find::<T::Loop>::FIND,
            find_rows: Find::<T::Loop>::FIND_ROWS,
            merge: merge::<T::Loop>,
            widening: T::WIDENING,
        };
        // SAFETY: the loops and functions are for type `T`, and the results are indices.
        unsafe { Typed::new(kernel) }
    }

    /// The index of the largest element.
    pub(crate) const fn max<T: Lowered>() -> Typed<Self, T, i64> {
        Self::new::<T>(ReduceKernel::max::<T>().get().loops)
    }

    /// The index of the smallest element.
    pub(crate) const fn min<T: Lowered>() -> Typed<Self, T, i64> {
        Self::new::<T>(ReduceKernel::min::<T>().get().loops)
    }

    /// The index of the first maximum in contiguous elements; their number if there is none.
    ///
    /// # Safety
    ///
    /// There are that many initialised elements of the kernel, and an initialised maximum.
    unsafe fn find(&self, first: *const u8, len: usize, extreme: *const u8) -> usize {
        let find = self.find.best();
        let Some(widening) = self.widening else {
            // SAFETY: the caller promises the elements and the maximum.
            return unsafe { find(first, len, extreme) };
        };
        let mut buffer = [const { MaybeUninit::<f32>::uninit() }; CHUNK];
        let wide = buffer.as_mut_ptr().cast::<f32>();
        for done in (0..len).step_by(CHUNK) {
            let count = CHUNK.min(len - done);
            // SAFETY: the elements are within the slice, and the buffer has room for them.
            let found = unsafe {
                (widening.widen.best())(first.add(done * self.loops.element), count, wide);
                find(wide.cast(), count, extreme)
            };
            if found < count {
                return done + found;
            }
        }
        len
    }

    /// The first row of a block that has the maximum of its column, for all columns.
    ///
    /// # Safety
    ///
    /// See [`FindRowsFn`].
    unsafe fn find_rows(&self, rows: RawRows, extremes: *const u8, indices: *mut u32) {
        let find_rows = self.find_rows.best();
        let Some(widening) = self.widening else {
            // SAFETY: the caller promises the rows, the maxima and the indices.
            return unsafe { find_rows(rows, extremes, indices) };
        };
        const COLUMNS: usize = 64;
        assert!(rows.count <= ROWS, "a block of rows");
        let mut buffer = [const { MaybeUninit::<f32>::uninit() }; ROWS * COLUMNS];
        let wide = buffer.as_mut_ptr().cast::<f32>();
        for column in (0..rows.width).step_by(COLUMNS) {
            let width = COLUMNS.min(rows.width - column);
            for row in 0..rows.count {
                let elements = row as isize * rows.stride + column as isize;
                // SAFETY: the elements are those of a row; `count * width` is at most the size of the buffer.
                unsafe {
                    let elements = rows.first.offset(elements * self.loops.element as isize);
                    (widening.widen.best())(elements, width, wide.add(row * width));
                }
            }
            let stride = width as isize;
            // SAFETY: the rows were written above; each column has a maximum and an index.
            unsafe {
                let rows = RawRows { first: wide.cast(), stride, count: rows.count, width };
                let extremes = extremes.add(column * self.loops.accumulator);
                find_rows(rows, extremes, indices.add(column));
            }
        }
    }

    /// The index of the maximum of contiguous elements.
    ///
    /// # Safety
    ///
    /// There are that many initialised elements of the kernel, at least one.
    unsafe fn arg_slice(&self, first: *const u8, len: usize) -> i64 {
        // SAFETY: the caller promises the elements, at least one, for both calls.
        let index = unsafe {
            let extreme = reduce_slice(&self.loops, first, len);
            self.find(first, len, extreme.as_ptr())
        };
        assert!(index < len, "an element is the maximum");
        index as i64
    }
}

/// The number of elements that are widened or packed at a time.
const CHUNK: usize = 256;

isa_fns! {
    /// [`FindFn`]
    unsafe fn find[T: LoopElement](_isa, first: *const u8, len: usize, extreme: *const u8) -> usize as FindFn {
        // SAFETY: there are `len` elements, and a maximum, as the caller promises.
        let (elements, extreme) = unsafe {
            (core::slice::from_raw_parts(first.cast::<T>(), len), extreme.cast::<T>().read())
        };
        let mut before = 0;
        for chunk in elements.chunks(64) {
            let mut found = false;
            for &element in chunk {
                found |= is_min_or_max(element, extreme);
            }
            if found {
                break;
            }
            before += chunk.len();
        }
        let mut rest = elements[before..].iter();
        before + rest.position(|&x| is_min_or_max(x, extreme)).unwrap_or(len - before)
    }

    /// [`FindRowsFn`]
    unsafe fn find_rows[T: LoopElement](_isa, rows: RawRows, extremes: *const u8, indices: *mut u32) as FindRowsFn {
        let RawRows { first, stride, count, width } = rows;
        // SAFETY: the caller promises elements in each row, and a maximum and an index for each column.
        let (rows, extremes, indices) = unsafe {
            (
                Rows::new(first.cast::<T>(), stride, count, width),
                core::slice::from_raw_parts(extremes.cast::<T>(), width),
                core::slice::from_raw_parts_mut(indices, width),
            )
        };
        let tiles = indices.chunks_mut(TILE).zip(extremes.chunks(TILE)).enumerate();
        for (tile, (indices, extremes)) in tiles {
            let rows = rows.columns_from(tile * TILE);
            match (indices.first_chunk_mut::<TILE>(), extremes.first_chunk::<TILE>()) {
                (Some(indices), Some(&extremes)) => {
                    *indices = find_in_tile::<T, TILE>(rows, extremes, *indices);
                }
                _ => {
                    let columns = indices.iter_mut().zip(extremes).enumerate();
                    for (column, (index, &extreme)) in columns {
                        let rows = rows.columns_from(column);
                        [*index] = find_in_tile::<T, 1>(rows, [extreme], [*index]);
                    }
                }
            }
        }
    }
}

/// The number of columns whose indices stay in registers.
const TILE: usize = 16;

/// The first row that has the maximum of its column: searches from the last row to the first.
#[inline(always)]
fn find_in_tile<T: LoopElement, const W: usize>(
    rows: Rows<'_, T>,
    extremes: [T; W],
    mut indices: [u32; W],
) -> [u32; W] {
    for index in (0..rows.count()).rev() {
        let row = rows.row(index, W);
        for lane in 0..W {
            let found = is_min_or_max(row[lane], extremes[lane]);
            indices[lane] = if found { index as u32 } else { indices[lane] };
        }
    }
    // Through memory, where columns are adjacent, so that vectors consist of neighbours.
    black_box(indices)
}

/// [`MergeFn`]
unsafe fn merge<T: LoopElement>(loops: &ReduceLoops, columns: ColumnExtremes, block: BlockColumns) {
    let count = columns.count;
    // SAFETY: the caller promises that many of each.
    let (extremes, indices, of_block, in_block) = unsafe {
        (
            core::slice::from_raw_parts_mut(columns.extremes.cast::<T>(), count),
            core::slice::from_raw_parts_mut(columns.indices, count),
            core::slice::from_raw_parts(block.extremes.cast::<T>(), count),
            core::slice::from_raw_parts(block.indices, count),
        )
    };
    let bits = T::bits(loops.flip);
    for column in 0..count {
        let (best, other) = (extremes[column].flip(bits), of_block[column].flip(bits));
        if !is_min_or_max(best, best.maximum(other)) {
            extremes[column] = of_block[column];
            indices[column] = block.first + in_block[column];
        }
    }
}

// SAFETY: each method writes every result, or panics.
unsafe impl ErasedReduction for ArgKernel {
    unsafe fn contiguous(&self, first: *const u8, len: usize, _: usize, result: *mut u8) {
        // SAFETY: the caller promises the elements and the room for the result.
        unsafe { result.cast::<i64>().write(self.arg_slice(first, len)) }
    }

    unsafe fn all(&self, view: &RawView<'_>, _: usize, result: *mut u8) {
        // SAFETY: the elements are those of the kernel, as the caller promises.
        let extreme = unsafe { reduce_all(&self.loops, view) };
        let plan = Loops::from_strides(view.sizes(), [view.strides()], [0]);
        let [rows, columns] = plan.block();
        let (mut passed, mut found) = (0, None);
        let mut chunk = StridedChunk::new(view.element());
        let mut look = |elements, len| {
            if found.is_none() {
                // SAFETY: the packed elements are those of the view.
                let index = unsafe { self.find(elements, len, extreme.as_ptr()) };
                if index < len {
                    found = Some(passed + index);
                }
                passed += len;
            }
        };
        plan.for_each_block(|[start]| {
            for row in 0..rows.size as isize {
                let start = view.at(start + row * rows.strides[0]);
                // SAFETY: the loops lead to elements of the view.
                unsafe { chunk.pack(start, columns, &mut look) };
            }
        });
        let (rest, len) = chunk.take();
        look(rest, len);
        let index = found.expect("an element is the maximum") as i64;
        // SAFETY: there is room for the result, as the caller promises.
        unsafe { result.cast::<i64>().write(index) }
    }

    /// # Panics
    ///
    /// Unless there is one axis: an index is along one.
    unsafe fn axes(
        &self,
        view: &RawView<'_>,
        axes: &[usize],
        correction: usize,
        results: Results<'_>,
    ) {
        let &[axis] = axes else { panic!("the index of an element along one axis") };
        // SAFETY: the types are those of the kernel, as the caller promises.
        unsafe { self.axis(view, axis, correction, results) }
    }

    unsafe fn axis(&self, view: &RawView<'_>, axis: usize, _: usize, mut results: Results<'_>) {
        assert_eq!(view.element(), self.loops.element, "elements of the type of the loops");
        assert_eq!(results.size(), size_of::<i64>(), "indices");
        let lanes = AxisLanes::of(view, axis);
        assert_eq!(results.len(), lanes.count, "one slot for each result");
        if results.len() == 0 {
            return;
        }
        let (along, columns) = (lanes.along, lanes.columns);
        assert!(along.size > 0, "the operation refuses to reduce nothing");
        let step = columns.strides[1];
        let width = WIDTH.min(columns.size);
        let countable = u32::try_from(along.size).is_ok();
        // Short rows do not fill a vector: long lanes are packed instead.
        let in_rows = width >= NARROW || (width > 1 && along.size <= ROWS);
        let across = along.strides[0] != 1 || along.size == 1;
        if across && columns.strides[0] == 1 && in_rows && countable {
            let mut state = ArgState::new(self, width);
            lanes.for_each_row(&mut |start, result| {
                for column in (0..columns.size).step_by(width) {
                    let width = width.min(columns.size - column);
                    let (first, stride) = (view.at(start + column as isize), along.strides[0]);
                    let rows = RawRows { first, stride, count: along.size, width };
                    // SAFETY: the rows are those of the view.
                    let indices = unsafe { state.of_rows(rows) };
                    for (part, indices) in indices.chunks(LINES).enumerate() {
                        let mut found = [0_i64; LINES];
                        for (found, &index) in found.iter_mut().zip(indices) {
                            *found = index.into();
                        }
                        let result = result + (column + part * LINES) as isize * step;
                        // SAFETY: there are that many indices.
                        unsafe {
                            results.write(found.as_ptr().cast(), indices.len(), result, step)
                        };
                    }
                }
            });
        } else {
            let mut packed: Vec<u64> = Vec::new();
            let mut state = ArgState::new(self, LINES);
            let close = along.strides[0] == 1 && along.size <= BLOCK;
            lanes.for_each_row(&mut |start, result| {
                let [stride, step] = columns.strides;
                for column in (0..columns.size).step_by(LINES) {
                    let count = LINES.min(columns.size - column);
                    let first = view.at(start + column as isize * stride);
                    let mut found = [0_i64; LINES];
                    // SAFETY: the lanes are those of the view, contiguous or packed first.
                    unsafe {
                        if close {
                            let lines = RawLines { first, stride, len: along.size, count };
                            self.arg_lines(lines, &mut state, &mut found);
                        } else {
                            for (index, found) in found[..count].iter_mut().enumerate() {
                                let lane =
                                    first.offset(index as isize * stride * view.element() as isize);
                                *found = self.arg_lane(lane, along, &mut packed);
                            }
                        }
                        let result = result + column as isize * step;
                        results.write(found.as_ptr().cast(), count, result, step);
                    }
                }
            });
        }
    }
}

/// The number of lanes that are reduced together.
const LINES: usize = 256;

/// The size of the transpose of some lanes in bytes: it stays in the L1 cache.
const TRANSPOSED: usize = 16 << 10;

impl ArgKernel {
    /// The indices of the maxima of some lanes, at most [`LINES`]; the state is for that many columns.
    ///
    /// # Safety
    ///
    /// See [`LinesFn`](super::loops::LinesFn).
    unsafe fn arg_lines(
        &self,
        lines: RawLines,
        state: &mut ArgState<'_>,
        found: &mut [i64; LINES],
    ) {
        let RawLines { first, stride, len, count } = lines;
        if (2..ROWS).contains(&len) && stride == len as isize {
            // Short lanes do not fill a vector, but the columns of their transpose do.
            let size = self.loops.element;
            let mut rows = [const { MaybeUninit::<u64>::uninit() }; TRANSPOSED / 8];
            let rows = rows.as_mut_ptr().cast::<u8>();
            let together = TRANSPOSED / (len * size);
            for (part, found) in found[..count].chunks_mut(together).enumerate() {
                let width = found.len();
                // SAFETY: the lanes are adjacent, and the transpose of these fits into its memory.
                let indices = unsafe {
                    let lanes = first.add(part * together * len * size);
                    transpose_erased(size, lanes, [width, len], rows);
                    state.of_rows(RawRows {
                        first: rows,
                        stride: width as isize,
                        count: len,
                        width,
                    })
                };
                for (found, &index) in found.iter_mut().zip(indices) {
                    *found = index.into();
                }
            }
            return;
        }
        let mut memory = Accumulators::new(&self.loops, count);
        let extremes = memory.as_mut_ptr();
        // SAFETY: as the caller promises; there is room for a maximum of each lane.
        unsafe {
            self.loops.reduce_lines(lines, extremes);
            for (index, found) in found[..count].iter_mut().enumerate() {
                let line = first.offset(index as isize * stride * self.loops.element as isize);
                let extreme = extremes.add(index * self.loops.accumulator);
                let index = self.find(line, len, extreme);
                assert!(index < len, "an element is the maximum");
                *found = index as i64;
            }
        }
    }

    /// The index of the maximum of a lane, which is packed unless it is contiguous.
    ///
    /// # Safety
    ///
    /// The loop leads from `first` to initialised elements of the kernel, at least one.
    unsafe fn arg_lane(&self, first: *const u8, along: Loop<1>, packed: &mut Vec<u64>) -> i64 {
        let size = self.loops.element;
        if along.strides[0] == 1 {
            // SAFETY: the caller promises the elements, which are contiguous.
            return unsafe { self.arg_slice(first, along.size) };
        }
        packed.resize((along.size * size).div_ceil(8), 0);
        let to = packed.as_mut_ptr().cast::<u8>();
        // SAFETY: the loop leads to elements, and there is room for them.
        unsafe {
            gather(size, first, along.strides[0], to, along.size);
            self.arg_slice(to, along.size)
        }
    }
}

/// The maxima of neighbouring columns with their indices, of all rows so far and of a block of them.
///
/// Indices have 32 bits, so that a vector holds the same number of indices as of 32-bit elements.
struct ArgState<'a> {
    kernel: &'a ArgKernel,
    extremes: Accumulators,
    of_block: Accumulators,
    indices: Vec<u32>,
    in_block: Vec<u32>,
}

impl<'a> ArgState<'a> {
    fn new(kernel: &'a ArgKernel, width: usize) -> Self {
        Self {
            kernel,
            extremes: Accumulators::new(&kernel.loops, width),
            of_block: Accumulators::new(&kernel.loops, width),
            indices: vec![0; width],
            in_block: vec![0; width],
        }
    }

    /// The first row that has the maximum of its column, for some columns. A block of rows is read
    /// again while it is in the cache.
    ///
    /// # Safety
    ///
    /// There is at least one row, all have initialised elements of the kernel, and no more columns
    /// than the state has.
    unsafe fn of_rows(&mut self, rows: RawRows) -> &[u32] {
        let Self { kernel, extremes, of_block, indices, in_block } = self;
        let (width, loops) = (rows.width, &kernel.loops);
        let (indices, in_block) = (&mut indices[..width], &mut in_block[..width]);
        for first in (0..rows.count).step_by(ROWS) {
            let moved = first as isize * rows.stride * loops.element as isize;
            let count = ROWS.min(rows.count - first);
            // SAFETY: the rows are within the block; each column has room for a maximum and an index.
            unsafe {
                let block = RawRows { first: rows.first.offset(moved), count, ..rows };
                if first == 0 {
                    reduce_columns(loops, block, extremes.as_mut_ptr(), core::ptr::null_mut());
                    kernel.find_rows(block, extremes.as_mut_ptr(), indices.as_mut_ptr());
                    continue;
                }
                reduce_columns(loops, block, of_block.as_mut_ptr(), core::ptr::null_mut());
                kernel.find_rows(block, of_block.as_mut_ptr(), in_block.as_mut_ptr());
                let columns = ColumnExtremes {
                    extremes: extremes.as_mut_ptr(),
                    indices: indices.as_mut_ptr(),
                    count: width,
                };
                let extremes = of_block.as_mut_ptr();
                let first = first as u32;
                let block = BlockColumns { extremes, indices: in_block.as_ptr(), first };
                (kernel.merge)(loops, columns, block);
            }
        }
        indices
    }
}
