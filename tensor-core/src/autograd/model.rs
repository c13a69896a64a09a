//! Gradients with respect to the parameters of a model.

use core::cell::Cell;
use core::convert::Infallible;

use tensor_array::array::gradients;
use tensor_array::array::history::AnyArray;
use tensor_kernels::element::Float;
use tensor_kernels::layout::graph::{is_recording, with_recording};

use crate::module::{Module, Path, Role};
use crate::tensor::Tensor;
use crate::tensor::recording::Recordable;

/// The result of a function of a model: a loss, which has rank 0, alone or with other values.
///
/// ```
/// use tensor_core::autograd::value_and_grad;
/// use tensor_core::tensor;
///
/// // The loss and the output of the model.
/// let weights = tensor![1.0, 2.0];
/// let ((loss, scores), gradient) = value_and_grad(&weights, |weights| {
///     let scores = weights * 3.0;
///     (scores.sum(), scores.detach())
/// });
/// assert_eq!((loss.item(), scores), (9.0, tensor![3.0, 6.0]));
/// assert_eq!(gradient, tensor![3.0, 3.0]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a loss: a loss is a tensor of rank 0",
    label = "expected `Tensor<()>`, or a pair of it and something else",
    note = "reduce it by `.mean()` or `.sum()`; a number has no gradient, so leave `.item()` out; of a `Result`, such as that of `cross_entropy`, `try_value_and_grad` takes the loss [T910]"
)]
pub trait Loss {
    /// The loss as a constant, with the other values.
    type Value;

    #[doc(hidden)]
    #[allow(private_interfaces, reason = "users do not call it")]
    fn split(self) -> (Self::Value, AnyArray);
}

#[diagnostic::do_not_recommend]
#[allow(private_interfaces, reason = "users do not call it")]
impl<T: Float> Loss for Tensor<(), T> {
    type Value = Self;

    fn split(self) -> (Self, AnyArray) {
        (self.detach(), self.to_any())
    }
}

#[diagnostic::do_not_recommend]
#[allow(private_interfaces, reason = "users do not call it")]
impl<T: Float, X> Loss for (Tensor<(), T>, X) {
    type Value = Self;

    fn split(self) -> (Self, AnyArray) {
        let loss = self.0.to_any();
        ((self.0.detach(), self.1), loss)
    }
}

/// The gradient of a loss with respect to the parameters of a model, as a model of the same type.
///
/// See [`value_and_grad`].
///
/// # Panics
///
/// If the loss does not depend on a parameter.
///
/// ```
/// use tensor_core::autograd::grad;
/// use tensor_core::{Tensor, tensor};
///
/// let model = (tensor![1.0, 2.0], Tensor::scalar(3.0));
/// let gradient = grad(&model, |(weights, bias)| (weights.square() * bias).sum());
/// assert_eq!(gradient, (tensor![6.0, 12.0], Tensor::scalar(5.0)));
/// ```
#[tensor_array_macros::bounds_without_source]
#[track_caller]
pub fn grad<M, L>(model: &M, loss: impl FnOnce(&M) -> L) -> M
where
    M: Module + Clone,
    L: Loss,
{
    value_and_grad(model, loss).1
}

/// A loss, and its gradient with respect to the parameters of a model, as a model of the same type.
///
/// The function gets the model with its parameters as leaves of the graph. Tensors that are not trained (frozen
/// ones and buffers) are in the gradient as they are in the model. The function may itself compute
/// gradients: these are tracked, so that they can be differentiated again. Elsewhere a gradient is a constant, whatever it is
/// computed from: one that depends on a tensor that `requires_grad` is that of [`Tensor::tracked_gradients`].
///
/// # Panics
///
/// If the loss does not depend on a parameter.
///
/// ```
/// use tensor_core::autograd::{grad, value_and_grad};
/// use tensor_core::tensor;
///
/// let (value, gradient) = value_and_grad(&tensor![3.0], |x| x.powi(3).sum());
/// assert_eq!((value.item(), gradient), (27.0, tensor![27.0]));
///
/// // The second derivative.
/// let second = grad(&tensor![3.0], |x| grad(x, |x| x.powi(3).sum()).sum());
/// assert_eq!(second, tensor![18.0]);
/// ```
#[tensor_array_macros::bounds_without_source]
#[doc(alias = "value_and_gradient")]
#[track_caller]
pub fn value_and_grad<M, L>(model: &M, loss: impl FnOnce(&M) -> L) -> (<L as Loss>::Value, M)
where
    M: Module + Clone,
    L: Loss,
{
    let Ok(found) = loss_and_gradient(model, None, |model| Ok::<_, Infallible>(loss(model)));
    found
}

/// [`value_and_grad`] of a function that may fail, for example by an index out of range.
///
/// # Errors
///
/// That of the function.
///
/// # Panics
///
/// If the loss does not depend on a parameter.
///
/// ```
/// use tensor_core::autograd::try_value_and_grad;
/// use tensor_core::{Tensor, shape, tensor};
///
/// let words = Tensor::<shape![5, 2]>::ones();
/// let of_words = |index: i64| {
///     try_value_and_grad(&words, |words| Ok::<_, tensor_core::IndexError>(words.embedding(&tensor![index])?.sum()))
/// };
/// assert_eq!(of_words(1).unwrap().1.sum_axis::<-1>(), tensor![0.0, 2.0, 0.0, 0.0, 0.0]);
/// assert!(of_words(5).is_err());
/// ```
#[tensor_array_macros::bounds_without_source]
#[track_caller]
pub fn try_value_and_grad<M, L: Loss, E>(
    model: &M,
    loss: impl FnOnce(&M) -> Result<L, E>,
) -> Result<(L::Value, M), E>
where
    M: Module + Clone,
{
    loss_and_gradient(model, None, loss)
}

