//! Cumulative operations, differences and counts, against nested loops on tensors of random sizes and
//! layouts.

use crate::random_views::{Random, from_lanes, lanes};
use half::f16;
use tensor_core::element::Number;
use tensor_core::{DynTensor, ShapeError, Tensor, dim, shape, tensor};

const RUNS: u64 = 300;

type Scan = fn(&DynTensor<i32>, isize) -> Result<DynTensor<i32>, ShapeError>;

/// The result of an operation from the elements before an element, the element, and those after it.
type Oracle = fn(&[i32], i32, &[i32]) -> i32;

fn sum(elements: &[i32]) -> i32 {
    elements.iter().sum()
}

const SCANS: [(Scan, Oracle); 7] = [
    (DynTensor::cumsum, |before, x, _| sum(before) + x),
    (DynTensor::cumsum_exclusive, |before, _, _| sum(before)),
    (DynTensor::cumsum_reverse, |_, x, behind| x + sum(behind)),
    (DynTensor::cumsum_exclusive_reverse, |_, _, behind| sum(behind)),
    (DynTensor::cumprod, |before, x, _| before.iter().fold(x, |a, &b| a.wrapping_mul(b))),
    (DynTensor::cummax, |before, x, _| before.iter().fold(x, |a, &b| a.max(b))),
    (DynTensor::cummin, |before, x, _| before.iter().fold(x, |a, &b| a.min(b))),
];

#[test]
fn scans_are_loops_along_an_axis() {
    for seed in 0..RUNS {
        let random = &mut Random::new(seed);
        let rank = 1 + random.below(3);
        let (sizes, axis) = (random.sizes(rank), random.below(rank));
        let x = random.tensor(&sizes, |random| random.below(20) as i32 - 10);
        for (scan, oracle) in SCANS {
            let lane = |lane: Vec<i32>| -> Vec<i32> {
                (0..lane.len()).map(|at| oracle(&lane[..at], lane[at], &lane[at + 1..])).collect()
            };
            let expected: Vec<_> = lanes(&x, axis).into_iter().map(lane).collect();
            let found = scan(&x, axis as isize).unwrap();
            assert_eq!(found, from_lanes(&sizes, axis, &expected), "{sizes:?} {axis}");
        }
        let differences = x.diff(axis as isize);
        if sizes[axis] == 0 {
            let error = ShapeError::Empty { operation: "diff", axis: Some(axis) };
            assert_eq!(differences, Err(error));
            continue;
        }
        let lane = |lane: Vec<i32>| lane.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let expected: Vec<_> = lanes(&x, axis).into_iter().map(lane).collect();
        let mut fewer = sizes.clone();
        fewer[axis] -= 1;
        assert_eq!(differences.unwrap(), from_lanes(&fewer, axis, &expected));
    }
}

/// In parts, on several threads.
#[test]
fn large_ones() {
    let x = Tensor::<shape![600, 1100], i64>::from_fn(|[row, column]| (row * column % 7) as i64);
    let rows = x.cumsum_reverse::<-1>();
    let columns = x.cummax::<0>();
    for (row, line) in rows.to_vec().chunks(1100).enumerate() {
        let mut sum = 0;
        for (column, &found) in line.iter().enumerate().rev() {
            sum += (row * column % 7) as i64;
            assert_eq!(found, sum);
        }
    }
    assert!(
        columns.to_vec().rchunks(1100).next().unwrap()[2..].iter().all(|&max| max == 6 || max == 0)
    );
}

/// Several lanes of floats are scanned at a time, long ones in segments, and narrow rows as lanes: with the bits of a loop.
#[test]
fn floats_of_all_sizes() {
    type Sums = fn(&DynTensor<f32>, isize) -> Result<DynTensor<f32>, ShapeError>;
    let sums: [(Sums, bool, bool); 4] = [
        (DynTensor::cumsum, false, false),
        (DynTensor::cumsum_exclusive, false, true),
        (DynTensor::cumsum_reverse, true, false),
        (DynTensor::cumsum_exclusive_reverse, true, true),
    ];
    for [count, len] in [[1, 700], [2, 257], [3, 256], [7, 600], [15, 520], [17, 3], [40, 20]] {
        let element =
            |row: usize, column: usize| ((row * 31 + column * 17) % 23) as f32 / 7.0 - 1.0;
        let x = DynTensor::from_fn(&[count, len], |index| element(index[0], index[1]));
        let columns = x.transpose().unwrap();
        for (sum, is_reverse, is_exclusive) in sums {
            let mut expected = x.to_vec();
            for lane in expected.chunks_exact_mut(len) {
                let mut before = 0.0;
                for index in 0..len {
                    let element = &mut lane[if is_reverse { len - 1 - index } else { index }];
                    let next = before + *element;
                    *element = if is_exclusive { before } else { next };
                    before = next;
                }
            }
            assert_eq!(sum(&x, 1).unwrap().to_vec(), expected, "{count} lanes of {len}");
            for columns in [columns.clone(), columns.contiguous()] {
                let found = sum(&columns, 0).unwrap().transpose().unwrap();
                assert_eq!(found.to_vec(), expected, "{len} rows of {count}");
            }
        }
    }
}

