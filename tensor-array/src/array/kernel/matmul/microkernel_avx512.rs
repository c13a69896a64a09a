//! The AVX-512 micro-kernels: a tile of up to MR rows by NR vectors, with its sums in registers.
//!
//! Of 32 registers 24 hold sums, 4 a row of the right side and one a broadcast element of the left
//! side, so that 24 multiply-adds are paired with 10 loads: two of either start in a cycle, and a sum is
//! ready for the next multiply-add after four cycles.

use core::arch::asm;
use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::squares_avx512::{transpose_f32, transpose_f64};
use crate::element::Number;

/// The maximum number of rows of a tile.
pub(super) const MR: usize = 6;
/// The maximum number of vectors of a row.
pub(super) const NR_VECTORS: usize = 4;
/// The number of rows of a tile of one vector: the number of multiply-adds in flight at a time, of which `MR`
/// rows are three quarters.
pub(super) const TALL: usize = 8;

/// The number of inner steps by which the right side is prefetched into L1 in advance.
const AHEAD: isize = 8;

/// Where in a cache line the loop of a full tile starts is worth 5% (Sapphire Rapids, benchmark
/// `products`). A loop of at least this many steps is long.
const MANY: usize = 128;
/// Long loops start at the start of a cache line.
const BEGINS_LONG: usize = 64;
/// Shorter loops do not.
const BEGINS_SHORT: usize = 48;

/// A mask of the lanes of a vector, one bit for each.
pub(in super::super) type Lanes = u16;

/// All lanes.
pub(super) const ALL_LANES: Lanes = u16::MAX;

/// The mask of a range of lanes, at most 16.
#[inline(always)]
pub(in super::super) fn lanes_in(lanes: core::ops::Range<usize>) -> Lanes {
    let below = |lane: usize| (1_u32 << lane) - 1;
    (below(lanes.end) & !below(lanes.start)) as Lanes
}

/// Whether AVX-512 is available.
#[inline]
pub(in crate::array::kernel) fn is_available() -> bool {
    std::arch::is_x86_feature_detected!("avx512f")
}

/// An element type with vectors of 512 bits.
pub(in crate::array::kernel) trait Avx512Element: Number {
    type Vector: Copy;
    /// The number of elements of a vector.
    const LANES: usize;
    /// The micro-kernels for `1 + row` rows and `1 + column` vectors, the last of them full or partial.
    const MICROKERNELS: [[[unsafe fn(&Tiles<Self>); 2]; NR_VECTORS]; MR] = microkernels();
    /// The micro-kernel for [`TALL`] rows and one vector, full or partial.
    const TALL_MICROKERNEL: unsafe fn(&Tiles<Self>) = microkernel_tall::<Self>;