/// A loss, and the gradient of the loss times a factor: [`try_value_and_grad`] for gradients in `f16`, of which small ones
/// would be rounded to 0. `LossScale` of `tensor-nn` chooses the factor, and divides the gradient by it.
///
/// # Errors
///
/// That of the function.
///
/// # Panics
///
/// If the loss does not depend on a parameter.
///
/// ```
/// use tensor_core::autograd::try_value_and_scaled_grad;
/// use tensor_core::{Tensor, tensor};
///
/// let (factor, weights) = (Tensor::scalar(1024.0), tensor![1.0, 2.0]);
/// let (loss, gradient) = try_value_and_scaled_grad(&weights, &factor, |weights| {
///     Ok::<_, tensor_core::IndexError>(weights.sum())
/// })?;
/// assert_eq!((loss.item(), gradient), (3.0, tensor![1024.0, 1024.0]));
/// # Ok::<(), tensor_core::IndexError>(())
/// ```
#[tensor_array_macros::bounds_without_source]
#[track_caller]
pub fn try_value_and_scaled_grad<M, L: Loss, E>(
    model: &M,
    factor: &Tensor<(), f32>,
    loss: impl FnOnce(&M) -> Result<L, E>,
) -> Result<(L::Value, M), E>
where
    M: Module + Clone,
{
    loss_and_gradient(model, Some(&factor.to_any()), loss)
}

/// A loss, and the gradient of the loss, times a factor if there is one.
#[track_caller]
fn loss_and_gradient<M, L: Loss, E>(
    model: &M,
    factor: Option<&AnyArray>,
    loss: impl FnOnce(&M) -> Result<L, E>,
) -> Result<(L::Value, M), E>
where
    M: Module + Clone,
{
    let mut gradient = model.clone();
    let before = variables(&mut gradient);
    let (value, loss) = recording(|| loss(&gradient))?.split();
    to_gradients(loss, factor, &mut gradient, before);
    Ok((value, gradient))
}

thread_local! {
    /// The nesting depth of functions of `value_and_grad` on this thread.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    /// The number of calls of `value_and_grad`, and of functions like it, on this thread.
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

/// The state before the function of a model is called.
struct StateBefore {
    /// Whether gradients are tracked: within another function, or if a parameter was computed from a
    /// tracked tensor.
    recorded: bool,
    calls: usize,
    /// The number of parameters.
    parameters: usize,
}

/// Calls a function whose gradient follows, with its operations tracked, and gradients that it computes itself.
pub(super) fn recording<R>(f: impl FnOnce() -> R) -> R {
    struct Leave;
    impl Drop for Leave {
        fn drop(&mut self) {
            DEPTH.set(DEPTH.get() - 1);
        }
    }
    DEPTH.set(DEPTH.get() + 1);
    let _leave = Leave;
    with_recording(true, f)
}

/// Turns the parameters into leaves of the graph.
fn variables(model: &mut dyn Module) -> StateBefore {
    CALLS.set(CALLS.get().wrapping_add(1));
    let (mut recorded, mut parameters) = (DEPTH.get() > 0 && is_recording(), 0);
    model.visit_mut(&Path::ROOT, &mut |_, role, tensor| {
        if role == Role::Parameter {
            recorded |= tensor.is_tracked();
            tensor.make_variable();
            parameters += 1;
        }
    });
    StateBefore { recorded, calls: CALLS.get(), parameters }
}

/// Replaces the parameters by the gradients of the loss, or of the loss times a factor.
#[track_caller]
fn to_gradients(
    loss: AnyArray,
    factor: Option<&AnyArray>,
    model: &mut dyn Module,
    before: StateBefore,
) {
    let mut parameters = Vec::new();
    model.visit(&Path::ROOT, &mut |_, role, tensor| {
        if role == Role::Parameter {
            parameters.push(tensor.node());
        }
    });
    assert!(
        parameters.len() == before.parameters,
        "`visit_mut` of the module showed {} parameters, and `visit` {}: both must show the same tensors in the same order",
        before.parameters,
        parameters.len()
    );
    // The loss may be computed from a gradient that is constant; then its own gradient is 0.
    let of_gradients = before.calls != CALLS.get();
    assert!(
        loss.node().is_some() || of_gradients,
        "the loss does not depend on a parameter of the model: use the model that the function gets, {}",
        if parameters.is_empty() {
            "and one that has parameters that are not frozen"
        } else {
            "without `detach`, `item` or `no_grad` on the way"
        }
    );
    let gradients = match loss.node() {
        Some(_) => gradients::back_to(loss, factor, parameters, before.recorded),
        None => Vec::new(),
    };
    let mut gradients = gradients.into_iter();
    model.visit_mut(&Path::ROOT, &mut |_, role, tensor| {
        if role == Role::Parameter {
            let gradient = gradients.next().flatten();
            tensor
                .set_array(&gradient.unwrap_or_else(|| gradients::zeros_like(&tensor.to_array())));
        }
    });
}
