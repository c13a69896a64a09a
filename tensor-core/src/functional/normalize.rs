//! Normalisations of the last axis with weights and biases, in one pass.

use crate::shape::axis::Axis;
use crate::shape::{Shape, Sizes};
use crate::tensor::Tensor;
use tensor_kernels::element::Float;
use tensor_kernels::ops::AxisParams;
use tensor_kernels::ops::reductions::FloatReductions;
use tensor_kernels::rows::AxisMap;

/// `(x - mean) / √(variance + epsilon) · weight + bias` along the last axis,
/// `[..lead, n] × [n] + [n] → [..lead, n]`: PyTorch's `F.layer_norm`.
///
/// [`Tensor::layer_norm`] has no weights. This applies them in the same pass, unless gradients are tracked.
///
/// Source: Ba, Kiros and Hinton, "Layer normalization", 2016.
///
/// # Panics
///
/// If a named axis has different sizes in two operands.
///
/// ```
/// use tensor_core::functional::layer_norm;
/// use tensor_core::tensor;
///
/// let (x, weight, bias) = (tensor![[3.0, 5.0], [4.0, 2.0]], tensor![2.0, 2.0], tensor![1.0, 1.0]);
/// assert_eq!(layer_norm(&x, &weight, Some(&bias), 0.0), tensor![[-1.0, 3.0], [3.0, -1.0]]);
/// ```
#[track_caller]
pub fn layer_norm<Lead: Shape, N: Axis, T: Float>(
    x: &Tensor<(Lead, N), T>,
    weight: &Tensor<((), N), T>,
    bias: Option<&Tensor<((), N), T>>,
    epsilon: f64,
) -> Tensor<(Lead, N), T> {
    let row = <T as FloatReductions>::STANDARDIZE_ROW;
    if let Some(y) = in_one_pass(row, x, weight, bias, epsilon) {
        return y;
    }
    let y = x.layer_norm::<-1>(epsilon) * weight;
    match bias {
        Some(bias) => y + bias,
        None => y,
    }
}

/// `x / √(mean(x²) + epsilon) · weight` along the last axis, `[..lead, n] × [n] → [..lead, n]`: PyTorch's
/// `F.rms_norm`.
///
/// [`Tensor::rms_norm`] has no weights. This applies them in the same pass, unless gradients are tracked.
///
/// Source: Zhang and Sennrich, "Root mean square layer normalization", 2019.
///
/// # Panics
///
/// If a named axis has different sizes in the operands.
///
/// ```
/// use tensor_core::functional::rms_norm;
/// use tensor_core::tensor;
///
/// // The mean square is 5.
/// assert_eq!(rms_norm(&tensor![1.0, 3.0], &tensor![1.0, 2.0], 11.0), tensor![0.25, 1.5]);
/// ```
#[track_caller]
pub fn rms_norm<Lead: Shape, N: Axis, T: Float>(
    x: &Tensor<(Lead, N), T>,
    weight: &Tensor<((), N), T>,
    epsilon: f64,
) -> Tensor<(Lead, N), T> {
    let row = <T as FloatReductions>::RMS_NORM_ROW;
    in_one_pass(row, x, weight, None, epsilon).unwrap_or_else(|| x.rms_norm::<-1>(epsilon) * weight)
}

/// The operation of a row, times the weight, plus the bias, while each row of the tensor is in the L1 cache. `None` if an
/// operand is tracked or strided, sizes differ, or a row is long.
#[track_caller]
fn in_one_pass<Lead: Shape, N: Axis, T: Float>(
    row: &'static AxisMap<T, T>,
    x: &Tensor<(Lead, N), T>,
    weight: &Tensor<((), N), T>,
    bias: Option<&Tensor<((), N), T>>,
    epsilon: f64,
) -> Option<Tensor<(Lead, N), T>> {
    let params = AxisParams { epsilon, ..AxisParams::default() };
    let [of_x, of_weight, of_bias] = &mut <[Sizes; 3]>::default();
    let bias = bias.map(|bias| bias.as_view().erase(of_bias));
    let (view, weight) = (x.as_view().erase(of_x), weight.as_view().erase(of_weight));
    let storage = row.call_affine(view, weight, bias, params)?;
    Some(Tensor::from_storage(x.axes, storage))
}
