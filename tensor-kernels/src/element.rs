//! Element types, and the operations on one element.

use core::fmt::{Debug, Display};

use crate::ops::elements::for_each_element;
#[cfg(feature = "half")]
use crate::ops::elements::types::*;
use crate::ops::reductions::ElementReductions;
use crate::ops::{ElementBinary, ElementMoves};
use order::OrderKey;

mod cast;
mod float;
mod float_number;
#[doc(hidden)]
pub mod functions;
mod isa;
mod math;
#[doc(hidden)]
pub mod number;
#[doc(hidden)]
pub mod operation;
pub(crate) mod order;
#[doc(hidden)]
pub mod scalar;

pub use cast::CastTo;
pub use float::Float;
pub use isa::Isa;
pub use number::{Bits, Integer, Number, Signed};

/// Generates the names of all element types.
macro_rules! names {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {
        concat!($("`", stringify!($T), "`, "),*)
    };
}

#[doc = concat!("An element type: ", for_each_element!(names), "the 16-bit floats with the feature `half`.")]
///
/// ```
/// use tensor_core::{Element, Tensor, shape, tensor};
///
/// fn first<T: Element>(x: &Tensor<shape![3], T>) -> T {
///     x[[0]]
/// }
///
/// assert_eq!(first(&tensor![7, 8, 9]), 7);
/// assert_eq!(<f32 as Element>::NAME, "f32");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a type of tensor elements",
    note = "elements are f32, f64, i8 to i64, u8 to u64 and bool; with the feature `half` of tensor-core f16 and bf16, too; an array of another crate becomes a tensor by `Tensor::try_from(array)?` [T501]"
)]
pub trait Element:
    sealed::Sealed
    + ElementBinary
    + ElementMoves
    + OrderKey
    + ElementReductions
    + Copy
    + Default
    + PartialEq
    + PartialOrd
    + Debug
    + Display
    + Send
    + Sync
    + 'static
{
    /// The name of the type in Rust.
    const NAME: &'static str;
    /// 0, or `false`.
    const ZERO: Self;
    /// 1, or `true`.
    const ONE: Self;
    /// The number of its row in the table of element types.
    #[doc(hidden)]
    const NUMBER: usize;
    /// Whether the type is a [`Float`]: tensors of floats are parameters of a model.
    #[doc(hidden)]
    const IS_FLOAT: bool;
    /// The type that gradients are computed in: `f32` for 16-bit floats. Other types than floats have none.
    #[doc(hidden)]
    type Gradient: Float;
}

/// The element type `O` of results that only floats have, such as those of `exp`. For floats it is the type
/// itself, and each determines the other. For other types every `O` is allowed: if the bound [`Float`] fails,
/// `O` stays ambiguous, and the compiler reports no error about the result.
#[cfg_attr(doc, doc(hidden))]
pub trait FloatResult<O> {}

mod sealed {
    /// # Safety
    ///
    /// Elements have the size of `Bits`, at least its alignment, and no padding.
    pub unsafe trait Sealed:
        crate::element::functions::HasElementOps + crate::storage::Plain
    {
        /// The unsigned integer of the size of elements, as which they are moved.
        type Bits: super::Element;
    }

    /// A number of bytes.
    pub struct OfSize<const BYTES: usize>;

    /// The unsigned integer of a size.
    #[doc(hidden)]
    pub trait HasBits {
        type Bits: super::Element;
    }

    macro_rules! sizes {
        ($($Bits:ident)*) => {$(
            impl HasBits for OfSize<{ size_of::<$Bits>() }> {
                type Bits = $Bits;
            }
        )*};
    }

    sizes!(u8 u16 u32 u64);
}

macro_rules! elements {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {
        /// The rows of the table, whose values are their numbers.
        #[allow(non_camel_case_types, reason = "as the types are named")]
        enum Numbers {
            $($(#[$cfg])* $T,)*
        }

        $(
            $(#[$cfg])*
            elements!(@$class $T);
        )*
    };
    (@float $T:ident) => { elements!(@impl $T 0.0, 1.0, true, $T); impl FloatResult<$T> for $T {} };
    (@half $T:ident) => { elements!(@impl $T $T::ZERO, $T::ONE, true, f32); impl FloatResult<$T> for $T {} };
    (@signed $T:ident) => { elements!(@impl $T 0, 1, false, f32); impl<O> FloatResult<O> for $T {} };
    (@unsigned $T:ident) => { elements!(@impl $T 0, 1, false, f32); impl<O> FloatResult<O> for $T {} };
    (@boolean $T:ident) => { elements!(@impl $T false, true, false, f32); impl<O> FloatResult<O> for $T {} };
    (@impl $T:ident $zero:expr, $one:expr, $is_float:literal, $Gradient:ident) => {
        // SAFETY: the bit pattern of zeros is a valid value: 0, 0.0 or `false`.
        unsafe impl crate::storage::Plain for $T {}

        const _: () = assert!(align_of::<$T>() >= align_of::<<$T as sealed::Sealed>::Bits>());

        // SAFETY: the integer is that of the size; the alignment was just compared; numbers and `bool` have no padding.
        unsafe impl sealed::Sealed for $T {
            type Bits = <sealed::OfSize<{ size_of::<$T>() }> as sealed::HasBits>::Bits;
        }

        #[diagnostic::do_not_recommend]
        impl Element for $T {
            const NAME: &'static str = stringify!($T);
            const ZERO: Self = $zero;
            const ONE: Self = $one;
            const NUMBER: usize = Numbers::$T as usize;
            const IS_FLOAT: bool = $is_float;

            type Gradient = $Gradient;
        }
    };
}

for_each_element!(elements);
