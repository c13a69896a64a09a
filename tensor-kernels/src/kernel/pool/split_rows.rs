//! The rows of an image, rearranged so that neighbouring windows read neighbouring elements.

use core::hint::black_box;
use core::mem::{replace, take};
use core::ops::Range;
use core::slice::{from_raw_parts, from_raw_parts_mut};

use super::windows::{LANES, Windows};
use crate::element::Number;
use crate::kernel::bits::with_bits;
use crate::sizes::windows::{WindowAxis, div_ceil};

/// The number of an element that no window has.
const NONE: u32 = u32::MAX;

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

/// Where windows have their elements in rows that are split into parts of elements that are the stride apart: those that
/// neighbouring windows read follow each other, and there are enough for whole vectors of windows, with padding.
pub(super) struct SplitRows<'a> {
    windows: &'a Windows<'a>,
    /// Whether the rows of the image are in this order already: the stride is 1, and there is no padding.
    is_image: bool,
    /// A part for each remainder by the stride of the elements that windows read, in the order of their first elements.
    parts: Vec<Part>,
    /// The number of elements of a split row.
    row: usize,
    /// For each element of a window along the last axis that some window reads, that which the window at position 0 reads.
    along: Vec<usize>,
    /// For each start of a row of the image, in the order of [`Windows::starts`], that of the split row.
    starts: Vec<usize>,
    /// Whether axes are exchanged: the last axis of the windows comes before the others in the order of elements.
    is_exchanged: bool,
    /// Of the selected row of positions: the start of the first split row, and those of all relative to it.
    first: usize,
    relative: Vec<usize>,
    /// For each element of a window of this row of positions, in their order, that of the window at position 0, relative to
    /// the first start.
    list: Vec<usize>,
}

/// A part of a split row: elements of a row of the image that are the stride apart.
#[derive(Clone, Copy)]
struct Part {
    /// The first of them that is in the row of the image.
    element: usize,
    /// Its index in the split row.
    slot: usize,
    /// The number of elements from there to the end of the part.
    room: usize,
}

impl<'a> SplitRows<'a> {
    pub fn new(windows: &'a Windows<'a>, is_exchanged: bool) -> Self {
        let WindowAxis { size, stride, positions, .. } = *windows.last;
        // Without elements, there are windows of padding alone.
        let size = size.max(1);
        let along = &windows.along;
        let is_image = stride == 1
            && positions >= LANES
            && along.iter().all(|(inside, _)| *inside == (0..positions));
        let at_0 = along
            .iter()
            .map(|(inside, element)| *element as isize - (inside.start * stride) as isize);
        let [first, last] = [at_0.clone().min(), at_0.clone().max()].map(Option::unwrap_or_default);
        let first = if is_image { 0 } else { first };
        let from_first = |element: isize| (element - first).unsigned_abs();
        let part = match is_image {
            true => size,
            false => from_first(last) / stride + positions.max(LANES),
        };
        let mut remainders: Vec<usize> =
            at_0.clone().map(|element| from_first(element) % stride).collect();
        remainders.sort_unstable();
        remainders.dedup();
        let number = |remainder| remainders.binary_search(&remainder).expect("a part for each");
        let split = |element| {
            let element = from_first(element);
            number(element % stride) * part + element / stride
        };
        let along = at_0.map(split).collect();
        let of_number = |(number, &remainder): (usize, &usize)| {
            let element = first + remainder as isize;
            let index = div_ceil((-element).max(0), stride as isize).unsigned_abs();
            Part {
                element: (element + (index * stride) as isize).unsigned_abs(),
                slot: number * part + index,
                room: part - index,
            }
        };
        let mut parts: Vec<_> = remainders.iter().enumerate().map(of_number).collect();
        parts.sort_unstable_by_key(|part| part.element);
        let row = parts.len() * part;
        Self {
            windows,
            is_image,
            parts,
            row,
            along,
            starts: windows.starts.iter().map(|start| start / size * row).collect(),
            is_exchanged,
            first: 0,
            relative: Vec::new(),
            list: Vec::new(),
        }
    }

    /// The number of rows of an image.
    fn rows(&self) -> usize {
        self.windows.image / self.windows.last.size.max(1)
    }

    /// Lists the elements of the windows of a row of positions.
    pub fn select(&mut self, row: usize) {
        let starts = &self.starts[self.windows.range(row)];
        if self.along.is_empty() || starts.is_empty() {
            return self.list.clear();
        }
        self.first = starts[0];
        let relative = || starts.iter().map(|start| start - self.first);
        if self.relative.iter().copied().eq(relative()) && !self.list.is_empty() {
            return;
        }
        self.relative.clear();
        self.relative.extend(relative());
        let (starts, along) = (self.relative.iter(), self.along.iter());
        self.list.clear();
        if self.is_exchanged {
            self.list.extend(along.flat_map(|at| starts.clone().map(move |start| start + at)));
        } else {
            self.list.extend(starts.flat_map(|start| along.clone().map(move |at| start + at)));
        }
    }

