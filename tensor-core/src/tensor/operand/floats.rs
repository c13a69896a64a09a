//! Results that floats alone have.

use crate::element::{Element, Floats, NoFloats};
use crate::shape::Shape;
use crate::shape::axis::NoAxis;
use crate::tensor::Tensor;

/// The element type of a result without an axis, by the class of `T`. Where that is not of floats, two impls leave
/// `Class` and the element type open: the bound `Float` is refused, and nothing is said of the result.
#[cfg_attr(doc, doc(hidden))]
pub trait ResultOf<T: Element, Class> {
    /// `T`
    type Element: Element;

    /// The result itself.
    #[doc(hidden)]
    fn result<S: Shape>(y: Tensor<S, T>) -> Tensor<S, Self::Element>;
}

/// Implements [`ResultOf`] for two classes.
macro_rules! results {
    ($($Class:ty: $Parameter:ty),*) => {$(
        impl<T: Element> ResultOf<T, $Parameter> for $Class {
            type Element = T;

            #[inline(always)]
            fn result<S: Shape>(y: Tensor<S, T>) -> Tensor<S, T> {
                y
            }
        }
    )*};
}

results!(Floats: Floats, NoFloats: NoFloats, NoFloats: NoAxis);
