//! The positions of the windows of an image, computed once for all images.

use core::ops::Range;

use smallvec::SmallVec;

use super::split_rows::LANES;
use crate::kernel::window_order::are_quads;
use crate::sizes::windows::{Pooling, WindowAxis, div_ceil, product_of};

/// The windows of an image, which consists of its last axes.
pub(super) struct Windows<'a> {
    plan: &'a Pooling,
    outer: &'a [WindowAxis],
    pub last: &'a WindowAxis,
    /// The numbers of elements of an image, of elements of a window along the outer axes, and of rows.
    pub image: usize,
    pub taps: usize,
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
        let taps = product_of(outer, |axis| axis.window);
        let rows = product_of(outer, |axis| axis.positions);
        let (mut starts, mut ends) = (Vec::new(), Vec::new());
        for row in 0..rows {
            let positions = positions_of(outer, row);
            starts.extend((0..taps).filter_map(|tap| start_of(outer, last, &positions, tap)));
            ends.push(starts.len());
        }
        let along = (0..last.window).filter_map(|tap| {
            let positions = inside(last, tap);
            if positions.is_empty() {
                return None;
            }
            let first = element(last, positions.start, tap)?;
            Some((positions, first))
        });
        let along = along.collect();
        Self { plan, outer, last, image, taps, rows, starts, ends, along }
    }

    /// The cost of processing some images, in bytes moved.
    pub fn bytes<T>(&self, images: usize) -> usize {
        let counts = [self.last.positions, self.taps, self.last.window];
        let windows = counts.into_iter().fold(self.rows, usize::saturating_mul);
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
        let along = window.saturating_mul(positions.next_multiple_of(LANES));
        let steps = self.taps.saturating_mul(size).saturating_add(along);
        !self.are_quads()
            && steps.saturating_mul(4) <= self.taps.saturating_mul(along).saturating_mul(3)
    }

    /// The two rows of an image that the windows of a row of positions read, if these are
    /// [quads](Self::are_quads).
    #[inline(always)]
    pub fn pairs<'x, T>(&self, image: &'x [T], row: usize) -> [&'x [[T; 2]]; 2] {
        let &[top, bottom] = self.starts(row) else { unreachable!("windows of two rows") };
        [top, bottom].map(|start| image[start..][..2 * self.last.positions].as_chunks().0)
    }

    /// The number of elements that the windows of each row have along the outer axes.
    pub fn counted(&self) -> Vec<usize> {
        let of_row = |row| -> usize {
            let positions = positions_of(self.outer, row);
            let pairs = self.outer.iter().zip(&positions);
            pairs
                .map(|(axis, &position)| count(axis, position, self.plan.excludes_padding))
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

/// The start of the row of the image that an element of the windows at these positions along the outer axes
/// reads; `None` in the padding.
fn start_of(
    outer: &[WindowAxis],
    last: &WindowAxis,
    positions: &[usize],
    tap: usize,
) -> Option<usize> {
    let (mut rest, mut start, mut size) = (tap, 0, last.size);
    for (axis, &position) in outer.iter().zip(positions).rev() {
        start += element(axis, position, rest % axis.window)? * size;
        size *= axis.size;
        rest /= axis.window;
    }
    Some(start)
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
    let (low, high) = match excludes_padding {
        true => (0, axis.size as isize),
        false => (-axis.before, (axis.size + axis.after) as isize),
    };
    let first = (position * axis.stride) as isize - axis.before;
    let dilation = axis.dilation as isize;
    // The taps with `low ≤ first + dilation · tap < high`.
    let from = div_ceil(low.saturating_sub(first), dilation).max(0);
    let to = div_ceil(high.saturating_sub(first), dilation).clamp(0, axis.window as isize);
    (to - from).max(0).unsigned_abs()
}
