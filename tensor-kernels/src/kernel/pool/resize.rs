//! Resizing of the last axes, one axis after the other: each result is a weighted sum of elements
//! along its axis.

use core::hint::black_box;
use core::mem::MaybeUninit;
use core::ops::Range;

use super::{narrowed, widened};
use crate::element::{Float, Number};
use crate::kernel::isa_fns::with_best_isa;
use crate::kernel::parallel::for_each_part_weighted;
use crate::kernel::row_major::RowMajor;
use crate::kernel::transpose::transpose_matrices;
use crate::layout::{ErasedView, len_in_memory, num_elements};
use crate::sizes::Sizes;
use crate::sizes::windows::{Resample, Resizing};
use crate::storage::Storage;

/// Resizes the last axes to the sizes of the plan, computed in the type of sums.
///
/// # Panics
///
/// If the result does not fit into memory, or an axis of size 0 is to become longer.
#[track_caller]
#[inline(never)]
pub fn resized<T: Float>(plan: &Resizing, input: ErasedView<'_, T>) -> Storage<T> {
    if len_in_memory(&plan.result, size_of::<T>()) == 0 {
        return Storage::zeros(0);
    }
    let blends = |from, to| Blends::new(plan.resample, from, to);
    along_axes(input, [&merged(plan, input.sizes), &plan.result], &blends)
}

/// The transpose of [`resized`], from images of the plan's result sizes to images of these sizes: each element
/// is added, with its weights, to those that it was blended from.
///
/// # Panics
///
/// If the result does not fit into memory, or the sizes do not lead to those of the plan.
#[track_caller]
#[inline(never)]
pub fn resized_transposed<T: Float>(
    plan: &Resizing,
    sizes: &[usize],
    elements: ErasedView<'_, T>,
) -> Storage<T> {
    assert_eq!(elements.sizes, &plan.result[..], "an element for each result");
    let len = len_in_memory(sizes, size_of::<T>());
    if elements.sizes.contains(&0) {
        return Storage::zeros(len);
    }
    let blends = |from, to| Blends::new(plan.resample, to, from).transposed();
    along_axes(elements, [&plan.result, &merged(plan, sizes)], &blends)
}

/// The sizes of an input, with neighbouring axes as one if the result is a single mean of both.
fn merged(plan: &Resizing, sizes: &[usize]) -> Sizes {
    let mut sizes = Sizes::from_slice(sizes);
    let first = sizes.len() - plan.axes;
    for axis in (first + 1..sizes.len()).rev() {
        if plan.resample == Resample::Mean && plan.result[axis - 1..=axis] == [1, 1] {
            sizes[axis - 1] *= sizes[axis];
            sizes[axis] = 1;
        }
    }
    sizes
}

/// The weighted sums along an axis.
struct Blends<S> {
    /// The number of elements along the axis.
    from: usize,
    /// For each result, the first of its elements, which are neighbours, and the range of their weights.
    results: Vec<(usize, Range<usize>)>,
    weights: Vec<S>,
}

impl<S: Number> Blends<S> {
    fn new(resample: Resample, from: usize, to: usize) -> Self {
        let mut weights = Vec::new();
        let result = |index| {
            let blend = resample.blend(index, from, to);
            let start = weights.len();
            weights.extend(blend.weights.iter().map(|&weight| S::from_f64(weight)));
            (blend.first, start..weights.len())
        };
        let results = (0..to).map(result).collect();
        Self { from, results, weights }
    }

    /// The sums of the results that each element is blended to, with the same weights. These results are neighbours,
    /// because neither the first elements of results nor the last ones decrease.
    fn transposed(&self) -> Self {
        let mut results: Vec<(usize, Range<usize>)> = Vec::with_capacity(self.from);
        let (mut weights, mut first, mut end) = (Vec::with_capacity(self.weights.len()), 0, 0);
        for element in 0..self.from {
            let of = |result: usize| self.results.get(result);
            while of(first).is_some_and(|(start, weights)| start + weights.len() <= element) {
                first += 1;
            }
            end = first.max(end);
            while of(end).is_some_and(|&(start, _)| start <= element) {
                end += 1;
            }
            let start = weights.len();
            for (first, of_result) in &self.results[first..end] {
                weights.push(self.weights[of_result.start + element - first]);
            }
            results.push((first, start..weights.len()));
        }
        Self { from: self.results.len(), results, weights }
    }

