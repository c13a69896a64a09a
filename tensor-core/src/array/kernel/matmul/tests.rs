//! Every size, stride and element type against nested loops.

use super::matrix::Matrix;
use super::{Accumulator, gemm_by_rows, gemm_dispatch};
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

fn check<T: Accumulator>(whole: fn(i32) -> T) {
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
            gemm_dispatch([m, k, n], left, right, None, &mut results);
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
    check(|number| number as u32);
}

/// The products of machines without AVX-512, which this machine may have.
fn check_rows<T: Accumulator>(number: fn(f64) -> T) {
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
        // SAFETY: it was initialised even before.
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
