//! The micro-kernels: a tile of up to MR rows by NR vectors, with its sums in registers, for the vectors of any
//! instruction set.

use core::arch::x86_64::{_MM_HINT_T0, _MM_HINT_T1, _mm_prefetch};
use core::mem::MaybeUninit;

use crate::element::Number;
use crate::kernel::prefetch::prefetch;

/// The maximum number of rows of a tile.
pub(super) const MR: usize = 6;
/// The number of rows of a tile of one vector: the number of multiply-adds in flight at a time, of which `MR`
/// rows are three quarters.
pub(super) const TALL: usize = 8;

/// The size of a cache line in bytes.
pub(super) const LINE: usize = 64;

/// A mask of the lanes of a vector, one bit for each.
pub(in super::super) type Lanes = u16;

/// An element type with the vectors of an instruction set `I`.
pub(in crate::kernel) trait Vectors<I>: Number {
    type Vector: Copy;
    /// The number of elements of a vector.
    const LANES: usize;
    /// The number of inner steps by which the right side is prefetched into L1 in advance.
    const AHEAD: isize;

    /// # Safety
    ///
    /// The instruction set is available, as for all methods.
    unsafe fn splat(element: Self) -> Self::Vector;
    /// Loads the elements of the lanes in the mask, and reads no others; the other lanes are zero.
    ///
    /// # Safety
    ///
    /// The lanes of the mask are readable elements.
    unsafe fn load(from: *const Self, mask: Lanes) -> Self::Vector;
    /// [`load`](Vectors::load) of all lanes.
    ///
    /// # Safety
    ///
    /// The lanes are readable elements.
    unsafe fn load_all(from: *const Self) -> Self::Vector;
    /// # Safety
    ///
    /// The lanes of the mask are writable elements.
    unsafe fn store(vector: Self::Vector, to: *mut Self, mask: Lanes);
    /// [`store`](Vectors::store) of all lanes.
    ///
    /// # Safety
    ///
    /// The lanes are writable elements.
    unsafe fn store_all(vector: Self::Vector, to: *mut Self);
    /// `a * b + sum`.
    ///
    /// # Safety
    ///
    /// As for [`splat`](Vectors::splat).
    unsafe fn fmadd(a: Self::Vector, b: Self::Vector, sum: Self::Vector) -> Self::Vector;
    /// # Safety
    ///
    /// As for [`splat`](Vectors::splat).
    unsafe fn add(a: Self::Vector, b: Self::Vector) -> Self::Vector;
}

/// A micro-kernel: the product of some rows of the left side with some vectors of the right side, tile by tile.
///
/// # Safety
///
/// The instruction set is available. The elements of the tiles and the addend may be read, the results written.
pub(super) type TileFn<T> = unsafe fn(&Tiles<T>);

/// An element type with micro-kernels of an instruction set `I`.
pub(super) trait Microkernels<I>: Vectors<I> {
    /// The maximum number of vectors of a row of a tile.
    const NR_VECTORS: usize;
    /// The micro-kernel for [`TALL`] rows and one vector, as far as the mask.
    const TALL_MICROKERNEL: TileFn<Self>;

    /// Whether the instruction set is available.
    fn is_available() -> bool;

    /// The micro-kernel for tiles of this size; the last vector is partial, or full.
    fn microkernel(rows: usize, vectors: usize, is_partial: bool) -> TileFn<Self>;

    /// Writes the first elements of some contiguous columns as rows of a whole vector: `steps` rows,
    /// `row` slots apart. If there are fewer columns than lanes, the last one is repeated.
    ///
    /// # Safety
    ///
    /// The instruction set is available. There are `steps` elements in each of the columns, which are
    /// `column` elements apart, and room for the rows; both numbers are from 1 to the number of lanes.
    unsafe fn transpose(
        from: *const Self,
        column: isize,
        sizes: [usize; 2],
        to: *mut MaybeUninit<Self>,
        row: usize,
    );
}

/// The inputs and outputs of a row of tiles; strides in elements.
pub(in crate::kernel) struct Tiles<T> {
    /// The number of tiles in the row of tiles.
    pub count: usize,
    /// The number of inner steps.
    pub inner: usize,
    pub left: *const T,
    pub left_row: isize,
    pub left_column: isize,
    /// The right side; its column stride within a tile is 1.
    pub right: *const T,
    pub right_row: isize,
    pub right_tile: usize,
    pub results: *mut T,
    pub results_row: usize,
    /// The mask of the last vector of a row.
    pub last: u16,
    /// The first row of the addend; null if nothing is added.
    pub added: *const T,
    /// The row stride of the addend; 0 if one row is added to all.
    pub added_row: usize,
    /// Whether the results are prefetched into L1.
    pub prefetches_results: bool,
    /// The address to prefetch into L2, and how far it moves with a tile and an inner step.
    pub ahead: *const T,
    pub ahead_tile: isize,
    pub ahead_step: usize,
}

/// The position of a tile in its operands.
pub(in crate::kernel) struct TileCursor<T> {
    pub(super) left: *const T,
    pub(super) right: *const T,
    pub(super) ahead: *const T,
}

