//! [`show_shape!`](crate::show_shape!): the shape of a tensor, as a compile error.
//!
//! An error, because no warning can name types. [`Shown`] does not implement the traits of this
//! module: requiring them is the error.

use core::marker::PhantomData;
use core::ops::Deref;

use crate::shape::Shape;
use crate::strict::HasShape;

/// The subject of the messages.
///
/// ```
/// use tensor_core::show_shape::{Shown, TensorOf};
///
/// // `Shown` does not implement the trait, so the error names the types.
/// fn unseen<S, T>() where Shown: TensorOf<S, T> {}
/// ```
#[cfg_attr(doc, doc(hidden))]
pub struct Shown;

/// A tensor, whose shape is shown.
///
/// ```compile_fail,E0277
/// use tensor_core::{show_shape, tensor};
///
/// // error: this tensor has shape `(((), One), Dim<2>)` and elements of type `f64`
/// let _ = show_shape!(tensor![[1.0, 2.0_f64]]) * 2.0;
/// ```
#[diagnostic::on_unimplemented(
    message = "this tensor has shape `{S}` and elements of type `{T}`",
    label = "shape requested here",
    note = "this is an answer, not a mistake: take `show_shape!` away to go on [T708]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait TensorOf<S, T> {
    /// Nothing.
    #[doc(hidden)]
    type Proof;
}

/// A shape, which is shown.
///
/// ```compile_fail,E0277
/// use tensor_core::{broadcast_shapes, show_shape};
///
/// // error: this shape is `(((), Dim<4>), Dim<3>)`
/// show_shape!(type broadcast_shapes![[4, 1], [3]]);
/// ```
#[diagnostic::on_unimplemented(
    message = "this shape is `{S}`",
    label = "shape requested here",
    note = "this is an answer, not a mistake: take `show_shape!` away to go on [T708]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait ShapeOf<S> {
    /// Nothing.
    #[doc(hidden)]
    type Proof;
}

/// Anything else, whose type is shown.
///
/// ```compile_fail,E0277
/// use tensor_core::show_shape;
///
/// // error: this is neither a tensor nor a shape: its type is `i32`
/// let _ = show_shape!(1_i32);
/// ```
#[diagnostic::on_unimplemented(
    message = "this is neither a tensor nor a shape: its type is `{T}`",
    label = "shape requested here",
    note = "this is an answer, not a mistake: take `show_shape!` away to go on [T708]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait AnyTypeOf<T: ?Sized> {
    /// Nothing.
    #[doc(hidden)]
    type Proof;
}

// As in strict code, method resolution takes the first of these types whose `impl` holds.

/// A type to show.
#[doc(hidden)]
pub struct ShownType<T: ?Sized>(PhantomData<T>);

/// A type that is not a tensor.
#[doc(hidden)]
pub struct NonTensor<T: ?Sized>(PhantomData<T>);

/// A type that is not a shape either.
#[doc(hidden)]
pub struct NoShape<T: ?Sized>(PhantomData<T>);

/// The type of this value.
#[doc(hidden)]
pub fn type_of_value<T: ?Sized>(_: &T) -> ShownType<T> {
    ShownType(PhantomData)
}

/// This type.
#[doc(hidden)]
pub fn type_to_show<T: ?Sized>() -> ShownType<T> {
    ShownType(PhantomData)
}

impl<T: ?Sized + HasShape> ShownType<T> {
    pub fn show(&self) -> OfTensor<T::Shape, T::Element> {
        OfTensor(PhantomData)
    }
}

impl<S: Shape> NonTensor<S> {
    pub fn show(&self) -> OfShape<S> {
        OfShape(PhantomData)
    }
}

impl<T: ?Sized> NoShape<T> {
    pub fn show(&self) -> OfAnyType<T> {
        OfAnyType(PhantomData)
    }
}

/// Types whose method requires a trait that [`Shown`] does not implement, which produces the message. If
/// `show` required that trait, rustc would explain that the types above have methods of one name.
macro_rules! answers {
    ($($Answer:ident<$($T:ident $(: ?$Sized:ident)?),+>: $Trait:ident;)+) => {$(
        #[doc(hidden)]
        pub struct $Answer<$($T $(: ?$Sized)?),+>(PhantomData<($(PhantomData<$T>,)+)>);

        #[tensor_array_macros::bounds_without_source]
        impl<$($T $(: ?$Sized)?),+> $Answer<$($T),+> {
            pub fn proof(&self, _: <Shown as $Trait<$($T),+>>::Proof)
            where
                Shown: $Trait<$($T),+>,
            {
            }
        }
    )+};
}

answers! {
    OfTensor<S, T>: TensorOf;
    OfShape<S>: ShapeOf;
    OfAnyType<T: ?Sized>: AnyTypeOf;
}

impl<T: ?Sized> Deref for ShownType<T> {
    type Target = NonTensor<T>;

    fn deref(&self) -> &NonTensor<T> {
        &NonTensor(PhantomData)
    }
}

impl<T: ?Sized> Deref for NonTensor<T> {
    type Target = NoShape<T>;

    fn deref(&self) -> &NoShape<T> {
        &NoShape(PhantomData)
    }
}
