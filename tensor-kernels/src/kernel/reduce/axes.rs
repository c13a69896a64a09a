//! Reductions along several axes that one stride does not cover: first along the longest of them, to
//! accumulators, which are combined along the others, starting with the outermost one.
//!
//! So the elements are read once, in the best order for one axis, and the number of accumulators is
//! smaller by the length of that axis.

use smallvec::SmallVec;

use super::loops::ReduceLoops;
use super::pairwise::FEW;
use super::{Accumulators, MIN_PARALLEL_RESULTS, ReduceKernel, reduce_axis};
use crate::kernel::erased::Results;
use crate::kernel::parallel::{for_each_part_weighted, is_parallel};
use crate::kernel::raw_view::RawView;
use crate::layout::num_elements;

/// The maximum size in bytes of the accumulators that exist at a time, if a block of results needs no more.
const ACCUMULATOR_BYTES: usize = 1 << 18;

/// The score of an axis is its number of rows, as neighbouring results always fill vectors. Contiguous
/// elements of one result do so only if they are many: a lane scores as much as this many times fewer rows.
const LINE: usize = 8;

/// The score of a lane of fewer than `SHORT` elements: there are loops for 2, 3 and 4 elements.
const SHORT_LINE: usize = 64;
const SHORT: usize = 5;

/// A block has at least this many results, so that their rows fill vectors.
const MIN_BLOCK: usize = 64;

/// Reduces the elements along the axes from `kept` on, two or more of them; the results are in
/// row-major order of the axes in front.
///
/// # Safety
///
/// The elements and the results have the types of the kernel.
///
/// # Panics
///
/// If there is another number of results.
pub(super) unsafe fn reduce_axes(
    kernel: &ReduceKernel,
    view: &RawView<'_>,
    kept: usize,
    divisor: usize,
    results: Results<'_>,
) {
    let (sizes, strides) = (view.sizes(), view.strides());
    assert_eq!(results.len(), num_elements(&sizes[..kept]), "one slot for each result");
    let score = |axis: usize| match (strides[axis], sizes[axis]) {
        (1, ..SHORT) => SHORT_LINE,
        (1, size) => size / LINE,
        (_, size) => size,
    };
    let longest = (kept..sizes.len()).max_by_key(|&axis| score(axis)).expect("axes to reduce");
    // The other reduced axes are ordered among the kept ones by memory.
    let mut order: SmallVec<[usize; 6]> = (0..kept).collect();
    for axis in (kept..sizes.len()).filter(|&axis| axis != longest) {
        let farther = |&other: &usize| strides[other].unsigned_abs() > strides[axis].unsigned_abs();
        let position = order.iter().rposition(farther).map_or(0, |position| position + 1);
        order.insert(position, axis);
    }
    let others = num_elements(&sizes[kept..]) / sizes[longest];
    let stages = Stages {
        along: ReduceKernel { finish: None, result: kernel.loops.accumulator, ..*kernel },
        kernel,
        divisor,
        is_kept: order.iter().map(|&axis| axis < kept).collect(),
        block: (ACCUMULATOR_BYTES / kernel.loops.accumulator / others).max(MIN_BLOCK),
    };
    order.push(longest);
    let view = view.permuted(&order);
    let bytes = view.element() * view.len();
    let (true, Some(cut)) = (is_parallel(bytes), stages.first_kept(&view)) else {
        // SAFETY: the types are those of the kernel, as the caller promises.
        return unsafe { stages.reduce_blocks(&view, results) };
    };
    let step = results.len() / view.sizes()[cut];
    let unit = step * MIN_PARALLEL_RESULTS.div_ceil(step);
    let size = results.size();
    for_each_part_weighted(results.into_bytes(), bytes, unit * size, |start, bytes| {
        let results = Results::new(bytes, size);
        let part = view.part(cut, start / size / step, results.len() / step);
        // SAFETY: the part has the same types.
        unsafe { stages.reduce_blocks(&part, results) };
    });
}

