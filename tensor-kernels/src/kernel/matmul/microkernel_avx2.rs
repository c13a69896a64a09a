//! The micro-kernels of AVX2 with fused multiply-adds.
//!
//! Of 16 registers 12 hold sums, 2 a row of the right side and one a broadcast element of the left side, so
//! that 12 multiply-adds are paired with 8 loads.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::microkernel::{Lanes, MR, Microkernels, TileFn, Tiles, Vectors, tall_tile, tiles_of};
use crate::arrays;

/// The vectors of AVX2.
pub(super) struct Avx2;

/// The maximum number of vectors of a row.
const NR_VECTORS: usize = 2;

/// Whether AVX2 and FMA are available.
#[inline]
pub(super) fn is_available() -> bool {
    std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma")
}

/// An element type with vectors of 256 bits.
pub(super) trait Avx2Element: Vectors<Avx2> {
    /// See [`Microkernels::transpose`].
    ///
    /// # Safety
    ///
    /// As there.
    unsafe fn transpose_square(
        from: *const Self,
        column: isize,
        sizes: [usize; 2],
        to: *mut MaybeUninit<Self>,
        row: usize,
    );
}

/// Implements [`Vectors`] by the intrinsics of a type. All are inlined into [`microkernel`] and
/// [`microkernel_tall`], which enable AVX2 and FMA.
macro_rules! avx2_elements {
    ($(
        $T:ident: [$Vector:ident; $lanes:literal], $mask:ident,
        $splat:ident $load_all:ident $load:ident $store_all:ident $store:ident $fmadd:ident $add:ident;
    )*) => {$(
        // SAFETY for all of these: the intrinsics require AVX2 and FMA, readable elements and writable
        // room, and nothing else; the callers of these methods promise that.
        impl Vectors<Avx2> for $T {
            type Vector = $Vector;
            const LANES: usize = $lanes;
            const AHEAD: isize = 16;

            #[inline(always)]
            unsafe fn splat(element: Self) -> $Vector {
                // SAFETY: see above.
                unsafe { $splat(element) }
            }

            #[inline(always)]
            unsafe fn load(from: *const Self, mask: Lanes) -> $Vector {
                // SAFETY: see above.
                unsafe { $load(from, $mask(mask)) }
            }

            #[inline(always)]
            unsafe fn load_all(from: *const Self) -> $Vector {
                // SAFETY: see above.
                unsafe { $load_all(from) }
            }

            #[inline(always)]
            unsafe fn store(vector: $Vector, to: *mut Self, mask: Lanes) {
                // SAFETY: see above.
                unsafe { $store(to, $mask(mask), vector) }
            }

            #[inline(always)]
            unsafe fn store_all(vector: $Vector, to: *mut Self) {
                // SAFETY: see above.
                unsafe { $store_all(to, vector) }
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
        }
    )*};
}

avx2_elements! {
    f32: [__m256; 8], mask_of_32_bits,
    _mm256_set1_ps _mm256_loadu_ps _mm256_maskload_ps _mm256_storeu_ps _mm256_maskstore_ps
    _mm256_fmadd_ps _mm256_add_ps;
    f64: [__m256d; 4], mask_of_64_bits,
    _mm256_set1_pd _mm256_loadu_pd _mm256_maskload_pd _mm256_storeu_pd _mm256_maskstore_pd
    _mm256_fmadd_pd _mm256_add_pd;
}

/// The mask of AVX2 for lanes of 32 bits: all bits of the lanes.
#[inline]
#[target_feature(enable = "avx2")]
fn mask_of_32_bits(lanes: Lanes) -> __m256i {
    let bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(i32::from(lanes)), bits), bits)
}

/// [`mask_of_32_bits`] for lanes of 64 bits.
#[inline]
#[target_feature(enable = "avx2")]
fn mask_of_64_bits(lanes: Lanes) -> __m256i {
    let bits = _mm256_setr_epi64x(1, 2, 4, 8);
    _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(i64::from(lanes)), bits), bits)
}

/// [`TileFn`]
///
/// # Safety
///
/// As there, for AVX2 and FMA.
#[target_feature(enable = "avx2,fma")]
unsafe fn microkernel<T: Vectors<Avx2>, const R: usize, const V: usize, const PARTLY: bool>(
    tiles: &Tiles<T>,
) {
    // SAFETY: as the caller promises.
    unsafe { tiles_of::<T, Avx2, R, V, PARTLY>(tiles) }
}

/// [`Microkernels::TALL_MICROKERNEL`]
///
/// # Safety
///
/// As for [`TileFn`], for AVX2 and FMA.
#[target_feature(enable = "avx2,fma")]
unsafe fn microkernel_tall<T: Vectors<Avx2>>(tiles: &Tiles<T>) {
    // SAFETY: as the caller promises.
    unsafe { tall_tile::<T, Avx2>(tiles) }
}

