//! Initial values of parameters, as PyTorch's layers draw them.

use tensor_core::random::Generator;
use tensor_core::{Float, Shape, Tensor};

/// Uniform within `±1 / √inputs`: PyTorch's initialisation of weights and biases of linear layers and
/// convolutions (`kaiming_uniform_` with `a = √5`), and of recurrent layers, with the state size.
///
/// Source: `reset_parameters` of `torch.nn.Linear`, `_ConvNd` and `RNNBase`.
pub(crate) fn uniform<S: Shape, T: Float>(
    rng: &mut Generator,
    shape: S,
    inputs: usize,
) -> Tensor<S, T> {
    let bound = 1.0 / (inputs.max(1) as f64).sqrt();
    rng.uniform_shaped(shape, T::from_f64(-bound), T::from_f64(bound))
}
