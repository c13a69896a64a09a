//! The transposes of pooling: an element for each window is added to the elements of the window.

use core::mem::MaybeUninit;

use super::split_rows::{NONE, SplitRows, is_larger, smallest};
use super::windows::Windows;
use crate::element::{Element, Float, Number};
use crate::kernel::isa_fns::with_best_isa;
use crate::kernel::parallel::for_each_part_weighted;
use crate::kernel::row_major::RowMajor;
use crate::kernel::window_order::WindowOrder;
use crate::layout::{ErasedView, len_in_memory};
use crate::sizes::windows::Pooling;
use crate::storage::Storage;

/// Adds an element for each window to the maximum of the window.
///
/// # Panics
///
/// If the result does not fit into memory, or the sizes are not those of the plan.
#[track_caller]
#[inline(never)]
pub fn max_unpooled<T: Float>(
    plan: &Pooling,
    input: ErasedView<'_, T>,
    elements: ErasedView<'_, T>,
) -> Storage<T> {
    assert_eq!(elements.sizes, &plan.result[..], "an element for each window");
    if let Some(order) = order_of_pairs(plan) {
        let in_order = order.pooling(plan);
        return order.run([input, elements], input.sizes, |[input, elements]| {
            max_unpooled_in_order(&in_order, input, elements, order.is_exchanged())
        });
    }
    max_unpooled_in_order(plan, input, elements, false)
}

/// The better order of the axes of windows, unless the order of the elements of a window would be lost in it.
fn order_of_pairs(plan: &Pooling) -> Option<WindowOrder> {
    let order = WindowOrder::of_pooling(plan)?;
    (order.rank() <= 2 || !order.is_exchanged()).then_some(order)
}

fn max_unpooled_in_order<T: Float>(
    plan: &Pooling,
    input: ErasedView<'_, T>,
    elements: ErasedView<'_, T>,
    is_exchanged: bool,
) -> Storage<T> {
    let windows = &Windows::new(plan);
    let (of_input, of_windows) = (RowMajor::of(input), RowMajor::of(elements));
    let (of_input, of_windows) = (of_input.as_slice(), of_windows.as_slice());
    let positions = windows.last.positions;
    if windows.are_quads() && !is_exchanged {
        return unpooled_quads(windows, of_input, of_windows);
    }
    let room = || (SplitRows::new(windows, smallest(), is_exchanged), vec![NONE; positions]);
    unpooled(windows, input.sizes, room, |(rows, at), image, sums: &mut [T::Sum]| {
        let input = &of_input[image * windows.image..][..windows.image];
        for row in 0..windows.rows {
            rows.load(input, image, row);
            rows.largest(row, at);
            let elements = &of_windows[(image * windows.rows + row) * positions..][..positions];
            for (&at, &element) in at.iter().zip(elements) {
                if at != NONE {
                    sums[at] = sums[at].add(element.widen());
                }
            }
        }
    })
}

/// [`max_unpooled`] for windows of two by two elements that do not overlap.
fn unpooled_quads<T: Float>(windows: &Windows<'_>, input: &[T], elements: &[T]) -> Storage<T> {
    let (size, positions) = (windows.image, windows.last.positions);
    let width = windows.last.size;
    assert!(input.is_empty() || input.len().is_multiple_of(size), "whole images");
    let write = |results: &mut [MaybeUninit<T>]| {
        if results.is_empty() {
            return;
        }
        let bytes = windows.bytes::<T>(results.len() / size);
        let zero = MaybeUninit::new(T::ZERO);
        for_each_part_weighted(results, bytes, size, |start, results| {
            with_best_isa(
                #[inline(always)]
                |_| {
                    for (image, results) in results.chunks_exact_mut(size).enumerate() {
                        let image = start / size + image;
                        let input = &input[image * size..][..size];
                        let mut rows = results.chunks_exact_mut(2 * width);
                        for (row, to) in rows.by_ref().take(windows.rows).enumerate() {
                            let [top, bottom] = windows.pairs(input, row);
                            let row = (image * windows.rows + row) * positions;
                            let elements = elements[row..][..positions].iter();
                            let (to_top, to_bottom) = to.split_at_mut(width);
                            to_top[2 * positions..].fill(zero);
                            to_bottom[2 * positions..].fill(zero);
                            let to_top = to_top.as_chunks_mut().0.iter_mut();
                            let to_bottom = to_bottom.as_chunks_mut().0.iter_mut();
                            let from = top.iter().zip(bottom).zip(elements);
                            for (((&[a, b], &[c, d]), &element), (top, bottom)) in
                                from.zip(to_top.zip(to_bottom))
                            {
                                let (right_above, right_below) = (is_larger(b, a), is_larger(d, c));
                                let above = if right_above { b } else { a };
                                let is_below = is_larger(if right_below { d } else { c }, above);
                                let of = |chosen: bool| {
                                    MaybeUninit::new(if chosen { element } else { T::ZERO })
                                };
                                *top = [!is_below & !right_above, !is_below & right_above].map(of);
                                *bottom = [is_below & !right_below, is_below & right_below].map(of);
                            }
                        }
                        rows.by_ref().for_each(|rest| rest.fill(zero));
                        rows.into_remainder().fill(zero);
                    }
                },
            );
        });
    };
    // SAFETY: every element is written: parts are whole images, and each row of an image is either in a pair
    // of rows with windows, which is written as far as there are windows and filled after them, or in another
    // pair or the remainder, which are filled.
    unsafe { Storage::build(input.len(), write) }
}

