//! Batched matrix products: products over leading axes.
//!
//! All axes of the left side but the last are rows, of a batch of matrices or of one matrix. They
//! become loops of the [plan](crate::plan), where the right side moves along the batch and is
//! broadcast along the rows of one matrix. So the plan itself collapses a batch of matrices that are all
//! multiplied with the same matrix, as in `[batch, m, k] × [k, n]`, to one product with `batch * m` rows,
//! and no broadcast operand is copied.

use core::mem::MaybeUninit;

use super::matrix::Matrix;
use super::{GemmElement, cost_in_bytes, gemm_dispatch};
use crate::kernel::parallel::{for_each_loop_part_weighted, is_parallel};
use crate::layout::{ErasedView, Strides};
use crate::plan::{Loop, Loops, broadcast_strides};

/// One side of a batched product, with strides in elements.
struct BatchedOperand<'a, A> {
    elements: &'a [A],
    offset: usize,
    /// The strides along the axes of the rows of the result; 0 where this side is broadcast.
    rows: Strides,
    /// The strides along the axis that is summed over, and along the columns.
    matrix: [isize; 2],
}

/// [`matmul_erased`](super::matmul_erased) over leading axes, for results that are not empty and sums
/// of at least one element.
pub(super) fn matmul_batched<A: GemmElement>(
    result: &[usize],
    left: ErasedView<'_, A>,
    right: ErasedView<'_, A>,
    results: &mut [MaybeUninit<A>],
) {
    let last = left.sizes.len() - 1;
    let (rows, columns) = match right.sizes.len() {
        1 => (result, 1),
        _ => (&result[..result.len() - 1], result[result.len() - 1]),
    };
    let rank = rows.len();
    // If the left side has rows, the last of them is not a leading axis of the right side.
    let batch_rank = rank - usize::from(last > 0 && right.sizes.len() > 1);
    let batch = right.sizes.len().saturating_sub(2);
    let (left_strides, right_strides) = (left.strides(), right.strides());
    let mut right_rows =
        broadcast_strides(&right.sizes[..batch], &right_strides[..batch], batch_rank);
    right_rows.resize(rank, 0);
    let matrix = match right_strides[..] {
        [.., inner, column] => [inner, column],
        _ => [right_strides[0], 0],
    };
    let kn = [left.sizes[last], columns];
    let left = BatchedOperand {
        elements: left.elements(),
        offset: left.offset(),
        rows: broadcast_strides(&left.sizes[..last], &left_strides[..last], rank),
        matrix: [left_strides[last], 0],
    };
    let right = BatchedOperand {
        elements: right.elements(),
        offset: right.offset(),
        rows: right_rows,
        matrix,
    };
    products(rows, kn, &left, &right, results);
}

/// Writes all of `results`, `[..rows, columns]` in row-major order:
/// `result[r, j] = Σ left[r, l] right[r, l, j]` over the `k` inner steps.
fn products<A: GemmElement>(
    rows: &[usize],
    [k, n]: [usize; 2],
    left: &BatchedOperand<'_, A>,
    right: &BatchedOperand<'_, A>,
    results: &mut [MaybeUninit<A>],
) {
    let loops = Loops::from_strides(rows, [&left.rows, &right.rows], [left.offset, right.offset]);
    let mut nest = loops.nest();
    // The rows of one matrix; without them every product has one row.
    let of_matrix = nest.loops.first().copied().filter(|row| row.strides[1] == 0);
    if of_matrix.is_some() {
        nest.loops.remove(0);
    }
    let row = of_matrix.unwrap_or(Loop::ONCE);
    let mkn = [row.size, k, n];
    // The hardware prefetches small operands itself.
    let prefetches = k.saturating_mul(n.max(row.size)) >= 4096;
    let work = |loops: &Loops<'_, 2>, mut results: &mut [MaybeUninit<A>]| {
        let [outer, inner] = loops.block();
        loops.for_each_block(|start| {
            for step in 0..outer.size {
                let start = outer.advance(step, start);
                for product in 0..inner.size {
                    let operands = |product| {
                        let [a, b] = inner.advance(product, start);
                        let left = Matrix {
                            elements: left.elements,
                            start: a,
                            row: row.strides[0],
                            column: left.matrix[0],
                        };
                        let right = Matrix {
                            elements: right.elements,
                            start: b,
                            row: right.matrix[0],
                            column: right.matrix[1],
                        };
                        [left, right]
                    };
                    let next =
                        (prefetches && product + 1 < inner.size).then(|| operands(product + 1));
                    let [left, right] = operands(product);
                    let here = results.split_off_mut(..row.size * n).expect("one slot per result");
                    gemm_dispatch(mkn, left, right, next, here);
                }
            }
        });
        assert!(results.is_empty(), "the products cover the results");
    };
    let products = Loops::from_nest(&nest);
    // Each large product is parallelised by itself; small ones are shared among threads.
    let of_one = cost_in_bytes(mkn);
    let of_all = if is_parallel(of_one) { 0 } else { of_one.saturating_mul(products.len()) };
    for_each_loop_part_weighted(&products, results, of_all, &work);
}
