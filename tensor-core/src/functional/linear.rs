//! A product with a matrix whose rows are outputs, plus a bias: the linear layer of `tensor-nn`.

use crate::array::trace::is_any_traced;
use crate::element::Float;
use crate::ops::matmul::{Linear, linear_step};
use crate::shape::axis::Axis;
use crate::shape::matmul_shape::Dot;
use crate::shape::{Shape, Sizes};
use crate::tensor::Tensor;
use crate::tensor::recording::{Outcome, Recordable};

/// `x · weightᵀ + bias`, `[..lead, i] × [o, i] + [o] → [..lead, o]`: a fused operation if the product is
/// large enough; the bias is then added while the sums are in registers.
///
/// # Panics
///
/// If a named axis has different sizes in two operands, or if the result does not fit into memory.
#[doc(hidden)]
#[track_caller]
pub fn linear<S, Lead, I, O, T>(
    x: &Tensor<S, T>,
    weight: &Tensor<(((), O), I), T>,
    bias: &Tensor<((), O), T>,
) -> Tensor<(Lead, O), T>
where
    S: Dot<(((), I), O), Product = (Lead, O)>,
    Lead: Shape,
    I: Axis,
    O: Axis,
    T: Float,
{
    if let Some(result) = traced(x, weight, bias) {
        return result;
    }
    let [of_x, of_weight, of_bias] = &mut <[Sizes; 3]>::default();
    let (left, right) = (x.as_view().erase(of_x), weight.as_view().erase(of_weight));
    let (((), outputs), inputs) = weight.shape;
    if let Ok(shape) = Dot::product_shape(x.shape, (((), inputs), outputs))
        && let Some(storage) = T::linear(left, right, bias.as_view().erase(of_bias))
    {
        return Tensor::from_storage(shape, storage).with(&[x, weight, bias], || Linear);
    }
    x.dot(&weight.transpose()) + bias
}

/// [`linear`] of tensors of which one is traced.
#[track_caller]
fn traced<S, Lead, I, O, T>(
    x: &Tensor<S, T>,
    weight: &Tensor<(((), O), I), T>,
    bias: &Tensor<((), O), T>,
) -> Option<Tensor<(Lead, O), T>>
where
    S: Dot<(((), I), O), Product = (Lead, O)>,
    Lead: Shape,
    I: Axis,
    O: Axis,
    T: Float,
{
    if !is_any_traced(&[x, weight, bias]) {
        return None;
    }
    let (((), outputs), inputs) = weight.shape;
    let shape = Dot::product_shape(x.shape, (((), inputs), outputs)).ok()?;
    let sizes = shape.sizes();
    let operands: [&dyn Recordable; 3] = [x, weight, bias];
    Some(Tensor::with_shape(shape, linear_step(&sizes, &operands)))
}
