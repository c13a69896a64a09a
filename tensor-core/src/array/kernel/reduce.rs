//! Reducing a tensor of any layout, to one result or along one axis, without copying it.
//!
//! The loops go through the elements in the order of the memory, not of the axes, so that a
//! transposed tensor is as good as another. Three ways lead along an axis:
//!
//! 1. The elements of one result lie next to each other: a [slice](super::lanes) for each.
//! 2. The results of neighbouring elements do: [rows](super::columns) are joined into one.
//! 3. Otherwise the elements of one result are gathered into a small buffer.

use core::mem::MaybeUninit;

use smallvec::SmallVec;

use super::columns::{Rows, reduce_columns, reduce_narrow_columns, scratch_rows};
use super::lanes::{All, BLOCK, Known, Pairwise, Reduction, reduce_slice};
use super::lines::{Lines, Source, in_memory_order};
use super::parallel::{for_each_part_by_bytes, is_shared};
use super::simd_dispatch::in_vectors;
use crate::array::plan::{Loop, Loops};

/// How many elements way 3 gathers at a time.
const BUFFER: usize = 256;

/// How many columns way 2 takes at a time: their partial results stay in the cache.
pub(super) const WIDTH: usize = 1024;

/// Reduces all elements to one result.
pub(crate) fn reduce_all<T: Copy + Sync, R: Reduction<T>>(
    source: Source<'_, T>,
    reduction: R,
    about: R::About,
) -> R::Result {
    if source.sizes.contains(&0) {
        return of_nothing(reduction, about);
    }
    let axes = in_memory_order(source.strides, None);
    let sizes: SmallVec<[usize; 6]> = axes.iter().map(|&axis| source.sizes[axis]).collect();
    let strides: SmallVec<[isize; 6]> = axes.iter().map(|&axis| source.strides[axis]).collect();
    let loops = Loops::of_strides(&sizes, [&strides], [source.offset]);
    let [rows, columns] = loops.block();
    let mut all = Pairwise::new();
    let in_rows = columns.strides[0] == 1 && columns.size >= BUFFER / 8;
    let mut buffer = Buffer::new(source.elements[source.offset]);
    loops.for_each_block(|[start]| {
        for row in 0..rows.size as isize {
            let start = start + row * rows.strides[0];
            if in_rows {
                let row = &source.elements[start as usize..][..columns.size];
                all.push(reduction, reduce_slice(reduction, row, All(about)));
            } else {
                buffer.gather(source.elements, start, columns, |elements| {
                    all.push(reduction, reduce_slice(reduction, elements, All(about)));
                });
            }
        }
    });
    if let Some(rest) = buffer.rest() {
        all.push(reduction, reduce_slice(reduction, rest, All(about)));
    }
    reduction.finish(all.finish(reduction).expect("some element"), about)
}

/// The result of no element.
fn of_nothing<T, R: Reduction<T>>(reduction: R, about: R::About) -> R::Result {
    let partial = reduction.empty().expect("the operation refuses to reduce nothing");
    reduction.finish(partial, about)
}

/// Elements that do not lie next to each other, for reducing them together.
struct Buffer<T> {
    elements: [T; BUFFER],
    len: usize,
}

impl<T: Copy> Buffer<T> {
    fn new(any: T) -> Self {
        Self { elements: [any; BUFFER], len: 0 }
    }

    /// The elements that did not fill the buffer, if there are any.
    fn rest(&mut self) -> Option<&[T]> {
        let len = core::mem::take(&mut self.len);
        (len > 0).then(|| &self.elements[..len])
    }

    /// Adds the elements of a loop, and hands the buffer over whenever it is full.
    fn gather(&mut self, elements: &[T], start: isize, steps: Loop<1>, mut full: impl FnMut(&[T])) {
        let mut done = 0;
        while done < steps.size {
            let room = (BUFFER - self.len).min(steps.size - done);
            let start = start + done as isize * steps.strides[0];
            for (step, slot) in self.elements[self.len..][..room].iter_mut().enumerate() {
                *slot = elements[(start + step as isize * steps.strides[0]) as usize];
            }
            self.len += room;
            done += room;
            if self.len == BUFFER {
                full(&self.elements);
                self.len = 0;
            }
        }
    }
}

