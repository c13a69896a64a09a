//! Mixed precision: products and convolutions of `f32` in a 16-bit type, everything else in `f32`.
//!
//! ```
//! # #[cfg(feature = "half")] {
//! use tensor_core::precision::{autocast, bf16};
//! use tensor_core::{Tensor, tensor};
//!
//! let (x, weight) = (tensor![[1.0_f32, 0.001]], tensor![[1.0_f32], [1.0]]);
//! assert_eq!(x.dot(&weight), tensor![[1.001]]);
//! // The sum is rounded to 8 bits; its type is `f32`.
//! let y: Tensor<_> = autocast::<bf16, _>(|| x.dot(&weight));
//! assert_eq!(y, tensor![[1.0]]);
//! # }
//! ```
//!
//! [The guide](crate::guide::precision) has the table of what is computed in what, and a training.

use tensor_kernels::autocast::{Autocast, autocast as autocast_of_thread, with_autocast};
use tensor_kernels::element::{Element, Float};
#[cfg(feature = "half")]
#[doc(no_inline)]
pub use tensor_kernels::ops::elements::types::{bf16, f16};

/// An element type that [`autocast`] computes products of `f32` in: `bf16`, `f16` with the feature `half`, or `f32` itself.
///
/// ```
/// use tensor_core::precision::{ProductElement, autocast};
/// use tensor_core::{Tensor, tensor};
///
/// fn squared_norm<P: ProductElement>(x: &Tensor<((), tensor_core::dim!(2))>) -> f32 {
///     autocast::<P, _>(|| x.dot(x)).item()
/// }
///
/// assert_eq!(squared_norm::<f32>(&tensor![3.0, 4.0]), 25.0);
/// ```
#[diagnostic::on_unimplemented(
    message = "products of `f32` are not computed in `{Self}`",
    label = "expected `bf16`, `f16` or `f32`",
    note = "`autocast::<bf16, _>(|| …)` rounds the operands of products to `bf16`; `autocast::<f32, _>(|| …)` computes them in `f32`, also within another one [T504]"
)]
pub trait ProductElement: Float {
    #[doc(hidden)]
    const AUTOCAST: Option<&'static Autocast>;
}

#[diagnostic::do_not_recommend]
impl ProductElement for f32 {
    const AUTOCAST: Option<&'static Autocast> = None;
}

#[cfg(feature = "half")]
#[diagnostic::do_not_recommend]
impl ProductElement for bf16 {
    const AUTOCAST: Option<&'static Autocast> =
        Some(<Self as tensor_array::ops::autocast::Half>::AUTOCAST);
}

#[cfg(feature = "half")]
#[diagnostic::do_not_recommend]
impl ProductElement for f16 {
    const AUTOCAST: Option<&'static Autocast> =
        Some(<Self as tensor_array::ops::autocast::Half>::AUTOCAST);
}

/// Calls a function whose products and convolutions of `f32` are computed in a 16-bit type, as PyTorch's `torch.autocast`.
///
/// The operands of `matmul`, `dot`, `tensordot`, `einsum!` and of convolutions are rounded to the type `P`. A product is
/// summed in `f32`, rounded to `P`, and converted back to `f32`. All other operations, and tensors of other types, are as they
/// are elsewhere. The gradients of these products are computed in `P`, wherever the backward pass runs, and those of `f32` are
/// `f32`.
///
/// It holds for the calling thread until the function returns, and an inner call replaces it: `autocast::<f32, _>` exempts a
/// part. A function that is [traced](crate::trace::trace()) in it has the conversions as steps, and its program computes the
/// same wherever it runs. Gradient [checkpoints](crate::autograd::checkpoint) are recomputed in the type of their first
/// computation.
///
/// ```
/// # #[cfg(feature = "half")] {
/// use tensor_core::precision::{autocast, f16};
/// use tensor_core::trace::trace;
/// use tensor_core::{autograd, tensor};
///
/// let weight = tensor![[2.0_f32], [3.0]];
/// let scores = |x: &_| autocast::<f16, _>(|| weight.transpose().dot(x).sum());
/// let x = tensor![1.0_f32, 2.0];
/// assert_eq!(autograd::grad(&x, scores), tensor![2.0, 3.0]);
/// assert_eq!(
///     trace(&x, scores).to_string(),
///     "inputs:
///   %0: f32 [2]
/// steps:
///   %1 = cast(%0): f16 [2]
///   %2 = matmul(constant [1, 2], %1): f16 [1]
///   %3 = cast(%2): f32 [1]
///   %4 = sum(%3): f32 []
/// outputs:
///   %4
/// "
/// );
/// # }
/// ```
#[doc(alias("mixed_precision", "amp", "half"))]
#[tensor_array_macros::bounds_without_source]
pub fn autocast<P: ProductElement, R>(f: impl FnOnce() -> R) -> R {
    with_autocast(P::AUTOCAST, f)
}

/// The name of the type that products of `f32` are computed in on this thread: `f32` outside of [`autocast`].
///
/// A cache of programs has it in its key, next to the sizes.
///
/// ```
/// # #[cfg(feature = "half")] {
/// use tensor_core::precision::{autocast, bf16, product_element};
///
/// assert_eq!(product_element(), "f32");
/// assert_eq!(autocast::<bf16, _>(product_element), "bf16");
/// # }
/// ```
#[doc(alias = "get_autocast_dtype")]
pub fn product_element() -> &'static str {
    autocast_of_thread().map_or(f32::NAME, |to| to.element)
}
