//! Linear recurrences along an axis, which the gradients of cumulative operations consist of.

use smallvec::smallvec;
use tensor_kernels::element::Float;
use tensor_kernels::element::operation::BinaryOp;
use tensor_kernels::element::{Isa, Number};
use tensor_kernels::ops::GradientProduct;
use tensor_kernels::storage::Storage;

use super::operations::fits;
use super::rule::{At, GradientRule, GradientsOf};
use crate::array::apply::{apply, evaluate};
use crate::array::dynamic::DynTensor;
use crate::array::history::Saves;
use crate::array::trace::stablehlo::scans;
use crate::array::trace::{count, primitive};

/// `t_i = terms_i + factors_i t_{i+1}` along an axis, from its end; the operands are the terms and the factors.
#[derive(Clone, Debug)]
struct Recurrence {
    axis: usize,
}

primitive!(Recurrence, |_| "recurrence", |_, operands, _| count(operands[0]), |recurrence, to| {
    scans::recurrence(to.builder, &to.x[0], &to.x[1], recurrence.axis)
});

/// `t_i = terms_i + factors_i t_{i+1}` along an axis, from its end: `[..a, n, ..b], [..a, n - 1, ..b] →
/// [..a, n, ..b]`.
pub(super) fn recurrence<T: Float>(
    terms: &DynTensor<T>,
    factors: &DynTensor<T>,
    axis: usize,
) -> DynTensor<T> {
    apply::<(T, T), _>(Recurrence { axis }, (terms, factors), terms.sizes.clone())
}

evaluate!(
    Recurrence => (terms: T, factors: T) -> T where T: Float,
    |recurrence, sizes| {
        let size = sizes[recurrence.axis];
        let inner: usize = sizes[recurrence.axis + 1..].iter().product();
        let factors_of_rows = factors.contiguous();
        let factors_of_rows = factors_of_rows.as_slice().expect("it was made contiguous");
        let mut results = terms.to_vec();
        let len = (size * inner).max(1);
        let factor_len = (size.saturating_sub(1) * inner).max(1);
        let rows = factors_of_rows.chunks_exact(factor_len);
        for (results, factors) in results.chunks_exact_mut(len).zip(rows) {
            for position in (0..factors.len()).rev() {
                let (factor, next) = (factors[position], results[position + inner]);
                let product = <GradientProduct as BinaryOp<T>>::apply(Isa::BASELINE, factor, next);
                results[position] = Number::add(results[position], product);
            }
        }
        Storage::from_vec(results)
    },
    |recurrence| recurrence.clone(),
);

/// With `s_i = h_i + factors_{i-1} s_{i-1}` from the start, of the gradient `h`: `s` for the terms and
/// `s_i t_{i+1}` for the factors.
impl GradientRule for Recurrence {
    const SAVES: Saves = Saves::BOTH;

    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> GradientsOf<T> {
        let axis = self.axis as isize;
        let turned = |value: &DynTensor<T>| fits(value.flip(&[axis]));
        let sums = turned(&recurrence(&turned(gradient), &turned(&at.operand(1)), self.axis));
        let size = at.sizes(0)[self.axis];
        let part = |value: &DynTensor<T>, range| fits(value.slice_axis(axis, range));
        let of_factors = at.want(1, || part(&sums, 0..size - 1).times(part(&at.result(), 1..size)));
        smallvec![Some(sums), of_factors]
    }
}
