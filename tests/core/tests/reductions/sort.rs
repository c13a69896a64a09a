//! The order of elements, against the standard library's stable sort by comparison on tensors of random
//! sizes and layouts, with NaN, infinities and both zeros.

use core::cmp::Ordering;

use crate::random_views::{Random, from_lanes, lanes};
use tensor_core::{
    DynTensor, Element, QuantileMethod, ShapeError, Tensor, axis, dim, shape, tensor,
};

axis!(Batch);
axis!(Best);

const RUNS: u64 = 300;

/// NaN is the largest; zeros are equal.
fn order<T: Element>(a: &T, b: &T) -> Ordering {
    let is_nan = |x: &T| x.partial_cmp(x).is_none();
    a.partial_cmp(b).unwrap_or_else(|| is_nan(a).cmp(&is_nan(b)))
}

/// Indices in order; equal elements keep their order.
fn argsorted<T: Element>(lane: &[T], descending: bool) -> Vec<i64> {
    let mut indices: Vec<usize> = (0..lane.len()).collect();
    indices.sort_by(|&a, &b| {
        let order = order(&lane[a], &lane[b]);
        if descending { order.reverse() } else { order }
    });
    indices.into_iter().map(|index| index as i64).collect()
}

/// The same text is the same element: NaN, and the sign of 0.
fn text<T: Element>(elements: &[T]) -> Vec<String> {
    elements.iter().map(|element| format!("{element:?}")).collect()
}

fn float(random: &mut Random) -> f32 {
    let values = [f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.0, -0.0, 1e-40, -1e-40];
    match random.below(3) {
        0 => values[random.below(8)],
        _ => random.below(8) as f32 - 4.0,
    }
}

fn check<T: Element>(seed: u64, element: impl FnMut(&mut Random) -> T) {
    let random = &mut Random::new(seed);
    let rank = 1 + random.below(3);
    let (mut sizes, axis) = (random.sizes(rank), random.below(rank));
    if seed.is_multiple_of(3) {
        sizes[axis] = 200;
    }
    let x = random.tensor(&sizes, element);
    let (lanes, number) = (lanes(&x, axis), axis as isize);
    let k = random.below(sizes[axis].min(20) + 1);
    let mut k_sizes = sizes.clone();
    k_sizes[axis] = k;
    let results = [
        (x.sort(number), x.argsort(number), x.topk_smallest(number, k)),
        (x.sort_descending(number), x.argsort_descending(number), x.topk(number, k)),
    ];
    for (descending, (sorted, indices, top)) in [false, true].into_iter().zip(results) {
        let expected: Vec<_> = lanes.iter().map(|lane| argsorted(lane, descending)).collect();
        assert_eq!(indices.unwrap(), from_lanes(&sizes, axis, &expected));
        let value = |(lane, indices): (&Vec<T>, &Vec<i64>)| -> Vec<T> {
            indices.iter().map(|&index| lane[index as usize]).collect()
        };
        let values: Vec<Vec<T>> = lanes.iter().zip(&expected).map(value).collect();
        let wanted = from_lanes(&sizes, axis, &values);
        assert_eq!(text(&sorted.unwrap().to_vec()), text(&wanted.to_vec()), "{sizes:?} {axis}");

        let (top_values, top_indices) = top.unwrap();
        let first: Vec<_> = expected.iter().map(|lane| lane[..k].to_vec()).collect();
        assert_eq!(top_indices, from_lanes(&k_sizes, axis, &first));
        let first: Vec<_> = values.iter().map(|lane| lane[..k].to_vec()).collect();
        let wanted = from_lanes(&k_sizes, axis, &first);
        assert_eq!(text(&top_values.to_vec()), text(&wanted.to_vec()));
    }
}

#[test]
fn every_type_is_sorted_as_it_compares() {
    for seed in 0..RUNS {
        check(seed, float);
        check(seed, |random| f64::from(float(random)));
        check(seed, |random| random.below(2) == 1);
        check(seed, |random| random.below(256) as u8);
        check(seed, |random| random.below(256) as u8 as i8);
        check(seed, |random| (random.below(1 << 31) as i32).wrapping_mul(3));
        check(seed, |random| (random.below(1 << 31) as i64).wrapping_mul(i64::MAX / 5));
        check(seed, |random| (random.below(1 << 31) as u64).wrapping_mul(u64::MAX / 5));
    }
}

#[test]
fn halves_are_sorted_as_they_compare() {
    use half::{bf16, f16};

    for seed in 0..RUNS {
        check(seed, |random| f16::from_f32(float(random)));
        check(seed, |random| bf16::from_f32(float(random)));
    }
}

