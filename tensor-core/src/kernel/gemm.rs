//! The product of two matrices of floats by vectors of 512 bits.
//!
//! ```text
//! blocks of 256 inner steps      what they sum up to is added to the results, block after block
//!   blocks of columns            where the right side is large, it is packed: this much of it
//!                                stays in the second cache
//!     6 rows                     the left side as it lies: this much of it stays in the first cache
//!       4 vectors of columns     a tile: its 24 vectors of sums stay in registers
//! ```
//!
//! Every element of the result is summed in one order, which depends on the number of inner steps
//! alone: parts of the rows and columns have the same bits as the whole, so that threads can share
//! them in any way.
//!
//! Benchmark `products` has what this is for: `matrixmultiply` takes twice as long, and three times
//! as long for 64 by 64 by 64. The crates that are as fast take as long to compile as all of ours.

use core::mem::MaybeUninit;

use super::product::Matrix;
use crate::storage::Storage;

mod avx512;

pub(super) use avx512::{Lanes, is_available};
use avx512::{ROWS, Tile, VECTORS};

/// How many inner steps are summed up in registers.
const INNER: usize = 256;
/// How many tiles of columns are packed at a time, half a MiB.
const TILES: usize = 8;
/// How many tiles of rows are gathered at a time, from a left side with other columns.
const GATHERED: usize = 8;
/// Right sides of as many bytes are packed.
const LARGE: usize = 128 << 10;
/// Rows that lie so many bytes apart push each other out of the cache.
const PAGE: usize = 4 << 10;

/// Writes `results[i, j] = Σ left[i, l] right[l, j]`, in row-major order.
///
/// # Panics
///
/// When a stride leads out of the elements, `results` has another length, there is nothing to sum,
/// or the machine is without AVX-512.
pub(super) fn multiply<T: Lanes>(
    [m, k, n]: [usize; 3],
    left: Matrix<'_, T>,
    right: Matrix<'_, T>,
    results: &mut [MaybeUninit<T>],
) {
    assert!(is_available() && k > 0 && results.len() == m * n);
    left.assert_holds(m, k);
    right.assert_holds(k, n);
    let right = if n == 1 { Matrix { column: 1, ..right } } else { right };
    let inner = k.div_ceil(k.div_ceil(INNER));
    let packs = right.column != 1 || m > 2 * ROWS && is_large(k, n, right);
    let width = VECTORS * T::LANES;
    let columns = if packs { n.min(TILES * width) } else { n };
    for l in (0..k).step_by(inner) {
        let inner = inner.min(k - l);
        for j in (0..n).step_by(columns) {
            let columns = columns.min(n - j);
            let (left, right) = (left.from(0, l), right.from(l, j));
            let block = Block { sizes: [m, inner, columns], left, n, adds: l > 0 };
            let results = results[j..].as_mut_ptr().cast();
            if packs {
                let len = inner * columns.next_multiple_of(width);
                // SAFETY: `pack` writes every element, because the length is a multiple of `inner`
                // rows of `width` elements.
                let packed: Storage<T> =
                    unsafe { Storage::build(len, |slots| pack([inner, columns], right, slots)) };
                let packed = Panels {
                    first: packed.as_slice().as_ptr(),
                    row: width as isize,
                    panel: inner * width,
                };
                // SAFETY: the machine has AVX-512, and the matrices hold what is in the block: both
                // were checked above. The panels have `width` elements for every inner step.
                // The results hold `m` rows of `n` columns, and this begins at column `j` of them;
                // they are written when something is added to them, in the round for `l == 0`.
                unsafe { block.multiply(packed, results) };
            } else {
                let first = right.elements.as_ptr().wrapping_offset(right.start);
                let panels = Panels { first, row: right.row, panel: width };
                // SAFETY: as above; the columns of the right side lie next to each other.
                unsafe { block.multiply(panels, results) };
            }
        }
    }
}

/// Whether a right side with columns next to each other is in the way of itself in the cache.
fn is_large<T>(k: usize, n: usize, right: Matrix<'_, T>) -> bool {
    let bytes = size_of::<T>();
    k * n * bytes >= LARGE || k >= 16 && (right.row.unsigned_abs() * bytes).is_multiple_of(PAGE)
}

