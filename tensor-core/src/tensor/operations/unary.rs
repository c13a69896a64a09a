//! The methods of operations on one operand, generated from the [table](tensor_kernels::ops).

use tensor_array_macros::usage;
use tensor_kernels::element::{Bits, Element, Float, FloatResult, Number, Signed};
use tensor_kernels::ops;

use super::dispatch::unary;
use crate::shape::Shape;
use crate::tensor::Tensor;
#[cfg(not(doc))]
use crate::tensor::operand::floats::named;

/// The element type of a result.
macro_rules! output {
    (T, $S:ty) => { Tensor<$S, T> };
    ($Other:ident, $S:ty) => { Tensor<$S, $Other> };
}

/// Generates the methods of a group.
macro_rules! methods {
    ([$Bound:ident $here:ident] $(topic $topic:literal {$(
        $(#[$meta:meta])* $kind:ident $name:ident: $Op:ident -> $Out:tt $row:tt
    )+})+) => {$(
        #[doc = concat!("# ", $topic)]
        impl<S: Shape, T: Element> Tensor<S, T> {$(
            method! { [$Bound $here] $(#[$meta])* $name: $Op -> $Out }
        )+}
    )+};
}

/// Generates a method. If its results are floats because its elements are, their type is a parameter:
/// see [`floats`](crate::tensor::operand::floats).
macro_rules! method {
    ([Float $here:ident] $(#[$meta:meta])* $name:ident: $Op:ident -> T) => {
        $(#[$meta])*
        #[cfg(not(doc))]
        #[tensor_array_macros::bounds_without_source]
        #[usage(x.$name(); $here)]
        #[track_caller]
        pub fn $name<O: Element>(&self) -> Tensor<S, O>
        where
            T: Float + FloatResult<O>,
        {
            named(unary::<ops::$Op, S, T>(self.as_view()))
        }

        // The documentation shows the bound that generic code writes.
        #[cfg(doc)]
        method! { @as_is [Float $here] $(#[$meta])* $name: $Op -> T }
    };
    ([$Bound:ident $here:ident] $($row:tt)+) => {
        method! { @as_is [$Bound $here] $($row)+ }
    };
    (@as_is [$Bound:ident $here:ident] $(#[$meta:meta])* $name:ident: $Op:ident -> $Out:ident) => {
        $(#[$meta])*
        #[tensor_array_macros::bounds_without_source]
        #[usage(x.$name(); $here)]
        #[track_caller]
        pub fn $name(&self) -> output!($Out, S)
        where
            T: $Bound,
        {
            unary::<ops::$Op, S, T>(self.as_view())
        }
    };
}

number_unary!(methods![Number here]);
signed_unary!(methods![Signed here]);
bits_unary!(methods![Bits here]);
float_unary!(methods![Float here]);

/// # Integer powers
#[tensor_array_macros::method_docs]
#[tensor_array_macros::bounds_without_source]
impl<S: Shape, T: Element> Tensor<S, T> {
    #[doc = doc_powi!()]
    /// Panics: If an integer is 0 and the power negative.
    /// ```
    /// assert_eq!(tensor![2, -3].powi(3), tensor![8, -27]);
    /// ```
    #[doc(alias = "pow")]
    pub fn powi(&self, power: i32) -> Self
    where
        T: Number,
    {
        Tensor::with_shape(self.axes, self.erased().powi(power))
    }
}
