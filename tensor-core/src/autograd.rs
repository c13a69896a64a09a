//! Gradients: reverse-mode differentiation of whatever tensors compute.
//!
//! There is one type of tensors. [`requires_grad`](Tensor::requires_grad) makes a variable of one, and
//! what is computed of variables is recorded: each result knows the operation and the operands that it
//! came from. [`gradients`](Tensor::gradients) walks from a loss back to the variables.
//!
//! ```
//! use tensor_core::tensor;
//!
//! let x = tensor![1.0, 2.0, 3.0].requires_grad();
//! let w = tensor![0.5, 0.5, -1.0].requires_grad();
//! let loss = (&x * &w).sum().square();
//! let (dx, dw) = loss.gradients((&x, &w));
//! assert_eq!(dx, tensor![-1.5, -1.5, 3.0]);
//! assert_eq!(dw, tensor![-3.0, -6.0, -9.0]);
//! ```
//!
//! The gradient of an operand that was broadcast is summed over the axes that were stretched. The rules are
//! written with the operations themselves, so that
//! [`recorded_gradients`](Tensor::recorded_gradients) have gradients in turn.
//!
//! Views share the history of their tensor. Comparisons, indices of a maximum, `floor` and `sign` have
//! the gradient 0: their results are constants. A closure given to `map` or `zip_with` has no known
//! gradient, and panics on a recorded tensor, unless its results are integers or `bool`; `fuse!` has one.
//!
//! # Models
//!
//! [`value_and_grad`] takes a model and a function of it, and gives the loss with a gradient that has the
//! model's own type.
//!
//! ```
//! use tensor_core::autograd::value_and_grad;
//! use tensor_core::module::Module;
//! use tensor_core::{Tensor, shape, tensor};
//!
//! #[derive(Clone, Module)]
//! struct Line {
//!     slope: Tensor<shape![1]>,
//!     height: Tensor<shape![]>,
//! }
//!
//! let (x, y) = (tensor![[0.0_f32], [1.0], [2.0]], tensor![1.0_f32, 3.0, 5.0]);
//! let mut line = Line { slope: Tensor::zeros(), height: Tensor::zeros() };
//! for _ in 0..200 {
//!     let (_, gradient) = value_and_grad(&line, |line| {
//!         (x.dot(&line.slope) + &line.height - &y).square().mean()
//!     });
//!     line.slope -= &gradient.slope * 0.2;
//!     line.height -= &gradient.height * 0.2;
//! }
//! assert!(line.slope.all_close(&tensor![2.0], 1e-4, 1e-4));
//! assert!(line.height.all_close(&Tensor::scalar(1.0), 1e-4, 1e-4));
//! ```
//!
//! # Memory
//!
//! A recorded result keeps what its rule reads: the operands of a product, the result of `exp`, nothing for
//! a sum. All of it is freed with the last tensor that came of it.

mod backward;
mod classes;
mod custom;
mod elementwise;
mod fused;
mod indexing;
mod model;
mod moves;
mod products;
mod recurrence;
mod reductions;
mod rule;
mod scatter;
mod value;
mod variables;

#[doc(hidden)]
pub use classes::cross_entropy;
#[doc(hidden)]
pub use custom::checkpoint_with;
pub use custom::{checkpoint, custom};
pub use model::{Loss, grad, try_value_and_grad, value_and_grad};
pub use variables::{TensorList, Variables};
mod windows;

pub(crate) use fused::recorded;

use std::sync::Arc;

use crate::array::history::{self, AnyArray, Node};
use crate::element::{Element, Float};
use crate::shape::Shape;
use crate::tensor::recording::Recordable;
use crate::tensor::{DynTensor, Tensor};

/// Calls a function whose operations are not recorded, also on recorded tensors, as PyTorch's
/// `torch.no_grad`.
///
/// ```
/// use tensor_core::{autograd, tensor};
///
/// let x = tensor![1.0, 2.0].requires_grad();
/// let y = autograd::no_grad(|| &x * 2.0);
/// assert!(!y.is_recorded() && (&x * 2.0).is_recorded());
/// ```
pub fn no_grad<R>(f: impl FnOnce() -> R) -> R {
    history::with_recording(false, f)
}

/// # Gradients
#[tensor_macros::bounds_without_source]
impl<S: Shape, T: Float> Tensor<S, T> {
    /// The tensor as a variable, `[..s] → [..s]`: what is computed of it is recorded, and has gradients
    /// with respect to it.
    ///
    /// # Panics
    ///
    /// If it is a view whose elements do not fit into memory.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// let x = tensor![3.0_f32].requires_grad();
    /// let dx = x.square().sum().gradients(&x);
    /// assert_eq!(dx, tensor![6.0]);
    /// ```
    #[doc(alias = "requires_grad_")]
    #[doc(alias = "watch")]
    #[doc(alias = "variable")]
    #[track_caller]
    pub fn requires_grad(&self) -> Self {
        let mut tensor = self.contiguous();
        tensor.layout = history::variable(self.shape.sizes(), self.layout.as_deref());
        tensor
    }

