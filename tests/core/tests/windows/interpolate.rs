//! Interpolation, compared with its definition, and normalisation of channels with its formulas.

use crate::random::Random;
use tensor_core::windows::Interpolation::{self, Bilinear, BilinearAlignCorners, Nearest};
use tensor_core::{DynTensor, IntoTensor, ShapeError, Tensor, axis, shape, tensor};

/// The two elements around a position, and its distance from the first.
fn between(how: Interpolation, place: usize, size: usize, target: usize) -> (usize, usize, f64) {
    let (at, scale) = (place as f64, size as f64 / target as f64);
    let position = match how {
        Nearest => return (place * size / target, 0, 0.0),
        Bilinear => (at + 0.5) * scale - 0.5,
        BilinearAlignCorners if target == 1 => 0.0,
        BilinearAlignCorners => at * (size - 1) as f64 / (target - 1) as f64,
    };
    let position = position.max(0.0);
    let first = (position as usize).min(size - 1);
    (first, (first + 1).min(size - 1), position - first as f64)
}

#[test]
fn random_images_at_other_sizes() {
    let mut random = Random::new(1, 99);
    for how in [Nearest, Bilinear, BilinearAlignCorners] {
        for _ in 0..100 {
            let sizes = [1 + random.below(3), 1 + random.below(9), 1 + random.below(9)];
            let target = [1 + random.below(15), 1 + random.below(15)];
            let x = random.tensor(&sizes);
            let expected = DynTensor::from_fn(&[sizes[0], target[0], target[1]], |index| {
                let (top, bottom, down) = between(how, index[1], sizes[1], target[0]);
                let (left, right, along) = between(how, index[2], sizes[2], target[1]);
                let at = |row, column| x.get(&[index[0], row, column]).unwrap();
                let row = |row| at(row, left) * (1.0 - along) + at(row, right) * along;
                row(top) * (1.0 - down) + row(bottom) * down
            });
            let found = x.interpolate(&target, how).unwrap();
            assert!(found.all_close(&expected, 1e-12, 1e-9), "{how:?} {sizes:?} {target:?}");
            let turned = x.transpose().unwrap().contiguous().transpose().unwrap();
            assert_eq!(turned.interpolate(&target, how).unwrap(), found);
            let narrow = x.cast::<f32>().interpolate(&target, how).unwrap();
            assert!(narrow.cast::<f64>().all_close(&expected, 1e-5, 1e-4));
        }
    }
}

#[test]
fn typed_interpolation_is_that_of_run_time_shapes() {
    axis!(Height);
    axis!(Width);
    let mut random = Random::new(2, 99);
    let x = random.tensor(&[3, 5, 7]);
    let typed: Tensor<shape![3, Height, Width], f64> = x.clone().into_tensor().unwrap();
    let y: Tensor<shape![3, 10, 4], f64> = typed.interpolate::<shape![10, 4]>(Bilinear);
    assert_eq!(DynTensor::from(y), x.interpolate(&[10, 4], Bilinear).unwrap());
    let y: Tensor<shape![2, 5, 7], f64> = typed.interpolate::<shape![2, 5, 7]>(Nearest);
    assert_eq!(DynTensor::from(y), x.interpolate(&[2, 5, 7], Nearest).unwrap());
}

#[test]
fn an_element_keeps_its_value_whatever_is_beside_it() {
    let x = tensor![1.0, f32::NAN, 3.0];
    let y = x.interpolate::<shape![3]>(Bilinear);
    assert_eq!((y[[0]], y[[2]]), (1.0, 3.0));
    let y = x.interpolate::<shape![2]>(BilinearAlignCorners);
    assert_eq!(y, tensor![1.0, 3.0]);
}

