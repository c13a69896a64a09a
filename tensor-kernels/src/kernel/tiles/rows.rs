//! Tiles of rows, in the memory order of the results.

use super::operand::RowWalk;
use super::{LINE, LONG};
use crate::kernel::pack::BUFFER;
use crate::plan::{Loop, Positions};

/// Tiles of consecutive rows. A row has all elements of the innermost loops, and some steps of the next
/// loop; the rows continue along it.
pub(crate) struct TiledRows<'a, const N: usize> {
    start: [isize; N],
    /// The loops that a row contains as a whole.
    inner: &'a [Loop<N>],
    /// The number of elements of these loops.
    block: usize,
    /// The loop of which a row contains some steps.
    next: Loop<N>,
    /// The number of these steps.
    unit: usize,
    /// The maximum number of rows of a tile.
    rows: usize,
    outer: &'a [Loop<N>],
}

impl<'a, const N: usize> TiledRows<'a, N> {
    pub(super) fn of(loops: &'a [Loop<N>], levels: usize, block: usize, start: [isize; N]) -> Self {
        let next = loops.get(levels).copied().unwrap_or(Loop::ONCE);
        let (inner, outer) = loops.split_at(levels);
        let outer = outer.get(1..).unwrap_or(&[]);
        let mut rows = Self { start, inner, block, next, unit: 1, rows: usize::MAX, outer };
        // Long rows of any number, unless an operand has to be gathered for each row; else short ones.
        rows.unit = unit(block, next.size);
        if rows.repacks_per_row() {
            if block >= LONG {
                rows.unit = 1;
            }
            if rows.repacks_per_row() {
                rows.rows = (BUFFER / rows.columns()).max(1);
            }
        }
        if next.strides.iter().any(|&stride| stride < 0) {
            rows.rows = 1;
        }
        rows
    }

    /// The number of elements of a row.
    fn columns(&self) -> usize {
        self.block * self.unit
    }

    /// Whether an operand is gathered, with different elements for each row.
    fn repacks_per_row(&self) -> bool {
        let mut gathers = false;
        for k in 0..N {
            let mut step = 1;
            let (mut is_broadcast, mut is_contiguous) = (true, true);
            let mut goes = |size: usize, stride: isize| {
                is_broadcast &= stride == 0;
                is_contiguous &= stride == step;
                step *= size as isize;
            };
            for dim in self.inner {
                goes(dim.size, dim.strides[k]);
            }
            let stride = self.next.strides[k];
            if self.unit > 1 {
                goes(self.unit, stride);
            }
            gathers |= !is_broadcast && stride != 0 && !is_contiguous;
        }
        gathers
    }

    /// Computes how operand `k` is traversed within a row.
    pub(crate) fn walk(&self, k: usize, walk: &mut RowWalk) {
        for dim in self.inner {
            walk.push(dim.size, dim.strides[k]);
        }
        if self.unit > 1 {
            walk.push(self.unit, self.next.strides[k]);
        }
        walk.row_step = self.next.strides[k] * self.unit as isize;
    }

    /// The tiles in row-major order.
    #[inline]
    pub(crate) fn tiles(&self) -> RowTiles<'_, N> {
        let positions = Positions::new(self.outer, self.start);
        RowTiles { rows: self, positions, row: 0 }
    }
}

/// An iterator over the tiles of rows; an iterator, so that their inner loops are called from the
/// driver.
pub(crate) struct RowTiles<'a, const N: usize> {
    rows: &'a TiledRows<'a, N>,
    positions: Positions<'a, N>,
    /// The next row.
    row: usize,
}

impl<const N: usize> RowTiles<'_, N> {
    /// The positions of the operands, and the numbers of rows and columns, of the next tile.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<([isize; N], [usize; 2])> {
        let all = self.rows;
        let (whole, rest) = (all.next.size / all.unit, all.next.size % all.unit);
        loop {
            let offsets = all.next.advance(self.row * all.unit, self.positions.offsets()?);
            if self.row < whole {
                let rows = all.rows.min(whole - self.row);
                self.row += rows;
                return Some((offsets, [rows, all.columns()]));
            }
            let is_rest = self.row == whole && rest > 0;
            if is_rest {
                self.row += 1;
                return Some((offsets, [1, all.block * rest]));
            }
            self.row = 0;
            self.positions.advance();
        }
    }
}

/// The number of the `size` steps, of `block` elements each, of a row that fits the buffer; at least one.
fn unit(block: usize, size: usize) -> usize {
    let unit = size.min(BUFFER / block).max(1);
    // A power of two, because it divides the cache line.
    let even = LINE >> block.trailing_zeros().min(LINE.ilog2());
    if unit < size && unit > 4 * even { unit / even * even } else { unit }
}
