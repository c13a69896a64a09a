//! The gradients of operations: their rules, and the backward pass from a result.
//!
//! A rule is a type in the file of its operation, such as `ops/take.rs`, in `reductions.rs` for reductions, or the end of a
//! row of `ops/unary.rs` or `ops/binary.rs` of `tensor-kernels`: `[RESULT |g, y| g.times(y)]` states what it reads of the operands and the
//! result, and the gradient of each operand. Operations of gradients alone, and cross-entropies, are files of this module.
//! It is written with the methods of [`DynTensor`], so it is tracked in turn when gradients of gradients are computed.
//!
//! - The backward pass sums over stretched axes, and adds along the strides of views. So broadcasting, transposes, slices,
//!   windows and reshapes need no rule.
//! - Rules multiply and divide with special operations, the rows of `ops/gradients.rs` of `tensor-kernels`, whose result is 0 where a
//!   factor is 0: an infinite or NaN slope does not reach an element on which nothing depends. `times` and `over` of
//!   `operations.rs` call them. Rules select by masks, and do not multiply by them.
//! - `cumprod` and `logcumsumexp` have linear recurrences as gradients: `recurrence.rs`.
//! - A composition of operations with a simpler gradient is one node. The cross-entropy (`classes.rs`) keeps the
//!   log-probabilities; its gradient is the probabilities minus 1 at the classes. A linear layer is a matrix product
//!   that is added to the bias; the gradient of its weight is a matrix product without a transpose.
//! - A step of a linear layer, from `loss.gradients(&w)` to the product that is the gradient of its weight, goes through the
//!   functions below; all before the rule run once for a backward pass, and those after it are the ones of every product.
//!
//!   | calls | where |
//!   | --- | --- |
//!   | `Tensor::gradients`, `gradients_of` | `autograd.rs` of `tensor-core`: the leaves |
//!   | `back_to`, `with_seeds`, `backward::gradients` | `gradients.rs`, `backward.rs`: the node of the loss, and the walk over all nodes |
//!   | `Typed::backward`, `Linear::gradients` | `rule.rs`, `ops/matmul.rs`: the element type, and the rule |
//!   | `times_matrix`, `DynTensor::matmul`, `multiplied`, `call_product` | `ops/matmul.rs`: sizes, memory, recording |
//!   | `matmul_strided`, `matmul_erased`, `matmul_2d`, `gemm_dispatch`, `gemm_vectors` | `kernel/matmul/kernels.rs`, `kernel/matmul.rs` of `tensor-kernels`: the shapes, and the instruction set |
//!   | `gemm`, `gemm_and`, `gemm_loops`, `multiply`, a microkernel | `kernel/matmul/gemm.rs` of `tensor-kernels`: blocks, threads, tiles |
//! - An operation of the table without a rule does not compile, and `tests/sweep` compares the gradients
//!   of every operation with PyTorch's.

mod backward;
mod classes;
mod elementwise;
mod fused;
pub(crate) mod operations;
mod recurrence;
mod reductions;
pub(crate) mod rule;
mod scatter;
mod squares;
mod variable;

pub use backward::zeros_like;
pub(crate) use backward::{add, sum_of_items};
pub use classes::cross_entropy;
pub use fused::{recorded, traced};
pub use squares::sum_of_squares;
pub use variable::variable;

use std::sync::Arc;

use tensor_kernels::element::{Element, Float};

use crate::array::dynamic::DynTensor;
use crate::array::history::{self, AnyArray, Node, NodeOperand};
use crate::array::recording::Recordable;

/// # Gradients
#[tensor_array_macros::method_docs(twins)]
#[tensor_array_macros::bounds_without_source]
impl<T: Float> DynTensor<T> {
    /// The tensor as a constant, `[..s] → [..s]`: it shares the elements and has no history.
    /// ```
    /// assert!(!DynTensor::from(tensor![3.0]).requires_grad().detach().exp().is_tracked());
    /// ```
    #[doc(alias = "stop_gradient")]
    pub fn detach(&self) -> Self {
        let mut tensor = self.clone();
        tensor.layout = history::forget(&tensor.sizes, tensor.layout);
        tensor
    }

