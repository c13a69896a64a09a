//! Softmax, `e^x / Σ e^x`, computed from `x - max x` so that nothing overflows.
//!
//! A result below the smallest normal number is 0. Many processors take more than a hundred cycles for a multiply-add with a
//! subnormal number: the product of attention weights with values would take several times as long.

use super::isa_fns::{IsaFns, isa_fns};
use super::normalization::{Mapped, Normalization};
use super::reduce::ReduceKernel;
use super::reduce::loops::{RawLines, ReduceLoops};
use super::reduce::lowered::LoopFloat;
use super::reduce::two_pass::LogSumExpState;
use crate::element::Isa;

/// `e^x / Σ e^x`
#[derive(Clone, Copy)]
pub(crate) struct Softmax(Isa);

/// `e^x` for `x ≤ 0`, and 0 where that is subnormal.
#[inline(always)]
fn exp_or_zero<T: LoopFloat>(isa: Isa, x: T) -> T {
    let vanishes = x < T::LN_MIN_POSITIVE;
    // The exponential itself would have a subnormal product.
    let power = if vanishes { T::ZERO } else { x }.exp_isa(isa);
    if vanishes { T::ZERO } else { power }
}

/// `x ≥ 0`, and 0 where it is subnormal.
#[inline(always)]
fn normal_or_zero<T: LoopFloat>(x: T) -> T {
    if x < T::MIN_POSITIVE { T::ZERO } else { x }
}

impl<T: LoopFloat> Normalization<T> for Softmax {
    type Accumulator = LogSumExpState<T>;
    const AVX512: bool = true;

    #[inline(always)]
    fn new(isa: Isa) -> Self {
        Self(isa)
    }

    /// One division for each lane: a division for each element would take as long as the exponentials.
    #[inline(always)]
    fn prepare(accumulator: LogSumExpState<T>, _: usize, _: f64) -> [T; 2] {
        [accumulator.largest, T::ONE.div(accumulator.sum)]
    }

    #[inline(always)]
    fn apply(self, element: T, [largest, share]: [T; 2]) -> T {
        normal_or_zero(exp_or_zero(self.0, element.sub(largest)).mul(share))
    }
}

/// The loops for contiguous lanes: the exponentials are computed once and stored in the results.
#[derive(Clone, Copy)]
pub(crate) struct SoftmaxLoops {
    max: ReduceLoops,
    sum: ReduceLoops,
    exponentials: IsaFns<ExponentialsFn>,
    scale: IsaFns<ScaleFn>,
}

/// Writes `e^(x - largest)` for the elements of lanes, given the largest element of each.
///
/// # Safety
///
/// There are initialised elements of the function's type, a largest one for each lane, and room for
/// the results that does not overlap them.
type ExponentialsFn = unsafe fn(Mapped, *const u8);

/// Divides the results of each lane by its sum.
///
/// # Safety
///
/// The results, `to`, are initialised numbers of the function's type, and each lane has a sum.
type ScaleFn = unsafe fn(Mapped, *const u8);

isa_fns! {
    /// [`ExponentialsFn`]
    unsafe fn exponentials_of[T: LoopFloat](
        isa, lines: Mapped, largest: *const u8
    ) as ExponentialsFn {
        // SAFETY: the caller promises the elements, the largest ones and the room for the results.
        let ((from, to), largest) = unsafe {
            (lines.typed::<T>(), core::slice::from_raw_parts(largest.cast::<T>(), lines.count))
        };
        let rows = to.chunks_exact_mut(lines.width).zip(from.chunks_exact(lines.width));
        for ((to, from), &largest) in rows.zip(largest) {
            for (to, &from) in to.iter_mut().zip(from) {
                to.write(exp_or_zero(isa, from.sub(largest)));
            }
        }
    }

    /// [`ScaleFn`]
    unsafe fn scale[T: LoopFloat](_isa, lines: Mapped, sums: *const u8) as ScaleFn {
        let len = lines.width * lines.count;
        // SAFETY: the results are initialised, and each lane has a sum, as the caller promises.
        let (results, sums) = unsafe {
            (
                core::slice::from_raw_parts_mut(lines.to.cast::<T>(), len),
                core::slice::from_raw_parts(sums.cast::<T>(), lines.count),
            )
        };
        for (line, &sum) in results.chunks_exact_mut(lines.width).zip(sums) {
            let share = T::ONE.div(sum);
            for element in line {
                *element = normal_or_zero(element.mul(share));
            }
        }
    }
}

impl SoftmaxLoops {
    pub(super) const fn new<T: LoopFloat>() -> Self {
        Self {
            max: ReduceKernel::max::<T>().get().loops,
            sum: ReduceKernel::sum::<T>().get().loops,
            exponentials: exponentials_of::all::<T>(),
            scale: scale::all::<T>(),
        }
    }

    /// Writes the results of some lanes; `largest` and `sums` are memory for one number of each lane.
    ///
    /// # Safety
    ///
    /// Each lane has initialised elements of the loops' type, and room for the results that does
    /// not overlap them.
    pub(super) unsafe fn lines(&self, lines: Mapped, [largest, sums]: [*mut u8; 2]) {
        let Mapped { from, to, width, count, .. } = lines;
        let raw = |first| RawLines { first, stride: width as isize, len: width, count };
        // SAFETY: as the caller promises; the results are written before they are summed and scaled.
        unsafe {
            self.max.reduce_lines(raw(from), largest);
            (self.exponentials.best())(lines, largest);
            self.sum.reduce_lines(raw(to.cast_const()), sums);
            (self.scale.best())(lines, sums);
        }
    }
}
