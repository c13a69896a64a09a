//! Reductions along several axes at once, against nested loops: every list of axes of tensors of random
//! sizes and layouts, and large ones on one and several threads.

use proptest::prelude::*;
use tensor_core::{DynTensor, Element, ShapeError, Tensor, axes, axis, shape, tensor};

axis!(Batch);

/// Sums in another element type are those of the converted elements, of tensors that are divided and of those that
/// are not, along each axis, of views.
#[test]
fn sums_in_another_type() {
    let sizes: [&[usize]; 9] = [
        &[],
        &[0],
        &[7],
        &[200_000],
        &[3, 0],
        &[2, 70_000],
        &[70_000, 2],
        &[40, 3, 1000],
        &[1, 5, 40_000],
    ];
    for sizes in sizes {
        let x = DynTensor::<u8>::from_fn(sizes, |index| {
            index.iter().fold(3_usize, |sum, place| sum.wrapping_mul(31).wrapping_add(*place)) as u8
        });
        let order: Vec<isize> = (0..sizes.len() as isize).rev().collect();
        for x in [x.clone(), x.permute(&order).unwrap()] {
            let wide = x.cast::<i64>();
            assert_eq!(x.sum_as::<i64>(), wide.sum(), "{sizes:?}");
            assert_eq!(x.cast::<bool>().sum_as::<i64>().item(), x.count_nonzero().item());
            for axis in 0..x.rank() as isize {
                let sums = x.sum_axis_as::<i64>(axis - x.rank() as isize).unwrap();
                assert_eq!(sums, wide.sum_axis(axis).unwrap(), "{sizes:?} along {axis}");
            }
        }
    }
    let x = DynTensor::full(&[100_000], 200_u8);
    assert_eq!((x.sum().item(), x.sum_as::<i64>().item()), (Ok(0), Ok(20_000_000)));
    assert_eq!(x.sum_as::<f64>().item(), Ok(2e7));
    let stretched = DynTensor::scalar(1_u8).expand(&[1 << 10, 1 << 10]).unwrap();
    assert_eq!(stretched.sum_as::<u32>().item(), Ok(1 << 20));
    assert!(matches!(
        x.sum_axis_as::<i64>(1),
        Err(ShapeError::AxisOutOfRange { axis: 1, rank: 1 })
    ));
    let typed = Tensor::<shape![Batch, 3], u8>::full_shaped(shape![Batch(2), 3], 200);
    assert_eq!(typed.sum_axis_as::<-1, i32>().to_vec(), [600, 600]);
    assert_eq!(typed.sum_axis_as::<0, i32>(), tensor![400, 400, 400]);
    // If it is tracked, gradients are those of the conversion.
    let x = DynTensor::full(&[40_000], 0.5_f32).requires_grad();
    let gradient = x.sum_as::<f64>().cast::<f32>().gradients(&[&x]).remove(0);
    assert_eq!(gradient, DynTensor::ones(&[40_000]));
}

/// The elements of each result of a reduction along some axes, in row-major order of the others.
fn lines<T: Element>(x: &DynTensor<T>, axes: &[usize]) -> Vec<Vec<T>> {
    let kept: Vec<usize> = (0..x.rank()).filter(|axis| !axes.contains(axis)).collect();
    let order: Vec<isize> = kept.iter().chain(axes).map(|&axis| axis as isize).collect();
    let count: usize = kept.iter().map(|&axis| x.sizes()[axis]).product();
    let along: usize = axes.iter().map(|&axis| x.sizes()[axis]).product();
    let elements = x.permute(&order).unwrap().to_vec();
    (0..count).map(|line| elements[line * along..(line + 1) * along].to_vec()).collect()
}

/// All lists of distinct axes, in order and, every other one, in reverse.
fn lists(rank: usize) -> impl Iterator<Item = Vec<usize>> {
    (0..1_usize << rank).map(move |set| {
        let mut axes: Vec<usize> = (0..rank).filter(|axis| set >> axis & 1 == 1).collect();
        if set % 3 == 0 {
            axes.reverse();
        }
        axes
    })
}

fn near(found: f64, expected: f64) -> bool {
    found == expected
        || (found.is_nan() && expected.is_nan())
        || (found - expected).abs() <= 1e-12 * (1.0 + expected.abs())
}

