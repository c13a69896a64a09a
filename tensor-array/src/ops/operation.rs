//! Names of operations.

/// The names of an operation, here and in other libraries, and its element types.
///
/// ```
/// use tensor_core::operations;
///
/// let exp = operations().find(|operation| operation.name == "exp").unwrap();
/// assert_eq!(exp.pytorch, Some("exp"));
/// assert_eq!(exp.stablehlo, Some("exponential(x)"));
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
    /// Its group.
    pub topic: &'static str,
    /// The name in NumPy.
    pub numpy: Option<&'static str>,
    /// The name in PyTorch, without `torch.`.
    pub pytorch: Option<&'static str>,
    /// Its StableHLO: the name of an operation, or an expression of several, such as `multiply(x, x)`, on one or
    /// more lines.
    pub stablehlo: Option<&'static str>,
}

/// A name of a row; `""` means none.
pub(super) const fn name(name: &'static str) -> Option<&'static str> {
    if name.is_empty() { None } else { Some(name) }
}

/// Makes a list of operations whose methods are written by hand, because they have parameters or
/// arguments of special kinds: the name of the method, the number of operands, what it requires of
/// elements, and the names in NumPy, PyTorch and StableHLO, `""` for none.
macro_rules! operation_rows {
    ($(topic $topic:literal {$(
        $name:ident: $operands:literal $elements:literal $numpy:literal $pytorch:literal $stablehlo:literal;
    )*})*) => {
        /// The names of the operations of this file.
        pub(super) const NAMES: &[$crate::ops::operation::Operation] = &[$($($crate::ops::operation::Operation {
            name: stringify!($name),
            operands: $operands,
            elements: $elements,
            topic: $topic,
            numpy: $crate::ops::operation::name($numpy),
            pytorch: $crate::ops::operation::name($pytorch),
            stablehlo: $crate::ops::operation::name($stablehlo),
        },)*)*];
    };
}

pub(super) use operation_rows;
