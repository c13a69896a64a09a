//! A product with a matrix whose rows are outputs, plus a bias.

use crate::shape::axis::Axis;
use crate::shape::matmul_shape::Dot;
use crate::shape::{Shape, Sizes};
use crate::tensor::Tensor;
use crate::tensor::recording::{Outcome, Recordable};
use tensor_array::array::trace::is_any_traced;
use tensor_array::ops::matmul::{linear_rule, linear_step};
use tensor_kernels::autocast::autocast;
use tensor_kernels::element::{Element, Float};

/// `x · weightᵀ + bias`, `[..lead, i] × [o, i] + [o] → [..lead, o]`: PyTorch's `F.linear`.
///
/// The weight has a row for each output, as in PyTorch's files. The bias is added while the sums of a large product are in
/// registers. The result is that of `x.dot(&weight.transpose()) + bias`.
///
/// # Panics
///
/// If a named axis has different sizes in two operands, or if the result does not fit into memory.
///
/// ```
/// use tensor_core::functional::linear;
/// use tensor_core::tensor;
///
/// let (x, weight) = (tensor![[1.0, 2.0], [3.0, 4.0]], tensor![[1.0, 10.0]]);
/// assert_eq!(linear(&x, &weight, Some(&tensor![0.5])), tensor![[21.5], [43.5]]);
/// assert_eq!(linear(&x, &weight, None), tensor![[21.0], [43.0]]);
/// ```
///
/// ```compile_fail,E0308
/// use tensor_core::functional::linear;
/// use tensor_core::{Tensor, shape};
///
/// let weight = Tensor::<shape![10, 768]>::ones();
/// // error: expected `512`, found `768`
/// linear(&Tensor::<shape![32, 512]>::ones(), &weight, None);
/// ```
#[track_caller]
pub fn linear<Lead: Shape, I: Axis, O: Axis, T: Float>(
    x: &Tensor<(Lead, I), T>,
    weight: &Tensor<(((), O), I), T>,
    bias: Option<&Tensor<((), O), T>>,
) -> Tensor<(Lead, O), T> {
    let Some(bias) = bias else { return x.dot(&weight.transpose()) };
    let (((), outputs), inputs) = weight.axes;
    // `autocast` is for products, and a bias is added in `f32`.
    let is_autocast = T::NUMBER == f32::NUMBER && autocast().is_some();
    if !is_autocast && let Ok(shape) = Dot::product_shape(x.axes, (((), inputs), outputs)) {
        if is_any_traced(&[x, weight, bias]) {
            let operands: [&dyn Recordable; 3] = [x, weight, bias];
            return Tensor::with_shape(shape, linear_step(&shape.sizes(), &operands));
        }
        let [of_x, of_weight, of_bias] = &mut <[Sizes; 3]>::default();
        let (left, right) = (x.as_view().erase(of_x), weight.as_view().erase(of_weight));
        if let Some(storage) = T::linear(left, right, bias.as_view().erase(of_bias)) {
            return Tensor::from_storage(shape, storage).with(&[x, weight, bias], linear_rule::<T>);
        }
    }
    x.dot(&weight.transpose()) + bias
}
