//! The forward convolution, by bands of rows, and by tiles of vectors and of channels of the results.

use core::mem::MaybeUninit;
use std::borrow::Cow;

use super::super::{MANY_PRODUCTS, cost_in_bytes, for_each_part_weighted};
use super::depthwise;
use super::image::{ImagePlan, Images, StridedInput};
use super::microkernel::{ROWS, Tile, kernel_of};
use super::offset_table::{Band, bands};
use crate::element::Element;
use crate::kernel::matmul::{Avx512Element, is_avx512_available};
use crate::kernel::prefetch::prefetch;
use crate::kernel::transpose::transpose_matrices;
use crate::layout::{ErasedView, num_elements};
use crate::sizes::windows::{Convolution, product_of};

/// With fewer positions, packing the weights would take long compared with the products.
const FEW_POSITIONS: usize = 64;

/// The number of vectors of a tile: 3 for 8 channels of the results; up to 6 if there are fewer channels.
fn tile_vectors(outputs: usize, vectors: usize) -> usize {
    match (outputs < ROWS, vectors) {
        (true, 6..) => 6,
        // Tiles of equal size: the smaller a tile is, the longer it waits for its sums.
        (_, 4) => 2,
        _ => vectors.min(3),
    }
}

/// Writes the convolution with the weights as a matrix, `[groups · outputs, channels · taps]`; `false` if
/// the machine or the sizes do not support it.
///
/// # Panics
///
/// As [`convolve`](super::super::convolve).
pub(super) fn convolve<A: Avx512Element>(
    plan: &Convolution,
    input: ErasedView<'_, A>,
    weights: &[A],
    results: &mut [MaybeUninit<A>],
) -> bool {
    let Convolution { images, groups, channels, outputs, .. } = *plan;
    let positions = product_of(&plan.axes, |axis| axis.positions);
    let inner = weights.len() / (groups * outputs);
    if input.sizes.contains(&0) || !is_avx512_available() {
        return false;
    }
    let are_few = images.saturating_mul(positions) < FEW_POSITIONS;
    if depthwise::convolve(plan, &input, weights, are_few, results) {
        return true;
    }
    if are_few {
        return false;
    }
    let Some(image_plan) = ImagePlan::new(plan, &input) else { return false };
    let strided = StridedInput::new(&input);
    let bands = bands(plan, &image_plan, A::LANES, &|vectors| tile_vectors(outputs, vectors));
    let packed = packed_weights(weights, outputs, inner);
    let products = images * groups;
    let unit = positions * if products >= MANY_PRODUCTS { outputs } else { ROWS.min(outputs) };
    let bytes = cost_in_bytes([num_elements(&[products, outputs]), inner, positions]);
    for_each_part_weighted(results, bytes, unit, |start, results| {
        let mut images = Images::new(&image_plan, &strided, channels);
        let (mut row, end) = (start / positions, (start + results.len()) / positions);
        let mut results = results;
        while row < end {
            let (current, first) = (row / outputs, row % outputs);
            let rows = (outputs - first).min(end - row);
            let (here, rest) = results.split_at_mut(rows * positions);
            let group = current % groups;
            let image = current / groups;
            images.choose(image..image + 1, group * channels);
            let image = images.chosen(0);
            let weights = &packed[group * outputs * inner..][..outputs * inner];
            let product = ImageWeights {
                channels,
                channel: image_plan.channel,
                outputs,
                inner,
                positions,
                weights,
            };
            let tiles = bands.iter().map(|band| band.table.tiles()).sum::<usize>();
            let tiles = tiles * rows.div_ceil(ROWS);
            (row, results) = (row + rows, rest);
            let next = row / outputs;
            let elements = match row < end && next != current {
                true => images.elements(next / groups, next % groups * channels),
                false => &[],
            };
            let mut upcoming = Upcoming::new(elements, tiles);
            for band in &bands {
                // SAFETY: AVX-512 is available. `image` is the first element of a group of channels for which
                // the plan was made.
                unsafe { product.multiply(band, image, first, here, &mut upcoming) };
            }
        }
    });
    true
}

/// The weights of an image and a group.
struct ImageWeights<'a, A> {
    channels: usize,
    /// The stride from one channel of the image to the next.
    channel: isize,
    outputs: usize,
    inner: usize,
    positions: usize,
    weights: &'a [A],
}

