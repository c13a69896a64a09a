//! Operands of operations: tensors, and scalars, which have rank 0.

use std::rc::Rc;
use std::sync::Arc;

use crate::element::Element;
use crate::shape::Shape;
use crate::shape::axis::NoAxis;
use crate::tensor::Tensor;
use crate::tensor::typed_view::View;

/// A tensor with elements `T`, borrowed or owned, or a scalar `T`, which has rank 0.
///
/// ```
/// use tensor_core::{Operand, Tensor, shape, tensor};
///
/// fn at_least(x: &Tensor<shape![3]>, bound: impl Operand<f32, Shape = ()>) -> Tensor<shape![3]> {
///     x.maximum(bound)
/// }
///
/// assert_eq!(at_least(&tensor![1.0, 2.0, 3.0], 2.0), tensor![2.0, 2.0, 3.0]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an operand with elements of type `{T}`",
    label = "expected a `{T}`, or a tensor of them such as `&x`",
    note = "there is no silent promotion: convert a tensor with `x.cast::<{T}>()`, a number with `as {T}`; in generic code a number is `T::from_f64(0.5)` [T502]"
)]
pub trait Operand<T: Element>: sealed::TensorOrScalar {
    /// The shape; `()` for a scalar.
    type Shape: Shape;

    /// The elements for reading.
    #[doc(hidden)]
    fn view(&self) -> View<'_, Self::Shape, T>;
}

/// Operands are the tensors of this crate and its numbers: operations read what they hold.
mod sealed {
    use super::{Arc, Element, Rc, Shape, Tensor};

    pub trait TensorOrScalar {}

    impl<T: Element> TensorOrScalar for T {}

    impl<S: Shape, T: Element> TensorOrScalar for Tensor<S, T> {}

    impl<S: Shape, T: Element> TensorOrScalar for &Tensor<S, T> {}

    impl<S: Shape, T: Element> TensorOrScalar for &mut Tensor<S, T> {}

    pub trait Tensors {}

    impl<S: Shape, T: Element> Tensors for Tensor<S, T> {}

    impl<X: Tensors> Tensors for &X {}

    impl<X: Tensors> Tensors for &mut X {}

    impl<X: Tensors> Tensors for Box<X> {}

    impl<X: Tensors> Tensors for Rc<X> {}

    impl<X: Tensors> Tensors for Arc<X> {}
}

impl<T: Element> Operand<T> for T {
    type Shape = ();

    fn view(&self) -> View<'_, (), T> {
        View { shape: (), layout: None, elements: core::slice::from_ref(self) }
    }
}

#[diagnostic::do_not_recommend]
impl<S: Shape, T: Element> Operand<T> for Tensor<S, T> {
    type Shape = S;

    fn view(&self) -> View<'_, S, T> {
        Tensor::view(self)
    }
}

#[diagnostic::do_not_recommend]
impl<S: Shape, T: Element> Operand<T> for &Tensor<S, T> {
    type Shape = S;

    fn view(&self) -> View<'_, S, T> {
        Tensor::view(self)
    }
}

#[diagnostic::do_not_recommend]
impl<S: Shape, T: Element> Operand<T> for &mut Tensor<S, T> {
    type Shape = S;

    fn view(&self) -> View<'_, S, T> {
        Tensor::view(self)
    }
}

/// An operand of a closure's own operation: a tensor, owned or borrowed, which says the type that the
/// closure takes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tensor",
    label = "expected a tensor, such as `&x`",
    note = "a number needs no operand: the closure can use it, `x.map(|x| x + 1.0)`"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait IsTensor: sealed::Tensors {
    /// The shape.
    type Shape: Shape;
    /// The type of elements.
    type Element: Element;

    /// The elements for reading.
    #[doc(hidden)]
    fn read(&self) -> View<'_, Self::Shape, Self::Element>;
}

