//! Rearrangements: maps from the indices along each axis of the result to those of the source.

use super::MoveSource;
use super::maps::{IndexMap, IndexRun, RowMap};
use super::writer::Writer;

/// The state that all rows share.
struct Rearranged<'a, B> {
    source: &'a MoveSource<'a, B>,
    maps: &'a [IndexMap],
    /// For each axis, the number of elements of the result for one of its indices.
    inner: Vec<usize>,
    /// The first axis from which on the result is a contiguous copy of the source.
    whole_from: usize,
    /// The axis from which on a part of the result is filled at once, before elements are copied.
    filled_from: Option<usize>,
    fill: B,
    /// The last axis before `whole_from`, if it has few parts.
    row: Option<RowMap>,
}

/// The number of elements that are filled at once: they are still in the L1 cache when copies overwrite them.
const FILLED: usize = 1 << 12;

/// Writes the element that the maps give for each index, and `fill` where they give none. The result is
/// not empty.
pub(super) fn write<B: Copy>(
    writer: &mut Writer<'_, B>,
    source: &MoveSource<'_, B>,
    maps: &[IndexMap],
    fill: B,
) {
    let mut inner = vec![1; maps.len()];
    for axis in (1..maps.len()).rev() {
        inner[axis - 1] = inner[axis] * maps[axis].len();
    }
    if source.sizes.contains(&0) {
        return writer.fill(fill, maps.iter().map(IndexMap::len).product());
    }
    let mut whole_from = maps.len();
    while whole_from > source.contiguous_from
        && maps[whole_from - 1].is_whole(source.sizes[whole_from - 1])
    {
        whole_from -= 1;
    }
    let has_gaps = |axis: &usize| maps[*axis].runs().iter().any(|run| run.start.is_none());
    let is_small = |axis: &usize| inner[*axis] * maps[*axis].len() <= FILLED;
    let last_with_gaps = (0..maps.len()).rev().find(has_gaps);
    let filled_from = last_with_gaps
        .and_then(|last| (0..=last).find(is_small))
        .filter(|&axis| axis + 1 < maps.len());
    let row = whole_from.checked_sub(1).filter(|&axis| axis >= source.contiguous_from);
    let row = row.and_then(|axis| RowMap::new(&maps[axis], source.sizes[axis], inner[axis]));
    let all = Rearranged { source, maps, inner, whole_from, filled_from, fill, row };
    all.write(writer, 0, source.offset);
}

impl<B: Copy> Rearranged<'_, B> {
    /// Writes the axes from `axis` on; the first element of the source is at `offset`.
    fn write(&self, writer: &mut Writer<'_, B>, axis: usize, offset: isize) {
        if axis >= self.whole_from {
            return self.source.write(writer, axis, offset);
        }
        let (stride, inner) = (self.source.strides[axis], self.inner[axis]);
        if self.filled_from == Some(axis) {
            writer.fill_ahead(self.fill, inner * self.maps[axis].len());
        }
        // The last axis that is not copied as a whole, with contiguous elements after it.
        let is_contiguous = axis + 1 >= self.whole_from && axis >= self.source.contiguous_from;
        for &IndexRun { count, start, step } in self.maps[axis].runs() {
            let Some(start) = start else {
                writer.gap(self.fill, count * inner);
                continue;
            };
            let first = offset + start as isize * stride;
            if is_contiguous && step == 1 {
                writer.copy(&self.source.elements[first as usize..][..count * inner]);
            } else if inner == 1 && axis + 1 == self.maps.len() {
                writer.copy_strided(self.source.elements, first, step * stride, count);
            } else if step == 0 {
                self.write(writer, axis + 1, first);
                writer.repeat(inner, count - 1);
            } else if let Some(row) = self.row.as_ref().filter(|_| axis + 2 == self.whole_from) {
                let (elements, stride) = (self.source.elements, step * stride);
                writer.copy_rows((elements, first, stride), count, row, self.fill);
            } else {
                for index in 0..count as isize {
                    self.write(writer, axis + 1, first + index * step * stride);
                }
            }
        }
    }
}