    /// Whether each sum is computed alone, from contiguous elements, as there are many of them.
    fn are_lanes(&self, inner: usize) -> bool {
        inner == 1 && self.weights.len() >= LANES / 2 * self.results.len()
    }

    /// Whether sums of several elements have few of the elements of an image: to transpose all would take longer.
    fn skip_most(&self) -> bool {
        4 * self.weights.len() <= self.from && !self.are_single()
    }

    /// Whether each result has a single element.
    fn are_single(&self) -> bool {
        self.results.iter().all(|(_, weights)| weights.len() == 1)
    }

    /// Whether each result has two elements that no other has.
    fn are_pairs(&self) -> bool {
        let is_pair = |(result, (first, weights)): (usize, &(usize, Range<usize>))| {
            *first == 2 * result && weights.len() == 2
        };
        self.results.iter().enumerate().all(is_pair)
    }

    /// The elements of neighbouring results, which have [single ones](Self::are_single), with the ranges of these results.
    fn runs(&self) -> Vec<(usize, Range<usize>)> {
        let mut runs: Vec<(usize, Range<usize>)> = Vec::new();
        for (result, (element, _)) in self.results.iter().enumerate() {
            match runs.last_mut() {
                Some((last, results)) if last == element => results.end += 1,
                _ => runs.push((*element, result..result + 1)),
            }
        }
        runs
    }

    /// The [single](Self::are_single) element of each result with its weight, in rows of `inner`.
    fn single(&self, inner: usize) -> Vec<(usize, S)> {
        let of_row = |(first, weights): &(usize, Range<usize>)| {
            let (start, weight) = (first * inner, self.weights[weights.start]);
            (start..start + inner).map(move |element| (element, weight))
        };
        self.results.iter().flat_map(of_row).collect()
    }
}

/// The elements, at least one, with axes of other sizes; `blends` are the sums from an axis of one size to another.
fn along_axes<T: Float>(
    input: ErasedView<'_, T>,
    [from, to]: [&[usize]; 2],
    blends: &dyn Fn(usize, usize) -> Blends<T::Sum>,
) -> Storage<T> {
    // The same size: each element is that at its own index.
    let mut axes: Vec<usize> = (0..from.len()).filter(|&axis| from[axis] != to[axis]).collect();
    // Axes that become shorter first, so that the others have fewer elements. Of equal ones, the last axis is that with
    // the shortest rows: it comes where there are fewer elements.
    axes.sort_by(|&a, &b| {
        let [of_a, of_b] = [a, b].map(|axis| to[axis] as f64 / from[axis] as f64);
        of_a.total_cmp(&of_b).then(if of_a < 1.0 { a.cmp(&b) } else { b.cmp(&a) })
    });
    let input = RowMajor::of(input);
    let (mut sizes, mut elements) = (Sizes::from_slice(from), widened(input.as_slice()));
    for axis in axes {
        sizes[axis] = to[axis];
        let inner = num_elements(&sizes[axis + 1..]);
        let results = along(elements.as_slice(), &blends(from[axis], to[axis]), inner);
        elements = RowMajor::Copied(results, num_elements(&sizes));
    }
    narrowed(elements.into_storage(), num_elements(to))
}

/// Rows of fewer elements are lengthened: the images of a block are transposed, so that their rows follow each other.
const SHORT: usize = 8;

/// The number of sums that are computed together.
const LANES: usize = 16;

/// The size of a block in bytes, unless its rows would be short: it stays in the L1 cache.
const BLOCK: usize = 1 << 14;

