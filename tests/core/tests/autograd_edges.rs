//! Gradients where a slope is infinite, NaN or not defined: at limits, ties and singular points, and beside them. The
//! numbers are PyTorch's, or the limits of the derivatives where PyTorch has NaN.

use tensor_core::{DynTensor, Tensor, dim, fuse, shape, tensor, zip_with, zip_with3, zip_with4};

/// Results that are no floats are constants: their gradient is 0, and they may be written.
#[test]
fn only_floats_are_tracked() {
    let x = tensor![1.5, -2.5, 0.0].requires_grad();
    let zeros = Tensor::<shape![3], f64>::zeros();
    assert_eq!(x.cast::<i32>().cast::<f64>().sum().gradients(&x), zeros);
    assert_eq!((x.cast::<bool>().cast::<f64>() * &x).sum().gradients(&x), tensor![1.0, 1.0, 0.0]);
    let (_, places) = x.topk::<0, dim!(2)>();
    assert_eq!((places.cast::<f64>().sum() + x.sum()).gradients(&x), tensor![1.0; 3]);
    let kinds = |x: &Tensor<shape![3], f64>| {
        [
            x.cast::<i32>(),
            x.floor().cast::<i32>(),
            x.argsort::<0>().cast::<i32>(),
            x.argmax().cast::<i32>() + tensor![0, 0, 0],
            x.greater(0.0).cast::<i32>(),
            fuse!(x.cast::<i32>() + 0),
        ]
    };
    for (got, want) in kinds(&x).into_iter().zip(kinds(&x.detach())) {
        let mut got = got;
        assert_eq!(got, want);
        got.map_assign(|x| x + 1);
        got[[0]] = 7;
        assert_eq!(got.map(|x| x * 2)[[0]], 14);
        assert_eq!((got.cast::<f64>() * &x).sum().gradients(&x), got.cast::<f64>());
    }
    let dynamic = DynTensor::from(tensor![1.5, -2.5, 0.0]).requires_grad();
    let mut integers = dynamic.cast::<i64>();
    integers.map_assign(|x| x + 1);
    integers[[0]] = 5;
    assert_eq!(integers.to_vec(), [5, -1, 1]);
    let floats = integers.cast::<f64>();
    assert!(!floats.is_recorded());
    assert_eq!(floats.sum().gradients(&[&dynamic]), [DynTensor::zeros(&[3])]);
    // Between floats nothing ends.
    assert!(dynamic.cast::<f32>().is_recorded());
}

#[test]
fn closures_whose_results_are_no_floats() {
    let (x, y) = (tensor![1.0_f32, f32::INFINITY].requires_grad(), tensor![2.0_f32, 0.0]);
    assert_eq!(x.map(f32::is_infinite), tensor![false, true]);
    assert_eq!(x.map(|x| x as u8), tensor![1_u8, 255]);
    assert_eq!(zip_with(&x, &y, |x, y| x < y), tensor![true, false]);
    assert_eq!(zip_with3(&x, &y, &x, |a, b, c| a < b && b < c), tensor![false, false]);
    assert_eq!(zip_with4(&x, &y, &x, &y, |a, b, c, d| a < b && c < d), tensor![true, false]);
    let mut count = tensor![1, 2];
    count.zip_assign(&x, |count, x| count + i32::from(x.is_infinite()));
    assert_eq!(count, tensor![1, 3]);
    let (x, y) = (DynTensor::from(x), DynTensor::from(y));
    assert_eq!(x.map(f32::is_infinite).to_vec(), [false, true]);
    assert_eq!(x.zip_with(&y, |x, y| x < y).unwrap().to_vec(), [true, false]);
    let three = x.zip_with3(&y, &x, |a, b, c| a < b && b < c).unwrap();
    assert_eq!(three.to_vec(), [false, false]);
    let four = x.zip_with4(&y, &x, &y, |a, b, c, d| a < b && c < d).unwrap();
    assert_eq!(four.to_vec(), [true, false]);
    let mut count = DynTensor::from(tensor![1, 2]);
    count.zip_assign(&x, |count, x| count + i32::from(x.is_infinite())).unwrap();
    assert_eq!(count.to_vec(), [1, 3]);
}
