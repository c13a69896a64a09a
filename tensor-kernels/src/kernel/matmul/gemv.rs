//! The product of a matrix with a vector. Each element is read once, so nothing is packed.

use core::hint::black_box;
use core::mem::MaybeUninit;
use core::ops::Range;

use super::matrix::Matrix;
use super::{GemmElement, zeros};
use crate::arrays;
use crate::kernel::isa_fns::{is_rare, isa_fns};
use crate::kernel::parallel::for_each_part_weighted;
use crate::kernel::prefetch::prefetch;
use crate::kernel::reduce::contiguous::{self, ElementParams, STEPS, fold_slice};
use crate::kernel::reduce::ops::{DotProduct, SumOf};

/// The number of elements of a vector that are taken at a time.
const BLOCK: usize = 1024;

/// The number of sums that stay in the L1 cache: rows of up to this many columns are read from front to back.
const SUMS: usize = 4096;

/// The number of bytes by which the elements of rows are prefetched into L1, in step with the products. Weights that are
/// read once come from L3 or from memory (benchmark `inference`: a token spends nine tenths of its time in [`dots_fns`]).
const AHEAD: usize = 4 << 10;

/// Writes `results[i] = Σ matrix[i, l] vector[0, l]` over the `k` columns.
pub(super) fn gemv<A: GemmElement>(
    matrix: Matrix<'_, A>,
    vector: Matrix<'_, A>,
    k: usize,
    results: &mut [MaybeUninit<A>],
) {
    let mut packed = Vec::new();
    let vector = with_contiguous_rows(vector, [1, k], &mut packed).in_row(0, 0..k);
    let bytes = results.len().saturating_mul(k).saturating_mul(size_of::<A>());
    if matrix.row == 1 && results.len() >= 8 && matrix.column != 1 {
        for_each_part_weighted(results, bytes, BLOCK, |start, results| {
            for (block, sums) in zeros(results).chunks_mut(SUMS).enumerate() {
                let rows = matrix.from(start + block * SUMS, 0).transposed();
                let len = sums.len();
                axpy_block(sums, [len, 0, len], rows, Matrix::row_major_strides(vector, k), k);
            }
        });
    } else {
        for_each_part_weighted(results, bytes, 1, |start, results| {
            gemv_by_dots(matrix.from(start, 0), vector, results);
        });
    }
}

/// A matrix of these sizes, `packed` unless the elements of its rows are contiguous.
fn with_contiguous_rows<'a, A: GemmElement>(
    matrix: Matrix<'a, A>,
    [rows, k]: [usize; 2],
    packed: &'a mut Vec<A>,
) -> Matrix<'a, A> {
    if matrix.column == 1 || k == 1 {
        return Matrix { column: 1, ..matrix };
    }
    packed.extend((0..rows * k).map(|index| matrix.get(index / k, index % k)));
    Matrix::row_major_strides(packed, k)
}

/// The number of rows of a left side up to which [`gemv_of_rows`] pays: a tile would use few lanes of its vectors.
const FEW_ROWS: usize = 3;

/// The number of elements of the rows from which it pays: the lanes of shorter ones are summed as long as their products.
const LONG: usize = 128;

/// The maximum size in bytes of a right side that [`gemv_of_rows`] reads on one thread.
const FEW_ROWS_BYTES: usize = 8 << 20;

/// The number of bytes of the right side that all rows are multiplied with while they are in the L1 cache.
const L1_BYTES: usize = 16 << 10;

/// Whether [`gemv_of_rows`] is the fastest product of these sizes and this right side.
pub(super) fn is_of_few_rows<A>([m, k, n]: [usize; 3], right: Matrix<'_, A>) -> bool {
    let bytes = k.saturating_mul(n).saturating_mul(size_of::<A>());
    (2..=FEW_ROWS).contains(&m)
        && right.row == 1
        && k >= LONG
        && n >= GROUP
        && bytes <= FEW_ROWS_BYTES
}