/// Sums along an axis: images `[from, inner]` become `[to, inner]`. There is at least one, and no size is 0.
fn along<S: Number>(elements: &[S], blends: &Blends<S>, inner: usize) -> Storage<S> {
    let [from, to] = [blends.from, blends.results.len()].map(|size| size * inner);
    let count = elements.len() / from;
    let are_pairs = inner == 1 && blends.are_pairs();
    let is_narrow = inner < SHORT
        && (count * inner >= LANES || are_pairs)
        && !(blends.are_lanes(inner) || blends.skip_most());
    let is_single = is_narrow && blends.are_single();
    let runs = (is_single && inner == 1 && from * LANES <= to).then(|| blends.runs());
    let single = (is_single && runs.is_none()).then(|| blends.single(inner));
    let block = (BLOCK / size_of::<S>() / from.max(to)).max(LANES.div_ceil(inner));
    let block = count.div_ceil(count.div_ceil(block));
    let work = |start: usize, results: &mut [MaybeUninit<S>]| {
        if inner == 1 && !is_narrow && !blends.are_lanes(inner) {
            return blend_elements(elements, blends, start, results);
        }
        if !is_narrow {
            return blend_rows(elements, blends, inner, start / inner, results);
        }
        let elements = &elements[start / to * from..];
        // Transposing twice would take longer than one element after the other.
        if let Some(runs) = &runs {
            for (elements, results) in elements.chunks_exact(from).zip(results.chunks_exact_mut(to))
            {
                for (element, range) in runs {
                    let element = elements[*element];
                    let weights = &blends.weights[range.clone()];
                    for (result, &weight) in results[range.clone()].iter_mut().zip(weights) {
                        result.write(weight.mul(element));
                    }
                }
            }
            return;
        }
        if are_pairs {
            return with_best_isa(
                #[inline(always)]
                |_| {
                    let images = elements.chunks_exact(from).zip(results.chunks_exact_mut(to));
                    for (elements, results) in images {
                        let elements = elements.as_chunks::<2>().0.iter();
                        let weights = blends.weights.as_chunks::<2>().0;
                        for ((result, &[x, y]), &[a, b]) in
                            results.iter_mut().zip(elements).zip(weights)
                        {
                            result.write(a.mul(x).add(b.mul(y)));
                        }
                    }
                },
            );
        }
        if let Some(single) = &single {
            for (elements, results) in elements.chunks_exact(from).zip(results.chunks_exact_mut(to))
            {
                for (result, &(element, weight)) in results.iter_mut().zip(single) {
                    result.write(weight.mul(elements[element]));
                }
            }
            return;
        }
        let elements = elements.chunks(block * from);
        for (elements, results) in elements.zip(results.chunks_mut(block * to)) {
            let count = results.len() / to;
            let elements = &elements[..count * from];
            // SAFETY: every element is written: the transpose of a matrix, and all rows of its sums.
            let sums = unsafe {
                let columns = Storage::build(elements.len(), |columns| {
                    transpose_matrices(elements, [count, from], columns);
                });
                Storage::build(results.len(), |sums| {
                    blend_rows(columns.as_slice(), blends, count * inner, 0, sums);
                })
            };
            transpose_matrices(&sums.as_slice()[..results.len()], [to, count], results);
        }
    };
    // SAFETY: every result is written: each part is whole rows, or whole images of rows; `single` has an element for each
    // result of an image, and the ranges of `runs` follow each other over all of them.
    unsafe {
        Storage::build(count * to, |results| {
            let bytes = size_of_val(results).max(size_of_val(elements));
            for_each_part_weighted(results, bytes, if is_narrow { to } else { inner }, work);
        })
    }
}

/// Writes sums without others beside them, starting with this one.
fn blend_elements<S: Number>(
    elements: &[S],
    blends: &Blends<S>,
    first: usize,
    mut results: &mut [MaybeUninit<S>],
) {
    let (mut image, mut position) = (first / blends.results.len(), first % blends.results.len());
    while !results.is_empty() {
        let of_image = &blends.results[position..];
        let elements = &elements[image * blends.from..][..blends.from];
        let (here, rest) = results.split_at_mut(of_image.len().min(results.len()));
        for (result, (first, weights)) in here.iter_mut().zip(of_image) {
            let weights = &blends.weights[weights.clone()];
            result.write(match (&elements[*first..][..weights.len()], weights) {
                (&[x], &[a]) => a.mul(x),
                (&[x, y], &[a, b]) => a.mul(x).add(b.mul(y)),
                (elements, weights) => {
                    let products = weights.iter().zip(elements);
                    products.fold(S::ZERO, |sum, (&weight, &x)| sum.add(weight.mul(x)))
                }
            });
        }
        (image, position, results) = (image + 1, 0, rest);
    }
}