#[track_caller]
fn assert_near(found: &DynTensor<f64>, lines: &[Vec<f64>], expected: impl Fn(&[f64]) -> f64) {
    for (found, line) in found.to_vec().into_iter().zip(lines) {
        let expected = expected(line);
        assert!(near(found, expected), "{found} instead of {expected} of {line:?}");
    }
}

fn check(x: &DynTensor<i64>) {
    for axes in lists(x.rank()) {
        let lines = lines(x, &axes);
        let named: Vec<isize> = axes
            .iter()
            .map(
                |&axis| {
                    if axis % 2 == 0 { axis as isize } else { axis as isize - x.rank() as isize }
                },
            )
            .collect();
        let each = |f: &dyn Fn(&[i64]) -> i64| -> Vec<i64> { lines.iter().map(|l| f(l)).collect() };
        let sum = x.sum_axes(&named).unwrap();
        assert_eq!(sum.to_vec(), each(&|line| line.iter().sum()), "{:?} {axes:?}", x.sizes());
        let mut sizes = x.sizes().to_vec();
        axes.iter().for_each(|&axis| sizes[axis] = 1);
        let kept = x.sum_axes_keepdims(&named).unwrap();
        assert_eq!((kept.sizes(), kept.to_vec()), (&sizes[..], sum.to_vec()));
        let sizes: Vec<_> =
            (0..x.rank()).filter(|axis| !axes.contains(axis)).map(|axis| x.sizes()[axis]).collect();
        assert_eq!(sum.sizes(), sizes);
        let product = |line: &[i64]| line.iter().fold(1_i64, |product, &x| product.wrapping_mul(x));
        assert_eq!(x.prod_axes(&named).unwrap().to_vec(), each(&product));
        let empty = axes.iter().any(|&axis| x.sizes()[axis] == 0);
        if empty {
            assert!(matches!(x.max_axes(&named), Err(ShapeError::Empty { .. })));
        } else {
            let max = x.max_axes(&named).unwrap().to_vec();
            assert_eq!(max, each(&|line| *line.iter().max().unwrap()));
            let min = x.min_axes_keepdims(&named).unwrap().to_vec();
            assert_eq!(min, each(&|line| *line.iter().min().unwrap()));
        }
        let flags = x.map(|x| x % 3 == 0);
        let truth: Vec<_> = lines.iter().map(|line| line.iter().all(|x| x % 3 == 0)).collect();
        assert_eq!(flags.all_axes(&named).unwrap().to_vec(), truth);
        let truth: Vec<_> = lines.iter().map(|line| line.iter().any(|x| x % 3 == 0)).collect();
        assert_eq!(flags.any_axes(&named).unwrap().to_vec(), truth);
        check_floats(&x.map(|x| x as f64 / 8.0), &axes, &named);
    }
}

fn check_floats(x: &DynTensor<f64>, axes: &[usize], named: &[isize]) {
    let lines = lines(x, axes);
    let mean = |line: &[f64]| line.iter().sum::<f64>() / line.len() as f64;
    let variance = |line: &[f64], correction: usize| {
        let center = mean(line);
        let squares: f64 = line.iter().map(|x| (x - center).powi(2)).sum();
        squares / line.len().saturating_sub(correction) as f64
    };
    assert_near(&x.mean_axes(named).unwrap(), &lines, mean);
    assert_near(&x.var_axes(named).unwrap(), &lines, |line| variance(line, 0));
    assert_near(&x.var_axes_keepdims(named).unwrap(), &lines, |line| variance(line, 0));
    assert_near(&x.var_axes_corrected(named, 1).unwrap(), &lines, |line| variance(line, 1));
    assert_near(&x.std_axes(named).unwrap(), &lines, |line| variance(line, 0).sqrt());
    assert_near(&x.std_axes_corrected(named, 2).unwrap(), &lines, |line| variance(line, 2).sqrt());
    let kept = x.var_axes_keepdims_corrected(named, 1).unwrap();
    assert_near(&kept, &lines, |line| variance(line, 1));
    assert_eq!(kept.sizes(), x.var_axes_keepdims(named).unwrap().sizes());
    let kept = x.std_axes_keepdims_corrected(named, 2).unwrap();
    assert_near(&kept, &lines, |line| variance(line, 2).sqrt());
    let log_sum_exp = |line: &[f64]| line.iter().map(|x| x.exp()).sum::<f64>().ln();
    assert_near(&x.logsumexp_axes(named).unwrap(), &lines, log_sum_exp);
}