/// Whole lanes by several threads, and more candidates than are kept.
#[test]
fn large_ones() {
    let random = &mut Random::new(7);
    let x = random.tensor(&[40, 5000], |random| random.below(3000) as f32 - 1500.0);
    for axis in [0, 1] {
        let (sorted, descending) = (x.sort(axis).unwrap(), x.sort_descending(axis).unwrap());
        let [sorted, descending] = [sorted, descending].map(|x| lanes(&x, axis as usize));
        for (index, mut lane) in lanes(&x, axis as usize).into_iter().enumerate() {
            lane.sort_by(f32::total_cmp);
            assert_eq!(sorted[index], lane);
            lane.reverse();
            assert_eq!(descending[index], lane);
        }
    }
    let (values, indices) = x.topk(1, 10).unwrap();
    let sorted = x.argsort_descending(1).unwrap();
    let first = sorted.to_vec().chunks(5000).flat_map(|row| row[..10].to_vec()).collect::<Vec<_>>();
    assert_eq!(indices.to_vec(), first);
    assert_eq!(x.take_along_axis(1, &indices).unwrap(), values);
}

#[test]
fn quantiles_are_those_of_sorted_elements() {
    for seed in 0..RUNS {
        let random = &mut Random::new(seed);
        let rank = 1 + random.below(3);
        let (sizes, axis) = (random.sizes(rank), random.below(rank));
        let x = random.tensor(&sizes, |random| random.below(50) as f64 / 4.0);
        let q = [0.0, 0.1, 0.25, 0.5, 0.9, 1.0][random.below(6)];
        for method in [
            QuantileMethod::Interpolate,
            QuantileMethod::Lower,
            QuantileMethod::Higher,
            QuantileMethod::Nearest,
            QuantileMethod::Midpoint,
        ] {
            let found = x.quantile_axis_with(axis as isize, q, method).unwrap();
            for (found, mut lane) in found.to_vec().into_iter().zip(lanes(&x, axis)) {
                lane.sort_by(f64::total_cmp);
                if lane.is_empty() {
                    assert!(found.is_nan());
                    continue;
                }
                let place = q * (lane.len() - 1) as f64;
                let (low, high) = (lane[place.floor() as usize], lane[place.ceil() as usize]);
                let expected = match method {
                    QuantileMethod::Interpolate => low + (high - low) * place.fract(),
                    QuantileMethod::Lower => low,
                    QuantileMethod::Higher => high,
                    QuantileMethod::Nearest => lane[place.round_ties_even() as usize],
                    QuantileMethod::Midpoint => (low + high) / 2.0,
                };
                assert_eq!(found, expected, "{method:?} {q} {lane:?}");
            }
        }
    }
    let x = tensor![[1.0, f32::NAN], [f32::INFINITY, f32::INFINITY]];
    assert!(x.median_axis::<-1>()[[0]].is_nan());
    assert_eq!(x.median_axis::<-1>()[[1]], f32::INFINITY);
    // Interpolation between a number and an infinity is the infinity, and no difference overflows.
    assert_eq!(tensor![f32::NEG_INFINITY, -1.0].median().item(), f32::NEG_INFINITY);
    assert_eq!(tensor![f64::INFINITY, 1.0].quantile(0.25).item(), f64::INFINITY);
    assert_eq!(tensor![f64::MIN, f64::MAX].median().item(), 0.0);
    assert!(tensor![f32::NEG_INFINITY, f32::INFINITY].median().item().is_nan());
    assert_eq!(Tensor::<shape![2, 3], f64>::ones().transpose().quantile(0.3).item(), 1.0);
}

#[test]
fn places_among_sorted_elements() {
    for seed in 0..RUNS {
        let random = &mut Random::new(seed);
        let len = random.below(20);
        let sorted = random.tensor(&[len], float).sort(0).unwrap();
        let sizes = random.sizes(2);
        let values = random.tensor(&sizes, float);
        let count = |value: f32, is_before: fn(Ordering) -> bool| {
            sorted.to_vec().iter().filter(|element| is_before(order(*element, &value))).count()
                as i64
        };
        let expected: Vec<_> = values.to_vec().iter().map(|&v| count(v, Ordering::is_lt)).collect();
        assert_eq!(sorted.searchsorted(&values).unwrap().to_vec(), expected);
        let expected: Vec<_> = values.to_vec().iter().map(|&v| count(v, Ordering::is_le)).collect();
        assert_eq!(sorted.searchsorted_right(&values).unwrap().to_vec(), expected);
        let one_of = |value: &f32| sorted.to_vec().contains(value);
        let expected: Vec<_> = values.to_vec().iter().map(one_of).collect();
        assert_eq!(values.isin(&sorted).to_vec(), expected);
    }
}

