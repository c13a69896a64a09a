//! What can stand in a [`Sequential`](super::Sequential): a layer, and the inputs that it takes.

use super::Pass;

/// A layer that takes inputs of type `Input`.
///
/// The methods `forward` of the layers are what code calls; this trait says the same to generic code, and
/// to [`Sequential`](super::Sequential). A layer of your own implements it to stand there:
///
/// ```
/// use tensor_core::{Axis, Shape, Tensor, shape, tensor};
/// use tensor_nn::layers::{Layer, Pass, Sequential, Tanh};
///
/// struct Scale(f32);
///
/// impl<S: Shape> Layer<Tensor<S>> for Scale {
///     type Output = Tensor<S>;
///
///     fn apply(&self, input: &Tensor<S>, _: &mut Pass) -> Tensor<S> {
///         input * self.0
///     }
/// }
///
/// let y = Sequential((Scale(0.0), Tanh)).forward(&tensor![1.0, 2.0], &mut Pass::eval());
/// assert_eq!(y, tensor![0.0, 0.0]);
/// ```
#[diagnostic::on_unimplemented(
    message = "the layer `{Self}` does not take an input `{Input}`",
    label = "this layer and its input do not fit",
    note = "the first parameters of a layer are the sizes that it takes: `Linear<dim!(64), dim!(10)>` takes `[..lead, 64]` and gives `[..lead, 10]`; in a `Sequential` every layer takes what the one before gives; a type of your own implements `Layer` [N101]"
)]
pub trait Layer<Input> {
    /// What the layer makes of the input.
    type Output;

    /// The layer applied to an input, in a pass that trains or does not.
    fn apply(&self, input: &Input, pass: &mut Pass) -> Self::Output;
}

/// Stamps out second impls of layers whose inputs are written as types: with one alone, the compiler
/// explains it in seven lines.
macro_rules! no_input {
    ($([$($Parameters:tt)*] $Layer:ty;)*) => {$(
        #[doc(hidden)]
        #[diagnostic::do_not_recommend]
        impl<$($Parameters)*> $crate::layers::Layer<$crate::layers::NoInput> for $Layer {
            type Output = $crate::layers::NoInput;

            fn apply(
                &self,
                input: &$crate::layers::NoInput,
                _: &mut $crate::layers::Pass,
            ) -> $crate::layers::NoInput {
                *input
            }
        }
    )*};
}

pub(super) use no_input;
