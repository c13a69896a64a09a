//! Order along an axis: sorting, the largest elements, quantiles, searching.
//!
//! Elements are sorted as numbers that compare as they do ([`OrderKey`]), by the standard library: two
//! sizes of numbers serve all types. Where indices are asked for, a number has that of its element as
//! its lowest bits, so that equal elements stay as they stand.

use super::parallel::for_each_part_weighted;
use super::row_major::{RowMajor, around, axis_back, axis_last};
use crate::array::layout::{ErasedView, num_elements};
use crate::array::storage::Storage;
use crate::element::order::OrderKey;
use crate::element::{Element, Float};
use crate::ops::{Groups, Interpolation};

/// What a comparison takes, in times of a move: threads pay earlier.
const COST: usize = 16;

/// Whether the numbers of elements have 32 bits.
const fn is_narrow<T>() -> bool {
    size_of::<T>() <= 4
}

/// The elements along an axis in order.
#[track_caller]
pub(crate) fn sort<T: OrderKey>(x: ErasedView<'_, T>, axis: usize, descending: bool) -> Storage<T> {
    let sizes @ [_, n, _] = around(x.sizes, axis);
    let from = axis_last(x, axis);
    let len = num_elements(&sizes);
    let mut sorted = Storage::from_slice(&from.as_slice()[..len]);
    if n > 1 && len > 0 {
        let elements = &mut sorted.make_mut()[..len];
        let bytes = size_of_val(elements) * COST;
        for_each_part_weighted(elements, bytes, n, |_, elements| {
            if is_narrow::<T>() {
                let to_bits = |element: T| element.key() as u32;
                sort_rows(elements, n, descending, to_bits, |bits| T::from_key(bits.into()));
            } else {
                sort_rows(elements, n, descending, T::key, T::from_key);
            }
        });
    }
    axis_back(sorted, sizes)
}

/// Numbers that elements are sorted as.
trait Bits: Ord + Copy + core::ops::Not<Output = Self> {}

impl Bits for u32 {}
impl Bits for u64 {}

fn sort_rows<T: OrderKey, B: Bits>(
    elements: &mut [T],
    n: usize,
    descending: bool,
    to_bits: impl Fn(T) -> B,
    from_bits: impl Fn(B) -> T,
) {
    let (mut keys, mut zeros) = (Vec::with_capacity(n), Vec::new());
    for row in elements.chunks_exact_mut(n) {
        zeros.clear();
        if row.iter().any(|element| element.is_negative_zero()) {
            zeros.extend(row.iter().copied().filter(|element| *element == T::ZERO));
        }
        keys.clear();
        let key = |&element: &T| if descending { !to_bits(element) } else { to_bits(element) };
        keys.extend(row.iter().map(key));
        keys.sort_unstable();
        for (element, &key) in row.iter_mut().zip(&keys) {
            *element = from_bits(if descending { !key } else { key });
        }
        // Zeros are equal, whatever their signs: they stay as they stood.
        if !zeros.is_empty() {
            let first = row.iter().position(|element| *element == T::ZERO).expect("a zero");
            row[first..][..zeros.len()].copy_from_slice(&zeros);
        }
    }
}

/// The indices of the first `k` elements along an axis, `[..a, n, ..b] → [..a, k, ..b]`.
#[track_caller]
pub(crate) fn arg_order<T: OrderKey>(
    x: ErasedView<'_, T>,
    axis: usize,
    k: usize,
    descending: bool,
) -> Vec<usize> {
    let [outer, n, inner] = around(x.sizes, axis);
    assert!(k <= n, "as many elements as are chosen");
    let len = num_elements(&[outer, k, inner]);
    if len == 0 {
        return Vec::new();
    }
    let x = axis_last(x, axis);
    let x = x.as_slice();
    let mut first = Storage::<u64>::zeros(len);
    let results = &mut first.get_mut().expect("a new storage has one owner")[..len];
    let bytes = num_elements(&[outer, n, inner]) * COST;
    for_each_part_weighted(results, bytes, k, |start, results| {
        let rows = x.chunks_exact(n).skip(start / k);
        if is_narrow::<T>() && u32::try_from(n).is_ok() {
            order_rows(
                rows,
                results,
                k,
                descending,
                |key, at| u64::from(key as u32) << 32 | at as u64,
                |packed| packed & u64::from(u32::MAX),
            );
        } else {
            order_rows(
                rows,
                results,
                k,
                descending,
                |key, at| u128::from(key) << 64 | at as u128,
                |packed| packed as u64,
            );
        }
    });
    let first = axis_back(first, [outer, k, inner]);
    first.as_slice()[..len].iter().map(|&index| index as usize).collect()
}

fn order_rows<'a, T: OrderKey, P: Ord + Copy>(
    rows: impl Iterator<Item = &'a [T]>,
    results: &mut [u64],
    k: usize,
    descending: bool,
    pack: impl Fn(u64, usize) -> P,
    index: impl Fn(P) -> u64,
) {
    let mut chosen = Vec::new();
    for (row, results) in rows.zip(results.chunks_exact_mut(k)) {
        let packed = row.iter().enumerate().map(|(at, element)| {
            let rank = element.rank();
            pack(if descending { !rank } else { rank }, at)
        });
        least(packed, k, &mut chosen);
        for (result, &packed) in results.iter_mut().zip(&chosen) {
            *result = index(packed);
        }
    }
}