/// The body of the [`TileFn`] for `R` rows and `V` vectors, the last one as far as its mask if `PARTLY`.
///
/// # Safety
///
/// As for [`TileFn`].
#[inline(always)]
pub(super) unsafe fn tiles_of<T, I, const R: usize, const V: usize, const PARTLY: bool>(
    tiles: &Tiles<T>,
) where
    T: Vectors<I>,
{
    let Tiles { left_row, right_row, results_row, inner, .. } = *tiles;
    for tile in 0..tiles.count {
        let results = tiles.results.wrapping_add(tile * V * T::LANES);
        // Each address serves three rows: one for all would be advanced row by row.
        let mut lefts = [tiles.left, tiles.left.wrapping_offset(3 * left_row)];
        let mut right = tiles.right.wrapping_add(tile * tiles.right_tile);
        let mut ahead = tiles.ahead.wrapping_offset(tile as isize * tiles.ahead_tile);
        if tiles.prefetches_results {
            for row in 0..R {
                let first = results.wrapping_add(row * results_row).cast_const();
                prefetch(first.cast(), V * T::LANES * size_of::<T>());
            }
        }
        // SAFETY: there are `inner` elements in each of `R` rows of `left` and `inner` rows of `V`
        // vectors in `right`, the last vector as far as its mask. Addresses past the last inner
        // step, and those to prefetch, are computed by wrapping arithmetic and not read.
        let sums = unsafe {
            let mut sums = [[T::splat(T::ZERO); V]; R];
            for _ in 0..inner {
                let mut row = [T::splat(T::ZERO); V];
                for (vector, elements) in row.iter_mut().enumerate() {
                    let from = right.wrapping_add(vector * T::LANES);
                    let is_partial = PARTLY && vector + 1 == V;
                    *elements =
                        if is_partial { T::load(from, tiles.last) } else { T::load_all(from) };
                    if (vector * T::LANES * size_of::<T>()).is_multiple_of(LINE) {
                        let ahead = from.wrapping_offset(T::AHEAD * right_row);
                        _mm_prefetch::<_MM_HINT_T0>(ahead.cast());
                    }
                }
                for (i, sums) in sums.iter_mut().enumerate() {
                    let left = lefts[i / 3].wrapping_offset((i % 3) as isize * left_row);
                    let factor = T::splat(*left);
                    // By index: `Zip` is inlined only if it is compiled in the same codegen unit, or with ThinLTO.
                    for vector in 0..V {
                        sums[vector] = T::fmadd(factor, row[vector], sums[vector]);
                    }
                }
                for left in &mut lefts {
                    *left = left.wrapping_offset(tiles.left_column);
                }
                right = right.wrapping_offset(right_row);
                _mm_prefetch::<_MM_HINT_T1>(ahead.cast());
                ahead = ahead.wrapping_add(tiles.ahead_step);
            }
            sums
        };
        // SAFETY: there are `R` rows of `V` vectors in `results`, as above.
        unsafe {
            let added = tiles.added(tile * V * T::LANES);
            store_tile(&sums, results, results_row, added, PARTLY.then_some(tiles.last));
        }
    }
}

/// The body of the [`TileFn`] for one tile of [`TALL`] rows and one vector.
///
/// # Safety
///
/// As for [`TileFn`].
#[inline(always)]
pub(super) unsafe fn tall_tile<T: Vectors<I>, I>(tiles: &Tiles<T>) {
    let Tiles { left_row, right_row, last, mut right, .. } = *tiles;
    // One address serves three rows.
    let mut lefts: [*const T; TALL.div_ceil(3)] = [tiles.left; _];
    for (group, left) in lefts.iter_mut().enumerate() {
        *left = left.wrapping_offset(3 * group as isize * left_row);
    }
    // SAFETY: there are `inner` elements in each of the rows of the left side and `inner` vectors in the
    // right side, as far as the mask. Addresses past the last inner step are not read.
    let sums = unsafe {
        let mut sums = [[T::splat(T::ZERO)]; TALL];
        for _ in 0..tiles.inner {
            let elements = T::load(right, last);
            for (i, [sum]) in sums.iter_mut().enumerate() {
                let left = lefts[i / 3].wrapping_offset((i % 3) as isize * left_row);
                *sum = T::fmadd(T::splat(*left), elements, *sum);
            }
            for left in &mut lefts {
                *left = left.wrapping_offset(tiles.left_column);
            }
            right = right.wrapping_offset(right_row);
        }
        sums
    };
    // SAFETY: the results have the rows of one vector, as far as the mask.
    unsafe { store_tile(&sums, tiles.results, tiles.results_row, tiles.added(0), Some(last)) };
}

impl<T> Tiles<T> {
    /// The addend from a column on, and its row stride.
    #[inline(always)]
    pub(super) fn added(&self, column: usize) -> Option<(*const T, usize)> {
        (!self.added.is_null()).then(|| (self.added.wrapping_add(column), self.added_row))
    }
}

/// Writes the sums of a tile, plus the addend, to the results; of the last vectors the lanes of a mask.
///
/// # Safety
///
/// The instruction set is available. The results have room for `R` rows of `V` vectors, and the addend, if there is one,
/// has an element for each result.
#[inline(always)]
pub(super) unsafe fn store_tile<T: Vectors<I>, I, const R: usize, const V: usize>(
    sums: &[[T::Vector; V]; R],
    results: *mut T,
    row: usize,
    added: Option<(*const T, usize)>,
    last: Option<Lanes>,
) {
    for (i, sums) in sums.iter().enumerate() {
        for (vector, &sum) in sums.iter().enumerate() {
            // SAFETY: as the caller promises.
            unsafe {
                let mask = if vector + 1 == V { last } else { None };
                let load = |from| match mask {
                    Some(mask) => T::load(from, mask),
                    None => T::load_all(from),
                };
                let sum = match added {
                    Some((first, row)) => {
                        let added = load(first.add(i * row + vector * T::LANES));
                        <T as Vectors<I>>::add(sum, added)
                    }
                    None => sum,
                };
                let to = results.add(i * row + vector * T::LANES);
                match mask {
                    Some(mask) => T::store(sum, to, mask),
                    None => T::store_all(sum, to),
                }
            }
        }
    }
}
