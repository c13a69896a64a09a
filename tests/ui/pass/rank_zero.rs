//! Tensors of rank 0 with numbers.

use tensor_core::{Float, Shape, Tensor, shape, tensor};

fn is_small<S: Shape, T: Float>(x: &Tensor<S, T>, limit: T) -> bool {
    x.abs().max() < limit
}

#[derive(Clone, Debug, PartialEq, PartialOrd)]
struct Report {
    loss: Tensor<()>,
    accuracy: f32,
}

fn main() {
    let x = tensor![[1.0, -2.0], [3.0, 4.0]];
    let loss = (&x * &x).mean();
    assert!(loss < 7.6 && loss > 1e-9 && loss == 7.5 && loss != 7.0);
    assert!(loss >= x.max() && loss == loss.clone() && x == &x);
    assert!(is_small(&x, 4.5) && !is_small(&x, 4.0));
    assert_eq!(x.sum(), 6.0);
    assert_eq!(Tensor::<shape![2, 2]>::ones(), Tensor::ones());

    let mut total = 0.0;
    for row in 0..2 {
        total += x.sum_axis::<-1>()[[row]];
        total += x.sum();
    }
    total -= x.max();
    assert_eq!(total, 14.0);
    let mean: f64 = x.mean().into();
    assert_eq!(mean, 1.5);
    if x.greater(-3.0).all().into() {
        assert_eq!(i64::from(x.argmax()), 3);
    }

    let not_a_number = Tensor::scalar(f32::NAN);
    assert!(!(not_a_number < 1.0 || not_a_number >= 1.0));
    assert!(not_a_number != not_a_number.clone());

    let better = Report { loss: Tensor::scalar(0.5), accuracy: 0.9 };
    assert!(better < Report { loss: Tensor::scalar(0.5), accuracy: 0.95 });
}
