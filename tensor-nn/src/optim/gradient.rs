//! The gradient argument of a step.

/// A gradient of a model: a value of its type, or a reference to one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no gradient of a model `{M}`",
    label = "the gradient of a model is a value of its type",
    note = "`value_and_grad(&model, …)` and `grad(&model, …)` give the gradient of a whole model, and a part of it is the gradient of that part: `optimizer.step(&mut model.head, &gradient.head)` [N106]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait GradientOf<M> {
    /// The gradient.
    #[doc(hidden)]
    fn gradient(&self) -> &M;
}

#[diagnostic::do_not_recommend]
impl<M> GradientOf<M> for M {
    fn gradient(&self) -> &M {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<M> GradientOf<M> for &M {
    fn gradient(&self) -> &M {
        self
    }
}

/// The bound that methods require: [`GradientOf`] under another name, so that messages name only the call.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no gradient of a model `{M}`",
    label = "the gradient of a model is a value of its type",
    note = "`value_and_grad(&model, …)` and `grad(&model, …)` give the gradient of a whole model, and a part of it is the gradient of that part: `optimizer.step(&mut model.head, &gradient.head)` [N106]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait GradientFor<M>: GradientOf<M> {}

#[diagnostic::do_not_recommend]
impl<G: GradientOf<M>, M> GradientFor<M> for G {}