fn numbers(sizes: &[usize]) -> DynTensor<i64> {
    let mut state = 1_u64;
    DynTensor::from_fn(sizes, |_| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 58) as i64 - 32
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn every_list_of_axes_of_any_layout(
        sizes in proptest::collection::vec(prop_oneof![9 => 1_usize..7, 1 => 0_usize..1], 0..5),
        order in any::<u64>(),
        stretched in any::<u8>(),
    ) {
        let mut x = numbers(&sizes);
        let mut axes: Vec<isize> = (0..sizes.len() as isize).collect();
        let mut order = order;
        for left in (1..axes.len()).rev() {
            axes.swap(left, order as usize % (left + 1));
            order /= 7;
        }
        if !sizes.is_empty() {
            x = x.permute(&axes).unwrap();
        }
        if stretched % 3 == 0 {
            x = x.unsqueeze(0).unwrap();
            let mut sizes = x.sizes().to_vec();
            sizes[0] = 3;
            x = x.expand(&sizes).unwrap();
        }
        check(&x);
    }
}

#[test]
fn sizes_that_take_all_ways() {
    // Lines, rows, narrow rows and packed elements first; several remaining axes, before and after.
    for sizes in [
        &[7, 5, 300][..],
        &[300, 5, 7],
        &[700, 2, 3],
        &[2, 3, 4, 5, 6],
        &[3, 70, 4],
        &[40, 3, 50, 2],
        &[64, 3, 64],
        &[2, 600, 2],
        &[6, 5, 4, 3, 2],
        &[1, 9, 1, 9, 1],
    ] {
        let x = numbers(sizes);
        check(&x);
        check(&x.transpose().unwrap());
        let mut reversed: Vec<isize> = (0..sizes.len() as isize).collect();
        reversed.reverse();
        check(&x.permute(&reversed).unwrap());
    }
}

/// Many rows of few elements, which are taken several at a time, and few rows of many.
#[test]
fn narrow_rows_and_few_rows() {
    for width in [1, 2, 3, 7, 15, 16, 20, 31, 33, 63, 64, 100] {
        for rows in [2, 3, 4, 255, 256, 1001] {
            let number =
                |index: &[usize]| index[0].wrapping_mul(0x9e37) ^ index[1].wrapping_mul(0x79b9);
            let x = DynTensor::<u8>::from_fn(&[rows, width], |index| (number(index) >> 3) as u8);
            let columns = lines(&x, &[0]);
            let each = |f: fn(u8, u8) -> u8| {
                let reduced =
                    columns.iter().map(|column| column.iter().copied().reduce(f).unwrap());
                reduced.collect::<Vec<_>>()
            };
            let name = format!("{rows} by {width}");
            assert_eq!(x.sum_axis(0).unwrap().to_vec(), each(u8::wrapping_add), "{name}");
            assert_eq!(x.max_axis(0).unwrap().to_vec(), each(u8::max), "{name}");
            assert_eq!(x.min_axis(0).unwrap().to_vec(), each(u8::min), "{name}");
            let signed = x.cast::<i16>().map(|x| x - 128);
            let smallest = each(u8::min).into_iter().map(|x| i16::from(x) - 128);
            assert_eq!(
                signed.min_axis(0).unwrap().to_vec(),
                smallest.collect::<Vec<_>>(),
                "{name}"
            );
            let floats = x.cast::<f32>();
            let largest = each(u8::max).into_iter().map(f32::from).collect::<Vec<_>>();
            assert_eq!(floats.max_axis(0).unwrap().to_vec(), largest, "{name}");
            let smallest = each(u8::min).into_iter().map(f32::from).collect::<Vec<_>>();
            assert_eq!(floats.min_axis(0).unwrap().to_vec(), smallest, "{name}");
            let with_nan = floats.map(|x| if x == 0.0 { f32::NAN } else { x });
            let has_nan: Vec<bool> = columns.iter().map(|column| column.contains(&0)).collect();
            let found = with_nan.max_axis(0).unwrap().to_vec();
            assert_eq!(found.iter().map(|x| x.is_nan()).collect::<Vec<_>>(), has_nan, "{name}");
            let is_set = x.map(|x| x > 2);
            let all: Vec<bool> =
                columns.iter().map(|column| column.iter().all(|&x| x > 2)).collect();
            let any: Vec<bool> =
                columns.iter().map(|column| column.iter().any(|&x| x <= 2)).collect();
            assert_eq!(is_set.all_axis(0).unwrap().to_vec(), all, "{name}");
            assert_eq!((!&is_set).any_axis(0).unwrap().to_vec(), any, "{name}");
        }
    }
}

