//! Blocked out-of-place transpose: contiguous columns become rows.

use core::mem::MaybeUninit;

use super::bits::{bits_of, bits_of_slots, with_bits};
use super::isa_fns::{is_rare, with_avx2};
use super::parallel::for_each_part;
use super::prefetch::prefetch;
use crate::arrays;
use crate::element::Element;

/// The number of columns that are read at a time: the source is read in a few long streams, and whole
/// cache lines are written.
const COLUMNS_PER_PASS: usize = 16;

/// The number of rows of the next columns that are prefetched at a time: a cache line or more of each.
const PREFETCH_ROWS: usize = 16;

/// The side of the squares that are transposed in registers.
const SQUARE: usize = 4;

/// `SQUARE` elements of a row or of a column.
type Line<T> = [MaybeUninit<T>; SQUARE];

/// Writes a plane to the front of `out`, row by row, from contiguous columns that are `step` elements
/// apart in the source. The elements are numbers: they have no padding.
///
/// # Panics
///
/// When the plane leaves the source, or when `out` has no room for it.
pub(super) fn transpose_into<T: Copy>(
    source: &[T],
    step: usize,
    [rows, columns]: [usize; 2],
    out: &mut [MaybeUninit<T>],
) {
    for column in (0..columns).step_by(COLUMNS_PER_PASS) {
        let next = column + COLUMNS_PER_PASS;
        for row in (0..rows).step_by(PREFETCH_ROWS) {
            let height = PREFETCH_ROWS.min(rows - row);
            for column in next..columns.min(next + COLUMNS_PER_PASS) {
                let elements = &source[column * step + row..][..height];
                prefetch(elements.as_ptr().cast(), size_of_val(elements));
            }
            let sizes = [height, COLUMNS_PER_PASS.min(columns - column)];
            transpose_block(
                &source[column * step + row..],
                step,
                sizes,
                &mut out[row * columns + column..],
                columns,
            );
        }
    }
}

/// Transposes matrices of `rows × columns` elements that follow each other, on several threads where they are large.
///
/// # Panics
///
/// When the elements are not whole matrices, or when `out` has another length.
pub(super) fn transpose_matrices<T: Element>(
    source: &[T],
    sizes: [usize; 2],
    out: &mut [MaybeUninit<T>],
) {
    // SAFETY: the bits of elements are moved unchanged.
    transpose_bits(bits_of(source), sizes, unsafe { bits_of_slots(out) });
}

/// Writes a matrix of `rows × columns` elements of `size` bytes as `columns × rows`.
///
/// # Safety
///
/// There are that many initialised elements without padding at `from`, and room for them at `to`, which does not
/// overlap them. Both are aligned for elements.
pub(super) unsafe fn transpose_erased(
    size: usize,
    from: *const u8,
    [rows, columns]: [usize; 2],
    to: *mut u8,
) {
    with_bits!(size, B => {
        // SAFETY: the caller promises the elements and the room; integers of their size have at most their alignment.
        let (source, out) = unsafe {
            (
                core::slice::from_raw_parts(from.cast::<B>(), rows * columns),
                core::slice::from_raw_parts_mut(to.cast::<MaybeUninit<B>>(), rows * columns),
            )
        };
        transpose_bits(source, [rows, columns], out);
    });
}

/// [`transpose_matrices`], once for each size of elements.
fn transpose_bits<T: Copy + Send + Sync>(
    source: &[T],
    [rows, columns]: [usize; 2],
    out: &mut [MaybeUninit<T>],
) {
    let len = rows * columns;
    assert!(source.len() == out.len() && source.len().is_multiple_of(len), "whole matrices");
    for_each_part(out, len, |start, out| {
        with_avx2(
            #[inline(always)]
            |isa| {
                let source = &source[start..][..out.len()];
                for (source, out) in source.chunks_exact(len).zip(out.chunks_exact_mut(len)) {
                    if is_rare(isa) {
                        transpose_into(source, columns, [columns, rows], out);
                        continue;
                    }
                    match (rows, columns) {
                        (2, _) => interleave::<T, 2>(source, columns, out),
                        (3, _) => interleave::<T, 3>(source, columns, out),
                        (4, _) => interleave::<T, 4>(source, columns, out),
                        (_, 2) => separate::<T, 2>(source, rows, out),
                        (_, 3) => separate::<T, 3>(source, rows, out),
                        (_, 4) => separate::<T, 4>(source, rows, out),
                        _ => transpose_into(source, columns, [columns, rows], out),
                    }
                }
            },
        );
    });
}

