//! Convolution of single channels: a row of the image is loaded once for all rows of the window.
//!
//! ```text
//! sums[j] += Σ weights[K - 1 - j, x] row[x..]      j = 0, 1 … K - 1: the result rows that read the row
//! ```
//!
//! Then the first of the sums are complete: a row of results; the others move up by one row. With a stride from row to row, or
//! few of them, rows of results share fewer rows of the image: then each is summed on its own, in the same order.

use core::mem::MaybeUninit;

use super::super::{cost_in_bytes, for_each_part_weighted};
use super::has_dense_vectors;
use super::image::StridedInput;
use crate::arrays;
use crate::kernel::matmul::{Avx512Element, Lanes, is_avx512_available, lanes_in};
use crate::kernel::prefetch::prefetch;
use crate::layout::{ErasedView, num_elements};
use crate::sizes::windows::{Convolution, WindowAxis};

/// How far ahead elements and results are prefetched, in bytes: the next planes, where these are small.
const AHEAD: usize = 8 << 10;

/// The number of adjacent vectors of positions that are computed at a time.
const WIDTH: usize = 2;

/// Writes the convolution with the weights as a matrix, `[groups · outputs, taps]`, on a machine with AVX-512; `false` if the
/// sizes do not support it, or are those of implicit products, which need more than a few positions.
///
/// # Panics
///
/// As [`convolve`](super::super::convolve).
pub(super) fn convolve<A: Avx512Element>(
    plan: &Convolution,
    input: &ErasedView<'_, A>,
    weights: &[A],
    are_few: bool,
    results: &mut [MaybeUninit<A>],
) -> bool {
    let Convolution { images, groups, channels: 1, outputs, ref axes, .. } = *plan else {
        return false;
    };
    let [y, x] = axes[..] else { return false };
    let strides = input.strides();
    let lead = strides.len() - 2;
    // A row is a vector or more: shorter ones share vectors of implicit products.
    let is_short = !are_few && 2 * x.positions < A::LANES && has_dense_vectors(&[y, x]);
    let is_for_this = x.stride == 1
        && y.stride <= y.window
        && [y, x].iter().all(|axis| axis.spread == 1)
        && !is_short
        && y.dilation == 1
        && strides[lead + 1] == 1
        && isize::try_from(x.dilation).is_ok();
    let shares_few_rows = y.stride > 1 || y.positions < y.window;
    let plane = match (y.window, x.window, x.positions > A::LANES, shares_few_rows) {
        (3, 3, false, false) => plane::<A, 3, 1>,
        (3, 3, true, false) => plane::<A, 3, WIDTH>,
        (5, 5, false, false) => plane::<A, 5, 1>,
        (5, 5, true, false) => plane::<A, 5, WIDTH>,
        (3, 3, false, true) => row_by_row::<A, 3, 1>,
        (3, 3, true, true) => row_by_row::<A, 3, WIDTH>,
        (5, 5, false, true) => row_by_row::<A, 5, 1>,
        (5, 5, true, true) => row_by_row::<A, 5, WIDTH>,
        _ => return false,
    };
    // Rows of padding are skipped: a zero times such a weight would be NaN.
    let is_finite = || weights.iter().all(|weight| weight.is_finite());
    if !is_for_this || !is_finite() {
        return false;
    }
    assert!(is_avx512_available());
    let strided = StridedInput::new(input);
    strided.assert_within();
    assert_eq!(input.sizes[lead - 1], groups, "the sizes of the plan");
    assert_eq!(input.sizes[lead..], [y.size, x.size], "the sizes of the plan");
    assert_eq!(num_elements(&input.sizes[..lead - 1]), images, "the sizes of the plan");
    let (taps, positions) = (y.window * x.window, y.positions * x.positions);
    assert_eq!(weights.len(), groups * outputs * taps, "a weight for each element of the window");
    let bytes = cost_in_bytes([num_elements(&[images, groups, outputs]), taps, positions]);
    for_each_part_weighted(results, bytes, positions, |start, results| {
        assert!(results.len().is_multiple_of(positions), "whole planes");
        for (index, results) in results.chunks_exact_mut(positions).enumerate() {
            let row = start / positions + index;
            let (product, output) = (row / outputs, row % (groups * outputs));
            let first = strided.start(product / groups, product % groups, lead - 1);
            let plane_of = Plane {
                image: strided.elements().as_ptr().wrapping_offset(first),
                row: strides[lead],
                axes: [&y, &x],
                weights: &weights[output * taps..][..taps],
            };
            // SAFETY: AVX-512 is available. The pointer is the first element of a channel of an image, with
            // the sizes and strides of the view, whose elements were compared with the storage above.
            unsafe { plane(&plane_of, results) };
        }
    });
    true
}

/// A channel of an image, and its window.
struct Plane<'a, T> {
    image: *const T,
    /// The stride from one row to the next.
    row: isize,
    axes: [&'a WindowAxis; 2],
    weights: &'a [T],
}

/// The lanes of the vector of positions that starts at `first`: those that are positions, and those among
/// them whose element for a tap is not padding.
fn lanes_at(axis: &WindowAxis, lanes: usize, first: usize, tap: usize) -> [Lanes; 2] {
    let all = lanes.min(axis.positions.saturating_sub(first));
    // Lane `l` has the element `l + shift`.
    let shift = (first + tap * axis.dilation) as isize - axis.before;
    let begin = shift.saturating_neg().clamp(0, all as isize) as usize;
    let end = (axis.size as isize).saturating_sub(shift).clamp(begin as isize, all as isize);
    [lanes_in(0..all), lanes_in(begin..end as usize)]
}

