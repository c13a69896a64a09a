//! The plan of an element-wise operation: which loops to run and how far each operand moves.
//!
//! A plan is pure data. It starts from the sizes of the result and from the strides (in elements)
//! of every operand along every axis of the result, 0 where an operand is broadcast; it drops axes of
//! size 1 and merges neighbouring axes that every operand covers with one stride. `[256, 256, 3] ⊕ [3]`
//! becomes two loops, 65,536 by 3, and a sum of two equal shapes becomes one.
//!
//! For static shapes in row-major order the plan is a constant; otherwise the same functions
//! compute it when the operation runs.

mod materialize;

pub(crate) use materialize::{
    CountStride, MATERIALIZE_MAX, MaterializePlan, OperandSource, StridedWalk,
};

use crate::arrays;
use crate::sizes::Sizes;
use crate::sizes::count::{TOO_LARGE, checked_num_elements, num_elements};

/// The number of loops a [`Plan`] holds inline; after merging, there are rarely more than four.
const LOOPS: usize = 8;

/// One loop: its number of steps and the stride of each of the `N` operands, in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Loop<const N: usize> {
    pub size: usize,
    pub strides: [isize; N],
}

impl<const N: usize> Loop<N> {
    pub(crate) const ONCE: Self = Self { size: 1, strides: [0; N] };

    /// The positions of the operands after `steps` steps of this loop.
    #[inline(always)]
    pub(crate) fn advance(&self, steps: usize, offsets: [isize; N]) -> [isize; N] {
        arrays::from_fn(|k| offsets[k] + steps as isize * self.strides[k])
    }
}

/// Nested loops as a list, for splitting into parts.
#[derive(Clone, Debug)]
pub(crate) struct LoopNest<const N: usize> {
    /// The loops, innermost first.
    pub loops: smallvec::SmallVec<[Loop<N>; LOOPS]>,
    /// The start position of each operand.
    pub start: [isize; N],
}

/// The positions of the operands at every step of nested loops, of which the first is the innermost.
pub(crate) struct Positions<'a, const N: usize> {
    loops: &'a [Loop<N>],
    offsets: [isize; N],
    counters: smallvec::SmallVec<[usize; LOOPS]>,
    is_done: bool,
}

impl<'a, const N: usize> Positions<'a, N> {
    /// Starts at the first step. Each loop has at least one step.
    pub(crate) fn new(loops: &'a [Loop<N>], start: [isize; N]) -> Self {
        let counters = smallvec::smallvec![0; loops.len()];
        Self { loops, offsets: start, counters, is_done: false }
    }

    /// The positions at this step; `None` after the last step.
    #[inline]
    pub(crate) fn offsets(&self) -> Option<[isize; N]> {
        (!self.is_done).then_some(self.offsets)
    }

    /// Advances to the next step.
    pub(crate) fn advance(&mut self) {
        for (dim, counter) in self.loops.iter().zip(&mut self.counters) {
            self.offsets = dim.advance(1, self.offsets);
            *counter += 1;
            if *counter < dim.size {
                return;
            }
            for (at, stride) in self.offsets.iter_mut().zip(dim.strides) {
                *at -= stride * dim.size as isize;
            }
            *counter = 0;
        }
        self.is_done = true;
    }
}

/// Calls `block` for every step of nested loops, of which the first is the innermost, with the
/// positions of the operands.
pub(crate) fn for_each_index<const N: usize>(
    loops: &[Loop<N>],
    start: [isize; N],
    block: &mut impl FnMut([isize; N]),
) {
    let mut positions = Positions::new(loops, start);
    while let Some(offsets) = positions.offsets() {
        block(offsets);
        positions.advance();
    }
}

/// Nested loops over the result in row-major order, for `N` operands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan<const N: usize> {
    /// The innermost loop first; those from `depth` on have one step.
    loops: [Loop<N>; LOOPS],
    depth: usize,
    /// The number of elements that the loops cover.
    len: usize,
    /// The start position of each operand.
    offsets: [usize; N],
}

