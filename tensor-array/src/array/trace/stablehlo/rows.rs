//! The [lowerings](Lowering) of all rows of the [table](tensor_kernels::ops).

use tensor_kernels::ops::reductions::{self, for_each_reduction};
use tensor_kernels::ops::{
    self, Row, bits_binary, bits_unary, element_binary, float_binary, float_unary, gradient_binary,
    integer_binary, number_binary, number_unary, signed_unary,
};

use super::expression::{HasLowering, Lowering, lowering};
use crate::array::row_constants::{constant_of_row, constants_along};

/// The lowerings of a group of element-wise rows.
macro_rules! elementwise {
    ([] $(topic $topic:literal {$(
        $(#[$meta:meta])* $kind:ident $name:ident: $Op:ident -> $Out:tt {
            $cost:ident $bits:ident $numpy:literal $pytorch:literal {$($stablehlo:tt)+} $($function:tt)+
        }
    )+})+) => {$($(
        impl HasLowering for ops::$Op {
            const LOWERING: Lowering = lowering!($($stablehlo)+);
        }
    )+)+};
}

number_unary!(elementwise![]);
signed_unary!(elementwise![]);
bits_unary!(elementwise![]);
float_unary!(elementwise![]);
element_binary!(elementwise![]);
number_binary!(elementwise![]);
bits_binary!(elementwise![]);
integer_binary!(elementwise![]);
float_binary!(elementwise![]);
gradient_binary!(elementwise![]);

/// The lowerings of rows along axes.
macro_rules! along {
    ($(
        $(#[$doc:meta])*
        $Bound:ident $Trait:ident $elements:ident {$(
            $Op:ident $ROW:ident: $Row:ident -> $Result:ident {
                kernel: $Kernel:ty = $kernel:expr,
                name: $name:literal, numpy: $numpy:literal, pytorch: $pytorch:literal,
                stablehlo: {$($stablehlo:tt)+}, $($rest:tt)*
            } $kind:ident $methods:tt
        )*}
    )*) => {$($(
        impl HasLowering for reductions::$Op {
            const LOWERING: Lowering = lowering!($($stablehlo)+);
        }
    )*)*};
}

for_each_reduction!(along);

/// The lowering of a row.
pub(crate) fn lowering_of(row: &Row) -> Lowering {
    constant_of_row!(
        row,
        HasLowering,
        LOWERING,
        for_each_reduction!(constants_along (HasLowering) LOWERING)
    )
}
