//! An image whose elements are numbered like the window positions: in place, or in phases if the window
//! moves by more than one element or the image is a strided view.
//!
//! A phase is the elements of an axis that are a stride apart. Elements of a phase are neighbours, like the
//! positions that read them.

use core::ops::Range;

use smallvec::SmallVec;

use super::MOST_TAPS;
use crate::element::Number;
use crate::kernel::isa_fns::with_avx2;
use crate::layout::{ErasedView, Strides, num_elements};
use crate::sizes::windows::{Convolution, WindowAxis, product_of};

/// The layout of the elements of a group of channels.
pub(super) struct ImagePlan {
    /// The stride from one position to the next along each axis.
    pub strides: SmallVec<[isize; 4]>,
    /// The stride from one channel to the next.
    pub channel: isize,
    /// How the elements are copied; `None` if they are used in place.
    phases: Option<Phases>,
}

/// The layout of a channel by phases.
struct Phases {
    axes: SmallVec<[WindowAxis; 4]>,
    /// The number of phases of each axis.
    counts: SmallVec<[usize; 4]>,
    /// The number of elements of each phase.
    len: usize,
}

impl Phases {
    /// The start of a phase of an axis, in the first phase of the other axes.
    fn start(&self, axis: usize, phase: usize) -> usize {
        let inner = self.counts[axis + 1..].iter().product::<usize>() * self.len;
        phase.wrapping_mul(inner)
    }
}

impl ImagePlan {
    /// `None` if the phases would be much larger than the image, because its strides are large, or the window
    /// has too many elements to have a mask for each.
    ///
    /// # Panics
    ///
    /// If the sizes of the input are not those of the plan.
    pub(super) fn new<A: Copy>(plan: &Convolution, input: &ErasedView<'_, A>) -> Option<Self> {
        if plan.axes.iter().any(|axis| axis.spread != 1 || isize::try_from(axis.stride).is_err()) {
            return None;
        }
        if product_of(&plan.axes, |axis| axis.window) > MOST_TAPS {
            return None;
        }
        let (outer, inner) = input.sizes.split_at(input.sizes.len() - plan.axes.len());
        let (&channels, images) = outer.split_last().expect("an axis of channels");
        assert!(
            inner.iter().zip(&plan.axes).all(|(&size, axis)| size == axis.size)
                && plan.groups.checked_mul(plan.channels) == Some(channels)
                && num_elements(images) == plan.images,
            "the sizes of the plan"
        );
        let all = input.strides();
        let (lead, spatial) = all.split_at(all.len() - plan.axes.len());
        let axes = &plan.axes;
        let mut row_major = 1;
        let is_row_major = axes.iter().zip(spatial).rev().all(|(axis, &stride)| {
            let is_next = stride == row_major;
            row_major = row_major.saturating_mul(axis.size as isize);
            is_next
        });
        let has_positions = axes[1..].iter().all(|axis| axis.positions <= axis.size);
        if is_row_major && has_positions && axes.iter().all(|axis| axis.stride == 1) {
            StridedInput::new(input).assert_within();
            let strides = spatial.iter().copied().collect();
            return Some(Self { strides, channel: lead[lead.len() - 1], phases: None });
        }
        let counts = axes.iter().map(|axis| axis.stride.min(axis.size.max(1)));
        let counts: SmallVec<[usize; 4]> = counts.collect();
        let mut strides: SmallVec<[isize; 4]> = axes.iter().map(|_| 1).collect();
        let mut len = 1_usize;
        for (axis, stride) in axes.iter().zip(&mut strides).rev() {
            *stride = isize::try_from(len).ok()?;
            len = len.checked_mul(axis.size.div_ceil(axis.stride).max(axis.positions))?;
        }
        let phases = counts.iter().try_fold(1_usize, |all, &count| all.checked_mul(count))?;
        let channel = len.checked_mul(phases)?;
        let elements = axes.iter().map(|axis| axis.size).product::<usize>();
        if channel > elements.checked_mul(4)?.max(1 << 16) {
            return None;
        }
        let phases = Phases { axes: axes.iter().copied().collect(), counts, len };
        Some(Self { strides, channel: isize::try_from(channel).ok()?, phases: Some(phases) })
    }

