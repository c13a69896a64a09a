//! Whole-block execution: kernels on whole rows, and expressions that are a single kernel.

use core::ptr::null;

use super::{CHUNK, ExpressionOp, ExpressionStep, Slot, Trace};
use crate::ops::{Block, BlockOperand, Kernel, MultiplyAddPart, Params};

/// The minimum number of elements for which it pays to test whether an expression is a single kernel.
pub(super) const WHOLE: usize = 4 * CHUNK;

/// Runs an expression that is a single kernel, an operation or `a * b + c`, on a whole block, of these sizes; returns
/// whether it is one. Compiled once for any number of operands.
///
/// # Safety
///
/// As [`InnerLoop`](crate::ops::InnerLoop) requires, for the operands and results of the expression.
pub(super) unsafe fn run_whole(
    trace: &Trace,
    out: *mut u8,
    sizes: [usize; 3],
    of_block: &[BlockOperand],
) -> bool {
    let count = of_block.len();
    if !matches!(trace.result, Slot::Value(value) if value + 1 == count + trace.steps.len()) {
        return false;
    }
    let block = (out, sizes, of_block);
    // SAFETY: as the caller promises, for the operands that the step reads.
    unsafe {
        match trace.steps.as_slice() {
            [ExpressionStep { operation, operands }] => match *operation {
                ExpressionOp::Unary(kernel) => run_on_block(kernel, operands, block),
                ExpressionOp::Binary(kernel) => run_on_block(kernel, operands, block),
                ExpressionOp::Ternary(kernel) => run_on_block(kernel, operands, block),
                ExpressionOp::Powi(..) | ExpressionOp::Clamp(..) => false,
            },
            [
                ExpressionStep { operation: ExpressionOp::Binary(product), operands: factors },
                ExpressionStep { operation: ExpressionOp::Binary(sum), operands: terms },
            ] => {
                let is_product =
                    |slot: &Slot| matches!(slot, Slot::Value(value) if *value == count);
                let (Some(MultiplyAddPart::Product), Some(MultiplyAddPart::Sum(multiply_add))) =
                    (product.multiply_add, sum.multiply_add)
                else {
                    return false;
                };
                let other = match (is_product(&terms[0]), is_product(&terms[1])) {
                    (true, false) => terms[1],
                    (false, true) => terms[0],
                    _ => return false,
                };
                run_on_block(multiply_add, &[factors[0], factors[1], other], block)
            }
            _ => false,
        }
    }
}

/// Runs a kernel on these operands of a block; `false` if they are not operands, or the kernel needs checks.
///
/// # Safety
///
/// As [`InnerLoop`](crate::ops::InnerLoop) requires, for these operands.
unsafe fn run_on_block<const M: usize>(
    kernel: &Kernel<M>,
    slots: &[Slot],
    (out, sizes, of_block): (*mut u8, [usize; 3], &[BlockOperand]),
) -> bool {
    if kernel.divides.is_some() {
        // With checks, a panic must be located at the line of the expression.
        return false;
    }
    let [planes, rows, columns] = sizes;
    let mut whole = Block::new(out, sizes);
    let mut is_contiguous = true;
    for (operand, slot) in whole.operands.iter_mut().zip(slots) {
        let Slot::Value(value) = *slot else { return false };
        let Some(of_block) = of_block.get(value) else { return false };
        *operand = *of_block;
        is_contiguous &= !operand.is_splat
            && (rows == 1 || operand.strides[0] == columns)
            && (planes == 1 || operand.strides[1] == rows * columns);
    }
    if is_contiguous {
        whole.sizes = [1, 1, planes * rows * columns];
    }
    // SAFETY: as the caller promises.
    unsafe { run_rows(kernel, null(), &whole) };
    true
}

/// Runs a kernel on a block: by its loop over contiguous operands, if it has one and no operand is a splat,
/// because that loop keeps two vectors in flight from memory at a time.
///
/// # Safety
///
/// As [`InnerLoop`](crate::ops::InnerLoop) requires.
pub(super) unsafe fn run_rows<const N: usize>(
    kernel: &Kernel<N>,
    params: Params,
    block: &Block<N>,
) {
    let [planes, rows, columns] = block.sizes;
    let contiguous = kernel.contiguous().filter(|(_, contiguous)| {
        columns >= contiguous.vector && block.operands.iter().all(|operand| !operand.is_splat)
    });
    let Some((run, _)) = contiguous else {
        // SAFETY: as the caller promises.
        return unsafe { kernel.inner()(kernel, params, block) };
    };
    for (plane, row) in (0..planes).flat_map(|plane| (0..rows).map(move |row| (plane, row))) {
        let first = |k: usize| {
            block.operands.get(k).map_or(null(), |operand| {
                let index = plane * operand.strides[1] + row * operand.strides[0];
                operand.first.wrapping_add(index * kernel.operand_bytes[k])
            })
        };
        let out = block.out.wrapping_add((plane * rows + row) * columns * kernel.result_bytes);
        // SAFETY: the operands have the row, and `out` has room for its results, as the caller promises.
        unsafe { run(out, columns, first(0), first(1), first(2), 0) }
    }
}