/// Distributes an element for each window evenly over the elements of the window.
///
/// # Panics
///
/// If the result does not fit into memory, or the sizes are not those of the plan.
#[track_caller]
#[inline(never)]
pub fn avg_unpooled<T: Float>(
    plan: &Pooling,
    sizes: &[usize],
    elements: ErasedView<'_, T>,
) -> Storage<T> {
    assert_eq!(elements.sizes, &plan.result[..], "an element for each window");
    if let Some(order) = WindowOrder::of_pooling(plan) {
        let in_order = order.pooling(plan);
        let sizes_in_order = order.sizes(sizes);
        return order.run([elements], sizes, |[elements]| {
            avg_unpooled(&in_order, &sizes_in_order, elements)
        });
    }
    let windows = &Windows::new(plan);
    let of_windows = RowMajor::of(elements);
    let of_windows = of_windows.as_slice();
    let (positions, step) = (windows.last.positions, windows.last.stride);
    let (counted, counts) = (windows.counted(), windows.counts());
    let room = || vec![T::Sum::ZERO; positions];
    unpooled(windows, sizes, room, |shares, image, sums: &mut [T::Sum]| {
        for row in 0..windows.rows {
            let elements = &of_windows[(image * windows.rows + row) * positions..][..positions];
            for ((share, &element), count) in shares.iter_mut().zip(elements).zip(&counts) {
                *share = element.widen().div(T::Sum::from_f64((counted[row] * count) as f64));
            }
            windows.for_each_tap(row, |positions, first| {
                let shares = &shares[positions];
                for (sum, &share) in sums[first..].iter_mut().step_by(step).zip(shares) {
                    *sum = sum.add(share);
                }
            });
        }
    })
}

/// Images of these sizes, whose sums `work` computes, image by image, with memory that is reused for all.
fn unpooled<T: Float, M>(
    windows: &Windows<'_>,
    sizes: &[usize],
    room: impl Fn() -> M + Sync,
    work: impl Fn(&mut M, usize, &mut [T::Sum]) + Sync,
) -> Storage<T> {
    let len = len_in_memory(sizes, size_of::<T>());
    let size = windows.image;
    assert!(len == 0 || len.is_multiple_of(size), "whole images");
    let write = |results: &mut [MaybeUninit<T>]| {
        if results.is_empty() {
            return;
        }
        let bytes = windows.bytes::<T>(results.len() / size);
        for_each_part_weighted(results, bytes, size, |start, results| {
            let (mut sums, mut room) = (vec![T::Sum::ZERO; size], room());
            with_best_isa(
                #[inline(always)]
                |_| {
                    for (image, results) in results.chunks_exact_mut(size).enumerate() {
                        sums.fill(T::Sum::ZERO);
                        work(&mut room, start / size + image, &mut sums);
                        for (result, &sum) in results.iter_mut().zip(&sums) {
                            result.write(T::narrow(sum));
                        }
                    }
                },
            );
        });
    };
    // SAFETY: every element is written: parts are whole images, and each image is written whole.
    unsafe { Storage::build(len, write) }
}

/// Picks the element at the position of the maximum of each window, or 0 for a window of padding alone.
///
/// # Panics
///
/// If the result does not fit into memory, or the sizes differ.
#[track_caller]
#[inline(never)]
pub fn max_picked<T: Float>(
    plan: &Pooling,
    input: ErasedView<'_, T>,
    elements: ErasedView<'_, T>,
) -> Storage<T> {
    assert_eq!(input.sizes, elements.sizes, "one element for another");
    if let Some(order) = order_of_pairs(plan) {
        let in_order = order.pooling(plan);
        return order.run([input, elements], &plan.result, |[input, elements]| {
            max_picked_in_order(&in_order, input, elements, order.is_exchanged())
        });
    }
    max_picked_in_order(plan, input, elements, false)
}

fn max_picked_in_order<T: Float>(
    plan: &Pooling,
    input: ErasedView<'_, T>,
    elements: ErasedView<'_, T>,
    is_exchanged: bool,
) -> Storage<T> {
    let windows = &Windows::new(plan);
    let (of_input, others) = (RowMajor::of(input), RowMajor::of(elements));
    let (of_input, others) = (of_input.as_slice(), others.as_slice());
    let (size, positions) = (windows.image, windows.last.positions);
    let len = len_in_memory(&plan.result, size_of::<T>());
    assert!(len == 0 || len.is_multiple_of(windows.rows * positions), "a result for each window");
    let write = |results: &mut [MaybeUninit<T>]| {
        if results.is_empty() {
            return;
        }
        let bytes = windows.bytes::<T>(results.len() / (windows.rows * positions));
        for_each_part_weighted(results, bytes, positions, |start, results| {
            let mut rows = SplitRows::new(windows, smallest(), is_exchanged);
            let mut at = vec![NONE; positions];
            for (row, results) in results.chunks_exact_mut(positions).enumerate() {
                let row = start / positions + row;
                let (image, row) = (row / windows.rows, row % windows.rows);
                rows.load(&of_input[image * size..][..size], image, row);
                rows.largest(row, &mut at);
                let others = &others[image * size..][..size];
                for (result, &at) in results.iter_mut().zip(&at) {
                    result.write(if at == NONE { T::ZERO } else { others[at] });
                }
            }
        });
    };
    // SAFETY: every result is written: parts are whole rows of results.
    unsafe { Storage::build(len, write) }
}