#[test]
fn different_elements_are_found_once() {
    for seed in 0..RUNS {
        let random = &mut Random::new(seed);
        let rank = random.below(4);
        let sizes = random.sizes(rank);
        let x = random.tensor(&sizes, float);
        let (values, first, inverse, counts) = x.unique_all();
        let (elements, values) = (x.to_vec(), values.to_vec());
        assert!(values.is_sorted_by(|a, b| order(a, b).is_lt()), "{values:?}");
        assert_eq!(inverse.sizes(), sizes);
        for (element, number) in elements.iter().zip(inverse.to_vec()) {
            assert!(order(element, &values[number as usize]).is_eq());
        }
        for (number, value) in values.iter().enumerate() {
            let equal = || (0..elements.len()).filter(|&at| order(&elements[at], value).is_eq());
            assert_eq!(equal().count() as i64, counts.to_vec()[number]);
            assert_eq!(equal().next().unwrap() as i64, first.to_vec()[number]);
        }
    }
}

#[test]
fn different_slices_are_found_once() {
    for seed in 0..RUNS {
        let random = &mut Random::new(seed);
        let rank = 1 + random.below(3);
        let sizes = random.sizes(rank);
        let axis = random.below(rank);
        let x = random.tensor(&sizes, float);
        let (slices, first, inverse, counts) = x.unique_all_axis(axis as isize).unwrap();
        let rows = |x: &DynTensor<f32>| -> Vec<Vec<f32>> {
            let slice = |at| x.index(axis as isize, at).unwrap().to_vec();
            (0..x.sizes()[axis]).map(slice).collect()
        };
        let compare = |a: &Vec<f32>, b: &Vec<f32>| {
            a.iter().zip(b).map(|(a, b)| order(a, b)).find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
        };
        let (given, found) = (rows(&x), rows(&slices));
        assert!(found.is_sorted_by(|a, b| compare(a, b).is_lt()), "{found:?}");
        assert_eq!((inverse.sizes(), slices.rank()), ([sizes[axis]].as_slice(), rank));
        for (row, number) in given.iter().zip(inverse.to_vec()) {
            assert!(compare(row, &found[number as usize]).is_eq());
        }
        for (number, row) in found.iter().enumerate() {
            let equal = || (0..given.len()).filter(|&at| compare(&given[at], row).is_eq());
            assert_eq!(equal().count() as i64, counts.to_vec()[number]);
            assert_eq!(equal().next().unwrap() as i64, first.to_vec()[number]);
        }
    }
}

#[test]
fn slices_without_elements_are_equal() {
    let (slices, first, inverse, counts) =
        DynTensor::<f32>::full(&[3, 0], 0.0).unique_all_axis(0).unwrap();
    assert_eq!(slices.sizes(), [1, 0]);
    assert_eq!((first.to_vec(), inverse.to_vec(), counts.to_vec()), (vec![0], vec![0; 3], vec![3]));
    let (slices, first, ..) = DynTensor::<f32>::full(&[3, 0], 0.0).unique_all_axis(1).unwrap();
    assert_eq!((slices.sizes(), first.len()), ([3, 0].as_slice(), 0));
    assert!(DynTensor::<f32>::full(&[3], 0.0).unique_axis(1).is_err());
    let empty = DynTensor::<u8>::full(&[usize::MAX / 8 + 1, 0], 0);
    assert!(empty.unique_axis(0).is_err());
    assert_eq!(empty.unique_axis(1).unwrap().sizes(), empty.sizes());
}

#[test]
fn run_time_axes() {
    let x = Tensor::from_vec_shaped(shape![Batch(3), 2], vec![3, 1, 2, 9, 5, 4]).unwrap();
    assert_eq!(x.sort::<0>().to_vec(), [2, 1, 3, 4, 5, 9]);
    let (values, _) = x.topk::<-1, dim!(1)>();
    assert_eq!(values.to_vec(), [3, 9, 5]);
    let (_, indices) = x.topk_shaped::<0, dim!(2)>(dim!(2));
    assert_eq!(indices.to_vec(), [2, 1, 0, 2]);
    let x = DynTensor::full(&[2, 3], 0);
    assert_eq!(
        x.topk(1, 4).unwrap_err(),
        ShapeError::TooFewElements { chosen: 4, axis: 1, size: 3 }
    );
    assert_eq!(
        x.kthvalue(0, 2).unwrap_err().to_string(),
        "3 elements cannot be chosen along axis 0, which has size 2"
    );
}

#[test]
#[should_panic(expected = "4 elements cannot be chosen along axis 0, which has size 3")]
fn more_than_a_run_time_axis_has() {
    let x = Tensor::from_vec_shaped(shape![Batch(3)], vec![3, 1, 2]).unwrap();
    let _ = x.topk_shaped::<0, _>(Best(4));
}

#[test]
#[should_panic(expected = "a quantile is from 0 to 1, and this is 25")]
fn a_percentage_is_no_quantile() {
    let _ = tensor![1.0, 2.0].quantile(25.0);
}
