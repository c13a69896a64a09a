//! Operations, each in one place: a row of a table, or a file.
//!
//! Element-wise functions and reductions are rows, from which everything about them is generated. Any other operation is a
//! file, such as `take.rs`, which has
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
//!
//! # Rows
//!
//! A row has the name of an operation, its zero-sized type, its documentation with an example, the type of its results, what
//! an element costs, which element types share a kernel, the names that NumPy, PyTorch and StableHLO have for it, what it does
//! with one element, and its gradient. Rows are grouped by the bound on their element type, whose table is `elements.rs`. Each
//! group is a macro that passes its rows to another macro, so that each layer generates its part from the same rows:
//!
//! | layer | what it makes of a row |
//! | --- | --- |
//! | `ops` | the zero-sized type, the constant for its [`Kernel`], the entry in the list of all operations |
//! | `element` | what it does with one element |
//! | `array` | its inner loops, compiled once for each element type; the methods of `DynTensor`; its gradient |
//! | `tensor` | the methods of `Tensor` |
//! | `fuse` | the method of an element within `fuse!` |
//!
//! The list in the documentation, `tensor-core/guide/operations.md`, and the methods that `fuse!` knows,
//! `tensor-macros/src/check/methods.rs`, are generated from it as well. A row of `unary.rs`:
//!
//! <!-- tests/recipes.rs: tensor-array/src/ops/unary.rs -->
//! ```text
//! method exp: Exp -> T {
//!     costly own "exp" "exp" { exponential(x) }
//!     |isa, x| x.exp_isa(isa)
//! } [RESULT |g, y| g.times(y)];
//! ```
//!
//! | part | what it is |
//! | --- | --- |
//! | `method exp: Exp -> T` | the method, the type of the operation, the element type of its results |
//! | `costly own` | its cost, and which element types share its loops |
//! | `"exp" "exp"` | the names in NumPy and PyTorch |
//! | `{ exponential(x) }` | the operation in terms of StableHLO: see `array/trace/stablehlo/expression.rs` |
//! | `|isa, x| x.exp_isa(isa)` | the function of one element |
//! | `[RESULT |g, y| g.times(y)]` | the gradient of the operand, from that of the result, `g`, and from the result, `y` |
//!
//! The cost is `cheap` (a few instructions, in vectors), `costly` (tens of them) or `scalar` (no vectors). It
//! determines the number of elements in a vector, the instruction sets, and whether short rows are packed into long
//! ones. `wraps` means that signed and unsigned integers have the same bits, `own` that each type has separate loops,
//! and `divides` in addition that integers panic if the second operand is 0, which `array/kernel/division.rs` finds
//! before the loops run.

mod axis_params;
mod binary;
pub(crate) mod elements;
mod gradients;
mod indexing;
mod instruction_sets;
mod kernel;
pub(crate) mod operation;
mod normalization;
mod padding;
mod positions;
mod prelude;
pub(crate) mod products;
pub(crate) mod reductions;
pub(crate) mod row;
mod static_calls;
mod ternary;
mod unary;
pub(crate) mod windows;

// The files of operations. rustdoc shows their methods in this order.
pub(crate) mod powi;

pub(crate) mod clamp;

pub(crate) mod select;

pub(crate) mod cast;

mod contractions;
pub mod matmul;

mod assign_slice;
mod slicing;

mod join;

mod pad;
mod roll;

mod repeat;
mod triangle;

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

pub use axis_params::AxisParams;
pub use binary::*;
pub(crate) use gradients::gradient_binary;
pub use gradients::*;
pub(crate) use indexing::{Along, Combine, Groups};
pub use indexing::{
    ElementIndexing, FloatIndexing, IntegerIndexing, NumberIndexing, QuantileMethod,
};
#[cfg(target_arch = "x86_64")]
pub(crate) use instruction_sets::InstructionSet;
pub(crate) use instruction_sets::IsaFns;
#[doc(hidden)]
pub use instruction_sets::without_avx512;
pub use kernel::{BinaryKernel, TernaryKernel, UnaryKernel};
pub use kernel::{Block, Kernel, Params, Recording};
pub(crate) use kernel::{
    BlockOperand, CallPolicy, ContiguousLoop, ContiguousLoops, InnerLoop, MultiplyAddPart,
};
pub use operation::Operation;
pub use padding::Padding;
pub use row::{HasRow, Row, RowGroup};
pub(crate) use static_calls::for_each_static_call;
pub use static_calls::{ElementwiseCall, ProductCall, RawResults};
pub use static_calls::{StaticCalls, StaticProducts};
pub use ternary::*;
pub use unary::*;

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