/// The `k` least of some numbers in order, of which there are as many, and `k` is not 0.
///
/// Where most are left out, candidates below the `k`-th so far are kept until they are twice as many.
fn least<P: Ord + Copy>(numbers: impl ExactSizeIterator<Item = P>, k: usize, chosen: &mut Vec<P>) {
    chosen.clear();
    let room = (2 * k).max(64);
    if room >= numbers.len() {
        chosen.extend(numbers);
    } else {
        let mut bound = None;
        for number in numbers {
            if bound.is_some_and(|bound| number >= bound) {
                continue;
            }
            chosen.push(number);
            if chosen.len() == room {
                bound = Some(*chosen.select_nth_unstable(k - 1).1);
                chosen.truncate(k);
            }
        }
    }
    if chosen.len() > k {
        chosen.select_nth_unstable(k - 1);
        chosen.truncate(k);
    }
    chosen.sort_unstable();
}

/// For each value how many sorted elements are less, or less or equal.
#[track_caller]
pub(crate) fn searchsorted<T: OrderKey>(
    sorted: ErasedView<'_, T>,
    values: ErasedView<'_, T>,
    or_equal: bool,
) -> Storage<i64> {
    let (sorted, values) = (RowMajor::of(sorted), RowMajor::of(values));
    let (sorted, values) = (sorted.as_slice(), values.as_slice());
    let place = |value: &T| {
        let value = value.rank();
        let is_before = |element: &T| {
            let element = element.rank();
            element < value || or_equal && element == value
        };
        sorted.partition_point(is_before) as i64
    };
    Storage::from_vec(values.iter().map(place).collect())
}

/// Equal elements, of all axes.
#[track_caller]
pub(crate) fn groups<T: OrderKey>(x: ErasedView<'_, T>) -> Groups {
    let x = RowMajor::of(x);
    let x = x.as_slice();
    let flat = [x.len()];
    let order = arg_order(ErasedView::new(&flat, None, x), 0, x.len(), false);
    let mut groups = Groups { first: Vec::new(), inverse: vec![0; x.len()], counts: Vec::new() };
    let mut before = None;
    for at in order {
        let rank = x[at].rank();
        if before != Some(rank) {
            groups.first.push(at);
            groups.counts.push(0);
            before = Some(rank);
        }
        let number = groups.counts.len() - 1;
        groups.counts[number] += 1;
        groups.inverse[at] = number as i64;
    }
    groups
}

/// Whether each element is one of others. NaN is none.
#[track_caller]
pub(crate) fn isin<T: OrderKey>(x: ErasedView<'_, T>, others: ErasedView<'_, T>) -> Storage<bool> {
    let (x, others) = (RowMajor::of(x), RowMajor::of(others));
    let others = others.as_slice().iter().filter(|other| !other.is_unordered());
    let mut ranks: Vec<_> = others.map(|other| other.rank()).collect();
    ranks.sort_unstable();
    let is_in = |element: &T| ranks.binary_search(&element.rank()).is_ok();
    Storage::from_vec(x.as_slice().iter().map(is_in).collect())
}

/// The quantiles along an axis, `[..a, n, ..b] → [..a, ..b]`: NaN where there is no element, or NaN is
/// one.
#[track_caller]
pub(crate) fn quantile<T: Float + OrderKey>(
    x: ErasedView<'_, T>,
    axis: usize,
    q: f64,
    interpolation: Interpolation,
) -> Storage<T> {
    let sizes @ [outer, n, inner] = around(x.sizes, axis);
    let mut quantiles = Storage::zeros(num_elements(&[outer, inner]));
    let results = quantiles.get_mut().expect("a new storage has one owner");
    let results = &mut results[..outer * inner];
    if n == 0 {
        results.fill(T::from_f64(f64::NAN));
        return quantiles;
    }
    let x = axis_last(x, axis);
    let x = x.as_slice();
    let bytes = num_elements(&sizes) * COST;
    for_each_part_weighted(results, bytes, 1, |start, results| {
        let mut keys = Vec::with_capacity(n);
        for (result, row) in results.iter_mut().zip(x.chunks_exact(n).skip(start)) {
            keys.clear();
            keys.extend(row.iter().map(|element| element.key()));
            let has_nan = row.iter().any(|element| element.is_unordered());
            *result = if has_nan {
                T::from_f64(f64::NAN)
            } else {
                quantile_of::<T>(&mut keys, q, interpolation)
            };
        }
    });
    quantiles
}

/// The quantile of the elements of some numbers.
fn quantile_of<T: Element + Float + OrderKey>(
    keys: &mut [u64],
    q: f64,
    interpolation: Interpolation,
) -> T {
    let place = q * (keys.len() - 1) as f64;
    let below = (place.floor() as usize).min(keys.len() - 1);
    let part = place - below as f64;
    let (_, low, above) = keys.select_nth_unstable(below);
    let low = T::from_key(*low);
    if part == 0.0 {
        return low;
    }
    let high = above.iter().min().map_or(low, |&key| T::from_key(key));
    let is_high = match interpolation {
        Interpolation::Linear | Interpolation::Midpoint => {
            let part = if interpolation == Interpolation::Linear { part } else { 0.5 };
            let (low, high) = (low.to_f64(), high.to_f64());
            let difference = high - low;
            let between = match (low == high, difference.is_finite()) {
                // Of two infinities as well.
                (true, _) => low,
                (false, true) => low + difference * part,
                // Beside an infinity, or where the difference is larger than every number.
                (false, false) => low * (1.0 - part) + high * part,
            };
            return T::from_f64(between);
        }
        Interpolation::Lower => false,
        Interpolation::Higher => true,
        Interpolation::Nearest => part > 0.5 || part == 0.5 && below % 2 == 1,
    };
    if is_high { high } else { low }
}
