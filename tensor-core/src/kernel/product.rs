//! The product of two matrices, `[m, k] × [k, n] → [m, n]`, by the loop that suits its size.
//!
//! ```text
//! small              the plain loop: packing would take longer
//! m = 1 or n = 1     a matrix with a vector: each element is read once, so nothing is packed
//! f32, f64           the crate matrixmultiply, which takes strides as they are
//! integers           row by row in blocks that stay in the cache
//! ```

use core::any::TypeId;
use core::mem::MaybeUninit;

use super::lanes::reduce_slice;
use super::reductions::{Products, Sum};
use crate::element::{Element, Number};

/// A matrix to read, with strides in elements.
#[derive(Clone, Copy)]
pub(crate) struct Matrix<'a, T> {
    pub elements: &'a [T],
    /// The element of the first row and column.
    pub start: isize,
    /// From one row to the next.
    pub row: isize,
    /// From one column to the next.
    pub column: isize,
}

impl<'a, T: Copy> Matrix<'a, T> {
    #[inline(always)]
    fn get(&self, row: usize, column: usize) -> T {
        let index = self.start + row as isize * self.row + column as isize * self.column;
        self.elements[index as usize]
    }

    /// Columns of a row that lie next to each other.
    #[inline(always)]
    fn in_row(&self, row: usize, columns: core::ops::Range<usize>) -> &'a [T] {
        debug_assert_eq!(self.column, 1);
        let start = (self.start + row as isize * self.row) as usize;
        &self.elements[start + columns.start..start + columns.end]
    }

    fn transposed(self) -> Self {
        Self { row: self.column, column: self.row, ..self }
    }

    /// # Panics
    ///
    /// When some element of `rows` by `columns`, neither of them 0, is not one of the elements.
    fn assert_holds(&self, rows: usize, columns: usize) {
        let (down, right) = ((rows - 1) as isize * self.row, (columns - 1) as isize * self.column);
        let first = self.start + down.min(0) + right.min(0);
        let last = self.start + down.max(0) + right.max(0);
        assert!(first >= 0 && (last as usize) < self.elements.len(), "strides within the elements");
    }
}

/// The size up to which a product is small: as many columns as two or four vectors hold.
const SMALL: usize = 8;

/// Whether a product is so small that [`simple`] is the fastest.
pub(crate) const fn is_small(m: usize, k: usize, n: usize) -> bool {
    m <= SMALL && k <= SMALL && n <= SMALL
}

/// Writes `results[i, j] = Σ left[i, l] right[l, j]`, in row-major order, for a type that is the
/// type of its sums.
pub(crate) fn one_product<T: Number>(
    [m, k, n]: [usize; 3],
    left: Matrix<'_, T>,
    right: Matrix<'_, T>,
    results: &mut [MaybeUninit<T>],
) {
    assert_eq!(results.len(), m * n);
    if results.is_empty() {
    } else if k == 0 {
        zeros(results);
    } else if is_small(m, k, n) {
        simple([m, k, n], left, right, results);
    } else if n == 1 {
        with_vector(left, right.transposed(), k, results);
    } else if m == 1 {
        with_vector(right.transposed(), left, k, results);
    } else if !packed([m, k, n], left, right, results) {
        in_blocks([m, k, n], left, right, results);
    }
}

/// Writes zero everywhere, and gives the results for summing up.
fn zeros<T: Number>(results: &mut [MaybeUninit<T>]) -> &mut [T] {
    for result in results.iter_mut() {
        result.write(T::ZERO);
    }
    // SAFETY: every element was written above.
    unsafe { results.assume_init_mut() }
}

/// The product of [small](is_small) matrices by the plain loop, where every row of the right side
/// is filled up with zeros, so that all rows have the same, constant length.
#[inline]
pub(crate) fn simple<T: Number>(
    [m, k, n]: [usize; 3],
    left: Matrix<'_, T>,
    right: Matrix<'_, T>,
    results: &mut [MaybeUninit<T>],
) {
    let zero = T::Sum::ZERO;
    let mut rows = [[zero; SMALL]; SMALL];
    for (l, row) in rows[..k].iter_mut().enumerate() {
        for (j, element) in row[..n].iter_mut().enumerate() {
            *element = right.get(l, j).widen();
        }
    }
    for (i, results) in results.chunks_exact_mut(n.max(1)).enumerate().take(m) {
        let mut sums = [zero; SMALL];
        for (l, row) in rows[..k].iter().enumerate() {
            let factor = left.get(i, l).widen();
            for j in 0..SMALL {
                sums[j] = sums[j].add(factor.mul(row[j]));
            }
        }
        for (result, &sum) in results.iter_mut().zip(&sums) {
            result.write(T::narrow(sum));
        }
    }
}

