//! The gradient of a convolution with respect to its weights: products of the windows with the gradient
//! of the results.
//!
//! For each group, `weights[o, w] = Σ results[o, p] windows[w, p]`, where `p` runs over the positions of
//! all images in blocks, and `w` over channels and elements of the window, in blocks that are small enough
//! for a block of the windows to stay in the cache.

use core::mem::MaybeUninit;
use core::ops::Range;

use super::columns::Columns;
use super::image::{Geometry, Image};
use super::implicit::ImplicitGemm;
use super::{GemmElement, Matrix, Piece, cost_in_bytes, gemm_dispatch, row_major, zeros};
use crate::kernel::parallel::for_each_part_weighted;
use crate::layout::{ErasedView, num_elements};
use crate::sizes::windows::{Convolution, product_of};

/// About how many positions are multiplied at a time.
const PLACES: usize = 1024;
/// The maximum size in bytes of a block of their windows.
const BLOCK_BYTES: usize = 512 << 10;

/// Some rows of the windows of a group, and their sums.
struct WeightRows<'a, A> {
    group: usize,
    rows: Range<usize>,
    sums: &'a mut [A],
}

/// Writes the gradient of the weights of a convolution that is not transposed.
///
/// # Panics
///
/// If the sizes are not those of the plan, `results` has another length, or a stride leads out of the
/// elements.
pub(super) fn weights<A: ImplicitGemm>(
    plan: &Convolution,
    input: ErasedView<'_, A>,
    gradient: ErasedView<'_, A>,
    results: &mut [MaybeUninit<A>],
) {
    let Convolution { images, groups, channels, outputs, .. } = *plan;
    let positions = product_of(&plan.axes, |axis| axis.positions);
    let taps = product_of(&plan.axes, |axis| axis.window);
    let inner = num_elements(&[channels, taps]);
    let all = num_elements(&[groups, outputs, inner]);
    assert_eq!(results.len(), all, "one slot per weight");
    assert_eq!(gradient.sizes, &plan.result[..], "a gradient for each result");
    if images == 0 || positions == 0 || results.is_empty() {
        zeros(results);
        return;
    }
    let gradient =
        gradient.as_slice().map_or_else(|| row_major(gradient).into(), std::borrow::Cow::from);
    if A::weights_implicit(plan, input, &gradient, results) {
        return;
    }
    let elements = input.as_slice().map_or_else(|| row_major(input).into(), std::borrow::Cow::from);
    let input = ErasedView::new(input.sizes, None, &elements[..]);
    let Some(geometry) = Geometry::new(plan, &input) else {
        return direct(plan, &elements, &gradient, results);
    };
    let sizes = input.sizes;
    let work = Work { plan, elements: &elements, sizes, gradient: &gradient, geometry, positions };
    // The weights with their first two axes exchanged: the windows are the left operand.
    let mut sums = vec![A::ZERO; all];
    let rows = (BLOCK_BYTES / size_of::<A>() / work.step().1).clamp(16, inner.max(16));
    let mut blocks = Vec::new();
    for (group, sums) in sums.chunks_mut(inner * outputs).enumerate() {
        for (index, sums) in sums.chunks_mut(rows * outputs).enumerate() {
            let first = index * rows;
            blocks.push(WeightRows { group, rows: first..first + sums.len() / outputs, sums });
        }
    }
    let bytes = cost_in_bytes([num_elements(&[groups, outputs]), inner, images * positions]);
    for_each_part_weighted(&mut blocks, bytes, 1, |_, mut blocks| {
        while let Some(first) = blocks.first() {
            let group = first.group;
            let count = blocks.iter().take_while(|block| block.group == group).count();
            let (here, rest) = blocks.split_at_mut(count);
            work.add_group(group, here);
            blocks = rest;
        }
    });
    for (results, sums) in results.chunks_mut(inner * outputs).zip(sums.chunks(inner * outputs)) {
        for (output, results) in results.chunks_mut(inner).enumerate() {
            for (result, row) in results.iter_mut().zip(sums.chunks(outputs)) {
                result.write(row[output]);
            }
        }
    }
}

/// The state that the threads share.
struct Work<'a, A> {
    plan: &'a Convolution,
    /// The input, in row-major order, and its sizes.
    elements: &'a [A],
    sizes: &'a [usize],
    gradient: &'a [A],
    geometry: Geometry,
    positions: usize,
}

