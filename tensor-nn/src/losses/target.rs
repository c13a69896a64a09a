//! A bound on the target of a loss.

use tensor_core::{Element, Shape, Tensor};

/// What is no target for predictions of shape `S` with elements `T`. There are no impls, so that the compiler suggests no
/// bound: see `AxesMatch` of `tensor-core`.
#[diagnostic::on_unimplemented(
    message = "predictions of shape `{S}` with elements `{T}` have a target of the same type, not `{X}`",
    label = "expected `&target` of shape `{S}` with elements `{T}`: a loss stretches neither side; `squeeze::<-1>()` takes an axis of size 1 away, `unsqueeze::<-1>()` puts one in, `cast` converts elements; two type parameters are two shapes: use one for both [N302]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait TargetMatches<X, S, T>: RefusedTarget {}

/// A trait without impls, as `Refused` of `tensor-core`.
#[cfg_attr(doc, doc(hidden))]
pub trait RefusedTarget {}

/// The target for predictions of shape `S` with elements `T`: a borrowed tensor of the same type.
///
/// With a parameter of type `&Tensor<S, T>`, a mistake would be reported as mismatched types, with the
/// declaration of the function.
#[cfg_attr(doc, doc(hidden))]
pub trait IsTarget<S: Shape, T: Element> {
    /// The tensor.
    fn tensor(&self) -> &Tensor<S, T>;
}

/// Implements the trait for references that coerce to `&Tensor`. There is no impl for `Tensor` itself: with
/// it, clippy would report needless borrows of temporary tensors.
macro_rules! targets {
    ($($Target:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<S: Shape, T: Element> IsTarget<S, T> for $Target {
            fn tensor(&self) -> &Tensor<S, T> {
                self
            }
        }
    )*};
}

targets!(&Tensor<S, T>, &&Tensor<S, T>, &mut Tensor<S, T>);

/// Anything else is refused.
impl<X, S: Shape, T: Element> IsTarget<S, T> for X
where
    (X,): TargetMatches<X, S, T> + RefusedTarget,
{
    fn tensor(&self) -> &Tensor<S, T> {
        unreachable!("no type is refused")
    }
}
