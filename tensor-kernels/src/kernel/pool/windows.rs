//! The positions of the windows of an image, computed once for all images.

use core::ops::Range;

use smallvec::SmallVec;

use crate::kernel::window_order::are_quads;
use crate::sizes::windows::{Pooling, WindowAxis, div_ceil, product_of};

/// The number of neighbouring windows that are computed together.
pub(super) const LANES: usize = 16;

/// The windows of an image, which consists of its last axes.
pub(super) struct Windows<'a> {
    plan: &'a Pooling,
    outer: &'a [WindowAxis],
    pub last: &'a WindowAxis,
    /// The numbers of elements of an image, and of rows of positions.
    pub image: usize,
    pub rows: usize,
    /// For each row of positions, the starts of the rows of the image that its windows read.
    pub starts: Vec<usize>,
    /// The end of each row's range in that list.
    ends: Vec<usize>,
    /// For each element of a window along the last axis, the positions where it lies within the image, and
    /// the element that it reads at the first of them.
    pub along: SmallVec<[(Range<usize>, usize); 8]>,
}

impl<'a> Windows<'a> {
    pub fn new(plan: &'a Pooling) -> Self {
        let [outer @ .., last] = &plan.axes[..] else { unreachable!("a window has axes") };
        let image = plan.image();
        let rows = product_of(outer, |axis| axis.positions);
        let (mut starts, mut ends) = (Vec::new(), Vec::new());
        for row in 0..rows {
            add_starts(outer, last.size, &positions_of(outer, row), 0, &mut starts);
            ends.push(starts.len());
        }
        // The window has its first elements within the axis at the last position, and its last ones at the first.
        let [at_last, at_first] =
            [last.positions - 1, 0].map(|position| taps_within(last, position));
        let along = (at_last.start..at_first.end).filter_map(|tap| {
            let positions = inside(last, tap);
            if positions.is_empty() {
                return None;
            }
            let first = element(last, positions.start, tap)?;
            Some((positions, first))
        });
        let along = along.collect();
        Self { plan, outer, last, image, rows, starts, ends, along }
    }

    /// The number of elements of a window, or a smaller one if there are more than a `usize` counts.
    pub fn window(&self) -> usize {
        self.plan.axes.iter().fold(1, |all: usize, axis| all.saturating_mul(axis.window))
    }

    /// The cost of processing some images, in bytes moved.
    pub fn bytes<T>(&self, images: usize) -> usize {
        let windows = self.rows.saturating_mul(self.last.positions).saturating_mul(self.window());
        let elements = windows.saturating_add(self.image);
        elements.saturating_mul(images).saturating_mul(size_of::<T>())
    }

    /// The range of a row of positions in the list of starts.
    #[inline(always)]
    pub fn range(&self, row: usize) -> Range<usize> {
        let before = if row == 0 { 0 } else { self.ends[row - 1] };
        before..self.ends[row]
    }

    /// The starts of the rows of the image that the windows of a row of positions read.
    #[inline(always)]
    pub fn starts(&self, row: usize) -> &[usize] {
        &self.starts[self.range(row)]
    }

    /// Whether the windows are [quads](are_quads).
    pub fn are_quads(&self) -> bool {
        are_quads(&self.plan.axes)
    }

    /// Whether it takes much fewer steps to combine the rows that a row of windows reads to one, and then windows along it.
    pub fn are_quicker_in_rows(&self) -> bool {
        let WindowAxis { size, window, positions, .. } = *self.last;
        let taps = self.window() / window;
        let along = window.saturating_mul(positions.next_multiple_of(LANES));
        let steps = taps.saturating_mul(size).saturating_add(along);
        !self.are_quads() && steps.saturating_mul(4) <= taps.saturating_mul(along).saturating_mul(3)
    }