/// Transposes `N` rows.
#[inline(always)]
fn interleave<T: Copy, const N: usize>(source: &[T], columns: usize, out: &mut [MaybeUninit<T>]) {
    let rows: [&[T]; N] = arrays::from_fn(|row| &source[row * columns..][..columns]);
    for (column, slots) in out.as_chunks_mut::<N>().0[..columns].iter_mut().enumerate() {
        *slots = arrays::from_fn(|row| MaybeUninit::new(rows[row][column]));
    }
}

/// Transposes `N` columns.
#[inline(always)]
fn separate<T: Copy, const N: usize>(source: &[T], rows: usize, out: &mut [MaybeUninit<T>]) {
    let source = &source.as_chunks::<N>().0[..rows];
    let mut columns = out[..N * rows].chunks_exact_mut(rows);
    let columns: [&mut [MaybeUninit<T>]; N] =
        arrays::from_fn(|_| columns.next().expect("`N` columns"));
    // All columns in one loop, which reads whole vectors.
    for (index, row) in source.iter().enumerate() {
        for column in 0..N {
            columns[column][index].write(row[column]);
        }
    }
}

/// Transposes a part of a plane, square by square.
#[inline]
fn transpose_block<T: Copy>(
    source: &[T],
    step: usize,
    [rows, columns]: [usize; 2],
    out: &mut [MaybeUninit<T>],
    row_step: usize,
) {
    if rows < SQUARE || columns < SQUARE {
        for column in 0..columns {
            for (row, &element) in source[column * step..][..rows].iter().enumerate() {
                out[row * row_step + column].write(element);
            }
        }
        return;
    }
    for row in (0..rows).step_by(SQUARE) {
        // The last squares end at the end of the part, and overlap those before.
        let row = row.min(rows - SQUARE);
        for column in (0..columns).step_by(SQUARE) {
            let column = column.min(columns - SQUARE);
            let line = |index: usize| {
                let elements = &source[(column + index) * step + row..];
                elements.first_chunk().expect("the plane is in the source")
            };
            let lines = transposed_4x4(line(0), line(1), line(2), line(3));
            for (index, line) in lines.into_iter().enumerate() {
                let slots = &mut out[(row + index) * row_step + column..];
                *slots.first_chunk_mut().expect("room for all rows") = line;
            }
        }
    }
}

