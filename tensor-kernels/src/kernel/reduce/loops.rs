//! The inner loops of a reduction as function pointers, compiled once for each reducer and element
//! type; the drivers that call them only know the sizes of elements and accumulators.

use core::mem::MaybeUninit;
use core::ops::Range;

use super::contiguous::{Uniform, fold_slice, largest_of_slice};
use super::ops::{
    FlipBits, Largest, LargestElement, LargestMagnitude, Magnitudes, Nonzeros, Product, Reducer,
    Squares, SumOf, Values,
};
use super::outer::{ROWS, Rows, fold_rows, start_rows};
use crate::element::Isa;
use crate::kernel::isa_fns::{IsaFns, LoopTargets, is_rare, isa_fns};
use crate::kernel::transpose::transpose_erased;
use crate::ops::elements::for_each_element;

/// A reduction of elements, one block at a time: a block has an accumulator, and accumulators are
/// combined.
///
/// Accumulators consist of numbers: at most [`ErasedAccumulator`] in size and alignment. All of it is
/// `#[inline(always)]`, so that it is compiled for the instruction set of its caller.
pub(crate) trait BlockReducer<T>: Copy {
    /// The intermediate result of some of the elements.
    type Accumulator: Copy;

    /// Whether rounding errors make it worthwhile to combine recursive halves rather than sequentially.
    const PAIRWISE: bool;

    /// Whether AVX2 pays for integers.
    const INTEGERS_AVX2: bool = true;

    /// Whether AVX-512 pays for floats: not for most sums.
    const AVX512: bool = false;

    /// The maximum number of rows that are taken one after the other, if recursive halves are combined.
    const ROWS: usize = ROWS;

    /// The lengths of adjacent lanes of floats that are reduced faster as the columns of their transpose.
    const TRANSPOSED: Range<usize> = 0..0;

    /// The reducer for this instruction set, with the bits that [`Largest`] flips.
    fn new(isa: Isa, flip: u64) -> Self;

    /// The accumulator of at least one and at most [`BLOCK`](super::contiguous::BLOCK) elements.
    fn accumulate_slice(self, elements: &[T]) -> Self::Accumulator;

    /// The accumulators of the columns of some rows, at most [`ROWS`](Self::ROWS) of them if
    /// halves are combined; unless `fresh`, they are combined with their previous values.
    fn accumulate_rows(
        self,
        rows: Rows<'_, T>,
        accumulators: &mut [MaybeUninit<Self::Accumulator>],
        fresh: bool,
    );

    /// Combines two accumulators.
    fn combine(self, a: Self::Accumulator, b: Self::Accumulator) -> Self::Accumulator;

    /// The accumulator without any element; `None` if an empty reduction is an error.
    fn empty(self) -> Option<Self::Accumulator>;
}

/// Generates the [`BlockReducer`] of a [`Reducer`].
macro_rules! one_pass {
    ($($Reducer:ty = $reducer:expr, empty $empty:ident $(, $SET:ident $pays:literal)?;)*) => {$(
        impl<T: FlipBits> BlockReducer<T> for $Reducer {
            type Accumulator = T;
            const PAIRWISE: bool = true;
            const ROWS: usize = 4 * ROWS;
            $(const $SET: bool = $pays;)?

            #[inline(always)]
            fn new(_: Isa, _: u64) -> Self {
                $reducer
            }

            #[inline(always)]
            fn accumulate_slice(self, elements: &[T]) -> T {
                fold_slice(self, elements, Uniform(()))
            }

            #[inline(always)]
            fn accumulate_rows(
                self,
                rows: Rows<'_, T>,
                accumulators: &mut [MaybeUninit<T>],
                _: bool,
            ) {
                let accumulators = start_rows(self, rows, accumulators);
                fold_rows(self, rows, Uniform(()), accumulators);
            }

            #[inline(always)]
            fn combine(self, a: T, b: T) -> T {
                Reducer::combine(self, a, b)
            }

            #[inline(always)]
            fn empty(self) -> Option<T> {
                Some(T::$empty)
            }
        }
    )*};
}

