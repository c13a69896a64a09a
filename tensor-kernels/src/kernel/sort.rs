//! Ordering along an axis: sorting, the largest elements, quantiles, searching.
//!
//! Elements are sorted as integer keys that compare like them (`OrderKey`), by the standard library or by their digits:
//! two sizes of keys serve all types. If indices are required, the lowest bits of a key hold the index
//! of its element, so that the order of equal elements is kept.

use super::parallel::for_each_part_weighted;
use super::row_major::{RowMajor, around, axis_back, axis_first, axis_last};
use crate::element::order::KeyBits;
use crate::element::{Element, Float};
use crate::layout::{ErasedView, len_in_memory, num_elements};
use crate::ops::{Groups, QuantileMethod};
use crate::storage::{Storage, each_from};

/// The cost of a comparison, relative to a move: sorting uses threads for smaller inputs.
const COST: usize = 16;

/// Sorts the elements along an axis.
#[track_caller]
#[inline(never)]
pub fn sort<T: Element>(x: ErasedView<'_, T>, axis: usize, descending: bool) -> Storage<T> {
    let sizes @ [_, n, _] = around(x.sizes, axis);
    let from = axis_last(x, axis);
    let len = num_elements(&sizes);
    let mut sorted = Storage::from_slice(&from.as_slice()[..len]);
    if n > 1 && len > 0 {
        let elements = &mut sorted.make_mut()[..len];
        let bytes = size_of_val(elements) * COST;
        for_each_part_weighted(elements, bytes, n, |_, elements| {
            sort_rows(&mut KeysOf { elements, n }, descending);
        });
    }
    axis_back(sorted, sizes)
}

/// Rows of elements, as the keys that they are sorted by: the sorting code is compiled once for each
/// size of keys.
trait KeyRows<B> {
    fn len(&self) -> usize;
    /// Loads the keys of a row.
    fn load(&self, row: usize, keys: &mut Vec<B>);
    /// Replaces the elements of a row by those of the keys.
    fn store(&mut self, row: usize, keys: &[B]);
    /// The keys of -0 and +0, if they differ.
    fn zeros(&self) -> Option<[B; 2]>;
}

struct KeysOf<'a, T> {
    elements: &'a mut [T],
    n: usize,
}

impl<T: Element> KeyRows<T::OrderKey> for KeysOf<'_, T> {
    fn len(&self) -> usize {
        self.elements.len() / self.n
    }

    fn load(&self, row: usize, keys: &mut Vec<T::OrderKey>) {
        let row = &self.elements[row * self.n..][..self.n];
        keys.extend(row.iter().map(|&element| T::OrderKey::truncated(T::order_key(element))));
    }

    fn store(&mut self, row: usize, keys: &[T::OrderKey]) {
        let row = &mut self.elements[row * self.n..][..self.n];
        for (element, &key) in row.iter_mut().zip(keys) {
            *element = T::from_order_key(key.into());
        }
    }

    fn zeros(&self) -> Option<[T::OrderKey; 2]> {
        let key = |zero| T::OrderKey::truncated(T::order_key(zero));
        let zeros = [key(T::NEGATIVE_ZERO), key(T::ZERO)];
        (zeros[0] != zeros[1]).then_some(zeros)
    }
}

fn sort_rows<B: KeyBits>(rows: &mut dyn KeyRows<B>, descending: bool) {
    let both_zeros = rows.zeros();
    let (mut keys, mut zeros, mut other) = (Vec::new(), Vec::new(), Vec::new());
    for row in 0..rows.len() {
        keys.clear();
        rows.load(row, &mut keys);
        zeros.clear();
        let is_zero = |key: &B| both_zeros.is_some_and(|both| both.contains(key));
        if both_zeros.is_some_and(|[negative, _]| keys.contains(&negative)) {
            zeros.extend(keys.iter().copied().filter(is_zero));
        }
        if descending {
            flip(&mut keys);
            sort_keys(&mut keys, &mut other);
            flip(&mut keys);
        } else {
            sort_keys(&mut keys, &mut other);
        }
        // Zeros of both signs are equal: they keep their order.
        if !zeros.is_empty() {
            let first = keys.iter().position(is_zero).expect("a zero");
            keys[first..][..zeros.len()].copy_from_slice(&zeros);
        }
        rows.store(row, &keys);
    }
}