impl<A: GemmElement> Work<'_, A> {
    /// The numbers of images and of positions that are multiplied at a time: several whole images, or a part.
    fn step(&self) -> (usize, usize) {
        let images = (PLACES / self.positions).clamp(1, self.plan.images);
        (images, images * self.positions.min(PLACES))
    }

    /// Adds the products of all images to some blocks of one group.
    fn add_group(&self, group: usize, blocks: &mut [WeightRows<'_, A>]) {
        let Convolution { images, groups, channels, outputs, .. } = *self.plan;
        let geometry = &self.geometry;
        let (together, _) = self.step();
        let last = |offsets: &[usize]| offsets.iter().max().map_or(0, |offset| offset + 1);
        let len = last(&geometry.taps) + last(&geometry.positions);
        let mut image = Image::new(geometry);
        let (mut stack, mut results, mut room) = (Vec::new(), Vec::new(), Room::default());
        for first in (0..images).step_by(together) {
            let count = together.min(images - first);
            stack.clear();
            for index in first..first + count {
                let whole = (self.elements, self.sizes, 0);
                let elements = image.of(whole, index, group * channels);
                let elements = &elements[..len.min(elements.len())];
                stack.extend_from_slice(elements);
                stack.resize((index - first + 1) * len, A::ZERO);
            }
            for start in (0..self.positions).step_by(PLACES) {
                let positions = PLACES.min(self.positions - start);
                results.clear();
                for output in 0..outputs {
                    for index in first..first + count {
                        let row = (index * groups + group) * outputs + output;
                        let from = row * self.positions + start;
                        results.extend_from_slice(&self.gradient[from..from + positions]);
                    }
                }
                let columns = Columns { elements: &stack, geometry };
                let one = columns.pieces(start, positions);
                let pieces = (0..count).flat_map(|index| {
                    one.iter().map(move |piece| Piece {
                        column: piece.column + index * positions,
                        len: piece.len,
                        element: piece.element + index * len,
                    })
                });
                let pieces: Vec<Piece> = pieces.collect();
                for block in &mut *blocks {
                    let taps = &geometry.taps[block.rows.clone()];
                    room.add(&stack, taps, &pieces, count * positions, &results, block.sums);
                }
            }
        }
    }
}

/// Memory for a block of the windows, and for its product.
struct Room<A> {
    windows: Vec<A>,
    product: Vec<MaybeUninit<A>>,
}

impl<A> Default for Room<A> {
    fn default() -> Self {
        Self { windows: Vec::new(), product: Vec::new() }
    }
}

impl<A: GemmElement> Room<A> {
    /// `sums[w, o] += Σ windows[w, p] results[o, p]`, where row `w` of the windows consists of pieces of
    /// the elements that start at `taps[w]`.
    fn add(
        &mut self,
        elements: &[A],
        taps: &[usize],
        pieces: &[Piece],
        positions: usize,
        results: &[A],
        sums: &mut [A],
    ) {
        // Whole cache lines, which are whole vectors.
        let width = positions.next_multiple_of(64 / size_of::<A>().min(64));
        self.windows.resize(taps.len() * width, A::ZERO);
        if !A::pack_pieces_avx512(elements, taps, pieces, width, &mut self.windows) {
            for (&tap, row) in taps.iter().zip(self.windows.chunks_mut(width)) {
                for piece in pieces {
                    let from = &elements[tap + piece.element..][..piece.len];
                    row[piece.column..][..piece.len].copy_from_slice(from);
                }
            }
        }
        let outputs = sums.len() / taps.len();
        let left = Matrix::row_major_strides(&self.windows, width);
        let right = Matrix::row_major_strides(results, positions).transposed();
        self.product.resize(sums.len(), MaybeUninit::uninit());
        gemm_dispatch([taps.len(), positions, outputs], left, right, None, &mut self.product);
        for (sum, product) in sums.iter_mut().zip(&self.product) {
            // SAFETY: the product above writes every result.
            *sum = sum.add(unsafe { product.assume_init() });
        }
    }
}

/// Computes the gradient by its definition, for padding that is much larger than the image.
fn direct<A: GemmElement>(
    plan: &Convolution,
    input: &[A],
    gradient: &[A],
    results: &mut [MaybeUninit<A>],
) {
    let Convolution { images, groups, channels, outputs, .. } = *plan;
    let size = product_of(&plan.axes, |axis| axis.size);
    let positions = product_of(&plan.axes, |axis| axis.positions);
    let taps = product_of(&plan.axes, |axis| axis.window);
    for (weight, result) in results.iter_mut().enumerate() {
        let (output, channel, tap) =
            (weight / (channels * taps), weight / taps % channels, weight % taps);
        let group = output / outputs;
        let mut sum = A::ZERO;
        for position in 0..positions {
            let Some(element) = plan.element(position, tap) else { continue };
            for image in 0..images {
                let x = input[((image * groups + group) * channels + channel) * size + element];
                let row = image * groups * outputs + output;
                sum = sum.add(x.mul(gradient[row * positions + position]));
            }
        }
        result.write(sum);
    }
}
