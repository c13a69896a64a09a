//! The lines of a tensor along one axis: `[..outer, n, ..inner]` has one line of `n` elements for
//! each element of `[..outer, ..inner]`.

use smallvec::SmallVec;

use crate::array::plan::{Loop, Loops, row_major};

/// A tensor to read, without the type of its shape. Strides are in elements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a, T> {
    pub elements: &'a [T],
    pub offset: usize,
    pub sizes: &'a [usize],
    pub strides: &'a [isize],
}

/// The axes but `without`, in the order of the memory: at first those along which nothing moves,
/// then from the largest stride to the smallest.
pub(super) fn in_memory_order(strides: &[isize], without: Option<usize>) -> SmallVec<[usize; 6]> {
    let mut axes: SmallVec<[usize; 6]> =
        (0..strides.len()).filter(|&axis| Some(axis) != without).collect();
    axes.sort_by_key(|&axis| match strides[axis].unsigned_abs() {
        0 => 0,
        stride => usize::MAX - stride,
    });
    axes
}

/// Loops over the lines along one axis, in the order of the memory, with the places of their
/// results in row-major order of the other axes.
pub(super) struct Lines {
    /// Along one line.
    pub along: Loop<1>,
    /// How many lines there are.
    pub count: usize,
    /// The innermost loop over lines, a row of them: over the first elements and the results.
    pub columns: Loop<2>,
    /// The loop over rows.
    rows: Loop<2>,
    /// Where the first line starts.
    start: isize,
    /// The loops around both, where there are some.
    outer: Option<Loops<'static, 2>>,
}

impl Lines {
    pub(super) fn of<T>(source: Source<'_, T>, axis: usize) -> Self {
        match (source.sizes, source.strides) {
            // An axis in the middle of row-major order, as most are.
            (&[outer, n, inner], &[next, step, 1]) if axis == 1 && step as usize == inner => {
                let rows = Loop { size: outer, strides: [next, inner as isize] };
                let once = Loop { size: 1, strides: [0; 2] };
                let columns = Loop { size: inner, strides: [1, 1] };
                let (rows, columns) = if inner == 1 { (once, rows) } else { (rows, columns) };
                let along = Loop { size: n, strides: [step] };
                let (count, start) = (outer * inner, source.offset as isize);
                Self { along, count, columns, rows, start, outer: None }
            }
            _ => Self::of_any(source, axis),
        }
    }

    fn of_any<T>(source: Source<'_, T>, axis: usize) -> Self {
        let along = Loop { size: source.sizes[axis], strides: [source.strides[axis]] };
        let mut kept: SmallVec<[usize; 6]> = SmallVec::from_slice(source.sizes);
        kept.remove(axis);
        let mut places = row_major(&kept);
        places.insert(axis, 0);
        let axes = in_memory_order(source.strides, Some(axis));
        let sizes: SmallVec<[usize; 6]> = axes.iter().map(|&axis| source.sizes[axis]).collect();
        let from: SmallVec<[isize; 6]> = axes.iter().map(|&axis| source.strides[axis]).collect();
        let to: SmallVec<[isize; 6]> = axes.iter().map(|&axis| places[axis]).collect();
        let loops = Loops::of_strides(&sizes, [&from, &to], [source.offset, 0]);
        let ([rows, columns], count) = (loops.block(), kept.iter().product());
        Self { along, count, columns, rows, start: 0, outer: Some(loops) }
    }

    /// Calls `row` for each row of lines, with the place of its first element and of its first
    /// result.
    pub(super) fn for_each_row(&self, mut row: impl FnMut(isize, isize)) {
        let mut block = |[start, result]: [isize; 2]| {
            for step in 0..self.rows.size as isize {
                row(start + step * self.rows.strides[0], result + step * self.rows.strides[1]);
            }
        };
        match &self.outer {
            Some(outer) => outer.for_each_block(block),
            None => block([self.start, 0]),
        }
    }
}
