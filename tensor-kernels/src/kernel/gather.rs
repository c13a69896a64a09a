//! Gather and scatter: elements at indices. Callers have checked that the indices are in range.

use core::mem::MaybeUninit;

use super::bits::{bits, from_bits};
use super::copy::copy_slice_inline;
use super::parallel::for_each_part;
use super::prefetch::prefetch;
use super::row_major::{RowMajor, around};
use crate::element::{Element, Number};
use crate::layout::{ErasedView, len_in_memory, num_elements};
use crate::ops::{Along, Combine};
use crate::storage::{Storage, each_from};

/// `take`: the slices at `indices` along an axis, `[..a, n, ..b] → [..a, k, ..b]`.
#[track_caller]
pub fn take<T: Element>(x: ErasedView<'_, T>, axis: usize, indices: &[i64]) -> Storage<T> {
    // SAFETY: the results are elements of the view.
    unsafe { from_bits(take_bits(bits(&x), axis, indices)) }
}

#[track_caller]
#[inline(never)]
fn take_bits<T: Element>(x: ErasedView<'_, T>, axis: usize, indices: &[i64]) -> Storage<T> {
    let [outer, n, inner] = around(x.sizes, axis);
    let len = len_in_memory(&[outer, indices.len(), inner], size_of::<T>());
    if len == 0 {
        return Storage::zeros(0);
    }
    let x = RowMajor::of(x);
    let x = &x.as_slice()[..num_elements(&[outer, n, inner])];
    let fill = |results: &mut [MaybeUninit<T>]| {
        for_each_part(results, inner, |start, results| {
            let row = start / inner;
            let (lane, at) = (row / indices.len(), row % indices.len());
            if inner == 1 {
                return take_elements(x.chunks_exact(n).skip(lane), indices, at, results);
            }
            take_rows(x, [n, inner], indices, [lane, at], results);
        });
    };
    // SAFETY: each of the `outer * indices.len()` rows of results is written: parts have whole
    // rows, and every step writes one of `inner` results.
    unsafe { Storage::build(len, fill) }
}

/// How far ahead of the copies rows are prefetched, in bytes.
const AHEAD: usize = 4 << 10;
/// The maximum number of prefetched bytes of each row: the hardware prefetches the rest as a stream.
const AHEAD_OF_ROW: usize = 2 << 10;
/// The minimum size of a source that is prefetched, in bytes: a smaller one is in the L2 cache.
const PREFETCHED: usize = 512 << 10;

/// Copies rows of blocks `[n, inner]`, starting with index number `at` of a block.
#[inline(always)]
fn take_rows<T: Element>(
    x: &[T],
    [n, inner]: [usize; 2],
    indices: &[i64],
    [mut lane, mut at]: [usize; 2],
    results: &mut [MaybeUninit<T>],
) {
    let bytes = inner * size_of::<T>();
    let is_prefetched = size_of_val(x) > PREFETCHED;
    let ahead = (AHEAD / bytes).clamp(1, 16);
    let mut block = &x[lane * n * inner..];
    for row in results.chunks_exact_mut(inner) {
        if let Some(next) = indices.get(at + ahead).filter(|_| is_prefetched) {
            prefetch(block[*next as usize * inner..].as_ptr().cast(), bytes.min(AHEAD_OF_ROW));
        }
        copy_slice_inline(&block[indices[at] as usize * inner..][..inner], row);
        at += 1;
        if at == indices.len() {
            (lane, at) = (lane + 1, 0);
            block = &x[lane * n * inner..];
        }
    }
}

/// Copies single elements of lanes, starting with index number `at` of the first lane.
fn take_elements<'a, T: Element>(
    lanes: impl Iterator<Item = &'a [T]>,
    indices: &[i64],
    mut at: usize,
    mut results: &mut [MaybeUninit<T>],
) {
    for lane in lanes {
        let count = (indices.len() - at).min(results.len());
        let (here, rest) = results.split_at_mut(count);
        for (result, &index) in here.iter_mut().zip(&indices[at..]) {
            result.write(lane[index as usize]);
        }
        (results, at) = (rest, 0);
        if results.is_empty() {
            return;
        }
    }
    assert!(results.is_empty(), "lanes for all results");
}

/// `take_along`: elements at indices along an axis, `[..a, n, ..b], [..a, k, ..b] → [..a, k, ..b]`.
#[track_caller]
pub fn take_along<T: Element>(x: ErasedView<'_, T>, along: Along<'_>) -> Storage<T> {
    // SAFETY: the results are elements of the view.
    unsafe { from_bits(take_bits_along(bits(&x), along)) }
}

