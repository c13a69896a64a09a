//! The element type of results that floats alone have.
//!
//! A method that returned `Tensor<(), T>` for any `T` would have a result of integers where it refuses them,
//! and what follows would be a second error. So the element type of the result is a parameter, which the
//! class of the element type decides: of floats it is `T`, and of others there is none. Every element type
//! has a class, so that a result says of which type its operand is, too.

use crate::element::{Element, Float, Floats};
use crate::shape::Shape;
use crate::shape::axis::NoAxis;
use crate::tensor::Tensor;

/// An element type, as a one-element tuple, of the class of floats: `T: Float`, which is the bound to write
/// in generic code.
#[diagnostic::on_unimplemented(
    message = "elements of type `{T}` are not floating-point numbers",
    label = "this needs `f32`, `f64`, `f16` or `bf16`",
    note = "convert with `.cast::<f32>()` first; in generic code, the bound is `Float` [T503]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait FloatsAlone<T, Class, Is> {
    /// The element type. Named by methods beside this bound: see [`bounds`](crate::bounds).
    #[doc(hidden)]
    type Checked: Float;

    /// The tensor itself.
    #[doc(hidden)]
    fn operand<S: Shape>(x: &Tensor<S, T>) -> &Tensor<S, Self::Checked>
    where
        T: Element;

    /// The result itself.
    #[doc(hidden)]
    fn result(y: Tensor<(), Self::Checked>) -> Tensor<(), Is>
    where
        Is: Element;
}

#[diagnostic::do_not_recommend]
impl<T: Float> FloatsAlone<T, Floats, T> for (T,) {
    type Checked = T;

    #[inline(always)]
    fn operand<S: Shape>(x: &Tensor<S, T>) -> &Tensor<S, T> {
        x
    }

    #[inline(always)]
    fn result(y: Tensor<(), T>) -> Tensor<(), T> {
        y
    }
}

/// A second impl, so that the compiler does not explain the first one: see [`NoAxis`]. As no type is a part
/// of itself, the compiler still infers the elements of `Tensor::zeros()` from the first.
#[diagnostic::do_not_recommend]
impl<T: Float> FloatsAlone<(T, NoAxis), Floats, T> for (T,) {
    type Checked = T;

    fn operand<S: Shape>(_: &Tensor<S, (T, NoAxis)>) -> &Tensor<S, T>
    where
        (T, NoAxis): Element,
    {
        unreachable!("a pair is not a type of elements")
    }

    fn result(y: Tensor<(), T>) -> Tensor<(), T> {
        y
    }
}
