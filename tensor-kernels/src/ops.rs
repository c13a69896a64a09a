//! The table of operations, and the traits that lead from an element type to its kernels.
//!
//! Element-wise functions and reductions are rows, from which everything about them is generated. Any other operation is a
//! file of `tensor-array/src/ops/`.
//!
//! # Rows
//!
//! A row has the name of an operation, its zero-sized type, its documentation with an example, the type of its results, what
//! an element costs, which element types share a kernel, the names that NumPy, PyTorch and StableHLO have for it,
//! and what it does with one element. Rows are grouped by the bound on their element type, whose table is `elements.rs`. Each
//! group is a macro that passes its rows to another macro, so that each layer generates its part from the same rows:
//!
//! | layer | what it makes of a row |
//! | --- | --- |
//! | `ops` | the zero-sized type, the constant for its [`Kernel`], the entry in the list of all operations |
//! | `element` | what it does with one element |
//! | `kernel` | its inner loops, compiled once for each element type |
//! | `tensor-array` | the methods of `DynTensor`, and its StableHLO; its gradient is in `gradients/elementwise.rs` there |
//! | `tensor` | the methods of `Tensor` |
//! | `fuse` | the method of an element within `fuse!` |
//!
//! The list in the documentation, `tensor-core/guide/operations.md`, and the methods that `fuse!` knows,
//! `tensor-macros/src/check/methods.rs`, are generated from it as well. A row of `unary.rs`:
//!
//! <!-- tests/recipes.rs: tensor-kernels/src/ops/unary.rs -->
//! ```text
//! method exp: Exp -> T {
//!     costly own "exp" "exp" { exponential(x) }
//!     |isa, x| x.exp_isa(isa)
//! }
//! ```
//!
//! | part | what it is |
//! | --- | --- |
//! | `method exp: Exp -> T` | the method, the type of the operation, the element type of its results |
//! | `costly own` | its cost, and which element types share its loops |
//! | `"exp" "exp"` | the names in NumPy and PyTorch |
//! | `{ exponential(x) }` | the operation in terms of StableHLO: see `tensor-array/src/array/trace/stablehlo/expression.rs` |
//! | `|isa, x| x.exp_isa(isa)` | the function of one element |
//!
//! The cost is `cheap` (a few instructions, in vectors), `costly` (tens of them) or `scalar` (no vectors). It
//! determines the number of elements in a vector, the instruction sets, and whether short rows are packed into long
//! ones. `wraps` means that signed and unsigned integers have the same bits, `own` that each type has separate loops,
//! and `divides` in addition that integers panic if the second operand is 0, which `kernel/division.rs` finds
//! before the loops run.

mod axis_params;
mod binary;
pub mod elements;
mod gradients;
mod indexing;
mod instruction_sets;
mod kernel;
mod padding;
pub mod products;
pub mod reductions;
mod row;
mod static_calls;
mod ternary;
mod unary;
pub mod windows;

pub use axis_params::AxisParams;
pub use binary::*;
pub use gradients::*;
pub use indexing::{Along, Combine, Groups, QuantileMethod};
pub use instruction_sets::without_avx512;
pub(crate) use instruction_sets::{BASELINE_IS_RARE, InstructionSet, IsaFns};
pub use kernel::{BinaryKernel, TernaryKernel, UnaryKernel};
pub use kernel::{Block, Kernel, Params, Recording};
pub(crate) use kernel::{
    BlockOperand, CallPolicy, ContiguousLoop, ContiguousLoops, InnerLoop, MultiplyAddPart,
};
pub use padding::Padding;
pub use row::{HasRow, Row, RowGroup};
pub use static_calls::{ElementwiseCall, ProductCall, RawResults};
pub use ternary::*;
pub use unary::*;