#[track_caller]
#[inline(never)]
fn take_bits_along<T: Element>(x: ErasedView<'_, T>, along: Along<'_>) -> Storage<T> {
    let [_, n, inner] = around(x.sizes, along.axis);
    let x = RowMajor::of(x);
    let x = x.as_slice();
    let mut results = Storage::zeros(along.indices.len());
    let positions = positions(along, [n, inner]);
    let to = results.get_mut().expect("a new storage has one owner");
    for (result, position) in to.iter_mut().zip(positions) {
        *result = x[position];
    }
    results
}

/// The row-major positions in `[..a, n, ..b]` of the elements that the indices `[..a, k, ..b]` select.
fn positions(along: Along<'_>, [n, inner]: [usize; 2]) -> impl Iterator<Item = usize> {
    let Along { len, indices, .. } = along;
    let block = (len * inner).max(1);
    indices.chunks(block).enumerate().flat_map(move |(outer, block)| {
        block.chunks(inner.max(1)).flat_map(move |row| {
            let position =
                move |(at, &index): (usize, &i64)| (outer * n + index as usize) * inner + at;
            row.iter().enumerate().map(position)
        })
    })
}

#[track_caller]
pub fn scatter<T: Element>(
    x: ErasedView<'_, T>,
    along: Along<'_>,
    values: ErasedView<'_, T>,
) -> Storage<T> {
    // SAFETY: the results are elements of the views.
    unsafe { from_bits(scatter_bits(bits(&x), along, bits(&values))) }
}

#[track_caller]
#[inline(never)]
fn scatter_bits<T: Element>(
    x: ErasedView<'_, T>,
    along: Along<'_>,
    values: ErasedView<'_, T>,
) -> Storage<T> {
    scattered(x, along, values, |_, value| value)
}

#[track_caller]
#[inline(never)]
pub fn scatter_combine<T: Number>(
    x: ErasedView<'_, T>,
    along: Along<'_>,
    values: ErasedView<'_, T>,
    combine: Combine,
) -> Storage<T> {
    let combine: fn(T, T) -> T = match combine {
        Combine::Max => T::maximum,
        Combine::Min => T::minimum,
        Combine::Add if const { size_of::<T>() == size_of::<T::Sum>() } => T::add,
        Combine::Mul if const { size_of::<T>() == size_of::<T::Sum>() } => T::mul,
        Combine::Add => return accumulated(x, along, values, T::Sum::add),
        Combine::Mul => return accumulated(x, along, values, T::Sum::mul),
    };
    scattered(x, along, values, combine)
}

/// [`scattered`], accumulated in the type of sums and rounded once.
#[track_caller]
fn accumulated<T: Number>(
    x: ErasedView<'_, T>,
    along: Along<'_>,
    values: ErasedView<'_, T>,
    combine: fn(T::Sum, T::Sum) -> T::Sum,
) -> Storage<T> {
    let [_, n, inner] = around(x.sizes, along.axis);
    let (x, values) = (RowMajor::of(x), RowMajor::of(values));
    let mut sums: Vec<T::Sum> = x.as_slice().iter().map(|x| x.widen()).collect();
    for (position, value) in positions(along, [n, inner]).zip(values.as_slice()) {
        sums[position] = combine(sums[position], value.widen());
    }
    each_from(sums.len(), |position| T::narrow(sums[position]))
}

/// A copy of `x` in which each value is combined with the element that its index selects, one after the
/// other in row-major order.
#[track_caller]
#[inline(never)]
fn scattered<T: Element>(
    x: ErasedView<'_, T>,
    along: Along<'_>,
    values: ErasedView<'_, T>,
    combine: fn(T, T) -> T,
) -> Storage<T> {
    let [_, n, inner] = around(x.sizes, along.axis);
    let mut results = RowMajor::of(x).into_storage();
    let values = RowMajor::of(values);
    let to = results.make_mut();
    for (position, &value) in positions(along, [n, inner]).zip(values.as_slice()) {
        to[position] = combine(to[position], value);
    }
    results
}

/// `index_copy`: replaces slices, `[..a, n, ..b], [..a, k, ..b] → [..a, n, ..b]`.
#[track_caller]
pub fn index_copy<T: Element>(
    x: ErasedView<'_, T>,
    axis: usize,
    indices: &[i64],
    values: ErasedView<'_, T>,
) -> Storage<T> {
    // SAFETY: the results are elements of the views.
    unsafe { from_bits(copy_bits(bits(&x), axis, indices, bits(&values))) }
}

#[track_caller]
#[inline(never)]
fn copy_bits<T: Element>(
    x: ErasedView<'_, T>,
    axis: usize,
    indices: &[i64],
    values: ErasedView<'_, T>,
) -> Storage<T> {
    with_rows(x, axis, indices, values, |row, values| row.copy_from_slice(values))
}