impl<const N: usize> Plan<N> {
    const EMPTY: Self = Self { loops: [Loop::ONCE; LOOPS], depth: 0, len: 1, offsets: [0; N] };

    /// The plan of an empty result, even if the product of its other sizes overflows.
    const WITHOUT_RESULTS: Self = Self {
        loops: {
            let mut loops = [Loop::ONCE; LOOPS];
            loops[0] = Loop { size: 0, strides: [1; N] };
            loops
        },
        depth: 1,
        len: 0,
        offsets: [0; N],
    };

    /// Adds a loop around the others; `false` if the plan is full.
    const fn push_outer(&mut self, outer: Loop<N>) -> bool {
        if outer.size == 1 {
            return true;
        }
        if self.depth > 0 && is_collapsible(&self.loops[self.depth - 1], &outer) {
            self.loops[self.depth - 1].size *= outer.size;
        } else if self.depth == LOOPS {
            return false;
        } else {
            self.loops[self.depth] = outer;
            self.depth += 1;
        }
        self.len *= outer.size;
        true
    }

    /// The plan for operands in row-major order, usable in constants; `None` for more than eight
    /// loops, which only a plan made at run time supports.
    ///
    /// Every operand has at most the rank of `result`, and its axes, aligned at the last one,
    /// have the size of the result or 1.
    pub(crate) const fn from_sizes(result: &[usize], operands: [&[usize]; N]) -> Option<Self> {
        match checked_num_elements(result) {
            Some(0) => return Some(Self::WITHOUT_RESULTS),
            Some(_) => {}
            None => panic!("{}", TOO_LARGE),
        }
        let mut plan = Self::EMPTY;
        let mut steps = [1; N];
        let mut from_the_end = 1;
        while from_the_end <= result.len() {
            let mut next = Loop { size: result[result.len() - from_the_end], strides: [0; N] };
            let mut k = 0;
            while k < N {
                let rank = operands[k].len();
                if from_the_end <= rank {
                    let size = operands[k][rank - from_the_end];
                    if size != 1 {
                        next.strides[k] = steps[k];
                    }
                    steps[k] *= size as isize;
                }
                k += 1;
            }
            if !plan.push_outer(next) {
                return None;
            }
            from_the_end += 1;
        }
        Some(plan)
    }

    /// Whether there is at most one loop, and all operands are contiguous along it.
    pub const fn is_contiguous(&self) -> bool {
        let mut k = 0;
        while k < N {
            if self.depth > 0 && self.loops[0].strides[k] != 1 {
                return false;
            }
            k += 1;
        }
        self.depth <= 1
    }

    /// The two innermost loops, the outer one first.
    pub(crate) fn block(&self) -> [Loop<N>; 2] {
        [self.loops[1], self.loops[0]]
    }

    /// How small operands are materialised.
    const fn materialize(&self) -> Option<MaterializePlan<N>> {
        MaterializePlan::of(self.loops.split_at(self.depth).0, self.len)
    }
}

/// The part of a plan known at compile time, for static shapes in row-major order.
pub struct StaticPlan<const N: usize> {
    /// The loops.
    pub loops: Plan<N>,
    materialize: Option<MaterializePlan<N>>,
}

impl<const N: usize> StaticPlan<N> {
    /// [`Plan::from_sizes`], and how small operands are materialised.
    pub const fn from_sizes(result: &[usize], operands: [&[usize]; N]) -> Option<Self> {
        match Plan::from_sizes(result, operands) {
            Some(loops) => Some(Self { materialize: loops.materialize(), loops }),
            None => None,
        }
    }
}

/// Whether `inner` and `outer` can be merged: every operand continues in `outer` where `inner` ends.
const fn is_collapsible<const N: usize>(inner: &Loop<N>, outer: &Loop<N>) -> bool {
    let mut k = 0;
    while k < N {
        if outer.strides[k] != inner.strides[k] * inner.size as isize {
            return false;
        }
        k += 1;
    }
    true
}