/// The rows of a square of four columns. The compiler does not find these instructions itself.
#[inline(always)]
fn transposed_4x4<T: Copy>(
    a: &[T; SQUARE],
    b: &[T; SQUARE],
    c: &[T; SQUARE],
    d: &[T; SQUARE],
) -> [Line<T>; SQUARE] {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{
            _mm_loadu_pd, _mm_loadu_ps, _mm_movehl_ps, _mm_movelh_ps, _mm_unpackhi_pd,
            _mm_unpackhi_ps, _mm_unpacklo_pd, _mm_unpacklo_ps,
        };
        use core::mem::transmute_copy;

        if const { size_of::<T>() == 4 } {
            // SAFETY: every processor of this architecture has these instructions. Each line has four
            // elements of four bytes, which are read. All bits are moved unchanged, whatever numbers they
            // are, and the lines of the result have as many bytes.
            return unsafe {
                let load = |line: &[T; SQUARE]| _mm_loadu_ps(line.as_ptr().cast());
                let (a, b, c, d) = (load(a), load(b), load(c), load(d));
                let (ab, cd) = (_mm_unpacklo_ps(a, b), _mm_unpacklo_ps(c, d));
                let (ab_behind, cd_behind) = (_mm_unpackhi_ps(a, b), _mm_unpackhi_ps(c, d));
                transmute_copy(&[
                    _mm_movelh_ps(ab, cd),
                    _mm_movehl_ps(cd, ab),
                    _mm_movelh_ps(ab_behind, cd_behind),
                    _mm_movehl_ps(cd_behind, ab_behind),
                ])
            };
        }
        if const { size_of::<T>() == 8 } {
            // SAFETY: as above, with two elements of eight bytes at a time: the first and the last two of
            // each line.
            return unsafe {
                let load = |line: &[T; SQUARE]| {
                    let first: *const f64 = line.as_ptr().cast();
                    [_mm_loadu_pd(first), _mm_loadu_pd(first.add(2))]
                };
                let ([a, a_behind], [b, b_behind]) = (load(a), load(b));
                let ([c, c_behind], [d, d_behind]) = (load(c), load(d));
                transmute_copy(&[
                    [_mm_unpacklo_pd(a, b), _mm_unpacklo_pd(c, d)],
                    [_mm_unpackhi_pd(a, b), _mm_unpackhi_pd(c, d)],
                    [_mm_unpacklo_pd(a_behind, b_behind), _mm_unpacklo_pd(c_behind, d_behind)],
                    [_mm_unpackhi_pd(a_behind, b_behind), _mm_unpackhi_pd(c_behind, d_behind)],
                ])
            };
        }
    }
    arrays::from_fn(|row| {
        let [a, b, c, d] = [a[row], b[row], c[row], d[row]];
        [MaybeUninit::new(a), MaybeUninit::new(b), MaybeUninit::new(c), MaybeUninit::new(d)]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests planes of many sizes, whose columns have gaps after them.
    fn every_element_is_in_its_place<T: Copy + PartialEq + core::fmt::Debug>(
        number: impl Fn(usize) -> T,
    ) {
        let sizes = [1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 33, 50];
        for (rows, columns) in sizes.into_iter().flat_map(|rows| sizes.map(|size| (rows, size))) {
            for gap in [0, 3] {
                let step = rows + gap;
                // The source ends with the plane, so that a read beyond it would panic.
                let source: Vec<T> = (0..(columns - 1) * step + rows).map(&number).collect();
                let mut out = vec![MaybeUninit::new(number(1_000_000)); rows * columns];
                transpose_into(&source, step, [rows, columns], &mut out);
                // SAFETY: all elements were written above.
                let out = unsafe { out.assume_init_ref() };
                for (index, element) in out.iter().enumerate() {
                    let (row, column) = (index / columns, index % columns);
                    assert_eq!(*element, source[column * step + row], "{rows} by {columns}, {gap}");
                }
            }
        }
    }

    #[test]
    fn elements_of_all_sizes() {
        every_element_is_in_its_place(|index| index as u8);
        every_element_is_in_its_place(|index| index as u16);
        every_element_is_in_its_place(|index| index as u32);
        every_element_is_in_its_place(|index| index as u64 * 0x0100_0000_01b3);
        every_element_is_in_its_place(|index| [index as u64, 1]);
    }

    #[test]
    fn matrices_of_all_sizes() {
        let sizes = [1, 2, 3, 4, 5, 8, 17, 40];
        for (rows, columns) in sizes.into_iter().flat_map(|rows| sizes.map(|size| (rows, size))) {
            let source: Vec<u32> = (0..3 * (rows * columns) as u32).collect();
            let mut out = vec![MaybeUninit::new(0); source.len()];
            transpose_matrices(&source, [rows, columns], &mut out);
            // SAFETY: all elements were initialised.
            let out = unsafe { out.assume_init_ref() };
            for (index, element) in out.iter().enumerate() {
                let (matrix, index) = (index / (rows * columns), index % (rows * columns));
                let (column, row) = (index / rows, index % rows);
                let expected = source[matrix * rows * columns + row * columns + column];
                assert_eq!(*element, expected, "{rows} by {columns}");
            }
        }
    }

    #[test]
    #[should_panic(expected = "the plane is in the source")]
    fn planes_that_leave_the_source() {
        transpose_into(&[0_u32; 63], 8, [8, 8], &mut [MaybeUninit::uninit(); 64]);
    }
}