    /// The tensor as a constant, `[..s] → [..s]`: it shares the elements and has no history.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// let x = tensor![1.0, 2.0].requires_grad();
    /// assert!(!(&x.detach() * 2.0).is_recorded());
    /// ```
    #[doc(alias = "stop_gradient")]
    pub fn detach(&self) -> Self {
        let mut tensor = self.clone();
        tensor.layout = history::forget(&tensor.shape.sizes(), tensor.layout);
        tensor
    }

    /// Whether this is a variable or was computed of one, so that it has gradients.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// let x = tensor![1.0, 2.0];
    /// assert!(!x.exp().is_recorded() && x.requires_grad().exp().is_recorded());
    /// ```
    pub fn is_recorded(&self) -> bool {
        Recordable::is_recorded(self)
    }
}

/// # Gradients
#[tensor_macros::bounds_without_source]
impl<T: Float> Tensor<(), T> {
    /// The gradients of a loss with respect to a variable, `&x`, or to several, `(&x, &w)`, with the shapes
    /// of these: `[] → [..s], [..t] …`; 0 where the loss does not depend on one, also if it is a constant.
    ///
    /// # Panics
    ///
    /// If a variable is not recorded.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, tensor};
    ///
    /// let weights = Tensor::<shape![3, 2]>::ones().requires_grad();
    /// let bias = Tensor::<shape![2]>::zeros().requires_grad();
    /// let y = tensor![[1.0, 2.0, 3.0]].dot(&weights) + &bias;
    /// let (of_weights, of_bias) = y.square().mean().gradients((&weights, &bias));
    /// assert_eq!(of_weights, tensor![[6.0, 6.0], [12.0, 12.0], [18.0, 18.0]]);
    /// assert_eq!(of_bias, tensor![6.0, 6.0]);
    /// ```
    #[doc(alias = "backward")]
    #[doc(alias = "grad")]
    #[track_caller]
    pub fn gradients<V: Variables<T>>(&self, variables: V) -> V::Gradients {
        gradients_of(self, variables, false)
    }

    /// As [`gradients`](Self::gradients), recorded in turn: gradients of gradients, as PyTorch's
    /// `create_graph`. `[] → [..s], [..t] …`.
    ///
    /// # Panics
    ///
    /// If a variable is not recorded.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// let x = tensor![2.0].requires_grad();
    /// let slope = x.powi(4).sum().recorded_gradients(&x);
    /// let curvature = slope.sum().gradients(&x);
    /// assert_eq!((slope, curvature), (tensor![32.0], tensor![48.0]));
    /// ```
    #[doc(alias = "create_graph")]
    #[track_caller]
    pub fn recorded_gradients<V: Variables<T>>(&self, variables: V) -> V::Gradients {
        gradients_of(self, variables, true)
    }
}

#[track_caller]
fn gradients_of<V: Variables<T>, T: Float>(
    loss: &Tensor<(), T>,
    variables: V,
    recorded: bool,
) -> V::Gradients {
    gradients_of_list(loss, &variables.tensors(), recorded)
}

#[track_caller]
fn gradients_of_list<L: TensorList<T>, T: Float>(
    loss: &Tensor<(), T>,
    variables: &L,
    recorded: bool,
) -> L {
    let mut places = Vec::new();
    variables.collect(&mut places);
    let mut found = back_to(loss.to_any(), &places, recorded).into_iter();
    variables.with(&mut |sizes| gradient_or_zeros(found.next().flatten(), sizes))
}

/// The gradients of the sum of all elements of a result.
///
/// # Panics
///
/// If a variable is not recorded.
#[track_caller]
fn back_to(result: AnyArray, variables: &[AnyArray], recorded: bool) -> Vec<Option<AnyArray>> {
    back_to_nodes(result, variables.iter().map(AnyArray::node).collect(), recorded)
}

/// [`back_to`] the nodes of variables.
#[track_caller]
fn back_to_nodes(
    result: AnyArray,
    variables: Vec<Option<Arc<Node>>>,
    recorded: bool,
) -> Vec<Option<AnyArray>> {
    let nodes = variables.into_iter().map(|variable| match variable {
        Some(node) => node,
        None => panic!(
            "the tensor is no variable: the loss has to be computed of what `requires_grad` returns"
        ),
    });
    let nodes: Vec<Arc<Node>> = nodes.collect();
    // A constant loss, such as one that was computed of integers.
    let Some(root) = result.node() else { return nodes.iter().map(|_| None).collect() };
    // The loss may be a view of what was computed, such as one element.
    let seed = backward::seed(&result, &root);
    backward::gradients(&root, seed, &nodes, recorded)
}

