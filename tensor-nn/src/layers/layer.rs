//! The trait of everything that a [`Sequential`](super::Sequential) can contain.

use super::Pass;

/// A layer that takes inputs of type `Input`.
///
/// Code usually calls the `forward` methods of layers directly; this trait gives generic code and
/// [`Sequential`](super::Sequential) a common interface. Implement it to use a layer of your own there:
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
    /// The output of the layer.
    type Output;

    /// Applies the layer to an input; the pass states whether this is training.
    fn apply(&self, input: &Input, pass: &mut Pass) -> Self::Output;
}

/// Generates a second impl for each layer whose input is a concrete type: if there were only one, the
/// compiler would explain it in seven lines.
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
