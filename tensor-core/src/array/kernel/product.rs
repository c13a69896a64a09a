//! The product of two matrices, `[m, k] × [k, n] → [m, n]`, by the loop that suits its size.
//!
//! ```text
//! m = 1 or n = 1     a matrix with a vector: each element is read once, so nothing is packed
//! f32, f64           tiles of vectors of 512 bits where the machine has them; else the crate
//!                    matrixmultiply, which takes strides as they are
//! small              without such vectors the plain loop: packing would take longer
//! integers           row by row in blocks that stay in the cache
//! ```

use core::any::TypeId;
use core::mem::MaybeUninit;
#[cfg(target_arch = "x86_64")]
use core::sync::atomic::{AtomicBool, Ordering};

#[cfg(target_arch = "x86_64")]
use super::gemm;
use super::parallel::for_each_part_by_bytes;
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
    pub(super) fn get(&self, row: usize, column: usize) -> T {
        let index = self.start + row as isize * self.row + column as isize * self.column;
        self.elements[index as usize]
    }

    /// Columns of a row that lie next to each other.
    #[inline(always)]
    pub(super) fn in_row(&self, row: usize, columns: core::ops::Range<usize>) -> &'a [T] {
        debug_assert_eq!(self.column, 1);
        let start = (self.start + row as isize * self.row) as usize;
        &self.elements[start + columns.start..start + columns.end]
    }

    /// The matrix that begins at another row and column.
    #[inline(always)]
    pub(super) fn from(self, row: usize, column: usize) -> Self {
        Self { start: self.start + row as isize * self.row + column as isize * self.column, ..self }
    }

    fn of_type<U: Copy + 'static>(self) -> Option<Matrix<'a, U>>
    where
        T: 'static,
    {
        let elements = of_type(self.elements)?;
        Some(Matrix { elements, start: self.start, row: self.row, column: self.column })
    }

    pub(super) fn transposed(self) -> Self {
        Self { row: self.column, column: self.row, ..self }
    }

    /// # Panics
    ///
    /// When some element of `rows` by `columns`, neither of them 0, is not one of the elements.
    pub(super) fn assert_holds(&self, rows: usize, columns: usize) {
        let (down, right) = ((rows - 1) as isize * self.row, (columns - 1) as isize * self.column);
        let first = self.start + down.min(0) + right.min(0);
        let last = self.start + down.max(0) + right.max(0);
        assert!(first >= 0 && (last as usize) < self.elements.len(), "strides within the elements");
    }
}

/// The bytes that are moved in the time that a product takes: how large it is for threads.
pub(super) fn as_bytes([m, k, n]: [usize; 3]) -> usize {
    /// How many multiply-adds take as long as a byte.
    const OPERATIONS: usize = 4;
    m.saturating_mul(k).saturating_mul(n) / OPERATIONS
}

/// The size up to which a product is small: as many columns as two or four vectors hold.
const SMALL: usize = 8;

/// Whether a product is so small that [`simple`] is the fastest.
pub(crate) const fn is_small(m: usize, k: usize, n: usize) -> bool {
    m <= SMALL && k <= SMALL && n <= SMALL
}