#[diagnostic::do_not_recommend]
impl<S: Shape, T: Element> IsTensor for Tensor<S, T> {
    type Shape = S;
    type Element = T;

    fn read(&self) -> View<'_, S, T> {
        Tensor::view(self)
    }
}

/// The impls for what leads to a tensor.
macro_rules! pointers {
    ($($Pointer:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<X: IsTensor> IsTensor for $Pointer {
            type Shape = X::Shape;
            type Element = X::Element;

            fn read(&self) -> View<'_, X::Shape, X::Element> {
                X::read(self)
            }
        }
    )*};
}

pointers!(&X, &mut X, Box<X>, Rc<X>, Arc<X>);

/// The bound of methods: [`IsTensor`]. [`bounds`](crate::bounds) says why these are two.
#[cfg_attr(doc, doc(hidden))]
pub trait TensorOperand {
    /// The shape.
    type Shape: Shape;
    /// The type of elements.
    type Element: Element;

    /// The elements for reading.
    #[doc(hidden)]
    fn read(&self) -> View<'_, Self::Shape, Self::Element>;
}

impl<X: IsTensor> TensorOperand for X {
    type Shape = <X as IsTensor>::Shape;
    type Element = <X as IsTensor>::Element;

    fn read(&self) -> View<'_, Self::Shape, Self::Element> {
        IsTensor::read(self)
    }
}

/// The bound of methods: an [`Operand`]. [`bounds`](crate::bounds) says why these are two.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an operand with elements of type `{T}`",
    label = "expected a `{T}`, or a tensor of them such as `&x`",
    note = "there is no silent promotion: convert a tensor with `x.cast::<{T}>()`, a number with `as {T}`; in generic code, add the bound `{Self}: Operand<{T}>` [T502]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait OperandOf<T: Element> {
    /// The shape; `()` for a scalar.
    type Shape: Shape;

    /// The elements for reading.
    #[doc(hidden)]
    fn view(&self) -> View<'_, Self::Shape, T>;
}

impl<X: Operand<T>, T: Element> OperandOf<T> for X {
    type Shape = <X as Operand<T>>::Shape;

    fn view(&self) -> View<'_, Self::Shape, T> {
        Operand::view(self)
    }
}

/// Two operands with elements of one type: there is no silent promotion.
#[diagnostic::on_unimplemented(
    message = "cannot combine elements of type `{Self}` with elements of type `{U}`",
    label = "elements of type `{U}`, where the left side has `{Self}`",
    note = "there is no silent promotion: convert a tensor with `x.cast::<f32>()`, a number with `as f32`; in generic code write `x.cast::<T>()` and `T::from_f64(0.5)` [T502]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait SameElement<U>: Sized {
    /// The scalar itself.
    #[doc(hidden)]
    fn same_scalar(other: U) -> Self;

    /// The tensor itself, to read from.
    #[doc(hidden)]
    fn same_view<S: Shape>(other: View<'_, S, U>) -> View<'_, S, Self>
    where
        Self: Element,
        U: Element;

    /// The tensor itself.
    #[doc(hidden)]
    fn same_tensor<S: Shape>(other: Tensor<S, U>) -> Tensor<S, Self>
    where
        Self: Element,
        U: Element;
}

#[diagnostic::do_not_recommend]
impl<T: Element> SameElement<T> for T {
    #[inline(always)]
    fn same_scalar(other: T) -> T {
        other
    }

