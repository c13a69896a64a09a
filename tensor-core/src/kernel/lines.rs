//! The lines of a tensor along one axis: `[..outer, n, ..inner]` has one line of `n` elements for
//! each element of `[..outer, ..inner]`.

use smallvec::SmallVec;

use crate::plan::{Loop, Loops, row_major};
use crate::shape::Sizes;

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
    /// Over the first elements, and over the results.
    loops: Loops<'static, 2>,
}

impl Lines {
    pub(super) fn of<T>(source: Source<'_, T>, axis: usize) -> Self {
        let along = Loop { size: source.sizes[axis], strides: [source.strides[axis]] };
        let mut kept = Sizes::from_slice(source.sizes);
        kept.remove(axis);
        let mut places = row_major(&kept);
        places.insert(axis, 0);
        let axes = in_memory_order(source.strides, Some(axis));
        let sizes: Sizes = axes.iter().map(|&axis| source.sizes[axis]).collect();
        let from: SmallVec<[isize; 6]> = axes.iter().map(|&axis| source.strides[axis]).collect();
        let to: SmallVec<[isize; 6]> = axes.iter().map(|&axis| places[axis]).collect();
        let loops = Loops::of_strides(&sizes, [&from, &to], [source.offset, 0]);
        Self { along, count: kept.iter().product(), loops }
    }

    /// The innermost loop over lines: a row of them.
    pub(super) fn columns(&self) -> Loop<2> {
        self.loops.block()[1]
    }

    /// Calls `row` for each row of lines, with the place of its first element and of its first
    /// result.
    pub(super) fn for_each_row(&self, mut row: impl FnMut(isize, isize)) {
        let [rows, _] = self.loops.block();
        self.loops.for_each_block(|[start, result]| {
            for step in 0..rows.size as isize {
                row(start + step * rows.strides[0], result + step * rows.strides[1]);
            }
        });
    }
}
