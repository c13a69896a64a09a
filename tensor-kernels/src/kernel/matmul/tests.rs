//! Tests of every size, stride and element type against nested loops.

use super::matrix::Matrix;
use super::{GemmElement, gemm_by_rows, gemm_dispatch, gemv_of_rows, is_of_few_rows};
#[cfg(target_arch = "x86_64")]
use super::{gemm, microkernel::Microkernels, microkernel_avx2::Avx2};
#[cfg(target_arch = "x86_64")]
use crate::kernel::caches;
use core::mem::MaybeUninit;

/// `m k n` from one below to one above the sizes of tiles, panels and blocks.
const SIZES: [[usize; 3]; 23] = [
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
    [35, 40, 10],
    [29, 600, 7],
    [61, 600, 200],
    [7, 400, 300],
    [20, 400, 260],
];

fn check<T: GemmElement>(whole: fn(i32) -> T) {
    for [m, k, n] in SIZES {
        // Integers, so that every order of summation gives the same result.
        let integer = |position: usize, step: i32| position as i32 * step % 15 - 7;
        let number = |position: usize, step: i32| whole(integer(position, step));
        let orders = |[rows, columns]: [usize; 2], step| {
            [0, 1, 2].map(|order| stored([rows, columns], order, |position| number(position, step)))
        };
        let (left, right) = (orders([m, k], 7), orders([k, n], 4));
        let sum = |i: usize, j: usize| -> i32 {
            (0..k).map(|l| integer(i * k + l, 7) * integer(l * n + j, 4)).sum()
        };
        let expected: Vec<T> =
            (0..m * n).map(|position| whole(sum(position / n, position % n))).collect();
        for strides in 0..9 {
            let (left, right) = (&left[strides % 3], &right[strides / 3]);
            let mut results = vec![MaybeUninit::new(whole(99)); m * n];
            gemm_dispatch([m, k, n], left.matrix(), right.matrix(), None, &mut results);
            // SAFETY: they were initialised before the product.
            let results = results.iter().map(|result| unsafe { result.assume_init_read() });
            assert!(results.eq(expected.iter().copied()), "{m} {k} {n}, {strides}");
            if is_of_few_rows([m, k, n], right.matrix()) {
                let mut results = vec![MaybeUninit::new(whole(99)); m * n];
                gemv_of_rows([m, k, n], left.matrix(), right.matrix(), &mut results);
                // SAFETY: they were initialised before the product.
                let results = results.iter().map(|result| unsafe { result.assume_init_read() });
                assert!(results.eq(expected.iter().copied()), "{m} {k} {n}, {strides}, by rows");
            }
            if let Some(gemm_plus_row) = T::gemm_plus_row() {
                let row: Vec<T> = (0..n).map(|j| number(j, 11)).collect();
                let mut results = vec![MaybeUninit::new(whole(99)); m * n];
                gemm_plus_row([m, k, n], left.matrix(), right.matrix(), &row, &mut results);
                // SAFETY: they were initialised before the product.
                let results = results.iter().map(|result| unsafe { result.assume_init_read() });
                let plus_row = expected.iter().zip(row.iter().cycle());
                let plus_row = plus_row.map(|(result, &added)| result.add(added));
                assert!(results.eq(plus_row), "plus a row: {m} {k} {n}, {strides}");
            }
        }
    }
}

/// A matrix in memory.
struct Stored<T> {
    elements: Vec<T>,
    start: isize,
    row: isize,
    column: isize,
}

impl<T: Copy> Stored<T> {
    fn matrix(&self) -> Matrix<'_, T> {
        let Self { ref elements, start, row, column } = *self;
        Matrix { elements, start, row, column }
    }
}

/// A matrix whose elements are their row-major positions: stored row by row, column by column,
/// or either in reverse.
fn stored<T: Copy>(
    [rows, columns]: [usize; 2],
    order: usize,
    at: impl Fn(usize) -> T,
) -> Stored<T> {
    let len = rows * columns;
    let by_columns = |position: usize| at(position % rows * columns + position / rows);
    let elements = match order {
        0 => (0..len).map(&at).collect(),
        1 => (0..len).map(by_columns).collect(),
        _ => (0..len).rev().map(by_columns).collect(),
    };
    let (start, row, column) = match order {
        0 => (0, columns as isize, 1),
        1 => (0, 1, rows as isize),
        _ => (len as isize - 1, -1, -(rows as isize)),
    };
    Stored { elements, start, row, column }
}

#[test]
fn every_size_and_stride_gives_the_sums() {
    check(|number| number as f32);
    check(f64::from);
    check(|number| number as u32);
}

