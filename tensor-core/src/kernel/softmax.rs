//! `e^x / Σ e^x` and its logarithm, computed from `x - max x` so that nothing overflows.

use core::any::TypeId;

use super::columns::{Rows, reduce_columns, scratch_rows};
use super::lanes::{All, Known, Reduction, reduce_slice};
use super::reduce::WIDTH;
use super::reductions::{Elements, Exponentials, Maximum, Sum, exp, ln};
use crate::element::{Float, Number};

/// Whether the exponentials can take the place of the elements without being rounded.
fn in_place<T: Float>() -> bool {
    TypeId::of::<T>() == TypeId::of::<T::Sum>()
}

/// Replaces the elements of every column of `[n, inner]` by their softmax.
pub(crate) fn softmax<T: Float>(block: &mut [T], inner: usize) {
    if inner == 1 {
        let largest = reduce_slice(Maximum, block, All(()));
        let sum = if in_place::<T>() {
            to_exponentials(block, All(largest));
            reduce_slice(Sum(Elements), block, All(()))
        } else {
            reduce_slice(Sum(Exponentials), block, All(largest))
        };
        divide(block, All(largest), All(sum));
        return;
    }
    for_columns(block, inner, |block, columns| {
        let largest = columns.reduce(Maximum, block, All(()));
        let sums = if in_place::<T>() {
            columns.for_each_row(block, |row| to_exponentials(row, &largest[..]));
            columns.reduce(Sum(Elements), block, All(()))
        } else {
            columns.reduce(Sum(Exponentials), block, &largest[..])
        };
        columns.for_each_row(block, |row| divide(row, &largest[..], &sums[..]));
    });
}

/// Replaces the elements of every column of `[n, inner]` by the logarithm of their softmax.
pub(crate) fn log_softmax<T: Float>(block: &mut [T], inner: usize) {
    if inner == 1 {
        let largest = reduce_slice(Maximum, block, All(()));
        let sum = reduce_slice(Sum(Exponentials), block, All(largest));
        subtract(block, All(largest), All(ln::<T>(sum)));
        return;
    }
    for_columns(block, inner, |block, columns| {
        let largest = columns.reduce(Maximum, block, All(()));
        let mut sums = columns.reduce(Sum(Exponentials), block, &largest[..]);
        sums.iter_mut().for_each(|sum| *sum = ln::<T>(*sum));
        columns.for_each_row(block, |row| subtract(row, &largest[..], &sums[..]));
    });
}

/// `x = e^(x - largest)`
fn to_exponentials<T: Float>(row: &mut [T], largest: impl Known<T>) {
    for (column, element) in row.iter_mut().enumerate() {
        *element = element.sub(largest.one(column)).exp();
    }
}

/// `x = e^(x - largest) / sum`, where the exponentials may have taken the place of the elements.
fn divide<T: Float>(row: &mut [T], largest: impl Known<T>, sum: impl Known<T::Sum>) {
    for (column, element) in row.iter_mut().enumerate() {
        let exponential = if in_place::<T>() {
            element.widen()
        } else {
            exp::<T>(element.widen().sub(largest.one(column).widen()))
        };
        *element = T::narrow(exponential.div(sum.one(column)));
    }
}

/// `x = (x - largest) - logarithm`
fn subtract<T: Float>(row: &mut [T], largest: impl Known<T>, logarithm: impl Known<T::Sum>) {
    for (column, element) in row.iter_mut().enumerate() {
        let below = element.widen().sub(largest.one(column).widen());
        *element = T::narrow(below.sub(logarithm.one(column)));
    }
}

/// Some columns of a block.
#[derive(Clone, Copy)]
struct Columns {
    first: usize,
    width: usize,
    /// How many columns the whole block has.
    inner: usize,
}

fn for_columns<T>(block: &mut [T], inner: usize, f: impl Fn(&mut [T], Columns)) {
    for first in (0..inner).step_by(WIDTH) {
        f(block, Columns { first, width: WIDTH.min(inner - first), inner });
    }
}

impl Columns {
    fn reduce<T: Copy, R: Reduction<T>>(
        self,
        reduction: R,
        block: &[T],
        about: impl Known<R::About>,
    ) -> Vec<R::Partial> {
        let count = block.len() / self.inner;
        let rows = Rows {
            elements: block,
            start: self.first as isize,
            stride: self.inner as isize,
            count,
        };
        let memory = self.width * (1 + scratch_rows::<T, R>(count));
        let mut partials = vec![reduction.start(block[0]); memory];
        let (results, scratch) = partials.split_at_mut(self.width);
        reduce_columns(reduction, rows, about, results, scratch);
        partials.truncate(self.width);
        partials
    }

    fn for_each_row<T>(self, block: &mut [T], mut f: impl FnMut(&mut [T])) {
        for row in block.chunks_exact_mut(self.inner) {
            f(&mut row[self.first..][..self.width]);
        }
    }
}