/// The gradient, which is 0 where there is none.
fn gradient_or_zeros<T: Element>(gradient: Option<AnyArray>, sizes: &[usize]) -> DynTensor<T> {
    match gradient {
        Some(gradient) => {
            let gradient = gradient.get().expect("the gradient has the elements of the variable");
            let gradient = DynTensor::from(gradient.clone());
            assert_eq!(gradient.sizes(), sizes, "the sizes of a gradient");
            gradient
        }
        None => DynTensor::zeros(sizes),
    }
}

/// # Gradients
#[tensor_macros::bounds_without_source]
impl<T: Float> DynTensor<T> {
    /// The tensor as a variable, as [`Tensor::requires_grad`]: `[..s] → [..s]`.
    ///
    /// # Panics
    ///
    /// If it is a view whose elements do not fit into memory.
    ///
    /// ```
    /// use tensor_core::{DynTensor, tensor};
    ///
    /// let x = DynTensor::from(tensor![3.0]).requires_grad();
    /// assert_eq!(x.square().sum().gradients(&[&x]), [tensor![6.0].into()]);
    /// ```
    #[doc(alias = "requires_grad_")]
    #[track_caller]
    pub fn requires_grad(&self) -> Self {
        let mut tensor = self.contiguous();
        tensor.layout = history::variable(self.sizes.clone(), self.layout.as_deref());
        tensor
    }

    /// The tensor as a constant, as [`Tensor::detach`]: `[..s] → [..s]`.
    ///
    /// ```
    /// use tensor_core::{DynTensor, tensor};
    ///
    /// let x = DynTensor::from(tensor![3.0]).requires_grad();
    /// assert!(!x.detach().exp().is_recorded());
    /// ```
    #[doc(alias = "stop_gradient")]
    pub fn detach(&self) -> Self {
        let mut tensor = self.clone();
        tensor.layout = history::forget(&tensor.sizes, tensor.layout);
        tensor
    }

    /// Whether this is a variable or was computed of one, as [`Tensor::is_recorded`].
    ///
    /// ```
    /// use tensor_core::{DynTensor, tensor};
    ///
    /// let x = DynTensor::from(tensor![3.0]).requires_grad();
    /// assert!(x.exp().is_recorded());
    /// ```
    pub fn is_recorded(&self) -> bool {
        Recordable::is_recorded(self)
    }

    /// The gradients of the sum of all elements with respect to variables, as [`Tensor::gradients`]; of a
    /// loss of rank 0, those of the loss. `[..s] → [..t], [..u] …`
    ///
    /// # Panics
    ///
    /// If a variable is not recorded.
    ///
    /// ```
    /// use tensor_core::{DynTensor, tensor};
    ///
    /// let x = DynTensor::from(tensor![3.0]).requires_grad();
    /// assert_eq!(x.square().sum().gradients(&[&x]), [tensor![6.0].into()]);
    /// ```
    #[doc(alias = "backward")]
    #[track_caller]
    pub fn gradients(&self, variables: &[&Self]) -> Vec<Self> {
        self.gradients_by(variables, false)
    }

    /// As [`gradients`](Self::gradients), recorded in turn, as [`Tensor::recorded_gradients`].
    /// `[..s] → [..t], [..u] …`
    ///
    /// # Panics
    ///
    /// If a variable is not recorded.
    ///
    /// ```
    /// use tensor_core::{DynTensor, tensor};
    ///
    /// let x = DynTensor::from(tensor![2.0]).requires_grad();
    /// let slope = x.powi(3).recorded_gradients(&[&x]).remove(0);
    /// assert_eq!(slope.gradients(&[&x]), [tensor![12.0].into()]);
    /// ```
    #[doc(alias = "create_graph")]
    #[track_caller]
    pub fn recorded_gradients(&self, variables: &[&Self]) -> Vec<Self> {
        self.gradients_by(variables, true)
    }

    #[track_caller]
    fn gradients_by(&self, variables: &[&Self], recorded: bool) -> Vec<Self> {
        let places: Vec<AnyArray> = variables.iter().map(|variable| variable.to_any()).collect();
        let found = back_to(self.to_any(), &places, recorded);
        let pairs = found.into_iter().zip(variables);
        pairs.map(|(gradient, variable)| gradient_or_zeros(gradient, &variable.sizes)).collect()
    }
}
