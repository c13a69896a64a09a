//! The transposes of pooling: an element for each window is added to the elements of the window.

use core::mem::MaybeUninit;

use super::split_rows::{Maxima, SplitImage, SplitRows, is_larger, smallest};
use super::windows::Windows;
use super::{Divisors, in_sums};
use crate::element::{Float, Number};
use crate::kernel::isa_fns::with_best_isa;
use crate::kernel::parallel::for_each_part_weighted;
use crate::kernel::row_major::RowMajor;
use crate::kernel::window_order::WindowOrder;
use crate::layout::{ErasedView, num_elements};
use crate::sizes::windows::Pooling;
use crate::storage::Storage;

/// [`max_unpooled`](crate::pooling::max_unpooled)
#[track_caller]
pub fn max_unpooled<T: Float>(
    plan: &Pooling,
    input: ErasedView<'_, T>,
    elements: ErasedView<'_, T>,
) -> Storage<T> {
    assert_eq!(elements.sizes, &plan.result[..], "an element for each window");
    in_sums(input.sizes, [input, elements], |[input, elements]| {
        let Some(order) = order_of_pairs(plan) else {
            return max_unpooled_in_order(plan, input, elements, false);
        };
        let in_order = order.pooling(plan);
        order.run([input, elements], input.sizes, |[input, elements]| {
            max_unpooled_in_order(&in_order, input, elements, order.is_exchanged())
        })
    })
}

/// The better order of the axes of windows, unless the order of the elements of a window would be lost in it.
fn order_of_pairs(plan: &Pooling) -> Option<WindowOrder> {
    let order = WindowOrder::of_images(plan)?;
    (order.rank() <= 2 || !order.is_exchanged()).then_some(order)
}

#[inline(never)]
fn max_unpooled_in_order<S: Number>(
    plan: &Pooling,
    input: ErasedView<'_, S>,
    elements: ErasedView<'_, S>,
    is_exchanged: bool,
) -> Storage<S> {
    let windows = &Windows::new(plan);
    let (of_input, of_windows) = (RowMajor::of(input), RowMajor::of(elements));
    let (of_input, of_windows) = (of_input.as_slice(), of_windows.as_slice());
    let positions = windows.last.positions;
    if windows.are_quads() && !is_exchanged {
        return unpooled_quads(windows, of_input, of_windows);
    }
    let room = || {
        let rows = SplitRows::new(windows, is_exchanged);
        let [input, sums] = [smallest(), S::ZERO].map(|padding| SplitImage::new(&rows, padding));
        (rows, input, sums, Maxima::new(windows))
    };
    unpooled(
        windows,
        input.sizes,
        room,
        #[inline(always)]
        |(rows, split, sums, maxima), image, results: &mut [S]| {
            let input = &of_input[image * windows.image..][..windows.image];
            sums.write(
                rows,
                results,
                #[inline(always)]
                |rows, sums| {
                    for row in 0..windows.rows {
                        rows.select(row);
                        let input = split.load(rows, input, image, row);
                        let row = (image * windows.rows + row) * positions;
                        let elements = &of_windows[row..][..positions];
                        rows.largest(input, maxima);
                        rows.add(sums, maxima, elements);
                    }
                },
            );
        },
    )
}

/// [`max_unpooled`] for windows of two by two elements that do not overlap.
fn unpooled_quads<S: Number>(windows: &Windows<'_>, input: &[S], elements: &[S]) -> Storage<S> {
    let (size, positions) = (windows.image, windows.last.positions);
    let width = windows.last.size;
    assert!(input.is_empty() || input.len().is_multiple_of(size), "whole images");
    let write = |results: &mut [MaybeUninit<S>]| {
        if results.is_empty() {
            return;
        }
        let bytes = windows.bytes::<S>(results.len() / size);
        let zero = MaybeUninit::new(S::ZERO);
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
                                    MaybeUninit::new(if chosen { element } else { S::ZERO })
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
    in_sums(sizes, [elements], |[elements]| {
        if plan.is_of_whole_images() {
            return spread(plan, num_elements(sizes), elements);
        }
        let Some(order) = WindowOrder::of_pooling(plan) else {
            return avg_unpooled_in_order(plan, sizes, elements);
        };
        let (in_order, sizes_in_order) = (order.pooling(plan), order.sizes(sizes));
        order.run([elements], sizes, |[elements]| {
            avg_unpooled_in_order(&in_order, &sizes_in_order, elements)
        })
    })
}

/// [`avg_unpooled`] where each window is an image.
fn spread<S: Number>(plan: &Pooling, len: usize, elements: ErasedView<'_, S>) -> Storage<S> {
    let size = plan.image();
    let (elements, divisor) = (RowMajor::of(elements), S::from_f64(size as f64));
    let elements = elements.as_slice();
    assert_eq!(elements.len().checked_mul(size), Some(len), "an element for each image");
    let write = |start: usize, results: &mut [MaybeUninit<S>]| {
        for (image, element) in results.chunks_exact_mut(size).zip(&elements[start / size..]) {
            image.fill(MaybeUninit::new(element.div(divisor)));
        }
    };
    // SAFETY: every element is written: parts are whole images, and there is an element for each.
    unsafe {
        Storage::build(len, |results| {
            for_each_part_weighted(results, size_of_val(results), size, write);
        })
    }
}

#[inline(never)]
fn avg_unpooled_in_order<S: Number>(
    plan: &Pooling,
    sizes: &[usize],
    elements: ErasedView<'_, S>,
) -> Storage<S> {
    let windows = &Windows::new(plan);
    let of_windows = RowMajor::of(elements);
    let of_windows = of_windows.as_slice();
    let (positions, step) = (windows.last.positions, windows.last.stride);
    let (counted, counts) = (windows.counted(), windows.counts());
    let room = || {
        let [shares, spread] = [positions, windows.last.size].map(|len| vec![S::ZERO; len]);
        (shares, spread, Divisors::new(&counts))
    };
    unpooled(
        windows,
        sizes,
        room,
        #[inline(always)]
        |(shares, spread, divisors), image, sums: &mut [S]| {
            for row in 0..windows.rows {
                let elements = &of_windows[(image * windows.rows + row) * positions..][..positions];
                let counts = divisors.of(counted[row]);
                for ((share, &element), &count) in shares.iter_mut().zip(elements).zip(counts) {
                    *share = element.div(count);
                }
                // Along the last axis once for all rows that the windows read.
                spread.fill(S::ZERO);
                for (positions, first) in &windows.along {
                    let (shares, sums) = (&shares[positions.clone()], &mut spread[*first..]);
                    if step == 1 {
                        add_to(sums.iter_mut(), shares);
                    } else {
                        add_to(sums.iter_mut().step_by(step), shares);
                    }
                }
                for &start in windows.starts(row) {
                    add_to(sums[start..].iter_mut(), spread);
                }
            }
        },
    )
}

#[inline(always)]
fn add_to<'a, S: Number>(sums: impl Iterator<Item = &'a mut S>, numbers: &[S]) {
    for (sum, &number) in sums.zip(numbers) {
        *sum = sum.add(number);
    }
}