/// The first reduction, along the last axis of a view, and which of the other axes are kept afterwards.
struct Stages<'a> {
    /// The kernel, with accumulators for results.
    along: ReduceKernel,
    kernel: &'a ReduceKernel,
    divisor: usize,
    is_kept: SmallVec<[bool; 6]>,
    /// The number of results that are computed at a time.
    block: usize,
}

impl Stages<'_> {
    /// The first axis with several results.
    fn first_kept(&self, view: &RawView<'_>) -> Option<usize> {
        let sizes = view.sizes().iter();
        sizes.zip(&self.is_kept).position(|(&size, &is_kept)| is_kept && size > 1)
    }

    /// Writes the results, a block of them at a time.
    ///
    /// # Safety
    ///
    /// The view and the results are those of [`reduce_axes`], or a part of them.
    unsafe fn reduce_blocks(&self, view: &RawView<'_>, results: Results<'_>) {
        let cut = match self.first_kept(view) {
            Some(cut) if results.len() > self.block => cut,
            // SAFETY: the caller promises that the view and the results fit.
            _ => return unsafe { self.reduce_block(view, results) },
        };
        let size = results.size();
        let step = results.len() / view.sizes()[cut];
        let count = (self.block / step).max(1);
        let blocks = results.into_bytes().chunks_mut(count * step * size);
        for (index, bytes) in blocks.enumerate() {
            let results = Results::new(bytes, size);
            let part = view.part(cut, index * count, results.len() / step);
            // SAFETY: the part has the same types, and these are its results.
            unsafe { self.reduce_blocks(&part, results) };
        }
    }

    /// Writes the results of a block.
    ///
    /// # Safety
    ///
    /// The same.
    unsafe fn reduce_block(&self, view: &RawView<'_>, mut results: Results<'_>) {
        let loops = &self.kernel.loops;
        let along = self.is_kept.len();
        let mut sizes: SmallVec<[usize; 6]> = SmallVec::from_slice(&view.sizes()[..along]);
        let count = num_elements(&sizes);
        let mut memory = Accumulators::new(loops, count);
        let accumulators = memory.bytes_mut(count * loops.accumulator);
        // SAFETY: the elements are those of the loops, and the results are their accumulators, all of
        // which are written; they are then combined to one for each result.
        unsafe {
            let accumulators = Results::new(accumulators, loops.accumulator);
            reduce_axis(&self.along, view, along, self.divisor, accumulators);
            let accumulators = memory.as_mut_ptr();
            for axis in (0..along).filter(|&axis| !self.is_kept[axis]) {
                let (outer, inner) = sizes.split_at(axis);
                let around = [num_elements(outer), inner[0], num_elements(&inner[1..])];
                combine_axis(loops, accumulators, around);
                sizes[axis] = 1;
            }
            results.finish(self.kernel, (accumulators, results.len()), self.divisor, (0, 1));
        }
    }
}

/// Combines accumulators along an axis, `[outer, n, inner] → [outer, inner]`, in place; by recursive
/// halves, like sums.
///
/// # Safety
///
/// There is an accumulator of the loops for each index, and none of the sizes is 0.
unsafe fn combine_axis(loops: &ReduceLoops, accumulators: *mut u8, [outer, n, inner]: [usize; 3]) {
    let inner_bytes = inner * loops.accumulator;
    let few = n / 2 * inner < FEW;
    let combine = if few { loops.combine.baseline() } else { loops.combine.best() };
    for index in 0..outer {
        // SAFETY: these are the accumulators of this index of the outer axes: those from `rest` on are
        // combined with the same number before them. The rest is moved towards the front, to accumulators of
        // this index or of an earlier one.
        unsafe {
            let first = accumulators.add(index * n * inner_bytes);
            let mut left = n;
            while left > 1 {
                let rest = left.div_ceil(2);
                combine(loops, first, first.add(rest * inner_bytes), (left - rest) * inner);
                left = rest;
            }
            first.copy_to(accumulators.add(index * inner_bytes), inner_bytes);
        }
    }
}