one_pass! {
    SumOf<Values> = Self(Values), empty ZERO, AVX512 true;
    SumOf<Magnitudes> = Self(Magnitudes), empty ZERO;
    SumOf<Squares> = Self(Squares), empty ZERO;
    LargestMagnitude = Self, empty ZERO, AVX512 true;
    // Products of integers overflow after a few elements.
    Product = Self, empty ONE, INTEGERS_AVX2 false;
}

impl<T: FlipBits> BlockReducer<T> for Nonzeros {
    type Accumulator = i64;
    const PAIRWISE: bool = false;
    const AVX512: bool = true;

    #[inline(always)]
    fn new(_: Isa, _: u64) -> Self {
        Self
    }

    /// Counts in a type as narrow as the elements, so that a vector has as many lanes as possible.
    #[inline(always)]
    fn accumulate_slice(self, elements: &[T]) -> i64 {
        let is_nonzero = |element: &T| *element != T::ZERO;
        let count = |part: &[T]| part.iter().map(|x| u8::from(is_nonzero(x))).sum::<u8>();
        elements.chunks(usize::from(u8::MAX)).map(|part| i64::from(count(part))).sum()
    }

    #[inline(always)]
    fn accumulate_rows(
        self,
        rows: Rows<'_, T>,
        accumulators: &mut [MaybeUninit<i64>],
        fresh: bool,
    ) {
        let accumulators = if fresh {
            start_rows(self, rows, accumulators)
        } else {
            // SAFETY: accumulators that are not fresh were initialised before.
            unsafe { accumulators.assume_init_mut() }
        };
        fold_rows(self, rows, Uniform(()), accumulators);
    }

    #[inline(always)]
    fn combine(self, a: i64, b: i64) -> i64 {
        a + b
    }

    #[inline(always)]
    fn empty(self) -> Option<i64> {
        Some(0)
    }
}

/// [`Largest`] with the bits to flip as the table states them.
#[derive(Clone, Copy)]
pub(crate) struct LargestFlipped(u64);

impl<T: FlipBits> BlockReducer<T> for LargestFlipped {
    type Accumulator = T;
    const PAIRWISE: bool = false;
    const AVX512: bool = true;

    #[inline(always)]
    fn new(_: Isa, flip: u64) -> Self {
        Self(flip)
    }

    #[inline(always)]
    fn accumulate_slice(self, elements: &[T]) -> T {
        let bits = T::bits(self.0);
        largest_of_slice(elements, bits).flip(bits)
    }

    #[inline(always)]
    fn accumulate_rows(self, rows: Rows<'_, T>, accumulators: &mut [MaybeUninit<T>], fresh: bool) {
        let bits = T::bits(self.0);
        let element = LargestElement(bits);
        if T::IS_FLOAT && fresh && (2..=3).contains(&rows.count()) {
            // In one loop, instead of one for each row. The last of two rows counts twice.
            let [a, b, c] = [0, 1, rows.count() - 1].map(|row| rows.row(row, accumulators.len()));
            for (column, accumulator) in accumulators.iter_mut().enumerate() {
                let ab = Reducer::combine(element, a[column], b[column]);
                accumulator.write(Reducer::combine(element, ab, c[column]));
            }
            return;
        }
        let accumulators = if fresh {
            start_rows(element, rows, accumulators)
        } else {
            // SAFETY: accumulators that are not fresh were initialised before.
            unsafe { accumulators.assume_init_mut() }
        };
        if T::IS_FLOAT {
            return fold_rows(element, rows, Uniform(()), accumulators);
        }
        // Integers are compared in one instruction, so that flipping the bits each time would take as long.
        for accumulator in accumulators.iter_mut() {
            *accumulator = accumulator.flip(bits);
        }
        fold_rows(Largest(bits), rows, Uniform(()), accumulators);
        for accumulator in accumulators {
            *accumulator = accumulator.flip(bits);
        }
    }

    #[inline(always)]
    fn combine(self, a: T, b: T) -> T {
        Reducer::combine(LargestElement(T::bits(self.0)), a, b)
    }

    #[inline(always)]
    fn empty(self) -> Option<T> {
        None
    }
}

