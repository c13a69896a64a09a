//! The rows of an image, rearranged so that neighbouring windows read neighbouring elements.

use core::hint::black_box;

use super::windows::Windows;
use crate::element::Number;
use crate::sizes::windows::{WindowAxis, div_ceil};

/// The number of neighbouring windows that are computed together.
pub(super) const LANES: usize = 16;

/// The index of a window of padding alone, which has no element.
pub(super) const NONE: usize = usize::MAX;

/// The smallest number of the type, which no window has as its maximum unless it has no other.
pub(super) fn smallest<T: Number>() -> T {
    T::from_f64(f64::NEG_INFINITY)
}

/// Whether an element becomes the maximum in place of the best one before it: not if they are equal, nor after a NaN.
#[inline(always)]
#[allow(clippy::eq_op, clippy::neg_cmp_op_on_partial_ord, reason = "a NaN is not equal to itself")]
pub(super) fn is_larger<T: Number>(x: T, best: T) -> bool {
    !(x <= best) & (best == best)
}

/// The rows of an image that windows read, with padding, and split into parts of elements that are the stride apart: those
/// that neighbouring windows read follow each other, and there are enough for whole vectors of windows.
pub(super) struct SplitRows<'a, T> {
    taps: Taps<'a>,
    elements: Vec<T>,
}

/// Where split rows have their elements, compiled once for all element types.
struct Taps<'a> {
    windows: &'a Windows<'a>,
    /// The remainders of the elements that windows read, counted from the first, by the stride: a row has a part for each.
    remainders: Vec<usize>,
    /// The number of elements of each part of a row.
    part: usize,
    /// The index in a row of the image of the first element that any window reads; negative in the padding.
    first: isize,
    /// For each element of a window along the last axis that some window reads, those that the window at position 0 reads:
    /// its indices in a split row and in a row of the image. The second may be outside.
    along: Vec<(usize, isize)>,
    /// For each start of a row of the image, in the order of [`Windows::starts`], that of the split row.
    starts: Vec<usize>,
    /// For each row of the image, 1 plus the number of the image that it is loaded from.
    loaded: Vec<usize>,
    /// Whether axes are exchanged: the last axis of the windows comes before the others in the order of elements.
    is_exchanged: bool,
    /// Of the row of positions that is loaded: the start of the first row of the image in the split rows, and in the image.
    first_start: (usize, usize),
    /// The starts of the split rows of this row of positions, relative to the first.
    relative: Vec<usize>,
    /// For each element of a window of this row of positions, that of the window at position 0: its indices in the split
    /// rows and in the image, relative to the first starts.
    list: Vec<(usize, isize)>,
}

impl<'a> Taps<'a> {
    fn new(windows: &'a Windows<'a>, is_exchanged: bool) -> Self {
        let WindowAxis { size, stride, positions, .. } = *windows.last;
        // Without elements, there are windows of padding alone.
        let size = size.max(1);
        let at_0 = windows
            .along
            .iter()
            .map(|(positions, element)| *element as isize - (positions.start * stride) as isize);
        let [first, last] = [at_0.clone().min(), at_0.clone().max()].map(Option::unwrap_or_default);
        let part = (last - first).unsigned_abs() / stride + positions.next_multiple_of(LANES);
        let mut remainders: Vec<usize> =
            at_0.clone().map(|element| (element - first).unsigned_abs() % stride).collect();
        remainders.sort_unstable();
        remainders.dedup();
        let split = |element: isize| {
            let element = (element - first).unsigned_abs();
            let number = remainders.binary_search(&(element % stride)).expect("a part for each");
            number * part + element / stride
        };
        let along = at_0.map(|element| (split(element), element)).collect();
        let row = remainders.len() * part;
        Self {
            windows,
            remainders,
            part,
            first,
            along,
            starts: windows.starts.iter().map(|start| start / size * row).collect(),
            loaded: vec![0; windows.image / size],
            is_exchanged,
            first_start: (0, 0),
            relative: Vec::new(),
            list: Vec::new(),
        }
    }

    /// The number of elements of a split row.
    fn row(&self) -> usize {
        self.remainders.len() * self.part
    }

    /// Lists the elements of the windows of a row of positions.
    fn select(&mut self, row: usize) {
        let (of_image, starts) = (self.windows.starts(row), &self.starts[self.windows.range(row)]);
        if self.along.is_empty() || starts.is_empty() {
            return self.list.clear();
        }
        let first = (starts[0], of_image[0]);
        self.first_start = first;
        let relative = || starts.iter().map(|start| start - first.0);
        if self.relative.iter().copied().eq(relative()) && !self.list.is_empty() {
            return;
        }
        self.relative.clear();
        self.relative.extend(relative());
        let of_image = of_image.iter().map(|start| (start - first.1) as isize);
        let starts = relative().zip(of_image);
        let tap = |start: (usize, isize), tap: (usize, isize)| (start.0 + tap.0, start.1 + tap.1);
        let along = self.along.iter().copied();
        self.list.clear();
        if self.is_exchanged {
            let taps = along.flat_map(|at| starts.clone().map(move |start| tap(start, at)));
            self.list.extend(taps);
        } else {
            let taps = starts.flat_map(|start| along.clone().map(move |at| tap(start, at)));
            self.list.extend(taps);
        }
    }

