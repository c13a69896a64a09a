//! Normalisations with weights and biases, in one pass: those of the layers of `tensor-nn`.

use crate::array::rows::AxisMap;
use crate::element::Float;
use crate::ops::AxisParams;
use crate::ops::reductions::FloatReductions;
use crate::shape::axis::Axis;
use crate::shape::{Shape, Sizes};
use crate::tensor::Tensor;

/// A weight for each index of the last axis, and a bias for each if there are biases.
type Parameters<'a, N, T> = (&'a Tensor<((), N), T>, Option<&'a Tensor<((), N), T>>);

/// `x.layer_norm::<-1>(epsilon) * weight + bias`, `[..lead, n] → [..lead, n]`, while each row is in the L1
/// cache. `None` if an operand is tracked or strided, sizes differ, or a row is long: the operations
/// written one after the other apply then.
#[doc(hidden)]
#[track_caller]
pub fn layer_norm<Lead: Shape, N: Axis, T: Float>(
    x: &Tensor<(Lead, N), T>,
    parameters: Parameters<'_, N, T>,
    epsilon: f64,
) -> Option<Tensor<(Lead, N), T>> {
    in_one_pass(<T as FloatReductions>::STANDARDIZE_ROW, x, parameters, epsilon)
}

/// `x.rms_norm::<-1>(epsilon) * weight`: as [`layer_norm`].
#[doc(hidden)]
#[track_caller]
pub fn rms_norm<Lead: Shape, N: Axis, T: Float>(
    x: &Tensor<(Lead, N), T>,
    parameters: Parameters<'_, N, T>,
    epsilon: f64,
) -> Option<Tensor<(Lead, N), T>> {
    in_one_pass(<T as FloatReductions>::RMS_NORM_ROW, x, parameters, epsilon)
}

#[track_caller]
fn in_one_pass<Lead: Shape, N: Axis, T: Float>(
    row: &'static AxisMap<T, T>,
    x: &Tensor<(Lead, N), T>,
    (weight, bias): Parameters<'_, N, T>,
    epsilon: f64,
) -> Option<Tensor<(Lead, N), T>> {
    let params = AxisParams { epsilon, ..AxisParams::default() };
    let [of_x, of_weight, of_bias] = &mut <[Sizes; 3]>::default();
    let bias = bias.map(|bias| bias.as_view().erase(of_bias));
    let (view, weight) = (x.as_view().erase(of_x), weight.as_view().erase(of_weight));
    let storage = row.call_affine(view, weight, bias, params)?;
    Some(Tensor::from_storage(x.shape, storage))
}
