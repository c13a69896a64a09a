//! Tracing: operations on arrays without elements, which become the steps of a program.
//!
//! A traced array has a node in its layout, as an array that is tracked for gradients, and the node has a
//! [`Step`], which computes the elements when the program runs. An operation with a traced operand becomes a
//! step. An operation that cannot be traced panics when it reads elements, see
//! [`refuse_traced`](crate::array::layout::refuse_traced).

mod op;
pub mod program;
mod recording;
pub mod stablehlo;

pub(crate) use op::{Axes, Op};
pub use recording::{input, is_any_traced, linear_step, matmul_step};
pub(crate) use recording::{reduction_step, row_step, step, step_of_arrays};

use core::cell::Cell;
use std::sync::Arc;
use std::thread::LocalKey;

use smallvec::SmallVec;

use crate::array::dynamic::DynTensor;
use crate::array::history::{AnyArray, ElementType};
use crate::element::Element;

/// Computes the result of a step from its operands.
pub(crate) type StepFn = Arc<dyn Fn(&[AnyArray]) -> AnyArray + Send + Sync>;

/// A step of a program.
pub(crate) struct Step {
    pub(crate) op: Op,
    /// The element type of the result.
    pub(crate) element: &'static ElementType,
    /// The operands that are not traced, at their operand numbers.
    pub(crate) constants: SmallVec<[Option<AnyArray>; 2]>,
    /// Whether it is part of a backward pass.
    pub(crate) is_gradient: bool,
    pub(crate) run: StepFn,
}

/// The operand of a step with this element type.
///
/// # Panics
///
/// If the program was given an array of another type: it compares them before it runs.
pub fn operand<T: Element>(operands: &[AnyArray], position: usize) -> &DynTensor<T> {
    operands[position].get().expect("the program compared the element types")
}

thread_local! {
    /// The number of functions that this thread is tracing.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    /// The number of backward passes of programs that this thread is in.
    static GRADIENTS: Cell<usize> = const { Cell::new(0) };
}

/// Calls a function that is traced.
pub fn tracing<R>(function: impl FnOnce() -> R) -> R {
    counted(&DEPTH, function)
}

/// Calls a function whose steps are those of a backward pass.
pub(crate) fn in_backward_pass<R>(function: impl FnOnce() -> R) -> R {
    counted(&GRADIENTS, function)
}

fn is_in_backward_pass() -> bool {
    GRADIENTS.get() > 0
}

/// Calls a function that a thread is in, once more than before.
fn counted<R>(depth: &'static LocalKey<Cell<usize>>, function: impl FnOnce() -> R) -> R {
    struct Leave(&'static LocalKey<Cell<usize>>);
    impl Drop for Leave {
        fn drop(&mut self) {
            self.0.set(self.0.get() - 1);
        }
    }
    depth.set(depth.get() + 1);
    let _leave = Leave(depth);
    function()
}

/// Whether this thread is calling a function that is traced.
pub fn is_tracing() -> bool {
    DEPTH.get() > 0
}
