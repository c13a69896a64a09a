//! The product of two matrices of floats on AVX-512 or AVX2, by the loops of
//! [BLIS](https://www.cs.utexas.edu/~flame/pubs/BLISTOMSrev2.pdf), with the numbers of that paper.
//!
//! ```text
//! loop 4   KC = 512 inner steps   their sums are added to the results, block after block
//! loop 5     NC columns             of a large right side: packed, they stay in half of L2
//! loop 3       parts of the rows      on threads, if the block is large
//! loop 1         MR = 6 rows            this panel of the left side stays in L1
//! loop 2           NR = 2 or 4 vectors    a tile: its 12 or 24 vectors of sums stay in registers
//! ```
//!
//! NC follows from the size of the [caches](super::super::caches). KC is the same on all machines, because the
//! bits of the results depend on it; MR rows of 512 steps of `f32` are 12 KiB, and any L1 has 32.
//!
//! Two pairs of loops are exchanged: 4 and 5, so that every element is summed in an order that depends
//! on `k` alone (parts of the rows and columns have the same bits as the whole, however threads share
//! them); 1 and 2, so that one call of the micro-kernel takes all tiles of a row.
//!
//! If the left side has few rows and the columns of the right side are contiguous, as in a linear layer, the
//! operands are exchanged: packing the right side would take longer than the product.
//!
//! Benchmark `products` compares the speed: on AVX-512 `matrixmultiply` takes twice as long, and three times as
//! long for 64 by 64 by 64; on AVX2 it takes up to a sixth longer. The crates that are as fast take as long to compile as this whole library.

use core::mem::MaybeUninit;

use super::cost_in_bytes;
use super::matrix::Matrix;
use super::microkernel::{LINE, MR, Microkernels, TALL, Tiles};
use super::pack::{KC, PackedA, pack_b};
use super::packed::PackBlock;
use crate::element::Number;
use crate::kernel::caches;
use crate::kernel::parallel::{for_each_part_weighted, is_parallel};
use crate::storage::Storage;

/// MC in tiles: the number of tiles of rows that are packed at a time, if the inner stride of the left
/// side is not 1.
const MC_TILES: usize = 8;
/// A right side with contiguous columns has at least this many times the size of the left side for
/// [`gemm_exchanged`] to read it in place.
const EXCHANGED: usize = 4;
/// With a row stride of at least this many bytes, rows are read at half of the speed: the hardware does not prefetch
/// from one to the next, and each takes an entry of the TLB.
const LARGE_STRIDE: usize = 64 << 10;
/// Rows with this distance in bytes evict each other from the cache.
const PAGE: usize = 4 << 10;

/// MR, NR, KC and NC of a large product.
pub(super) fn block_sizes<T: Microkernels<I>, I>() -> [usize; 4] {
    let nr = T::NR_VECTORS * T::LANES;
    [MR, nr, KC, nc_tiles(KC * nr * size_of::<T>()) * nr]
}

/// NC in tiles: the number of tiles of columns that are packed at a time, given the bytes of one.
fn nc_tiles(tile: usize) -> usize {
    (caches::l2() / 2 / tile).max(1)
}

/// An operand of at least this many bytes is packed: L2 holds smaller ones unpacked.
fn l2_bytes() -> usize {
    caches::l2() / 4 * 3
}

/// Writes `results[i, j] = Σ left[i, l] right[l, j]`, in row-major order, and prefetches the operands
/// of the `next` product during the computation.
///
/// # Panics
///
/// If a stride leads out of the elements, `results` has another length, there is nothing to sum, or
/// the machine is without the instruction set.
pub(super) fn gemm<T: Microkernels<I>, I>(
    mkn: [usize; 3],
    left: Matrix<'_, T>,
    right: Matrix<'_, T>,
    next: Option<[Matrix<'_, T>; 2]>,
    results: &mut [MaybeUninit<T>],
) {
    gemm_and::<T, I>(Addend::Nothing, mkn, left, right, next, results);
}

/// [`gemm`], plus one row that is added to all rows of the results.
///
/// # Panics
///
/// As [`gemm`], and if the row is not of length `n`.
pub(super) fn gemm_plus_row<T: Microkernels<I>, I>(
    mkn: [usize; 3],
    left: Matrix<'_, T>,
    right: Matrix<'_, T>,
    row: &[T],
    results: &mut [MaybeUninit<T>],
) {
    assert_eq!(row.len(), mkn[2], "the columns of the results");
    gemm_and::<T, I>(Addend::Row(row), mkn, left, right, None, results);
}

/// The addend of a product.
#[derive(Clone, Copy)]
enum Addend<'a, T> {
    Nothing,
    /// One row of length `n`, added to all rows.
    Row(&'a [T]),
    /// The initialised contents of the results.
    Results,
}

impl<T> Addend<'_, T> {
    /// The first element of the addend for results from this row and column on, and its row stride.
    fn first(&self, results: *const T, column: usize, n: usize) -> (*const T, usize) {
        match self {
            Self::Nothing => (core::ptr::null(), 0),
            Self::Row(row) => (row[column..].as_ptr(), 0),
            Self::Results => (results, n),
        }
    }
}

