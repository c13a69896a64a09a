//! The rules of windows: convolutions, pooling, resizing.
//!
//! All of them are linear in their differentiable operands, or select elements by an operand that is a
//! constant, so that the gradient of each is another one of them.

use smallvec::smallvec;

use super::rule::{At, Operands, Rule, rules};
use crate::array::dynamic::DynTensor;
use crate::array::recording::Outcome;
use crate::array::storage::Storage;
use crate::element::Float;
use crate::sizes::Sizes;
use crate::sizes::windows::{Convolution, Pooling, Resizing};

/// A convolution: the operands are the input and the weights.
pub(crate) struct Convolve(pub(crate) Convolution);

/// The gradient of a convolution with respect to its weights: the operands are the input and the gradient of
/// the results.
pub(crate) struct ConvolveWeights(pub(crate) Convolution);

/// The maxima of windows.
pub(crate) struct MaxPool(pub(crate) Pooling);

/// Elements added at the positions of the maxima of windows: the operands are the input and the elements.
pub(crate) struct MaxUnpool(pub(crate) Pooling);

/// Elements picked at the positions of the maxima of windows: the operands are the input and the elements.
pub(crate) struct MaxPick(pub(crate) Pooling);

/// The means of windows.
pub(crate) struct AvgPool(pub(crate) Pooling);

/// Elements distributed evenly over windows, the transpose of average pooling.
pub(crate) struct AvgUnpool(pub(crate) Pooling);

/// Resizing of the last axes.
pub(crate) struct Resize(pub(crate) Resizing);

/// The transpose of resizing.
pub(crate) struct ResizeTransposed(pub(crate) Resizing);

rules! {
    Convolve: OPERANDS;
    ConvolveWeights: OPERANDS;
    MaxPool: OPERANDS;
    MaxUnpool: OPERANDS;
    MaxPick: OPERANDS;
    AvgPool: NOTHING;
    AvgUnpool: NOTHING;
    Resize: NOTHING;
    ResizeTransposed: NOTHING;
}

fn value<T: Float>(sizes: Sizes, storage: Storage<T>) -> DynTensor<T> {
    DynTensor::from_storage(sizes, storage)
}

impl<T: Float> DynTensor<T> {
    fn convolved_by(&self, plan: &Convolution, weights: &Self) -> Self {
        let storage = T::convolved(plan, self.as_view(), weights.as_view());
        let result = value(plan.result.clone(), storage);
        result.with(&[&self, &weights], || Convolve(plan.clone()))
    }

    fn convolved_weights(&self, plan: &Convolution, gradient: &Self) -> Self {
        let storage = T::convolved_weights(plan, self.as_view(), gradient.as_view());
        let result = value(plan.weights(), storage);
        result.with(&[&self, &gradient], || ConvolveWeights(plan.clone()))
    }

    fn max_unpooled(&self, plan: &Pooling, elements: &Self) -> Self {
        let storage = T::max_unpooled(plan, self.as_view(), elements.as_view());
        let result = value(self.sizes().into(), storage);
        result.with(&[&self, &elements], || MaxUnpool(plan.clone()))
    }

    fn max_picked(&self, plan: &Pooling, elements: &Self) -> Self {
        let storage = T::max_picked(plan, self.as_view(), elements.as_view());
        let result = value(plan.result.clone(), storage);
        result.with(&[&self, &elements], || MaxPick(plan.clone()))
    }

    fn avg_pooled(&self, plan: &Pooling) -> Self {
        let storage = T::avg_pooled(plan, self.as_view());
        value(plan.result.clone(), storage).with(&[&self], || AvgPool(plan.clone()))
    }

    fn avg_unpooled(&self, plan: &Pooling, sizes: &[usize]) -> Self {
        let storage = T::avg_unpooled(plan, sizes, self.as_view());
        value(sizes.into(), storage).with(&[&self], || AvgUnpool(plan.clone()))
    }

    fn resized_by(&self, plan: &Resizing) -> Self {
        let storage = T::resized(plan, self.as_view());
        value(plan.result.clone(), storage).with(&[&self], || Resize(plan.clone()))
    }

    fn resized_transposed(&self, plan: &Resizing, sizes: &[usize]) -> Self {
        let storage = T::resized_transposed(plan, sizes, self.as_view());
        value(sizes.into(), storage).with(&[&self], || ResizeTransposed(plan.clone()))
    }
}

/// A convolution is linear in its input, with its transpose as gradient, and in its weights. A transposed
/// convolution has the weight gradient of the convolution from its results to its input.
impl Rule for Convolve {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> Operands<T> {
        let (x, weights) = (at.operand::<T>(0), at.operand::<T>(1));
        let back = || self.0.adjoint(x.sizes());
        smallvec![
            at.want(0, || gradient.convolved_by(&back(), &weights)),
            at.want(1, || match self.0.is_transposed {
                true => gradient.convolved_weights(&back(), &x),
                false => x.convolved_weights(&self.0, gradient),
            }),
        ]
    }
}

impl Rule for ConvolveWeights {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> Operands<T> {
        let (x, results) = (at.operand::<T>(0), at.operand::<T>(1));
        smallvec![
            at.want(0, || results.convolved_by(&self.0.adjoint(x.sizes()), gradient)),
            at.want(1, || x.convolved_by(&self.0, gradient)),
        ]
    }
}

impl Rule for MaxPool {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> Operands<T> {
        smallvec![Some(at.operand::<T>(0).max_unpooled(&self.0, gradient))]
    }
}

impl Rule for MaxUnpool {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> Operands<T> {
        smallvec![None, at.want(1, || at.operand::<T>(0).max_picked(&self.0, gradient))]
    }
}

impl Rule for MaxPick {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> Operands<T> {
        smallvec![None, at.want(1, || at.operand::<T>(0).max_unpooled(&self.0, gradient))]
    }
}

impl Rule for AvgPool {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> Operands<T> {
        smallvec![Some(gradient.avg_unpooled(&self.0, at.sizes(0)))]
    }
}

impl Rule for AvgUnpool {
    fn gradients<T: Float>(&self, _: &At<'_, '_>, gradient: &DynTensor<T>) -> Operands<T> {
        smallvec![Some(gradient.avg_pooled(&self.0))]
    }
}

impl Rule for Resize {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> Operands<T> {
        smallvec![Some(gradient.resized_transposed(&self.0, at.sizes(0)))]
    }
}

impl Rule for ResizeTransposed {
    fn gradients<T: Float>(&self, _: &At<'_, '_>, gradient: &DynTensor<T>) -> Operands<T> {
        smallvec![Some(gradient.resized_by(&self.0))]
    }
}
