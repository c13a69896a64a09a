//! The bias of a layer, or none: a type parameter of layers.

use tensor_core::{Axis, Element, Module, Tensor, shape};

/// The bias of a layer with `O` outputs: a tensor `[o]`, [`NoBias`], or an `Option` of a tensor, for files that may have
/// one.
///
/// ```
/// use tensor_core::{dim, random::Generator};
/// use tensor_nn::layers::{Linear, NoBias};
///
/// let mut rng = Generator::seed(42);
/// let layer: Linear<dim!(64), dim!(10)> = Linear::new(&mut rng);
/// let layer_without: Linear<dim!(64), dim!(10), f32, NoBias> = Linear::without_bias(&mut rng);
/// # let _ = (layer, layer_without);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no bias of `{O}` outputs",
    label = "expected a tensor of shape `((), {O})`, or `NoBias`",
    note = "the bias of a layer has one element for each output [N104]"
)]
pub trait Bias<O: Axis, T: Element> {
    /// The bias, if any.
    fn get(&self) -> Option<&Tensor<shape![O], T>>;
}

/// The bound that functions require: [`Bias`] under another name, so that a message is about the call
/// only and lists no impls.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no bias of `{O}` outputs",
    label = "expected a tensor of shape `((), {O})`, or `NoBias`",
    note = "the bias of a layer has one element for each output [N104]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait BiasFor<O: Axis, T: Element>: Bias<O, T> {}

#[diagnostic::do_not_recommend]
impl<B: Bias<O, T>, O: Axis, T: Element> BiasFor<O, T> for B {}

/// No bias.
///
/// ```
/// use tensor_core::{One, Tensor};
/// use tensor_nn::layers::{Bias, NoBias};
///
/// assert!(Bias::<One, f32>::get(&NoBias).is_none());
/// ```
#[derive(Clone, Copy, Debug, Default, Module, PartialEq, Eq)]
pub struct NoBias;

impl<O: Axis, T: Element> Bias<O, T> for Tensor<shape![O], T> {
    fn get(&self) -> Option<&Tensor<shape![O], T>> {
        Some(self)
    }
}

/// A bias that a file may have.
impl<O: Axis, T: Element> Bias<O, T> for Option<Tensor<shape![O], T>> {
    fn get(&self) -> Option<&Tensor<shape![O], T>> {
        self.as_ref()
    }
}

impl<O: Axis, T: Element> Bias<O, T> for NoBias {
    fn get(&self) -> Option<&Tensor<shape![O], T>> {
        None
    }
}
