//! Tracing: operations on arrays without elements, which become the steps of a program.
//!
//! A traced array has a node in its layout, as an array that is tracked for gradients, and the node has a
//! [`Step`], which computes the elements when the program runs. An operation with a traced operand becomes a
//! step. An operation that cannot be traced panics when it reads elements, see
//! [`refuse_traced`](tensor_kernels::layout::refuse_traced): a traced array has none. Its storage is empty, or has zeros where
//! tiny results are stored inline.
//!
//! A step belongs to a [`Scope`], one call of `trace`. Arrays of an outer trace are constants of an inner one; those of
//! any other trace are refused.

pub mod loops;
mod op;
pub mod program;
mod recording;
mod scope;
pub mod stablehlo;
mod value;

pub(crate) use op::{Call, LoweredStep, Op, Primitive, count, primitive};
pub use recording::{checked_step, is_any_traced, with_rule};
pub(crate) use recording::{in_one_scope, part_of, step, step_of, step_of_arrays, try_step};
use recording::{results_of, within};
pub use scope::{Scope, innermost_body, is_tracing};

use core::cell::Cell;
use std::sync::Arc;

use smallvec::SmallVec;
use tensor_kernels::element::Element;

use crate::array::dynamic::DynTensor;
use crate::array::history::{AnyArray, ElementType};

/// Computes the result of a step from its operands. Fails if an index among their elements is out of range.
pub(crate) type StepFn = Arc<dyn Fn(&[AnyArray]) -> Result<AnyArray, StepError> + Send + Sync>;

/// Why a step has no result.
pub(crate) struct StepError(pub(crate) String);

impl<E: core::error::Error> From<E> for StepError {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}

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
    /// The trace that it belongs to.
    pub(crate) scope: Arc<Scope>,
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
    /// The number of backward passes of programs that this thread is in.
    static GRADIENTS: Cell<usize> = const { Cell::new(0) };
}

/// Calls a function whose steps are those of a backward pass.
pub(crate) fn in_backward_pass<R>(function: impl FnOnce() -> R) -> R {
    struct Leave;
    impl Drop for Leave {
        fn drop(&mut self) {
            GRADIENTS.set(GRADIENTS.get() - 1);
        }
    }
    GRADIENTS.set(GRADIENTS.get() + 1);
    let _leave = Leave;
    function()
}

fn is_in_backward_pass() -> bool {
    GRADIENTS.get() > 0
}
