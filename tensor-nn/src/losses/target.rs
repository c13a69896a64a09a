//! The target of a loss, as a bound.

use tensor_core::{Element, Shape, Tensor};

/// The target of predictions of shape `S` with elements `T`: a borrowed tensor of the same type.
///
/// A parameter of type `&Tensor<S, T>` makes a mistake one of two types, and rustc shows where the function
/// is declared.
#[diagnostic::on_unimplemented(
    message = "predictions of shape `{S}` with elements `{T}` have a target of the same type, not `{Self}`",
    label = "expected `&target` of shape `{S}` with elements `{T}`",
    note = "a loss compares elements one by one and stretches neither side: `squeeze::<-1>()` takes an axis of size 1 away, `unsqueeze::<-1>()` puts one in, `cast` converts elements; two type parameters are two shapes: use one for both [N302]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait IsTarget<S: Shape, T: Element> {
    /// The tensor.
    fn tensor(&self) -> &Tensor<S, T>;
}

/// The impls for a reference, and for those that would become one. None for a tensor: clippy would find the
/// borrows of temporary tensors needless.
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
