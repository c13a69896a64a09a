//! A layer that was trained before, and a new one behind it. The first is not to be trained any
//! further: `Frozen` holds it, and gradients and optimisers leave it alone. It is used as if
//! `Frozen` were not there.

use tensor_core::autograd::grad;
use tensor_core::module::Frozen;
use tensor_core::random::Generator;
use tensor_core::{Module, Tensor, dim, shape};
use tensor_nn::layers::Linear;
use tensor_nn::optim::{Adam, Optimizer};

#[derive(Clone, Module)]
struct Model {
    features: Frozen<Linear<dim!(4), dim!(3)>>,
    scores: Linear<dim!(3), dim!(2)>,
}

fn main() {
    let mut rng = Generator::seed(1);
    let trained: Linear<dim!(4), dim!(3)> = Linear::new(&mut rng);
    let features = Frozen(trained.clone());
    let mut model = Model { features, scores: Linear::new(&mut rng) };
    let x: Tensor<shape![8, 4]> = rng.normal(0.0, 1.0);

    let before = model.scores.clone();
    let gradient = grad(&model, |model| {
        let features = model.features.forward(&x).relu();
        model.scores.forward(&features).square().mean()
    });
    let mut optimizer = Optimizer::new(Adam::default(), 0.01);
    optimizer.step(&mut model, &gradient).expect("a gradient of the model");

    assert_eq!(model.features.weight, trained.weight);
    assert_ne!(model.scores, before);
}
