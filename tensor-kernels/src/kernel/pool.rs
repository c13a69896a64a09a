//! Pooling and resizing along the last axes: each result is a function of a few elements of its image.

mod resize;
mod split_rows;
mod transposed;
mod windows;

pub use resize::{resized, resized_transposed};
pub use transposed::{avg_unpooled, max_picked, max_unpooled};

use core::hint::black_box;

use split_rows::{LANES, SplitRows, smallest};
use windows::Windows;

use super::isa_fns::compute_with_best_isa;
use super::parallel::for_each_part_weighted;
use super::row_major::RowMajor;
use super::window_order::WindowOrder;
use crate::element::{Element, Float, Number};
use crate::layout::{ErasedView, len_in_memory};
use crate::sizes::windows::Pooling;
use crate::storage::Storage;

/// The maximum of each window; NaN if it contains one. Padding is ignored, and a window of padding
/// alone gives the smallest number of the type.
///
/// # Panics
///
/// If the result does not fit into memory.
#[track_caller]
#[inline(never)]
pub fn max_pooled<T: Number>(plan: &Pooling, input: ErasedView<'_, T>) -> Storage<T> {
    pool(plan, input, smallest(), smallest(), T::maximum, |row, _| row)
}

/// The mean of each window, summed in the type of sums.
///
/// # Panics
///
/// If the result does not fit into memory.
#[track_caller]
#[inline(never)]
pub fn avg_pooled<T: Float>(plan: &Pooling, input: ErasedView<'_, T>) -> Storage<T> {
    let add = |sum: T::Sum, element: T| sum.add(element.widen());
    let mean = |sum: T::Sum, count: usize| T::narrow(sum.div(T::Sum::from_f64(count as f64)));
    pool(plan, input, T::ZERO, T::Sum::ZERO, add, mean)
}

/// Reduces the windows, many neighbouring ones at a time, starting with `first`, which padding does not change.
fn pool<T: Number, S: Number>(
    plan: &Pooling,
    input: ErasedView<'_, T>,
    padding: T,
    first: S,
    combine: impl Fn(S, T) -> S + Copy + Sync,
    finish: impl Fn(S, usize) -> T + Copy + Sync,
) -> Storage<T> {
    if let Some(order) = WindowOrder::of_pooling(plan) {
        let plan_in_order = order.pooling(plan);
        return order.run([input], &plan.result, |[input]| {
            pool(&plan_in_order, input, padding, first, combine, finish)
        });
    }
    let len = len_in_memory(&plan.result, size_of::<T>());
    // Without images, the number of window positions may overflow.
    if len == 0 {
        return Storage::zeros(0);
    }
    let elements = RowMajor::of(input);
    let elements = elements.as_slice();
    let windows = &Windows::new(plan);
    let positions = windows.last.positions;
    assert!(len.is_multiple_of(windows.rows * positions), "a result for each window");
    let (counted, counts) = (windows.counted(), windows.counts());
    let quads = windows.are_quads();
    let work = |start: usize, results: &mut [core::mem::MaybeUninit<T>]| {
        let mut rows = (!quads).then(|| SplitRows::new(windows, padding, false));
        compute_with_best_isa::<T, _, _>(
            #[inline(always)]
            |_| {
                for (row, results) in results.chunks_exact_mut(positions).enumerate() {
                    let row = start / positions + row;
                    let (image, row) = (row / windows.rows, row % windows.rows);
                    let elements = &elements[image * windows.image..][..windows.image];
                    let Some(rows) = &mut rows else {
                        let [top, bottom] = windows.pairs(elements, row);
                        for_each_of_four(top, bottom, results, |[a, b], [c, d], result| {
                            let sum = combine(combine(combine(combine(first, a), b), c), d);
                            result.write(finish(sum, 4));
                        });
                        continue;
                    };
                    rows.load(elements, image, row);
                    let tiles = results.chunks_mut(LANES).zip(counts.chunks(LANES));
                    for (tile, (results, counts)) in tiles.enumerate() {
                        let mut sums = [first; LANES];
                        for elements in rows.tile(tile) {
                            for lane in 0..LANES {
                                sums[lane] = combine(sums[lane], elements[lane]);
                            }
                        }
                        // Through memory, where windows are adjacent, so that vectors consist of neighbours.
                        let sums = black_box(sums);
                        for ((result, &sum), count) in results.iter_mut().zip(&sums).zip(counts) {
                            result.write(finish(sum, counted[row] * count));
                        }
                    }
                }
            },
        );
    };
    // SAFETY: every result is written: each part is whole rows of results, and each row is written whole.
    unsafe {
        Storage::build(len, |results| {
            if !results.is_empty() {
                let window = windows.taps * windows.last.window;
                let bytes = results.len().saturating_mul(window) * size_of::<T>();
                for_each_part_weighted(results, bytes, positions, work);
            }
        })
    }
}

/// Calls `visit` with the windows of two rows and their results, four at a time, which are vectorised.
#[inline(always)]
fn for_each_of_four<T: Copy, R>(
    top: &[[T; 2]],
    bottom: &[[T; 2]],
    results: &mut [R],
    visit: impl Fn([T; 2], [T; 2], &mut R),
) {
    let (tops, top) = top.as_chunks::<4>();
    let (bottoms, bottom) = bottom.as_chunks::<4>();
    let (fours, rest) = results.as_chunks_mut::<4>();
    for ((tops, bottoms), results) in tops.iter().zip(bottoms).zip(fours) {
        for ((&top, &bottom), result) in tops.iter().zip(bottoms).zip(results) {
            visit(top, bottom, result);
        }
    }
    for ((&top, &bottom), result) in top.iter().zip(bottom).zip(rest) {
        visit(top, bottom, result);
    }
}