    #[inline(always)]
    fn same_view<S: Shape>(other: View<'_, S, T>) -> View<'_, S, T> {
        other
    }

    #[inline(always)]
    fn same_tensor<S: Shape>(other: Tensor<S, T>) -> Tensor<S, T> {
        other
    }
}

/// A second impl, so that the compiler does not explain the first one: see
/// [`NoAxis`](crate::bounds::NoAxis). As a pair is not a type of elements, the compiler still infers the
/// elements of `Tensor::zeros()` from the first.
#[diagnostic::do_not_recommend]
impl<T: Element, X> SameElement<(X, NoAxis)> for T
where
    (X, NoAxis): Element,
{
    fn same_scalar((_, never): (X, NoAxis)) -> T {
        match never {}
    }

    fn same_view<S: Shape>(_: View<'_, S, (X, NoAxis)>) -> View<'_, S, T> {
        unreachable!("a pair is not a type of elements")
    }

    fn same_tensor<S: Shape>(_: Tensor<S, (X, NoAxis)>) -> Tensor<S, T> {
        unreachable!("a pair is not a type of elements")
    }
}

/// The first operand of `select`: a `bool`, or a tensor of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a mask: its elements are not `bool`",
    label = "`select` takes the mask first, `select(mask, then, otherwise)`",
    note = "a comparison such as `x.greater(0.0)` gives a mask, `.cast::<bool>()` makes one of numbers [T502]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait IsMask {
    /// The shape; `()` for a `bool`.
    type Shape: Shape;

    /// The elements for reading.
    #[doc(hidden)]
    fn mask(&self) -> View<'_, Self::Shape, bool>;
}

/// The impls for a tensor of `bool`, owned and borrowed, and for one `bool`.
macro_rules! masks {
    ($($Tensor:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<S: Shape> IsMask for $Tensor {
            type Shape = S;

            fn mask(&self) -> View<'_, S, bool> {
                Tensor::view(self)
            }
        }
    )*};
}

masks!(Tensor<S, bool>, &Tensor<S, bool>, &mut Tensor<S, bool>);

#[diagnostic::do_not_recommend]
impl IsMask for bool {
    type Shape = ();

    fn mask(&self) -> View<'_, (), bool> {
        Operand::view(self)
    }
}

/// The bound of `select`: [`IsMask`]. [`bounds`](crate::bounds) says why these are two.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a mask: its elements are not `bool`",
    label = "`select` takes the mask first, `select(mask, then, otherwise)`",
    note = "a comparison such as `x.greater(0.0)` gives a mask, `.cast::<bool>()` makes one of numbers [T502]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait MaskOf {
    /// The shape; `()` for a `bool`.
    type Shape: Shape;

    /// The elements for reading.
    #[doc(hidden)]
    fn mask(&self) -> View<'_, Self::Shape, bool>;
}

impl<X: IsMask> MaskOf for X {
    type Shape = <X as IsMask>::Shape;

    fn mask(&self) -> View<'_, Self::Shape, bool> {
        IsMask::mask(self)
    }
}

/// What `select` chooses from: operands `A` and `B` with elements `T`, beside a mask of shape `Self`.
/// Where the mask is none, rustc says nothing more about them.
#[cfg_attr(doc, doc(hidden))]
pub trait Choice<A, B, T: Element> {
    /// The shape of `A`.
    type Then: Shape;
    /// The shape of `B`.
    type Otherwise: Shape;

    /// The elements of `A` for reading.
    #[doc(hidden)]
    fn then(operand: &A) -> View<'_, Self::Then, T>;

    /// The elements of `B` for reading.
    #[doc(hidden)]
    fn otherwise(operand: &B) -> View<'_, Self::Otherwise, T>;
}

impl<M: Shape, A: Operand<T>, B: Operand<T>, T: Element> Choice<A, B, T> for M {
    type Then = A::Shape;
    type Otherwise = B::Shape;

    fn then(operand: &A) -> View<'_, A::Shape, T> {
        operand.view()
    }

    fn otherwise(operand: &B) -> View<'_, B::Shape, T> {
        operand.view()
    }
}

/// The bound of `select`: [`Choice`]. [`bounds`](crate::bounds) says why these are two.
#[cfg_attr(doc, doc(hidden))]
pub trait ChoiceOf<A, B, T: Element>: Choice<A, B, T> {}

impl<M: Choice<A, B, T>, A, B, T: Element> ChoiceOf<A, B, T> for M {}
