//! Cases with names: long sums, signs of zero, infinities, nothing, rank 0.

use tensor_core::{Shape, Tensor, axes, axis, shape, tensor};

axis!(A);

/// A running sum of this many equal floats is wrong by one part in a hundred.
#[test]
fn long_sums_stay_exact() {
    fn check<S: Shape>(sums: Tensor<S>, count: f64) {
        let expected = count * f64::from(0.1_f32);
        for &sum in sums.iter() {
            let error = (f64::from(sum) / expected - 1.0).abs();
            assert!(error < 1e-6, "{sum} for {expected}: {error}");
        }
    }
    let x = Tensor::<shape![1000000], f32>::full(0.1);
    check(x.sum(), 1e6);
    check(x.reshape::<shape![200000, 5]>().sum_axis::<0>(), 2e5);
    let square = x.reshape::<shape![1000, 1000]>();
    check(square.sum_axis::<0>(), 1e3);
    check(square.transpose().sum_axis::<0>(), 1e3);
    check(square.transpose().sum(), 1e6);
    let matrices = x.reshape::<shape![10000, 10, 10]>().permute::<axes![2, 0, 1]>();
    check(matrices.sum_axis::<1>(), 1e4);
    check(Tensor::scalar(0.1_f32).expand::<shape![1000000]>().sum(), 1e6);
}

#[test]
fn a_large_mean_does_not_spoil_the_variance() {
    let x = tensor![1e4_f32, 1e4 + 1.0, 1e4 + 2.0, 1e4 + 3.0];
    assert_eq!(x.var().item(), 1.25);
    assert_eq!(x.var_corrected(1).item(), 5.0 / 3.0);
    assert_eq!(x.std_corrected(4).item(), f32::INFINITY);
    assert!(tensor![7.0_f32].var_corrected(1).item().is_nan());
}

/// Columns that rise from 1e4 by 1 in all: what a mean of many numbers loses must not be squared.
#[test]
fn a_large_mean_with_a_trend() {
    fn check<S: Shape>(variances: &Tensor<S>, expected: f64) {
        for &variance in variances.iter() {
            let error = (f64::from(variance) / expected - 1.0).abs();
            assert!(error < 2e-6, "{variance} for {expected}: {error}");
        }
    }
    let x = Tensor::<shape![40000, 3]>::from_fn(|[i, _]| 1e4 + (i / 40) as f32 / 1024.0);
    let element = |i: usize| f64::from(1e4 + (i / 40) as f32 / 1024.0);
    let mean = (0..40_000).map(element).sum::<f64>() / 4e4;
    let variance = (0..40_000).map(|i| (element(i) - mean).powi(2)).sum::<f64>() / 4e4;
    check(&x.var_axis::<0>(), variance);
    check(&x.transpose().var_axis::<1>(), variance);
    let wide = Tensor::<shape![40000, 20]>::from_fn(|[i, _]| x[[i, 0]]);
    check(&wide.var_axis::<0>(), variance);
    check(&wide.var(), variance);
    let rows = x.transpose().map(|x| x);
    check(&rows.var_axis::<1>(), variance);
    // Longer than what is summed at a time.
    let standardized = rows.standardize::<1>();
    let found = f64::from(standardized[[1, 39_999]]);
    let expected = (element(39_999) - mean) / variance.sqrt();
    assert!((found - expected).abs() < 4e-3, "{found} for {expected}");
    for (&a, &b) in standardized.iter().zip(x.standardize::<0>().transpose().iter()) {
        assert!((a - b).abs() < 4e-3, "{a} and {b}");
    }
}

#[test]
fn equal_elements_deviate_by_nothing() {
    let x = Tensor::<shape![1000, 5]>::full(0.1);
    assert!(x.var_axis::<0>().iter().chain(x.var_axis::<1>().iter()).all(|&x| x == 0.0));
    assert_eq!(x.var().item(), 0.0);
    assert!(x.standardize::<0>().iter().all(|x| x.is_nan()));
    assert!(x.standardize::<1>().iter().all(|x| x.is_nan()));
    assert!(x.layer_norm::<0>(1e-5).iter().all(|&x| x == 0.0));
    assert!(x.transpose().layer_norm::<0>(1e-5).iter().all(|&x| x == 0.0));
}