impl<A: Avx512Element> ImageWeights<'_, A> {
    /// Writes the positions of a band for some channels of the results, starting at `first`.
    ///
    /// # Safety
    ///
    /// AVX-512 is available, and `image` points to the first of the channels of an image, with the strides
    /// that the band requires.
    unsafe fn multiply(
        &self,
        band: &Band,
        image: *const A,
        first: usize,
        results: &mut [MaybeUninit<A>],
        upcoming: &mut Upcoming<'_, A>,
    ) {
        let Self { channels, channel, outputs, inner, positions, weights } = *self;
        let table = &*band.table;
        let (taps, width) = (table.taps.len(), table.width);
        assert!(inner == channels * taps && weights.len() == outputs * inner);
        let rows = results.len() / positions;
        assert!(results.len() == rows * positions && first + rows <= outputs);
        assert!(band.first_position + table.positions <= positions, "a slot for each position");
        for vector in (0..table.stores.len()).step_by(width) {
            let mut row = first;
            while row < first + rows {
                upcoming.prefetch_for_tile();
                // Some of the rows that are packed together.
                let packed = row / ROWS * ROWS;
                let step = ROWS.min(outputs - packed);
                let count = most_rows((packed + step).min(first + rows) - row);
                let to = &mut results[(row - first) * positions + band.first_position..];
                let mut at = vector;
                let end = (vector + width).min(table.stores.len());
                while at < end {
                    let vectors = most_vectors(count, end - at);
                    let tile = Tile {
                        channels,
                        channel,
                        taps: &table.taps,
                        image: image.wrapping_offset(band.start).wrapping_add(at * A::LANES),
                        masks: table.masks[vector * taps + (at - vector)..].as_ptr(),
                        masks_step: width,
                        weights: weights[packed * inner + (row - packed)..].as_ptr(),
                        weights_step: step,
                        results: to.as_mut_ptr().cast(),
                        results_row: positions,
                        stores: table.stores[at..at + vectors].as_ptr(),
                    };
                    // They are written much later, and a processor has few stores in flight.
                    let position = table.stores[at].position;
                    for row in 0..count {
                        let first = to[row * positions + position..].as_ptr();
                        prefetch(first.cast(), vectors * A::LANES * size_of::<A>());
                    }
                    // SAFETY: AVX-512 is available. The masks select elements of the image, as its plan
                    // ensures; there are `inner` steps of weights, of which the last has `count` elements
                    // from here on; and the kept positions of the rows were compared with their length above.
                    unsafe { kernel_of::<A>(count, vectors)(&tile) };
                    at += vectors;
                }
                row += count;
            }
        }
    }
}

/// The elements of the next image, of which each tile prefetches a part.
struct Upcoming<'a, A> {
    elements: &'a [A],
    for_tile: usize,
}

impl<'a, A> Upcoming<'a, A> {
    /// The maximum size in bytes: more leaves no room in the L2 cache for the image itself.
    const MOST: usize = 256 << 10;

    fn new(elements: &'a [A], tiles: usize) -> Self {
        let elements = if size_of_val(elements) > Self::MOST { &[] } else { elements };
        Self { elements, for_tile: elements.len().div_ceil(tiles.max(1)) }
    }

    fn prefetch_for_tile(&mut self) {
        let (now, later) = self.elements.split_at(self.for_tile.min(self.elements.len()));
        prefetch(now.as_ptr().cast(), size_of_val(now));
        self.elements = later;
    }
}

/// The number of the remaining rows that a tile takes: the most for which there is a micro-kernel.
pub(super) fn most_rows(rows: usize) -> usize {
    match rows {
        ROWS.. => ROWS,
        // 3 and 3, or 3 and 2, wait less than 4 followed by the remainder.
        7 | 4 => 4,
        5 | 6 | 3 => 3,
        rows => rows,
    }
}

/// The number of the remaining vectors that a tile of these rows takes.
fn most_vectors(rows: usize, vectors: usize) -> usize {
    match vectors {
        6.. if rows < ROWS => 6,
        3.. => 3,
        vectors => vectors,
    }
}

/// The weights in the order of the micro-kernel: [`ROWS`] channels of the results, or the remaining ones,
/// for each channel and element of the window.
fn packed_weights<A: Element>(weights: &[A], outputs: usize, inner: usize) -> Cow<'_, [A]> {
    if outputs == 1 {
        return weights.into();
    }
    let mut packed = Vec::with_capacity(weights.len());
    let mut slots = &mut packed.spare_capacity_mut()[..weights.len()];
    for group in weights.chunks_exact(outputs * inner) {
        for rows in group.chunks(ROWS * inner) {
            let (here, rest) = slots.split_at_mut(rows.len());
            transpose_matrices(rows, [rows.len() / inner, inner], here);
            slots = rest;
        }
    }
    assert!(slots.is_empty(), "whole groups");
    // SAFETY: no slot is left, so that the transposes have written all `weights.len()` elements.
    unsafe { packed.set_len(weights.len()) };
    packed.into()
}