    /// The index of the element of a window that has this number in the list, if there is one.
    fn element(&self, tap: u32, position: usize) -> Option<usize> {
        let &(_, element) = self.list.get(tap as usize)?;
        let moved = self.first_start.1 + position * self.windows.last.stride;
        Some(moved.wrapping_add_signed(element))
    }
}

impl<'a, T: Number> SplitRows<'a, T> {
    pub fn new(windows: &'a Windows<'a>, padding: T, is_exchanged: bool) -> Self {
        let taps = Taps::new(windows, is_exchanged);
        let elements = vec![padding; taps.loaded.len() * taps.row()];
        Self { taps, elements }
    }

    /// Loads what the windows of a row of positions read of an image with this number.
    #[inline(never)]
    pub fn load(&mut self, image: &[T], number: usize, row: usize) {
        let Self { taps, elements } = self;
        taps.select(row);
        if taps.list.is_empty() {
            return;
        }
        let WindowAxis { size, stride, .. } = *taps.windows.last;
        let starts = &taps.starts[taps.windows.range(row)];
        for (&start, &of_image) in starts.iter().zip(taps.windows.starts(row)) {
            let loaded = &mut taps.loaded[of_image / size];
            if core::mem::replace(loaded, number + 1) != number + 1 {
                let parts = &mut elements[start..][..taps.remainders.len() * taps.part];
                let row = &image[of_image..][..size];
                split_row(row, taps.first, stride, &taps.remainders, parts);
            }
        }
    }

    /// The elements that `LANES` windows of the row of positions read, an element of each window at a time.
    #[inline(always)]
    pub fn tile(&self, tile: usize) -> impl Iterator<Item = &[T; LANES]> {
        let elements =
            self.elements.get(self.taps.first_start.0 + tile * LANES..).unwrap_or_default();
        self.taps.list.iter().map(|&(at, _)| {
            elements[at..].first_chunk().expect("elements for whole vectors of windows")
        })
    }

    /// Finds the position of the maximum of each window of a row of positions, which is loaded: the first of equal ones,
    /// or the first NaN if there is one.
    #[inline(always)]
    pub fn largest(&self, row: usize, at: &mut [usize]) {
        for (tile, at) in at.chunks_mut(LANES).enumerate() {
            let (mut largest, mut taps) = ([smallest::<T>(); LANES], [u32::MAX; LANES]);
            for (tap, elements) in self.tile(tile).enumerate() {
                for lane in 0..LANES {
                    let (x, best) = (elements[lane], largest[lane]);
                    let is_larger = is_larger(x, best);
                    largest[lane] = if is_larger { x } else { best };
                    taps[lane] = if is_larger { tap as u32 } else { taps[lane] };
                }
            }
            // Through memory, where windows are adjacent, so that vectors consist of neighbours.
            let taps = black_box(taps);
            for (lane, at) in at.iter_mut().enumerate() {
                let position = tile * LANES + lane;
                let element = self.taps.element(taps[lane], position);
                // Otherwise each element is -∞, or there is none.
                let element = element.or_else(|| self.taps.windows.first(row, position));
                *at = element.unwrap_or(NONE);
            }
        }
    }
}

/// Copies a row of an image to parts of elements that are `stride` apart: the first of each is that after element `first`
/// by its remainder.
fn split_row<T: Copy>(
    row: &[T],
    first: isize,
    stride: usize,
    remainders: &[usize],
    parts: &mut [T],
) {
    let part = parts.len() / remainders.len();
    // The first element of a part that is in the row, and its index in the part.
    let start = |remainder: usize| {
        let element = first + remainder as isize;
        let index = div_ceil((-element).max(0), stride as isize);
        ((element + index * stride as isize) as usize, index as usize)
    };
    let mut parts = parts.chunks_exact_mut(part).zip(remainders).map(|(part, &remainder)| {
        let (element, index) = start(remainder);
        (row.get(element..).unwrap_or_default(), part.get_mut(index..).unwrap_or_default())
    });
    if stride == 1
        && let Some((row, part)) = parts.next()
    {
        for (slot, &element) in part.iter_mut().zip(row) {
            *slot = element;
        }
        return;
    }
    if stride == 2
        && remainders.len() == 2
        && let (Some((row, a)), Some((next, b))) = (parts.next(), parts.next())
    {
        // The part whose first element is before that of the other.
        let (row, a, b) = if row.len() > next.len() { (row, a, b) } else { (next, b, a) };
        let pairs = row.as_chunks::<2>().0;
        for ((a, b), &[x, y]) in a.iter_mut().zip(&mut *b).zip(pairs) {
            (*a, *b) = (x, y);
        }
        let done = a.len().min(b.len()).min(pairs.len());
        for (part, element) in [(a, 2 * done), (b, 2 * done + 1)] {
            if let (Some(slot), Some(&element)) = (part.get_mut(done), row.get(element)) {
                *slot = element;
            }
        }
        return;
    }
    for (row, part) in parts {
        let count = part.len().min(row.len().div_ceil(stride));
        for (index, slot) in part[..count].iter_mut().enumerate() {
            *slot = row[index * stride];
        }
    }
}
