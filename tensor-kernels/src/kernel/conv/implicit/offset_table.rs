//! Offset tables: neighbouring positions of a window, and the elements of an image that they read.
//!
//! Positions are numbered with the pitch of the image: from one row to the next, the number grows by the
//! length of a row of the image. So neighbouring positions read neighbouring elements for each tap,
//! whole vectors of them. A mask selects the existing ones: not padding, and not numbers between the rows.

use std::sync::Arc;

use super::image::ImagePlan;
use crate::kernel::matmul::{Lanes, lanes_in};
use crate::sizes::windows::{Convolution, WindowAxis};

/// Bands have at most this many vectors of positions, but at least one row.
const BAND_VECTORS: usize = 1024;

/// The maximum size in bytes of the masks of a band, which has at least one row.
const MASK_BYTES: usize = 1 << 16;

/// The destination of the lanes of a vector of results.
#[derive(Clone, Copy, Default)]
pub(super) struct Store {
    /// The position of the first lane.
    pub position: usize,
    /// The lanes that are positions.
    pub keep: Lanes,
}

/// The offset table of some rows of positions, numbered from 0 on: it replaces a matrix of their windows.
pub(super) struct OffsetTable {
    /// For each element of the window, the offset from a position to the element that it reads.
    pub taps: Vec<isize>,
    /// The lanes that have elements: `[vectors / width, taps, width]`.
    pub masks: Vec<Lanes>,
    /// The number of vectors of a tile.
    pub width: usize,
    /// The destination of each vector.
    pub stores: Vec<Store>,
    /// The number of positions.
    pub positions: usize,
}

/// Some rows of positions along the first axis of the window.
pub(super) struct Band {
    pub table: Arc<OffsetTable>,
    /// The position of the first one in the image.
    pub start: isize,
    /// The position of the first one in a row of the results.
    pub first_position: usize,
}

/// An element of the window along an axis.
#[derive(Clone, Copy)]
struct AxisTap {
    /// The range of positions whose element is not padding.
    within: [usize; 2],
    /// The offset from a position to its element.
    offset: isize,
}

impl AxisTap {
    /// For `positions` positions, starting at `first`.
    fn new(
        image: &ImagePlan,
        (index, axis): (usize, &WindowAxis),
        tap: usize,
        [first, positions]: [usize; 2],
    ) -> Self {
        // Position `p` reads the element `p · stride + from`: number `p + shift` of its phase.
        let (stride, from) = (axis.stride as isize, (tap * axis.dilation) as isize - axis.before);
        let (phase, shift) = (from.rem_euclid(stride), from.div_euclid(stride));
        let behind = axis.size as isize - phase;
        let len = if behind > 0 { (behind - 1) / stride + 1 } else { 0 };
        let before = shift.saturating_add(first as isize);
        let begin = before.saturating_neg().clamp(0, positions as isize);
        let end = len.saturating_sub(before).clamp(begin, positions as isize);
        let offset = shift.wrapping_mul(image.strides[index]);
        let offset = offset.wrapping_add(image.phase_start(index, phase as usize));
        Self { within: [begin as usize, end as usize], offset }
    }
}

/// The positions in bands of rows; `width` is the number of vectors of a band that form a tile.
pub(super) fn bands(
    plan: &Convolution,
    image: &ImagePlan,
    lanes: usize,
    width: &dyn Fn(usize) -> usize,
) -> Vec<Band> {
    let axis = &plan.axes[0];
    let inner: usize = plan.axes[1..].iter().map(|axis| axis.positions).product();
    let taps: usize = plan.axes.iter().map(|axis| axis.window).product();
    let vectors = BAND_VECTORS.min(MASK_BYTES / size_of::<Lanes>() / taps.max(1)).max(1);
    let most = (vectors * lanes / image.strides[0].unsigned_abs()).max(1);
    let rows = axis.positions.div_ceil(axis.positions.div_ceil(most));
    let mut bands: Vec<Band> = Vec::new();
    // The table whose windows have no padding above and below, with its number of rows, for reuse.
    let mut inside: Option<(usize, Arc<OffsetTable>)> = None;
    for first in (0..axis.positions).step_by(rows) {
        let rows = rows.min(axis.positions - first);
        let is_inside = (0..axis.window)
            .all(|tap| AxisTap::new(image, (0, axis), tap, [first, rows]).within == [0, rows]);
        let table = match &inside {
            Some((same, table)) if is_inside && *same == rows => Arc::clone(table),
            _ => Arc::new(OffsetTable::new(plan, image, [first, rows], lanes, width)),
        };
        if is_inside {
            inside = Some((rows, Arc::clone(&table)));
        }
        let start = first as isize * image.strides[0];
        bands.push(Band { table, start, first_position: first * inner });
    }
    bands
}

