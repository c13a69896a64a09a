//! A writer of memory from front to back.

use core::mem::MaybeUninit;

use super::maps::{RowCopy, RowMap};
use crate::kernel::bypass::{self, Fence};
use crate::kernel::copy::{copy_slice, copy_slice_inline};
use crate::kernel::isa_fns::{is_rare, with_avx2};

/// The slots of a result, and the number of slots that are written.
pub(super) struct Writer<'a, B> {
    slots: &'a mut [MaybeUninit<B>],
    written: usize,
    /// The number of slots from the front that are filled in advance for later gaps.
    filled: usize,
    /// Of a writer whose long copies bypass the caches: what makes them visible at the end.
    fence: Option<Fence>,
}

/// Copies of fewer bytes than this do not bypass the caches: too many of their lines are written in two parts.
const MIN_BYPASSING: usize = 1 << 10;

impl<'a, B: Copy> Writer<'a, B> {
    pub(super) fn new(slots: &'a mut [MaybeUninit<B>]) -> Self {
        Self { slots, written: 0, filled: 0, fence: None }
    }

    /// A writer whose long copies bypass the caches.
    ///
    /// # Safety
    ///
    /// [`repeat`](Self::repeat) is not called: it reads slots before the end of the writer.
    pub(super) unsafe fn bypassing(slots: &'a mut [MaybeUninit<B>]) -> Self {
        Self { fence: Some(Fence), ..Self::new(slots) }
    }

    /// The next `len` slots, which the caller must write.
    #[inline(always)]
    fn next(&mut self, len: usize) -> &mut [MaybeUninit<B>] {
        let slots = &mut self.slots[self.written..][..len];
        self.written += len;
        slots
    }

    /// Writes some contiguous elements.
    #[inline]
    pub(super) fn copy(&mut self, elements: &[B]) {
        let (bypasses, slots) = (self.fence.is_some(), self.next(elements.len()));
        if bypasses && size_of_val(elements) >= MIN_BYPASSING {
            let (from, to) = (elements.as_ptr().cast(), slots.as_mut_ptr().cast());
            // SAFETY: there is a slot for each element, and the slots are borrowed until the fence is dropped.
            unsafe { bypass::store(from, to, size_of_val(elements)) };
        } else {
            copy_slice(elements, slots);
        }
    }

    /// Writes `count` elements that are `stride` apart.
    pub(super) fn copy_strided(
        &mut self,
        elements: &[B],
        start: isize,
        stride: isize,
        count: usize,
    ) {
        match stride {
            _ if count == 0 => {}
            1 => self.copy(&elements[start as usize..][..count]),
            0 => self.fill(elements[start as usize], count),
            _ => {
                for (index, slot) in self.next(count).iter_mut().enumerate() {
                    slot.write(elements[(start + index as isize * stride) as usize]);
                }
            }
        }
    }

    /// Writes one element `count` times.
    #[inline]
    pub(super) fn fill(&mut self, element: B, count: usize) {
        for slot in self.next(count) {
            slot.write(element);
        }
    }

    /// Fills the next `count` slots with one element, without advancing: later copies overwrite it,
    /// and [`gap`](Self::gap) leaves it.
    pub(super) fn fill_ahead(&mut self, element: B, count: usize) {
        self.filled = self.written + count;
        for slot in &mut self.slots[self.written..self.filled] {
            slot.write(element);
        }
    }

    /// Writes one element `count` times, except where it is already.
    #[inline]
    pub(super) fn gap(&mut self, element: B, count: usize) {
        if self.written + count <= self.filled {
            self.written += count;
        } else {
            self.fill(element, count);
        }
    }