#[test]
fn standardized_special_values() {
    const INF: f32 = f32::INFINITY;
    let rows = tensor![[1.0, INF, 2.0], [f32::NAN, 0.0, 1.0], [1.0, 2.0, 3.0], [INF, -INF, 0.0]];
    let results = [
        rows.layer_norm::<-1>(0.0),
        rows.standardize::<-1>(),
        rows.transpose().standardize::<0>().transpose(),
        rows.transpose().map(|x| x).standardize::<0>().transpose(),
    ];
    for result in results {
        for row in [0, 1, 3] {
            assert!((0..3).all(|column| result[[row, column]].is_nan()), "{result}");
        }
        let root = 1.5_f32.sqrt();
        for (column, expected) in [-root, 0.0, root].into_iter().enumerate() {
            assert!((result[[2, column]] - expected).abs() < 1e-6, "{result}");
        }
    }
    assert!(tensor![7.0_f32].standardize::<0>()[[0]].is_nan());
    assert_eq!(tensor![7.0].layer_norm::<0>(1.0), tensor![0.0]);
    let none = Tensor::<shape![0, 3]>::zeros();
    assert_eq!((none.standardize::<0>(), none.layer_norm::<1>(1e-5)), (none.clone(), none));
}

/// Lines longer than a block, by rows and by columns: maxima in several blocks, and blocks of -∞.
#[test]
fn long_softmax() {
    let x = Tensor::<shape![2, 40000]>::from_fn(|[row, i]| match (row, i) {
        (0, ..20000) => f32::NEG_INFINITY,
        _ => (i % 1000) as f32 / 100.0,
    });
    let sums: Vec<f64> =
        [0, 1].map(|row| (0..40_000).map(|i| f64::from(x[[row, i]]).exp()).sum()).to_vec();
    let columns = x.transpose().map(|x| x);
    let results =
        [x.softmax::<1>(), columns.softmax::<0>().transpose(), columns.transpose().softmax::<1>()];
    let logarithms = [x.logsumexp_axis::<1>(), columns.logsumexp_axis::<0>()];
    for row in 0..2 {
        for logarithms in &logarithms {
            assert!((f64::from(logarithms[[row]]) - sums[row].ln()).abs() < 2e-6);
        }
        for result in &results {
            for i in 0..40_000 {
                let expected = f64::from(x[[row, i]]).exp() / sums[row];
                let error = (f64::from(result[[row, i]]) - expected).abs();
                assert!(error <= 2e-6 * expected, "{} for {expected}", result[[row, i]]);
            }
        }
    }
    assert!((f64::from(x.logsumexp().item()) - (sums[0] + sums[1]).ln()).abs() < 2e-6);
}

#[test]
fn the_sign_of_zero_stays() {
    assert!(tensor![-0.0_f32, -0.0].sum().item().is_sign_negative());
    assert!(tensor![[-0.0_f32], [-0.0]].sum_axis::<0>()[[0]].is_sign_negative());
    assert!(tensor![-0.0_f32, 0.0].sum().item().is_sign_positive());
    assert!(tensor![-0.0_f32, -0.0].cumsum::<0>()[[1]].is_sign_negative());
    assert!(Tensor::<shape![0]>::zeros().sum().item().is_sign_positive());
}