/// The product of a few rows with columns that are contiguous, as those of transposed weights: each row by [`gemv`].
pub(super) fn gemv_of_rows<A: GemmElement>(
    [_, k, n]: [usize; 3],
    left: Matrix<'_, A>,
    right: Matrix<'_, A>,
    results: &mut [MaybeUninit<A>],
) {
    let columns = (L1_BYTES / (k * size_of::<A>())).max(1).next_multiple_of(GROUP);
    let mut packed = Vec::new();
    let left = with_contiguous_rows(left, [results.len() / n, k], &mut packed);
    for column in (0..n).step_by(columns) {
        for (row, results) in results.chunks_exact_mut(n).enumerate() {
            let results = &mut results[column..n.min(column + columns)];
            gemv_by_dots(right.transposed().from(column, 0), left.in_row(row, 0..k), results);
        }
    }
}

/// Writes `results[i] = Σ matrix[i, l] vector[l]`, row by row.
fn gemv_by_dots<A: GemmElement>(
    matrix: Matrix<'_, A>,
    vector: &[A],
    results: &mut [MaybeUninit<A>],
) {
    let k = vector.len();
    if matrix.column == 1 || k == 1 {
        let run = const { dots_fns::up_to_avx2::<A>() }.best();
        // SAFETY: the function has no requirements beyond the instruction set, which is available.
        return unsafe { run(Matrix { column: 1, ..matrix }, vector, results) };
    }
    let mut row = [A::ZERO; BLOCK];
    for (i, result) in results.iter_mut().enumerate() {
        let mut sum = A::ZERO;
        for (block, vector) in vector.chunks(BLOCK).enumerate() {
            let row = &mut row[..vector.len()];
            for (l, element) in row.iter_mut().enumerate() {
                *element = matrix.get(i, block * BLOCK + l);
            }
            sum = sum.add(dot_slices(row, vector));
        }
        result.write(sum);
    }
}