/// Writes `results[i, j] = Σ left[i, l] right[l, j]`, in row-major order, for a type that is the
/// type of its sums, or of a [small](is_small) product. The sides of the `next` product of these sizes
/// may be brought into the cache meanwhile.
pub(crate) fn one_product<T: Number>(
    [m, k, n]: [usize; 3],
    left: Matrix<'_, T>,
    right: Matrix<'_, T>,
    next: Option<[Matrix<'_, T>; 2]>,
    results: &mut [MaybeUninit<T>],
) {
    assert_eq!(results.len(), m * n);
    if results.is_empty() {
    } else if k == 0 {
        zeros(results);
    } else if n == 1 && !is_small(m, k, n) {
        with_vector(left, right.transposed(), k, results);
    } else if m == 1 && !is_small(m, k, n) {
        with_vector(right.transposed(), left, k, results);
    } else if in_tiles([m, k, n], left, right, next, results) {
    } else if is_small(m, k, n) {
        simple([m, k, n], left, right, results);
    } else {
        in_rows([m, k, n], left, right, results);
    }
}

/// The product by `matrixmultiply` or by [`in_blocks`], which sum up an element of the result in one
/// order, whatever rows there are.
fn in_rows<T: Number>(
    [m, k, n]: [usize; 3],
    left: Matrix<'_, T>,
    right: Matrix<'_, T>,
    results: &mut [MaybeUninit<T>],
) {
    for_each_part_by_bytes(results, as_bytes([m, k, n]), n, |start, results| {
        let (m, left) = (results.len() / n, left.from(start / n, 0));
        if !packed([m, k, n], left, right, results) {
            in_blocks([m, k, n], left, right, results);
        }
    });
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
fn simple<T: Number>(
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

/// The rows, the inner size and the columns of a product, as constants.
#[cfg(target_arch = "x86_64")]
pub(crate) trait ConstSizes {
    const SIZES: [usize; 3];
}

/// Whether [`finds_fuses`] has found that this machine can; at first it has not looked.
#[cfg(target_arch = "x86_64")]
static FUSES: AtomicBool = AtomicBool::new(false);

/// Whether [`small_fused`] is known to work on this machine, and is for this type: one load, where
/// `is_x86_feature_detected!` has calls that would need a frame.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) fn fuses<T: Number>() -> bool {
    is_float::<T>() && FUSES.load(Ordering::Relaxed)
}

/// [`fuses`], found out for this machine.
#[cfg(target_arch = "x86_64")]
pub(crate) fn finds_fuses<T: Number>() -> bool {
    let fuses = is_float::<T>()
        && std::arch::is_x86_feature_detected!("avx2")
        && std::arch::is_x86_feature_detected!("fma");
    if fuses {
        FUSES.store(true, Ordering::Relaxed);
    }
    fuses
}

#[cfg(target_arch = "x86_64")]
fn is_float<T: Number>() -> bool {
    TypeId::of::<T>() == TypeId::of::<f32>() || TypeId::of::<T>() == TypeId::of::<f64>()
}

/// The product of [small](is_small) matrices in row-major order, by fused multiply-adds, unrolled: at
/// most 512 of them, in vectors of a row. Gives each element of the result and its place to `write`.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(crate) fn small_fused<S: ConstSizes, T: Number>(
    left: &[T],
    right: &[T],
    mut write: impl FnMut(usize, T),
) {
    let [m, k, n] = const { S::SIZES };
    let (left, right) = (&left[..m * k], &right[..k * n]);
    for i in 0..m {
        let mut sums = [T::ZERO; SMALL];
        for l in 0..k {
            for j in 0..n {
                sums[j] = multiply_add(left[i * k + l], right[l * n + j], sums[j]);
            }
        }
        for (j, &sum) in sums[..n].iter().enumerate() {
            write(i * n + j, sum);
        }
    }
}

/// `a * b + sum`, rounded once for `f32` and `f64`.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn multiply_add<T: Number>(a: T, b: T, sum: T) -> T {
    if let Some(&[a, b, sum]) = of_type::<T, f32>(&[a, b, sum])
        && let Some(&[result]) = of_type(&[a.mul_add(b, sum)])
    {
        return result;
    }
    if let Some(&[a, b, sum]) = of_type::<T, f64>(&[a, b, sum])
        && let Some(&[result]) = of_type(&[a.mul_add(b, sum)])
    {
        return result;
    }
    sum.add(a.mul(b))
}

/// The same elements, if `U` is their type.
fn of_type<T: 'static, U: 'static>(elements: &[T]) -> Option<&[U]> {
    if TypeId::of::<T>() != TypeId::of::<U>() {
        return None;
    }
    // SAFETY: the types are the same.
    Some(unsafe { core::slice::from_raw_parts(elements.as_ptr().cast(), elements.len()) })
}

/// The same places, if `U` is their type.
fn of_type_mut<T: 'static, U: 'static>(
    places: &mut [MaybeUninit<T>],
) -> Option<&mut [MaybeUninit<U>]> {
    if TypeId::of::<T>() != TypeId::of::<U>() {
        return None;
    }
    // SAFETY: the types are the same, and the places are borrowed for as long as before.
    Some(unsafe { core::slice::from_raw_parts_mut(places.as_mut_ptr().cast(), places.len()) })
}

