//! The micro-kernels of AVX-512.
//!
//! Of 32 registers 24 hold sums, 4 a row of the right side and one a broadcast element of the left
//! side, so that 24 multiply-adds are paired with 10 loads: two of either start in a cycle, and a sum is
//! ready for the next multiply-add after four cycles.

use core::arch::asm;
use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::microkernel::{
    Lanes, MR, Microkernels, TileCursor, TileFn, Tiles, Vectors, store_tile, tall_tile, tiles_of,
};
use super::squares_avx512::{transpose_f32, transpose_f64};
use crate::ops::InstructionSet;

/// The vectors of AVX-512.
pub(in crate::kernel) struct Avx512;

/// The maximum number of vectors of a row.
const NR_VECTORS: usize = 4;

/// See [`Vectors::AHEAD`].
const AHEAD: isize = 8;

/// Where in a cache line the loop of a full tile starts is worth 5% (Sapphire Rapids, benchmark
/// `products`). A loop of at least this many steps is long.
const MANY: usize = 128;
/// Long loops start at the start of a cache line.
const BEGINS_LONG: usize = 64;
/// Shorter loops do not.
const BEGINS_SHORT: usize = 48;

/// The mask of a range of lanes, at most 16.
#[inline(always)]
pub(in super::super) fn lanes_in(lanes: core::ops::Range<usize>) -> Lanes {
    let below = |lane: usize| (1_u32 << lane) - 1;
    (below(lanes.end) & !below(lanes.start)) as Lanes
}

/// Whether AVX-512 is available.
#[inline]
pub(in crate::kernel) fn is_available() -> bool {
    InstructionSet::of_this_machine() == InstructionSet::Avx512
}

