//! Convolution of a single channel: rows of results, each the weighted sum of rows of the image.

use core::mem::MaybeUninit;

use super::image::{BEHIND, Geometry};
use super::{GemmElement, Matrix};
use crate::element::Isa;
use crate::kernel::isa_fns::{compute_with_best_isa, is_rare};

/// The number of sums that stay in registers.
const SUMS: usize = 64;
/// The number of sums of the block at the end of a row, which overlaps the one before, so that nothing is left over. Of a
/// shorter row, the sums past its end are computed and not written.
pub(super) const FEW_SUMS: usize = BEHIND;

/// Writes, for each row of `left`, the sums of the elements of the windows, weighted by that row.
///
/// # Panics
///
/// If a window reads out of bounds, or `results` does not have a row of positions for each of
/// `left`.
pub(super) fn convolve<A: GemmElement>(
    geometry: &Geometry,
    elements: &[A],
    left: &Matrix<'_, A>,
    results: &mut [MaybeUninit<A>],
) {
    compute_with_best_isa::<A, _, _>(
        #[inline(always)]
        |isa| {
            let reach = geometry.taps.iter().max().map_or(0, |&tap| tap + FEW_SUMS);
            for (output, results) in results.chunks_exact_mut(geometry.positions.len()).enumerate()
            {
                let weights = left.in_row(output, 0..geometry.taps.len());
                for (positions, results) in
                    geometry.positions.chunks(geometry.row).zip(results.chunks_mut(geometry.row))
                {
                    let elements = &elements[positions[0]..];
                    // Integers have the baseline alone.
                    if A::IS_FLOAT && is_rare(isa) {
                        for first in 0..results.len() {
                            let results = &mut results[first..];
                            block::<A, 1>(isa, geometry, &elements[first..], weights, results);
                        }
                    } else if results.len() < FEW_SUMS && elements.len() >= reach {
                        block::<A, FEW_SUMS>(isa, geometry, elements, weights, results);
                    } else {
                        row(isa, geometry, elements, weights, results);
                    }
                }
            }
        },
    );
}

/// Computes a row of results, [`SUMS`] at a time.
#[inline(always)]
fn row<A: GemmElement>(
    isa: Isa,
    geometry: &Geometry,
    elements: &[A],
    weights: &[A],
    results: &mut [MaybeUninit<A>],
) {
    let mut first = 0;
    while first + SUMS <= results.len() {
        block::<A, SUMS>(isa, geometry, &elements[first..], weights, &mut results[first..]);
        first += SUMS;
    }
    while first < results.len() {
        if results.len() < FEW_SUMS {
            block::<A, 1>(isa, geometry, &elements[first..], weights, &mut results[first..]);
            first += 1;
        } else {
            first = first.min(results.len() - FEW_SUMS);
            block::<A, FEW_SUMS>(isa, geometry, &elements[first..], weights, &mut results[first..]);
            first += FEW_SUMS;
        }
    }
}

/// Computes the first `N` results, or all if there are fewer.
#[inline(always)]
fn block<A: GemmElement, const N: usize>(
    isa: Isa,
    geometry: &Geometry,
    elements: &[A],
    weights: &[A],
    results: &mut [MaybeUninit<A>],
) {
    let mut sums = [A::ZERO; N];
    for (&tap, &weight) in geometry.taps.iter().zip(weights) {
        let elements: &[A; N] = elements[tap..].first_chunk().expect("a row of positions");
        for (sum, &element) in sums.iter_mut().zip(elements) {
            *sum = multiply_add(isa, weight, element, *sum);
        }
    }
    for (result, sum) in results.iter_mut().zip(sums) {
        result.write(sum);
    }
}

#[inline(always)]
fn multiply_add<A: GemmElement>(isa: Isa, a: A, b: A, sum: A) -> A {
    if isa == Isa::FMA { A::matmul_fma(a, b, sum) } else { sum.add(a.mul(b)) }
}