/// Writes `results[i] = Σ matrix[i, l] vector[l]` for rows of contiguous elements.
type DotsFn<A> = unsafe fn(Matrix<'_, A>, &[A], &mut [MaybeUninit<A>]);

isa_fns! {
    /// [`DotsFn`]
    unsafe fn dots_fns[A: GemmElement](
        isa,
        matrix: Matrix<'_, A>,
        vector: &[A],
        results: &mut [MaybeUninit<A>]
    ) as DotsFn<A> {
        let k = vector.len();
        // Rows shorter than that may be strided: the next rows are prefetched, not the next bytes in memory.
        let ahead = match AHEAD / size_of_val(vector).max(1) {
            0 => (AHEAD / size_of::<A>()) as isize,
            rows => matrix.row.wrapping_mul(rows as isize),
        };
        let mut done = 0;
        if A::IS_FLOAT && !is_rare(isa) && (FEW..=contiguous::BLOCK).contains(&k) {
            let (groups, _) = results.as_chunks_mut::<GROUP>();
            for (group, results) in groups.iter_mut().enumerate() {
                let rows = |row: usize| matrix.in_row(group * GROUP + row, 0..k);
                // The lanes of `fold_slice`.
                let sums = if const { size_of::<A>() <= 4 } {
                    dots_of_group::<A, 32>(rows, vector, ahead)
                } else {
                    dots_of_group::<A, 16>(rows, vector, ahead)
                };
                *results = sums.map(MaybeUninit::new);
            }
            done = groups.len() * GROUP;
        }
        for (i, result) in results.iter_mut().enumerate().skip(done) {
            let row = matrix.in_row(i, 0..k);
            result.write(if k <= contiguous::BLOCK {
                let ahead = row.as_ptr().wrapping_offset(ahead);
                let factors = Prefetching { factors: vector, ahead };
                fold_slice(SumOf(DotProduct), row, factors)
            } else {
                dot_slices(row, vector)
            });
        }
    }
}

/// Rows of fewer elements are summed in fewer lanes.
const FEW: usize = 64;

/// The number of rows whose last lanes are added together.
const GROUP: usize = 8;

/// `Σ row[l] vector[l]` of each row, with the bits of [`fold_slice`]: two rows at a time, for which the vector is loaded
/// once, and the last eight lanes of all rows together.
#[inline(always)]
fn dots_of_group<'a, A: GemmElement + 'a, const L: usize>(
    rows: impl Fn(usize) -> &'a [A],
    vector: &[A],
    ahead: isize,
) -> [A; GROUP] {
    let mut lanes = [[A::ZERO; 8]; GROUP];
    for (pair, lanes) in lanes.as_chunks_mut::<2>().0.iter_mut().enumerate() {
        let [a, b] = [rows(2 * pair), rows(2 * pair + 1)];
        let [mut sums_a, mut sums_b] = [[A::from_f64(-0.0); L]; 2];
        let run = STEPS * L;
        for ((a, b), vector) in a.chunks(run).zip(b.chunks(run)).zip(vector.chunks(run)) {
            let [of_a, of_b] = dots_of_run::<A, L>(a, b, vector, ahead);
            for lane in 0..L {
                sums_a[lane] = sums_a[lane].add(of_a[lane]);
            }
            for lane in 0..L {
                sums_b[lane] = sums_b[lane].add(of_b[lane]);
            }
        }
        let mut width = L;
        while width > 8 {
            width /= 2;
            for lane in 0..width {
                sums_a[lane] = sums_a[lane].add(sums_a[lane + width]);
                sums_b[lane] = sums_b[lane].add(sums_b[lane + width]);
            }
        }
        lanes[0].copy_from_slice(&sums_a[..8]);
        lanes[1].copy_from_slice(&sums_b[..8]);
    }
    // Through memory, where the lanes of a row are adjacent; then those of all rows are.
    let lanes = black_box(lanes);
    let mut sums: [[A; GROUP]; 8] = arrays::from_fn(|lane| arrays::from_fn(|row| lanes[row][lane]));
    for width in [4, 2, 1] {
        let (front, back) = sums.split_at_mut(width);
        for (sums, others) in front.iter_mut().zip(back) {
            for (sum, &other) in sums.iter_mut().zip(&*others) {
                *sum = sum.add(other);
            }
        }
    }
    sums[0]
}

/// The lanes of the products of two rows with the vector; each step prefetches elements of later rows.
#[inline(always)]
fn dots_of_run<A: GemmElement, const L: usize>(
    a: &[A],
    b: &[A],
    vector: &[A],
    ahead: isize,
) -> [[A; L]; 2] {
    let [mut sums_a, mut sums_b] = [[A::from_f64(-0.0); L]; 2];
    let [(a_chunks, a_rest), (b_chunks, b_rest)] = [a.as_chunks::<L>(), b.as_chunks::<L>()];
    let (vectors, rest) = vector.as_chunks::<L>();
    for ((a, b), factors) in a_chunks.iter().zip(b_chunks).zip(vectors) {
        prefetch(a.as_ptr().wrapping_offset(ahead).cast(), size_of_val(a));
        prefetch(b.as_ptr().wrapping_offset(ahead).cast(), size_of_val(b));
        for lane in 0..L {
            sums_a[lane] = sums_a[lane].add(a[lane].mul(factors[lane]));
        }
        for lane in 0..L {
            sums_b[lane] = sums_b[lane].add(b[lane].mul(factors[lane]));
        }
    }
    // A load of the vectors that were stored for the next loop would wait.
    if rest.is_empty() {
        return [sums_a, sums_b];
    }
    // Through memory, so that the loop above does not split its vectors for the next one.
    let (mut sums_a, mut sums_b) = (black_box(sums_a), black_box(sums_b));
    for (lane, ((&a, &b), &factor)) in a_rest.iter().zip(b_rest).zip(rest).enumerate() {
        sums_a[lane] = sums_a[lane].add(a.mul(factor));
        sums_b[lane] = sums_b[lane].add(b.mul(factor));
    }
    [sums_a, sums_b]
}

/// The factors of a row; each step of its sum prefetches elements of a later row.
#[derive(Clone, Copy)]
struct Prefetching<'a, A> {
    factors: &'a [A],
    /// The address to prefetch for the first element; it may be outside of the matrix.
    ahead: *const A,
}