#[test]
fn what_does_not_fit_is_an_error() {
    let x = DynTensor::full(&[2, 0], 1.0_f32);
    assert!(matches!(x.interpolate(&[3], Bilinear), Err(ShapeError::Empty { axis: Some(1), .. })));
    assert!(matches!(x.interpolate(&[1, 1, 1], Bilinear), Err(ShapeError::PoolRank { .. })));
    assert!(matches!(x.interpolate(&[], Bilinear), Err(ShapeError::PoolRank { .. })));
    let x = DynTensor::full(&[2, 1], 1.0_f32);
    let huge = isize::MAX as usize;
    assert!(matches!(x.interpolate(&[huge], Nearest), Err(ShapeError::TooLarge { .. })));
}

#[test]
fn normalisation_of_channels_is_by_its_formulas() {
    let mut random = Random::new(3, 99);
    let x = random.tensor(&[2, 6, 4, 5]);
    let typed: Tensor<shape![2, 6, 4, 5], f64> = x.clone().into_tensor().unwrap();
    let epsilon = 0.5;
    // The elements of `[image, channel]` that are normalised together with it.
    let by = |together: &dyn Fn([usize; 2], [usize; 2]) -> bool| {
        DynTensor::from_fn(&[2, 6, 4, 5], |index| {
            let own = [index[0], index[1]];
            let mut group = Vec::new();
            for image in 0..2 {
                for channel in (0..6).filter(|&channel| together(own, [image, channel])) {
                    for place in 0..20 {
                        group.push(x[[image, channel, place / 5, place % 5]]);
                    }
                }
            }
            let mean = group.iter().sum::<f64>() / group.len() as f64;
            let variance =
                group.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / group.len() as f64;
            (x.get(index).unwrap() - mean) / (variance + epsilon).sqrt()
        })
    };
    let close = |a: &Tensor<shape![2, 6, 4, 5], f64>, b: &DynTensor<f64>| {
        DynTensor::from(a.clone()).all_close(b, 1e-9, 1e-12)
    };
    let groups = by(&|a, b| a[0] == b[0] && a[1] / 2 == b[1] / 2);
    assert!(close(&typed.group_norm::<1, 3>(epsilon), &groups));
    let turned = typed.permute::<axes![3, 2, 1, 0]>().contiguous().permute::<axes![3, 2, 1, 0]>();
    assert!(close(&turned.group_norm::<-3, 3>(epsilon), &groups));
    assert!(close(&typed.instance_norm::<-3>(epsilon), &by(&|a, b| a == b)));
    let batch = by(&|a, b| a[1] == b[1]);
    assert!(close(&typed.batch_norm_training::<1>(epsilon), &batch));
    let (mean, variance) =
        (typed.mean_axes::<axes![0, 2, 3]>(), typed.var_axes::<axes![0, 2, 3]>());
    assert!(close(&typed.batch_norm::<1>(&mean, &variance, epsilon), &batch));

    let squares = DynTensor::from_fn(&[2, 6, 4, 5], |index| {
        let all = (0..6).map(|channel| x[[index[0], channel, index[2], index[3]]].powi(2));
        x.get(index).unwrap() / (all.sum::<f64>() / 6.0 + epsilon).sqrt()
    });
    assert!(close(&typed.rms_norm::<1>(epsilon), &squares));
}

use tensor_core::axes;

#[test]
fn normalisation_says_what_does_not_fit() {
    let x = DynTensor::full(&[2, 6], 1.0);
    assert!(matches!(x.group_norm(1, 4, 0.1), Err(ShapeError::Groups { channels: 6, groups: 4 })));
    assert!(matches!(x.group_norm(1, 0, 0.1), Err(ShapeError::WindowOptionZero { .. })));
    assert!(matches!(x.group_norm(2, 1, 0.1), Err(ShapeError::AxisOutOfRange { .. })));
    let short = DynTensor::full(&[5], 1.0);
    assert!(matches!(x.batch_norm(1, &short, &short, 0.1), Err(ShapeError::Length { .. })));
    let none = DynTensor::full(&[0, 6], 1.0);
    assert_eq!(none.group_norm(1, 3, 0.1).unwrap(), none);
    assert_eq!(none.instance_norm(0, 0.1).unwrap(), none);
}
