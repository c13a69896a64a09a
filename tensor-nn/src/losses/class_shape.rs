//! A bound on the shape of target classes, given that of the scores.

use tensor_core::Shape;
use tensor_core::broadcast::After;
use tensor_core::element::Integer;

use crate::layers::NoInput;

/// The shape of target classes with elements `K`, for scores `[..lead, c]`: `[..lead]`, and `K` is an integer.
///
/// One bound for both, so that one-hot rows of floats are one mistake, that of their shape. With a parameter of type
/// `&Tensor<Lead, K>`, a mistake would be reported as mismatched types, with the declaration of the function.
#[cfg_attr(doc, doc(hidden))]
pub trait ClassesOf<Lead: Shape, K>: Shape {
    /// The element type, once the shapes are known to be the same.
    type Number: Integer;
}

/// The shape of classes must be the shape of the examples.
#[diagnostic::on_unimplemented(
    message = "scores of examples `{Lead}` go with classes of the same shape, not of shape `{S}`",
    label = "a class for each example, of shape `{Lead}`",
    note = "scores `[..lead, c]` need class indices `[..lead]`: `argmax_axis::<-1>()` makes them of one-hot rows, and `squeeze::<-1>()` takes an axis of size 1 away [N301]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait ShapeOfClasses<S, Lead> {
    /// Resolved once the shapes are the same.
    #[doc(hidden)]
    type Matched;
}

#[diagnostic::do_not_recommend]
impl<S: ShapeOfExamples<Lead>, Lead> ShapeOfClasses<S, Lead> for (S,) {
    type Matched = S::Is;
}

/// The shape, if both are the same.
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

impl<S, K, Lead> ClassesOf<Lead, K> for S
where
    S: Shape,
    Lead: Shape,
    (S,): ShapeOfClasses<S, Lead>,
    After<<(S,) as ShapeOfClasses<S, Lead>>::Matched, K>: Integer,
{
    type Number = After<<(S,) as ShapeOfClasses<S, Lead>>::Matched, K>;
}
