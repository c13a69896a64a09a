//! Packing for [`gemm`](super::gemm): blocks of the operands in the order in which the micro-kernel
//! reads them.

use core::mem::MaybeUninit;

use super::matrix::Matrix;
use super::microkernel::{LINE, Lanes, MR, Microkernels};
use super::microkernel_avx512::{Avx512Element, lanes_in};
use super::packed::Piece;
use crate::element::Number;

/// The number of inner steps that are summed in registers.
pub(super) const KC: usize = 512;

/// The number of rows of the right side that are packed at a time.
const ROWS: usize = 8;

/// Packs the right side in panels: `width` columns of an inner step, then those of the next step; the
/// last panel is padded with zeros, or with its last column.
///
/// # Safety
///
/// The instruction set is available.
pub(super) unsafe fn pack_b<T: Microkernels<I>, I>(
    [inner, columns, width]: [usize; 3],
    right: Matrix<'_, T>,
    slots: &mut [MaybeUninit<T>],
) {
    if right.column == 1 {
        // Some rows for all panels, so that they are read from front to back.
        for first in (0..inner).step_by(ROWS) {
            for (panel, slots) in slots.chunks_exact_mut(inner * width).enumerate() {
                let columns = panel * width..columns.min((panel + 1) * width);
                let rows = slots.chunks_exact_mut(width).enumerate().skip(first).take(ROWS);
                for (l, slots) in rows {
                    let row = right.in_row(l, columns.clone());
                    if !copy_of_length::<T, 16>(row, slots) && !copy_of_length::<T, 8>(row, slots) {
                        slots[..row.len()].write_copy_of_slice(row);
                    }
                }
            }
        }
    }
    for (panel, slots) in slots.chunks_exact_mut(inner * width).enumerate() {
        let right = right.from(0, panel * width);
        let filled = width.min(columns - panel * width);
        // The start of the padding.
        let mut padded = filled;
        if right.row == 1 && right.column != 1 {
            right.assert_holds(inner, filled);
            for (block, slots) in slots.chunks_mut(T::LANES * width).enumerate() {
                for j in (0..filled).step_by(T::LANES) {
                    let (columns, steps) = (T::LANES.min(filled - j), slots.len() / width);
                    let from = right.from(block * T::LANES, j);
                    let first = from.elements.as_ptr().wrapping_offset(from.start);
                    let to = slots[j..].as_mut_ptr();
                    // SAFETY: as the caller promises. The matrix holds these steps of these columns, as
                    // checked above. `width` is whole vectors, so that each of the rows, which are `width`
                    // slots apart, has room for a vector at `j`.
                    unsafe { T::transpose(first, right.column, [steps, columns], to, width) };
                }
            }
            padded = filled.next_multiple_of(T::LANES);
        } else if right.column != 1 {
            for j in 0..filled {
                for (l, slots) in slots.chunks_exact_mut(width).enumerate() {
                    slots[j].write(right.get(l, j));
                }
            }
        }
        if padded < width {
            for slots in slots.chunks_exact_mut(width) {
                slots[padded..].fill(MaybeUninit::new(T::ZERO));
            }
        }
    }
}

/// Copies a row if it has this length, which spares a call for each row; returns whether it has.
#[inline(always)]
fn copy_of_length<T: Copy, const N: usize>(row: &[T], slots: &mut [MaybeUninit<T>]) -> bool {
    match (row.as_chunks::<N>(), slots.as_chunks_mut::<N>()) {
        (([row], []), ([slots], [])) => {
            slots.write_copy_of_slice(row);
            true
        }
        _ => false,
    }
}

/// Some rows of the left side, packed.
pub(super) struct PackedA<'a, T> {
    matrix: Matrix<'a, T>,
    /// The stride from one tile of rows to the next, in elements.
    tile: usize,
}

