//! The product of two matrices of floats by vectors of 512 bits.
//!
//! ```text
//! blocks of 512 inner steps      what they sum up to is added to the results, block after block
//!   blocks of columns            where the right side is large, it is packed: this much of it
//!                                stays in the second cache
//!     parts of rows              where the block is large, threads take them
//!       6 rows                   this much of the left side stays in the first cache
//!         4 vectors of columns   a tile: its 24 vectors of sums stay in registers
//! ```
//!
//! Every element of the result is summed in one order, which depends on the number of inner steps
//! alone: parts of the rows and columns have the same bits as the whole, so that threads can share
//! them in any way.
//!
//! Benchmark `products` has what this is for: `matrixmultiply` takes twice as long, and three times
//! as long for 64 by 64 by 64. The crates that are as fast take as long to compile as all of ours.

use core::mem::MaybeUninit;

use super::parallel::{for_each_part_by_bytes, is_shared};
use super::product::{Matrix, as_bytes};
use super::simd_dispatch::in_vectors;
use crate::array::storage::Storage;

mod avx512;

pub(super) use avx512::{Lanes, is_available};
use avx512::{ROWS, Tiles, VECTORS};

/// How many inner steps are summed up in registers.
const INNER: usize = 512;
/// How many tiles of columns are packed at a time, a MiB.
const TILES: usize = 8;
/// How many tiles of rows are gathered at a time, from a left side with other columns.
const GATHERED: usize = 8;
/// Sides of as many bytes are packed: less stays in the second cache as it lies.
const LARGE: usize = 768 << 10;
/// Rows that lie so many bytes apart push each other out of the cache.
const PAGE: usize = 4 << 10;
const LINE: usize = 64;
/// As many inner steps of a right side that is no wider than a tile stay in the first cache.
const CACHED_STEPS: usize = 64;
/// New results of as many bytes may be in the first cache.
const CACHED: usize = 16 << 10;