    /// The start of a phase. The phases beyond those of an axis are all padding.
    pub(super) fn phase_start(&self, axis: usize, phase: usize) -> isize {
        self.phases.as_ref().map_or(0, |phases| phases.start(axis, phase) as isize)
    }
}

/// The elements of a tensor, shared by several threads.
pub(super) struct StridedInput<'a, A> {
    elements: &'a [A],
    sizes: &'a [usize],
    offset: isize,
    strides: Strides,
}

impl<'a, A: Copy> StridedInput<'a, A> {
    pub(super) fn new(input: &ErasedView<'a, A>) -> Self {
        let (elements, sizes) = (input.elements(), input.sizes);
        Self { elements, sizes, offset: input.offset() as isize, strides: input.strides() }
    }

    pub(super) fn elements(&self) -> &'a [A] {
        self.elements
    }

    /// # Panics
    ///
    /// If an element is not one of the storage.
    pub(super) fn assert_within(&self) {
        if self.sizes.contains(&0) {
            return;
        }
        let (mut first, mut last) = (self.offset, self.offset);
        for (&size, &stride) in self.sizes.iter().zip(&self.strides) {
            let reach = isize::try_from(size - 1).ok().and_then(|size| size.checked_mul(stride));
            let reach = reach.expect("strides within the elements");
            let to = if reach < 0 { &mut first } else { &mut last };
            *to = to.checked_add(reach).expect("strides within the elements");
        }
        let is_within = first >= 0 && (last as usize) < self.elements.len();
        assert!(is_within, "strides within the elements");
    }
}

/// Images of a tensor for one thread: some channels of each.
pub(super) struct Images<'a, A> {
    plan: &'a ImagePlan,
    input: &'a StridedInput<'a, A>,
    channels: usize,
    chosen: Range<usize>,
    first: usize,
    copied: Vec<A>,
}

impl<'a, A: Number> Images<'a, A> {
    pub(super) fn new(
        plan: &'a ImagePlan,
        input: &'a StridedInput<'a, A>,
        channels: usize,
    ) -> Self {
        Self { plan, input, channels, chosen: 0..0, first: 0, copied: Vec::new() }
    }

    /// Selects some images, and of each the channels from `first` on; copies them if necessary.
    pub(super) fn choose(&mut self, images: Range<usize>, first: usize) {
        (self.chosen, self.first) = (images, first);
        let Some(phases) = &self.plan.phases else { return };
        let StridedInput { elements, ref strides, .. } = *self.input;
        let lead = strides.len() - self.plan.strides.len() - 1;
        let channel = self.plan.channel as usize;
        self.copied.resize(self.chosen.len() * self.channels * channel, A::ZERO);
        let copies = self.copied.chunks_exact_mut(channel * self.channels);
        for (copied, image) in copies.zip(self.chosen.clone()) {
            let mut start = self.input.start(image, first, lead);
            for copied in copied.chunks_exact_mut(channel) {
                phases.copy(0, elements, [&strides[lead + 1..], &self.plan.strides], start, copied);
                start += strides[lead];
            }
        }
    }

    /// The elements of the channels of an image, starting at `first`; empty if they are not contiguous.
    pub(super) fn elements(&self, image: usize, first: usize) -> &'a [A] {
        let StridedInput { elements, ref strides, .. } = *self.input;
        let lead = strides.len() - self.plan.strides.len() - 1;
        let start = usize::try_from(self.input.start(image, first, lead)).unwrap_or(elements.len());
        let channel = usize::try_from(strides[lead]).unwrap_or(0);
        let len = channel.saturating_mul(self.channels);
        &elements[start..][..len.min(elements.len().saturating_sub(start))]
    }

    /// A pointer to the first channel of one of the selected images.
    pub(super) fn chosen(&self, number: usize) -> *const A {
        assert!(number < self.chosen.len(), "an image that was chosen");
        let StridedInput { elements, ref strides, .. } = *self.input;
        if self.plan.phases.is_some() {
            return self.copied[number * self.channels * self.plan.channel as usize..].as_ptr();
        }
        let lead = strides.len() - self.plan.strides.len() - 1;
        let start = self.input.start(self.chosen.start + number, self.first, lead);
        elements.as_ptr().wrapping_offset(start)
    }
}

