//! Methods with the names of other libraries, whose message is the name here: `x.t()` is `x.transpose()`.
//!
//! As those of `Tensor`, they belong to the type that an array dereferences to: a method of any trait in scope comes first.

use core::marker::PhantomData;
use core::ops::Deref;

use crate::array::dynamic::DynTensor;
use tensor_kernels::element::Element;

/// Has the methods with names of other libraries. None of them can be called.
///
/// Its name is for the message about `*x`, which is this type and not an element.
pub struct NotAnElement<X> {
    _of: PhantomData<fn() -> X>,
}

/// For the methods of [`NotAnElement`] alone. Not for use by hand.
#[doc(hidden)]
impl<T: Element> Deref for DynTensor<T> {
    type Target = NotAnElement<Self>;

    fn deref(&self) -> &NotAnElement<Self> {
        &NotAnElement { _of: PhantomData }
    }
}

/// Generates the trait and the method of each name.
macro_rules! other_names {
    ($($name:ident $Bound:ident ($($argument:ident)*): $message:literal $label:literal;)*) => {
        $(
            #[doc = $message]
            #[diagnostic::on_unimplemented(
                message = $message,
                label = $label,
                note = "methods of a `DynTensor` take axes and shapes as arguments, and give a `Result` where these can be wrong [T920]"
            )]
            pub trait $Bound {}
        )*

        #[tensor_array_macros::bounds_without_source]
        impl<X> NotAnElement<X> {
            $(
                #[doc(hidden)]
                #[allow(unused_variables, clippy::should_implement_trait)]
                pub fn $name<R>(&self $(, $argument: impl Sized)*) -> R
                where
                    X: $Bound,
                {
                    unreachable!("no type satisfies the bound of the method")
                }
            )*
        }
    };
}

other_names! {
    into_tensor DynMethodIntoTensor (): "`x.into_tensor()` is a method of the trait `IntoTensor`, which is not imported here" "write `Tensor::<shape![2, 3]>::try_from(x)`, which needs no import";
}

mod rows;

pub use rows::*;