/// Of each size as in `f32`, rounded once.
#[test]
fn halves_of_all_sizes() {
    for sizes in [[3, 5], [2, 700], [1, 20_000], [9000, 2]] {
        let halves = DynTensor::<f16>::from_fn(&sizes, |index| {
            f16::from_f32(((index[0] * 31 + index[1] * 17) % 23) as f32 / 512.0 - 0.01)
        });
        let numbers = halves.cast::<f32>();
        for axis in [0, 1] {
            let expected = numbers.cumsum(axis).unwrap().cast::<f16>();
            assert_eq!(halves.cumsum(axis).unwrap(), expected, "{sizes:?} {axis}");
            let expected = numbers.cumsum_exclusive_reverse(axis).unwrap().cast::<f16>();
            assert_eq!(halves.cumsum_exclusive_reverse(axis).unwrap(), expected);
            assert_eq!(halves.cummin(axis).unwrap(), numbers.cummin(axis).unwrap().cast());
        }
    }
}

#[test]
fn special_values() {
    let nan = f32::NAN;
    let x = tensor![1.0, nan, 3.0];
    assert!(x.cummax::<0>().to_vec()[1..].iter().all(|found| found.is_nan()));
    assert!(x.cumprod::<0>().to_vec()[1..].iter().all(|found| found.is_nan()));
    assert_eq!(tensor![100_u8, 200].cumsum_reverse::<0>(), tensor![44, 200]);
    assert_eq!(tensor![100_u8, 200].diff::<0>(), tensor![100]);
    assert_eq!(tensor![200_u8, 100].diff::<0>(), tensor![156]);
}

/// Every part has its lower end.
#[test]
fn counts_in_equal_parts() {
    fn check<T: Number>(x: &DynTensor<T>, elements: &[f64], bins: usize, low: f64, high: f64) {
        let step = (high - low) / bins as f64;
        let edge = |bin: usize| if bin == bins { high } else { low + bin as f64 * step };
        let is_in = |bin: usize, x: f64| {
            edge(bin) <= x && (x < edge(bin + 1) || bin + 1 == bins && x == high)
        };
        let count = |bin| elements.iter().filter(|&&x| is_in(bin, x)).count() as i64;
        let expected: Vec<_> = (0..bins).map(count).collect();
        assert_eq!(x.histogram(bins, low..=high).unwrap().to_vec(), expected);
    }

    for seed in 0..RUNS {
        let random = &mut Random::new(seed);
        let rank = random.below(3);
        let sizes = random.sizes(rank);
        let x = random.tensor(&sizes, |random| {
            [random.below(100) as f64 / 10.0, f64::NAN][random.below(10) / 9]
        });
        let bins = random.below(12);
        check(&x, &x.to_vec(), bins, 0.0, 10.0);
        check(&x, &x.to_vec(), bins, 2.3, 7.1);
        let x = random.tensor(&sizes, |random| random.below(100) as u8);
        let floats: Vec<_> = x.to_vec().into_iter().map(f64::from).collect();
        check(&x, &floats, bins, 10.0, 50.0);
    }
}

/// A range of one number is widened as NumPy does it: half of it on each side.
#[test]
fn a_histogram_of_equal_elements() {
    let x = tensor![3.0_f64, 3.0, 2.4, 3.5, 2.5];
    assert_eq!(x.histogram::<dim!(2)>(3.0..=3.0), tensor![1, 3]);
    assert_eq!(x.histogram::<dim!(1)>(3.0..=3.0), tensor![4]);
    let equal = DynTensor::full(&[7], 5_i64);
    let range =
        equal.min().unwrap().item().unwrap() as f64..=equal.max().unwrap().item().unwrap() as f64;
    assert_eq!(equal.histogram(2, range).unwrap().to_vec(), [0, 7]);
    // Where 0.5 changes nothing, the neighbours are the ends.
    for large in [1e300, f64::MAX, f64::MIN, -1e17] {
        let counts = DynTensor::full(&[3], large).histogram(1, large..=large).unwrap();
        assert_eq!(counts.to_vec(), [3], "{large}");
    }
}

