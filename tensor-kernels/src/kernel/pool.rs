//! Pooling and resizing along the last axes: each result is a function of a few elements of its image.

mod resize;
mod split_rows;
mod transposed;
mod windows;

pub use resize::{resized, resized_transposed};
pub use transposed::{avg_unpooled, max_picked, max_unpooled};

use core::any::{Any, TypeId};
use core::hint::black_box;
use core::mem::MaybeUninit;

use split_rows::{SplitImage, SplitRows, smallest};
use windows::{LANES, Windows};

use super::isa_fns::with_avx2;
use super::parallel::for_each_part_weighted;
use super::row_major::RowMajor;
use super::window_order::WindowOrder;
use crate::arrays;
use crate::element::order::KeyBits;
use crate::element::{Float, Isa, Number};
use crate::layout::{ErasedView, len_in_memory, num_elements};
use crate::sizes::windows::Pooling;
use crate::storage::{Storage, each_from};

/// [`max_pooled`](crate::pooling::max_pooled)
#[track_caller]
pub fn max_pooled<T: Number>(plan: &Pooling, input: ErasedView<'_, T>) -> Storage<T> {
    if const { T::IS_FLOAT } {
        in_sums(&plan.result, [input], |[input]| largest(plan, input))
    } else if const { size_of::<T>() <= size_of::<u32>() } {
        largest_key::<T, u32>(plan, input)
    } else {
        largest_key::<T, u64>(plan, input)
    }
}

/// The maxima of integers, by way of their sort keys: the smallest integer has the key 0, as padding.
#[track_caller]
#[inline(never)]
fn largest_key<T: Number, K: Number + KeyBits>(
    plan: &Pooling,
    input: ErasedView<'_, T>,
) -> Storage<T> {
    let len = len_in_memory(&plan.result, size_of::<T>());
    // Without images, the number of window positions may overflow.
    if len == 0 {
        return Storage::zeros(0);
    }
    len_in_memory(&plan.result, size_of::<K>());
    let elements = RowMajor::of(input);
    let elements = elements.as_slice();
    let keys = each_from(elements.len(), |index| K::truncated(T::order_key(elements[index])));
    let keys = ErasedView::new(input.sizes, None, &keys.as_slice()[..elements.len()]);
    let maxima = largest(plan, keys);
    let maxima = &maxima.as_slice()[..len];
    each_from(len, |index| T::from_order_key(maxima[index].into()))
}

/// [`avg_pooled`](crate::pooling::avg_pooled)
#[track_caller]
pub fn avg_pooled<T: Float>(plan: &Pooling, input: ErasedView<'_, T>) -> Storage<T> {
    in_sums(&plan.result, [input], |[input]| means(plan, input))
}

#[inline(never)]
fn largest<S: Number>(plan: &Pooling, input: ErasedView<'_, S>) -> Storage<S> {
    pool(plan, input, smallest(), S::maximum, |largest, _| largest)
}

#[inline(never)]
fn means<S: Number>(plan: &Pooling, input: ErasedView<'_, S>) -> Storage<S> {
    pool(plan, input, S::ZERO, S::add, S::div)
}

/// Reduces the windows, many neighbouring ones at a time, starting with `first`, which is the padding.
fn pool<S: Number>(
    plan: &Pooling,
    input: ErasedView<'_, S>,
    first: S,
    combine: impl Fn(S, S) -> S + Copy + Sync,
    finish: impl Fn(S, S) -> S + Copy + Sync,
) -> Storage<S> {
    // Windows of several rows are combined to one row first.
    let order = match plan.axes.len() {
        1 => WindowOrder::of_images(plan),
        _ => WindowOrder::of_pooling(plan),
    };
    if let Some(order) = order {
        let plan_in_order = order.pooling(plan);
        return order.run([input], &plan.result, |[input]| {
            pool(&plan_in_order, input, first, combine, finish)
        });
    }
    let elements = RowMajor::of(input);
    let elements = elements.as_slice();
    let windows = &Windows::new(plan);
    let (len, positions) = (num_elements(&plan.result), windows.last.positions);
    assert!(len.is_multiple_of(windows.rows * positions), "a result for each window");
    let (counted, counts) = (windows.counted(), windows.counts());
    let quads = windows.are_quads();
    let of_last = windows.are_quicker_in_rows().then(|| plan.along_last());
    let (in_rows, of_last) = (of_last.is_some(), of_last.as_ref().map(Windows::new));
    let of_rows = of_last.as_ref().unwrap_or(windows);
    let work = |start: usize, results: &mut [MaybeUninit<S>]| {
        let mut rows = (!quads).then(|| {
            let rows = SplitRows::new(of_rows, false);
            let image = SplitImage::new(&rows, first);
            (rows, image, Divisors::new(&counts))
        });
        let mut combined = vec![first; if in_rows { windows.last.size } else { 0 }];
        with_isa::<S>(
            #[inline(always)]
            |_| {
                for (row, results) in results.chunks_exact_mut(positions).enumerate() {
                    let row = start / positions + row;
                    let (image, row) = (row / windows.rows, row % windows.rows);
                    let elements = &elements[image * windows.image..][..windows.image];
                    let Some((rows, split, divisors)) = &mut rows else {
                        let [top, bottom] = windows.pairs(elements, row);
                        let four = S::from_f64(4.0);
                        for_each_of_four(top, bottom, results, |[a, b], [c, d], result| {
                            let sum = combine(combine(combine(combine(first, a), b), c), d);
                            result.write(finish(sum, four));
                        });
                        continue;
                    };
                    let counts = divisors.of(counted[row]);
                    let elements = if in_rows {
                        let number = image * windows.rows + row;
                        combine_rows(elements, windows.starts(row), first, combine, &mut combined);
                        rows.select(0);
                        split.load(rows, &combined, number, 0)
                    } else {
                        rows.select(row);
                        split.load(rows, elements, image, row)
                    };
                    for (start, count) in rows.tiles() {
                        let mut sums = [first; LANES];
                        for elements in rows.tile(elements, start) {
                            for lane in 0..LANES {
                                sums[lane] = combine(sums[lane], elements[lane]);
                            }
                        }
                        // Through memory, where windows are adjacent, so that vectors consist of neighbours.
                        let sums = black_box(sums);
                        let results = results[start..][..count].iter_mut();
                        for ((result, &sum), &count) in results.zip(&sums).zip(&counts[start..]) {
                            result.write(finish(sum, count));
                        }
                    }
                }
            },
        );
    };
    // SAFETY: every result is written: each part is whole rows of results, and each row is written whole.
    unsafe {
        Storage::build(len, |results| {
            let bytes = size_of_val(results).saturating_mul(windows.window());
            for_each_part_weighted(results, bytes, positions, work);
        })
    }
}

