//! Products of matrices over leading axes.
//!
//! The axes of the left side but the last one are rows, whether a batch of matrices or one matrix
//! has them. They become loops in the [plan](crate::array::plan), where the right side moves along the
//! batch and stands still along the rows of one matrix. So the plan itself joins a batch of
//! matrices that meet one and the same matrix, as in `[batch, m, k] × [k, n]`, to one product with
//! `batch * m` rows, and nothing that broadcasts is copied.

use core::any::TypeId;
use core::mem::MaybeUninit;

use super::parallel::{for_each_part_of_by_bytes, is_shared};
use super::product::{Matrix, as_bytes, one_product};
use crate::array::layout::Strides;
use crate::array::plan::{Loop, Loops};
use crate::element::Number;

/// One side of a product, with its strides in elements.
#[derive(Clone)]
pub(crate) struct Factor<'a, T> {
    pub elements: &'a [T],
    pub offset: usize,
    /// Along the axes of the rows of the result; 0 where this side broadcasts.
    pub rows: Strides,
    /// Along the axis that is summed over.
    pub inner: isize,
}

/// Whether sums of a type are kept in the type itself, as all but those of 16-bit floats are.
pub(crate) fn is_own_sum<T: Number>() -> bool {
    TypeId::of::<T::Sum>() == TypeId::of::<T>()
}

/// Writes all of `results`, `[..rows, columns]` in row-major order:
/// `result[r, j] = Σ left[r, i] right[r, i, j]` over the `inner` elements `i`.
///
/// # Panics
///
/// When a stride leads out of the elements, or `results` has another length.
pub(crate) fn multiply<T: Number>(
    rows: &[usize],
    inner: usize,
    columns: usize,
    left: &Factor<'_, T>,
    right: &Factor<'_, T>,
    right_column: isize,
    results: &mut [MaybeUninit<T>],
) {
    if is_own_sum::<T>() {
        return multiply_in_type(rows, inner, columns, left, right, right_column, results);
    }
    let left_steps = steps(rows, &left.rows).chain([(inner, left.inner)]);
    let right_steps =
        steps(rows, &right.rows).chain([(inner, right.inner), (columns, right_column)]);
    let (left_elements, left_offset) = widened(left, left_steps);
    let (right_elements, right_offset) = widened(right, right_steps);
    let mut sums = Vec::with_capacity(results.len());
    multiply_in_type(
        rows,
        inner,
        columns,
        &Factor { elements: &left_elements, offset: left_offset, ..left.other_type() },
        &Factor { elements: &right_elements, offset: right_offset, ..right.other_type() },
        right_column,
        &mut sums.spare_capacity_mut()[..results.len()],
    );
    // SAFETY: all of them were written above.
    unsafe { sums.set_len(results.len()) };
    for (result, &sum) in results.iter_mut().zip(&sums) {
        result.write(T::narrow(sum));
    }
}

impl<T> Factor<'_, T> {
    /// The same strides, for elements of another type.
    fn other_type<U>(&self) -> Factor<'static, U> {
        Factor { elements: &[], offset: 0, rows: self.rows.clone(), inner: self.inner }
    }
}

/// The size and the stride of each axis.
fn steps<'a>(
    sizes: &'a [usize],
    strides: &'a [isize],
) -> impl Iterator<Item = (usize, isize)> + 'a {
    sizes.iter().copied().zip(strides.iter().copied())
}

/// The elements that the strides reach, in the type of their sums, and where the first one is.
fn widened<T: Number>(
    factor: &Factor<'_, T>,
    steps: impl Iterator<Item = (usize, isize)>,
) -> (Vec<T::Sum>, usize) {
    let (mut first, mut last) = (factor.offset, factor.offset);
    for (size, stride) in steps {
        let Some(steps) = size.checked_sub(1) else { return (Vec::new(), 0) };
        let reach = steps * stride.unsigned_abs();
        if stride < 0 {
            first -= reach;
        } else {
            last += reach;
        }
    }
    let elements = factor.elements[first..=last].iter().map(|element| element.widen()).collect();
    (elements, factor.offset - first)
}

/// [`multiply`] for the types that are the type of their sums.
fn multiply_in_type<T: Number>(
    rows: &[usize],
    inner: usize,
    columns: usize,
    left: &Factor<'_, T>,
    right: &Factor<'_, T>,
    right_column: isize,
    results: &mut [MaybeUninit<T>],
) {
    if results.is_empty() {
        return;
    }
    let loops = Loops::of_strides(rows, [&left.rows, &right.rows], [left.offset, right.offset]);
    let mut nest = loops.nest();
    // The rows of one matrix; else there are many products that have one row each.
    let of_matrix = nest.loops.first().copied().filter(|row| row.strides[1] == 0);
    if of_matrix.is_some() {
        nest.loops.remove(0);
    }
    let row = of_matrix.unwrap_or(Loop::ONCE);
    // The processor fetches small sides by itself.
    let fetches = inner * columns.max(row.size) >= 4096;
    let work = |loops: &Loops<'_, 2>, mut results: &mut [MaybeUninit<T>]| {
        let [outer, lap] = loops.block();
        loops.for_each_block(|start| {
            for step in 0..outer.size {
                let start = outer.after(step, start);
                for product in 0..lap.size {
                    let sides = |product| {
                        let [of_left, of_right] = lap.after(product, start);
                        let (row, column) = (row.strides[0], left.inner);
                        let left = Matrix { elements: left.elements, start: of_left, row, column };
                        let (row, column) = (right.inner, right_column);
                        let right =
                            Matrix { elements: right.elements, start: of_right, row, column };
                        [left, right]
                    };
                    let next = (fetches && product + 1 < lap.size).then(|| sides(product + 1));
                    let [left, right] = sides(product);
                    let here =
                        results.split_off_mut(..row.size * columns).expect("one slot per result");
                    one_product([row.size, inner, columns], left, right, next, here);
                }
            }
        });
        assert!(results.is_empty(), "the products cover the results");
    };
    let products = Loops::of_nest(&nest);
    // Large products are shared one by one, others together.
    let of_one = as_bytes([row.size, inner, columns]);
    let of_all = if is_shared(of_one) { 0 } else { of_one.saturating_mul(products.len()) };
    for_each_part_of_by_bytes(&products, results, of_all, &work);
}