/// Memory for an accumulator of any reduction.
#[derive(Clone, Copy)]
#[repr(C, align(8))]
pub(crate) struct ErasedAccumulator([MaybeUninit<u64>; 4]);

impl ErasedAccumulator {
    pub(crate) const UNINIT: Self = Self([MaybeUninit::uninit(); 4]);

    pub(crate) fn as_mut_ptr(&mut self) -> *mut u8 {
        (&raw mut *self).cast()
    }

    pub(crate) fn as_ptr(&self) -> *const u8 {
        (&raw const *self).cast()
    }
}

/// Lanes of contiguous elements along the reduced axis.
#[derive(Clone, Copy)]
pub(crate) struct RawLines {
    pub first: *const u8,
    /// The stride from one lane to the next, in elements.
    pub stride: isize,
    /// The number of elements of a lane.
    pub len: usize,
    pub count: usize,
}

/// Rows of contiguous elements across the reduced axis.
#[derive(Clone, Copy)]
pub(crate) struct RawRows {
    pub first: *const u8,
    /// The stride from one row to the next, in elements.
    pub stride: isize,
    pub count: usize,
    /// The number of elements of a row.
    pub width: usize,
}

/// Writes the accumulator of each lane.
///
/// # Safety
///
/// The loops are those that the function belongs to. Each lane has from 1 to
/// [`BLOCK`](super::contiguous::BLOCK) initialised elements of their type that are not written, and
/// there is aligned memory for an accumulator of each.
pub(crate) type LinesFn = unsafe fn(&ReduceLoops, RawLines, *mut u8);

/// Writes the accumulator of each column; if it is not fresh (`false`), combines it with its old value.
///
/// # Safety
///
/// The loops are those that the function belongs to. There is at least one row, at most
/// [`block_rows`](ReduceLoops::block_rows) if the reduction is pairwise; each has initialised elements of their
/// type that are not written, and there is aligned memory for an accumulator of each column, initialised
/// unless they are fresh.
pub(crate) type RowsFn = unsafe fn(&ReduceLoops, RawRows, *mut u8, bool);

/// Combines accumulators with the same number of others, and overwrites the first with the results.
///
/// # Safety
///
/// The loops are those that the function belongs to. All accumulators are initialised and aligned,
/// and the first do not overlap the others.
pub(crate) type CombineFn = unsafe fn(&ReduceLoops, *mut u8, *const u8, usize);

/// Converts contiguous elements to `f32`.
///
/// # Safety
///
/// There are that many initialised elements, and room for them as `f32`, which does not overlap them.
pub(crate) type WidenFn = unsafe fn(*const u8, usize, *mut f32);

/// Converts contiguous `f32` to elements.
///
/// # Safety
///
/// There are that many initialised numbers, and room for the same number of elements, which does
/// not overlap them.
pub(crate) type NarrowFn = unsafe fn(*const f32, usize, *mut u8);

/// The conversions of a 16-bit float.
pub(crate) struct Widening {
    pub widen: IsaFns<WidenFn>,
    pub narrow: IsaFns<NarrowFn>,
}

/// The inner loops of a reduction.
#[derive(Clone, Copy)]
pub(crate) struct ReduceLoops {
    /// The size of an element, in bytes.
    pub element: usize,
    /// The size of an accumulator, in bytes.
    pub accumulator: usize,
    /// Whether recursive halves are combined rather than one row after the other.
    pub pairwise: bool,
    /// The maximum number of rows that the loop takes at a time, if recursive halves are combined.
    pub block_rows: usize,
    /// The lengths of adjacent lanes that are transposed first: from the first number, below the second.
    pub transposed: [usize; 2],
    pub lines: IsaFns<LinesFn>,
    pub rows: IsaFns<RowsFn>,
    pub combine: IsaFns<CombineFn>,
    /// Writes the accumulator without any element, if it exists.
    pub empty: Option<unsafe fn(*mut u8)>,
    /// The bits that are flipped before elements are compared.
    pub flip: u64,
    /// For 16-bit floats: the conversion of elements to `f32`, and the loops of `f32`.
    pub widened: Option<(&'static Widening, &'static Self)>,
}

