//! An image with its padding, in a layout where every window is a few contiguous pieces.

use super::GemmElement;
use crate::layout::{ErasedView, Strides, checked_len};
use crate::sizes::windows::{Convolution, WindowAxis, div_ceil};

/// Spare elements after a padded image, so that a row of fewer positions is computed as one whole vector.
pub(super) const BEHIND: usize = 16;

/// The positions of the elements of the windows of an image.
pub(super) struct Geometry {
    /// The axes of the window.
    axes: Vec<WindowAxis>,
    /// Along each axis the range of elements that windows cover: its start and its end.
    covered: Vec<[usize; 2]>,
    /// The stride from one channel to the next.
    plane: usize,
    /// The stride from one element of an axis to the next; along the last axis, from one window position to
    /// the next.
    strides: Vec<usize>,
    /// The last axis is stored in parts: elements whose distance is the stride of the window are neighbours
    /// in a part, and so are neighbouring window positions. This is the number of elements of a part.
    pitch: usize,
    /// The element of each window position, without channels.
    pub positions: Vec<usize>,
    /// The number of window positions along the last axis, whose elements are neighbours.
    pub row: usize,
    /// The offset that is added for each channel and element of the window.
    pub taps: Vec<usize>,
    /// The number of elements of an image with its padding; `None` if the input is used in place.
    padded: Option<usize>,
    channels: usize,
    /// The strides of the input.
    input: Strides,
}

/// The number of elements of an axis that its windows cover.
fn covered(axis: &WindowAxis) -> Option<usize> {
    let first = (axis.positions - 1).checked_mul(axis.stride)?;
    first.checked_add((axis.window - 1).checked_mul(axis.dilation)?)?.checked_add(1)
}

/// The range of elements of an axis that its windows cover: its start and its end.
fn covered_elements(axis: &WindowAxis, covered: usize) -> [usize; 2] {
    let spread = axis.spread as isize;
    let first = div_ceil(-axis.before, spread).clamp(0, axis.size as isize);
    let end = div_ceil((covered as isize).saturating_sub(axis.before), spread);
    [first as usize, end.clamp(first, axis.size as isize) as usize]
}

impl Geometry {
    /// `None` if the padding is so much larger than the image that a padded copy does not pay.
    pub(super) fn new<A: Copy>(plan: &Convolution, input: &ErasedView<'_, A>) -> Option<Self> {
        Self::of_strides(plan, input.strides(), size_of::<A>())
    }

    /// [`new`](Self::new) for elements of this many bytes.
    fn of_strides(plan: &Convolution, input_strides: Strides, bytes: usize) -> Option<Self> {
        let axes = plan.axes.to_vec();
        let covered: Vec<usize> = axes.iter().map(covered).collect::<Option<_>>()?;
        let spatial = &input_strides[input_strides.len() - axes.len()..];
        let last = axes.len() - 1;
        let is_within = |(axis, &covered): (&WindowAxis, &usize)| {
            axis.before == 0 && axis.spread == 1 && covered <= axis.size
        };
        let channel = input_strides[input_strides.len() - axes.len() - 1];
        let used_as_is = axes.iter().zip(&covered).all(is_within)
            && axes[last].stride == 1
            && spatial[last] == 1
            && channel >= 0
            && spatial.iter().all(|&stride| stride >= 0);
        let (mut strides, plane, pitch, padded);
        if used_as_is {
            strides = spatial.iter().map(|stride| stride.unsigned_abs()).collect::<Vec<_>>();
            (plane, pitch, padded) = (channel.unsigned_abs(), 0, None);
        } else {
            let parts = axes[last].stride.min(covered[last]);
            pitch = covered[last].div_ceil(axes[last].stride);
            let mut sizes = covered.clone();
            sizes[last] = pitch.checked_mul(parts)?;
            plane = checked_len(&sizes, bytes)?;
            let image = axes.iter().try_fold(1_usize, |all, axis| {
                all.checked_mul(axis.size.checked_add(axis.positions)?)?.checked_mul(axis.spread)
            });
            if plane > image?.checked_mul(4)?.max(1 << 20) {
                return None;
            }
            padded = Some(checked_len(&[plan.channels, plane], bytes)?);
            strides = vec![1; axes.len()];
            for axis in (0..last).rev() {
                strides[axis] = strides[axis + 1] * sizes[axis + 1];
            }
        }
        // Along the last axis the elements of positions are neighbours, along the others a stride apart.
        let mut positions = vec![0];
        for (index, axis) in axes.iter().enumerate() {
            let step = if index == last { 1 } else { strides[index] * axis.stride };
            positions = spread(&positions, axis.positions, step);
        }
        let mut taps: Vec<usize> = (0..plan.channels).map(|channel| channel * plane).collect();
        for (index, axis) in axes.iter().enumerate() {
            let offset = |tap: usize| match index == last && padded.is_some() {
                true => {
                    let element = tap * axis.dilation;
                    element % axis.stride * pitch + element / axis.stride
                }
                false => tap * axis.dilation * strides[index],
            };
            let offsets: Vec<usize> = (0..axis.window).map(offset).collect();
            taps = taps.iter().flat_map(|&tap| offsets.iter().map(move |o| tap + o)).collect();
        }
        strides[last] = 1;
        let row = axes[last].positions;
        let channels = plan.channels;
        let covered = axes.iter().zip(&covered).map(|(axis, &len)| covered_elements(axis, len));
        let covered = covered.collect();
        Some(Self {
            axes,
            covered,
            plane,
            strides,
            pitch,
            positions,
            row,
            taps,
            padded,
            channels,
            input: input_strides,
        })
    }

