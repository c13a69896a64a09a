//! Fused operations for layers and losses, under the names of PyTorch's `torch.nn.functional`.
//!
//! Each computes what several methods compute one after the other, in fewer passes over memory. The layers of
//! `tensor-nn` call them, so that your own layers are as fast.
//!
//! | function | shapes |
//! | --- | --- |
//! | [`linear`] | `[..lead, i] × [o, i] + [o] → [..lead, o]` |
//! | [`layer_norm`] | `[..lead, n] × [n] + [n] → [..lead, n]` |
//! | [`rms_norm`] | `[..lead, n] × [n] → [..lead, n]` |
//! | [`cross_entropy`] | `[..s, c], [..s] → [..s]` |
//! | [`class_indices`] | `[..s] → [..s]` |
//!
//! ```
//! use tensor_core::functional::{layer_norm, linear};
//! use tensor_core::{Axis, Module, Shape, Tensor, shape, shapes};
//!
//! /// A residual block that normalises its input: `[..lead, d] → [..lead, d]`.
//! #[shapes]
//! #[derive(Clone, Module)]
//! struct Block<D: Axis> {
//!     gain: Tensor<shape![D]>,
//!     weight: Tensor<shape![D, D]>,
//!     bias: Tensor<shape![D]>,
//! }
//!
//! impl<D: Axis> Block<D> {
//!     fn forward<Lead: Shape>(&self, x: &Tensor<shape![Lead.., D]>) -> Tensor<shape![Lead.., D]> {
//!         let normalised = layer_norm(x, &self.gain, None, 1e-5);
//!         x + linear(&normalised, &self.weight, Some(&self.bias)).relu()
//!     }
//! }
//!
//! let block =
//!     Block { gain: Tensor::ones(), weight: Tensor::eye(), bias: Tensor::<shape![2]>::zeros() };
//! let y = block.forward(&Tensor::<shape![5, 7, 2]>::ones());
//! assert_eq!(y, Tensor::ones());
//! ```

mod classes;
mod linear;
mod normalize;

pub use classes::{class_indices, cross_entropy};
pub use linear::linear;
pub use normalize::{layer_norm, rms_norm};