impl<A> StridedInput<'_, A> {
    /// The index of the first element of a channel of an image, after the leading axes.
    pub(super) fn start(&self, image: usize, channel: usize, lead: usize) -> isize {
        let StridedInput { sizes, offset, ref strides, .. } = *self;
        let mut start = offset + channel as isize * strides[lead];
        let mut rest = image;
        for axis in (0..lead).rev() {
            start += (rest % sizes[axis]) as isize * strides[axis];
            rest /= sizes[axis];
        }
        start
    }
}

impl Phases {
    /// Copies the elements of an axis and of those after it to their phases, with strides on both sides.
    fn copy<A: Copy>(
        &self,
        index: usize,
        elements: &[A],
        strides: [&[isize]; 2],
        start: isize,
        copied: &mut [A],
    ) {
        let (axis, [from, to]) = (&self.axes[index], strides.map(|strides| strides[index]));
        if index + 2 == self.axes.len()
            && self.axes[index + 1].stride == 2
            && strides[0][index + 1] == 1
        {
            with_avx2(
                #[inline(always)]
                |_| self.copy_pairs(index, elements, [from, to], start, copied),
            );
            return;
        }
        for phase in 0..self.counts[index] {
            let copied = &mut copied[self.start(index, phase)..];
            let numbers = (phase..axis.size).step_by(axis.stride);
            if index + 1 < self.axes.len() {
                for (position, number) in numbers.enumerate() {
                    let start = start + number as isize * from;
                    let copied = &mut copied[position * to as usize..];
                    self.copy(index + 1, elements, strides, start, copied);
                }
            } else if from == 1 {
                let row = &elements[start as usize..][..axis.size];
                copy_every(&mut copied[..numbers.len()], &row[phase..], axis.stride);
            } else {
                for (slot, number) in copied.iter_mut().zip(numbers) {
                    *slot = elements[(start + number as isize * from) as usize];
                }
            }
        }
    }
}

impl Phases {
    /// Copies the last two axes if the last one is contiguous and has two phases: reads each row once.
    #[inline(always)]
    fn copy_pairs<A: Copy>(
        &self,
        index: usize,
        elements: &[A],
        [from, to]: [isize; 2],
        start: isize,
        copied: &mut [A],
    ) {
        let (axis, len) = (&self.axes[index], self.axes[index + 1].size);
        let odd = if self.counts[index + 1] > 1 { self.start(index + 1, 1) } else { 0 };
        for number in 0..axis.size {
            let first = self.start(index, number % axis.stride);
            let first = first + number / axis.stride * to as usize;
            let row = &elements[(start + number as isize * from) as usize..][..len];
            if odd == 0 {
                copied[first] = row[0];
                continue;
            }
            let (even, odd) = copied[first..].split_at_mut(odd);
            let (pairs, rest) = row.as_chunks::<2>();
            let (even, odd) = (&mut even[..len.div_ceil(2)], &mut odd[..pairs.len()]);
            split_pairs(pairs, even, odd);
            if let ([element], [.., last]) = (rest, even) {
                *last = *element;
            }
        }
    }
}

/// Writes the first elements of all pairs to one slice, the second ones to another.
#[inline(always)]
fn split_pairs<A: Copy>(pairs: &[[A; 2]], firsts: &mut [A], seconds: &mut [A]) {
    const N: usize = 16;
    let Some(last) = pairs.len().checked_sub(N) else {
        for ((pair, first), second) in pairs.iter().zip(firsts).zip(seconds) {
            [*first, *second] = *pair;
        }
        return;
    };
    // The last block overlaps the one before.
    for start in (0..last).step_by(N).chain([last]) {
        let pairs: &[[A; 2]; N] = pairs[start..].first_chunk().expect("as many pairs");
        firsts[start..][..N].copy_from_slice(&pairs.map(
            #[inline(always)]
            |[first, _]| first,
        ));
        seconds[start..][..N].copy_from_slice(&pairs.map(
            #[inline(always)]
            |[_, second]| second,
        ));
    }
}

/// Copies every `stride`-th element.
fn copy_every<A: Copy>(slots: &mut [A], row: &[A], stride: usize) {
    match stride {
        1 => slots.copy_from_slice(&row[..slots.len()]),
        _ => {
            for (slot, element) in slots.iter_mut().zip(row.iter().step_by(stride)) {
                *slot = *element;
            }
        }
    }
}