impl OffsetTable {
    /// The table of some rows of positions along the first axis.
    fn new(
        plan: &Convolution,
        image: &ImagePlan,
        [first, rows]: [usize; 2],
        lanes: usize,
        width: &dyn Fn(usize) -> usize,
    ) -> Self {
        let mut sizes: Vec<usize> = plan.axes.iter().map(|axis| axis.positions).collect();
        sizes[0] = rows;
        let strides = &image.strides;
        let last = sizes.iter().zip(strides).map(|(size, stride)| (size - 1) * *stride as usize);
        let vectors = (last.sum::<usize>() + 1).div_ceil(lanes);
        let width = width(vectors);

        let of_axis = |(index, axis): (usize, &WindowAxis)| {
            let first = if index == 0 { first } else { 0 };
            (0..axis.window)
                .map(|tap| AxisTap::new(image, (index, axis), tap, [first, sizes[index]]))
                .collect::<Vec<_>>()
        };
        let by_axis: Vec<Vec<AxisTap>> = plan.axes.iter().enumerate().map(of_axis).collect();
        let count = by_axis.iter().map(Vec::len).product();

        let mut taps = Vec::with_capacity(count);
        let mut masks = vec![0; vectors.next_multiple_of(width) * count];
        let mut within = vec![[0, 0]; sizes.len()];
        for tap in 0..count {
            let (mut rest, mut offset) = (tap, 0_isize);
            for (within, taps) in within.iter_mut().zip(&by_axis).rev() {
                let tap = taps[rest % taps.len()];
                rest /= taps.len();
                *within = tap.within;
                offset = offset.wrapping_add(tap.offset);
            }
            taps.push(offset);
            for_each_row(&within, strides, 0, &mut |from, to| {
                mark(from, to, lanes, |vector, lanes| {
                    masks[(vector / width * count + tap) * width + vector % width] |= lanes;
                });
            });
        }

        let mut stores = vec![Store::default(); vectors];
        let all: Vec<[usize; 2]> = sizes.iter().map(|&size| [0, size]).collect();
        for_each_row(&all, strides, 0, &mut |from, to| {
            mark(from, to, lanes, |vector, lanes| stores[vector].keep |= lanes);
        });
        let mut positions = 0;
        for store in &mut stores {
            store.position = positions;
            positions += store.keep.count_ones() as usize;
        }
        Self { taps, masks, width, stores, positions }
    }
}

impl OffsetTable {
    /// The number of tiles of vectors.
    pub(super) fn tiles(&self) -> usize {
        self.stores.len().div_ceil(self.width)
    }

    /// Whether the positions have the same numbers as in the results.
    pub(super) fn is_contiguous(&self, lanes: usize) -> bool {
        let last = self.stores[self.stores.len() - 1];
        // All lanes of the other vectors are positions, and the first lanes of this one.
        last.position == (self.stores.len() - 1) * lanes
            && (u32::from(last.keep) + 1).is_power_of_two()
    }
}

/// Calls `row` with the numbers of the first and the last position of each row.
fn for_each_row(
    within: &[[usize; 2]],
    strides: &[isize],
    start: usize,
    row: &mut dyn FnMut(usize, usize),
) {
    match (within, strides) {
        (&[[begin, end]], _) if begin < end => row(start + begin, start + end),
        ([[begin, end], within @ ..], [stride, strides @ ..]) if !within.is_empty() => {
            for index in *begin..*end {
                for_each_row(within, strides, start + index * *stride as usize, row);
            }
        }
        _ => {}
    }
}

/// Calls `vector` with the lanes of a range of positions, vector by vector.
fn mark(from: usize, to: usize, lanes: usize, mut vector: impl FnMut(usize, Lanes)) {
    let mut position = from;
    while position < to {
        let first = position % lanes;
        let end = (first + to - position).min(lanes);
        vector(position / lanes, lanes_in(first..end));
        position += end - first;
    }
}
