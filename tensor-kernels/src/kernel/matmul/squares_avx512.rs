//! Transposes of squares in registers: with `n` lanes, one vector of each of `n` columns.
//!
//! ```text
//! unpack elements    the elements of two columns side by side, in each quarter of the vectors
//! unpack pairs       those of four columns, if elements have four bytes
//! shuffle quarters   those of all columns: the quarters of four vectors as a 4 × 4 matrix, transposed
//! ```

use core::arch::x86_64::*;

/// Shuffles of quarters: takes the first two quarters of two vectors.
const FIRST_HALVES: i32 = 0x44;
const LAST_HALVES: i32 = 0xee;
/// Takes the even quarters of two vectors.
const EVEN_QUARTERS: i32 = 0x88;
const ODD_QUARTERS: i32 = 0xdd;

/// Transposes the 4 × 4 matrix whose rows are four vectors and whose elements are quarters of them, of 128 bits each.
#[inline]
#[target_feature(enable = "avx512f")]
fn transpose_quarters(a: __m512, b: __m512, c: __m512, d: __m512) -> [__m512; 4] {
    let (ab, cd) =
        (_mm512_shuffle_f32x4::<FIRST_HALVES>(a, b), _mm512_shuffle_f32x4::<FIRST_HALVES>(c, d));
    let (ab_behind, cd_behind) =
        (_mm512_shuffle_f32x4::<LAST_HALVES>(a, b), _mm512_shuffle_f32x4::<LAST_HALVES>(c, d));
    [
        _mm512_shuffle_f32x4::<EVEN_QUARTERS>(ab, cd),
        _mm512_shuffle_f32x4::<ODD_QUARTERS>(ab, cd),
        _mm512_shuffle_f32x4::<EVEN_QUARTERS>(ab_behind, cd_behind),
        _mm512_shuffle_f32x4::<ODD_QUARTERS>(ab_behind, cd_behind),
    ]
}

/// `Avx512Element::transpose` of `f32`.
///
/// # Safety
///
/// As there.
#[target_feature(enable = "avx512f")]
pub(super) unsafe fn transpose_f32(
    from: *const f32,
    column: isize,
    [steps, columns]: [usize; 2],
    to: *mut f32,
    row: usize,
) {
    let mask = __mmask16::MAX >> (16 - steps);
    let mut vectors = [_mm512_setzero_ps(); 16];
    for (j, vector) in vectors.iter_mut().enumerate() {
        let position = from.wrapping_offset(j.min(columns - 1) as isize * column);
        // SAFETY: the column has `steps` elements, which the mask selects.
        *vector = unsafe { _mm512_maskz_loadu_ps(mask, position) };
    }
    let mut rows = [_mm512_setzero_ps(); 16];
    // The elements of each step of four columns, side by side: steps 4q + 0, 1, 2 and 3 in quarter q.
    let mut fours = [[_mm512_setzero_pd(); 4]; 4];
    for (group, four) in fours.iter_mut().enumerate() {
        let [a, b, c, d] = [0, 1, 2, 3].map(|j| vectors[4 * group + j]);
        let (ab, cd) = (_mm512_unpacklo_ps(a, b), _mm512_unpacklo_ps(c, d));
        let (ab_behind, cd_behind) = (_mm512_unpackhi_ps(a, b), _mm512_unpackhi_ps(c, d));
        let (ab, cd) = (_mm512_castps_pd(ab), _mm512_castps_pd(cd));
        let (ab_behind, cd_behind) = (_mm512_castps_pd(ab_behind), _mm512_castps_pd(cd_behind));
        *four = [
            _mm512_unpacklo_pd(ab, cd),
            _mm512_unpackhi_pd(ab, cd),
            _mm512_unpacklo_pd(ab_behind, cd_behind),
            _mm512_unpackhi_pd(ab_behind, cd_behind),
        ];
    }
    for step in 0..4 {
        let [a, b, c, d] = [0, 1, 2, 3].map(|group: usize| _mm512_castpd_ps(fours[group][step]));
        for (quarter, vector) in transpose_quarters(a, b, c, d).into_iter().enumerate() {
            rows[4 * quarter + step] = vector;
        }
    }
    for (l, &vector) in rows.iter().enumerate() {
        if l < steps {
            // SAFETY: there is room for a row of each step, as the caller promises.
            unsafe { _mm512_storeu_ps(to.add(l * row), vector) };
        }
    }
}

/// `Avx512Element::transpose` of `f64`.
///
/// # Safety
///
/// As there.
#[target_feature(enable = "avx512f")]
pub(super) unsafe fn transpose_f64(
    from: *const f64,
    column: isize,
    [steps, columns]: [usize; 2],
    to: *mut f64,
    row: usize,
) {
    let mask = __mmask8::MAX >> (8 - steps);
    let mut vectors = [_mm512_setzero_pd(); 8];
    for (j, vector) in vectors.iter_mut().enumerate() {
        let position = from.wrapping_offset(j.min(columns - 1) as isize * column);
        // SAFETY: the column has `steps` elements, which the mask selects.
        *vector = unsafe { _mm512_maskz_loadu_pd(mask, position) };
    }
    let mut rows = [_mm512_setzero_ps(); 8];
    // The elements of each step of two columns, side by side: steps 2q and 2q + 1 in quarter q.
    let mut twos = [[_mm512_setzero_pd(); 2]; 4];
    for (group, two) in twos.iter_mut().enumerate() {
        let (a, b) = (vectors[2 * group], vectors[2 * group + 1]);
        *two = [_mm512_unpacklo_pd(a, b), _mm512_unpackhi_pd(a, b)];
    }
    for step in 0..2 {
        let [a, b, c, d] = [0, 1, 2, 3].map(|group: usize| _mm512_castpd_ps(twos[group][step]));
        for (quarter, vector) in transpose_quarters(a, b, c, d).into_iter().enumerate() {
            rows[2 * quarter + step] = vector;
        }
    }
    for (l, &vector) in rows.iter().enumerate() {
        if l < steps {
            // SAFETY: there is room for a row of each step, as the caller promises.
            unsafe { _mm512_storeu_pd(to.add(l * row), _mm512_castps_pd(vector)) };
        }
    }
}