/// The micro-kernels for tiles of every size: `[rows - 1][vectors - 1][is_partial]`.
const fn microkernels<T: Vectors<Avx2>>() -> [[[TileFn<T>; 2]; NR_VECTORS]; MR] {
    macro_rules! rows {
        ($($rows:literal)*) => {[$([
            [microkernel::<T, $rows, 1, false>, microkernel::<T, $rows, 1, true>],
            [microkernel::<T, $rows, 2, false>, microkernel::<T, $rows, 2, true>],
        ]),*]};
    }
    rows!(1 2 3 4 5 6)
}

impl<T: Avx2Element> Microkernels<Avx2> for T {
    const NR_VECTORS: usize = NR_VECTORS;
    const TALL_MICROKERNEL: TileFn<Self> = microkernel_tall::<Self>;

    fn is_available() -> bool {
        is_available()
    }

    #[inline]
    fn microkernel(rows: usize, vectors: usize, is_partial: bool) -> TileFn<Self> {
        let kernels = const { &microkernels::<Self>() };
        kernels[rows - 1][vectors - 1][usize::from(is_partial)]
    }

    unsafe fn transpose(
        from: *const Self,
        column: isize,
        sizes: [usize; 2],
        to: *mut MaybeUninit<Self>,
        row: usize,
    ) {
        // SAFETY: as the caller promises.
        unsafe { Self::transpose_square(from, column, sizes, to, row) }
    }
}

impl Avx2Element for f32 {
    #[target_feature(enable = "avx2,fma")]
    unsafe fn transpose_square(
        from: *const f32,
        column: isize,
        [steps, columns]: [usize; 2],
        to: *mut MaybeUninit<f32>,
        row: usize,
    ) {
        let mask = Lanes::MAX >> (16 - steps);
        let columns: [__m256; 8] = arrays::from_fn(|j| {
            let position = from.wrapping_offset(j.min(columns - 1) as isize * column);
            // SAFETY: the column has `steps` elements, which the mask selects.
            unsafe { <f32 as Vectors<Avx2>>::load(position, mask) }
        });
        // In each half of the vectors, the elements of two columns side by side, then those of four.
        let pairs = |a, b| [_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b)];
        let fours = |[a, b, c, d]: [__m256; 4]| {
            let ([low, high], [low_too, high_too]) = (pairs(a, b), pairs(c, d));
            [
                _mm256_shuffle_ps::<0x44>(low, low_too),
                _mm256_shuffle_ps::<0xee>(low, low_too),
                _mm256_shuffle_ps::<0x44>(high, high_too),
                _mm256_shuffle_ps::<0xee>(high, high_too),
            ]
        };
        let [a, b, c, d, e, f, g, h] = columns;
        let (first, second) = (fours([a, b, c, d]), fours([e, f, g, h]));
        for step in 0..4 {
            let (first, second) = (first[step], second[step]);
            let rows = [
                (step, _mm256_permute2f128_ps::<0x20>(first, second)),
                (step + 4, _mm256_permute2f128_ps::<0x31>(first, second)),
            ];
            for (l, vector) in rows {
                if l < steps {
                    // SAFETY: there is room for a row of each step, as the caller promises.
                    unsafe { _mm256_storeu_ps(to.add(l * row).cast(), vector) };
                }
            }
        }
    }
}

impl Avx2Element for f64 {
    #[target_feature(enable = "avx2,fma")]
    unsafe fn transpose_square(
        from: *const f64,
        column: isize,
        [steps, columns]: [usize; 2],
        to: *mut MaybeUninit<f64>,
        row: usize,
    ) {
        let mask = Lanes::MAX >> (16 - steps);
        let [a, b, c, d]: [__m256d; 4] = arrays::from_fn(|j| {
            let position = from.wrapping_offset(j.min(columns - 1) as isize * column);
            // SAFETY: the column has `steps` elements, which the mask selects.
            unsafe { <f64 as Vectors<Avx2>>::load(position, mask) }
        });
        let first = [_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b)];
        let second = [_mm256_unpacklo_pd(c, d), _mm256_unpackhi_pd(c, d)];
        for step in 0..2 {
            let (first, second) = (first[step], second[step]);
            let rows = [
                (step, _mm256_permute2f128_pd::<0x20>(first, second)),
                (step + 2, _mm256_permute2f128_pd::<0x31>(first, second)),
            ];
            for (l, vector) in rows {
                if l < steps {
                    // SAFETY: there is room for a row of each step, as the caller promises.
                    unsafe { _mm256_storeu_pd(to.add(l * row).cast(), vector) };
                }
            }
        }
    }
}
