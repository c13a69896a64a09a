//! The table of operations: one row for each, from which everything else about it is made.
//!
//! A row has the name of an operation, its zero-sized type, its documentation with an example, the type
//! of its results, what an element costs, which element types share a kernel, the names that NumPy,
//! PyTorch and StableHLO have for it, and what it does with one element. Rows are grouped by what they
//! ask of the element type, which has a table of its own in `elements.rs`, each group a macro that hands its rows to another one, so that each layer
//! makes its part of the same rows:
//!
//! | layer | what it makes of a row |
//! | --- | --- |
//! | `ops` | the zero-sized type, the slot for its [`Kernel`], the entry in the list of all operations |
//! | `element` | what it does with one element |
//! | `array` | its inner loops, compiled once for each element type; the methods of `DynTensor`; its gradient |
//! | `tensor` | the methods of `Tensor` |
//! | `fuse` | the method of an element within `fuse!` |

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
    ElementIndexing, FloatIndexing, IntegerIndexing, Interpolation, NumberIndexing,
};
pub use info::operations;
pub(crate) use instruction_sets::IsaFns;
pub use joining::Padding;
pub use kernel::{BinaryKernel, TernaryKernel, UnaryKernel};
pub use kernel::{Block, Kernel, Params};
pub(crate) use kernel::{
    BlockOperand, CallPolicy, ContiguousLoop, ContiguousLoops, InnerLoop, MultiplyAdd,
};
pub use operation::Operation;
pub use operation::Row;
pub use static_calls::{Results, StaticCall, StaticProduct, Ternary};
pub use static_calls::{StaticCalls, StaticProducts};
pub use ternary::*;
pub use unary::*;
