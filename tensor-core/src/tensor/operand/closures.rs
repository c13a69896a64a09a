//! Operands of closures: tensors, which determine the element type.

use std::rc::Rc;
use std::sync::Arc;

use tensor_kernels::element::Element;

use crate::shape::Shape;
use crate::tensor::Tensor;
use crate::tensor::recording::refuse_recorded;
use crate::tensor::typed_view::View;

/// An operand of an operation with a closure: a tensor, owned or borrowed, which determines the type
/// that the closure takes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tensor",
    label = "expected a tensor, such as `&x`",
    note = "a number needs no operand: the closure can use it, `x.map(|x| x + 1.0)`"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait IsTensor: sealed::Tensors {
    /// The shape.
    type Shape: Shape;
    /// The element type.
    type Element: Element;

    /// The elements for reading.
    #[doc(hidden)]
    fn read(&self) -> View<'_, Self::Shape, Self::Element>;
}

#[diagnostic::do_not_recommend]
impl<S: Shape, T: Element> IsTensor for Tensor<S, T> {
    type Shape = S;
    type Element = T;

    #[inline]
    fn read(&self) -> View<'_, S, T> {
        Tensor::as_view(self)
    }
}

/// The impls for pointers to a tensor.
macro_rules! pointers {
    ($($Pointer:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<X: IsTensor> IsTensor for $Pointer {
            type Shape = X::Shape;
            type Element = X::Element;

            #[inline]
            fn read(&self) -> View<'_, X::Shape, X::Element> {
                X::read(self)
            }
        }
    )*};
}

pointers!(&X, &mut X, Box<X>, Rc<X>, Arc<X>);

/// The bound of methods: [`IsTensor`]. [`bounds`](crate::bounds) explains why there are two traits.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tensor",
    label = "expected a tensor, such as `&x`",
    note = "a number needs no operand: the closure can use it, `x.map(|x| x + 1.0)`"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait TensorOperand {
    /// The shape.
    type Shape: Shape;
    /// The element type.
    type Element: Element;

    /// The elements for reading.
    #[doc(hidden)]
    fn read(&self) -> View<'_, Self::Shape, Self::Element>;

    /// The elements for a closure with results of type `O`; a closure has no gradient.
    #[doc(hidden)]
    #[inline]
    #[track_caller]
    fn read_for<O: Element>(&self) -> View<'_, Self::Shape, Self::Element> {
        let view = self.read();
        refuse_recorded::<O>(&view);
        view
    }
}

impl<X: IsTensor> TensorOperand for X {
    type Shape = <X as IsTensor>::Shape;
    type Element = <X as IsTensor>::Element;

    #[inline]
    fn read(&self) -> View<'_, Self::Shape, Self::Element> {
        IsTensor::read(self)
    }
}

/// Seals [`IsTensor`]: it is implemented for tensors and for pointers to them.
mod sealed {
    use super::{Arc, Element, Rc, Shape, Tensor};

    pub trait Tensors {}

    impl<S: Shape, T: Element> Tensors for Tensor<S, T> {}

    impl<X: Tensors> Tensors for &X {}

    impl<X: Tensors> Tensors for &mut X {}

    impl<X: Tensors> Tensors for Box<X> {}

    impl<X: Tensors> Tensors for Rc<X> {}

    impl<X: Tensors> Tensors for Arc<X> {}
}
