//! The windows of an image as the columns of a matrix, `[channels · taps, positions]`, one block at a time.
//!
//! A row is one element of all windows. Positions that are neighbours along the last axis have neighbouring
//! elements, so that a row consists of pieces of the image; the pieces are the same for every row, except
//! for their start.

use core::mem::MaybeUninit;

use super::image::Geometry;
use super::{GemmElement, Matrix, Piece};

/// All windows of an image.
pub(super) struct Columns<'a, A> {
    pub elements: &'a [A],
    pub geometry: &'a Geometry,
}

impl<A: GemmElement> Columns<'_, A> {
    /// Writes `results[i, j] = Σ left[i, l] windows[l, j]`, in row-major order.
    ///
    /// # Panics
    ///
    /// If `left` lacks rows or columns, `results` has another length, or there is nothing to sum.
    pub(super) fn multiply(
        &self,
        mkn: [usize; 3],
        left: Matrix<'_, A>,
        room: &mut Vec<A>,
        results: &mut [MaybeUninit<A>],
    ) {
        let pack =
            |[l, inner]: [usize; 2], [column, columns]: [usize; 2], stride, block: &mut [A]| {
                self.pack([l, inner], [column, columns], stride, block);
            };
        A::gemm_packed(mkn, left, &pack, room, results);
    }

    /// Writes some rows and columns of the windows to a block whose rows are `stride` apart; the slots of a
    /// row after its columns may change.
    fn pack(
        &self,
        [l, inner]: [usize; 2],
        [column, columns]: [usize; 2],
        stride: usize,
        block: &mut [A],
    ) {
        let pieces = self.pieces(column, columns);
        let taps = &self.geometry.taps[l..l + inner];
        // Whole vectors of a panel; the last one may have fewer columns.
        if A::pack_pieces_avx512(self.elements, taps, &pieces, stride, block) {
            return;
        }
        for (&tap, block) in taps.iter().zip(block.chunks_mut(stride)) {
            for piece in &pieces {
                let elements = &self.elements[tap + piece.element..][..piece.len];
                block[piece.column..][..piece.len].copy_from_slice(elements);
            }
        }
    }

    /// The pieces of a row: ranges of neighbouring positions.
    pub(super) fn pieces(&self, column: usize, columns: usize) -> Vec<Piece> {
        let row = self.geometry.row;
        let mut pieces: Vec<Piece> = Vec::new();
        let mut position = column;
        while position < column + columns {
            let len = (row - position % row).min(column + columns - position);
            let element = self.geometry.positions[position];
            match pieces.last_mut() {
                Some(piece) if piece.element + piece.len == element => piece.len += len,
                _ => pieces.push(Piece { column: position - column, len, element }),
            }
            position += len;
        }
        pieces
    }
}
