//! The gradient with respect to the weights: `weights[o, w] = Σ results[o, p] windows[w, p]`, where the
//! windows are read from the images.
//!
//! The lanes of a sum are positions, which are added up at the end of a block of images. Blocks depend on the
//! sizes alone, so that the bits do not depend on the number of threads.

use core::mem::MaybeUninit;

use super::super::{cost_in_bytes, for_each_part_weighted, zeros};
use super::forward::most_rows;
use super::image::{ImagePlan, Images, StridedInput};
use super::microkernel::ROWS;
use super::offset_table::{Band, OffsetTable, bands};
use super::weight_microkernel::{
    COLUMNS, MOST_LANES, ReductionSlice, WeightTile, sums_of_lanes, weight_kernel_of,
};
use crate::arrays;
use crate::kernel::matmul::{Avx512Element, GemmElement, is_avx512_available};
use crate::layout::{ErasedView, num_elements};
use crate::sizes::windows::{Convolution, product_of};

/// About how many vectors of positions a block of images has: their gradients for a tile stay in L1.
const BLOCK_VECTORS: usize = 64;

/// Writes the gradient of the weights of a convolution, given that of the results in row-major order;
/// `false` if the machine or the sizes do not support it.
///
/// # Panics
///
/// As [`weights`](super::super::weights::weights).
pub(super) fn weights<A: GemmElement + Avx512Element>(
    plan: &Convolution,
    input: ErasedView<'_, A>,
    gradient: &[A],
    results: &mut [MaybeUninit<A>],
) -> bool {
    let Convolution { images, groups, channels, outputs, .. } = *plan;
    let positions = product_of(&plan.axes, |axis| axis.positions);
    if input.sizes.contains(&0) || !is_avx512_available() {
        return false;
    }
    let Some(image_plan) = ImagePlan::new(plan, &input) else { return false };
    let bands = bands(plan, &image_plan, A::LANES, &|_| 1);
    let vectors: usize = bands.iter().map(|band| band.table.stores.len()).sum();
    // Otherwise most lanes would not be positions.
    if vectors * A::LANES > 4 * positions {
        return false;
    }
    assert_eq!(gradient.len(), images * groups * outputs * positions, "a gradient for each result");
    let taps = bands[0].table.taps.len();
    let inner = channels * taps;
    assert_eq!(results.len(), groups * outputs * inner, "one slot per weight");

    let strided = StridedInput::new(&input);
    let all: Vec<(usize, &Band)> =
        (0..images).flat_map(|image| bands.iter().map(move |band| (image, band))).collect();
    let per_block = (BLOCK_VECTORS * bands.len() / vectors).max(1);
    let bytes = cost_in_bytes([num_elements(&[groups, outputs]), inner, images * positions]);
    let unit = ROWS.min(outputs) * inner;
    for_each_part_weighted(zeros(results), bytes, unit, |start, results| {
        let mut images = Images::new(&image_plan, &strided, channels);
        let mut pitched = Vec::new();
        for block in all.chunks(per_block) {
            let (mut row, last) = (start / inner, (start + results.len()) / inner);
            let mut results = &mut *results;
            while row < last {
                let (group, first) = (row / outputs, row % outputs);
                let rows = (outputs - first).min(last - row);
                let (here, rest) = results.split_at_mut(rows * inner);
                let (begin, end) = (block[0].0, block[block.len() - 1].0);
                images.choose(begin..end + 1, group * channels);
                pitched.clear();
                for &(image, band) in block {
                    let table = &*band.table;
                    assert!(
                        band.first_position + table.positions <= positions,
                        "positions of the results"
                    );
                    if !table.is_contiguous(A::LANES) {
                        let row = (image * groups + group) * outputs + first;
                        for positions in
                            gradient[row * positions..].chunks_exact(positions).take(rows)
                        {
                            pad_to_pitch(table, &positions[band.first_position..], &mut pitched);
                        }
                    }
                }
                let mut pitched = &pitched[..];
                let slices = block.iter().map(|&(image, band)| {
                    let table = &*band.table;
                    let row = (image * groups + group) * outputs + first;
                    let (gradient, gradient_row) = match table.is_contiguous(A::LANES) {
                        true => {
                            (gradient[row * positions + band.first_position..].as_ptr(), positions)
                        }
                        false => {
                            let row = table.stores.len() * A::LANES;
                            (pitched.split_off(..rows * row).expect("rows").as_ptr(), row)
                        }
                    };
                    ReductionSlice {
                        image: images.chosen(image - begin).wrapping_offset(band.start),
                        gradient,
                        gradient_row,
                        masks: &table.masks,
                        stores: &table.stores,
                    }
                });
                let slices: Vec<ReductionSlice<'_, A>> = slices.collect();
                let sums = Sums {
                    slices: &slices,
                    taps: &bands[0].table.taps,
                    channel: image_plan.channel,
                };
                // SAFETY: AVX-512 is available. The slices belong to these images and bands, whose plan has
                // the offsets and masks of elements; each of `rows` rows of the gradient has the positions
                // of the band, contiguous or numbered like the image.
                unsafe { sums.add(inner, here) };
                (row, results) = (row + rows, rest);
            }
        }
    });
    true
}