impl<'a, T: Number> PackedA<'a, T> {
    /// Packs the rows in tiles of `height`. Inner steps become contiguous, or the rows of a tile if the
    /// row stride is 1.
    pub(super) fn pack(
        left: Matrix<'_, T>,
        [rows, height, inner]: [usize; 3],
        packed: &'a mut Vec<T>,
    ) -> Self {
        // Rows start in different sets of the cache.
        const ROW: usize = KC + 16;
        let tiles = rows.div_ceil(height);
        if left.row == 1 && height == MR {
            let tile = MR * inner + LINE / size_of::<T>();
            packed.resize(tiles * tile, T::ZERO);
            let whole = rows / MR * MR;
            for l in 0..inner {
                let step = left.from(0, l).transposed().in_row(0, 0..rows);
                let (step, rest) = step.split_at(whole);
                let (step, _) = step.as_chunks::<MR>();
                let mut tiles = packed.chunks_exact_mut(tile);
                for (rows, packed) in step.iter().zip(&mut tiles) {
                    packed[l * MR..][..MR].copy_from_slice(rows);
                }
                if let Some(packed) = tiles.next() {
                    packed[l * MR..][..rest.len()].copy_from_slice(rest);
                }
            }
            let matrix = Matrix { elements: &packed[..], start: 0, row: 1, column: MR as isize };
            return Self { matrix, tile };
        }
        packed.resize(tiles * height * ROW, T::ZERO);
        if left.column == 1 {
            for (row, packed) in packed.chunks_exact_mut(ROW).take(rows).enumerate() {
                packed[..inner].copy_from_slice(left.in_row(row, 0..inner));
            }
        } else {
            for l in 0..inner {
                for (row, packed) in packed.chunks_exact_mut(ROW).take(rows).enumerate() {
                    packed[l] = left.get(row, l);
                }
            }
        }
        let matrix = Matrix { elements: &packed[..], start: 0, row: ROW as isize, column: 1 };
        Self { matrix, tile: height * ROW }
    }

    /// The tile with this index.
    pub(super) fn tile(&self, tile: usize) -> Matrix<'a, T> {
        Matrix { start: (tile * self.tile) as isize, ..self.matrix }
    }
}

/// Packs rows that consist of the same pieces with different starts: each vector is merged from the
/// pieces that it covers. Copies of short pieces, one after the other, take four times as long.
///
/// # Panics
///
/// If a piece leads out of the elements or of a row, `width` is not whole vectors, or `slots` has not as
/// many elements as the rows.
///
/// # Safety
///
/// AVX-512 is available.
#[target_feature(enable = "avx512f")]
pub(super) unsafe fn pack_pieces<T: Avx512Element>(
    elements: &[T],
    starts: &[usize],
    pieces: &[Piece],
    width: usize,
    slots: &mut [T],
) {
    assert!(width.is_multiple_of(T::LANES) && Some(slots.len()) == starts.len().checked_mul(width));
    let Some(last) = starts.iter().max() else { return };
    for piece in pieces {
        let end = last.checked_add(piece.element).and_then(|end| end.checked_add(piece.len));
        assert!(end.is_some_and(|end| end <= elements.len()), "pieces of the elements");
        assert!(piece.column.checked_add(piece.len).is_some_and(|end| end <= width));
    }
    let mut first = 0;
    for column in (0..width).step_by(T::LANES) {
        // The pieces that the vector covers: the address of its first lane in each, and the lanes.
        let met: smallvec::SmallVec<[(*const T, Lanes); 8]> = pieces[first..]
            .iter()
            .take_while(|piece| piece.column < column + T::LANES)
            .map(|piece| {
                let (from, to) = (piece.column.max(column), piece.column + piece.len);
                let lanes = from - column..to.min(column + T::LANES).max(from) - column;
                let mask = lanes_in(lanes);
                let position = elements.as_ptr().wrapping_add(piece.element).wrapping_add(column);
                (position.wrapping_sub(piece.column), mask)
            })
            .filter(|&(_, mask)| mask != 0)
            .collect();
        while pieces.get(first).is_some_and(|piece| piece.column + piece.len <= column + T::LANES) {
            first += 1;
        }
        let to = slots.as_mut_ptr().wrapping_add(column);
        let [(one, one_mask), (two, two_mask), more @ ..] = &met[..] else {
            let &[(position, mask)] = &met[..] else {
                for l in 0..starts.len() {
                    slots[l * width + column..][..T::LANES].fill(T::ZERO);
                }
                continue;
            };
            for (l, &start) in starts.iter().enumerate() {
                // SAFETY: as below.
                unsafe {
                    let vector = T::load(position.wrapping_add(start), mask);
                    T::store_all(vector, to.add(l * width));
                }
            }
            continue;
        };
        for (l, &start) in starts.iter().enumerate() {
            // SAFETY: the lanes of each mask are within their piece, whose elements were checked above, for
            // every start; `to` is in row `l` of `slots`, which has room for whole vectors.
            unsafe {
                let mut vector = T::load(one.wrapping_add(start), *one_mask);
                vector = T::load_into(vector, two.wrapping_add(start), *two_mask);
                for &(position, mask) in more {
                    vector = T::load_into(vector, position.wrapping_add(start), mask);
                }
                T::store_all(vector, to.add(l * width));
            }
        }
    }
}
