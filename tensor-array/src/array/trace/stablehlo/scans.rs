//! Cumulative operations by 2, 4, 8 … elements at a time, each step of which is a row of the table.

use tensor_kernels::ops::{GradientProduct, LogAddExp};

use super::builder::{Builder, Tensor, computed};
use super::expression::{Context, HasLowering, elementwise};

/// `ln Σ e^x` of the elements up to each one along the axis.
pub(super) fn logcumsumexp(context: &mut Context<'_>, x: &Tensor) -> Tensor {
    let (axis, sizes, mut sums) = (context.axes[0], &x.sizes, x.clone());
    let (builder, mut distance) = (&mut *context.builder, 1);
    while distance < sizes[axis] {
        let before = builder.shifted(&sums, axis, distance as isize, f64::NEG_INFINITY);
        sums = elementwise(builder, LogAddExp::LOWERING, &[sums, before], sizes, x.element);
        distance *= 2;
    }
    sums
}

/// `t_i = terms_i + factors_i t_{i+1}` along an axis, from its end, by sums over 2, 4, 8 … elements: a recurrence over
/// some elements is `terms + factors t` again, of the element after them.
pub(crate) fn recurrence(
    builder: &mut Builder,
    terms: &Tensor,
    factors: &Tensor,
    axis: usize,
) -> Tensor {
    let (element, sizes) = (computed(terms.element), &terms.sizes[..]);
    let product = |builder: &mut Builder, a: &Tensor, b: Tensor| {
        elementwise(builder, GradientProduct::LOWERING, &[a.clone(), b], sizes, element)
    };
    let mut sums = builder.convert(terms, element);
    let factors = builder.convert(factors, element);
    let (mut after, zero) = (vec![[0, 0]; sizes.len()], builder.number(0.0, &[], element));
    after[axis][1] = isize::from(sizes[axis] > 0);
    let mut factors = builder.pad(&factors, &zero, &after, sizes);
    let mut distance = 1;
    while distance < sizes[axis] {
        let by = -(distance as isize);
        let next = builder.shifted(&sums, axis, by, 0.0);
        let next = product(builder, &factors, next);
        sums = builder.binary("add", &sums, &next);
        let next = builder.shifted(&factors, axis, by, 0.0);
        factors = product(builder, &factors, next);
        distance *= 2;
    }
    builder.convert(&sums, terms.element)
}
