//! The list of all operations.

use super::contractions::CONTRACTIONS;
use super::indexing::INDEXING;
use super::joining::JOINING;
use super::matmul::PRODUCTS;
use super::reductions::REDUCTIONS;
use super::slicing::SLICING;
use super::windows::WINDOWS;

/// What an operation is called, here and elsewhere, and for which elements there is one.
///
/// ```
/// use tensor_core::operations;
///
/// let exp = operations().find(|operation| operation.name == "exp").unwrap();
/// assert_eq!(exp.pytorch, Some("exp"));
/// assert_eq!(exp.stablehlo, Some("exponential"));
/// assert_eq!(exp.elements, "Float");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Operation {
    /// The name of the method, or of the method of the operator's trait in `core::ops`.
    pub name: &'static str,
    /// The number of operands.
    pub operands: usize,
    /// The trait of the elements that have it: `Element`, `Number`, `Signed`, `Bits`, `Integer`, `Float` or
    /// `BoolElement`.
    pub elements: &'static str,
    /// What it belongs to.
    pub topic: &'static str,
    /// The name in NumPy.
    pub numpy: Option<&'static str>,
    /// The name in PyTorch, behind `torch.`.
    pub pytorch: Option<&'static str>,
    /// The operation of StableHLO that it is lowered to, alone or with others.
    pub stablehlo: Option<&'static str>,
}

/// A name of a row, where `""` stands for none.
pub(super) const fn name(name: &'static str) -> Option<&'static str> {
    if name.is_empty() { None } else { Some(name) }
}

/// Makes a list of the rows of a group.
macro_rules! list {
    ([$List:ident $operands:literal $elements:literal] $(topic $topic:literal {$(
        $(#[$meta:meta])* $kind:ident $op_name:ident: $Op:ident -> $Out:tt {
            $cost:ident $bits:ident $numpy:literal $pytorch:literal $stablehlo:literal
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
            stablehlo: name($stablehlo),
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

/// Makes a list of operations whose methods are written by hand, because they have parameters or
/// arguments of their own kinds: the name of the method, the number of operands, what it asks of
/// elements, and the names in NumPy, PyTorch and StableHLO, `""` for none.
macro_rules! operation_rows {
    ($(#[$doc:meta])* $List:ident {$(topic $topic:literal {$(
        $name:ident: $operands:literal $elements:literal $numpy:literal $pytorch:literal $stablehlo:literal;
    )*})*}) => {
        $(#[$doc])*
        pub(super) const $List: &[$crate::ops::Operation] = &[$($($crate::ops::Operation {
            name: stringify!($name),
            operands: $operands,
            elements: $elements,
            topic: $topic,
            numpy: $crate::ops::info::name($numpy),
            pytorch: $crate::ops::info::name($pytorch),
            stablehlo: $crate::ops::info::name($stablehlo),
        },)*)*];
    };
}

operation_rows! {
    /// Element-wise operations with arguments of their own kinds.
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
