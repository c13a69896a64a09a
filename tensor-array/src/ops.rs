//! The table of operations: one row for each, from which everything else about it is generated.
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
#[macro_use]
mod unary;
#[macro_use]
mod binary;
#[macro_use]
mod gradients;
pub(crate) mod elements;
#[macro_use]
mod operation;
mod contractions;
mod indexing;
mod info;
mod instruction_sets;
mod joining;
mod kernel;
pub(crate) mod matmul;
pub(crate) mod reductions;
mod slicing;
mod static_calls;
mod ternary;
pub(crate) mod windows;

pub use axis_params::AxisParams;
pub use binary::*;
pub use gradients::*;
pub(crate) use indexing::{Along, Combine, Groups};
pub use indexing::{
    ElementIndexing, FloatIndexing, IntegerIndexing, NumberIndexing, QuantileMethod,
};
pub use info::operations;
#[cfg(target_arch = "x86_64")]
pub(crate) use instruction_sets::InstructionSet;
pub(crate) use instruction_sets::IsaFns;
#[doc(hidden)]
pub use instruction_sets::without_avx512;
pub use joining::Padding;
pub use kernel::{BinaryKernel, TernaryKernel, UnaryKernel};
pub use kernel::{Block, Kernel, Params};
pub(crate) use kernel::{
    BlockOperand, CallPolicy, ContiguousLoop, ContiguousLoops, InnerLoop, MultiplyAddPart,
};
pub use operation::Operation;
pub use operation::Row;
pub(crate) use static_calls::for_each_static_call;
pub use static_calls::{ElementwiseCall, ProductCall, RawResults};
pub use static_calls::{StaticCalls, StaticProducts};
pub use ternary::*;
pub use unary::*;