/// The number of bits of a digit of a key.
const DIGIT: u32 = 11;

/// At least this many keys of 32 bits are sorted by their three digits: comparisons would take longer.
const BY_DIGITS: usize = 1 << 10;

/// Sorts keys; `other` is memory that is reused.
fn sort_keys<B: KeyBits>(keys: &mut Vec<B>, other: &mut Vec<B>) {
    // A constant first: without it, the loops below are generated for the others, too.
    if const { size_of::<B>() > 4 } || keys.len() < BY_DIGITS || u32::try_from(keys.len()).is_err()
    {
        return keys.sort_unstable();
    }
    if keys.is_sorted() {
        return;
    }
    let digit = |key: B, number: u32| (key.into() >> (number * DIGIT)) as usize % (1 << DIGIT);
    let mut counts = [[0_u32; 1 << DIGIT]; 3];
    for &key in &*keys {
        for (number, counts) in (0..).zip(&mut counts) {
            counts[digit(key, number)] += 1;
        }
    }
    // Only its length matters: each digit writes all keys.
    if other.len() != keys.len() {
        other.clone_from(keys);
    }
    for (number, counts) in (0..).zip(&mut counts) {
        // A digit that all keys share.
        if counts[digit(keys[0], number)] as usize == keys.len() {
            continue;
        }
        // From the number of keys with each digit to the index of the first of them.
        let mut before = 0;
        for count in &mut *counts {
            before += core::mem::replace(count, before);
        }
        for &key in &*keys {
            let at = &mut counts[digit(key, number)];
            other[*at as usize] = key;
            *at += 1;
        }
        core::mem::swap(keys, other);
    }
}

/// Reverses the order of keys.
fn flip<B: KeyBits>(keys: &mut [B]) {
    for key in keys {
        *key = !*key;
    }
}

/// The indices of the first `k` elements along an axis, `[..a, n, ..b] → [..a, k, ..b]`.
#[track_caller]
#[inline(never)]
pub fn arg_order<T: Element>(
    x: ErasedView<'_, T>,
    axis: usize,
    k: usize,
    descending: bool,
) -> Storage<i64> {
    let sizes = around(x.sizes, axis);
    assert!(k <= sizes[1], "as many elements as are chosen");
    if num_elements(&[sizes[0], k, sizes[2]]) == 0 {
        return Storage::zeros(0);
    }
    let x = axis_last(x, axis);
    order_of(&RanksOf(x.as_slice()), size_of::<T>() <= 4, sizes, k, descending)
}

/// Elements as the ranks that they are ordered by; zeros of both signs are equal.
trait Ranks: Sync {
    /// Loads the ranks of the elements from `start` on.
    fn load(&self, start: usize, ranks: &mut [u64]);
}

struct RanksOf<'a, T>(&'a [T]);

impl<T: Element> Ranks for RanksOf<'_, T> {
    fn load(&self, start: usize, ranks: &mut [u64]) {
        for (of_element, &element) in ranks.iter_mut().zip(&self.0[start..]) {
            *of_element = rank(element);
        }
    }
}

/// The indices of the first `k` of each `n` elements `[outer, inner, n]`, as `[outer, k, inner]`.
/// `is_narrow` states that their ranks have 32 bits.
#[track_caller]
fn order_of(
    x: &dyn Ranks,
    is_narrow: bool,
    [outer, n, inner]: [usize; 3],
    k: usize,
    descending: bool,
) -> Storage<i64> {
    let len = num_elements(&[outer, k, inner]);
    let mut first = Storage::<i64>::zeros(len);
    let results = &mut first.get_mut().expect("a new storage has one owner")[..len];
    let bytes = num_elements(&[outer, n, inner]) * COST;
    for_each_part_weighted(results, bytes, k, |start, results| {
        let rows = (start / k, n);
        if is_narrow && u32::try_from(n).is_ok() {
            let pack = |key, at| u64::from(key as u32) << 32 | at as u64;
            order_rows(x, rows, results, k, descending, pack, |packed| {
                (packed & u64::from(u32::MAX)) as i64
            });
        } else {
            let pack = |key, at| u128::from(key) << 64 | at as u128;
            order_rows(x, rows, results, k, descending, pack, |packed| packed as i64);
        }
    });
    axis_back(first, [outer, k, inner])
}

