//! Products whose right side is packed one block at a time, such as that of a convolution.

use core::mem::MaybeUninit;

use super::gemv::axpy_block;
use super::{GemmElement, Matrix, zeros};

/// Writes a block of the right side: the number of rows, starting at a first row; the columns; and the
/// stride between the rows that are written.
pub(in crate::kernel) type PackBlock<'a, A> = dyn Fn([usize; 2], [usize; 2], usize, &mut [A]) + 'a;

/// A piece of a packed row: its start in the row, its number of elements, and the start of the elements
/// in the source.
pub(in crate::kernel) struct Piece {
    pub column: usize,
    pub len: usize,
    pub element: usize,
}

/// The number of rows and of columns of the right side that are packed at a time.
const BLOCK_ROWS: usize = 512;
const BLOCK_COLUMNS: usize = 128;

/// The product by `matrixmultiply`, or by rows of the right side.
pub(super) fn gemm_packed<A: GemmElement>(
    [m, k, n]: [usize; 3],
    left: Matrix<'_, A>,
    pack: &PackBlock<'_, A>,
    room: &mut Vec<A>,
    results: &mut [MaybeUninit<A>],
) {
    assert!(k > 0 && Some(results.len()) == m.checked_mul(n));
    let results = zeros(results);
    for column in (0..n).step_by(BLOCK_COLUMNS) {
        let columns = BLOCK_COLUMNS.min(n - column);
        for l in (0..k).step_by(BLOCK_ROWS) {
            let inner = BLOCK_ROWS.min(k - l);
            room.resize(inner * columns, A::ZERO);
            pack([l, inner], [column, columns], columns, room);
            let (left, right) = (left.from(0, l), Matrix::row_major_strides(room, columns));
            let mkn = [m, inner, columns];
            if !A::gemm_add_matrixmultiply(mkn, left, right, results, [n, column]) {
                axpy_block(results, [n, column, columns], right, left, inner);
            }
        }
    }
}