    /// Writes rows of contiguous elements, which start at `start` and are `stride` apart.
    pub(super) fn copy_rows(
        &mut self,
        (elements, start, stride): (&[B], isize, isize),
        count: usize,
        row: &RowMap,
        fill: B,
    ) {
        if row.len == 0 {
            return;
        }
        let is_filled = self.written + count * row.len <= self.filled;
        let gaps = if is_filled { &[][..] } else { &row.gaps };
        let slots = self.next(count * row.len);
        with_avx2(
            #[inline(always)]
            |isa| {
                // A `fold` over the rows would not be inlined here.
                macro_rules! for_each_row {
                    (|$slots:ident, $elements:ident| $write:expr) => {
                        for (index, $slots) in slots.chunks_exact_mut(row.len).enumerate() {
                            let start = start + index as isize * stride;
                            let $elements = &elements[start as usize..][..row.source_len];
                            $write;
                        }
                    };
                }
                let singles = &row.elements[..];
                match row.copies[..] {
                    [copy]
                        if !is_rare(isa)
                            && gaps.is_empty()
                            && (VECTOR..=4 * VECTOR).contains(&copy.len) =>
                    {
                        match copy.len.div_ceil(VECTOR) {
                            1 => for_each_row!(|to, from| few::<B, 1>(from, to, copy, singles)),
                            2 => for_each_row!(|to, from| few::<B, 2>(from, to, copy, singles)),
                            3 => for_each_row!(|to, from| few::<B, 3>(from, to, copy, singles)),
                            _ => for_each_row!(|to, from| few::<B, 4>(from, to, copy, singles)),
                        }
                    }
                    _ => for_each_row!(|to, from| {
                        for gap in gaps {
                            to[gap.clone()].fill(MaybeUninit::new(fill));
                        }
                        for &RowCopy { from: start, to: first, len } in &row.copies {
                            copy_slice_inline(&from[start..][..len], &mut to[first..][..len]);
                        }
                        for &[element, slot] in singles {
                            to[slot].write(from[element]);
                        }
                    }),
                }
            },
        );
    }

    /// Repeats the last `len` elements `count` times.
    pub(super) fn repeat(&mut self, len: usize, count: usize) {
        let start = self.written - len;
        let total = len * count;
        // The written part doubles in each step, so that short pieces take few copies.
        let (mut done, mut at) = (0, self.written);
        while done < total {
            let more = (len + done).min(total - done);
            self.slots.copy_within(start..start + more, at);
            done += more;
            at += more;
        }
        self.written = at;
    }

    /// # Panics
    ///
    /// If a slot is not written.
    pub(super) fn finish(self) {
        assert_eq!(self.written, self.slots.len(), "every element of the result");
    }
}

impl<B: Copy> Writer<'_, B> {
    /// Writes `count` elements of each source in turn; a source is elements, a first index and a stride.
    pub(super) fn interleave(&mut self, sources: &[(&[B], isize, isize)], count: usize) {
        let slots = self.next(count * sources.len());
        let pick = |&(elements, start, stride): &(&[B], isize, isize), index: usize| {
            elements[(start + index as isize * stride) as usize]
        };
        match sources {
            [] => {}
            [(a, a_start, 1), (b, b_start, 1)] => {
                let (a, b) = (&a[*a_start as usize..][..count], &b[*b_start as usize..][..count]);
                for ((slots, &a), &b) in slots.as_chunks_mut::<2>().0.iter_mut().zip(a).zip(b) {
                    *slots = [MaybeUninit::new(a), MaybeUninit::new(b)];
                }
            }
            _ => {
                for (index, slots) in slots.chunks_exact_mut(sources.len()).enumerate() {
                    for (slot, source) in slots.iter_mut().zip(sources) {
                        slot.write(pick(source, index));
                    }
                }
            }
        }
    }
}

/// The number of elements of a vector.
const VECTOR: usize = 16;

/// Writes a row of one copy of at most `N` vectors, the last of which overlaps the one before, and of
/// single elements.
#[inline(always)]
fn few<B: Copy, const N: usize>(
    from: &[B],
    to: &mut [MaybeUninit<B>],
    RowCopy { from: start, to: first, len }: RowCopy,
    singles: &[[usize; 2]],
) {
    let (elements, slots) = (&from[start..][..len], &mut to[first..][..len]);
    for vector in 0..N - 1 {
        let vector = vector * VECTOR..(vector + 1) * VECTOR;
        slots[vector.clone()].write_copy_of_slice(&elements[vector]);
    }
    slots[len - VECTOR..].write_copy_of_slice(&elements[len - VECTOR..]);
    for &[element, slot] in singles {
        to[slot].write(from[element]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Copies of any length, from and to any part of a cache line.
    #[test]
    fn copies_past_the_caches_have_all_elements() {
        let elements: Vec<u32> = (0..5_000).collect();
        for lens in [[3, 600, 256], [255, 257, 4_000], [1_000, 0, 1], [260, 261, 1_023]] {
            let len = lens.iter().sum();
            let mut slots = vec![MaybeUninit::new(0); len];
            // SAFETY: nothing is repeated.
            let mut writer = unsafe { Writer::bypassing(&mut slots) };
            let mut expected = vec![];
            for (start, len) in lens.into_iter().enumerate() {
                writer.copy(&elements[start..][..len]);
                expected.extend_from_slice(&elements[start..][..len]);
            }
            writer.finish();
            // SAFETY: every slot was initialised above.
            let written: Vec<u32> =
                slots.iter().map(|slot| unsafe { slot.assume_init() }).collect();
            assert_eq!(written, expected, "{lens:?}");
        }
    }
}