/// [`gemm`], plus `added`: nothing, a row, or the results, which are initialised.
///
/// # Panics
///
/// As [`gemm`].
fn gemm_and<T: Microkernels<I>, I>(
    added: Addend<'_, T>,
    mkn @ [m, k, n]: [usize; 3],
    left: Matrix<'_, T>,
    right: Matrix<'_, T>,
    next: Option<[Matrix<'_, T>; 2]>,
    results: &mut [MaybeUninit<T>],
) {
    assert!(T::is_available() && k > 0 && Some(results.len()) == m.checked_mul(n));
    if results.is_empty() {
        return;
    }
    left.assert_holds(m, k);
    right.assert_holds(k, n);
    let right = if n == 1 { Matrix { column: 1, ..right } } else { right };
    let vectors = n.div_ceil(T::LANES);
    // One block of inner steps, as in the loops below: the size of L1 does not decide over bits.
    let is_in_l1 = || k <= caches::l1() / 2 / (vectors * T::LANES * size_of::<T>());
    if vectors <= T::NR_VECTORS && right.column == 1 && k <= KC && is_in_l1() {
        // SAFETY: the instruction set is available, the matrices hold the rows and inner steps, and there are
        // `m * n` results: all checked above. The column stride of the right side is 1.
        return unsafe { gemm_narrow::<T, I>(mkn, left, right, results, added) };
    }
    if right.column != 1 && right.row == 1 && 1 < m && m <= n / EXCHANGED {
        return gemm_exchanged::<T, I>(added, mkn, left, right, next, results);
    }
    // Tiles of equal size: the smaller a tile is, the longer it waits for its sums.
    let width = balanced(n.div_ceil(T::LANES), T::NR_VECTORS) * T::LANES;
    // Packing costs as much as ten rows of tiles gain by it; four where rows are single lines, which the
    // hardware does not prefetch; and two where the row stride is large.
    let has_large_stride = right.row.unsigned_abs().saturating_mul(size_of::<T>()) >= LARGE_STRIDE;
    let (rows, cache) = match width * size_of::<T>() <= LINE {
        true => (4 * MR, caches::l1()),
        false if has_large_stride => (2 * MR, l2_bytes()),
        false => (10 * MR, l2_bytes()),
    };
    let packs = right.column != 1 || m > rows && is_large(k, n, &right, cache);
    let (inner, is_shared) = (balanced(k, KC), is_parallel(cost_in_bytes(mkn)));
    // Rows of tiles read a block of columns again, which stays in L2, packed or not.
    let columns = match packs || m > MR && !is_shared {
        true => n.min(nc_tiles(inner * width * size_of::<T>()) * width),
        false => n,
    };
    let block = ProductBlock {
        inner,
        columns,
        height: balanced(m, MR),
        width,
        left: &left,
        column: 0,
        n,
        added,
        next: next.as_ref(),
    };
    if packs || k > KC || columns < n || is_shared {
        return block.gemm_loops::<I>([m, k], &right, packs, results);
    }
    let right =
        PackedB { elements: right.elements, start: right.start, row: right.row, panel: width };
    // SAFETY: the instruction set is available, and the matrices hold the elements of the block: both checked
    // above. The column stride of the right side is 1.
    unsafe { block.multiply::<I>(0, right, results) };
}

/// The product by that of the transposed operands in the other order, `rightᵀ leftᵀ`, of which the few rows of
/// the left side are packed; the right side, whose columns are contiguous, is read once, from front to back.
/// The bits are the same. Benchmark `inference`: MiniLM takes 0.4 of the time for one sentence.
fn gemm_exchanged<T: Microkernels<I>, I>(
    added: Addend<'_, T>,
    [m, k, n]: [usize; 3],
    left: Matrix<'_, T>,
    right: Matrix<'_, T>,
    next: Option<[Matrix<'_, T>; 2]>,
    results: &mut [MaybeUninit<T>],
) {
    let next = next.map(|[left, right]| [right.transposed(), left.transposed()]);
    let multiply = |slots: &mut [MaybeUninit<T>]| {
        let added = match added {
            Addend::Row(row) => {
                for (slots, &added) in slots.chunks_exact_mut(m).zip(row) {
                    slots.fill(MaybeUninit::new(added));
                }
                Addend::Results
            }
            _ => Addend::Nothing,
        };
        gemm_and::<T, I>(added, [n, k, m], right.transposed(), left.transposed(), next, slots);
    };
    // SAFETY: the product writes all of its `n * m` results.
    let transposed: Storage<T> = unsafe { Storage::build(n * m, multiply) };
    let transposed = &transposed.as_slice()[..n * m];
    let whole = n - n % T::LANES;
    for i in (0..m).step_by(T::LANES) {
        let rows = T::LANES.min(m - i);
        for j in (0..whole).step_by(T::LANES) {
            let from = transposed[j * m + i..].as_ptr();
            let to = results[i * n + j..].as_mut_ptr();
            // SAFETY: the instruction set is available: `gemm` has checked it. There are `LANES` rows of
            // `m` elements from row `j` on, each with `rows` elements from `i` on, and as many rows of
            // `n` results from row `i` on, each with room for a vector at `j`: `j + LANES <= whole <= n`.
            unsafe { T::transpose(from, m as isize, [rows, T::LANES], to, n) };
        }
    }
    for (i, results) in results.chunks_exact_mut(n).enumerate() {
        for (j, result) in results.iter_mut().enumerate().skip(whole) {
            result.write(transposed[j * m + i]);
        }
    }
}

/// [`gemm`] on this thread, with a right side that is packed one block at a time, panel by panel.
///
/// # Panics
///
/// If a stride leads out of the elements, `results` has another length, there is nothing to sum, or
/// the machine is without the instruction set.
pub(super) fn gemm_packed<T: Microkernels<I>, I>(
    [m, k, n]: [usize; 3],
    left: Matrix<'_, T>,
    pack: &PackBlock<'_, T>,
    room: &mut Vec<T>,
    results: &mut [MaybeUninit<T>],
) {
    assert!(T::is_available() && k > 0 && Some(results.len()) == m.checked_mul(n));
    if results.is_empty() {
        return;
    }
    left.assert_holds(m, k);
    let width = balanced(n.div_ceil(T::LANES), T::NR_VECTORS) * T::LANES;
    let inner = balanced(k, KC);
    // If the left side stays in L1, it is multiplied with each panel while that is in L1, too.
    let is_in_l1 = m.saturating_mul(inner) * size_of::<T>() <= caches::l1() / 3 * 4;
    let panels = if is_in_l1 { 1 } else { nc_tiles(inner * width * size_of::<T>()) };
    for l in (0..k).step_by(inner) {
        let inner = inner.min(k - l);
        let left = left.from(0, l);
        for column in (0..n).step_by(panels * width) {
            let columns = (panels * width).min(n - column);
            let panel = inner * width;
            let len = columns.div_ceil(width) * panel;
            if room.len() < len {
                room.resize(len, T::ZERO);
            }
            for (index, room) in room[..len].chunks_exact_mut(panel).enumerate() {
                let first = index * width;
                pack([l, inner], [column + first, width.min(columns - first)], width, room);
            }
            let block = ProductBlock {
                inner,
                columns,
                height: balanced(m, MR),
                width,
                left: &left,
                column,
                n,
                added: if l > 0 { Addend::Results } else { Addend::Nothing },
                next: None,
            };
            let right = PackedB { elements: &room[..len], start: 0, row: width as isize, panel };
            // SAFETY: the instruction set is available, and `left` holds the rows and inner steps: both checked
            // above. The panels hold `inner` rows of `width` elements each, as many as the columns need.
            // The results are whole rows of `n`, and the round with `l == 0` writes the columns of the
            // block before others add to them.
            unsafe { block.multiply::<I>(0, right, results) };
        }
    }
}

/// The product with a right side that is no wider than a tile, by a single panel: it needs no plan.
///
/// # Safety
///
/// The instruction set is available. The matrices hold the rows and inner steps, none of them 0; `right` has
/// column stride 1 and at most `NR_VECTORS` vectors of columns; there are `m * n` results, initialised if
/// they are `added`.
unsafe fn gemm_narrow<T: Microkernels<I>, I>(
    [m, k, n]: [usize; 3],
    left: Matrix<'_, T>,
    right: Matrix<'_, T>,
    results: &mut [MaybeUninit<T>],
    added: Addend<'_, T>,
) {
    let (vectors, in_last) = (n.div_ceil(T::LANES), n % T::LANES);
    let left_first = left.elements.as_ptr().wrapping_offset(left.start);
    let first_result: *mut T = results.as_mut_ptr().cast();
    let (added, added_row) = added.first(first_result, 0, n);
    let mut tiles = Tiles {
        count: 1,
        inner: k,
        left: left_first,
        left_row: left.row,
        left_column: left.column,
        right: right.elements.as_ptr().wrapping_offset(right.start),
        right_row: right.row,
        right_tile: 0,
        results: first_result,
        results_row: n,
        last: mask_of(in_last),
        added,
        added_row,
        prefetches_results: false,
        ahead: left_first,
        ahead_tile: 0,
        ahead_step: 0,
    };
    let in_tall = if vectors == 1 { m - m % TALL } else { 0 };
    let (mut row, height) = (0, balanced(m - in_tall, MR));
    while row < m {
        let (rows, microkernel) = if row < in_tall {
            (TALL, T::TALL_MICROKERNEL)
        } else {
            let rows = height.min(m - row);
            (rows, T::microkernel(rows, vectors, in_last > 0))
        };
        // SAFETY: as the caller promises; the tile has at most `MR` rows and `NR_VECTORS` vectors, or
        // `TALL` rows and one, and the mask is that of the last one.
        unsafe { microkernel(&tiles) };
        tiles.left = tiles.left.wrapping_offset(rows as isize * left.row);
        tiles.results = tiles.results.wrapping_add(rows * n);
        tiles.added = tiles.added.wrapping_add(rows * added_row);
        row += rows;
    }
}

/// The mask of a vector with this many elements; all lanes for 0, a full vector.
fn mask_of(in_last: usize) -> u16 {
    if in_last == 0 { u16::MAX } else { u16::MAX >> (16 - in_last) }
}

/// The largest part if `size` is split into the fewest equal parts of at most `most` each.
fn balanced(size: usize, most: usize) -> usize {
    if size <= most { size } else { size.div_ceil(size.div_ceil(most)) }
}

/// Whether a side with column stride 1 evicts its own elements from a cache of this size.
fn is_large<T>(rows: usize, columns: usize, side: &Matrix<'_, T>, cache: usize) -> bool {
    let bytes = rows.saturating_mul(columns).saturating_mul(size_of::<T>());
    bytes >= cache || rows >= 16 && has_page_stride(side)
}

/// Whether the row stride is a multiple of the page size.
fn has_page_stride<T>(side: &Matrix<'_, T>) -> bool {
    side.row.unsigned_abs().wrapping_mul(size_of::<T>()).is_multiple_of(PAGE)
}

/// The right side in panels as wide as a tile: packed, or in place.
#[derive(Clone, Copy)]
struct PackedB<'a, T> {
    elements: &'a [T],
    /// The index of the first element.
    start: isize,
    /// The stride from one inner step to the next.
    row: isize,
    /// The stride from one panel to the next.
    panel: usize,
}

/// A block of a product: all rows, some of the columns and some of the inner steps.
struct ProductBlock<'a, T> {
    inner: usize,
    columns: usize,
    /// The maximum number of rows and columns of a tile.
    height: usize,
    width: usize,
    left: &'a Matrix<'a, T>,
    /// The first column in the results.
    column: usize,
    /// The columns of the results.
    n: usize,
    added: Addend<'a, T>,
    /// The operands of the next product.
    next: Option<&'a [Matrix<'a, T>; 2]>,
}

