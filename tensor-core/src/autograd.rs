//! Gradients: reverse-mode automatic differentiation.
//!
//! There is no separate tensor type for gradients. [`requires_grad`](Tensor::requires_grad) returns a
//! tensor that is tracked, and so are the results of operations on it: each is a node of a graph, which
//! keeps its operation and the operands. [`gradients`](Tensor::gradients) runs the backward pass from a
//! loss to the tensors that `requires_grad` returned, the leaves of the graph.
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
//! The gradient of an operand that was broadcast is summed over the stretched axes. The rules are
//! written with differentiable operations, so that [`tracked_gradients`](Tensor::tracked_gradients)
//! can be differentiated again.
//!
//! Views share the node of their tensor. Comparisons, indices of a maximum, `floor` and `sign` have
//! gradient 0: their results are constants. A closure in `map` or `zip_with` has no known gradient, and
//! panics on a tensor that requires gradients, unless it returns integers or `bool`; `fuse!` has one.
//!
//! # Models
//!
//! [`value_and_grad`] takes a model and a function of it, and returns the loss and a gradient of the
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
//! A tracked result keeps the tensors that its gradient needs: the operands of a product, the result
//! of `exp`, nothing for a sum. They are freed when the last tensor computed from them is dropped.

mod custom;
mod model;
mod variables;

pub use custom::{checkpoint, checkpoint_with, custom};
pub use model::{Loss, grad, try_value_and_grad, try_value_and_scaled_grad, value_and_grad};
pub use variables::{GradientInputs, TensorList};

use tensor_array::array::gradients::{back_to, gradient_or_zeros, variable};
use tensor_array::array::history;
use tensor_kernels::element::Float;
use tensor_kernels::layout::graph::with_recording;

use crate::shape::Shape;
use crate::tensor::Tensor;
use crate::tensor::recording::Recordable;

/// Calls a function without tracking its operations, even on tensors that require gradients, as
/// PyTorch's `torch.no_grad`.
///
/// ```
/// use tensor_core::{autograd, tensor};
///
/// let x = tensor![1.0, 2.0].requires_grad();
/// let y = autograd::no_grad(|| &x * 2.0);
/// assert!(!y.is_tracked() && (&x * 2.0).is_tracked());
/// ```
pub fn no_grad<R>(f: impl FnOnce() -> R) -> R {
    with_recording(false, f)
}

/// # Gradients
#[tensor_array_macros::method_docs]
#[tensor_array_macros::bounds_without_source]
impl<S: Shape, T: Float> Tensor<S, T> {
    #[doc = doc_requires_grad!()]
    /// Panics: If it is a view whose elements do not fit into memory.
    /// ```
    /// let x = tensor![3.0_f32].requires_grad();
    /// let dx = x.square().sum().gradients(&x);
    /// assert_eq!(dx, tensor![6.0]);
    /// ```
    #[doc(alias("requires_grad_", "watch", "leaf", "variable"))]
    pub fn requires_grad(&self) -> Self {
        let mut tensor = self.contiguous();
        tensor.layout = variable::<T>(self.axes.sizes(), self.layout.as_deref());
        tensor
    }

    #[doc = doc_detach!()]
    /// ```
    /// let x = tensor![1.0, 2.0].requires_grad();
    /// assert!(!(&x.detach() * 2.0).is_tracked());
    /// ```
    #[doc(alias = "stop_gradient")]
    pub fn detach(&self) -> Self {
        let mut tensor = self.clone();
        tensor.layout = history::forget(&tensor.axes.sizes(), tensor.layout);
        tensor
    }

    #[doc = doc_is_tracked!()]
    /// ```
    /// let x = tensor![1.0, 2.0];
    /// assert!(!x.exp().is_tracked() && x.requires_grad().exp().is_tracked());
    /// ```
    pub fn is_tracked(&self) -> bool {
        Recordable::is_recorded(self)
    }
}

/// # Gradients
#[tensor_array_macros::method_docs]
#[tensor_array_macros::bounds_without_source]
impl<T: Float> Tensor<(), T> {
    /// The gradients of a loss with respect to a tensor, `&x`, or to several, `(&x, &w)`, with their
    /// shapes: `[] → [..s], [..t] …`; 0 if the loss does not depend on one, or is a constant.
    /// Panics: If a tensor does not require gradients.
    /// ```
    /// let weights = Tensor::<shape![3, 2]>::ones().requires_grad();
    /// let bias = Tensor::<shape![2]>::zeros().requires_grad();
    /// let y = tensor![[1.0, 2.0, 3.0]].dot(&weights) + &bias;
    /// let (of_weights, of_bias) = y.square().mean().gradients((&weights, &bias));
    /// assert_eq!(of_weights, tensor![[6.0, 6.0], [12.0, 12.0], [18.0, 18.0]]);
    /// assert_eq!(of_bias, tensor![6.0, 6.0]);
    /// ```
    #[doc(alias("backward", "grad"))]
    pub fn gradients<V: GradientInputs<T>>(&self, inputs: V) -> V::Gradients {
        gradients_of(self, &inputs.tensors(), false)
    }

    /// Like [`gradients`](Self::gradients), but tracked in turn: for gradients of gradients, as PyTorch's
    /// `create_graph`. `[] → [..s], [..t] …`.
    /// Panics: If a tensor does not require gradients.
    /// ```
    /// let x = tensor![2.0].requires_grad();
    /// let slope = x.powi(4).sum().tracked_gradients(&x);
    /// let curvature = slope.sum().gradients(&x);
    /// assert_eq!((slope, curvature), (tensor![32.0], tensor![48.0]));
    /// ```
    #[doc(alias = "create_graph")]
    pub fn tracked_gradients<V: GradientInputs<T>>(&self, inputs: V) -> V::Gradients {
        gradients_of(self, &inputs.tensors(), true)
    }
}

#[track_caller]
fn gradients_of<L: TensorList<T>, T: Float>(loss: &Tensor<(), T>, inputs: &L, tracked: bool) -> L {
    let mut arrays = Vec::new();
    inputs.collect(&mut arrays);
    let nodes = arrays.iter().map(|array| array.node()).collect();
    let mut found = back_to(loss.to_any(), None, nodes, tracked).into_iter();
    inputs.with(&mut |sizes| gradient_or_zeros(found.next().flatten(), sizes))
}
