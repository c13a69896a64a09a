//! The shape of an operand, which may be of any type.

use core::marker::PhantomData;
use core::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

use tensor_kernels::element::Element;

use crate::shape::Shape;
use crate::tensor::Tensor;

/// An operand with a shape type: a tensor, or a pointer to one.
///
/// ```
/// use tensor_core::{Tensor, shape, strict::HasShape};
///
/// type Extent<T> = <T as HasShape>::Shape;
/// let shape: Extent<&Tensor<shape![2, 3]>> = shape![2, 3];
/// # let _ = shape;
/// ```
#[diagnostic::on_unimplemented(
    message = "strict code needs the type of each side of an operation",
    label = "the type of a side is found out only later",
    note = "write it out, for example as the type of a parameter of a closure: `|x: f32, y: f32| x + y` [T106]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait HasShape {
    /// The shape.
    type Shape: Shape;

    /// The element type.
    type Element: Element;
}

#[diagnostic::do_not_recommend]
impl<S: Shape, T: Element> HasShape for Tensor<S, T> {
    type Shape = S;
    type Element = T;
}

/// Pointers that method calls auto-dereference.
macro_rules! pointers {
    ($($Pointer:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<P: ?Sized + HasShape> HasShape for $Pointer {
            type Shape = P::Shape;
            type Element = P::Element;
        }
    )*};
}

pointers!(&P, &mut P, Box<P>, Rc<P>, Arc<P>);

/// The type of an operand, as a value without the operand.
#[doc(hidden)]
pub struct Side<T: ?Sized>(PhantomData<T>);

/// The type of this operand.
#[doc(hidden)]
pub fn side<T: ?Sized>(_: &T) -> Side<T> {
    Side(PhantomData)
}

/// The shape of an operand, by its type.
#[doc(hidden)]
pub struct Extent<S>(PhantomData<S>);

// The shape of a tensor.
impl<T: ?Sized + HasShape> Side<T> {
    pub fn shape(&self) -> Extent<T::Shape> {
        Extent(PhantomData)
    }
}

// If the bound of the `impl` above is unmet, method resolution continues here.
impl<T: ?Sized> Deref for Side<T> {
    type Target = NoTensor;

    fn deref(&self) -> &NoTensor {
        &NoTensor
    }
}

/// An operand that is not a tensor.
#[doc(hidden)]
pub struct NoTensor;

// Scalars have rank 0; so has, here, every other type.
impl NoTensor {
    pub fn shape(&self) -> Extent<()> {
        Extent(PhantomData)
    }
}