#[test]
fn a_histogram_needs_a_range() {
    let x = DynTensor::full(&[3], 1.0);
    let message =
        "a histogram needs a range of finite numbers, the smaller one first, not 1.0..=0.0";
    assert_eq!(x.histogram(3, 1.0..=0.0).unwrap_err().to_string(), message);
    for (low, high) in [(f64::NAN, f64::NAN), (0.0, f64::INFINITY), (f64::MIN, f64::MAX)] {
        assert!(matches!(x.histogram(3, low..=high), Err(ShapeError::HistogramRange { .. })));
    }
}

#[test]
#[should_panic(
    expected = "a histogram needs a range of finite numbers, the smaller one first, not NaN..=NaN"
)]
fn a_typed_histogram_needs_a_range() {
    let _ = tensor![1.0].histogram::<dim!(3)>(f64::NAN..=f64::NAN);
}

/// Against sums of exponentials from the first element on, in twice the precision of `f32`.
#[test]
fn logarithms_of_sums_are_those_of_the_elements_before() {
    for seed in 0..RUNS {
        let random = &mut Random::new(seed);
        let rank = 1 + random.below(3);
        let (sizes, axis) = (random.sizes(rank), random.below(rank));
        let x = random.tensor(&sizes, |random| random.below(2000) as f32 / 10.0 - 100.0);
        let found = x.logcumsumexp(axis as isize).unwrap();
        assert_eq!(found.sizes(), &sizes[..]);
        let found = lanes(&found, axis);
        for (found, elements) in found.iter().zip(lanes(&x, axis)) {
            for (place, &found) in found.iter().enumerate() {
                let before = &elements[..=place];
                let largest = before.iter().fold(f64::NEG_INFINITY, |max, &x| max.max(x.into()));
                let sum: f64 = before.iter().map(|&x| (f64::from(x) - largest).exp()).sum();
                let expected = largest + sum.ln();
                let error = (f64::from(found) - expected).abs();
                assert!(error <= 1e-6 * expected.abs().max(1.0), "{found} is not {expected}");
            }
        }
    }
}

#[test]
fn logarithms_of_sums_of_special_values() {
    const INFINITY: f64 = f64::INFINITY;
    let scan = |x: [f64; 3]| Tensor::<shape![3], f64>::from(x).logcumsumexp::<0>().to_vec();
    assert_eq!(scan([-INFINITY, -INFINITY, 3.0]), [-INFINITY, -INFINITY, 3.0]);
    assert_eq!(scan([1.0, INFINITY, -INFINITY]), [1.0, INFINITY, INFINITY]);
    assert_eq!(scan([INFINITY, INFINITY, 5.0]), [INFINITY; 3]);
    assert_eq!(scan([1e308, -1e308, 0.0]), [1e308; 3]);
    let with_nan = scan([2.0, f64::NAN, 1.0]);
    assert!(with_nan[0] == 2.0 && with_nan[1].is_nan() && with_nan[2].is_nan());
    // A sum of many small ones does not lose them.
    let many = Tensor::<shape![100000]>::zeros().logcumsumexp::<-1>();
    assert_eq!(many[[99_999]], 100_000_f32.ln());
}

/// The gradient of a cumulative product is that of the products written out, with zeros, and so is its own.
#[test]
fn gradients_of_cumulative_products() {
    for x in [
        [2.0, -3.0, 0.5, 4.0],
        [2.0, 0.0, 0.5, 4.0],
        [0.0, 3.0, 0.0, 4.0],
        [1e-200, 1e-200, 1e200, 3.0],
    ] {
        let columns = |x: [f64; 4]| Tensor::<shape![4, 2], f64>::from(x.map(|x| [x, x + 1.0]));
        let weights = columns([0.5, 7.0, -1.0, 3.0]);
        let gradients =
            |products: &dyn Fn(&Tensor<shape![4, 2], f64>) -> Tensor<shape![4, 2], f64>| {
                let x = columns(x).requires_grad();
                let first = (products(&x) * &weights).sum().tracked_gradients(&x);
                let second = (first.square() * &weights).sum().gradients(&x);
                (first.detach(), second)
            };
        let found = gradients(&|x| x.cumprod::<0>());
        let expected = gradients(&|x| {
            let rows: [Tensor<shape![1, 2], f64>; 4] =
                [0, 1, 2, 3].map(|row| x.slice_axis::<0, dim!(1)>(row..row + 1));
            let [a, b, c, d] = rows;
            let ab = &a * b;
            let abc = &ab * c;
            let abcd = &abc * d;
            Tensor::concat_all::<0, dim!(4)>(&[a, ab, abc, abcd])
        });
        assert!(found.0.all_close(&expected.0, 1e-12, 0.0), "{} {}", found.0, expected.0);
        assert!(found.1.all_close(&expected.1, 1e-12, 0.0), "{} {}", found.1, expected.1);
    }
}
