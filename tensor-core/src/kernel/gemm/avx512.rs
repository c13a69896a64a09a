//! The tiles of a product: a few rows by a few vectors, their sums in registers.
//!
//! Of 32 registers 24 hold sums, 4 the right side and one an element of the left side, so that 24
//! multiply-adds go with 10 loads: two of either start in a cycle, and a sum is ready for the next
//! multiply-add after four.

use core::arch::x86_64::*;

use crate::element::Number;

/// The most rows of a tile.
pub(in crate::kernel) const ROWS: usize = 6;
/// The most vectors of a row.
pub(in crate::kernel) const VECTORS: usize = 4;

/// How many inner steps ahead the right side is brought into the first cache.
const AHEAD: isize = 8;

/// Whether this machine has the instructions.
#[inline]
pub(in crate::kernel) fn is_available() -> bool {
    std::arch::is_x86_feature_detected!("avx512f")
}

/// A type of elements with vectors of 512 bits.
pub(in crate::kernel) trait Lanes: Number {
    type Vector: Copy;
    /// How many elements a vector holds.
    const LANES: usize;
    /// The tiles of `1 + row` rows and `1 + column` vectors.
    const TILES: [[unsafe fn(&Tile<Self>); VECTORS]; ROWS] = tiles();

    /// # Safety
    ///
    /// The machine has AVX-512, as for all of these.
    unsafe fn splat(element: Self) -> Self::Vector;
    /// The elements of the lanes in the mask, which are all that is read; zero in the others.
    ///
    /// # Safety
    ///
    /// There are elements to read in the lanes of the mask.
    unsafe fn load(from: *const Self, mask: u16) -> Self::Vector;
    /// # Safety
    ///
    /// There is room for elements in the lanes of the mask.
    unsafe fn store(vector: Self::Vector, to: *mut Self, mask: u16);
    /// `a * b + sum`.
    ///
    /// # Safety
    ///
    /// As for [`splat`](Lanes::splat).
    unsafe fn multiply_add(a: Self::Vector, b: Self::Vector, sum: Self::Vector) -> Self::Vector;
    /// # Safety
    ///
    /// As for [`splat`](Lanes::splat).
    unsafe fn add(a: Self::Vector, b: Self::Vector) -> Self::Vector;
}

/// `Lanes` by the intrinsics of a type. All are inlined into [`tile`], which enables AVX-512.
macro_rules! lanes {
    (
        impl Lanes for $T:ident: [$Vector:ident; $lanes:literal], $Mask:ident,
        $splat:ident $load:ident $store:ident $fused:ident $add:ident
    ) => {
        // SAFETY of what is in here: the functions ask for AVX-512, for elements to read and for
        // room to write, no more, and those are what their callers promise.
        impl Lanes for $T {
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
            unsafe fn store(vector: $Vector, to: *mut Self, mask: u16) {
                // SAFETY: see above.
                unsafe { $store(to, mask as $Mask, vector) }
            }

            #[inline(always)]
            unsafe fn multiply_add(a: $Vector, b: $Vector, sum: $Vector) -> $Vector {
                // SAFETY: see above.
                unsafe { $fused(a, b, sum) }
            }

            #[inline(always)]
            unsafe fn add(a: $Vector, b: $Vector) -> $Vector {
                // SAFETY: see above.
                unsafe { $add(a, b) }
            }
        }
    };
}

lanes! {
    impl Lanes for f32: [__m512; 16], __mmask16,
    _mm512_set1_ps _mm512_maskz_loadu_ps _mm512_mask_storeu_ps _mm512_fmadd_ps _mm512_add_ps
}

lanes! {
    impl Lanes for f64: [__m512d; 8], __mmask8,
    _mm512_set1_pd _mm512_maskz_loadu_pd _mm512_mask_storeu_pd _mm512_fmadd_pd _mm512_add_pd
}

/// What a tile reads and writes; strides in elements.
pub(in crate::kernel) struct Tile<T> {
    /// How many elements are summed up.
    pub inner: usize,
    pub left: *const T,
    pub left_row: isize,
    pub left_column: isize,
    /// The columns lie next to each other.
    pub right: *const T,
    pub right_row: isize,
    pub results: *mut T,
    pub results_row: usize,
    /// Which lanes of the last vector of a row there are.
    pub last: u16,
    /// Whether the results are summed up with what is there.
    pub adds: bool,
}

/// The product of some rows of the left side with some vectors of the right side.
///
/// # Safety
///
/// The machine has AVX-512. What the tile names lies in memory to read or to write; the results are
/// initialised if the tile `adds`.
#[target_feature(enable = "avx512f")]
unsafe fn tile<T: Lanes, const R: usize, const V: usize>(tile: &Tile<T>) {
    let mask = |vector: usize| if vector + 1 == V { tile.last } else { u16::MAX };
    let Tile { mut left, left_row, mut right, right_row, results, results_row, .. } = *tile;
    // SAFETY: there are `inner` elements in each of `R` rows of `left` and `inner` rows of `V`
    // vectors in `right`, and `R` rows of `V` vectors in `results`; the last vector of a row is that
    // of the mask. The addresses behind the last inner step, and those to fetch into the cache, are
    // computed without a claim to what is there.
    unsafe {
        for i in 0..R {
            for vector in 0..V {
                let ahead = results.wrapping_add(i * results_row + vector * T::LANES);
                _mm_prefetch::<_MM_HINT_T0>(ahead.cast());
            }
        }
        let mut sums = [[T::splat(T::ZERO); V]; R];
        for _ in 0..tile.inner {
            let mut row = [T::splat(T::ZERO); V];
            for (vector, elements) in row.iter_mut().enumerate() {
                *elements = T::load(right.wrapping_add(vector * T::LANES), mask(vector));
                let ahead = right.wrapping_offset(AHEAD * right_row);
                _mm_prefetch::<_MM_HINT_T0>(ahead.wrapping_add(vector * T::LANES).cast());
            }
            for (i, sums) in sums.iter_mut().enumerate() {
                let factor = T::splat(*left.wrapping_offset(i as isize * left_row));
                for (sum, &elements) in sums.iter_mut().zip(&row) {
                    *sum = T::multiply_add(factor, elements, *sum);
                }
            }
            left = left.wrapping_offset(tile.left_column);
            right = right.wrapping_offset(right_row);
        }
        for (i, sums) in sums.iter().enumerate() {
            for (vector, &sum) in sums.iter().enumerate() {
                let to = results.add(i * results_row + vector * T::LANES);
                let mask = mask(vector);
                let sum = if tile.adds { <T as Lanes>::add(sum, T::load(to, mask)) } else { sum };
                T::store(sum, to, mask);
            }
        }
    }
}

/// The tiles of every size.
const fn tiles<T: Lanes>() -> [[unsafe fn(&Tile<T>); VECTORS]; ROWS] {
    macro_rules! rows {
        ($($rows:literal)*) => {
            [$([tile::<T, $rows, 1>, tile::<T, $rows, 2>, tile::<T, $rows, 3>, tile::<T, $rows, 4>]),*]
        };
    }
    rows!(1 2 3 4 5 6)
}
