//! Operands of closures and operators, owned and borrowed.

use tensor_core::{Tensor, select, shape, tensor, zip_with, zip_with3, zip_with4};

type Weights = Tensor<shape![2, 3]>;

fn step(weights: &mut Weights, velocity: &mut Weights, gradient: &Weights) {
    velocity.zip_assign(gradient, |v, g| v * 0.5 + g);
    velocity.zip_assign(gradient.clone(), |v, g| v.max(g));
    *weights -= velocity;
}

fn main() {
    let x: Weights = tensor![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let doubled = zip_with(x.clone(), x.clone(), |a, b| a + b);
    assert_eq!(doubled, zip_with(&x, &x, |a, b| a + b));
    assert_eq!(zip_with3(&doubled, x.clone(), &x, |a, b, c| a - b - c), Tensor::zeros());
    assert_eq!(zip_with4(&doubled, x.clone(), &x, 0.0 * &x, |a, b, c, d| a - b - c - d).sum(), 0.0);
    assert_eq!(zip_with(&x, tensor![2, 4, 2], |x, limit: i64| x > limit as f32).to_vec().len(), 6);

    let (mut weights, mut velocity) = (doubled, Tensor::zeros());
    step(&mut weights, &mut velocity, &x);
    assert_eq!(weights, x);
    assert_eq!(x.maximum(&mut velocity), x);
    assert_eq!(select(x.greater(0.0), x.clone(), f32::NAN), x);
}
