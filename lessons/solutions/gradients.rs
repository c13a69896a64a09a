//! Two layers: one makes two numbers of four, the other four of two, and both together should give
//! back what came in. In this program the first layer is trained, and the second stays as it is.
//!
//! A gradient has the type of what it is the gradient of: a layer's gradient is such a layer, with
//! a number for each of its parameters.

use tensor_core::autograd::grad;
use tensor_core::random::Generator;
use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::Linear;
use tensor_nn::losses::mse;
use tensor_nn::optim::{Optimizer, Sgd};

fn main() {
    let mut rng = Generator::seed(1);
    let mut encoder: Linear<dim!(4), dim!(2)> = Linear::new(&mut rng);
    let decoder: Linear<dim!(2), dim!(4)> = Linear::new(&mut rng);
    let x: Tensor<shape![8, 4]> = rng.normal(0.0, 1.0);
    let mut optimizer = Optimizer::new(Sgd::default(), 0.1);

    let before = mse(&decoder.forward(&encoder.forward(&x)), &x);
    for _ in 0..20 {
        let gradient = grad(&encoder, |encoder| mse(&decoder.forward(&encoder.forward(&x)), &x));
        optimizer.step(&mut encoder, &gradient).expect("a gradient of the model");
    }
    let after = mse(&decoder.forward(&encoder.forward(&x)), &x);

    assert!(after.item() < before.item(), "{before} before, {after} after");
}