/// Writes `results[i, j] = Σ left[i, l] right[l, j]`, in row-major order, and meanwhile brings the
/// sides of the `next` product into the cache.
///
/// # Panics
///
/// When a stride leads out of the elements, `results` has another length, there is nothing to sum,
/// or the machine is without AVX-512.
pub(super) fn multiply<T: Lanes>(
    [m, k, n]: [usize; 3],
    left: Matrix<'_, T>,
    right: Matrix<'_, T>,
    next: Option<[Matrix<'_, T>; 2]>,
    results: &mut [MaybeUninit<T>],
) {
    assert!(is_available() && k > 0 && results.len() == m * n);
    left.assert_holds(m, k);
    right.assert_holds(k, n);
    let right = if n == 1 { Matrix { column: 1, ..right } } else { right };
    if n <= VECTORS * T::LANES && k <= CACHED_STEPS && right.column == 1 {
        // SAFETY: the machine has AVX-512, and the matrices hold the rows and inner steps: both were
        // checked above.
        return unsafe { narrow([m, k, n], left, right, results) };
    }
    // To pack takes as long as ten rows of tiles gain by it.
    let packs = right.column != 1 || m > 10 * ROWS && is_large(k, n, &right);
    // Columns and rows shared out evenly: the fewer of them, the longer a tile waits for its sums.
    let vectors = n.div_ceil(T::LANES);
    let width = evenly(vectors, VECTORS) * T::LANES;
    let height = evenly(m, ROWS);
    let block = Block {
        inner: evenly(k, INNER),
        columns: if packs { n.min(TILES * width) } else { n },
        height,
        width,
        left: &left,
        column: 0,
        n,
        adds: false,
        next: next.as_ref(),
    };
    if packs || k > INNER || is_shared(as_bytes([m, k, n])) {
        return block.in_parts([m, k], &right, packs, results);
    }
    let panels =
        Panels { elements: right.elements, start: right.start, row: right.row, panel: width };
    // SAFETY: the machine has AVX-512, and the matrices hold what is in the block: both were checked
    // above. The columns of the right side lie next to each other.
    unsafe { block.multiply(0, panels, results) };
}

/// The product with a right side that is no wider than a tile and stays in the first cache, for which
/// nothing is to be planned.
///
/// # Safety
///
/// The machine has AVX-512. The matrices hold the rows and inner steps, `right` with its columns next
/// to each other; there are `m * n` results.
unsafe fn narrow<T: Lanes>(
    [m, k, n]: [usize; 3],
    left: Matrix<'_, T>,
    right: Matrix<'_, T>,
    results: &mut [MaybeUninit<T>],
) {
    let height = evenly(m, ROWS);
    let (vectors, in_last) = (n.div_ceil(T::LANES), n % T::LANES);
    let left_first = left.elements.as_ptr().wrapping_offset(left.start);
    let mut tiles = Tiles {
        count: 1,
        inner: k,
        left: left_first,
        left_row: left.row,
        left_column: left.column,
        right: right.elements.as_ptr().wrapping_offset(right.start),
        right_row: right.row,
        right_tile: 0,
        results: results.as_mut_ptr().cast(),
        results_row: n,
        last: if in_last == 0 { u16::MAX } else { u16::MAX >> (16 - in_last) },
        adds: false,
        fetches: false,
        ahead: left_first,
        ahead_tile: 0,
        ahead_step: 0,
    };
    for i in (0..m).step_by(height) {
        let rows = height.min(m - i);
        // SAFETY: as the caller promises; the tile has at most `ROWS` rows and `VECTORS` vectors, and
        // none but the last one is partly filled.
        unsafe { T::TILES[rows - 1][vectors - 1][usize::from(in_last > 0)](&tiles) };
        tiles.left = tiles.left.wrapping_offset(rows as isize * left.row);
        tiles.results = tiles.results.wrapping_add(rows * n);
    }
}

/// The size of equal parts with at most `most` each.
fn evenly(size: usize, most: usize) -> usize {
    if size <= most { size } else { size.div_ceil(size.div_ceil(most)) }
}

/// Whether a side with columns next to each other is in the way of itself in the cache.
fn is_large<T>(rows: usize, columns: usize, side: &Matrix<'_, T>) -> bool {
    let bytes = size_of::<T>();
    rows * columns * bytes >= LARGE || rows >= 16 && is_paged(side)
}

/// Whether the rows lie whole pages apart.
fn is_paged<T>(side: &Matrix<'_, T>) -> bool {
    (side.row.unsigned_abs() * size_of::<T>()).is_multiple_of(PAGE)
}

/// Writes the right side panel by panel: `width` columns next to each other, then those of the next
/// inner step; zeros where the last panel lacks columns.
fn pack<T: Lanes>(
    [inner, columns, width]: [usize; 3],
    right: Matrix<'_, T>,
    slots: &mut [MaybeUninit<T>],
) {
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
                let mut j = 0;
                if right.row == 1 && slots.len() == STEPS * width {
                    while j + TURNED <= filled {
                        turn(right.from(0, j), &mut slots[j..], width);
                        j += TURNED;
                    }
                }
                for j in j..filled {
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

/// How many inner steps are packed at a time: a cache line, where they lie next to each other,
const STEPS: usize = 16;
/// and how many columns then.
const TURNED: usize = 8;

/// Writes [`TURNED`] columns of [`STEPS`] inner steps that lie next to each other, step by step, which
/// are `width` slots apart.
fn turn<T: Lanes>(right: Matrix<'_, T>, slots: &mut [MaybeUninit<T>], width: usize) {
    in_vectors(
        #[inline(always)]
        |_| {
            let columns: [&[T; STEPS]; TURNED] = core::array::from_fn(
                #[inline(always)]
                |j| {
                    let start = right.start + j as isize * right.column;
                    right.elements[start as usize..].first_chunk().expect("a block of steps")
                },
            );
            for l in 0..STEPS {
                let slots: &mut [MaybeUninit<T>; TURNED] =
                    slots[l * width..].first_chunk_mut().expect("room for a block");
                for j in 0..TURNED {
                    slots[j].write(columns[j][l]);
                }
            }
        },
    );
}

/// The right side, in panels as wide as a tile.
#[derive(Clone, Copy)]
struct Panels<'a, T> {
    elements: &'a [T],
    /// The first element.
    start: isize,
    /// From one inner step to the next.
    row: isize,
    /// From one panel to the next.
    panel: usize,
}

/// All rows of a product, some of its columns and some of its inner steps.
struct Block<'a, T> {
    inner: usize,
    columns: usize,
    /// The most rows and columns of a tile.
    height: usize,
    width: usize,
    left: &'a Matrix<'a, T>,
    /// The first column in the results.
    column: usize,
    /// How many columns the results have.
    n: usize,
    /// Whether the results are summed up with what is there.
    adds: bool,
    /// The sides of the next product.
    next: Option<&'a [Matrix<'a, T>; 2]>,
}