/// A plan of any depth: outer loops around a [`Plan`].
///
/// `outer` is empty unless more than eight loops remain after merging.
#[derive(Clone, Debug)]
pub(crate) struct Loops<'a, const N: usize> {
    outer: Vec<Loop<N>>,
    inner: std::borrow::Cow<'a, Plan<N>>,
    /// How small operands are materialised, if it was computed at compile time.
    materialize: Option<&'a Option<MaterializePlan<N>>>,
}

impl<'a, const N: usize> Loops<'a, N> {
    /// The loops of a constant plan.
    pub(crate) fn constant(plan: &'a StaticPlan<N>) -> Self {
        let inner = std::borrow::Cow::Borrowed(&plan.loops);
        Self { outer: Vec::new(), inner, materialize: Some(&plan.materialize) }
    }

    /// The plan for operands with any strides: `strides[k][axis]` for operand `k` along the axes
    /// of the result, 0 where it is broadcast, and `offsets[k]` for its start.
    ///
    /// # Panics
    ///
    /// If the sizes have more elements than memory holds.
    pub(crate) fn from_strides(
        result: &[usize],
        strides: [&[isize]; N],
        offsets: [usize; N],
    ) -> Self {
        if num_elements(result) == 0 {
            let plan = std::borrow::Cow::Owned(Plan::WITHOUT_RESULTS);
            return Self { outer: Vec::new(), inner: plan, materialize: None };
        }
        let mut plan = Plan { offsets, ..Plan::EMPTY };
        let mut outer = Vec::new();
        for axis in (0..result.len()).rev() {
            let next = Loop { size: result[axis], strides: arrays::from_fn(|k| strides[k][axis]) };
            let is_outer = !outer.is_empty() || !plan.push_outer(next);
            if is_outer && next.size > 1 {
                outer.push(next);
            }
        }
        outer.reverse();
        Self { outer, inner: std::borrow::Cow::Owned(plan), materialize: None }
    }

    /// A plan of one loop, which starts at the first element of every operand.
    pub(crate) fn of_single(row: Loop<N>) -> Self {
        let mut plan = Plan { len: row.size, ..Plan::EMPTY };
        if row.size != 1 {
            plan.loops[0] = row;
            plan.depth = 1;
        }
        Self { outer: Vec::new(), inner: std::borrow::Cow::Owned(plan), materialize: None }
    }

    /// The two innermost loops, the outer one first.
    pub(crate) fn block(&self) -> [Loop<N>; 2] {
        self.inner.block()
    }

    /// The inner plan, if there are no loops around it.
    #[cfg(test)]
    pub(crate) fn plan(&self) -> Option<&Plan<N>> {
        self.outer.is_empty().then_some(&*self.inner)
    }

    /// The number of elements that the loops cover.
    pub(crate) fn len(&self) -> usize {
        self.outer.iter().fold(self.inner.len, |len, dim| len * dim.size)
    }

    /// The start positions and the loop of a plan that has a single loop.
    #[inline]
    pub(crate) fn single(&self) -> Option<([usize; N], Loop<N>)> {
        let row = match self.inner.depth {
            0 => Loop { size: 1, strides: [1; N] },
            1 => self.inner.loops[0],
            _ => return None,
        };
        self.outer.is_empty().then_some((self.inner.offsets, row))
    }