    /// The two rows of an image that the windows of a row of positions read, if these are
    /// [quads](Self::are_quads).
    #[inline(always)]
    pub fn pairs<'x, T>(&self, image: &'x [T], row: usize) -> [&'x [[T; 2]]; 2] {
        let &[top, bottom] = self.starts(row) else { unreachable!("windows of two rows") };
        [top, bottom].map(|start| image[start..][..2 * self.last.positions].as_chunks().0)
    }

    /// The number of elements that the windows of each row have along the outer axes.
    pub fn counted(&self) -> Vec<f64> {
        let of_row = |row| -> f64 {
            let positions = positions_of(self.outer, row);
            let pairs = self.outer.iter().zip(&positions);
            pairs
                .map(|(axis, &position)| count(axis, position, self.plan.excludes_padding) as f64)
                .product()
        };
        (0..self.rows).map(of_row).collect()
    }

    /// The number of elements that the window at each position has along the last axis.
    pub fn counts(&self) -> Vec<usize> {
        let of_position = |position| count(self.last, position, self.plan.excludes_padding);
        (0..self.last.positions).map(of_position).collect()
    }
}

/// Adds the starts of the rows of the image that the windows at these positions along the outer axes read, of rows of `size`
/// elements. `row` is the number of the row along the axes before these.
fn add_starts(
    outer: &[WindowAxis],
    size: usize,
    positions: &[usize],
    row: usize,
    starts: &mut Vec<usize>,
) {
    let ([axis, outer @ ..], [position, positions @ ..]) = (outer, positions) else {
        return starts.push(row * size);
    };
    for element in taps_within(axis, *position).filter_map(|tap| element(axis, *position, tap)) {
        add_starts(outer, size, positions, row * axis.size + element, starts);
    }
}

/// The positions along the outer axes of a row.
fn positions_of(outer: &[WindowAxis], mut row: usize) -> SmallVec<[usize; 4]> {
    let mut positions: SmallVec<[usize; 4]> = outer
        .iter()
        .rev()
        .map(|axis| {
            let position = row % axis.positions;
            row /= axis.positions;
            position
        })
        .collect();
    positions.reverse();
    positions
}

/// The element of an axis that an element of the window reads at a position; `None` in the padding.
fn element(axis: &WindowAxis, position: usize, tap: usize) -> Option<usize> {
    let element = (position * axis.stride + tap * axis.dilation) as isize - axis.before;
    usize::try_from(element).ok().filter(|&element| element < axis.size)
}

/// The positions at which an element of the window lies within the axis.
fn inside(axis: &WindowAxis, tap: usize) -> Range<usize> {
    let offset = (tap * axis.dilation) as isize - axis.before;
    let stride = axis.stride as isize;
    let start = (-offset).max(0).unsigned_abs().div_ceil(axis.stride);
    let end = (axis.size as isize - offset).max(0).unsigned_abs().div_ceil(stride.unsigned_abs());
    start.min(axis.positions)..end.clamp(start.min(axis.positions), axis.positions)
}

/// The number of elements of a window along an axis: those within the axis and, unless it is excluded,
/// those of the padding.
fn count(axis: &WindowAxis, position: usize, excludes_padding: bool) -> usize {
    if excludes_padding {
        return taps_within(axis, position).len();
    }
    taps_between(axis, position, -axis.before, (axis.size + axis.after) as isize).len()
}

/// The elements of a window that lie within the axis at a position.
fn taps_within(axis: &WindowAxis, position: usize) -> Range<usize> {
    taps_between(axis, position, 0, axis.size as isize)
}

/// The elements of a window that lie from `low` up to `high` along the axis at a position.
fn taps_between(axis: &WindowAxis, position: usize, low: isize, high: isize) -> Range<usize> {
    let first = (position * axis.stride) as isize - axis.before;
    let dilation = axis.dilation as isize;
    // The taps with `low ≤ first + dilation · tap < high`.
    let from = div_ceil(low.saturating_sub(first), dilation).max(0);
    let to = div_ceil(high.saturating_sub(first), dilation).clamp(0, axis.window as isize);
    from.unsigned_abs()..to.unsigned_abs()
}
