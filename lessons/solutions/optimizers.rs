//! Adam remembers something of each parameter: how large its gradients have been. So an optimiser
//! belongs to one model, or to models of the same sizes. Named axes have the sizes that the run
//! gives them, so that whether the optimiser fits is checked at run time.

use tensor_core::autograd::grad;
use tensor_core::{Tensor, axis, shape};
use tensor_nn::optim::{Adam, Optimizer};

axis!(Features);

type Model = Tensor<shape![Features]>;

fn train(model: &mut Model, optimizer: &mut Optimizer) {
    let gradient = grad(model, |model| (model - 1.0).square().mean());
    optimizer.step(model, &gradient).unwrap_or_else(|error| panic!("{error}"));
}

fn main() {
    let mut small: Model = Tensor::zeros_shaped(shape![Features(2)]);
    let mut large: Model = Tensor::zeros_shaped(shape![Features(3)]);

    let mut of_small = Optimizer::new(Adam::default(), 0.1);
    let mut of_large = Optimizer::new(Adam::default(), 0.1);
    train(&mut small, &mut of_small);
    train(&mut large, &mut of_large);

    assert!(large.min().item() > 0.09, "{large}");
    assert!(small.min().item() > 0.09, "{small}");
}