/// An element type that loops are compiled for. Signed and unsigned integers share them, and 16-bit
/// floats are widened to `f32`.
pub(crate) trait LoopElement: FlipBits + LoopTargets {}

macro_rules! loop_elements {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {
        $( loop_elements!(@$class $T); )*
    };
    (@float $T:ident) => { impl LoopElement for $T {} };
    (@signed $T:ident) => { impl LoopElement for $T {} };
    (@$other:ident $T:ident) => {};
}

for_each_element!(loop_elements);

impl ReduceLoops {
    /// The loops of a reducer for an element type that loops are compiled for.
    pub(crate) const fn new<T: LoopElement, R: BlockReducer<T>>(flip: u64) -> Self {
        const {
            assert!(size_of::<R::Accumulator>() <= size_of::<ErasedAccumulator>());
            assert!(align_of::<R::Accumulator>() <= align_of::<ErasedAccumulator>());
        }
        let large = size_of::<R::Accumulator>() > size_of::<T>();
        Self {
            element: size_of::<T>(),
            accumulator: size_of::<R::Accumulator>(),
            pairwise: R::PAIRWISE,
            block_rows: R::ROWS,
            transposed: if T::IS_FLOAT { [R::TRANSPOSED.start, R::TRANSPOSED.end] } else { [0; 2] },
            lines: match (T::AVX512 && R::AVX512, T::IS_FLOAT || R::INTEGERS_AVX2) {
                (true, _) => lines::all::<T, R>(),
                (false, true) => lines::up_to_avx2::<T, R>(),
                (false, false) => lines::baseline_only::<T, R>(),
            },
            rows: match (T::AVX512 && R::AVX512, T::IS_FLOAT || R::INTEGERS_AVX2) {
                (true, _) => rows::all::<T, R>(),
                (false, true) => rows::up_to_avx2::<T, R>(),
                (false, false) => rows::baseline_only::<T, R>(),
            },
            combine: match large {
                true => combine::up_to_avx2::<T, R>(),
                false => combine::baseline_only::<T, R>(),
            },
            empty: Some(empty::<T, R>),
            flip,
            widened: None,
        }
    }

    /// Writes the accumulator of each lane.
    ///
    /// # Safety
    ///
    /// See [`LinesFn`].
    #[inline]
    pub(crate) unsafe fn reduce_lines(&self, lines: RawLines, accumulators: *mut u8) {
        let [shortest, end] = self.transposed;
        let is_short = (shortest..end).contains(&lines.len);
        // SAFETY: the caller promises what both require; the first is for adjacent lanes.
        unsafe {
            if is_short && lines.stride == lines.len as isize {
                self.reduce_transposed(lines, accumulators);
            } else {
                (self.lines.best())(self, lines, accumulators);
            }
        }
    }

    /// [`reduce_lines`](Self::reduce_lines) as the columns of the transpose of some lanes.
    ///
    /// # Safety
    ///
    /// The same; the lanes are adjacent, and have at most [`block_rows`](Self::block_rows) elements.
    #[inline(never)]
    pub(crate) unsafe fn reduce_transposed(&self, lines: RawLines, accumulators: *mut u8) {
        /// The size of the transpose in bytes: it stays in the L1 cache.
        const BYTES: usize = 16 << 10;
        let RawLines { first, len, count, .. } = lines;
        let mut rows = [const { MaybeUninit::<u64>::uninit() }; BYTES / 8];
        let rows = rows.as_mut_ptr().cast::<u8>();
        let together = BYTES / (len * self.element);
        for done in (0..count).step_by(together) {
            let width = together.min(count - done);
            // SAFETY: the lanes are among those of the caller, and have room for their accumulators. The
            // transpose fits into its memory, and is initialised before it is reduced.
            unsafe {
                let lanes = first.add(done * len * self.element);
                transpose_erased(self.element, lanes, [width, len], rows);
                let rows = RawRows { first: rows, stride: width as isize, count: len, width };
                (self.rows.best())(self, rows, accumulators.add(done * self.accumulator), true);
            }
        }
    }
}

