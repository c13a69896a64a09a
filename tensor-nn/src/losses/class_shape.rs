//! The shape of classes beside scores, as a bound.

use tensor_core::broadcast::After;
use tensor_core::{One, Shape};

use crate::layers::NoInput;

/// The shape `[..lead]` of classes beside scores `[..lead, c]`: the same axes.
///
/// A parameter of type `&Tensor<Lead, K>` makes a mistake one of two types, and rustc shows where the
/// function is declared.
#[cfg_attr(doc, doc(hidden))]
pub trait ClassesOf<Lead: Shape>: Shape {
    /// The shape, once both are known to be the same.
    type Fit: Shape;
}

/// The shape of classes, which is that of the examples.
///
/// Nothing decides `Is` where they differ, so that the compiler proposes no bound.
#[diagnostic::on_unimplemented(
    message = "scores of examples `{Lead}` go with classes of the same shape, not of shape `{S}`",
    label = "a class for each example, of shape `{Lead}`",
    note = "beside scores `[..lead, c]` stand the numbers of the right classes, `[..lead]`: `argmax_axis::<-1>()` makes them of one-hot rows, and `squeeze::<-1>()` takes an axis of size 1 away [N301]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait ShapeOfClasses<S, Lead, Is> {
    /// Resolved once the shapes are the same.
    #[doc(hidden)]
    type Matched;
}

#[diagnostic::do_not_recommend]
impl<S: ShapeOfExamples<Lead, Is = X>, Lead, X> ShapeOfClasses<S, Lead, X> for (S,) {
    type Matched = X;
}

/// A second impl, so that the compiler does not explain the first one.
#[diagnostic::do_not_recommend]
impl ShapeOfClasses<NoInput, NoInput, One> for (NoInput,) {
    type Matched = One;
}

/// The shape that both are.
#[diagnostic::on_unimplemented(message = "`{Self}` and `{Lead}` differ")]
#[cfg_attr(doc, doc(hidden))]
pub trait ShapeOfExamples<Lead> {
    /// The shape.
    type Is;
}

#[diagnostic::do_not_recommend]
impl<S: Shape> ShapeOfExamples<S> for S {
    type Is = S;
}

#[diagnostic::do_not_recommend]
impl<S> ShapeOfExamples<NoInput> for S {
    type Is = NoInput;
}

/// The shape of classes and of examples.
#[cfg_attr(doc, doc(hidden))]
pub trait SharedShape<S, Lead> {
    /// The shape.
    type Is;
}

#[diagnostic::do_not_recommend]
impl<S: ShapeOfExamples<Lead>, Lead> SharedShape<S, Lead> for (S,) {
    type Is = S::Is;
}

impl<S, Lead, X> ClassesOf<Lead> for S
where
    S: Shape,
    Lead: Shape,
    (S,): ShapeOfClasses<S, Lead, X>,
    (S,): SharedShape<S, Lead, Is = X>,
{
    type Fit = After<<(S,) as ShapeOfClasses<S, Lead, X>>::Matched, S>;
}

/// What functions ask for: [`ClassesOf`] and nothing else.
#[cfg_attr(doc, doc(hidden))]
pub trait ClassesFor<Lead: Shape>: ClassesOf<Lead> {}

impl<S: ClassesOf<Lead>, Lead: Shape> ClassesFor<Lead> for S {}