/// The product by `matrixmultiply`; `false` for the types that it does not take.
fn packed<T: Number>(
    [m, k, n]: [usize; 3],
    left: Matrix<'_, T>,
    right: Matrix<'_, T>,
    results: &mut [MaybeUninit<T>],
) -> bool {
    left.assert_holds(m, k);
    right.assert_holds(k, n);
    assert_eq!(results.len(), m * n);
    let a = left.elements.as_ptr().wrapping_offset(left.start);
    let b = right.elements.as_ptr().wrapping_offset(right.start);
    let c = results.as_mut_ptr();
    macro_rules! call {
        ($gemm:path) => {
            // SAFETY: the elements are of the type that the function takes, as `TypeId` says. Every
            // index that it forms in `a` and `b` is of a row and a column of the matrix, and those
            // were checked above to lie within the elements; no stride makes `c` leave its
            // `m * n` elements or meet one twice. `c` is borrowed mutably, so that it is apart from
            // `a` and `b`, and it is not read, because `beta` is 0.
            unsafe {
                $gemm(
                    m,
                    k,
                    n,
                    1.0,
                    a.cast(),
                    left.row,
                    left.column,
                    b.cast(),
                    right.row,
                    right.column,
                    0.0,
                    c.cast(),
                    n as isize,
                    1,
                )
            }
        };
    }
    if TypeId::of::<T>() == TypeId::of::<f32>() {
        call!(matrixmultiply::sgemm);
    } else if TypeId::of::<T>() == TypeId::of::<f64>() {
        call!(matrixmultiply::dgemm);
    } else {
        return false;
    }
    true
}

/// How many elements of a vector are taken at a time.
const BLOCK: usize = 1024;

/// How many rows of the right side are taken at a time, and how many columns: what stays in the
/// cache while all rows of the left side pass.
const BLOCK_ROWS: usize = 64;
const BLOCK_COLUMNS: usize = 256;

/// The product by rows of the right side, a block of it at a time.
fn in_blocks<T: Number>(
    [m, k, n]: [usize; 3],
    left: Matrix<'_, T>,
    right: Matrix<'_, T>,
    results: &mut [MaybeUninit<T>],
) {
    let results = zeros(results);
    let mut copy = Vec::new();
    for j in (0..n).step_by(BLOCK_COLUMNS) {
        let columns = BLOCK_COLUMNS.min(n - j);
        for l in (0..k).step_by(BLOCK_ROWS) {
            let inner = BLOCK_ROWS.min(k - l);
            let block = if right.column == 1 {
                Matrix { start: right.start + l as isize * right.row + j as isize, ..right }
            } else {
                copy.clear();
                for l in l..l + inner {
                    copy.extend((j..j + columns).map(|j| right.get(l, j)));
                }
                Matrix { elements: &copy[..], start: 0, row: columns as isize, column: 1 }
            };
            for i in 0..m {
                let sums = &mut results[i * n + j..][..columns];
                add_rows(sums, block, |step| left.get(i, l + step), inner);
            }
        }
    }
}

/// `sums[j] += Σ factor(l) rows[l, j]`, four rows at a time.
fn add_rows<T: Number>(
    sums: &mut [T],
    rows: Matrix<'_, T>,
    factor: impl Fn(usize) -> T,
    count: usize,
) {
    let len = sums.len();
    let mut l = 0;
    while l + 4 <= count {
        let [a, b, c, d] = [0, 1, 2, 3].map(|step| rows.in_row(l + step, 0..len));
        let [fa, fb, fc, fd] = [0, 1, 2, 3].map(|step| factor(l + step));
        for (j, sum) in sums.iter_mut().enumerate() {
            let ab = fa.mul(a[j]).add(fb.mul(b[j]));
            let cd = fc.mul(c[j]).add(fd.mul(d[j]));
            *sum = sum.add(ab.add(cd));
        }
        l += 4;
    }
    for l in l..count {
        let factor = factor(l);
        for (sum, &element) in sums.iter_mut().zip(rows.in_row(l, 0..len)) {
            *sum = sum.add(factor.mul(element));
        }
    }
}

/// Writes `results[i] = Σ matrix[i, l] vector[0, l]` over the `k` columns.
fn with_vector<T: Number>(
    matrix: Matrix<'_, T>,
    vector: Matrix<'_, T>,
    k: usize,
    results: &mut [MaybeUninit<T>],
) {
    let gathered: Vec<T>;
    let vector = if vector.column == 1 || k == 1 {
        Matrix { column: 1, ..vector }.in_row(0, 0..k)
    } else {
        gathered = (0..k).map(|l| vector.get(0, l)).collect();
        &gathered
    };
    if matrix.row == 1 && results.len() >= 8 && matrix.column != 1 {
        for (block, sums) in zeros(results).chunks_mut(BLOCK).enumerate() {
            let start = matrix.start + (block * BLOCK) as isize;
            add_rows(sums, Matrix { start, ..matrix.transposed() }, |l| vector[l], k);
        }
    } else if matrix.column == 1 || k == 1 {
        let matrix = Matrix { column: 1, ..matrix };
        for (i, result) in results.iter_mut().enumerate() {
            result.write(inner_product(matrix.in_row(i, 0..k), vector));
        }
    } else {
        let mut row = [T::ZERO; BLOCK];
        for (i, result) in results.iter_mut().enumerate() {
            let mut sum = T::ZERO;
            for (block, vector) in vector.chunks(BLOCK).enumerate() {
                let row = &mut row[..vector.len()];
                for (l, element) in row.iter_mut().enumerate() {
                    *element = matrix.get(i, block * BLOCK + l);
                }
                sum = sum.add(inner_product(row, vector));
            }
            result.write(sum);
        }
    }
}

/// `Σ a[l] b[l]` over slices of one length, neither of them empty.
fn inner_product<T: Number>(a: &[T], b: &[T]) -> T {
    T::narrow(reduce_slice(Sum(Products), a, &b[..a.len()]))
}
