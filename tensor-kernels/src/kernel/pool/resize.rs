//! Resizing of the last axes, one axis after the other: each result is a weighted sum of elements
//! along its axis.

use crate::element::{Element, Float, Number};
use crate::kernel::isa_fns::with_best_isa;
use crate::kernel::parallel::for_each_part_weighted;
use crate::kernel::row_major::RowMajor;
use crate::layout::{ErasedView, len_in_memory, num_elements};
use crate::sizes::windows::{Blend, Resizing};
use crate::storage::Storage;

/// Rows of fewer elements are not worth a loop each.
const SHORT: usize = 16;

/// Resizes the last axes to the sizes of the plan, computed in the type of sums.
///
/// # Panics
///
/// If the result does not fit into memory, or an axis of size 0 is to become longer.
#[track_caller]
#[inline(never)]
pub fn resized<T: Float>(plan: &Resizing, input: ErasedView<'_, T>) -> Storage<T> {
    let len = len_in_memory(&plan.result, size_of::<T>());
    let mut sizes = input.sizes.to_vec();
    let mut elements: Vec<T::Sum> = Vec::new();
    if len > 0 {
        elements = RowMajor::of(input).as_slice().iter().map(|&x| x.widen()).collect();
        for axis in (sizes.len() - plan.axes..sizes.len()).rev() {
            let (from, to) = (sizes[axis], plan.result[axis]);
            // The same size: each element is that at its own index.
            if from == to {
                continue;
            }
            let blends: Vec<_> =
                (0..to).map(|position| plan.resample.blend(position, from, to)).collect();
            let inner = num_elements(&sizes[axis + 1..]);
            sizes[axis] = to;
            let mut results = vec![T::Sum::ZERO; num_elements(&sizes)];
            if inner < SHORT && blends.iter().all(|blend| blend.weights.len() <= 2) {
                along_last(&elements, [from, inner], &blends, &mut results);
            } else {
                along(&elements, [from, inner], &blends, &mut results);
            }
            elements = results;
        }
    }
    let write = |results: &mut [core::mem::MaybeUninit<T>]| {
        for (result, &element) in results.iter_mut().zip(&elements) {
            result.write(T::narrow(element));
        }
    };
    assert_eq!(elements.len(), len, "an element for each result");
    // SAFETY: `write` writes every result: there is an element for each.
    unsafe { Storage::build(len, write) }
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
    let mut now = plan.result.to_vec();
    let mut elements: Vec<T::Sum> =
        RowMajor::of(elements).as_slice().iter().map(|&x| x.widen()).collect();
    for axis in sizes.len() - plan.axes..sizes.len() {
        let (from, to) = (sizes[axis], now[axis]);
        if from == to {
            continue;
        }
        now[axis] = from;
        let mut results = vec![T::Sum::ZERO; num_elements(&now)];
        if !elements.is_empty() && !results.is_empty() {
            let blends: Vec<_> =
                (0..to).map(|position| plan.resample.blend(position, from, to)).collect();
            let inner = num_elements(&now[axis + 1..]);
            if inner < SHORT && blends.iter().all(|blend| blend.weights.len() <= 2) {
                add_back_pairs(&elements, [from, inner], &blends, &mut results);
            } else {
                add_back(&elements, [from, inner], &blends, &mut results);
            }
        }
        elements = results;
    }
    assert_eq!(elements.len(), len, "the sizes of the images");
    Storage::from_vec(elements.into_iter().map(T::narrow).collect())
}

/// The elements that are blended to each result along an axis with `inner` elements after it, at most two, with their
/// weights.
fn pairs_of<S: Number>(blends: &[Blend], inner: usize) -> Vec<(usize, usize, S, S)> {
    let pairs = blends.iter().flat_map(|Blend { first, weights }| {
        let second = weights.get(1).copied();
        let next = if second.is_some() { first + 1 } else { *first };
        let (a, b) = (S::from_f64(weights[0]), S::from_f64(second.unwrap_or(0.0)));
        (0..inner).map(move |index| (first * inner + index, next * inner + index, a, b))
    });
    pairs.collect()
}