isa_fns! {
    /// [`LinesFn`]
    pub(crate) unsafe fn lines[T: LoopElement, R: BlockReducer<T>](
        isa, loops: &ReduceLoops, lines: RawLines, accumulators: *mut u8
    ) as LinesFn {
        let RawLines { first, stride, len, count } = lines;
        let reducer = R::new(isa, loops.flip);
        let first = first.cast::<T>();
        let accumulators = accumulators.cast::<MaybeUninit<R::Accumulator>>();
        // SAFETY: there is room for an accumulator of each lane, as the caller promises.
        let accumulators = unsafe { core::slice::from_raw_parts_mut(accumulators, count) };
        // There are others, or such lanes are the columns of their transpose.
        let skips = is_rare(isa) && (T::IS_FLOAT || R::INTEGERS_AVX2)
            || T::IS_FLOAT && R::TRANSPOSED.contains(&2);
        if !skips && stride == len as isize && (2..=4).contains(&len) {
            // SAFETY: each lane is contiguous, and the lanes are adjacent.
            let elements = unsafe { core::slice::from_raw_parts(first, count * len) };
            match len {
                2 => short_lines::<T, R, 2>(reducer, elements, accumulators),
                3 => short_lines::<T, R, 3>(reducer, elements, accumulators),
                _ => short_lines::<T, R, 4>(reducer, elements, accumulators),
            }
            return;
        }
        for (index, accumulator) in accumulators.iter_mut().enumerate() {
            // SAFETY: the lane has `len` elements, as the caller promises.
            let line = unsafe {
                core::slice::from_raw_parts(first.offset(index as isize * stride), len)
            };
            accumulator.write(reducer.accumulate_slice(line));
        }
    }

    /// [`RowsFn`]
    pub(crate) unsafe fn rows[T: LoopElement, R: BlockReducer<T>](
        isa, loops: &ReduceLoops, rows: RawRows, accumulators: *mut u8, fresh: bool
    ) as RowsFn {
        let RawRows { first, stride, count, width } = rows;
        let accumulators = accumulators.cast::<MaybeUninit<R::Accumulator>>();
        // SAFETY: there is room for an accumulator of each column, as the caller promises.
        let accumulators = unsafe { core::slice::from_raw_parts_mut(accumulators, width) };
        // SAFETY: each row has `width` elements, as the caller promises.
        let rows = unsafe { Rows::new(first.cast::<T>(), stride, count, width) };
        let rows = rows.in_tiles_if(T::IS_FLOAT && !is_rare(isa));
        R::new(isa, loops.flip).accumulate_rows(rows, accumulators, fresh);
    }

    /// [`CombineFn`]
    pub(crate) unsafe fn combine[T: LoopElement, R: BlockReducer<T>](
        isa, loops: &ReduceLoops, a: *mut u8, b: *const u8, count: usize
    ) as CombineFn {
        let reducer = R::new(isa, loops.flip);
        // SAFETY: there are `count` initialised accumulators on either side, which do not overlap.
        let (a, b) = unsafe {
            (
                core::slice::from_raw_parts_mut(a.cast::<R::Accumulator>(), count),
                core::slice::from_raw_parts(b.cast::<R::Accumulator>(), count),
            )
        };
        for (a, &b) in a.iter_mut().zip(b) {
            *a = reducer.combine(*a, b);
        }
    }
}

/// Reduces lanes of `N` elements that are adjacent.
#[inline(always)]
fn short_lines<T: LoopElement, R: BlockReducer<T>, const N: usize>(
    reducer: R,
    elements: &[T],
    accumulators: &mut [MaybeUninit<R::Accumulator>],
) {
    let (lines, _) = elements.as_chunks::<N>();
    for (line, accumulator) in lines.iter().zip(accumulators) {
        accumulator.write(reducer.accumulate_slice(line));
    }
}

/// Writes the accumulator without any element.
///
/// # Safety
///
/// There is aligned memory for it.
unsafe fn empty<T: LoopElement, R: BlockReducer<T>>(accumulator: *mut u8) {
    let empty = R::new(Isa::BASELINE, 0).empty();
    let empty = empty.expect("the operation refuses to reduce nothing");
    // SAFETY: there is room for the accumulator, as the caller promises.
    unsafe { accumulator.cast::<R::Accumulator>().write(empty) }
}
