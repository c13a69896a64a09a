//! For crates that build on this one: short messages of the compiler, and errors that print as sentences.
//!
//! [`guide::testing_messages`](crate::guide::testing_messages) says how to write messages, and how to test them.

/// ```
/// use tensor_core::bounds::{Dot, DotOutput};
/// use tensor_core::diagnostics::bounds_without_source;
/// use tensor_core::{Shape, Tensor, tensor};
///
/// /// `x · weight + 1`
/// #[bounds_without_source]
/// pub fn shifted<S: Dot<W>, W: Shape>(x: &Tensor<S>, weight: &Tensor<W>) -> Tensor<DotOutput<S, W>> {
///     x.dot(weight) + 1.0
/// }
///
/// assert_eq!(shifted(&tensor![[1.0, 2.0]], &tensor![10.0, 1.0]), tensor![13.0]);
/// ```
#[doc(inline)]
pub use tensor_array_macros::bounds_without_source;
#[doc(inline)]
pub use tensor_kernels::__debug_as_display as debug_as_display;
