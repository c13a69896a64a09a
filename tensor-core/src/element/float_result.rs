//! The element type of results that floats alone have.
//!
//! `softmax` of integers is refused, and if its result were a tensor of integers, so would be what follows. With
//! an element type that floats alone have, there is no result, and one error.

use core::marker::PhantomData;

use super::{Element, Float};
use crate::shape::axis::NoAxis;
use crate::shape::axis_index::{Resolved, Unresolved};

/// The type of the elements of a result: that of the operand, where it is of floats.
///
/// The parameter is [`Resolved`], which rustc knows once it has read the axis of a call: see
/// [`AxisState`](crate::shape::axis_index::AxisState). A supertrait of [`Float`], so that of the two bounds the
/// message is about that one.
#[cfg_attr(doc, doc(hidden))]
pub trait FloatResult<State>: Sized {
    /// `Self`
    type Element: Element;
}

#[diagnostic::do_not_recommend]
impl<T: Float> FloatResult<Resolved> for T {
    type Element = T;
}

/// A second impl, which no type has: with two, rustc takes the first one only if its bound holds.
#[diagnostic::do_not_recommend]
impl<T: Element> FloatResult<Resolved> for T
where
    PhantomData<T>: NoType,
{
    type Element = T;
}

// Two, so that rustc does not infer the one from types that are not of floats.

#[diagnostic::do_not_recommend]
impl<T: Element> FloatResult<Unresolved> for T {
    type Element = T;
}

#[diagnostic::do_not_recommend]
impl<T: Element> FloatResult<NoAxis> for T {
    type Element = T;
}

/// A trait without implementations.
#[cfg_attr(doc, doc(hidden))]
pub trait NoType {}
