//! Pooling and other sizes of the last axes: each result is a function of a few elements of its image.

mod resize;
mod transposed;

pub(super) use resize::{resize, resize_transposed};
pub(super) use transposed::{avg_unpool, max_pick, max_unpool};

use super::conv::row_major;
use super::isa_fns::with_best_isa;
use super::parallel::for_each_part_weighted;
use crate::array::layout::{ErasedView, len_in_memory, num_elements};
use crate::array::storage::Storage;
use crate::element::{Element, Float, Number};
use crate::shape::windows::plan::{Pooling, WindowAxis};

/// The largest element of each window; NaN if there is one. Padding is none, and a window of padding
/// alone has the smallest number of the type.
///
/// # Panics
///
/// If the result does not fit into memory.
pub(super) fn max_pool<T: Number>(plan: &Pooling, input: ErasedView<'_, T>) -> Storage<T> {
    let smallest = T::from_f64(f64::NEG_INFINITY);
    pool(plan, input, smallest, T::maximum, |row, _| row)
}

/// The mean of each window, summed in the type of sums.
///
/// # Panics
///
/// If the result does not fit into memory.
pub(super) fn avg_pool<T: Float>(plan: &Pooling, input: ErasedView<'_, T>) -> Storage<T> {
    let add = |sum: T::Sum, element: T| sum.add(element.widen());
    let mean = |sum: T::Sum, count: usize| T::narrow(sum.div(T::Sum::from_f64(count as f64)));
    pool(plan, input, T::Sum::ZERO, add, mean)
}

/// Reduces the windows row by row of the last axis: each element of the window is one pass over the row.
fn pool<T: Number, S: Number>(
    plan: &Pooling,
    input: ErasedView<'_, T>,
    first: S,
    combine: impl Fn(S, T) -> S + Copy + Sync,
    finish: impl Fn(S, usize) -> T + Copy + Sync,
) -> Storage<T> {
    let len = len_in_memory(&plan.result, size_of::<T>());
    let contiguous;
    let elements = match input.as_slice() {
        Some(elements) => elements,
        None => {
            contiguous = row_major(input);
            &contiguous
        }
    };
    let [outer @ .., last] = &plan.axes[..] else { unreachable!("a window has axes") };
    let sizes: Vec<usize> = plan.axes.iter().map(|axis| axis.size).collect();
    let windows: Vec<usize> = plan.axes.iter().map(|axis| axis.window).collect();
    let rows: Vec<usize> = outer.iter().map(|axis| axis.places).collect();
    let (image, window, rows) = (num_elements(&sizes), num_elements(&windows), num_elements(&rows));
    let work = |start: usize, results: &mut [core::mem::MaybeUninit<T>]| {
        let mut sums = vec![first; last.places];
        with_best_isa(
            #[inline(always)]
            |_| {
                for (row, results) in results.chunks_exact_mut(last.places).enumerate() {
                    let row = start / last.places + row;
                    sums.fill(first);
                    let image = &elements[row / rows * image..][..image];
                    let counted =
                        reduce_row(plan, outer, last, image, row % rows, &mut sums, combine);
                    for (place, (result, &sum)) in results.iter_mut().zip(&sums).enumerate() {
                        let count = counted * count(last, place, plan.excludes_padding);
                        result.write(finish(sum, count));
                    }
                }
            },
        );
    };
    // SAFETY: every part is whole rows of places, and every place of every row is written.
    unsafe {
        Storage::build(len, |results| {
            if !results.is_empty() {
                let bytes = results.len().saturating_mul(window) * size_of::<T>();
                for_each_part_weighted(results, bytes, last.places, work);
            }
        })
    }
}

/// Combines the elements of the windows of a row of places, and gives how many elements they have along
/// the outer axes.
#[inline(always)]
fn reduce_row<T: Number, S: Number>(
    plan: &Pooling,
    outer: &[WindowAxis],
    last: &WindowAxis,
    image: &[T],
    row: usize,
    sums: &mut [S],
    combine: impl Fn(S, T) -> S + Copy,
) -> usize {
    let places = places_of(outer, row);
    let mut counted = 1;
    for (axis, &place) in outer.iter().zip(&places) {
        counted *= count(axis, place, plan.excludes_padding);
    }
    let taps: usize = outer.iter().map(|axis| axis.window).product();
    'taps: for tap in 0..taps {
        let (mut rest, mut start, mut size) = (tap, 0, last.size);
        for (axis, &place) in outer.iter().zip(&places).rev() {
            let Some(element) = element(axis, place, rest % axis.window) else { continue 'taps };
            start += element * size;
            size *= axis.size;
            rest /= axis.window;
        }
        let elements = &image[start..start + last.size];
        for tap in 0..last.window {
            let places = inside(last, tap);
            if places.is_empty() {
                continue;
            }
            let first = element(last, places.start, tap).expect("a place inside");
            let sums = &mut sums[places];
            if last.stride == 1 {
                let elements = &elements[first..][..sums.len()];
                for (sum, &element) in sums.iter_mut().zip(elements) {
                    *sum = combine(*sum, element);
                }
            } else {
                let elements = elements[first..].iter().step_by(last.stride);
                for (sum, &element) in sums.iter_mut().zip(elements) {
                    *sum = combine(*sum, element);
                }
            }
        }
    }
    counted
}

/// The places along the outer axes of a row.
fn places_of(outer: &[WindowAxis], mut row: usize) -> smallvec::SmallVec<[usize; 4]> {
    let mut places: smallvec::SmallVec<[usize; 4]> = outer
        .iter()
        .rev()
        .map(|axis| {
            let place = row % axis.places;
            row /= axis.places;
            place
        })
        .collect();
    places.reverse();
    places
}

/// The element of an axis that an element of the window meets at a place; `None` in the padding.
#[inline(always)]
fn element(axis: &WindowAxis, place: usize, tap: usize) -> Option<usize> {
    let element = (place * axis.stride + tap * axis.dilation) as isize - axis.before;
    usize::try_from(element).ok().filter(|&element| element < axis.size)
}

/// The places at which an element of the window meets one of the axis.
#[inline(always)]
fn inside(axis: &WindowAxis, tap: usize) -> core::ops::Range<usize> {
    let offset = (tap * axis.dilation) as isize - axis.before;
    let stride = axis.stride as isize;
    let start = (-offset).max(0).unsigned_abs().div_ceil(axis.stride);
    let end = (axis.size as isize - offset).max(0).unsigned_abs().div_ceil(stride.unsigned_abs());
    start.min(axis.places)..end.clamp(start.min(axis.places), axis.places)
}

/// How many elements a window has along an axis: those of the axis, and unless it is left out those of
/// the padding.
#[inline(always)]
fn count(axis: &WindowAxis, place: usize, excludes_padding: bool) -> usize {
    let (low, high) = match excludes_padding {
        true => (0, axis.size as isize),
        false => (-axis.before, (axis.size + axis.after) as isize),
    };
    let first = (place * axis.stride) as isize - axis.before;
    let dilation = axis.dilation as isize;
    // Of `first + dilation · tap`, those from `low` on and below `high`.
    let from = (low - first + dilation - 1).div_euclid(dilation).max(0);
    let to = (high - first + dilation - 1).div_euclid(dilation).clamp(0, axis.window as isize);
    (to - from).max(0).unsigned_abs()
}
