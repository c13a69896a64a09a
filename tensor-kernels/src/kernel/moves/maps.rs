//! Maps from the indices along an axis of a result to those of its source.

use core::ops::Range;

use crate::ops::Padding;

/// A run of indices along an axis: `count` of them, from `start` on in steps of `step`; without a `start`,
/// they have no source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct IndexRun {
    pub count: usize,
    pub start: Option<usize>,
    pub step: isize,
}

/// A map from each index along the axis of the result to an index along the axis of the source.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexMap {
    runs: Vec<IndexRun>,
    len: usize,
}

impl IndexMap {
    const EMPTY: Self = Self { runs: Vec::new(), len: 0 };

    /// The identity map of an axis of this size.
    pub(crate) fn whole(size: usize) -> Self {
        let mut map = Self::EMPTY;
        map.push(size, Some(0), 1);
        map
    }

    fn push(&mut self, count: usize, start: Option<usize>, step: isize) {
        if count > 0 {
            self.runs.push(IndexRun { count, start, step });
            self.len += count;
        }
    }

    /// The size of the axis of the result.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn runs(&self) -> &[IndexRun] {
        &self.runs
    }

    /// Whether this is the identity map of an axis of this size.
    pub(super) fn is_whole(&self, size: usize) -> bool {
        self.len == size && matches!(self.runs[..], [IndexRun { start: Some(0), step: 1, .. }])
    }
}

/// A map from the elements of a row of the result to those of a row of the source: the indices along one
/// axis, together with the axes after it, which are contiguous.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct RowMap {
    /// The number of elements of a row of the source, and of one of the result.
    pub source_len: usize,
    pub len: usize,
    /// The contiguous pieces.
    pub copies: Vec<RowCopy>,
    /// The other elements, as indices `[source, result]`.
    pub elements: Vec<[usize; 2]>,
    /// The ranges of the result without a source.
    pub gaps: Vec<Range<usize>>,
}

/// A contiguous copy from a row of the source to a row of the result: both starts, and the length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RowCopy {
    pub from: usize,
    pub to: usize,
    pub len: usize,
}

impl RowMap {
    /// If there are more copies or elements than this, the row is written run by run.
    const MOST: usize = 16;

    /// The map of an axis of this size, where an index has `inner` contiguous elements; `None` if a row
    /// has too many parts.
    pub(super) fn new(map: &IndexMap, size: usize, inner: usize) -> Option<Self> {
        let mut row = Self { source_len: size * inner, ..Self::default() };
        for &IndexRun { count, start, step } in map.runs() {
            let Some(start) = start else {
                row.gaps.push(row.len..row.len + count * inner);
                row.len += count * inner;
                continue;
            };
            // Each index is copied separately, unless they are consecutive.
            let (copies, len) = if step == 1 { (1, count * inner) } else { (count, inner) };
            for index in 0..copies as isize {
                let from = (start as isize + index * step) as usize * inner;
                let to = row.len;
                match len {
                    1 => row.elements.push([from, to]),
                    _ => row.copies.push(RowCopy { from, to, len }),
                }
                row.len += len;
                if row.elements.len().max(row.copies.len()) > Self::MOST {
                    return None;
                }
            }
        }
        Some(row)
    }
}

/// Pads an axis of this size by these numbers of indices before and after it; negative ones crop it.
///
/// The size is not 0 unless the padding is constant or nothing is added; a crop is within the axis.
pub fn padded<T>(size: usize, [before, after]: [isize; 2], padding: &Padding<T>) -> IndexMap {
    let mut map = IndexMap::EMPTY;
    let crop = |amount: isize| if amount < 0 { amount.unsigned_abs() } else { 0 };
    let add = |amount: isize| usize::try_from(amount).unwrap_or(0);
    let (start, end) = (crop(before), size - crop(after));
    match padding {
        Padding::Constant(_) => map.push(add(before), None, 0),
        _ => outside(&mut map, size, -(add(before) as isize), add(before), padding),
    }
    map.push(end.saturating_sub(start), Some(start), 1);
    match padding {
        Padding::Constant(_) => map.push(add(after), None, 0),
        _ => outside(&mut map, size, size as isize, add(after), padding),
    }
    map
}

/// Appends `count` indices from `first` on, all of them before or all of them after the axis.
fn outside<T>(map: &mut IndexMap, size: usize, first: isize, count: usize, padding: &Padding<T>) {
    // Reflected and circular padding repeats after this many indices.
    let period = match padding {
        Padding::Reflect => (2 * size).saturating_sub(2).max(1),
        Padding::Symmetric => 2 * size,
        Padding::Constant(_) | Padding::Edge | Padding::Wrap => size,
    };
    let (mut at, mut left) = (first, count);
    while left > 0 {
        let (start, step, most) = match padding {
            Padding::Edge if at < 0 => (0, 0, left),
            Padding::Edge => (size - 1, 0, left),
            _ => match at.rem_euclid(period as isize) as usize {
                forward if forward < size => (forward, 1, size - forward),
                // Backwards: from the last index, or from the one before it.
                backward => (
                    if let Padding::Symmetric = padding {
                        period - 1 - backward
                    } else {
                        period - backward
                    },
                    -1,
                    period - backward,
                ),
            },
        };
        let count = most.min(left);
        map.push(count, Some(start), step);
        at += count as isize;
        left -= count;
    }
}

/// Rolls an axis of this size: its elements move by `shift` positions towards its end, and those that leave
/// it enter at its front.
pub fn rolled(size: usize, shift: isize) -> IndexMap {
    let mut map = IndexMap::EMPTY;
    if size > 0 {
        let first = size - shift.rem_euclid(size as isize) as usize;
        map.push(size - first, Some(first), 1);
        map.push(first, Some(0), 1);
    }
    map
}

/// Repeats each index of an axis; `counts` has the number of repetitions of each.
pub fn repeated(counts: &[usize]) -> IndexMap {
    let mut map = IndexMap::EMPTY;
    for (index, &count) in counts.iter().enumerate() {
        map.push(count, Some(index), 0);
    }
    map
}