    /// Whether the tensor requires gradients, or was computed from one that does.
    /// ```
    /// assert!(DynTensor::from(tensor![3.0]).requires_grad().exp().is_tracked());
    /// ```
    #[inline]
    pub fn is_tracked(&self) -> bool {
        Recordable::is_recorded(self)
    }

    /// The gradients of the sum of all elements with respect to other tensors, `[..s] → [..t], [..u] …`; for a loss of
    /// rank 0, the gradients of the loss.
    /// Panics: If one of them does not require gradients.
    /// ```
    /// let x = DynTensor::from(tensor![3.0]).requires_grad();
    /// assert_eq!(x.square().sum().gradients(&[&x]), [tensor![6.0].into()]);
    /// ```
    #[doc(alias = "backward")]
    pub fn gradients(&self, inputs: &[&Self]) -> Vec<Self> {
        self.gradients_by(inputs, false)
    }

    /// Like [`gradients`](Self::gradients), but tracked in turn: `[..s] → [..t], [..u] …`.
    /// Panics: If one of them does not require gradients.
    /// ```
    /// let x = DynTensor::from(tensor![2.0]).requires_grad();
    /// let slope = x.powi(3).tracked_gradients(&[&x]).remove(0);
    /// assert_eq!(slope.gradients(&[&x]), [tensor![12.0].into()]);
    /// ```
    #[doc(alias = "create_graph")]
    pub fn tracked_gradients(&self, inputs: &[&Self]) -> Vec<Self> {
        self.gradients_by(inputs, true)
    }

    fn gradients_by(&self, inputs: &[&Self], tracked: bool) -> Vec<Self> {
        let nodes = inputs.iter().map(|input| input.to_any().node()).collect();
        let found = back_to(self.to_any(), None, nodes, tracked);
        let pairs = found.into_iter().zip(inputs);
        pairs.map(|(gradient, input)| gradient_or_zeros(gradient, &input.sizes)).collect()
    }
}

/// The gradients of the sum of all elements of a result, times a factor if there is one, with respect to tensors, which are given
/// by their nodes. A factor is a float of rank 0, as the result then is.
///
/// # Panics
///
/// If one of them has no node.
#[doc(hidden)]
#[track_caller]
pub fn back_to(
    result: AnyArray,
    factor: Option<&AnyArray>,
    variables: Vec<Option<Arc<Node>>>,
    recorded: bool,
) -> Vec<Option<AnyArray>> {
    let seed = match factor {
        Some(factor) => rule::cast_like(factor, &result),
        None => backward::ones_like(&result),
    };
    let nodes = variables.into_iter().map(|variable| match variable {
        Some(node) => node,
        None => panic!(
            "the tensor does not require gradients: compute the loss from the tensor that `requires_grad` returns"
        ),
    });
    with_seeds(vec![(&result, seed)], nodes.collect(), recorded, false)
}

/// The gradients of the sum of the elements of results, each times that of the seed with it. If the variables are `leaves`, what
/// they are computed from is a constant.
pub(crate) fn with_seeds(
    results: Vec<(&AnyArray, AnyArray)>,
    variables: Vec<Arc<Node>>,
    recorded: bool,
    leaves: bool,
) -> Vec<Option<AnyArray>> {
    // A loss without a node is a constant, such as one that was computed from integers.
    let with_node = |(result, seed): (&AnyArray, AnyArray)| {
        let root = result.node()?;
        // The loss may be a view of what was computed, such as a single element.
        let seed = backward::of_base(seed, &NodeOperand::of(result), &root.sizes);
        Some((root, seed))
    };
    let results = results.into_iter().filter_map(with_node).collect();
    backward::gradients(results, &variables, recorded, leaves)
}

/// The gradient, or zeros where it is `None`.
#[doc(hidden)]
pub fn gradient_or_zeros<T: Element>(gradient: Option<AnyArray>, sizes: &[usize]) -> DynTensor<T> {
    match gradient {
        Some(gradient) => {
            let gradient: &DynTensor<T> =
                gradient.get().expect("the gradient has the elements of its tensor");
            assert_eq!(gradient.sizes(), sizes, "the sizes of a gradient");
            gradient.clone()
        }
        None => DynTensor::zeros(sizes),
    }
}