/// Some images of a group.
struct Sums<'a, A> {
    slices: &'a [ReductionSlice<'a, A>],
    taps: &'a [isize],
    channel: isize,
}

impl<A: Avx512Element> Sums<'_, A> {
    /// Adds the products of the slices to some rows of weights.
    ///
    /// # Safety
    ///
    /// AVX-512 is available. The slices satisfy the requirements of the micro-kernel, among them
    /// `results.len() / inner` rows of the gradient.
    unsafe fn add(&self, inner: usize, results: &mut [A]) {
        let (taps, rows) = (self.taps.len(), results.len() / inner);
        let mut lanes = [[[A::ZERO; MOST_LANES]; COLUMNS]; ROWS];
        let mut row = 0;
        while row < rows {
            let count = most_rows(rows - row);
            for first in (0..inner).step_by(COLUMNS) {
                let columns = COLUMNS.min(inner - first);
                let window = |w: usize| {
                    let (channel, tap) = (w / taps, w % taps);
                    (channel as isize * self.channel).wrapping_add(self.taps[tap])
                };
                let at = |column: usize| (first + column).min(inner - 1);
                let tile = WeightTile {
                    slices: self.slices,
                    taps,
                    windows: arrays::from_fn(|column| window(at(column))),
                    tap_of: arrays::from_fn(|column| at(column) % taps),
                    row,
                };
                // SAFETY: as the caller promises.
                unsafe { weight_kernel_of::<A>(count, columns)(&tile, &mut lanes) };
                for (i, lanes) in lanes[..count].iter().enumerate() {
                    // SAFETY: AVX-512 is available, as the caller promises.
                    let sums = unsafe { sums_of_lanes(lanes) };
                    let results = &mut results[(row + i) * inner + first..][..columns];
                    for (result, sum) in results.iter_mut().zip(sums) {
                        *result = result.add(sum);
                    }
                }
            }
            row += count;
        }
    }
}

/// Appends the positions of a row of the results, numbered like the image.
fn pad_to_pitch<A: Avx512Element>(table: &OffsetTable, positions: &[A], pitched: &mut Vec<A>) {
    let mut rest = positions;
    for store in &table.stores {
        let first = pitched.len();
        pitched.resize(first + A::LANES, A::ZERO);
        let vector = &mut pitched[first..];
        let mut lanes = u32::from(store.keep);
        while lanes != 0 {
            let start = lanes.trailing_zeros();
            let len = (lanes >> start).trailing_ones();
            let (here, behind) = rest.split_at(len as usize);
            vector[start as usize..][..len as usize].copy_from_slice(here);
            rest = behind;
            lanes &= u32::MAX << (start + len);
        }
    }
}
