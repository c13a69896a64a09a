//! Norms compared with their definitions in `f64`, along any axes.

use tensor_core::{DynTensor, Tensor, axes, shape, tensor};

/// The three norms of some numbers, by definition.
fn norms(x: &[f64]) -> [f64; 3] {
    let magnitudes = x.iter().map(|x| x.abs());
    [
        magnitudes.clone().sum(),
        x.iter().map(|x| x * x).sum::<f64>().sqrt(),
        magnitudes.fold(0.0, f64::max),
    ]
}

#[track_caller]
fn assert_near(found: f64, exact: f64) {
    assert!((found - exact).abs() <= 1e-12 * exact.max(1.0), "{found}, not {exact}");
}

#[test]
fn norms_along_each_axis_and_all() {
    let x = Tensor::<shape![7, 19, 33], f64>::from_fn(|[i, j, k]| {
        ((i * 31 + j * 17 + k * 7) % 23) as f64 - 11.0
    });
    let views = [x.clone(), (-&x).transpose().transpose()];
    for x in views {
        let all = norms(&x.to_vec());
        assert_near(x.norm_l1().item(), all[0]);
        assert_near(x.norm().item(), all[1]);
        assert_near(x.norm_max().item(), all[2]);
        let (l1, l2, max) = (x.norm_l1_axis::<1>(), x.norm_axis::<1>(), x.norm_max_axis::<1>());
        for i in 0..7 {
            for k in 0..33 {
                let line: Vec<f64> = (0..19).map(|j| x[[i, j, k]]).collect();
                let line = norms(&line);
                assert_near(l1[[i, k]], line[0]);
                assert_near(l2[[i, k]], line[1]);
                assert_near(max[[i, k]], line[2]);
            }
        }
        let outer = x.norm_axes::<axes![0, 2]>();
        for j in 0..19 {
            let plane: Vec<f64> = (0..7)
                .flat_map(|i| (0..33).map(move |k| (i, k)))
                .map(|(i, k)| x[[i, j, k]])
                .collect();
            assert_near(outer[[j]], norms(&plane)[1]);
        }
        assert_eq!(x.norm_axis_keepdims::<-1>(), x.norm_axis::<-1>().unsqueeze::<2>());
        let dynamic = DynTensor::from(x.clone());
        assert_eq!(dynamic.norm_axis(-1).unwrap(), x.norm_axis::<-1>().into());
        assert_eq!(dynamic.norm_max(), x.norm_max().into());
    }
}

#[test]
fn special_values_and_no_elements() {
    let x = tensor![-0.0, f64::NEG_INFINITY, 1.0];
    assert_eq!((x.norm_l1().item(), x.norm().item()), (f64::INFINITY, f64::INFINITY));
    assert_eq!(x.norm_max().item(), f64::INFINITY);
    let nan = tensor![f64::NAN, 1.0];
    assert!(nan.norm_l1().item().is_nan() && nan.norm().item().is_nan());
    assert!(nan.norm_max().item().is_nan());
    let zeros = tensor![-0.0_f32, -0.0];
    for zero in [zeros.norm_l1().item(), zeros.norm().item(), zeros.norm_max().item()] {
        assert!(zero == 0.0 && zero.is_sign_positive(), "{zero:?}");
    }
    let none = Tensor::<shape![0, 3]>::zeros();
    assert_eq!(none.norm_axis::<0>(), tensor![0.0, 0.0, 0.0]);
    assert_eq!(none.norm_max().item(), 0.0);
    assert_eq!(none.norm_l1().item(), 0.0);
}

#[test]
fn halves_are_summed_in_single_precision() {
    use half::f16;
    let x = Tensor::<shape![4000], f16>::full(f16::from_f32(-3.0));
    assert_eq!(x.norm_l1().item().to_f32(), 12000.0);
    let root = x.norm().item().to_f32();
    assert!((root - 36000_f32.sqrt()).abs() < 0.1, "{root}");
    assert_eq!(x.norm_max().item().to_f32(), 3.0);
}