    /// The row stride of the matrix of all windows, if the image itself is that matrix: for a window of one
    /// element that moves over the image without gaps.
    pub(super) fn is_matrix(&self) -> Option<isize> {
        let is_matrix = self.taps.len() == self.channels
            && self.positions.iter().enumerate().all(|(position, &offset)| position == offset);
        is_matrix.then_some(self.plane as isize)
    }
}

/// For each offset, `count` offsets in steps of `step`.
fn spread(offsets: &[usize], count: usize, step: usize) -> Vec<usize> {
    offsets.iter().flat_map(|&offset| (0..count).map(move |index| offset + index * step)).collect()
}

/// The elements of an image, padded if necessary; the memory is reused from image to image.
pub(super) struct Image<'a, A> {
    geometry: &'a Geometry,
    padded: Vec<A>,
}

impl<'a, A: GemmElement> Image<'a, A> {
    pub(super) fn new(geometry: &'a Geometry) -> Self {
        let len = geometry.padded.map_or(0, |len| len + BEHIND);
        Self { geometry, padded: vec![A::ZERO; len] }
    }

    /// The elements of an image, starting at a channel.
    pub(super) fn of<'b>(
        &'b mut self,
        (elements, sizes, offset): (&'b [A], &[usize], usize),
        image: usize,
        channel: usize,
    ) -> &'b [A] {
        let geometry = self.geometry;
        let lead = sizes.len() - geometry.axes.len() - 1;
        let mut start = offset as isize + channel as isize * geometry.input[lead];
        let mut rest = image;
        for axis in (0..lead).rev() {
            start += (rest % sizes[axis]) as isize * geometry.input[axis];
            rest /= sizes[axis];
        }
        if geometry.padded.is_none() {
            return &elements[start as usize..];
        }
        // The padding and the gaps between the elements stay 0: every image writes the same
        // elements.
        for channel in 0..geometry.channels {
            let from = start + channel as isize * geometry.input[lead];
            let to = channel * geometry.plane;
            let target = &mut self.padded[to..to + geometry.plane];
            geometry.copy_axis(0, elements, from, target, 0);
        }
        &self.padded
    }
}

impl Geometry {
    /// Copies the elements of an axis and of those after it to their positions in the padded image; elements
    /// that no window covers are skipped.
    fn copy_axis<A: Copy>(
        &self,
        index: usize,
        elements: &[A],
        from: isize,
        target: &mut [A],
        to: usize,
    ) {
        let (axis, [first, end]) = (&self.axes[index], self.covered[index]);
        if first >= end {
            return;
        }
        let stride = self.input[self.input.len() - self.axes.len() + index];
        let from = from + first as isize * stride;
        // The position of the first element, which is at or after the start of what the windows cover.
        let position = ((first * axis.spread) as isize + axis.before) as usize;
        let count = end - first;
        if index + 1 < self.axes.len() {
            let (mut from, mut to) = (from, to + position * self.strides[index]);
            for _ in 0..count {
                self.copy_axis(index + 1, elements, from, target, to);
                from += stride;
                to += axis.spread * self.strides[index];
            }
        } else if axis.stride == 1 && axis.spread == 1 && stride == 1 {
            target[to + position..][..count].copy_from_slice(&elements[from as usize..][..count]);
        } else if axis.spread == 1 {
            self.copy_parts(elements, [from, stride], count, &mut target[to..], position);
        } else {
            for element in 0..count {
                let position = position + element * axis.spread;
                let part = position % axis.stride * self.pitch + position / axis.stride;
                target[to + part] = elements[(from + element as isize * stride) as usize];
            }
        }
    }

    /// Copies elements of the last axis to its parts: each to the part of its position, without a division
    /// for each element.
    fn copy_parts<A: Copy>(
        &self,
        elements: &[A],
        [from, stride]: [isize; 2],
        count: usize,
        target: &mut [A],
        position: usize,
    ) {
        let parts = self.axes[self.axes.len() - 1].stride;
        for first in 0..parts.min(count) {
            let at = (position + first) % parts * self.pitch + (position + first) / parts;
            let slots = &mut target[at..][..(count - first).div_ceil(parts)];
            if stride == 1 {
                let from = &elements[from as usize..][first..count];
                if parts == 2 {
                    // Pairs, so that the loop is vectorised.
                    let (pairs, rest) = from.as_chunks::<2>();
                    let (of_pairs, last) = slots.split_at_mut(pairs.len());
                    for (slot, [element, _]) in of_pairs.iter_mut().zip(pairs) {
                        *slot = *element;
                    }
                    if let ([slot], [element]) = (last, rest) {
                        *slot = *element;
                    }
                } else {
                    for (slot, element) in slots.iter_mut().zip(from.iter().step_by(parts)) {
                        *slot = *element;
                    }
                }
            } else {
                for (slot, element) in slots.iter_mut().zip((first..).step_by(parts)) {
                    *slot = elements[(from + element as isize * stride) as usize];
                }
            }
        }
    }
}