impl<T: Number> ProductBlock<'_, T> {
    /// Loops 4, 5 and 3: blocks of inner steps and of columns, on several threads if that pays.
    #[inline(never)]
    fn gemm_loops<I>(
        &self,
        [m, k]: [usize; 2],
        right: &Matrix<'_, T>,
        packs: bool,
        results: &mut [MaybeUninit<T>],
    ) where
        T: Microkernels<I>,
    {
        let Self { height, width, n, .. } = *self;
        for l in (0..k).step_by(self.inner) {
            let inner = self.inner.min(k - l);
            for column in (0..n).step_by(self.columns) {
                let columns = self.columns.min(n - column);
                let (left, right) = (self.left.from(0, l), right.from(l, column));
                let added = if l > 0 { Addend::Results } else { self.added };
                let block = ProductBlock { inner, columns, left: &left, column, added, ..*self };
                let bytes = cost_in_bytes([m, inner, columns]);
                let mut multiply = |right: PackedB<'_, T>| {
                    for_each_part_weighted(results, bytes, height * n, |start, results| {
                        // SAFETY: `gemm` has checked the instruction set, and that the matrices hold the elements of
                        // the block. The results are whole rows; the round with `l == 0` writes them
                        // before others add to them. Each call below states why the panels hold the
                        // columns of the block.
                        unsafe { block.multiply::<I>(start / n, right, results) };
                    });
                };
                if !packs {
                    // Not packed, because the column stride is 1: panel `p` starts at column
                    // `width * p`.
                    let Matrix { elements, start, row, .. } = right;
                    multiply(PackedB { elements, start, row, panel: width });
                    continue;
                }
                let len = inner * columns.next_multiple_of(width);
                let panel = inner * width;
                let pack = |slots: &mut [MaybeUninit<T>]| {
                    for_each_part_weighted(slots, bytes, panel, |start, slots| {
                        let j = start / inner;
                        // SAFETY: `gemm` has checked that the instruction set is available.
                        unsafe {
                            pack_b::<T, I>([inner, columns - j, width], right.from(0, j), slots)
                        };
                    });
                };
                // SAFETY: `pack_b` writes every element: the length is a multiple of `inner * width`.
                let packed: Storage<T> = unsafe { Storage::build(len, pack) };
                // Panels of `width` elements for every inner step.
                let elements = packed.as_slice();
                multiply(PackedB { elements, start: 0, row: width as isize, panel });
            }
        }
    }

    /// Both operands of the next product, if they fit into the L2 cache together with this one.
    fn ahead(&self, [left, right]: &[Matrix<'_, T>; 2], m: usize) -> PrefetchQueue<T> {
        let (k, n) = (self.inner, self.columns);
        if m.saturating_add(n).saturating_mul(k).saturating_mul(size_of::<T>()) >= l2_bytes() {
            return PrefetchQueue::EMPTY;
        }
        // Only contiguous operands.
        let piece = |side: &Matrix<'_, T>, [rows, columns]: [usize; 2]| {
            let is_contiguous = side.column == 1 && side.row == columns as isize;
            let position = side.elements.as_ptr().wrapping_offset(side.start);
            (position, if is_contiguous { rows * columns } else { 0 })
        };
        let pieces = [piece(right, [k, n]), piece(left, [m, k])];
        let tiles = m.div_ceil(self.height) * n.div_ceil(self.width);
        let lines = (m + n) * k * size_of::<T>() / LINE;
        PrefetchQueue { pieces, lines: lines.div_ceil(tiles) }
    }

    /// Loops 1 and 2: the product tile by tile, for some rows of the results, starting at `row`.
    ///
    /// # Safety
    ///
    /// The instruction set is available. The results are whole rows of `n`, at least one; `left` holds
    /// these rows, from `row` on, and the inner steps; panel `p` of `right` holds the inner steps of
    /// the columns from `width * p` on, as far as there are `columns`. The results are initialised if
    /// they are added.
    unsafe fn multiply<I>(&self, row: usize, right: PackedB<'_, T>, results: &mut [MaybeUninit<T>])
    where
        T: Microkernels<I>,
    {
        let Self { inner, columns, height, width, .. } = *self;
        let m = results.len() / self.n;
        let prefetches_results = self.next.is_some() || size_of_val(results) > caches::l1() / 2;
        let first_result: *mut T = results[self.column..].as_mut_ptr().cast();
        let right_first = right.elements.as_ptr().wrapping_offset(right.start);
        let left = self.left.from(row, 0);
        let is_wide = columns > 2 * width;
        let is_long = left.column == 1
            && (is_wide || left.row == inner as isize)
            && is_large(m, inner, &left, l2_bytes());
        if self.n <= T::LANES && self.next.is_none() && !is_long {
            let PackedB { elements, start, row, .. } = right;
            let right = Matrix { elements, start, row, column: 1 };
            // SAFETY: as the caller promises; the only panel is one vector wide, and has all columns.
            return unsafe {
                gemm_narrow::<T, I>([m, inner, columns], left, right, results, self.added)
            };
        }
        let packs_a = is_wide && (left.column != 1 || inner > 64 && has_page_stride(&left));
        let mut room = Vec::new();
        let group = match left.column {
            1 => height,
            _ => MC_TILES * height,
        };
        let mut ahead = match self.next {
            Some(next) if row == 0 && !is_long => self.ahead(next, m),
            _ => PrefetchQueue::EMPTY,
        };
        for above in (0..m).step_by(group) {
            let group = group.min(m - above);
            let left = left.from(above, 0);
            let packed = packs_a.then(|| PackedA::pack(left, [group, height, inner], &mut room));
            for i in (0..group).step_by(height) {
                let rows = height.min(group - i);
                let first = above + i;
                let left = match &packed {
                    Some(packed) => packed.tile(i / height),
                    None => left.from(i, 0),
                };
                let left_first = left.elements.as_ptr().wrapping_offset(left.start);
                let (whole, rest) = (columns / width, columns % width);
                // SAFETY: it is the address of a row and a column of the results.
                let results = unsafe { first_result.add(first * self.n) };
                let (added, added_row) = self.added.first(results, self.column, self.n);
                let mut tiles = Tiles {
                    count: whole,
                    inner,
                    left: left_first,
                    left_row: left.row,
                    left_column: left.column,
                    right: right_first,
                    right_row: right.row,
                    right_tile: right.panel,
                    results,
                    results_row: self.n,
                    last: mask_of(0),
                    added,
                    added_row,
                    prefetches_results,
                    ahead: left_first,
                    ahead_tile: 0,
                    ahead_step: 0,
                };
                if is_long {
                    // Each tile prefetches one of the next rows; a few tiles share them.
                    let next = self.left.from(row + first + rows, 0);
                    let each = if is_wide { 1 } else { rows.div_ceil(whole.max(1)) };
                    tiles.ahead = next.elements.as_ptr().wrapping_offset(next.start);
                    tiles.ahead_tile = each as isize * next.row;
                    tiles.ahead_step = each;
                } else {
                    ahead.assign(&mut tiles);
                }
                if whole > 0 {
                    // SAFETY: as the caller promises; the tiles have at most `MR` rows and
                    // `NR_VECTORS` full vectors.
                    unsafe { T::microkernel(rows, width / T::LANES, false)(&tiles) };
                }
                if rest > 0 {
                    let (vectors, in_last) = (rest.div_ceil(T::LANES), rest % T::LANES);
                    tiles.count = 1;
                    tiles.right = right_first.wrapping_add(whole * right.panel);
                    tiles.results = tiles.results.wrapping_add(whole * width);
                    tiles.added =
                        if added.is_null() { added } else { added.wrapping_add(whole * width) };
                    tiles.last = mask_of(in_last);
                    // SAFETY: as above; the mask is that of the last vector.
                    unsafe { T::microkernel(rows, vectors, in_last > 0)(&tiles) };
                }
            }
        }
    }
}

/// A queue of memory to prefetch, line by line.
struct PrefetchQueue<T> {
    /// The address and the number of elements of each piece.
    pieces: [(*const T, usize); 2],
    /// The number of lines that each tile prefetches.
    lines: usize,
}

impl<T> PrefetchQueue<T> {
    const EMPTY: Self = Self { pieces: [(core::ptr::null(), 0); 2], lines: 0 };

    /// Assigns a part of the queue to some tiles.
    #[inline]
    fn assign(&mut self, tiles: &mut Tiles<T>) {
        for (position, len) in &mut self.pieces {
            if *len > 0 {
                let each = self.lines * (LINE / size_of::<T>());
                (tiles.ahead, tiles.ahead_tile, tiles.ahead_step) =
                    (*position, each as isize, each.div_ceil(tiles.inner));
                *position = position.wrapping_add(tiles.count.max(1) * each);
                *len = len.saturating_sub(tiles.count.max(1) * each);
                return;
            }
        }
    }
}