    /// The first of the windows of a row of positions that are computed together, and their number. The last ones may
    /// overlap those before: their vector is whole.
    #[inline(always)]
    pub fn tiles(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let positions = self.windows.last.positions;
        (0..positions).step_by(LANES).map(move |tile| {
            let start = tile.min(positions.saturating_sub(LANES));
            (start, LANES.min(positions))
        })
    }

    /// The elements that `LANES` windows of the selected row read from there on, an element of each window at a time.
    #[inline(always)]
    pub fn tile<'x, T>(
        &self,
        elements: &'x [T],
        start: usize,
    ) -> impl Iterator<Item = &'x [T; LANES]> {
        let elements = elements.get(self.first + start..).unwrap_or_default();
        self.list
            .iter()
            .map(|&at| elements[at..].first_chunk().expect("elements for whole vectors of windows"))
    }

    /// Finds the numbers of the maxima of the windows of the selected row in the list of their elements: the first of equal
    /// ones, or the first NaN if there is one.
    #[inline(always)]
    pub fn largest<T: Number>(&self, elements: &[T], all: &mut Maxima) {
        for (start, _) in self.tiles() {
            let (mut largest, mut taps) = ([smallest::<T>(); LANES], [NONE; LANES]);
            for (tap, elements) in self.tile(elements, start).enumerate() {
                for lane in 0..LANES {
                    let (x, best) = (elements[lane], largest[lane]);
                    let is_larger = is_larger(x, best);
                    largest[lane] = if is_larger { x } else { best };
                    taps[lane] = if is_larger { tap as u32 } else { taps[lane] };
                }
            }
            // Through memory, where windows are adjacent, so that vectors consist of neighbours.
            let mut taps = black_box(taps);
            if taps.iter().fold(false, |any, &tap| any | (tap == NONE)) {
                // Each element is -∞, or there is none.
                for (lane, tap) in taps.iter_mut().enumerate().filter(|(_, tap)| **tap == NONE) {
                    *tap = self.first_of(start + lane);
                }
            }
            all.0[start..][..LANES].copy_from_slice(&taps);
        }
    }

    /// The number of the first element of the window at a position of the selected row.
    #[cold]
    fn first_of(&self, position: usize) -> u32 {
        let is_inside = |(inside, _): &(Range<usize>, usize)| inside.contains(&position);
        match self.windows.along.iter().position(is_inside) {
            Some(tap) if !self.list.is_empty() => {
                (if self.is_exchanged { tap * self.relative.len() } else { tap }) as u32
            }
            _ => NONE,
        }
    }

    /// The element of the window at a position of the selected row that is its maximum, if it has one.
    #[inline(always)]
    pub fn element(&self, maxima: &Maxima, position: usize) -> Option<usize> {
        Some(self.first + position + self.list.get(maxima.0[position] as usize)?)
    }

    /// Adds a number for each window of the selected row to its maximum. An element of several windows gets those of
    /// earlier ones first.
    #[inline(always)]
    pub fn add<S: Number>(&self, sums: &mut [S], maxima: &Maxima, numbers: &[S]) {
        // With so many elements, a loop over them takes longer than one over the windows.
        if 2 * self.list.len() > LANES.min(numbers.len()) {
            for (position, &number) in numbers.iter().enumerate() {
                if let Some(at) = self.element(maxima, position) {
                    sums[at] = sums[at].add(number);
                }
            }
            return;
        }
        for (tap, &at) in self.list.iter().enumerate().rev() {
            let sums = sums[self.first + at..].iter_mut();
            for ((sum, &largest), &number) in sums.zip(&maxima.0).zip(numbers) {
                *sum = sum.add(if largest == tap as u32 { number } else { S::ZERO });
            }
        }
    }
}

/// For each window of a row, the number of its maximum in the list of its elements.
pub(super) struct Maxima(Vec<u32>);

impl Maxima {
    pub fn new(windows: &Windows<'_>) -> Self {
        Self(vec![NONE; windows.last.positions.max(LANES)])
    }
}

/// The split rows of an image.
pub(super) struct SplitImage<T> {
    elements: Vec<T>,
    /// For each row of the image, 1 plus the number of the image that it is loaded from.
    loaded: Vec<usize>,
}

impl<T: Number> SplitImage<T> {
    pub fn new(rows: &SplitRows<'_>, padding: T) -> Self {
        let count = if rows.is_image { 0 } else { rows.rows() };
        Self { elements: vec![padding; count * rows.row], loaded: vec![0; count] }
    }