impl<T: Lanes> Block<'_, T> {
    /// The product in blocks of inner steps and of columns, by several threads where that pays.
    #[inline(never)]
    fn in_parts(
        &self,
        [m, k]: [usize; 2],
        right: &Matrix<'_, T>,
        packs: bool,
        results: &mut [MaybeUninit<T>],
    ) {
        let Self { height, width, n, .. } = *self;
        for l in (0..k).step_by(self.inner) {
            let inner = self.inner.min(k - l);
            for column in (0..n).step_by(self.columns) {
                let columns = self.columns.min(n - column);
                let (left, right) = (self.left.from(0, l), right.from(l, column));
                let block = Block { inner, columns, left: &left, column, adds: l > 0, ..*self };
                let bytes = as_bytes([m, inner, columns]);
                let mut multiply = |right: Panels<'_, T>| {
                    for_each_part_by_bytes(results, bytes, height * n, |start, results| {
                        // SAFETY: the machine has AVX-512, and the matrices hold what is in the
                        // block. The results are whole rows, which are written in the round for
                        // `l == 0` before something is added to them. The right side is as each of
                        // the callers says.
                        unsafe { block.multiply(start / n, right, results) };
                    });
                };
                if !packs {
                    // The columns of the right side lie next to each other.
                    let Matrix { elements, start, row, .. } = right;
                    multiply(Panels { elements, start, row, panel: width });
                    continue;
                }
                let len = inner * columns.next_multiple_of(width);
                let panel = inner * width;
                let pack = |slots: &mut [MaybeUninit<T>]| {
                    for_each_part_by_bytes(slots, bytes, panel, |start, slots| {
                        let j = start / inner;
                        pack([inner, columns - j, width], right.from(0, j), slots);
                    });
                };
                // SAFETY: `pack` writes every element, because the length is a multiple of `inner`
                // rows of `width` elements.
                let packed: Storage<T> = unsafe { Storage::build(len, pack) };
                // The panels have `width` elements for every inner step.
                let elements = packed.as_slice();
                multiply(Panels { elements, start: 0, row: width as isize, panel });
            }
        }
    }

    /// Both sides of the next product, if they fit into the cache beside this one.
    fn ahead(&self, [left, right]: &[Matrix<'_, T>; 2], m: usize) -> Ahead<T> {
        let (k, n) = (self.inner, self.columns);
        if (m + n) * k * size_of::<T>() >= LARGE {
            return Ahead::NOTHING;
        }
        // Only what is in one piece.
        let piece = |side: &Matrix<'_, T>, [rows, columns]: [usize; 2]| {
            let is_whole = side.column == 1 && side.row == columns as isize;
            let place = side.elements.as_ptr().wrapping_offset(side.start);
            (place, if is_whole { rows * columns } else { 0 })
        };
        let pieces = [piece(right, [k, n]), piece(left, [m, k])];
        let tiles = m.div_ceil(self.height) * n.div_ceil(self.width);
        let lines = (m + n) * k * size_of::<T>() / LINE;
        Ahead { pieces, lines: lines.div_ceil(tiles) }
    }

    /// The product, tile by tile, for the rows from `row` on that the results are of.
    ///
    /// # Safety
    ///
    /// The machine has AVX-512. `left` holds the rows and inner steps; in panel `p` of `right` are
    /// those of the columns from `width * p` on that there are. The results are initialised where
    /// the block `adds`.
    unsafe fn multiply(&self, row: usize, right: Panels<'_, T>, results: &mut [MaybeUninit<T>]) {
        let Self { inner, columns, height, width, .. } = *self;
        let m = results.len() / self.n;
        let first_result: *mut T = results[self.column..].as_mut_ptr().cast();
        let right_first = right.elements.as_ptr().wrapping_offset(right.start);
        let left = self.left.from(row, 0);
        let is_wide = columns > 2 * width;
        let is_long = is_wide && left.column == 1 && is_large(m, inner, &left);
        let gathers = is_wide && (left.column != 1 || inner > 64 && is_paged(&left));
        let mut gathered = Vec::new();
        let group = match left.column {
            1 => height,
            _ => GATHERED * height,
        };
        let mut ahead = match self.next {
            Some(next) if row == 0 && !is_long => self.ahead(next, m),
            _ => Ahead::NOTHING,
        };
        for above in (0..m).step_by(group) {
            let group = group.min(m - above);
            let left = left.from(above, 0);
            let gathered =
                gathers.then(|| Gathered::new(left, [group, height, inner], &mut gathered));
            for i in (0..group).step_by(height) {
                let rows = height.min(group - i);
                let first = above + i;
                let left = match &gathered {
                    Some(gathered) => gathered.tile(i / height),
                    None => left.from(i, 0),
                };
                let left_first = left.elements.as_ptr().wrapping_offset(left.start);
                let (whole, rest) = (columns / width, columns % width);
                let mut tiles = Tiles {
                    count: whole,
                    inner,
                    left: left_first,
                    left_row: left.row,
                    left_column: left.column,
                    right: right_first,
                    right_row: right.row,
                    right_tile: right.panel,
                    // SAFETY: this is a row and a column of the results.
                    results: unsafe { first_result.add(first * self.n) },
                    results_row: self.n,
                    last: 0,
                    adds: self.adds,
                    fetches: self.next.is_some() || size_of_val(results) > CACHED,
                    ahead: left_first,
                    ahead_tile: 0,
                    ahead_step: 0,
                };
                if is_long {
                    // Each tile fetches one of the next rows.
                    let next = self.left.from(row + first + rows, 0);
                    tiles.ahead = next.elements.as_ptr().wrapping_offset(next.start);
                    tiles.ahead_tile = next.row;
                    tiles.ahead_step = 1;
                } else {
                    ahead.take(&mut tiles);
                }
                if whole > 0 {
                    // SAFETY: as the caller promises; the tiles have at most `ROWS` rows and
                    // `VECTORS` whole vectors.
                    unsafe { T::TILES[rows - 1][width / T::LANES - 1][0](&tiles) };
                }
                if rest > 0 {
                    let (vectors, in_last) = (rest.div_ceil(T::LANES), rest % T::LANES);
                    tiles.count = 1;
                    tiles.right = right_first.wrapping_add(whole * right.panel);
                    tiles.results = tiles.results.wrapping_add(whole * width);
                    tiles.last = if in_last == 0 { u16::MAX } else { u16::MAX >> (16 - in_last) };
                    // SAFETY: as above, but there are only so many lanes in the last vector.
                    unsafe { T::TILES[rows - 1][vectors - 1][usize::from(in_last > 0)](&tiles) };
                }
            }
        }
    }
}

