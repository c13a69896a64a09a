//! Operations with a custom gradient rule, and gradient checkpointing.

use core::marker::PhantomData;

use smallvec::SmallVec;
use tensor_array::array::history::{AnyArray, Backward, Gradients, Recorded, Saves};
use tensor_array::array::trace::with_rule;
use tensor_kernels::autocast::{autocast, with_autocast};
use tensor_kernels::element::Float;
use tensor_kernels::layout::graph::is_recording;

use super::variables::{GradientInputs, TensorList};
use crate::shape::Shape;
use crate::tensor::{DynTensor, Tensor};

/// An operation with a custom gradient rule, as JAX's `custom_vjp` and PyTorch's `autograd.Function`:
/// `[..s], [..t] … → [..r]`.
///
/// `forward` computes the result from the inputs, and is not tracked: it may do anything, including
/// closures and other libraries. `backward` takes the inputs and the gradient of the result, and returns
/// the gradients of the inputs, with their shapes. If gradients of gradients are required, it is
/// tracked, provided that it is written with tensor operations.
///
/// ```
/// use tensor_core::{Shape, Tensor, autograd, tensor};
///
/// /// `x³`, whose gradient is kept between -1 and 1.
/// fn clipped_cube<S: Shape>(x: &Tensor<S, f64>) -> Tensor<S, f64> {
///     autograd::custom(
///         x,
///         |x| x.map(|x| x * x * x),
///         |x, gradient| (gradient * x.square() * 3.0).clamp(-1.0, 1.0),
///     )
/// }
///
/// let x = tensor![0.5, 10.0].requires_grad();
/// assert_eq!(clipped_cube(&x).sum().gradients(&x), tensor![0.75, 1.0]);
/// ```
#[doc(alias = "custom_vjp")]
#[doc(alias = "Function")]
pub fn custom<V, S, T>(
    inputs: V,
    forward: impl FnOnce(&V::Gradients) -> Tensor<S, T>,
    backward: impl Fn(&V::Gradients, &Tensor<S, T>) -> V::Gradients + Send + Sync + 'static,
) -> Tensor<S, T>
where
    V: GradientInputs<T>,
    V::Gradients: Send + Sync + 'static,
    S: Shape,
    T: Float,
{
    let inputs = inputs.tensors();
    let mut operands = Vec::new();
    inputs.collect(&mut operands);
    let constants = inputs.constants();
    let result = super::no_grad(|| forward(&constants)).detach();
    let (shape, element) = (result.axes, PhantomData::<T>);
    let of_forward = autocast();
    let backward =
        move |inputs: &_, gradient: &_| with_autocast(of_forward, || backward(inputs, gradient));
    let rule = || Custom { inputs: constants, shape, backward, element }.into();
    let result = with_rule(AnyArray::new(result.erased()), rule, &operands);
    let result: &DynTensor<T> = result.get().expect("elements of one type");
    Tensor::with_shape(shape, result.clone())
}

/// The rule of [`custom`].
struct Custom<L, S, T, F> {
    /// The shapes of the inputs; the tensors are stored in the node.
    inputs: L,
    shape: S,
    backward: F,
    element: PhantomData<T>,
}

impl<L, S, T, F> Backward for Custom<L, S, T, F>
where
    L: TensorList<T> + Send + Sync,
    S: Shape,
    T: Float,
    F: Fn(&L, &Tensor<S, T>) -> L + Send + Sync,
{
    fn saves(&self) -> Saves {
        Saves::OPERANDS
    }

    fn backward(&self, at: &Recorded<'_>, gradient: &AnyArray) -> Gradients {
        let tensor =
            |array: &AnyArray| array.get::<DynTensor<T>>().expect("elements of one type").clone();
        let mut position = 0..;
        let inputs = self
            .inputs
            .with(&mut |_| tensor(&at.operand(position.next().expect("there is no end"))));
        let gradient = Tensor::with_shape(self.shape, tensor(gradient));
        let gradients = (self.backward)(&inputs, &gradient);
        let mut found = Vec::new();
        gradients.collect(&mut found);
        found.into_iter().map(Some).collect::<SmallVec<_>>()
    }
}

/// A part of a model that keeps only its inputs, and is recomputed in the backward pass, as PyTorch's
/// `checkpoint` and JAX's `remat`: `[..s], [..t] … → [..r]`. It costs one more forward pass through the
/// part, and saves the memory of its intermediate results.
///
/// Pass everything that requires a gradient by `inputs`: tensors that the function captures are constants.
///
/// The function is called again in each backward pass, and must return the same result. A random
/// generator that it captures behind a lock advances, and its other side effects happen again: create
/// the generator in the function, from a seed. `Pass::checkpoint` of tensor-nn repeats the random
/// numbers of a `Pass`, for dropout and batch normalisation.
///
/// ```
/// use tensor_core::{autograd, tensor};
///
/// let x = tensor![0.1, 0.2].requires_grad();
/// let y = autograd::checkpoint(&x, |x| x.exp().sin().exp());
/// let again = x.exp().sin().exp();
/// assert_eq!(y.sum().gradients(&x), again.sum().gradients(&x));
/// ```
#[doc(alias = "remat")]
pub fn checkpoint<V, S, T>(
    inputs: V,
    part: impl Fn(&V::Gradients) -> Tensor<S, T> + Clone + Send + Sync + 'static,
) -> Tensor<S, T>
where
    V: GradientInputs<T>,
    V::Gradients: Send + Sync + 'static,
    S: Shape,
    T: Float,
{
    checkpoint_with(inputs, part.clone(), part)
}

/// [`checkpoint`] of a part with one function for the forward pass and another one for the
/// recomputation, which must compute the same: for parts with a state, such as a random generator.
///
/// ```
/// use tensor_core::{autograd, tensor};
///
/// let mut calls = 0;
/// let forward = |x: &_| {
///     calls += 1;
///     tensor![2.0, 3.0] * x
/// };
/// let x = tensor![0.1, 0.2].requires_grad();
/// let y = autograd::checkpoint_with(&x, forward, |x| tensor![2.0, 3.0] * x);
/// assert_eq!(y.sum().gradients(&x), tensor![2.0, 3.0]);
/// assert_eq!(calls, 1);
/// ```
pub fn checkpoint_with<V, S, T>(
    inputs: V,
    first: impl FnOnce(&V::Gradients) -> Tensor<S, T>,
    again: impl Fn(&V::Gradients) -> Tensor<S, T> + Send + Sync + 'static,
) -> Tensor<S, T>
where
    V: GradientInputs<T>,
    V::Gradients: Send + Sync + 'static,
    S: Shape,
    T: Float,
{
    custom(inputs, first, move |inputs, gradient| {
        let tracked = is_recording();
        let leaves = after(inputs, &gradient.erased()).leaves();
        let result = super::model::recording(|| (again(&leaves) * gradient).sum());
        super::gradients_of(&result, &leaves, tracked)
    })
}

/// Tensors from which a part is computed again, once the gradient of its result is known: a program that a compiler
/// rearranges keeps less memory only then.
fn after<L: TensorList<T>, T: Float>(inputs: &L, gradient: &DynTensor<T>) -> L {
    let mut tensors = Vec::new();
    inputs.collect(&mut tensors);
    let mut tensors = tensors.into_iter();
    inputs.with(&mut |_| {
        let array = tensors.next().expect("one for each tensor");
        array.get::<DynTensor<T>>().expect("elements of one type").after(gradient)
    })
}
