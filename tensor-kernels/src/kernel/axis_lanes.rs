//! The lanes of a tensor along one axis: `[..outer, n, ..inner]` has one lane of `n` elements for
//! each element of `[..outer, ..inner]`.

use smallvec::SmallVec;

use super::raw_view::RawView;
use crate::layout::num_elements;
use crate::plan::{Loop, Loops, row_major_strides};

/// Loops over the lanes along one axis, in memory order, with the indices of their
/// results in row-major order of the other axes.
pub(super) struct AxisLanes {
    /// The loop along one lane.
    pub along: Loop<1>,
    /// The number of lanes.
    pub count: usize,
    /// The innermost loop over lanes, one row of them: strides between first elements and between results.
    pub columns: Loop<2>,
    /// The loop over rows.
    rows: Loop<2>,
    /// The loops around both, if there are any.
    outer: Option<Loops<'static, 2>>,
}

impl AxisLanes {
    pub(super) fn of(view: &RawView<'_>, axis: usize) -> Self {
        match (view.sizes(), view.strides()) {
            // An axis in the middle of row-major order, which is the most common case.
            (&[outer, n, inner], &[next, step, 1]) if axis == 1 && step as usize == inner => {
                let rows = Loop { size: outer, strides: [next, inner as isize] };
                let once = Loop { size: 1, strides: [0; 2] };
                let columns = Loop { size: inner, strides: [1, 1] };
                let (rows, columns) = if inner == 1 { (once, rows) } else { (rows, columns) };
                let along = Loop { size: n, strides: [step] };
                let count = num_elements(&[outer, inner]);
                Self { along, count, columns, rows, outer: None }
            }
            _ => Self::of_any(view, axis),
        }
    }

    fn of_any(view: &RawView<'_>, axis: usize) -> Self {
        let (sizes, strides) = (view.sizes(), view.strides());
        let along = Loop { size: sizes[axis], strides: [strides[axis]] };
        let mut kept: SmallVec<[usize; 6]> = SmallVec::from_slice(sizes);
        kept.remove(axis);
        let mut results = row_major_strides(&kept);
        results.insert(axis, 0);
        let axes = view.in_memory_order(Some(axis));
        let sizes: SmallVec<[usize; 6]> = axes.iter().map(|&axis| sizes[axis]).collect();
        let from: SmallVec<[isize; 6]> = axes.iter().map(|&axis| strides[axis]).collect();
        let to: SmallVec<[isize; 6]> = axes.iter().map(|&axis| results[axis]).collect();
        let loops = Loops::from_strides(&sizes, [&from, &to], [0, 0]);
        let ([rows, columns], count) = (loops.block(), num_elements(&kept));
        Self { along, count, columns, rows, outer: Some(loops) }
    }

    /// Calls `row` for each row of lanes with the offset of its first element from the first element of the
    /// view, and with the index of its first result.
    pub(super) fn for_each_row(&self, row: &mut dyn FnMut(isize, isize)) {
        let mut block = |[start, result]: [isize; 2]| {
            for step in 0..self.rows.size as isize {
                row(start + step * self.rows.strides[0], result + step * self.rows.strides[1]);
            }
        };
        match &self.outer {
            Some(outer) => outer.for_each_block(block),
            None => block([0, 0]),
        }
    }
}
