//! Fused element-wise arithmetic, in one pass: the machinery of [`fuse!`](crate::fuse!).
//!
//! `&x * &w + &b` passes through memory twice, and the product is a temporary tensor.
//! `fuse!(&x * &w + &b)` computes every element of the result at once, from one element of each operand.
//! The compiler type-checks the expression twice: with tensors, which determines the type of the result
//! and reports all errors about shapes and elements, and with [`FusedElement`]s, which have the
//! operators and methods of tensors. Only the latter is executed.
//!
//! ```
//! use tensor_core::{Tensor, fuse, shape, tensor};
//!
//! let x = tensor![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
//! let (scale, bias) = (tensor![2.0, 1.0, 0.0], 0.5);
//! let y: Tensor<shape![2, 3]> = fuse!((x * scale + bias).maximum(4.0));
//! assert_eq!(y, tensor![[4.0, 4.0, 4.0], [8.5, 5.5, 4.0]]);
//! ```
//!
//! An expression of tensors that require gradients is computed in one pass too, and has the gradients of
//! its operations; only the operands are kept for them:
//!
//! ```
//! use tensor_core::{fuse, tensor};
//!
//! let x = tensor![1.0, 2.0].requires_grad();
//! let y = fuse!(x * x * 0.5 + x);
//! assert_eq!(y.sum().gradients(&x), tensor![2.0, 3.0]);
//! ```

mod broadcast_sizes;
mod element;
mod leaf;
mod pass;
mod same;

pub use broadcast_sizes::BroadcastSizes;
pub use element::{FusedElement, FusedOperand, constant, select};
pub use leaf::{AtMostEight, FusedTensors, Leaf, Leaves, OnePass, TooManyTensors, probe};
pub use pass::{FusedLoop, ReadOnce, run_fused};
pub use same::{At, Before, FirstRead, first_read};

/// Returns a value of any type, in a branch that never runs.
#[doc(hidden)]
pub fn never<T>() -> T {
    unreachable!("this is in a branch that never runs")
}