    /// The elements that the windows of the selected row of positions read of an image with this number.
    pub fn load<'x>(
        &'x mut self,
        rows: &SplitRows<'_>,
        image: &'x [T],
        number: usize,
        row: usize,
    ) -> &'x [T] {
        if rows.is_image {
            return image;
        }
        if rows.list.is_empty() {
            return &[];
        }
        let size = rows.windows.last.size;
        let starts = &rows.starts[rows.windows.range(row)];
        for (&start, &of_image) in starts.iter().zip(rows.windows.starts(row)) {
            let loaded = &mut self.loaded[of_image / size];
            if replace(loaded, number + 1) != number + 1 {
                let parts = &mut self.elements[start..][..rows.row];
                with_bits!(size_of::<T>(), B => {
                    let row = &image[of_image..][..size];
                    // SAFETY: numbers have no padding, and their bits are moved unchanged; the integers have their size,
                    // and at most their alignment.
                    let (row, parts) = unsafe {
                        (
                            from_raw_parts(row.as_ptr().cast::<B>(), row.len()),
                            from_raw_parts_mut(parts.as_mut_ptr().cast::<B>(), parts.len()),
                        )
                    };
                    split_row(rows, row, parts);
                });
            }
        }
        &self.elements
    }

    /// Calls `write` with split rows of zeros, and copies them to the image, which is of zeros, too.
    #[inline(always)]
    pub fn write<'a>(
        &mut self,
        rows: &mut SplitRows<'a>,
        image: &mut [T],
        write: impl FnOnce(&mut SplitRows<'a>, &mut [T]),
    ) {
        self.elements.fill(T::ZERO);
        let is_image = rows.is_image;
        write(rows, if is_image { &mut *image } else { &mut self.elements });
        if is_image || rows.row == 0 {
            return;
        }
        let split = self.elements.chunks_exact(rows.row);
        for (row, parts) in image.chunks_exact_mut(rows.windows.last.size).zip(split) {
            join_row(rows, row, parts);
        }
    }
}

/// Copies a row of an image to the parts of a split row.
fn split_row<B: Copy>(rows: &SplitRows<'_>, row: &[B], split: &mut [B]) {
    let stride = rows.windows.last.stride;
    let done = match (stride, &rows.parts[..]) {
        // Narrower elements are rare.
        _ if size_of::<B>() < size_of::<u32>() => 0,
        (2, &[a, b]) => split_all([a, b], row, split),
        (3, &[a, b, c]) => split_all([a, b, c], row, split),
        _ => 0,
    };
    for &Part { element, slot, room } in &rows.parts {
        let slots = split[slot..][..room].iter_mut().skip(done);
        let row = row.get(element + done * stride..).unwrap_or_default();
        if stride == 1 {
            slots.zip(row).for_each(|(slot, &element)| *slot = element);
        } else {
            slots.zip(row.iter().step_by(stride)).for_each(|(slot, &element)| *slot = element);
        }
    }
}

/// Copies whole parts in one loop, which is vectorised, up to the last elements. Returns the number of elements of each.
fn split_all<B: Copy, const N: usize>(parts: [Part; N], row: &[B], split: &mut [B]) -> usize {
    let row = row.get(parts[0].element..).unwrap_or_default().as_chunks::<N>().0;
    let count = parts.iter().map(|part| part.room).fold(row.len(), usize::min);
    let ranges = parts.map(|part| part.slot..part.slot + count);
    let mut parts = split.get_disjoint_mut(ranges).expect("parts do not overlap");
    for part in &mut parts {
        *part = &mut take(part)[..count];
    }
    let row = &row[..count];
    for index in 0..count {
        for number in 0..N {
            parts[number][index] = row[index][number];
        }
    }
    count
}

/// Copies the parts of a split row back to the row.
fn join_row<B: Copy>(rows: &SplitRows<'_>, row: &mut [B], split: &[B]) {
    let stride = rows.windows.last.stride;
    let done = match (stride, &rows.parts[..]) {
        (2, &[a, b]) => join_all([a, b], row, split),
        (3, &[a, b, c]) => join_all([a, b, c], row, split),
        _ => 0,
    };
    for &Part { element, slot, room } in &rows.parts {
        let slots = split[slot..][..room].iter().skip(done);
        let row = row.get_mut(element + done * stride..).unwrap_or_default();
        if stride == 1 {
            row.iter_mut().zip(slots).for_each(|(element, &slot)| *element = slot);
        } else {
            let row = row.iter_mut().step_by(stride);
            row.zip(slots).for_each(|(element, &slot)| *element = slot);
        }
    }
}

/// [`split_all`] back.
fn join_all<B: Copy, const N: usize>(parts: [Part; N], row: &mut [B], split: &[B]) -> usize {
    let row = row.get_mut(parts[0].element..).unwrap_or_default().as_chunks_mut::<N>().0;
    let count = parts.iter().map(|part| part.room).fold(row.len(), usize::min);
    let mut slots = [split; N];
    for (slots, part) in slots.iter_mut().zip(parts) {
        *slots = &slots[part.slot..][..count];
    }
    let row = &mut row[..count];
    for index in 0..count {
        for number in 0..N {
            row[index][number] = slots[number][index];
        }
    }
    count
}