/// Writes the right side panel by panel: `width` columns next to each other, then those of the next
/// inner step; zeros where the last panel lacks columns.
fn pack<T: Lanes>(
    [inner, columns]: [usize; 2],
    right: Matrix<'_, T>,
    slots: &mut [MaybeUninit<T>],
) {
    /// How many inner steps are read at a time: a cache line, where they lie next to each other.
    const STEPS: usize = 16;
    let width = VECTORS * T::LANES;
    for (panel, slots) in slots.chunks_exact_mut(inner * width).enumerate() {
        let right = right.from(0, panel * width);
        let filled = width.min(columns - panel * width);
        for (block, slots) in slots.chunks_mut(STEPS * width).enumerate() {
            let right = right.from(block * STEPS, 0);
            if right.column == 1 {
                for (l, slots) in slots.chunks_exact_mut(width).enumerate() {
                    slots[..filled].write_copy_of_slice(right.in_row(l, 0..filled));
                }
            } else {
                for j in 0..filled {
                    for (l, slots) in slots.chunks_exact_mut(width).enumerate() {
                        slots[j].write(right.get(l, j));
                    }
                }
            }
            for slots in slots.chunks_exact_mut(width) {
                slots[filled..].fill(MaybeUninit::new(T::ZERO));
            }
        }
    }
}

/// The right side, in panels as wide as a tile.
#[derive(Clone, Copy)]
struct Panels<T> {
    first: *const T,
    /// From one inner step to the next.
    row: isize,
    /// From one panel to the next.
    panel: usize,
}

/// Rows and columns of a product, and some of its inner steps.
struct Block<'a, T> {
    /// Rows, inner steps, columns.
    sizes: [usize; 3],
    left: Matrix<'a, T>,
    /// From one row of the results to the next.
    n: usize,
    /// Whether the results are summed up with what is there.
    adds: bool,
}

impl<T: Lanes> Block<'_, T> {
    /// The product, tile by tile.
    ///
    /// # Safety
    ///
    /// The machine has AVX-512. `left` holds the rows and inner steps; in panel `p` of `right` are
    /// those of the columns from `VECTORS * LANES * p` on that there are; there may be written `n`
    /// columns in every row of `results` but in the last one, where it is the columns of the block.
    /// Those of the block are initialised where the block `adds`.
    unsafe fn multiply(&self, right: Panels<T>, results: *mut T) {
        let [m, inner, columns] = self.sizes;
        let width = VECTORS * T::LANES;
        // Rows shared out evenly: the fewer of them, the longer a tile waits for its sums.
        let height = m.div_ceil(m.div_ceil(ROWS));
        let gathers = self.left.column != 1 && columns > 2 * width;
        let mut gathered = Vec::new();
        let group = if gathers { GATHERED * height } else { m };
        for above in (0..m).step_by(group) {
            let group = group.min(m - above);
            let left = self.left.from(above, 0);
            let left = if gathers { gather(left, group, inner, &mut gathered) } else { left };
            for i in (0..group).step_by(height) {
                let rows = height.min(group - i);
                let left = left.from(i, 0);
                for j in (0..columns).step_by(width) {
                    let columns = width.min(columns - j);
                    let vectors = columns.div_ceil(T::LANES);
                    let tile = Tile {
                        inner,
                        left: left.elements.as_ptr().wrapping_offset(left.start),
                        left_row: left.row,
                        left_column: left.column,
                        // SAFETY: there is a panel for every `width` columns.
                        right: unsafe { right.first.add(j / width * right.panel) },
                        right_row: right.row,
                        // SAFETY: this is a row and a column of the results.
                        results: unsafe { results.add((above + i) * self.n + j) },
                        results_row: self.n,
                        last: u16::MAX >> (16 - (columns - (vectors - 1) * T::LANES)),
                        adds: self.adds,
                    };
                    // SAFETY: as the caller promises; the tile has at most `ROWS` rows and
                    // `VECTORS` vectors, and none but the last one is partly filled.
                    unsafe { T::TILES[rows - 1][vectors - 1](&tile) };
                }
            }
        }
    }
}

/// Some rows of the left side with the inner steps next to each other.
fn gather<'a, T: Lanes>(
    left: Matrix<'_, T>,
    rows: usize,
    inner: usize,
    gathered: &'a mut Vec<T>,
) -> Matrix<'a, T> {
    // The rows begin in different sets of the cache.
    const ROW: usize = INNER + 16;
    gathered.resize(rows * ROW, T::ZERO);
    for l in 0..inner {
        for (row, gathered) in gathered.chunks_exact_mut(ROW).enumerate() {
            gathered[l] = left.get(row, l);
        }
    }
    Matrix { elements: gathered, start: 0, row: ROW as isize, column: 1 }
}
