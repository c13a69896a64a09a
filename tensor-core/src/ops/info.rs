//! The list of all operations.

use super::matmul::PRODUCTS;
use super::reductions::REDUCTIONS;

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
const fn name(name: &'static str) -> Option<&'static str> {
    if name.is_empty() { None } else { Some(name) }
}

/// Makes a list of the rows of a group.
macro_rules! list {
    ([$List:ident $operands:literal $elements:literal] $(topic $topic:literal {$(
        $(#[$meta:meta])* $kind:ident $op_name:ident: $Op:ident -> $Out:tt {
            $cost:ident $bits:ident $numpy:literal $pytorch:literal $stablehlo:literal
            $($function:tt)+
        };
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

/// Operations whose methods have parameters or arguments of their own kinds.
const OTHERS: &[Operation] = &[
    Operation {
        name: "powi",
        operands: 1,
        elements: "Number",
        topic: "Roots and powers",
        numpy: Some("power"),
        pytorch: Some("pow"),
        stablehlo: Some("power"),
    },
    Operation {
        name: "clamp",
        operands: 3,
        elements: "Number",
        topic: "Minimum and maximum of two",
        numpy: Some("clip"),
        pytorch: Some("clamp"),
        stablehlo: Some("clamp"),
    },
    Operation {
        name: "select",
        operands: 3,
        elements: "Element",
        topic: "Choice",
        numpy: Some("where"),
        pytorch: Some("where"),
        stablehlo: Some("select"),
    },
    Operation {
        name: "cast",
        operands: 1,
        elements: "Element",
        topic: "Conversion",
        numpy: Some("astype"),
        pytorch: Some("Tensor.to"),
        stablehlo: Some("convert"),
    },
];

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
    ];
    groups.into_iter().flatten().copied()
}