/// A row of contiguous elements times a vector has the bits of their inner product, however many rows there are.
#[test]
fn products_with_a_vector_are_inner_products() {
    fn check<T: GemmElement>(number: fn(f64) -> T) {
        for k in [9, 63, 64, 100, 2049, 16_384, 16_385] {
            let numbers =
                |len: usize| (0..len).map(|i| number((i * 37 % 101) as f64 / 7.0)).collect();
            let (rows, vector): (Vec<T>, Vec<T>) = (numbers(50 * k), numbers(k));
            let expected: Vec<T> = rows.chunks(k).map(|row| T::dot_slices(row, &vector)).collect();
            let matrix = Matrix::row_major_strides(&rows, k);
            let column = Matrix::row_major_strides(&vector, 1);
            let sides = [(matrix, column), (column.transposed(), matrix.transposed())];
            for ((left, right), mkn) in sides.into_iter().zip([[50, k, 1], [1, k, 50]]) {
                let mut results = vec![MaybeUninit::new(T::ZERO); 50];
                gemm_dispatch(mkn, left, right, None, &mut results);
                // SAFETY: they were initialised before the product.
                let results = results.iter().map(|result| unsafe { result.assume_init_read() });
                assert!(results.eq(expected.iter().copied()), "{mkn:?}");
            }
        }
    }
    check(|number| number as f32);
    check(|number| number);
    check(|number| number as u32);
}

/// The products of machines without AVX2, tested on any machine.
fn check_rows<T: GemmElement>(number: fn(f64) -> T) {
    let sizes @ [m, k, n] = [203, 221, 213];
    let numbers =
        |len: usize| (0..len).map(|i| number((i * 37 % 101) as f64 / 7.0)).collect::<Vec<T>>();
    let (left, right) = (numbers(m * k), numbers(k * n));
    let left = Matrix { elements: &left[..], start: 0, row: 1, column: m as isize };
    let right = Matrix { elements: &right[..], start: 0, row: n as isize, column: 1 };
    let product = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut results = vec![MaybeUninit::new(T::ZERO); m * n];
        pool.install(|| gemm_by_rows(sizes, left, right, &mut results));
        // SAFETY: they were initialised before the product.
        results.into_iter().map(|result| unsafe { result.assume_init() }).collect::<Vec<T>>()
    };
    assert!(product(1) == product(3));
}

#[test]
fn rows_have_the_same_bits_with_any_number_of_threads() {
    check_rows(|number| number as f32);
    check_rows(|number| number);
    check_rows(|number| number as u32);
}

/// The sizes of the caches decide over blocks, and not over bits.
#[cfg(target_arch = "x86_64")]
#[test]
fn caches_of_any_size_give_the_same_bits() {
    let reported = caches::sizes();
    for [m, k, n] in SIZES {
        let numbers =
            |len: usize| (0..len).map(|i| (i * 37 % 101) as f32 / 7.0).collect::<Vec<f32>>();
        let (left, right) = (numbers(m * k), numbers(k * n));
        let product = |sizes| {
            caches::set_sizes(sizes);
            let (left, right) =
                (Matrix::row_major_strides(&left, k), Matrix::row_major_strides(&right, n));
            let mut results = vec![MaybeUninit::new(0.0); m * n];
            gemm_dispatch([m, k, n], left, right, None, &mut results);
            // SAFETY: they were initialised before the product.
            results.into_iter().map(|result| unsafe { result.assume_init() }).collect::<Vec<f32>>()
        };
        let expected = product(reported);
        for sizes in [[8 << 10, 64 << 10, 64 << 10], [1 << 20, 16 << 20, 64 << 20]] {
            assert!(product(sizes) == expected, "{m} {k} {n}, {sizes:?}");
        }
        caches::set_sizes(reported);
    }
}

/// Products on AVX2 have the bits of those on AVX-512, where both are available, and they do not depend on how
/// the right side is stored.
#[cfg(target_arch = "x86_64")]
#[test]
fn all_vectors_give_the_same_bits() {
    fn check<T: GemmElement + Microkernels<Avx2>>(number: fn(f64) -> T) {
        if !<T as Microkernels<Avx2>>::is_available() {
            return;
        }
        for [m, k, n] in SIZES {
            let numbers = |len: usize| {
                (0..len).map(|i| number((i * 37 % 101) as f64 / 7.0)).collect::<Vec<T>>()
            };
            let (left, right, row) = (numbers(m * k), numbers(k * n), numbers(n));
            let left = Matrix::row_major_strides(&left, k);
            let by_columns = stored([k, n], 1, |position| right[position]);
            let right = Matrix::row_major_strides(&right, n);
            let [mut avx2, mut best, mut transposed] =
                [(); 3].map(|()| vec![MaybeUninit::new(T::ZERO); m * n]);
            gemm::gemm_plus_row::<T, Avx2>([m, k, n], left, right, &row, &mut avx2);
            let gemm_plus_row = T::gemm_plus_row().expect("AVX2 at least");
            gemm_plus_row([m, k, n], left, right, &row, &mut best);
            gemm_plus_row([m, k, n], left, by_columns.matrix(), &row, &mut transposed);
            let [avx2, best, transposed] = [avx2, best, transposed].map(|results| {
                // SAFETY: they were initialised before the products.
                results.into_iter().map(|x| unsafe { x.assume_init() }).collect::<Vec<T>>()
            });
            assert!(avx2 == best, "{m} {k} {n}");
            assert!(transposed == best, "transposed: {m} {k} {n}");
        }
    }
    check(|number| number as f32);
    check(|number| number);
}
