//! Each element of the image, times the weights, is added to the results that its window covers: a transposed convolution,
//! which would multiply by the zeros around and between the elements, and one output of many channels, which would be a
//! product with a single row.
//!
//! The products of all elements of the window with all positions are computed first, by one matrix product, and
//! then added to the results, row by row.

use core::mem::MaybeUninit;

use super::{
    GemmElement, Matrix, cost_in_bytes, for_each_part_weighted, gemm_dispatch, row_major, zeros,
};
use crate::layout::ErasedView;
use crate::sizes::windows::{Convolution, WindowAxis, div_ceil, product_of};

/// The size in bytes of the products that are computed at a time.
const BLOCK_BYTES: usize = 1 << 20;

/// The fewest channels, and elements of a window, for [`is_thin`].
const THIN_CHANNELS: usize = 16;
const THIN_TAPS: usize = 4;

/// Whether there are zeros between the elements of the image, and the window moves in steps of 1.
pub(super) fn applies(plan: &Convolution) -> bool {
    plan.axes.iter().any(|axis| axis.spread > 1) && plan.axes.iter().all(|axis| axis.stride == 1)
}

/// Whether there are so few results for each element of an image with many channels that the products of all elements of
/// the window are computed faster than sums over both.
pub(super) fn is_thin(plan: &Convolution) -> bool {
    let taps = plan.axes.iter().fold(1, |taps: usize, axis| taps.saturating_mul(axis.window));
    plan.outputs == 1
        && plan.channels >= THIN_CHANNELS
        && taps >= THIN_TAPS
        && plan.axes.iter().all(|axis| axis.stride == 1)
}

/// Where along an axis an element of the window adds the elements of the image: those from `first` to
/// `end`, the first one to the result `to`, each following one `spread` further.
#[derive(Clone, Copy)]
struct Added {
    first: usize,
    end: usize,
    to: usize,
}

impl Added {
    fn new(axis: &WindowAxis, tap: usize) -> Self {
        // The position of the result is `element · spread + offset`.
        let offset = axis.before - (tap * axis.dilation) as isize;
        let spread = axis.spread as isize;
        let size = axis.size as isize;
        let first = div_ceil(-offset, spread).clamp(0, size);
        let end = div_ceil((axis.positions as isize).saturating_sub(offset), spread);
        let end = end.clamp(first, size);
        let to = if first < end { first * spread + offset } else { 0 };
        Self { first: first as usize, end: end as usize, to: to as usize }
    }

    /// For each element of the window, along each axis.
    fn of_axes(axes: &[WindowAxis]) -> Vec<Vec<Self>> {
        let of_axis =
            |axis: &WindowAxis| (0..axis.window).map(|tap| Self::new(axis, tap)).collect();
        axes.iter().map(of_axis).collect()
    }
}

/// Writes the convolution with the weights as a matrix, `[groups · outputs, channels · taps]`.
///
/// # Panics
///
/// As [`convolve`](super::convolve).
pub(super) fn convolve<A: GemmElement>(
    plan: &Convolution,
    input: ErasedView<'_, A>,
    weights: &[A],
    results: &mut [MaybeUninit<A>],
) {
    let Convolution { groups, channels, outputs, .. } = *plan;
    let (size, taps) =
        (product_of(&plan.axes, |axis| axis.size), product_of(&plan.axes, |axis| axis.window));
    let positions = product_of(&plan.axes, |axis| axis.positions);
    if size == 0 {
        zeros(results);
        return;
    }
    let elements = input.as_slice().map_or_else(|| row_major(input).into(), std::borrow::Cow::from);
    // The channels become the last axis: one row for each element of the window.
    let mut rows = Vec::with_capacity(weights.len());
    for weights in weights.chunks(channels * taps) {
        for tap in 0..taps {
            rows.extend(weights[tap..].iter().step_by(taps));
        }
    }
    let m = outputs * taps;
    let together = (BLOCK_BYTES / size_of::<A>() / size).clamp(1, m);
    let added = Added::of_axes(&plan.axes);
    let unit = outputs * positions;
    let bytes = cost_in_bytes([results.len() / positions * taps, channels, size]);
    for_each_part_weighted(results, bytes, unit, |start, results| {
        let mut products: Vec<MaybeUninit<A>> = Vec::new();
        for (index, results) in results.chunks_exact_mut(unit).enumerate() {
            let product = start / unit + index;
            let rows = &rows[product % groups * m * channels..][..m * channels];
            let right = Matrix::row_major_strides(&elements[product * channels * size..], size);
            let results = zeros(results);
            for (block, rows) in rows.chunks(together * channels).enumerate() {
                let left = Matrix::row_major_strides(rows, channels);
                let m = rows.len() / channels;
                products.resize(m * size, MaybeUninit::uninit());
                gemm_dispatch([m, channels, size], left, right, None, &mut products);
                // SAFETY: the product above writes every result.
                let products = unsafe { products.assume_init_ref() };
                for (row, products) in products.chunks_exact(size).enumerate() {
                    let row = block * together + row;
                    let results = &mut results[row / taps * positions..][..positions];
                    add_axes(&plan.axes, &added, row % taps, taps, products, results);
                }
            }
        }
    });
}

/// Adds the products of one element of the window, axis by axis.
fn add_axes<A: GemmElement>(
    axes: &[WindowAxis],
    added: &[Vec<Added>],
    tap: usize,
    taps: usize,
    products: &[A],
    results: &mut [A],
) {
    let ([axis, axes @ ..], [here, added @ ..]) = (axes, added) else { return };
    let taps = taps / axis.window;
    let Added { first, end, to } = here[tap / taps];
    if axes.is_empty() {
        let results = results[to..].iter_mut().step_by(axis.spread);
        for (result, &product) in results.zip(&products[first..end]) {
            *result = result.add(product);
        }
        return;
    }
    let (from_each, to_each) = (products.len() / axis.size, results.len() / axis.positions);
    for element in first..end {
        let position = to + (element - first) * axis.spread;
        let products = &products[element * from_each..][..from_each];
        let results = &mut results[position * to_each..][..to_each];
        add_axes(axes, added, tap % taps, taps, products, results);
    }
}