/// The lanes of `V` adjacent vectors of positions from `first` on: those that are positions, and for each of `K` taps those that
/// have elements, and the offset of the first of these in a row.
#[inline(always)]
fn columns_at<T: Avx512Element, const K: usize, const V: usize>(
    axis: &WindowAxis,
    first: usize,
) -> ([Lanes; V], [[Lanes; V]; K], [isize; K]) {
    let (mut keep, mut masks, mut offsets) = ([0; V], [[0; V]; K], [0_isize; K]);
    for tap in 0..K {
        offsets[tap] = (first + tap * axis.dilation) as isize - axis.before;
        for vector in 0..V {
            let first = first + vector * T::LANES;
            [keep[vector], masks[tap][vector]] = lanes_at(axis, T::LANES, first, tap);
        }
    }
    (keep, masks, offsets)
}

/// As [`plane`], with any stride from row to row: each row of results is summed on its own.
///
/// # Safety
///
/// As [`plane`].
///
/// # Panics
///
/// If there are other numbers of weights or results.
#[target_feature(enable = "avx512f")]
unsafe fn row_by_row<T: Avx512Element, const K: usize, const V: usize>(
    plane: &Plane<'_, T>,
    results: &mut [MaybeUninit<T>],
) {
    let Plane { image, row, axes: [y, x], weights } = *plane;
    assert!(weights.len() == K * K && results.len() == y.positions * x.positions);
    for first in (0..x.positions).step_by(V * T::LANES) {
        let (keep, masks, offsets) = columns_at::<T, K, V>(x, first);
        for position in 0..y.positions {
            let top = (position * y.stride) as isize - y.before;
            // SAFETY: as the caller promises. The lanes of the masks are elements of a row of the image; addresses of others
            // are computed by wrapping arithmetic and not read. The kept lanes are positions of a row below
            // `y.positions`, and there is a result for each.
            unsafe {
                let mut sums = [T::splat(T::ZERO); V];
                for i in 0..K {
                    let element = top + i as isize;
                    if !(0..y.size as isize).contains(&element) {
                        continue;
                    }
                    let from = image.wrapping_offset(element * row);
                    for tap in 0..K {
                        let weight = T::splat(weights[i * K + tap]);
                        let from = from.wrapping_offset(offsets[tap]);
                        for vector in 0..V {
                            let from = from.wrapping_add(vector * T::LANES);
                            let elements = T::load(from, masks[tap][vector]);
                            sums[vector] = T::fmadd(weight, elements, sums[vector]);
                        }
                    }
                }
                let to: *mut T = results.as_mut_ptr().cast();
                let to = to.wrapping_add(position * x.positions + first);
                for vector in 0..V {
                    T::store(sums[vector], to.wrapping_add(vector * T::LANES), keep[vector]);
                }
            }
        }
    }
}

/// Computes the positions of a window of `K` by `K` elements, `V` adjacent vectors at a time.
///
/// # Safety
///
/// AVX-512 is available. `image` points to `axes[0].size` rows of `axes[1].size` readable elements.
///
/// # Panics
///
/// If there are other numbers of weights or results.
#[target_feature(enable = "avx512f")]
unsafe fn plane<T: Avx512Element, const K: usize, const V: usize>(
    plane: &Plane<'_, T>,
    results: &mut [MaybeUninit<T>],
) {
    let Plane { image, row, axes: [y, x], weights } = *plane;
    assert!(weights.len() == K * K && results.len() == y.positions * x.positions);
    // SAFETY: as the caller promises. The lanes of the masks are elements of a row of the image; addresses of
    // others are computed by wrapping arithmetic and not read. The kept lanes are positions of a row
    // below `y.positions`, and there is a result for each.
    unsafe {
        let weights: [[T::Vector; K]; K] = arrays::from_fn(
            #[inline(always)]
            |i| {
                arrays::from_fn(
                    #[inline(always)]
                    |j| T::splat(weights[i * K + j]),
                )
            },
        );
        let zero = T::splat(T::ZERO);
        let columns = V * T::LANES;
        for first in (0..x.positions).step_by(columns) {
            let (keep, masks, offsets) = columns_at::<T, K, V>(x, first);
            let mut sums = [[zero; V]; K];
            for number in 0..y.positions + K - 1 {
                let element = number as isize - y.before;
                if (0..y.size as isize).contains(&element) {
                    let from = image.wrapping_offset(element * row);
                    let ahead = from.cast::<u8>().wrapping_add(first * size_of::<T>() + AHEAD);
                    prefetch(ahead, columns.min(x.positions - first) * size_of::<T>());
                    for tap in 0..K {
                        let from = from.wrapping_offset(offsets[tap]);
                        for vector in 0..V {
                            let from = from.wrapping_add(vector * T::LANES);
                            let elements = T::load(from, masks[tap][vector]);
                            for (sums, weights) in sums.iter_mut().zip(weights.iter().rev()) {
                                sums[vector] = T::fmadd(weights[tap], elements, sums[vector]);
                            }
                        }
                    }
                }
                if let Some(position) = number.checked_sub(K - 1) {
                    let to: *mut T = results.as_mut_ptr().cast();
                    let to = to.wrapping_add(position * x.positions + first);
                    let bytes = columns.min(x.positions - first) * size_of::<T>();
                    prefetch(to.cast::<u8>().wrapping_add(AHEAD), bytes);
                    for vector in 0..V {
                        T::store(sums[0][vector], to.wrapping_add(vector * T::LANES), keep[vector]);
                    }
                }
                for index in 1..K {
                    sums[index - 1] = sums[index];
                }
                sums[K - 1] = [zero; V];
            }
        }
    }
}