/// Fewer results next to each other are not shared among threads: their sums would be taken in
/// another order.
const TOGETHER: usize = 64;

/// Reduces the elements along `axis`; the results are in row-major order of the other axes, and
/// `about` has something to say about each of them.
///
/// # Panics
///
/// When `results` has another length, or when a stride leads out of the elements.
pub(crate) fn reduce_axis<T: Copy + Sync, R: Reduction<T>>(
    source: Source<'_, T>,
    axis: usize,
    reduction: R,
    about: impl Known<R::About>,
    results: &mut [MaybeUninit<R::Result>],
) {
    let bytes = size_of::<T>() * source.sizes.iter().product::<usize>();
    // Parts of the first axis that is kept have results that lie in one piece.
    let kept = (0..source.sizes.len()).find(|&kept| kept != axis && source.sizes[kept] > 1);
    let (true, Some(cut)) = (is_shared(bytes), kept) else {
        return reduce_lines(source, axis, reduction, about, results);
    };
    let step = results.len() / source.sizes[cut];
    let unit = if axis < cut { step * TOGETHER.div_ceil(step) } else { step };
    for_each_part_by_bytes(results, bytes, unit, |start, results| {
        let mut sizes: SmallVec<[usize; 6]> = SmallVec::from_slice(source.sizes);
        sizes[cut] = results.len() / step;
        let moved = (start / step) as isize * source.strides[cut];
        let offset = (source.offset as isize + moved) as usize;
        let source = Source { offset, sizes: &sizes, ..source };
        let about = about.within(start..start + results.len());
        reduce_lines(source, axis, reduction, about, results);
    });
}

/// [`reduce_axis`] on one thread.
fn reduce_lines<T: Copy + Sync, R: Reduction<T>>(
    source: Source<'_, T>,
    axis: usize,
    reduction: R,
    about: impl Known<R::About>,
    results: &mut [MaybeUninit<R::Result>],
) {
    let lines = Lines::of(source, axis);
    assert_eq!(results.len(), lines.count, "one slot for each result");
    if results.is_empty() {
        return;
    }
    let along = lines.along;
    if along.size == 0 {
        for (index, result) in results.iter_mut().enumerate() {
            result.write(of_nothing(reduction, about.one(index)));
        }
        return;
    }
    let columns = lines.columns;
    let mut way = Way { reduction, elements: source.elements, along, columns, about, results };
    let any = source.elements[source.offset];
    if along.strides[0] == 1 {
        lines.for_each_row(|start, result| way.slices(start, result));
    } else if columns.strides[0] == 1 {
        let width = WIDTH.min(columns.size);
        let rows = 1 + scratch_rows::<T, R>(along.size);
        let mut memory: SmallVec<[R::Partial; 64]> =
            SmallVec::from_elem(reduction.of_slice(&[any], about.within(0..1)), width * rows);
        lines.for_each_row(|start, result| way.rows(start, result, &mut memory));
    } else {
        let mut buffer = Buffer::new(any);
        lines.for_each_row(|start, result| way.gathered(start, result, &mut buffer));
    }
}

/// The three ways along an axis. Each writes the results of one row of lines, whose first elements
/// are from `start` on, and whose results from `result` on.
struct Way<'a, T, R: Reduction<T>, K> {
    reduction: R,
    elements: &'a [T],
    along: Loop<1>,
    columns: Loop<2>,
    about: K,
    results: &'a mut [MaybeUninit<R::Result>],
}