/// Calls `work` with the instruction set that pays: AVX2 for floats.
#[inline(always)]
fn with_isa<S: Number>(work: impl FnOnce(Isa)) {
    if const { S::IS_FLOAT } { with_avx2(work) } else { work(Isa::BASELINE) }
}

/// Combines the elements of rows of an image that have the same index, beginning with `first`.
#[inline(never)]
fn combine_rows<S: Number>(
    image: &[S],
    starts: &[usize],
    first: S,
    combine: impl Fn(S, S) -> S + Copy,
    combined: &mut [S],
) {
    with_isa::<S>(
        #[inline(always)]
        |_| {
            let (tiles, rest) = combined.as_chunks_mut::<LANES>();
            let done = tiles.len() * LANES;
            for (number, tile) in tiles.iter_mut().enumerate() {
                let mut sums = [first; LANES];
                for start in starts {
                    let elements = image[start + number * LANES..].first_chunk::<LANES>();
                    for (sum, &element) in sums.iter_mut().zip(elements.expect("a whole row")) {
                        *sum = combine(*sum, element);
                    }
                }
                // Through memory, where sums are adjacent, so that vectors consist of neighbours.
                *tile = black_box(sums);
            }
            rest.fill(first);
            for start in starts {
                for (sum, &element) in rest.iter_mut().zip(&image[start + done..]) {
                    *sum = combine(*sum, element);
                }
            }
        },
    );
}

/// The numbers of elements of the windows of a row of positions.
struct Divisors<'a, S> {
    /// The numbers along the last axis.
    counts: &'a [usize],
    /// The number along the outer axes.
    outer: f64,
    of_row: Vec<S>,
}

impl<'a, S: Number> Divisors<'a, S> {
    fn new(counts: &'a [usize]) -> Self {
        Self { counts, outer: 0.0, of_row: Vec::new() }
    }

    fn of(&mut self, outer: f64) -> &[S] {
        if outer != self.outer || self.of_row.is_empty() {
            self.outer = outer;
            self.of_row.clear();
            self.of_row.extend(self.counts.iter().map(|&count| S::from_f64(outer * count as f64)));
        }
        &self.of_row
    }
}

/// A result of these sizes, computed in the type of sums, which 16-bit floats are converted to; without elements if one of
/// these sizes is 0.
#[track_caller]
fn in_sums<T: Number, const N: usize>(
    result: &[usize],
    operands: [ErasedView<'_, T>; N],
    compute: impl FnOnce([ErasedView<'_, T::Sum>; N]) -> Storage<T::Sum>,
) -> Storage<T> {
    let len = len_in_memory(result, size_of::<T>());
    // Without images, the number of window positions may overflow.
    if len == 0 {
        return Storage::zeros(0);
    }
    len_in_memory(result, size_of::<T::Sum>());
    let elements: [_; N] = arrays::from_fn(|index| RowMajor::of(operands[index]));
    let sums: [_; N] = arrays::from_fn(|index| widened(elements[index].as_slice()));
    let view = |index: usize| ErasedView::new(operands[index].sizes, None, sums[index].as_slice());
    narrowed(compute(arrays::from_fn(view)), len)
}

/// The elements in the type of sums.
fn widened<T: Number>(elements: &[T]) -> RowMajor<'_, T::Sum> {
    if TypeId::of::<T>() == TypeId::of::<T::Sum>() {
        // SAFETY: both are the same type.
        return RowMajor::Borrowed(unsafe {
            core::slice::from_raw_parts(elements.as_ptr().cast(), elements.len())
        });
    }
    let write = |sums: &mut [MaybeUninit<T::Sum>]| {
        for (sum, element) in sums.iter_mut().zip(elements) {
            sum.write(element.widen());
        }
    };
    // SAFETY: every element is written: there is one for each.
    RowMajor::Copied(unsafe { Storage::build(elements.len(), write) }, elements.len())
}

/// The first `len` sums in the element type.
fn narrowed<T: Number>(sums: Storage<T::Sum>, len: usize) -> Storage<T> {
    let mut sums = Some(sums);
    let same: &mut dyn Any = &mut sums;
    if let Some(same) = same.downcast_mut::<Option<Storage<T>>>().and_then(Option::take) {
        return same;
    }
    let sums = sums.expect("not taken");
    let sums = &sums.as_slice()[..len];
    let write = |results: &mut [MaybeUninit<T>]| {
        for (result, &sum) in results.iter_mut().zip(sums) {
            result.write(T::narrow(sum));
        }
    };
    // SAFETY: every result is written: there is a sum for each.
    unsafe { Storage::build(len, write) }
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