/// Writes rows of `inner` sums, starting with this one.
fn blend_rows<S: Number>(
    elements: &[S],
    blends: &Blends<S>,
    inner: usize,
    first: usize,
    results: &mut [MaybeUninit<S>],
) {
    with_best_isa(
        #[inline(always)]
        |_| {
            let are_lanes = blends.are_lanes(inner);
            for (row, results) in results.chunks_exact_mut(inner).enumerate() {
                let row = first + row;
                let (image, position) = (row / blends.results.len(), row % blends.results.len());
                let (first, weights) = &blends.results[position];
                let weights = &blends.weights[weights.clone()];
                let elements = &elements[(image * blends.from + first) * inner..];
                let elements = &elements[..weights.len() * inner];
                match *weights {
                    [] => results.fill(MaybeUninit::new(S::ZERO)),
                    [a] => {
                        for (result, &element) in results.iter_mut().zip(elements) {
                            result.write(a.mul(element));
                        }
                    }
                    [a, b] => {
                        let elements = elements.iter().zip(&elements[inner..]);
                        for (result, (&element, &next)) in results.iter_mut().zip(elements) {
                            result.write(a.mul(element).add(b.mul(next)));
                        }
                    }
                    _ if are_lanes => {
                        results[0].write(blend_lane(elements, weights));
                    }
                    _ => {
                        let mut column = 0;
                        let (tiles, rest) = results.as_chunks_mut::<LANES>();
                        for results in tiles {
                            *results = blend_tile(&elements[column..], weights, inner);
                            column += LANES;
                        }
                        let (fours, rest) = rest.as_chunks_mut::<4>();
                        for results in fours {
                            *results = blend_tile(&elements[column..], weights, inner);
                            column += 4;
                        }
                        for result in rest {
                            [*result] = blend_tile(&elements[column..], weights, inner);
                            column += 1;
                        }
                    }
                }
            }
        },
    );
}

/// `N` neighbouring sums.
#[inline(always)]
fn blend_tile<S: Number, const N: usize>(
    elements: &[S],
    weights: &[S],
    inner: usize,
) -> [MaybeUninit<S>; N] {
    let mut sums = [S::ZERO; N];
    for (index, &weight) in weights.iter().enumerate() {
        let elements = elements[index * inner..].first_chunk::<N>().expect("elements of a row");
        for (sum, &element) in sums.iter_mut().zip(elements) {
            *sum = sum.add(weight.mul(element));
        }
    }
    // Through memory, where sums are adjacent, so that vectors consist of neighbours.
    black_box(sums).map(MaybeUninit::new)
}

/// A sum of contiguous elements.
#[inline(always)]
fn blend_lane<S: Number>(elements: &[S], weights: &[S]) -> S {
    const LANES: usize = 8;
    let mut sums = [S::ZERO; LANES];
    let (elements, rest) = elements.as_chunks::<LANES>();
    let (weights, weights_of_rest) = weights.as_chunks::<LANES>();
    for (elements, weights) in elements.iter().zip(weights) {
        for lane in 0..LANES {
            sums[lane] = sums[lane].add(weights[lane].mul(elements[lane]));
        }
    }
    let mut sums = black_box(sums);
    for ((sum, &element), &weight) in sums.iter_mut().zip(rest).zip(weights_of_rest) {
        *sum = sum.add(weight.mul(element));
    }
    for width in [4, 2, 1] {
        for lane in 0..width {
            sums[lane] = sums[lane].add(sums[lane + width]);
        }
    }
    sums[0]
}
