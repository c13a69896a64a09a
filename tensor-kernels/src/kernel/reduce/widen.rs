//! Reductions of 16-bit floats: converted to `f32` some hundred or thousand at a time, and reduced by the
//! loops of `f32`. Converting one by one within each loop takes longer and compiles every loop again.

use core::mem::MaybeUninit;

use super::contiguous::BLOCK;
use super::loops::{LinesFn, RawLines, RawRows, ReduceLoops, RowsFn, Widening};
use super::outer::ROWS;
use crate::kernel::isa_fns::IsaFns;
#[cfg(feature = "half")]
use crate::kernel::isa_fns::isa_fns;

/// The number of elements that are widened at a time, if a lane has no more.
const SHORT: usize = 1024;

impl ReduceLoops {
    /// The loops for elements that are widened to `f32` first.
    pub(crate) const fn widened(widening: &'static Widening, loops: &'static Self) -> Self {
        Self {
            element: 2,
            lines: LINES,
            rows: ROWS_FNS,
            block_rows: ROWS,
            transposed: [0; 2],
            widened: Some((widening, loops)),
            ..*loops
        }
    }
}

/// [`LinesFn`] for elements that are widened first.
///
/// The instruction sets are those of the loops of `f32`.
// SAFETY: the functions detect the available instruction set themselves.
const LINES: IsaFns<LinesFn> = unsafe { IsaFns::new(lines::<false>, lines::<true>, lines::<true>) };

/// [`RowsFn`] for elements that are widened first.
// SAFETY: as above.
const ROWS_FNS: IsaFns<RowsFn> = unsafe { IsaFns::new(rows::<false>, rows::<true>, rows::<true>) };

/// Reduces lanes by the `BEST` available instruction set or by the baseline.
unsafe fn lines<const BEST: bool>(loops: &ReduceLoops, lines: RawLines, accumulators: *mut u8) {
    // SAFETY: the caller promises the lanes and the room for their accumulators.
    unsafe {
        if lines.len <= SHORT {
            lines_through::<BEST, SHORT>(loops, lines, accumulators);
        } else {
            lines_through::<BEST, BLOCK>(loops, lines, accumulators);
        }
    }
}

/// [`lines`] of at most `N` elements.
///
/// # Safety
///
/// As for [`lines`].
#[inline(never)]
unsafe fn lines_through<const BEST: bool, const N: usize>(
    loops: &ReduceLoops,
    lines: RawLines,
    accumulators: *mut u8,
) {
    let RawLines { first, stride, len, count } = lines;
    let (widening, inner) = loops.widened.expect("loops of a narrow type");
    let widen = widening.widen.best();
    let reduce = if BEST { inner.lines.best() } else { inner.lines.baseline() };
    assert!((1..=N).contains(&len), "a line fits into the buffer");
    let mut buffer = [const { MaybeUninit::<f32>::uninit() }; N];
    let wide = buffer.as_mut_ptr().cast::<f32>();
    let together = N / len;
    for done in (0..count).step_by(together) {
        let count = together.min(count - done);
        for index in 0..count {
            // SAFETY: the lanes are among those of the caller, and `count * len` is at most `N`.
            unsafe {
                let line = first.offset((done + index) as isize * stride * loops.element as isize);
                widen(line, len, wide.add(index * len));
            }
        }
        let lines = RawLines { first: wide.cast(), stride: len as isize, len, count };
        // SAFETY: these lanes were written above; there is room for their accumulators.
        unsafe { reduce(inner, lines, accumulators.add(done * loops.accumulator)) }
    }
}

/// The number of columns of [`ROWS`] rows that are widened at a time.
const COLUMNS: usize = 64;

