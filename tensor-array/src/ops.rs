//! Operations, each in one place: a row of a table, or a file.
//!
//! Element-wise functions and reductions are [rows](tensor_kernels::ops), from which everything about them is generated. Any
//! other operation is a file, such as `take.rs`, which has
//!
//! - its names, by `operation_rows!`;
//! - a type with its parameters; what it is in programs, by `primitive!`: its name, what it costs, its StableHLO;
//! - what it computes, by `evaluate!`: its kernel, and what its gradient keeps of a call;
//! - its gradient, a [`GradientRule`](crate::array::gradients::rule::GradientRule);
//! - its method of `DynTensor`, which checks the shapes and calls [`apply`](crate::array::apply::apply). That function
//!   computes the result, records it, or makes it a step of a program; methods do not ask whether an array is traced.
//!
//! An operation that is composed of others has names and a method alone. Names that are not in the list of all operations,
//! at the end of this file, and an operation without a case in `tests/sweep` or with a gradient that is not that of PyTorch
//! fail a test.

use tensor_kernels::ops::reductions::for_each_reduction;
use tensor_kernels::ops::{
    bits_binary, bits_unary, element_binary, float_binary, float_unary, integer_binary,
    number_binary, number_unary, signed_unary,
};

mod normalization;
pub(crate) mod operation;
mod positions;
mod prelude;

mod after;

// The files of operations. rustdoc shows their methods in this order.
pub(crate) mod powi;

pub(crate) mod clamp;

pub(crate) mod select;

pub(crate) mod cast;

pub mod autocast;
mod contractions;
pub mod matmul;

mod assign_slice;
mod slicing;

mod join;

mod pad;
mod roll;

mod repeat;
mod triangle;

mod sharding;

mod take;
mod take_along;

mod scatter;

mod index_rows;
mod one_hot;

mod order;
mod quantile;
mod search;

mod unique;

mod masks;

mod counts;
mod diff;

mod conv;
mod pool;
mod resize;

pub use operation::Operation;

/// Makes a list of the rows of a group.
macro_rules! list {
    ([$List:ident $operands:literal $elements:literal] $(topic $topic:literal {$(
        $(#[$meta:meta])* $kind:ident $op_name:ident: $Op:ident -> $Out:tt {
            $cost:ident $bits:ident $numpy:literal $pytorch:literal {$($stablehlo:tt)+}
            $($function:tt)+
        }
    )+})+) => {
        const $List: &[Operation] = &[$($(Operation {
            name: stringify!($op_name),
            operands: $operands,
            elements: $elements,
            topic: $topic,
            numpy: operation::name($numpy),
            pytorch: operation::name($pytorch),
            stablehlo: Some(stringify!($($stablehlo)+)),
        },)+)+];
    };
}

number_unary!(list! [NUMBER_UNARY 1 "Number"]);
signed_unary!(list! [SIGNED_UNARY 1 "Signed"]);
bits_unary!(list! [BITS_UNARY 1 "Bits"]);
float_unary!(list! [FLOAT_UNARY 1 "Float"]);
element_binary!(list! [ELEMENT_BINARY 2 "Element"]);
number_binary!(list! [NUMBER_BINARY 2 "Number"]);
bits_binary!(list! [BITS_BINARY 2 "Bits"]);
integer_binary!(list! [INTEGER_BINARY 2 "Integer"]);
float_binary!(list! [FLOAT_BINARY 2 "Float"]);

/// Makes a list of the rows along axes.
macro_rules! list_along {
    ($(
        $(#[$doc:meta])*
        $Bound:ident $Trait:ident $elements:ident {$(
            $Op:ident $ROW:ident: $Row:ident -> $Result:ident {
                kernel: $Kernel:ty = $kernel:expr,
                name: $name:literal, numpy: $numpy:literal, pytorch: $pytorch:literal,
                stablehlo: {$($stablehlo:tt)+}, $($rest:tt)*
            } $kind:ident $methods:tt
        )*}
    )*) => {
        const ALONG_AXES: &[Operation] = &[$($(Operation {
            name: $name,
            operands: 1,
            elements: stringify!($Bound),
            topic: "Along axes",
            numpy: operation::name($numpy),
            pytorch: Some($pytorch),
            stablehlo: Some(stringify!($($stablehlo)+)),
        },)*)*];
    };
}

for_each_reduction!(list_along);

/// All operations on tensors that there are, in the order of their groups.
///
/// ```
/// use tensor_core::operations;
///
/// let masks = operations().filter(|operation| operation.topic == "Comparisons");
/// assert_eq!(masks.map(|operation| operation.name).next(), Some("equal"));
/// ```
pub fn operations() -> impl Iterator<Item = Operation> {
    let groups = [
        NUMBER_UNARY,
        SIGNED_UNARY,
        BITS_UNARY,
        FLOAT_UNARY,
        ELEMENT_BINARY,
        NUMBER_BINARY,
        BITS_BINARY,
        INTEGER_BINARY,
        FLOAT_BINARY,
        powi::NAMES,
        clamp::NAMES,
        select::NAMES,
        cast::NAMES,
        ALONG_AXES,
        matmul::NAMES,
        contractions::NAMES,
        slicing::NAMES,
        join::NAMES,
        pad::NAMES,
        roll::NAMES,
        repeat::NAMES,
        triangle::NAMES,
        take::NAMES,
        take_along::NAMES,
        scatter::NAMES,
        index_rows::NAMES,
        one_hot::NAMES,
        order::NAMES,
        quantile::NAMES,
        search::NAMES,
        unique::NAMES,
        masks::NAMES,
        counts::NAMES,
        diff::NAMES,
        conv::NAMES,
        pool::NAMES,
        resize::NAMES,
        normalization::NAMES,
    ];
    groups.into_iter().flatten().copied()
}
