//! The list of all operations.

use super::contractions::CONTRACTIONS;
use super::indexing::INDEXING;
use super::joining::JOINING;
use super::matmul::PRODUCTS;
use super::operation::{Operation, name};
use super::reductions::REDUCTIONS;
use super::slicing::SLICING;
use super::windows::WINDOWS;

/// Makes a list of the rows of a group.
macro_rules! list {
    ([$List:ident $operands:literal $elements:literal] $(topic $topic:literal {$(
        $(#[$meta:meta])* $kind:ident $op_name:ident: $Op:ident -> $Out:tt {
            $cost:ident $bits:ident $numpy:literal $pytorch:literal {$($stablehlo:tt)+}
            $($function:tt)+
        } $gradient:tt;
    )+})+) => {
        const $List: &[Operation] = &[$($(Operation {
            name: stringify!($op_name),
            operands: $operands,
            elements: $elements,
            topic: $topic,
            numpy: name($numpy),
            pytorch: name($pytorch),
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

operation_rows! {
    /// Element-wise operations with arguments of special kinds.
    OTHERS {
        topic "Roots and powers" {
            powi: 1 "Number" "power" "pow" "power";
        }
        topic "Minimum and maximum of two" {
            clamp: 3 "Number" "clip" "clamp" "clamp";
        }
        topic "Choice" {
            select: 3 "Element" "where" "where" "select";
        }
        topic "Conversion" {
            cast: 1 "Element" "astype" "Tensor.to" "convert";
        }
    }
}

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
        OTHERS,
        REDUCTIONS,
        PRODUCTS,
        CONTRACTIONS,
        SLICING,
        JOINING,
        INDEXING,
        WINDOWS,
    ];
    groups.into_iter().flatten().copied()
}