#[test]
fn types_know_the_shapes() {
    let x = Tensor::<shape![24], f32>::arange().reshape::<shape![2, 3, 4]>();
    let dynamic = DynTensor::from(x.clone());
    let a: Tensor<shape![3]> = x.sum_axes::<axes![0, 2]>();
    assert_eq!(DynTensor::from(a), dynamic.sum_axes(&[0, 2]).unwrap());
    let b: Tensor<shape![1, 3, 1]> = x.std_axes_keepdims::<axes![-1, 0]>();
    assert_eq!(DynTensor::from(b), dynamic.std_axes_keepdims(&[-1, 0]).unwrap());
    let c: Tensor<shape![]> = x.max_axes::<axes![2, 0, 1]>();
    assert_eq!(c.item(), 23.0);
    let d: Tensor<shape![2, 3, 4]> = x.sum_axes::<axes![]>();
    assert_eq!(d, x);
    let e: Tensor<shape![4, 1]> = x.transpose().mean_axes_keepdims::<axes![-1, 0]>().squeeze::<0>();
    assert_eq!(e, tensor![[10.0], [11.0], [12.0], [13.0]]);
    let batch = Tensor::<shape![Batch, 3, 2], f64>::ones_shaped(shape![Batch(5), 3, 2]);
    let f: Tensor<shape![3], f64> = batch.var_axes_corrected::<axes![0, 2]>(1);
    assert_eq!(f, tensor![0.0, 0.0, 0.0]);
    let g: Tensor<shape![Batch, 1, 1], f64> = batch.sum_axes_keepdims::<axes![1, 2]>();
    assert_eq!(g.to_vec(), [6.0; 5]);
}

/// Generic code over leading axes names the last ones; over any shape, it has a bound on the list.
#[test]
fn generic_code_reduces_along_several_axes() {
    use tensor_core::axis_list::{HasAxes, WithoutAxes};
    use tensor_core::{Axis, Shape};

    fn images<L: Shape, H: Axis, W: Axis>(x: &Tensor<shape![L.., H, W]>) -> Tensor<L> {
        x.mean_axes::<axes![-1, -2]>()
    }

    fn borders<S: HasAxes<axes![0, -1]>>(x: &Tensor<S>) -> Tensor<WithoutAxes<S, axes![0, -1]>> {
        x.sum_axes::<axes![0, -1]>()
    }

    let x = Tensor::<shape![2, 3, 2, 2]>::ones();
    assert_eq!(images(&x), Tensor::ones());
    assert_eq!(borders(&x), Tensor::<shape![3, 2]>::full(4.0));
}

#[test]
#[should_panic(expected = "`max_axes` along axis 1, which has size 0: no element to choose")]
fn nothing_to_choose_panics() {
    let _ = Tensor::<shape![2, 0, 3]>::zeros().max_axes::<axes![1, 2]>();
}

#[test]
fn errors_name_the_axis() {
    let x = numbers(&[2, 3]);
    let twice = x.sum_axes(&[1, 0, -1]).unwrap_err();
    assert_eq!(twice, ShapeError::AxisTwice { axis: 1 });
    assert_eq!(twice.to_string(), "axis 1 is in the list of axes twice");
    let out = x.sum_axes(&[0, 2]).unwrap_err();
    assert_eq!(out, ShapeError::AxisOutOfRange { axis: 2, rank: 2 });
}