/// An element type with vectors of 512 bits.
pub(in crate::kernel) trait Avx512Element: Vectors<Avx512> {
    /// [`load`](Vectors::load), with the lanes of another vector instead of zeros.
    ///
    /// # Safety
    ///
    /// AVX-512 is available, as for all methods. The lanes of the mask are readable elements.
    unsafe fn load_into(vector: Self::Vector, from: *const Self, mask: Lanes) -> Self::Vector;
    /// The lanes of the mask, moved together to the front, followed by zeros.
    ///
    /// # Safety
    ///
    /// AVX-512 is available.
    unsafe fn compress(vector: Self::Vector, mask: Lanes) -> Self::Vector;
    /// The sum of the lanes, in tree order.
    ///
    /// # Safety
    ///
    /// AVX-512 is available.
    unsafe fn sum_of_lanes(vector: Self::Vector) -> Self;
    /// Computes `count` inner steps of a full tile; `count` is not 0.
    ///
    /// # Safety
    ///
    /// AVX-512 is available. There are `count` elements in each of `MR` rows of the left side, and
    /// `count` rows of `NR_VECTORS` vectors in the right side.
    unsafe fn steps<const BEGIN: usize>(
        count: usize,
        tiles: &Tiles<Self>,
        position: &mut TileCursor<Self>,
        sums: &mut [[Self::Vector; NR_VECTORS]; MR],
    );
    /// See [`Microkernels::transpose`].
    ///
    /// # Safety
    ///
    /// As there.
    unsafe fn transpose_squares(
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

/// Implements [`Vectors`] and [`Avx512Element`] by the intrinsics of a type. All are inlined into
/// [`microkernel`] and [`microkernel_full`], which enable AVX-512.
macro_rules! avx512_elements {
    (
        impl Avx512Element for $T:ident: [$Vector:ident; $lanes:literal], $Mask:ident,
        $splat:ident $load_all:ident $load:ident $load_into:ident $store_all:ident $store:ident
        $compress:ident $sum:ident $fmadd:ident $add:ident,
        $transpose:ident,
        $one:literal $all:literal
    ) => {
        // SAFETY for all of these: the intrinsics require AVX-512, readable elements and writable
        // room, and nothing else; the callers of these methods promise that.
        impl Vectors<Avx512> for $T {
            type Vector = $Vector;
            const LANES: usize = $lanes;
            const AHEAD: isize = AHEAD;

            #[inline(always)]
            unsafe fn splat(element: Self) -> $Vector {
                // SAFETY: see above.
                unsafe { $splat(element) }
            }

            #[inline(always)]
            unsafe fn load(from: *const Self, mask: Lanes) -> $Vector {
                // SAFETY: see above.
                unsafe { $load(mask as $Mask, from) }
            }

            #[inline(always)]
            unsafe fn store(vector: $Vector, to: *mut Self, mask: Lanes) {
                // SAFETY: see above.
                unsafe { $store(to, mask as $Mask, vector) }
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

            #[inline(always)]
            unsafe fn load_all(from: *const Self) -> $Vector {
                // SAFETY: see above.
                unsafe { $load_all(from) }
            }

            #[inline(always)]
            unsafe fn store_all(vector: $Vector, to: *mut Self) {
                // SAFETY: see above.
                unsafe { $store_all(to, vector) }
            }
        }

        impl Avx512Element for $T {
            #[inline(always)]
            unsafe fn load_into(vector: $Vector, from: *const Self, mask: Lanes) -> $Vector {
                // SAFETY: see above.
                unsafe { $load_into(vector, mask as $Mask, from) }
            }

            #[inline(always)]
            unsafe fn compress(vector: $Vector, mask: Lanes) -> $Vector {
                // SAFETY: see above.
                unsafe { $compress(mask as $Mask, vector) }
            }

            #[inline(always)]
            unsafe fn sum_of_lanes(vector: $Vector) -> Self {
                // SAFETY: see above.
                unsafe { $sum(vector) }
            }

            unsafe fn transpose_squares(
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
                position: &mut TileCursor<Self>,
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
                        left = inout(reg) position.left,
                        lower = inout(reg) position.left.wrapping_offset(3 * tiles.left_row) => _,
                        row = in(reg) row,
                        column = in(reg) tiles.left_column * bytes,
                        right = inout(reg) position.right,
                        right_row = in(reg) tiles.right_row * bytes,
                        next = in(reg) AHEAD * tiles.right_row * bytes,
                        ahead = inout(reg) position.ahead,
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
    _mm512_set1_ps _mm512_loadu_ps _mm512_maskz_loadu_ps _mm512_mask_loadu_ps _mm512_storeu_ps
    _mm512_mask_storeu_ps _mm512_maskz_compress_ps _mm512_reduce_add_ps
    _mm512_fmadd_ps _mm512_add_ps,
    transpose_f32,
    "ss" "ps"
}

avx512_elements! {
    impl Avx512Element for f64: [__m512d; 8], __mmask8,
    _mm512_set1_pd _mm512_loadu_pd _mm512_maskz_loadu_pd _mm512_mask_loadu_pd _mm512_storeu_pd
    _mm512_mask_storeu_pd _mm512_maskz_compress_pd _mm512_reduce_add_pd
    _mm512_fmadd_pd _mm512_add_pd,
    transpose_f64,
    "sd" "pd"
}

/// [`TileFn`]
///
/// # Safety
///
/// As there, for AVX-512.
#[target_feature(enable = "avx512f")]
unsafe fn microkernel<T: Avx512Element, const R: usize, const V: usize>(tiles: &Tiles<T>) {
    // SAFETY: as the caller promises.
    unsafe { tiles_of::<T, Avx512, R, V, true>(tiles) }
}

/// [`Microkernels::TALL_MICROKERNEL`]
///
/// # Safety
///
/// As for [`TileFn`], for AVX-512.
#[target_feature(enable = "avx512f")]
unsafe fn microkernel_tall<T: Avx512Element>(tiles: &Tiles<T>) {
    // SAFETY: as the caller promises.
    unsafe { tall_tile::<T, Avx512>(tiles) }
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
        let mut position = TileCursor {
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
            unsafe { T::steps::<BEGINS_SHORT>(1, tiles, &mut position, &mut sums) };
        }
        let count = inner - prefetched;
        // SAFETY: as above.
        unsafe {
            if count >= MANY {
                T::steps::<BEGINS_LONG>(count, tiles, &mut position, &mut sums);
            } else if count > 0 {
                T::steps::<BEGINS_SHORT>(count, tiles, &mut position, &mut sums);
            }
        }
        // SAFETY: the results have room for full vectors.
        unsafe {
            let added = tiles.added(tile * NR_VECTORS * T::LANES);
            store_tile::<T, Avx512, MR, NR_VECTORS>(&sums, results, results_row, added, None);
        }
    }
}

/// The micro-kernels for tiles of every size: `[rows - 1][vectors - 1]`. A mask of all lanes costs nothing, so the last
/// vector may be full.
const fn microkernels<T: Avx512Element>() -> [[TileFn<T>; NR_VECTORS]; MR] {
    macro_rules! rows {
        ($($rows:literal)*) => { [$(columns!($rows: 1 2 3 4)),*] };
    }
    macro_rules! columns {
        ($rows:literal: $($vectors:literal)*) => { [$(microkernel::<T, $rows, $vectors>),*] };
    }
    rows!(1 2 3 4 5 6)
}

impl<T: Avx512Element> Microkernels<Avx512> for T {
    const NR_VECTORS: usize = NR_VECTORS;
    const TALL_MICROKERNEL: TileFn<Self> = microkernel_tall::<Self>;

    fn is_available() -> bool {
        is_available()
    }

    #[inline]
    fn microkernel(rows: usize, vectors: usize, is_partial: bool) -> TileFn<Self> {
        let kernels = const { &microkernels::<Self>() };
        match (rows, vectors, is_partial) {
            (MR, NR_VECTORS, false) => microkernel_full::<Self>,
            _ => kernels[rows - 1][vectors - 1],
        }
    }

    unsafe fn transpose(
        from: *const Self,
        column: isize,
        sizes: [usize; 2],
        to: *mut MaybeUninit<Self>,
        row: usize,
    ) {
        // SAFETY: as the caller promises.
        unsafe { Self::transpose_squares(from, column, sizes, to, row) }
    }
}