/// The number of ranks that are loaded at once.
const RANKS: usize = 256;

fn order_rows<P: Ord + Copy>(
    x: &dyn Ranks,
    (first, n): (usize, usize),
    results: &mut [i64],
    k: usize,
    descending: bool,
    pack: impl Fn(u64, usize) -> P,
    index: impl Fn(P) -> i64,
) {
    let mut ranks = [0; RANKS];
    let mut least = Least { k, room: (2 * k).max(64), chosen: Vec::new(), bound: None };
    for (row, results) in results.chunks_exact_mut(k).enumerate() {
        least.chosen.clear();
        least.bound = None;
        for start in (0..n).step_by(RANKS) {
            let ranks = &mut ranks[..RANKS.min(n - start)];
            x.load((first + row) * n + start, ranks);
            let packed = ranks
                .iter()
                .enumerate()
                .map(|(at, &rank)| pack(if descending { !rank } else { rank }, start + at));
            if least.room >= n {
                least.chosen.extend(packed);
            } else {
                packed.for_each(|number| least.add(number));
            }
        }
        for (result, &packed) in results.iter_mut().zip(least.in_order()) {
            *result = index(packed);
        }
    }
}

/// The `k` smallest of a sequence of numbers, which has at least `k`; `k` is not 0.
///
/// If most are left out, candidates below the `k`-th smallest so far are collected until there are
/// `room` of them, which is more than `k`.
struct Least<P> {
    k: usize,
    room: usize,
    chosen: Vec<P>,
    bound: Option<P>,
}

impl<P: Ord + Copy> Least<P> {
    #[inline]
    fn add(&mut self, number: P) {
        if self.bound.is_some_and(|bound| number >= bound) {
            return;
        }
        self.chosen.push(number);
        if self.chosen.len() == self.room {
            self.bound = Some(*self.chosen.select_nth_unstable(self.k - 1).1);
            self.chosen.truncate(self.k);
        }
    }

    fn in_order(&mut self) -> &[P] {
        if self.chosen.len() > self.k {
            self.chosen.select_nth_unstable(self.k - 1);
            self.chosen.truncate(self.k);
        }
        self.chosen.sort_unstable();
        &self.chosen
    }
}

/// For each value the number of sorted elements that are less, or less or equal.
#[track_caller]
#[inline(never)]
pub fn searchsorted<T: Element>(
    sorted: ErasedView<'_, T>,
    values: ErasedView<'_, T>,
    or_equal: bool,
) -> Storage<i64> {
    let (sorted, values) = (RowMajor::of(sorted), RowMajor::of(values));
    let (sorted, values) = (sorted.as_slice(), values.as_slice());
    let position = |value: &T| {
        let value = rank(*value);
        let is_before = |element: &T| {
            let element = rank(*element);
            element < value || or_equal && element == value
        };
        sorted.partition_point(is_before) as i64
    };
    each_from(values.len(), |at| position(&values[at]))
}

/// The groups of equal elements of a tensor.
#[track_caller]
#[inline(never)]
pub fn groups<T: Element>(x: ErasedView<'_, T>) -> Groups {
    let ranks = ranks(RowMajor::of(x));
    groups_of(&ranks, ranks.len(), size_of::<T>() <= 4)
}

/// The groups of equal slices along an axis, in lexicographic order.
#[track_caller]
#[inline(never)]
pub fn groups_along<T: Element>(x: ErasedView<'_, T>, axis: usize) -> Groups {
    let n = x.sizes[axis];
    groups_of(&ranks(axis_first(x, axis)), n, size_of::<T>() <= 4)
}

/// The groups of equal rows of ranks, of which there are `n`.
#[track_caller]
fn groups_of(ranks: &[u64], n: usize, is_narrow: bool) -> Groups {
    let mut groups = Groups { first: Vec::new(), inverse: vec![0; n], counts: Vec::new() };
    if n == 0 {
        return groups;
    }
    let width = ranks.len() / n;
    if width == 0 {
        (groups.first, groups.counts) = (vec![0], vec![n as i64]);
        return groups;
    }
    let row = |at: i64| &ranks[at as usize * width..][..width];
    let order = if width == 1 {
        order_of(&RanksOf(ranks), is_narrow, [1, n, 1], n, false).as_slice()[..n].to_vec()
    } else {
        let mut order: Vec<i64> = (0..n as i64).collect();
        order.sort_by(|&a, &b| row(a).cmp(row(b)));
        order
    };
    let mut before = None;
    for at in order {
        let row = row(at);
        if before != Some(row) {
            groups.first.push(at);
            groups.counts.push(0);
            before = Some(row);
        }
        let number = groups.counts.len() - 1;
        groups.counts[number] += 1;
        groups.inverse[at as usize] = number as i64;
    }
    groups
}