/// Sums of many floats stay accurate, and the same on any number of threads.
#[test]
fn large_sums_do_not_depend_on_threads() {
    let sizes = [[30, 200, 300], [3, 200_000, 4], [200_000, 2, 3], [2, 3, 300_000], [600, 70, 40]];
    for sizes in sizes {
        let x = numbers(&sizes).map(|x| 0.1 + x as f32);
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let variance = x.var_axes(&[0, 2]).unwrap().to_vec();
                (x.sum_axes(&[0, 2]).unwrap().to_vec(), variance)
            })
        };
        let (sums, variances) = run(1);
        assert_eq!((&sums, &variances), (&run(3).0, &run(3).1), "{sizes:?}");
        let exact = x.map(|x| x as f64);
        let bound = exact.map(f64::abs).sum_axes(&[0, 2]).unwrap();
        let exact = exact.sum_axes(&[0, 2]).unwrap();
        for ((sum, exact), bound) in sums.iter().zip(exact.iter()).zip(bound.iter()) {
            let error = (f64::from(*sum) - exact).abs();
            assert!(error <= 24.0 * f64::from(f32::EPSILON) * bound, "{error} of {bound}");
        }
    }
}

/// Lanes of a few elements have the same bits alone, among others, in views, and on any number of threads.
#[test]
fn short_lanes_do_not_depend_on_their_neighbours() {
    for len in 2..9 {
        let x = numbers(&[40_000, 3, len]).map(|x| (0.1 + x as f32).sin());
        let permuted = x.permute(&[1, 0, 2]).unwrap();
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let results = [permuted.var_axis(2), permuted.logsumexp_axis(2)];
                results.map(|result| result.unwrap().to_vec())
            })
        };
        let all = run(1);
        assert_eq!(all, run(4), "{len}");
        for index in [0, 17, 39_999] {
            let lane =
                permuted.slice_axis(0, 1..2).unwrap().slice_axis(1, index..index + 1).unwrap();
            let alone = [lane.var_axis(2), lane.logsumexp_axis(2)];
            let alone = alone.map(|result| result.unwrap().to_vec()[0]);
            assert_eq!([0, 1].map(|k| all[k][40_000 + index]), alone, "{len}");
        }
    }
}

/// Counts of elements that are not 0, of all kinds of types, against nested loops.
#[test]
fn counts_are_those_of_loops() {
    fn check<T: Element>(sizes: [usize; 3], element: impl Fn(usize) -> T) {
        let count: usize = sizes.iter().product();
        let elements: Vec<T> = (0..count).map(element).collect();
        let x = DynTensor::from_vec(&sizes, elements).expect("as many elements");
        let permuted = x.permute(&[2, 0, 1]).expect("three axes");
        for x in [x, permuted] {
            let is_nonzero =
                |index: &[usize]| i64::from(x.get(index).expect("an element") != T::ZERO);
            let [a, b, c] = *x.sizes() else { unreachable!() };
            let mut along = [vec![0; b * c], vec![0; a * c], vec![0; a * b]];
            let mut outer = vec![0; b];
            for i in 0..a {
                for j in 0..b {
                    for k in 0..c {
                        let one = is_nonzero(&[i, j, k]);
                        along[0][j * c + k] += one;
                        along[1][i * c + k] += one;
                        along[2][i * b + j] += one;
                        outer[j] += one;
                    }
                }
            }
            for (axis, expected) in along.iter().enumerate() {
                let found = x.count_nonzero_axis(axis as isize).expect("an axis");
                assert_eq!(found.to_vec(), *expected, "axis {axis} of {:?}", x.sizes());
                let kept = x.count_nonzero_axis_keepdims(axis as isize).expect("an axis");
                assert_eq!((kept.sizes()[axis], kept.to_vec()), (1, expected.clone()));
            }
            assert_eq!(x.count_nonzero_axes(&[0, 2]).expect("axes").to_vec(), outer);
            let kept = x.count_nonzero_axes_keepdims(&[0, 2]).expect("axes");
            assert_eq!((kept.sizes(), kept.to_vec()), (&[1, b, 1][..], outer.clone()));
            assert_eq!(x.count_nonzero().to_vec(), [outer.iter().sum::<i64>()]);
        }
    }
    for sizes in [[2, 3, 4], [1, 1, 1], [3, 0, 2], [7, 300, 5], [2, 2, 2000], [1200, 2, 3]] {
        check(sizes, |i| (i % 3) as f32 - 1.0);
        check(sizes, |i| if i % 4 == 0 { -0.0 } else { f64::NAN });
        check(sizes, |i| (i % 5 == 1) as i8);
        check(sizes, |i| (i % 256) as u8);
        check(sizes, |i| (i % 2) as u64 * u64::MAX);
        check(sizes, |i| i % 3 == 0);
    }
}