/// The product by [`gemm`](super::gemm); `false` for types and machines that it does not take.
#[cfg(target_arch = "x86_64")]
fn in_tiles<T: Number>(
    sizes: [usize; 3],
    left: Matrix<'_, T>,
    right: Matrix<'_, T>,
    next: Option<[Matrix<'_, T>; 2]>,
    results: &mut [MaybeUninit<T>],
) -> bool {
    fn of<T: Number, U: gemm::Lanes>(
        sizes: [usize; 3],
        left: Matrix<'_, T>,
        right: Matrix<'_, T>,
        next: Option<[Matrix<'_, T>; 2]>,
        results: &mut [MaybeUninit<T>],
    ) -> bool {
        let (Some(left), Some(right), Some(results)) =
            (left.of_type::<U>(), right.of_type::<U>(), of_type_mut(results))
        else {
            return false;
        };
        let next = next.and_then(|[left, right]| Some([left.of_type()?, right.of_type()?]));
        gemm::multiply(sizes, left, right, next, results);
        true
    }
    gemm::is_available()
        && (of::<T, f32>(sizes, left, right, next, results)
            || of::<T, f64>(sizes, left, right, next, results))
}

#[cfg(not(target_arch = "x86_64"))]
fn in_tiles<T>(
    _: [usize; 3],
    _: Matrix<'_, T>,
    _: Matrix<'_, T>,
    _: Option<[Matrix<'_, T>; 2]>,
    _: &mut [MaybeUninit<T>],
) -> bool {
    false
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
    let bytes = results.len() * k * size_of::<T>();
    if matrix.row == 1 && results.len() >= 8 && matrix.column != 1 {
        for_each_part_by_bytes(results, bytes, BLOCK, |start, results| {
            for (block, sums) in zeros(results).chunks_mut(BLOCK).enumerate() {
                let rows = matrix.from(start + block * BLOCK, 0).transposed();
                add_rows(sums, rows, |l| vector[l], k);
            }
        });
    } else {
        for_each_part_by_bytes(results, bytes, 1, |start, results| {
            inner_products(matrix.from(start, 0), vector, results);
        });
    }
}

/// Writes `results[i] = Σ matrix[i, l] vector[l]`, row by row.
fn inner_products<T: Number>(matrix: Matrix<'_, T>, vector: &[T], results: &mut [MaybeUninit<T>]) {
    let k = vector.len();
    if matrix.column == 1 || k == 1 {
        let matrix = Matrix { column: 1, ..matrix };
        for (i, result) in results.iter_mut().enumerate() {
            result.write(inner_product(matrix.in_row(i, 0..k), vector));
        }
        return;
    }
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

/// `Σ a[l] b[l]` over slices of one length, neither of them empty.
fn inner_product<T: Number>(a: &[T], b: &[T]) -> T {
    T::dot_slices(a, &b[..a.len()])
}

#[cfg(test)]
mod tests {
    use super::{Matrix, in_rows, one_product};
    use core::mem::MaybeUninit;

    /// `m k n` from one below to one above the sizes of tiles, panels and blocks.
    const SIZES: [[usize; 3]; 18] = [
        [2, 2, 2],
        [5, 7, 9],
        [6, 16, 16],
        [7, 17, 17],
        [12, 31, 63],
        [13, 33, 65],
        [14, 256, 64],
        [14, 257, 130],
        [3, 600, 515],
        [61, 300, 200],
        [100, 64, 1030],
        [62, 16, 1024],
        [2, 300, 40],
        [50, 9, 1],
        [1, 9, 50],
        [18, 130, 128],
        [13, 513, 80],
        [7, 1030, 100],
    ];

    fn check<T: crate::element::Number>(whole: fn(i32) -> T) {
        for [m, k, n] in SIZES {
            // Whole numbers, so that every order of summing up gives the same.
            let numbers = |len: usize, step: i32| -> Vec<T> {
                (0..len).map(|i| whole(i as i32 * step % 15 - 7)).collect()
            };
            let (left, right) = (numbers(m * k, 7), numbers(k * n, 4));
            for strides in 0..9 {
                // Row by row, column by column, and that backwards.
                let matrix = |elements, [rows, columns]: [usize; 2], order| {
                    let (start, row, column) = match order {
                        0 => (0, columns as isize, 1),
                        1 => (0, 1, rows as isize),
                        _ => ((rows * columns) as isize - 1, -1, -(rows as isize)),
                    };
                    Matrix { elements, start, row, column }
                };
                let left = matrix(&left[..], [m, k], strides % 3);
                let right = matrix(&right[..], [k, n], strides / 3);
                let mut results = vec![MaybeUninit::new(whole(99)); m * n];
                one_product([m, k, n], left, right, None, &mut results);
                for (place, result) in results.iter().enumerate() {
                    let (i, j) = (place / n, place % n);
                    let sum =
                        (0..k).fold(T::ZERO, |sum, l| sum.add(left.get(i, l).mul(right.get(l, j))));
                    // SAFETY: it was initialised even before.
                    let result = unsafe { result.assume_init() };
                    assert!(result == sum, "{m} {k} {n}, {strides}, at {i} {j}");
                }
            }
        }
    }

    #[test]
    fn every_size_and_stride_gives_the_sums() {
        check(|number| number as f32);
        check(f64::from);
        check(|number| number);
    }

    /// The products of machines without AVX-512, which this machine may have.
    fn check_rows<T: crate::element::Number>(number: fn(f64) -> T) {
        let sizes @ [m, k, n] = [203, 221, 213];
        let numbers =
            |len: usize| (0..len).map(|i| number((i * 37 % 101) as f64 / 7.0)).collect::<Vec<T>>();
        let (left, right) = (numbers(m * k), numbers(k * n));
        let left = Matrix { elements: &left[..], start: 0, row: 1, column: m as isize };
        let right = Matrix { elements: &right[..], start: 0, row: n as isize, column: 1 };
        let product = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut results = vec![MaybeUninit::new(T::ZERO); m * n];
            pool.install(|| in_rows(sizes, left, right, &mut results));
            // SAFETY: it was initialised even before.
            results.into_iter().map(|result| unsafe { result.assume_init() }).collect::<Vec<T>>()
        };
        assert!(product(1) == product(3));
    }

    #[test]
    fn rows_have_the_same_bits_with_any_number_of_threads() {
        check_rows(|number| number as f32);
        check_rows(|number| number);
        check_rows(|number| number as i32);
    }
}