/// The sort key, the same for -0.0 and 0.0: equal elements have equal ranks.
fn rank<T: Element>(x: T) -> u64 {
    T::order_key(if x == T::ZERO { T::ZERO } else { x })
}

#[expect(clippy::eq_op, reason = "NaN is the one that differs from itself")]
fn is_nan<T: Element>(x: T) -> bool {
    x != x
}

/// The ranks of elements, which are equal if the elements are.
#[track_caller]
fn ranks<T: Element>(x: RowMajor<'_, T>) -> Vec<u64> {
    x.as_slice().iter().copied().map(rank).collect()
}

/// Whether each element is one of `others`. NaN is never.
#[track_caller]
#[inline(never)]
pub fn isin<T: Element>(x: ErasedView<'_, T>, others: ErasedView<'_, T>) -> Storage<bool> {
    let (others, mut ranks_of_others) = (RowMajor::of(others), Vec::new());
    for &other in others.as_slice() {
        if !is_nan(other) {
            ranks_of_others.push(rank(other));
        }
    }
    are_among(&ranks(RowMajor::of(x)), ranks_of_others)
}

/// Whether each number is one of `others`.
fn are_among(numbers: &[u64], mut others: Vec<u64>) -> Storage<bool> {
    others.sort_unstable();
    let is_in = |number: &u64| others.binary_search(number).is_ok();
    each_from(numbers.len(), |at| is_in(&numbers[at]))
}

/// The quantiles along an axis, `[..a, n, ..b] → [..a, ..b]`: NaN if there is no element, or if one is
/// NaN.
#[track_caller]
#[inline(never)]
pub fn quantile<T: Float>(
    x: ErasedView<'_, T>,
    axis: usize,
    q: f64,
    method: QuantileMethod,
) -> Storage<T> {
    let sizes @ [_, n, _] = around(x.sizes, axis);
    let mut kept = x.sizes.to_vec();
    kept.remove(axis);
    let len = len_in_memory(&kept, size_of::<T>());
    let mut quantiles = Storage::zeros(len);
    let results = quantiles.get_mut().expect("a new storage has one owner");
    let results = &mut results[..len];
    // The buffer of a row may be too large to allocate if there are no rows.
    if n == 0 || results.is_empty() {
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
            keys.extend(row.iter().copied().map(T::order_key));
            let has_nan = row.iter().copied().any(is_nan);
            *result = if has_nan {
                T::from_f64(f64::NAN)
            } else {
                quantile_of::<T>(&mut keys, q, method)
            };
        }
    });
    quantiles
}

/// The quantile of the elements of some keys.
fn quantile_of<T: Float>(keys: &mut [u64], q: f64, method: QuantileMethod) -> T {
    let position = q * (keys.len() - 1) as f64;
    let below = (position.floor() as usize).min(keys.len() - 1);
    let part = position - below as f64;
    let (_, low, above) = keys.select_nth_unstable(below);
    let low = T::from_order_key(*low);
    if part == 0.0 {
        return low;
    }
    let high = above.iter().min().map_or(low, |&key| T::from_order_key(key));
    let is_high = match method {
        QuantileMethod::Interpolate | QuantileMethod::Midpoint => {
            let part = if method == QuantileMethod::Interpolate { part } else { 0.5 };
            let (low, high) = (low.to_f64(), high.to_f64());
            let difference = high - low;
            let between = match (low == high, difference.is_finite()) {
                // Equal elements, also two equal infinities.
                (true, _) => low,
                (false, true) => low + difference * part,
                // Next to an infinity, or if the difference overflows.
                (false, false) => low * (1.0 - part) + high * part,
            };
            return T::from_f64(between);
        }
        QuantileMethod::Lower => false,
        QuantileMethod::Higher => true,
        QuantileMethod::Nearest => part > 0.5 || part == 0.5 && below % 2 == 1,
    };
    if is_high { high } else { low }
}
