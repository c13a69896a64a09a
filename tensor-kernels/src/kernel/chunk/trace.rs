//! Traces of expressions: the operations of an expression, found by running it on symbols.
//!
//! A tracked `fuse!` is computed in one pass, like every other one. In addition its expression is run once
//! on symbols: operations then compute nothing and record their kernels. So no code for gradients is
//! compiled where an expression is written.

use core::cell::RefCell;

use smallvec::SmallVec;

use super::{CURRENT, Expression, LEAF_BITS, NEXT, RawChunk, RestoreChunk, TRACED};
use crate::arrays;
use crate::ops::Kernel;

/// The operations of an expression on its operands, step by step.
#[derive(Clone, Debug)]
pub struct Trace {
    pub steps: Vec<ExpressionStep>,
    pub result: Slot,
}

/// One operation.
#[derive(Clone, Debug)]
pub struct ExpressionStep {
    pub operation: ExpressionOp,
    pub operands: SmallVec<[Slot; 3]>,
}

/// An operand of a step.
#[derive(Clone, Copy, Debug)]
pub enum Slot {
    /// The bits of a constant.
    Number(u64),
    /// The number of an operand of the expression, or of a step, counted after the operands.
    Value(usize),
}

/// The operation of a step.
#[derive(Clone, Copy, Debug)]
pub enum ExpressionOp {
    Unary(&'static Kernel<1>),
    /// An integer power.
    Powi(&'static Kernel<1>, i32),
    Binary(&'static Kernel<2>),
    Ternary(&'static Kernel<3>),
    /// The maximum with a lower limit, then the minimum with an upper one.
    Clamp(&'static Kernel<2>, &'static Kernel<2>),
}

thread_local! {
    /// The steps of the expression that this thread traces, and the number of its operands.
    static STEPS: RefCell<(usize, Vec<ExpressionStep>)> = const { RefCell::new((0, Vec::new())) };
}

/// Whether the current chunk consists of symbols, and one of the operands belongs to it.
pub(super) fn is_tracing(operands: &[&RawChunk]) -> bool {
    CURRENT.get().0 & TRACED != 0 && operands.iter().any(|operand| !operand.is_splat())
}

/// Records an operation on symbols; returns the symbol of its result.
///
/// # Panics
///
/// If a symbol is of another expression.
#[cold]
#[inline(never)]
pub(super) fn note(operation: ExpressionOp, operands: &[&RawChunk]) -> RawChunk {
    let slots = operands.iter().map(|operand| operand.slot()).collect();
    STEPS.with_borrow_mut(|(leaves, steps)| {
        steps.push(ExpressionStep { operation, operands: slots });
        symbol(CURRENT.get().0, *leaves + steps.len() - 1)
    })
}

/// The symbol for a value of a trace.
fn symbol(chunk: u64, value: usize) -> RawChunk {
    RawChunk { tag: chunk << LEAF_BITS, ..RawChunk::splat(value as u64) }
}

impl RawChunk {
    /// The value of a symbol, or the bits of a splat.
    fn slot(&self) -> Slot {
        // SAFETY: all bits of the word are initialised: they are written as zeros first.
        let word = unsafe { self.word.assume_init() };
        if self.is_splat() {
            return Slot::Number(word);
        }
        super::assert_current(self.tag >> LEAF_BITS);
        Slot::Value(word as usize)
    }
}

/// The trace of an expression.
pub(super) fn trace<const N: usize>(expression: &Expression<'_, N>) -> Trace {
    let chunk = NEXT.get();
    NEXT.set(chunk + 1);
    let chunk = chunk | TRACED;
    let _restore = RestoreChunk(CURRENT.replace((chunk, core::ptr::null())));
    let outer = STEPS.replace((N, Vec::new()));
    let result = expression(arrays::from_fn(|leaf| symbol(chunk, leaf))).slot();
    let (_, steps) = STEPS.replace(outer);
    Trace { steps, result }
}