/// Reduces rows by the `BEST` available instruction set or by the baseline.
unsafe fn rows<const BEST: bool>(
    loops: &ReduceLoops,
    rows: RawRows,
    accumulators: *mut u8,
    fresh: bool,
) {
    let RawRows { first, stride, count, width } = rows;
    let (widening, inner) = loops.widened.expect("loops of a narrow type");
    let widen = widening.widen.best();
    let reduce = if BEST { inner.rows.best() } else { inner.rows.baseline() };
    let mut buffer = [const { MaybeUninit::<f32>::uninit() }; ROWS * COLUMNS];
    let wide = buffer.as_mut_ptr().cast::<f32>();
    for column in (0..width).step_by(COLUMNS) {
        let width = COLUMNS.min(width - column);
        for row in (0..count).step_by(ROWS) {
            let count = ROWS.min(count - row);
            for index in 0..count {
                let elements = (row + index) as isize * stride + column as isize;
                // SAFETY: the elements are those of a row; `count * width` is at most the size of the buffer.
                unsafe {
                    let elements = first.offset(elements * loops.element as isize);
                    widen(elements, width, wide.add(index * width));
                }
            }
            let rows = RawRows { first: wide.cast(), stride: width as isize, count, width };
            // SAFETY: these rows were written above; there is room for their accumulators, which are
            // initialised if they are not fresh.
            unsafe {
                let accumulators = accumulators.add(column * loops.accumulator);
                reduce(inner, rows, accumulators, fresh && row == 0);
            }
        }
    }
}

#[cfg(feature = "half")]
mod floats {
    use half::slice::HalfFloatSliceExt;
    use half::{bf16, f16};

    use super::super::loops::{NarrowFn, WidenFn};
    use super::*;

    isa_fns! {
        /// [`WidenFn`]
        unsafe fn widen[T: HalfFloat](_isa, from: *const u8, len: usize, to: *mut f32) as WidenFn {
            // SAFETY: there are `len` elements, and room for them, as the caller promises.
            let (from, to) = unsafe {
                (
                    core::slice::from_raw_parts(from.cast::<T>(), len),
                    core::slice::from_raw_parts_mut(to.cast::<MaybeUninit<f32>>(), len),
                )
            };
            for (to, &from) in to.iter_mut().zip(from) {
                to.write(from.widen());
            }
        }

        /// [`NarrowFn`]
        unsafe fn narrow[T: HalfFloat](_isa, from: *const f32, len: usize, to: *mut u8) as NarrowFn {
            // SAFETY: there are `len` numbers, and room for them, as the caller promises.
            let (from, to) = unsafe {
                (
                    core::slice::from_raw_parts(from, len),
                    core::slice::from_raw_parts_mut(to.cast::<MaybeUninit<T>>(), len),
                )
            };
            for (to, &from) in to.iter_mut().zip(from) {
                to.write(T::narrow(from));
            }
        }
    }

    use crate::element::Number;

    /// A 16-bit float.
    pub(crate) trait HalfFloat: Number<Sum = f32> {
        /// The conversions.
        const WIDENING: &'static Widening;
    }

    impl HalfFloat for bf16 {
        const WIDENING: &'static Widening = {
            static WIDENING: Widening = Widening {
                widen: widen::up_to_avx2::<bf16>(),
                narrow: narrow::up_to_avx2::<bf16>(),
            };
            &WIDENING
        };
    }

    impl HalfFloat for f16 {
        const WIDENING: &'static Widening = {
            static WIDENING: Widening = Widening {
                widen: IsaFns::baseline_only(widen_f16),
                narrow: IsaFns::baseline_only(narrow_f16),
            };
            &WIDENING
        };
    }

    /// The crate `half` uses the conversion instructions if they are available.
    unsafe fn widen_f16(from: *const u8, len: usize, to: *mut f32) {
        // SAFETY: there are `len` elements, and room for them; every bit pattern is a valid `f32`.
        let (from, to) = unsafe {
            to.write_bytes(0, len);
            (
                core::slice::from_raw_parts(from.cast::<f16>(), len),
                core::slice::from_raw_parts_mut(to, len),
            )
        };
        from.convert_to_f32_slice(to);
    }

    /// As `widen_f16`, in the other direction.
    unsafe fn narrow_f16(from: *const f32, len: usize, to: *mut u8) {
        // SAFETY: there are `len` numbers, and room for them; every bit pattern is a valid `f16`.
        let (from, to) = unsafe {
            to.write_bytes(0, len * size_of::<f16>());
            (
                core::slice::from_raw_parts(from, len),
                core::slice::from_raw_parts_mut(to.cast::<f16>(), len),
            )
        };
        to.convert_from_f32_slice(from);
    }
}

#[cfg(feature = "half")]
pub(crate) use floats::HalfFloat;