/// `index_add`: adds to slices, `[..a, n, ..b], [..a, k, ..b] → [..a, n, ..b]`.
#[track_caller]
#[inline(never)]
pub fn index_add<T: Number>(
    x: ErasedView<'_, T>,
    axis: usize,
    indices: &[i64],
    values: ErasedView<'_, T>,
) -> Storage<T> {
    if const { size_of::<T>() != size_of::<T::Sum>() } {
        return index_add_widened(x, axis, indices, values);
    }
    with_rows(x, axis, indices, values, |row, values| {
        for (element, value) in row.iter_mut().zip(values) {
            *element = element.add(*value);
        }
    })
}

/// [`index_add`] in the type of sums, rounded once: sums all values of one row, then those of the next.
#[track_caller]
fn index_add_widened<T: Number>(
    x: ErasedView<'_, T>,
    axis: usize,
    indices: &[i64],
    values: ErasedView<'_, T>,
) -> Storage<T> {
    let [_, n, inner] = around(x.sizes, axis);
    let mut results = RowMajor::of(x).into_storage();
    let values = RowMajor::of(values);
    let rows = values.as_slice();
    if rows.is_empty() {
        return results;
    }
    let order = by_index(indices);
    let mut sums = vec![T::Sum::ZERO; inner];
    let blocks = results.make_mut().chunks_exact_mut(n * inner);
    for (block, rows) in blocks.zip(rows.chunks_exact(indices.len() * inner)) {
        for same in order.chunk_by(|&left, &right| indices[left] == indices[right]) {
            let row = &mut block[indices[same[0]] as usize * inner..][..inner];
            for (sum, element) in sums.iter_mut().zip(&*row) {
                *sum = element.widen();
            }
            for &number in same {
                for (sum, value) in sums.iter_mut().zip(&rows[number * inner..][..inner]) {
                    *sum = sum.add(value.widen());
                }
            }
            for (element, &sum) in row.iter_mut().zip(&sums) {
                *element = T::narrow(sum);
            }
        }
    }
    results
}

/// The numbers of the indices, in the order of the indices, and of their numbers where these are equal: values are added in
/// their order. A function of its own, as sorting is generated anew in generic code.
fn by_index(indices: &[i64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..indices.len()).collect();
    order.sort_by_key(|&number| indices[number]);
    order
}

/// A copy of `x` in which rows of values are combined with the rows that the indices select, one after the
/// other.
#[track_caller]
fn with_rows<T: Element>(
    x: ErasedView<'_, T>,
    axis: usize,
    indices: &[i64],
    values: ErasedView<'_, T>,
    combine: impl Fn(&mut [T], &[T]),
) -> Storage<T> {
    let [_, n, inner] = around(x.sizes, axis);
    let mut results = RowMajor::of(x).into_storage();
    let values = RowMajor::of(values);
    let rows = values.as_slice();
    // If there is a value, no size is 0.
    if !rows.is_empty() {
        let blocks = results.make_mut().chunks_exact_mut(n * inner);
        for (block, rows) in blocks.zip(rows.chunks_exact(indices.len() * inner)) {
            for (&index, row) in indices.iter().zip(rows.chunks_exact(inner)) {
                combine(&mut block[index as usize * inner..][..inner], row);
            }
        }
    }
    results
}

/// `one_hot`: rows with a 1 at each index, `[n] → [n, depth]`.
#[track_caller]
#[inline(never)]
pub fn one_hot<T: Element>(indices: &[i64], depth: usize) -> Storage<T> {
    let len = len_in_memory(&[indices.len(), depth], size_of::<T>());
    let mut results = Storage::zeros(len);
    let to = results.get_mut().expect("a new storage has one owner");
    for (row, &index) in to.chunks_exact_mut(depth.max(1)).zip(indices) {
        row[index as usize] = T::ONE;
    }
    results
}

/// The row-major positions of the elements that are not 0.
#[track_caller]
#[inline(never)]
pub fn nonzero<T: Element>(x: ErasedView<'_, T>) -> Vec<i64> {
    let (x, mut found) = (RowMajor::of(x), Vec::new());
    for (position, &element) in x.as_slice().iter().enumerate() {
        if element != T::ZERO {
            found.push(position as i64);
        }
    }
    found
}

/// `diff`: differences of neighbours along an axis, `[..a, n, ..b] → [..a, n - 1, ..b]`.
#[track_caller]
#[inline(never)]
pub fn diff<T: Number>(x: ErasedView<'_, T>, axis: usize) -> Storage<T> {
    let [outer, n, inner] = around(x.sizes, axis);
    let len = num_elements(&[outer, n.saturating_sub(1), inner]);
    let mut results = Storage::zeros(len);
    if len == 0 {
        return results;
    }
    let x = RowMajor::of(x);
    let to = results.get_mut().expect("a new storage has one owner");
    let blocks = x.as_slice().chunks_exact(n * inner);
    for (to, block) in to[..len].chunks_exact_mut((n - 1) * inner).zip(blocks) {
        for ((result, next), before) in to.iter_mut().zip(&block[inner..]).zip(block) {
            *result = next.sub(*before);
        }
    }
    results
}
