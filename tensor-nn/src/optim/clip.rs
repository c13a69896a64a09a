//! Gradient clipping.

use tensor_core::element::CastTo;
use tensor_core::module::{AnyTensor, Module, Path, Role};
use tensor_core::{DynTensor, Float, Tensor};

use crate::numbers::limit;

/// The Euclidean norm of a gradient, or of a model: the root of the sum of the squares of all parameters,
/// summed in `f64`.
///
/// ```
/// use tensor_core::tensor;
/// use tensor_nn::optim::norm;
///
/// assert_eq!(norm(&(tensor![3.0, 0.0], tensor![4.0])), 5.0);
/// ```
pub fn norm(gradient: &impl Module) -> Tensor<(), f64> {
    norm_erased(gradient)
}

/// Scales a gradient down to norm `max` if it is longer, and returns the norm that it had: PyTorch's
/// `clip_grad_norm_`.
///
/// The factor is `max` divided by the norm, at most 1. If the norm is NaN, all elements become NaN;
/// if it is infinite, finite elements become 0 and others NaN: check the returned norm, and skip
/// the step.
///
/// # Panics
///
/// If `max` is negative or NaN. It may be infinite.
///
/// Pascanu, Mikolov, Bengio: On the difficulty of training recurrent neural networks, 2012,
/// arXiv:1211.5063.
///
/// ```
/// use tensor_core::tensor;
/// use tensor_nn::optim::{clip_norm, norm};
///
/// let mut gradient = (tensor![30.0, 0.0], tensor![40.0]);
/// assert_eq!(clip_norm(&mut gradient, 1.0).item(), 50.0);
/// assert!((norm(&gradient) - 1.0).abs() < 1e-6);
/// assert!(clip_norm(&mut gradient, 2.0).item() < 2.0);
/// ```
#[doc(alias = "clip_grad_norm_")]
#[track_caller]
pub fn clip_norm(gradient: &mut impl Module, max: f64) -> Tensor<(), f64> {
    limit("the largest norm", max);
    let norm = norm_erased(gradient);
    // As in PyTorch, so that the resulting norm does not exceed `max`. A NaN stays NaN.
    let factor = (max / (&norm + 1e-6)).minimum(1.0);
    if (&factor as &dyn AnyTensor).is_tracked() || factor != 1.0 {
        change(gradient, &Change::Scale(factor));
    }
    norm
}

/// Clamps every element of a gradient to `-max..=max`: PyTorch's `clip_grad_value_`. NaN stays NaN.
///
/// # Panics
///
/// If `max` is negative or NaN. It may be infinite.
///
/// ```
/// use tensor_core::tensor;
/// use tensor_nn::optim::clip_value;
///
/// let mut gradient = (tensor![3.0, -0.5], tensor![-4.0]);
/// clip_value(&mut gradient, 1.0);
/// assert_eq!(gradient, (tensor![1.0, -0.5], tensor![-1.0]));
/// ```
#[doc(alias = "clip_grad_value_")]
#[track_caller]
pub fn clip_value(gradient: &mut impl Module, max: f64) {
    limit("the largest element", max);
    change(gradient, &Change::Clamp(max));
}

fn norm_erased(gradient: &dyn Module) -> Tensor<(), f64> {
    let mut sum = Tensor::scalar(0.0);
    gradient.visit(&Path::ROOT, &mut |_, role, tensor| {
        if role == Role::Parameter {
            sum = &sum + tensor.sum_of_squares().expect(FLOATS);
        }
    });
    sum.sqrt()
}

/// Why a parameter has elements as `f32`.
pub(super) const FLOATS: &str = "parameters are floats";

pub(super) enum Change {
    Scale(Tensor<(), f64>),
    Clamp(f64),
}

impl Change {
    fn of<T: Float>(&self, x: DynTensor<T>) -> DynTensor<T>
    where
        f64: CastTo<T>,
    {
        let changed = match self {
            Self::Scale(factor) => x * DynTensor::from(factor.cast::<T>()),
            Self::Clamp(limit) => {
                let [low, high] =
                    [-limit, *limit].map(|limit| DynTensor::full(&[], T::from_f64(limit)));
                DynTensor::clamp(&x, &low, &high)
            }
        };
        changed.expect("a tensor and numbers")
    }

    /// Whether the factor is known only when a program runs.
    fn is_tracked(&self) -> bool {
        matches!(self, Self::Scale(factor) if (factor as &dyn AnyTensor).is_tracked())
    }

    /// [`of`](Self::of) without memory for the results.
    fn of_f32(&self, x: &mut [f32]) {
        match self {
            Self::Scale(factor) => {
                let factor = factor.item() as f32;
                x.iter_mut().for_each(|x| *x *= factor);
            }
            Self::Clamp(limit) => {
                x.iter_mut().for_each(|x| *x = x.clamp(-(*limit as f32), *limit as f32));
            }
        }
    }
}

pub(super) fn change(gradient: &mut dyn Module, change: &Change) {
    gradient.visit_mut(&Path::ROOT, &mut |_, role, tensor| {
        if role != Role::Parameter {
            return;
        }
        if !tensor.is_tracked()
            && !change.is_tracked()
            && let Some(x) = tensor.as_mut_slice()
        {
            return change.of_f32(x);
        }
        let changed = match tensor.get() {
            Some(x) => tensor.assign(change.of::<f64>(x)),
            // 16 bits: computed in `f32`, and rounded once.
            None => tensor.assign_f32(change.of(tensor.to_f32().expect(FLOATS))),
        };
        changed.expect("the same shape");
    });
}