    /// # Safety
    ///
    /// AVX-512 is available, as for all methods.
    unsafe fn splat(element: Self) -> Self::Vector;
    /// Loads the elements of the lanes in the mask, and reads no others; the other lanes are zero.
    ///
    /// # Safety
    ///
    /// The lanes of the mask are readable elements.
    unsafe fn load(from: *const Self, mask: u16) -> Self::Vector;
    /// [`load`](Avx512Element::load), with the lanes of another vector instead of zeros.
    ///
    /// # Safety
    ///
    /// The lanes of the mask are readable elements.
    unsafe fn load_into(vector: Self::Vector, from: *const Self, mask: u16) -> Self::Vector;
    /// # Safety
    ///
    /// The lanes of the mask are writable elements.
    unsafe fn store(vector: Self::Vector, to: *mut Self, mask: u16);
    /// The lanes of the mask, moved together to the front, followed by zeros.
    ///
    /// # Safety
    ///
    /// As for [`splat`](Avx512Element::splat).
    unsafe fn compress(vector: Self::Vector, mask: u16) -> Self::Vector;
    /// The sum of the lanes, in tree order.
    ///
    /// # Safety
    ///
    /// As for [`splat`](Avx512Element::splat).
    unsafe fn sum_of_lanes(vector: Self::Vector) -> Self;
    /// `a * b + sum`.
    ///
    /// # Safety
    ///
    /// As for [`splat`](Avx512Element::splat).
    unsafe fn fmadd(a: Self::Vector, b: Self::Vector, sum: Self::Vector) -> Self::Vector;
    /// Computes `count` inner steps of a full tile; `count` is not 0.
    ///
    /// # Safety
    ///
    /// AVX-512 is available. There are `count` elements in each of `MR` rows of the left side, and
    /// `count` rows of `NR_VECTORS` vectors in the right side.
    unsafe fn steps<const BEGIN: usize>(
        count: usize,
        tiles: &Tiles<Self>,
        place: &mut TileCursor<Self>,
        sums: &mut [[Self::Vector; NR_VECTORS]; MR],
    );
    /// # Safety
    ///
    /// As for [`splat`](Avx512Element::splat).
    unsafe fn add(a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Writes the first elements of some contiguous columns as rows of a whole vector: `steps` rows,
    /// `row` slots apart. If there are fewer columns than lanes, the last one is repeated.
    ///
    /// # Safety
    ///
    /// AVX-512 is available. There are `steps` elements in each of the columns, which are `column`
    /// elements apart, and room for the rows; both numbers are from 1 to the number of lanes.
    unsafe fn transpose(
        from: *const Self,
        column: isize,
        sizes: [usize; 2],
        to: *mut MaybeUninit<Self>,
        row: usize,
    );
}

/// Generates a row of a tile in an inner step: an element of the left side times four vectors of the right,
/// which are in the registers from 24 on, summed in four registers; and a prefetch.
#[rustfmt::skip]
macro_rules! row {
    (
        $one:literal $all:literal, $left:literal,
        $a:literal $b:literal $c:literal $d:literal, $fetch:literal
    ) => {
        concat!(
            "vbroadcast", $one, " zmm28, [", $left, "]\n",
            "vfmadd231", $all, " zmm", $a, ", zmm28, zmm24\n",
            $fetch, "\n",
            "vfmadd231", $all, " zmm", $b, ", zmm28, zmm25\n",
            "vfmadd231", $all, " zmm", $c, ", zmm28, zmm26\n",
            "vfmadd231", $all, " zmm", $d, ", zmm28, zmm27",
        )
    };
}

/// Implements [`Avx512Element`] by the intrinsics of a type. All are inlined into [`microkernel`] and
/// [`microkernel_full`], which enable AVX-512.
macro_rules! avx512_elements {
    (
        impl Avx512Element for $T:ident: [$Vector:ident; $lanes:literal], $Mask:ident,
        $splat:ident $load:ident $load_into:ident $store:ident $compress:ident $sum:ident $fmadd:ident $add:ident,
        $transpose:ident,
        $one:literal $all:literal
    ) => {
        // SAFETY for all of these: the intrinsics require AVX-512, readable elements and writable
        // room, and nothing else; the callers of these methods promise that.
        impl Avx512Element for $T {
            type Vector = $Vector;
            const LANES: usize = $lanes;

            #[inline(always)]
            unsafe fn splat(element: Self) -> $Vector {
                // SAFETY: see above.
                unsafe { $splat(element) }
            }

            #[inline(always)]
            unsafe fn load(from: *const Self, mask: u16) -> $Vector {
                // SAFETY: see above.
                unsafe { $load(mask as $Mask, from) }
            }

            #[inline(always)]
            unsafe fn load_into(vector: $Vector, from: *const Self, mask: u16) -> $Vector {
                // SAFETY: see above.
                unsafe { $load_into(vector, mask as $Mask, from) }
            }

            #[inline(always)]
            unsafe fn store(vector: $Vector, to: *mut Self, mask: u16) {
                // SAFETY: see above.
                unsafe { $store(to, mask as $Mask, vector) }
            }

            #[inline(always)]
            unsafe fn compress(vector: $Vector, mask: u16) -> $Vector {
                // SAFETY: see above.
                unsafe { $compress(mask as $Mask, vector) }
            }

            #[inline(always)]
            unsafe fn sum_of_lanes(vector: $Vector) -> Self {
                // SAFETY: see above.
                unsafe { $sum(vector) }
            }

            #[inline(always)]
            unsafe fn fmadd(a: $Vector, b: $Vector, sum: $Vector) -> $Vector {
                // SAFETY: see above.
                unsafe { $fmadd(a, b, sum) }
            }

            #[inline(always)]
            unsafe fn add(a: $Vector, b: $Vector) -> $Vector {
                // SAFETY: see above.
                unsafe { $add(a, b) }
            }

            unsafe fn transpose(
                from: *const Self,
                column: isize,
                sizes: [usize; 2],
                to: *mut MaybeUninit<Self>,
                row: usize,
            ) {
                // SAFETY: see above.
                unsafe { $transpose(from, column, sizes, to.cast(), row) }
            }

            #[inline]
            #[target_feature(enable = "avx512f")]
            unsafe fn steps<const BEGIN: usize>(
                count: usize,
                tiles: &Tiles<Self>,
                place: &mut TileCursor<Self>,
                sums: &mut [[$Vector; NR_VECTORS]; MR],
            ) {
                let bytes = size_of::<Self>() as isize;
                let row = tiles.left_row * bytes;
                // SAFETY: see above. Any address may be prefetched.
                unsafe {
                    asm!(
                        ".p2align 6",
                        ".nops {begin}",
                        "2:",
                        concat!("vmovu", $all, " zmm24, [{right}]"),
                        concat!("vmovu", $all, " zmm25, [{right} + 64]"),
                        concat!("vmovu", $all, " zmm26, [{right} + 128]"),
                        concat!("vmovu", $all, " zmm27, [{right} + 192]"),
                        row!($one $all, "{left}", 0 1 2 3, "prefetcht1 [{ahead}]"),
                        row!($one $all, "{left} + {row}", 4 5 6 7, "prefetcht0 [{right} + {next}]"),
                        row!($one $all, "{left} + 2*{row}", 8 9 10 11,
                            "prefetcht0 [{right} + {next} + 64]"),
                        row!($one $all, "{lower}", 12 13 14 15,
                            "prefetcht0 [{right} + {next} + 128]"),
                        row!($one $all, "{lower} + {row}", 16 17 18 19,
                            "prefetcht0 [{right} + {next} + 192]"),
                        row!($one $all, "{lower} + 2*{row}", 20 21 22 23, ""),
                        "add {right}, {right_row}",
                        "add {left}, {column}",
                        "add {lower}, {column}",
                        "add {ahead}, {ahead_step}",
                        "dec {count}",
                        "jnz 2b",
                        begin = const BEGIN,
                        count = inout(reg) count => _,
                        left = inout(reg) place.left,
                        lower = inout(reg) place.left.wrapping_offset(3 * tiles.left_row) => _,
                        row = in(reg) row,
                        column = in(reg) tiles.left_column * bytes,
                        right = inout(reg) place.right,
                        right_row = in(reg) tiles.right_row * bytes,
                        next = in(reg) AHEAD * tiles.right_row * bytes,
                        ahead = inout(reg) place.ahead,
                        ahead_step = in(reg) tiles.ahead_step as isize * bytes,
                        inout("zmm0") sums[0][0],
                        inout("zmm1") sums[0][1],
                        inout("zmm2") sums[0][2],
                        inout("zmm3") sums[0][3],
                        inout("zmm4") sums[1][0],
                        inout("zmm5") sums[1][1],
                        inout("zmm6") sums[1][2],
                        inout("zmm7") sums[1][3],
                        inout("zmm8") sums[2][0],
                        inout("zmm9") sums[2][1],
                        inout("zmm10") sums[2][2],
                        inout("zmm11") sums[2][3],
                        inout("zmm12") sums[3][0],
                        inout("zmm13") sums[3][1],
                        inout("zmm14") sums[3][2],
                        inout("zmm15") sums[3][3],
                        inout("zmm16") sums[4][0],
                        inout("zmm17") sums[4][1],
                        inout("zmm18") sums[4][2],
                        inout("zmm19") sums[4][3],
                        inout("zmm20") sums[5][0],
                        inout("zmm21") sums[5][1],
                        inout("zmm22") sums[5][2],
                        inout("zmm23") sums[5][3],
                        out("zmm24") _, out("zmm25") _, out("zmm26") _, out("zmm27") _,
                        out("zmm28") _,
                        options(readonly, nostack),
                    );
                }
            }
        }
    };
}

avx512_elements! {
    impl Avx512Element for f32: [__m512; 16], __mmask16,
    _mm512_set1_ps _mm512_maskz_loadu_ps _mm512_mask_loadu_ps _mm512_mask_storeu_ps
    _mm512_maskz_compress_ps _mm512_reduce_add_ps
    _mm512_fmadd_ps _mm512_add_ps,
    transpose_f32,
    "ss" "ps"
}

avx512_elements! {
    impl Avx512Element for f64: [__m512d; 8], __mmask8,
    _mm512_set1_pd _mm512_maskz_loadu_pd _mm512_mask_loadu_pd _mm512_mask_storeu_pd
    _mm512_maskz_compress_pd _mm512_reduce_add_pd
    _mm512_fmadd_pd _mm512_add_pd,
    transpose_f64,
    "sd" "pd"
}

/// The inputs and outputs of a row of tiles; strides in elements.
pub(in crate::array::kernel) struct Tiles<T> {
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
pub(in crate::array::kernel) struct TileCursor<T> {
    left: *const T,
    right: *const T,
    ahead: *const T,
}

/// The product of `R` rows of the left side with `V` vectors of the right side, tile by tile.
///
/// # Safety
///
/// AVX-512 is available. The elements of the tiles and the addend may be read, the results written.
#[target_feature(enable = "avx512f")]
unsafe fn microkernel<T: Avx512Element, const R: usize, const V: usize, const PARTLY: bool>(
    tiles: &Tiles<T>,
) {
    let mask = |vector: usize| if PARTLY && vector + 1 == V { tiles.last } else { u16::MAX };
    let Tiles { left_row, right_row, results_row, inner, .. } = *tiles;
    for tile in 0..tiles.count {
        let results = tiles.results.wrapping_add(tile * V * T::LANES);
        let mut left = tiles.left;
        let mut right = tiles.right.wrapping_add(tile * tiles.right_tile);
        // SAFETY: there are `inner` elements in each of `R` rows of `left` and `inner` rows of `V`
        // vectors in `right`, the last vector as far as its mask. Addresses past the last inner
        // step, and those to prefetch, are computed by wrapping arithmetic and not read.
        let sums = unsafe {
            let mut sums = [[T::splat(T::ZERO); V]; R];
            for _ in 0..inner {
                let mut row = [T::splat(T::ZERO); V];
                for (vector, elements) in row.iter_mut().enumerate() {
                    *elements = T::load(right.wrapping_add(vector * T::LANES), mask(vector));
                    let ahead = right.wrapping_offset(AHEAD * right_row);
                    _mm_prefetch::<_MM_HINT_T0>(ahead.wrapping_add(vector * T::LANES).cast());
                }
                for (i, sums) in sums.iter_mut().enumerate() {
                    let factor = T::splat(*left.wrapping_offset(i as isize * left_row));
                    for (sum, &elements) in sums.iter_mut().zip(&row) {
                        *sum = T::fmadd(factor, elements, *sum);
                    }
                }
                left = left.wrapping_offset(tiles.left_column);
                right = right.wrapping_offset(right_row);
            }
            sums
        };
        // SAFETY: there are `R` rows of `V` vectors in `results`, as above.
        unsafe { store_tile(&sums, results, results_row, tiles.added(tile * V * T::LANES), mask) };
    }
}

/// [`microkernel`] for one tile of [`TALL`] rows and one vector.
///
/// # Safety
///
/// As for [`microkernel`].
#[target_feature(enable = "avx512f")]
unsafe fn microkernel_tall<T: Avx512Element>(tiles: &Tiles<T>) {
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
    unsafe { store_tile(&sums, tiles.results, tiles.results_row, tiles.added(0), |_| last) };
}

impl<T> Tiles<T> {
    /// The addend from a column on, and its row stride.
    #[inline(always)]
    fn added(&self, column: usize) -> Option<(*const T, usize)> {
        (!self.added.is_null()).then(|| (self.added.wrapping_add(column), self.added_row))
    }
}

/// Writes the sums of a tile, plus the addend, to the results.
///
/// # Safety
///
/// AVX-512 is available. The results have room for `R` rows of `V` vectors, and the addend, if there is one,
/// has an element for each result.
#[inline(always)]
unsafe fn store_tile<T: Avx512Element, const R: usize, const V: usize>(
    sums: &[[T::Vector; V]; R],
    results: *mut T,
    row: usize,
    added: Option<(*const T, usize)>,
    mask: impl Fn(usize) -> u16,
) {
    for (i, sums) in sums.iter().enumerate() {
        for (vector, &sum) in sums.iter().enumerate() {
            // SAFETY: as the caller promises.
            unsafe {
                let mask = mask(vector);
                let sum = match added {
                    Some((first, row)) => {
                        let added = T::load(first.add(i * row + vector * T::LANES), mask);
                        <T as Avx512Element>::add(sum, added)
                    }
                    None => sum,
                };
                T::store(sum, results.add(i * row + vector * T::LANES), mask);
            }
        }
    }
}

/// [`microkernel`] for tiles of the full size, which large products mostly consist of. Its loop is written in
/// assembly: compilers use twice as many instructions for addresses, some of them in the units that
/// multiply, and do not align it.
///
/// # Safety
///
/// As for [`microkernel`].
#[target_feature(enable = "avx512f")]
unsafe fn microkernel_full<T: Avx512Element>(tiles: &Tiles<T>) {
    let Tiles { results_row, inner, .. } = *tiles;
    let prefetched = if tiles.prefetches_results { inner.min(MR) } else { 0 };
    for tile in 0..tiles.count {
        let results = tiles.results.wrapping_add(tile * NR_VECTORS * T::LANES);
        let mut place = TileCursor {
            left: tiles.left,
            right: tiles.right.wrapping_add(tile * tiles.right_tile),
            ahead: tiles.ahead.wrapping_offset(tile as isize * tiles.ahead_tile),
        };
        // SAFETY: AVX-512 is available, as the caller promises.
        let mut sums = [[unsafe { T::splat(T::ZERO) }; NR_VECTORS]; MR];
        for i in 0..prefetched {
            // Prefetched row by row: all at once would exceed the line fill buffers of L1.
            for vector in 0..NR_VECTORS {
                let line = results.wrapping_add(i * results_row + vector * T::LANES);
                _mm_prefetch::<_MM_HINT_T0>(line.cast_const().cast());
            }
            // SAFETY: there are `inner` elements in each of the rows of the left side, and `inner`
            // rows of full vectors in the right side.
            unsafe { T::steps::<BEGINS_SHORT>(1, tiles, &mut place, &mut sums) };
        }
        let count = inner - prefetched;
        // SAFETY: as above.
        unsafe {
            if count >= MANY {
                T::steps::<BEGINS_LONG>(count, tiles, &mut place, &mut sums);
            } else if count > 0 {
                T::steps::<BEGINS_SHORT>(count, tiles, &mut place, &mut sums);
            }
        }
        // SAFETY: the results have room for full vectors.
        unsafe {
            let added = tiles.added(tile * NR_VECTORS * T::LANES);
            store_tile(&sums, results, results_row, added, |_| u16::MAX);
        }
    }
}

/// The micro-kernels for tiles of every size.
const fn microkernels<T: Avx512Element>() -> [[[unsafe fn(&Tiles<T>); 2]; NR_VECTORS]; MR] {
    macro_rules! rows {
        ($($rows:literal)*) => { [$(columns!($rows: 1 2 3 4)),*] };
    }
    macro_rules! columns {
        ($rows:literal: $($vectors:literal)*) => {
            [$([microkernel::<T, $rows, $vectors, false>, microkernel::<T, $rows, $vectors, true>]),*]
        };
    }
    let mut kernels = rows!(1 2 3 4 5 6);
    kernels[MR - 1][NR_VECTORS - 1][0] = microkernel_full::<T>;
    kernels
}