/// Images of these sizes, of zeros that `work` adds to, image by image, with memory that is reused for all.
fn unpooled<S: Number, M>(
    windows: &Windows<'_>,
    sizes: &[usize],
    room: impl Fn() -> M + Sync,
    work: impl Fn(&mut M, usize, &mut [S]) + Sync,
) -> Storage<S> {
    let (len, size) = (num_elements(sizes), windows.image);
    assert!(len.is_multiple_of(size), "whole images");
    let mut results = Storage::zeros(len);
    let bytes = windows.bytes::<S>(len / size);
    for_each_part_weighted(&mut results.make_mut()[..len], bytes, size, |start, results| {
        let mut room = room();
        with_best_isa(
            #[inline(always)]
            |_| {
                for (image, results) in results.chunks_exact_mut(size).enumerate() {
                    work(&mut room, start / size + image, results);
                }
            },
        );
    });
    results
}

/// [`max_picked`](crate::pooling::max_picked)
#[track_caller]
pub fn max_picked<T: Float>(
    plan: &Pooling,
    input: ErasedView<'_, T>,
    elements: ErasedView<'_, T>,
) -> Storage<T> {
    assert_eq!(input.sizes, elements.sizes, "one element for another");
    in_sums(&plan.result, [input, elements], |[input, elements]| {
        let Some(order) = order_of_pairs(plan) else {
            return max_picked_in_order(plan, input, elements, false);
        };
        let in_order = order.pooling(plan);
        order.run([input, elements], &plan.result, |[input, elements]| {
            max_picked_in_order(&in_order, input, elements, order.is_exchanged())
        })
    })
}

#[inline(never)]
fn max_picked_in_order<S: Number>(
    plan: &Pooling,
    input: ErasedView<'_, S>,
    elements: ErasedView<'_, S>,
    is_exchanged: bool,
) -> Storage<S> {
    let windows = &Windows::new(plan);
    let (of_input, others) = (RowMajor::of(input), RowMajor::of(elements));
    let (of_input, others) = (of_input.as_slice(), others.as_slice());
    let (size, positions) = (windows.image, windows.last.positions);
    let len = num_elements(&plan.result);
    assert!(len.is_multiple_of(windows.rows * positions), "a result for each window");
    let mut results = Storage::zeros(len);
    let bytes = windows.bytes::<S>(len / (windows.rows * positions));
    for_each_part_weighted(&mut results.make_mut()[..len], bytes, positions, |start, results| {
        let mut maxima = Maxima::new(windows);
        let mut rows = SplitRows::new(windows, is_exchanged);
        let [mut split, mut split_others] =
            [smallest(), S::ZERO].map(|padding| SplitImage::new(&rows, padding));
        with_best_isa(
            #[inline(always)]
            |_| {
                for (row, results) in results.chunks_exact_mut(positions).enumerate() {
                    let row = start / positions + row;
                    let (image, row) = (row / windows.rows, row % windows.rows);
                    rows.select(row);
                    let of_image = image * size..(image + 1) * size;
                    let input = split.load(&rows, &of_input[of_image.clone()], image, row);
                    let others = split_others.load(&rows, &others[of_image], image, row);
                    rows.largest(input, &mut maxima);
                    for (position, result) in results.iter_mut().enumerate() {
                        let at = rows.element(&maxima, position);
                        *result = at.map_or(S::ZERO, |at| others[at]);
                    }
                }
            },
        );
    });
    results
}