/// [`along_last`] transposed.
fn add_back_pairs<S: Number>(
    elements: &[S],
    [from, inner]: [usize; 2],
    blends: &[Blend],
    results: &mut [S],
) {
    let pairs = pairs_of::<S>(blends, inner);
    let bytes = size_of_val(elements).max(size_of_val(results));
    for_each_part_weighted(results, bytes, from * inner, |start, results| {
        let elements = &elements[start / (from * inner) * pairs.len()..];
        let images = elements.chunks_exact(pairs.len());
        for (elements, results) in images.zip(results.chunks_exact_mut(from * inner)) {
            for (&element, &(first, next, a, b)) in elements.iter().zip(&pairs) {
                results[first] = results[first].add(a.mul(element));
                // A single element has no second weight: infinity times 0 would be NaN.
                if next != first {
                    results[next] = results[next].add(b.mul(element));
                }
            }
        }
    });
}

/// [`along`] transposed.
fn add_back<S: Number>(
    elements: &[S],
    [from, inner]: [usize; 2],
    blends: &[Blend],
    results: &mut [S],
) {
    let bytes = size_of_val(elements).max(size_of_val(results));
    for_each_part_weighted(results, bytes, from * inner, |start, results| {
        with_best_isa(
            #[inline(always)]
            |_| {
                for (image, results) in results.chunks_exact_mut(from * inner).enumerate() {
                    let image = start / (from * inner) + image;
                    let elements = &elements[image * blends.len() * inner..];
                    for (Blend { first, weights }, elements) in
                        blends.iter().zip(elements.chunks_exact(inner))
                    {
                        let results = &mut results[first * inner..];
                        // One loop over all weights, not one over each element.
                        if let [element] = *elements {
                            for (result, &weight) in results.iter_mut().zip(weights) {
                                *result = result.add(S::from_f64(weight).mul(element));
                            }
                            continue;
                        }
                        let results = results.chunks_exact_mut(inner);
                        for (&weight, results) in weights.iter().zip(results) {
                            let weight = S::from_f64(weight);
                            for (result, &element) in results.iter_mut().zip(elements) {
                                *result = result.add(weight.mul(element));
                            }
                        }
                    }
                }
            },
        );
    });
}

/// Resizes an axis with others after it: rows of `inner` elements.
fn along<S: Number>(
    elements: &[S],
    [from, inner]: [usize; 2],
    blends: &[Blend],
    results: &mut [S],
) {
    let bytes = size_of_val(results);
    for_each_part_weighted(results, bytes, inner, |start, results| {
        with_best_isa(
            #[inline(always)]
            |_| {
                for (row, results) in results.chunks_exact_mut(inner).enumerate() {
                    let row = start / inner + row;
                    let (image, position) = (row / blends.len(), row % blends.len());
                    let Blend { first, weights } = &blends[position];
                    for (element, &weight) in weights.iter().enumerate() {
                        let weight = S::from_f64(weight);
                        let start = (image * from + first + element) * inner;
                        let elements = &elements[start..start + inner];
                        for (result, &element) in results.iter_mut().zip(elements) {
                            *result = result.add(weight.mul(element));
                        }
                    }
                }
            },
        );
    });
}

/// Resizes an axis with at most a few elements after it, if at most two elements are blended to one.
fn along_last<S: Number>(
    elements: &[S],
    [from, inner]: [usize; 2],
    blends: &[Blend],
    results: &mut [S],
) {
    let pairs = pairs_of(blends, inner);
    let from = from * inner;
    let bytes = size_of_val(results);
    for_each_part_weighted(results, bytes, pairs.len(), |start, results| {
        for (row, results) in results.chunks_exact_mut(pairs.len()).enumerate() {
            let elements = &elements[(start / pairs.len() + row) * from..][..from];
            for (result, &(first, next, a, b)) in results.iter_mut().zip(&pairs) {
                // A single element is copied unchanged, whatever its neighbour is.
                *result = if first == next {
                    elements[first]
                } else {
                    elements[first].mul(a).add(elements[next].mul(b))
                };
            }
        }
    });
}