    /// How small operands are materialised, computed now if it is not known yet.
    pub(crate) fn materialize<'b>(
        &'b self,
        found: &'b mut Option<MaterializePlan<N>>,
    ) -> Option<&'b MaterializePlan<N>> {
        match self.materialize {
            Some(known) => known.as_ref(),
            None if self.outer.is_empty() => {
                *found = self.inner.materialize();
                found.as_ref()
            }
            None => None,
        }
    }

    /// The plan of a list of loops.
    pub(crate) fn from_nest(nest: &LoopNest<N>) -> Self {
        let offsets = arrays::from_fn(|k| nest.start[k] as usize);
        let mut plan = Plan { offsets, ..Plan::EMPTY };
        let (inner, outer) = nest.loops.split_at(nest.loops.len().min(LOOPS));
        plan.loops[..inner.len()].copy_from_slice(inner);
        plan.depth = inner.len();
        plan.len = inner.iter().map(|dim| dim.size).product();
        let outer = outer.iter().rev().copied().collect();
        Self { outer, inner: std::borrow::Cow::Owned(plan), materialize: None }
    }

    /// The start position of each operand.
    pub(crate) fn start(&self) -> [isize; N] {
        arrays::from_fn(|k| self.inner.offsets[k] as isize)
    }

    /// All loops, the innermost first; `None` if there are more than a plan holds.
    pub(crate) fn as_slice(&self) -> Option<&[Loop<N>]> {
        self.outer.is_empty().then(|| &self.inner.loops[..self.inner.depth])
    }

    /// The loops as a list.
    pub(crate) fn nest(&self) -> LoopNest<N> {
        let inner = &self.inner.loops[..self.inner.depth];
        let loops = inner.iter().chain(self.outer.iter().rev()).copied().collect();
        LoopNest { loops, start: self.start() }
    }

    /// Runs `block` for every step of the loops outside the two innermost ones, in row-major
    /// order, with the position of every operand in elements.
    pub(crate) fn for_each_block(&self, mut block: impl FnMut([isize; N])) {
        let LoopNest { loops, start } = self.nest();
        for_each_index(loops.get(2..).unwrap_or(&[]), start, &mut block);
    }
}

/// The strides of a tensor in row-major order, in elements.
pub fn row_major_strides(sizes: &[usize]) -> smallvec::SmallVec<[isize; 6]> {
    let mut strides = smallvec::SmallVec::from_elem(0, sizes.len());
    let mut step = 1;
    for (stride, &size) in strides.iter_mut().zip(sizes).rev() {
        *stride = step;
        // Only broadcast tensors have strides that overflow, and no layout equals those.
        step = isize::saturating_mul(step, size.max(1) as isize);
    }
    strides
}

/// The strides of an operand along the axes of a result of `rank` axes: 0 where it lacks the axis
/// or has size 1 there.
pub fn broadcast_strides(
    sizes: &[usize],
    strides: &[isize],
    rank: usize,
) -> smallvec::SmallVec<[isize; 6]> {
    let mut along = smallvec::SmallVec::from_elem(0, rank);
    let missing = rank - sizes.len();
    for (axis, (&size, &stride)) in sizes.iter().zip(strides).enumerate() {
        if size != 1 {
            along[missing + axis] = stride;
        }
    }
    along
}

/// The sizes of the broadcast of two lists of sizes, for shapes known only at run time.
///
/// # Errors
///
/// When two sizes differ and neither is 1: the two sizes and the axis of the result.
pub fn broadcast_sizes(
    left: &[usize],
    right: &[usize],
) -> Result<Sizes, crate::sizes::error::ShapeError> {
    let rank = left.len().max(right.len());
    let size = |sizes: &[usize], axis: usize| {
        (axis + sizes.len()).checked_sub(rank).map_or(1, |axis| sizes[axis])
    };
    // Errors are reported from the last axis on, because shapes are aligned there.
    let mut sizes = Sizes::from_elem(1, rank);
    for axis in (0..rank).rev() {
        sizes[axis] = match (size(left, axis), size(right, axis)) {
            (a, b) if a == b => a,
            (1, b) => b,
            (a, 1) => a,
            (left, right) => {
                return Err(crate::sizes::error::ShapeError::Sizes {
                    left,
                    right,
                    axis,
                    name: None,
                });
            }
        };
    }
    Ok(sizes)
}