impl<A: GemmElement> ElementParams<A> for Prefetching<'_, A> {
    #[inline(always)]
    fn within(self, range: Range<usize>) -> Self {
        let ahead = self.ahead.wrapping_add(range.start);
        Self { factors: &self.factors[range], ahead }
    }

    #[inline(always)]
    fn lanes<const L: usize>(self, start: usize) -> [A; L] {
        prefetch(self.ahead.wrapping_add(start).cast(), L * size_of::<A>());
        self.factors.lanes(start)
    }

    #[inline(always)]
    fn one(self, index: usize) -> A {
        self.factors[index]
    }
}

/// `Σ a[l] b[l]` over slices of the same length, which are not empty.
fn dot_slices<A: GemmElement>(a: &[A], b: &[A]) -> A {
    A::dot_slices(a, &b[..a.len()])
}

/// `results[i, column + j] += Σ factors[i, l] rows[l, j]` for `columns` of the `n` columns of every row
/// of the results, over `count` rows.
///
/// Without fused multiply-adds, so that every instruction set gives the same bits.
pub(super) fn axpy_block<A: GemmElement>(
    results: &mut [A],
    sizes: [usize; 3],
    rows: Matrix<'_, A>,
    factors: Matrix<'_, A>,
    count: usize,
) {
    let run = const { axpy_fns::up_to_avx2::<A>() }.best();
    // SAFETY: the function has no requirements beyond the instruction set, which is available.
    unsafe { run(results, sizes, rows, factors, count) }
}

/// [`axpy_block`] for an instruction set.
type AxpyFn<A> = unsafe fn(&mut [A], [usize; 3], Matrix<'_, A>, Matrix<'_, A>, usize);

isa_fns! {
    /// [`AxpyFn`]
    unsafe fn axpy_fns[A: GemmElement](
        _isa,
        results: &mut [A],
        sizes: [usize; 3],
        rows: Matrix<'_, A>,
        factors: Matrix<'_, A>,
        count: usize
    ) as AxpyFn<A> {
        let [n, column, columns] = sizes;
        for (i, results) in results.chunks_exact_mut(n).enumerate() {
            axpy_rows(&mut results[column..][..columns], rows, factors.from(i, 0), count);
        }
    }
}

/// `sums[j] += Σ factors[0, l] rows[l, j]` over `count` rows, eight at a time.
#[inline(always)]
fn axpy_rows<A: GemmElement>(
    sums: &mut [A],
    rows: Matrix<'_, A>,
    factors: Matrix<'_, A>,
    count: usize,
) {
    let len = sums.len();
    let mut l = 0;
    while l + 8 <= count {
        let [a, b, c, d, e, f, g, h] = arrays::from_fn(|step| rows.in_row(l + step, 0..len));
        let [fa, fb, fc, fd, fe, ff, fg, fh] = arrays::from_fn(|step| factors.get(0, l + step));
        for (j, sum) in sums.iter_mut().enumerate() {
            let (ab, cd) = (fa.mul(a[j]).add(fb.mul(b[j])), fc.mul(c[j]).add(fd.mul(d[j])));
            let (ef, gh) = (fe.mul(e[j]).add(ff.mul(f[j])), fg.mul(g[j]).add(fh.mul(h[j])));
            *sum = sum.add(ab.add(cd).add(ef.add(gh)));
        }
        l += 8;
    }
    for l in l..count {
        let factor = factors.get(0, l);
        for (sum, &element) in sums.iter_mut().zip(rows.in_row(l, 0..len)) {
            *sum = sum.add(factor.mul(element));
        }
    }
}
