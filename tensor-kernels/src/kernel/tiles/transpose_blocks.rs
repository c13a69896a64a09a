//! Tiles for operands whose columns are contiguous.

use smallvec::SmallVec;

use super::BLOCK_SIDE;
use crate::plan::Loop;

/// Squares of the innermost loop and the loop `rows`.
pub(crate) struct TransposeBlocks<const N: usize> {
    start: [isize; N],
    columns: Loop<N>,
    rows: Loop<N>,
    /// The stride from one row of the results to the next.
    pub(crate) out_row_stride: usize,
    /// The other loops, with the stride of the results after those of the operands.
    outer: SmallVec<[(Loop<N>, usize); 8]>,
}

impl<const N: usize> TransposeBlocks<N> {
    pub(super) fn of(loops: &[Loop<N>], start: [isize; N], level: usize) -> Self {
        let mut step = 1;
        let mut out_row_stride = 0;
        let mut outer = SmallVec::new();
        for (index, dim) in loops.iter().enumerate() {
            if index == level {
                out_row_stride = step;
            } else if index > 0 {
                outer.push((*dim, step));
            }
            step *= dim.size;
        }
        let (columns, rows) = (loops[0], loops[level]);
        Self { start, columns, rows, out_row_stride, outer }
    }

    /// The strides of operand `k` from row to row and from column to column.
    pub(crate) fn strides(&self, k: usize) -> [isize; 2] {
        [self.rows.strides[k], self.columns.strides[k]]
    }

    /// Calls `block_view` for each square, with the positions of the operands, the position of the first
    /// result, and the numbers of rows and columns.
    pub(crate) fn for_each(&self, mut block_view: impl FnMut([isize; N], usize, [usize; 2])) {
        self.for_each_outer(&self.outer, self.start, 0, &mut |position, result| {
            for row in (0..self.rows.size).step_by(BLOCK_SIDE) {
                let rows = BLOCK_SIDE.min(self.rows.size - row);
                let position = self.rows.advance(row, position);
                for column in (0..self.columns.size).step_by(BLOCK_SIDE) {
                    let columns = BLOCK_SIDE.min(self.columns.size - column);
                    let result = result + row * self.out_row_stride + column;
                    block_view(self.columns.advance(column, position), result, [rows, columns]);
                }
            }
        });
    }

    #[inline(never)]
    fn for_each_outer(
        &self,
        outer: &[(Loop<N>, usize)],
        position: [isize; N],
        result: usize,
        block: &mut dyn FnMut([isize; N], usize),
    ) {
        let [inner @ .., (dim, step)] = outer else { return block(position, result) };
        for index in 0..dim.size {
            self.for_each_outer(inner, dim.advance(index, position), result + index * step, block);
        }
    }
}