#[test]
fn softmax_of_infinities() {
    const INF: f32 = f32::INFINITY;
    let rows = tensor![[-INF, -INF], [0.0, -INF], [INF, 0.0], [f32::NAN, 0.0], [INF, INF]];
    for rows in [rows.softmax::<-1>(), rows.transpose().softmax::<0>().transpose()] {
        assert!(rows[[0, 0]].is_nan() && rows[[0, 1]].is_nan());
        assert_eq!((rows[[1, 0]], rows[[1, 1]]), (1.0, 0.0));
        assert!(rows[[2, 0]].is_nan() && rows[[3, 0]].is_nan() && rows[[3, 1]].is_nan());
    }
    let logarithms = rows.log_softmax::<-1>();
    assert_eq!((logarithms[[1, 0]], logarithms[[1, 1]]), (0.0, -INF));
    assert!(logarithms[[0, 0]].is_nan());
    let sums = rows.logsumexp_axis::<-1>();
    assert_eq!(sums.to_vec()[..3], [-INF, 0.0, INF]);
    assert!(sums[[3]].is_nan());
    assert_eq!(sums[[4]], INF);
    assert_eq!(tensor![1e4, 1e4].softmax::<0>(), tensor![0.5, 0.5]);
    assert_eq!(tensor![-1e4, -1e4].logsumexp().item(), -1e4 + 2.0_f64.ln());
}

#[test]
fn nothing_and_rank_0() {
    let none = Tensor::<shape![0, 3]>::zeros();
    assert_eq!(none.sum().item(), 0.0);
    assert_eq!(none.prod().item(), 1.0);
    assert!(
        none.mean().item().is_nan() && none.var().item().is_nan() && none.std().item().is_nan()
    );
    assert_eq!(none.logsumexp().item(), f32::NEG_INFINITY);
    assert_eq!(none.sum_axis::<0>(), tensor![0.0, 0.0, 0.0]);
    assert_eq!(none.prod_axis::<0>(), tensor![1.0, 1.0, 1.0]);
    assert!(none.mean_axis::<0>().iter().all(|mean| mean.is_nan()));
    assert!(none.var_axis::<0>().iter().all(|variance| variance.is_nan()));
    assert!(none.logsumexp_axis::<0>().iter().all(|&sum| sum == f32::NEG_INFINITY));
    assert_eq!(none.sum_axis::<1>(), Tensor::<shape![0]>::zeros());
    assert_eq!(none.max_axis::<1>(), Tensor::<shape![0]>::zeros());
    assert_eq!(none.argmin_axis::<1>(), Tensor::<shape![0], i64>::zeros());
    assert_eq!(none.softmax::<0>(), none);
    assert_eq!(none.log_softmax::<1>(), none);
    assert_eq!(none.cumsum::<0>(), none);
    let bools = Tensor::<shape![0, 2], bool>::zeros();
    assert!(bools.all().item() && !bools.any().item());
    assert_eq!(bools.all_axis::<0>(), tensor![true, true]);
    assert_eq!(bools.any_axis::<0>(), tensor![false, false]);

    let one = Tensor::scalar(2.5);
    assert_eq!(
        (one.sum(), one.prod(), one.mean(), one.max()),
        (one.clone(), one.clone(), one.clone(), one.clone())
    );
    assert_eq!((one.var().item(), one.std().item()), (0.0, 0.0));
    assert_eq!((one.argmax().item(), one.argmin().item()), (0, 0));
    assert_eq!(one.logsumexp(), one);
    assert!(Tensor::scalar(true).all().item());
}

#[test]
fn choosing_from_nothing_is_refused() {
    fn message(f: impl FnOnce() + std::panic::UnwindSafe) -> String {
        let panic = std::panic::catch_unwind(f).expect_err("this panics");
        panic.downcast_ref::<String>().expect("a formatted message").clone()
    }
    let none = Tensor::<_, i32>::zeros_shaped(shape![A(0), 3]);
    let x = none.clone();
    assert_eq!(
        message(move || _ = x.max_axis::<0>()),
        "`max_axis` along axis 0 (`A`), which has size 0: no element to choose"
    );
    let x = none.clone();
    assert_eq!(
        message(move || _ = x.argmin_axis_keepdims::<-2>()),
        "`argmin_axis_keepdims` along axis 0 (`A`), which has size 0: no element to choose"
    );
    let x = Tensor::<shape![3, 0]>::zeros();
    assert_eq!(
        message(move || _ = x.min_axis::<1>()),
        "`min_axis` along axis 1, which has size 0: no element to choose"
    );
    assert_eq!(
        message(move || _ = none.argmax()),
        "`argmax` of a tensor without elements: some axis has size 0"
    );
}