/// What is needed soon, line by line.
struct Ahead<T> {
    /// Where elements begin, and how many there are.
    pieces: [(*const T, usize); 2],
    /// How many of them each tile fetches.
    lines: usize,
}

impl<T: Lanes> Ahead<T> {
    const NOTHING: Self = Self { pieces: [(core::ptr::null(), 0); 2], lines: 0 };

    /// Tells some tiles what to fetch.
    #[inline]
    fn take(&mut self, tiles: &mut Tiles<T>) {
        for (place, len) in &mut self.pieces {
            if *len > 0 {
                let each = self.lines * (LINE / size_of::<T>());
                (tiles.ahead, tiles.ahead_tile, tiles.ahead_step) =
                    (*place, each as isize, each.div_ceil(tiles.inner));
                *place = place.wrapping_add(tiles.count.max(1) * each);
                *len = len.saturating_sub(tiles.count.max(1) * each);
                return;
            }
        }
    }
}

/// Some rows of the left side, gathered.
struct Gathered<'a, T> {
    matrix: Matrix<'a, T>,
    /// From one tile of rows to the next, in elements.
    tile: usize,
}

impl<'a, T: Lanes> Gathered<'a, T> {
    /// The rows, in tiles of so many, with the inner steps next to each other; with the rows of a tile
    /// next to each other, if that is how they lie.
    fn new(
        left: Matrix<'_, T>,
        [rows, height, inner]: [usize; 3],
        gathered: &'a mut Vec<T>,
    ) -> Self {
        // The rows begin in different sets of the cache.
        const ROW: usize = INNER + 16;
        let tiles = rows.div_ceil(height);
        if left.row == 1 && height == ROWS {
            let tile = ROWS * inner + LINE / size_of::<T>();
            gathered.resize(tiles * tile, T::ZERO);
            let whole = rows / ROWS * ROWS;
            for l in 0..inner {
                let step = left.from(0, l).transposed().in_row(0, 0..rows);
                let (step, rest) = step.split_at(whole);
                let (step, _) = step.as_chunks::<ROWS>();
                let mut tiles = gathered.chunks_exact_mut(tile);
                for (rows, gathered) in step.iter().zip(&mut tiles) {
                    gathered[l * ROWS..][..ROWS].copy_from_slice(rows);
                }
                if let Some(gathered) = tiles.next() {
                    gathered[l * ROWS..][..rest.len()].copy_from_slice(rest);
                }
            }
            let matrix =
                Matrix { elements: &gathered[..], start: 0, row: 1, column: ROWS as isize };
            return Self { matrix, tile };
        }
        gathered.resize(tiles * height * ROW, T::ZERO);
        if left.column == 1 {
            for (row, gathered) in gathered.chunks_exact_mut(ROW).take(rows).enumerate() {
                gathered[..inner].copy_from_slice(left.in_row(row, 0..inner));
            }
        } else {
            for l in 0..inner {
                for (row, gathered) in gathered.chunks_exact_mut(ROW).take(rows).enumerate() {
                    gathered[l] = left.get(row, l);
                }
            }
        }
        let matrix = Matrix { elements: &gathered[..], start: 0, row: ROW as isize, column: 1 };
        Self { matrix, tile: height * ROW }
    }

    /// The tile with this number.
    fn tile(&self, tile: usize) -> Matrix<'a, T> {
        Matrix { start: (tile * self.tile) as isize, ..self.matrix }
    }
}