impl<T: Copy + Sync, R: Reduction<T>, K: Known<R::About>> Way<'_, T, R, K> {
    #[inline(always)]
    fn write(&mut self, result: isize, partial: R::Partial) {
        let about = self.about.one(result as usize);
        self.results[result as usize].write(self.reduction.finish(partial, about));
    }

    fn slices(&mut self, start: isize, result: isize) {
        if self.along.size > BLOCK {
            for (start, result) in self.lines(start, result) {
                let elements = &self.elements[start..start + self.along.size];
                let about = All(self.about.one(result as usize));
                self.write(result, reduce_slice(self.reduction, elements, about));
            }
            return;
        }
        in_vectors(
            #[inline(always)]
            |instructions| {
                let reduction = self.reduction.with(instructions);
                let [stride, step] = self.columns.strides;
                if stride == self.along.size as isize && step == 1 {
                    match self.along.size {
                        2 => return self.short_slices::<2>(reduction, start, result),
                        3 => return self.short_slices::<3>(reduction, start, result),
                        4 => return self.short_slices::<4>(reduction, start, result),
                        _ => {}
                    }
                }
                for (start, result) in self.lines(start, result) {
                    let elements = &self.elements[start..start + self.along.size];
                    let about = All(self.about.one(result as usize));
                    self.write(result, reduction.of_slice(elements, about));
                }
            },
        );
    }

    /// Where the lines of a row start, and where their results are.
    #[inline(always)]
    fn lines(
        &self,
        start: isize,
        result: isize,
    ) -> impl Iterator<Item = (usize, isize)> + use<T, R, K> {
        let [stride, step] = self.columns.strides;
        (0..self.columns.size as isize)
            .map(move |column| ((start + column * stride) as usize, result + column * step))
    }

    /// [`slices`](Way::slices) of `N` elements, one after the other.
    #[inline(always)]
    fn short_slices<const N: usize>(&mut self, reduction: R, start: isize, result: isize) {
        let (start, result, count) = (start as usize, result as usize, self.columns.size);
        let (slices, _) = self.elements[start..start + count * N].as_chunks::<N>();
        let results = &mut self.results[result..result + count];
        for (column, (slice, slot)) in slices.iter().zip(results).enumerate() {
            let about = self.about.one(result + column);
            let partial = reduction.of_slice(slice, All(about));
            slot.write(self.reduction.finish(partial, about));
        }
    }

    fn rows(&mut self, start: isize, result: isize, memory: &mut [R::Partial]) {
        let Way { reduction, elements, along, columns, about, .. } = *self;
        let step = columns.strides[1];
        let width = WIDTH.min(columns.size);
        for column in (0..columns.size).step_by(width) {
            let (partials, scratch) = memory.split_at_mut(width);
            let partials = &mut partials[..width.min(columns.size - column)];
            let start = start + column as isize;
            let result = result + column as isize * step;
            let rows = Rows { elements, start, stride: along.strides[0], count: along.size };
            if step == 1 {
                let first = result as usize;
                let about = about.within(first..first + partials.len());
                reduce_rows(reduction, rows, about, partials, scratch);
            } else {
                let results = (0..partials.len() as isize).map(|column| result + column * step);
                let about: Vec<R::About> =
                    results.map(|result| about.one(result as usize)).collect();
                reduce_rows(reduction, rows, &about[..], partials, scratch);
            }
            for (column, &partial) in partials.iter().enumerate() {
                self.write(result + column as isize * step, partial);
            }
        }
    }

    fn gathered(&mut self, start: isize, result: isize, buffer: &mut Buffer<T>) {
        let reduction = self.reduction;
        for column in 0..self.columns.size as isize {
            let start = start + column * self.columns.strides[0];
            let result = result + column * self.columns.strides[1];
            let about = All(self.about.one(result as usize));
            let mut all = Pairwise::new();
            buffer.gather(self.elements, start, self.along, |elements| {
                all.push(reduction, reduce_slice(reduction, elements, about));
            });
            if let Some(rest) = buffer.rest() {
                all.push(reduction, reduce_slice(reduction, rest, about));
            }
            self.write(result, all.finish(reduction).expect("some element"));
        }
    }
}

fn reduce_rows<T: Copy + Sync, R: Reduction<T>>(
    reduction: R,
    rows: Rows<'_, T>,
    about: impl Known<R::About>,
    partials: &mut [R::Partial],
    scratch: &mut [R::Partial],
) {
    if !reduce_narrow_columns(reduction, rows, about, partials) {
        reduce_columns(reduction, rows, about, partials, scratch);
    }
}

#[cfg(test)]
mod tests;
