//! Gradient clipping.

use tensor_core::__private::is_traced;
use tensor_core::element::CastTo;
use tensor_core::module::{AnyTensor, Module, Path, Role};
use tensor_core::{DynTensor, Float, IntoTensor, Tensor};

use super::real::run;
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
pub fn norm(gradient: &impl Module) -> f64 {
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
    let mut in_program = false;
    gradient.visit(&Path::ROOT, &mut |_, _, tensor| in_program |= is_traced(tensor));
    if in_program {
        return clip_norm_traced(gradient, max);
    }
    let norm = norm_erased(gradient);
    // As in PyTorch, so that the resulting norm does not exceed `max`.
    let factor = max / (norm + 1e-6);
    if factor < 1.0 || factor.is_nan() {
        change(gradient, Change::Scale(factor));
    }
    Tensor::scalar(norm)
}

/// [`clip_norm`] in a program that is being traced.
fn clip_norm_traced(gradient: &mut dyn Module, max: f64) -> Tensor<(), f64> {
    let mut norm = Tensor::<(), f64>::scalar(0.0);
    gradient.visit(&Path::ROOT, &mut |_, role, tensor| {
        if role == Role::Parameter {
            norm = &norm + squares_traced(tensor);
        }
    });
    let norm = norm.sqrt();
    // A NaN stays NaN.
    let factor = (max / (&norm + 1e-6)).minimum(1.0);
    gradient.visit_mut(&Path::ROOT, &mut |_, role, tensor| {
        if role == Role::Parameter {
            let _ = scaled::<f32>(tensor, &factor) || scaled::<f64>(tensor, &factor);
        }
    });
    norm
}

/// The sum of the squares of a tensor of a program.
fn squares_traced(tensor: &dyn AnyTensor) -> Tensor<(), f64> {
    fn sum<T: Float + CastTo<f64>>(tensor: &dyn AnyTensor) -> Option<Tensor<(), f64>> {
        let squares = tensor.get::<T>()?.cast::<f64>().square();
        squares.sum().into_tensor().ok()
    }
    sum::<f32>(tensor)
        .or_else(|| sum::<f64>(tensor))
        .expect("16-bit gradients cannot be clipped in a program yet")
}

/// Multiplies a tensor of a program by a factor, if it has elements of this type.
fn scaled<T: Float>(tensor: &mut dyn AnyTensor, factor: &Tensor<(), f64>) -> bool
where
    f64: CastTo<T>,
{
    let Some(x) = tensor.get::<T>() else { return false };
    let factor = DynTensor::from(factor.cast::<T>());
    (x * factor).is_ok_and(|scaled| tensor.assign(scaled).is_ok())
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
    change(gradient, Change::Clamp(max));
}

fn norm_erased(gradient: &dyn Module) -> f64 {
    let mut sum = 0.0;
    gradient.visit(&Path::ROOT, &mut |_, role, tensor| {
        if role == Role::Parameter {
            sum += squares(tensor);
        }
    });
    sum.sqrt()
}

/// The number of independent partial sums.
const LANES: usize = 16;

fn squares(tensor: &dyn AnyTensor) -> f64 {
    if let Some(tensor) = tensor.get::<f32>() {
        tensor.contiguous().as_slice().map_or(0.0, |x| sum_of_squares(x, f64::from))
    } else if let Some(tensor) = tensor.get::<f64>() {
        tensor.contiguous().as_slice().map_or(0.0, |x| sum_of_squares(x, |x| x))
    } else {
        sixteen_bits(tensor).map_or(0.0, |x| sum_of_squares(&x, f64::from))
    }
}

/// The elements of a tensor of a 16-bit type, as `f32`.
fn sixteen_bits(tensor: &dyn AnyTensor) -> Option<Vec<f32>> {
    #[cfg(feature = "half")]
    {
        if let Some(tensor) = tensor.get::<half::f16>() {
            return Some(tensor.cast::<f32>().to_vec());
        }
        if let Some(tensor) = tensor.get::<half::bf16>() {
            return Some(tensor.cast::<f32>().to_vec());
        }
    }
    let _ = tensor;
    None
}

fn sum_of_squares<T: Copy>(elements: &[T], wide: impl Fn(T) -> f64) -> f64 {
    let (rows, rest) = elements.as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    run(
        #[inline(always)]
        || {
            for row in rows {
                for (sum, &x) in sums.iter_mut().zip(row) {
                    *sum += wide(x) * wide(x);
                }
            }
        },
    );
    let rest: f64 = rest.iter().map(|&x| wide(x) * wide(x)).sum();
    sums.iter().sum::<f64>() + rest
}

#[derive(Clone, Copy)]
enum Change {
    Scale(f64),
    Clamp(f64),
}

impl Change {
    fn of_f32(self, x: &mut [f32]) {
        match self {
            Self::Scale(factor) => x.iter_mut().for_each(|x| *x *= factor as f32),
            Self::Clamp(limit) => {
                x.iter_mut().for_each(|x| *x = x.clamp(-(limit as f32), limit as f32));
            }
        }
    }

    fn of_f64(self, x: &mut [f64]) {
        match self {
            Self::Scale(factor) => x.iter_mut().for_each(|x| *x *= factor),
            Self::Clamp(limit) => x.iter_mut().for_each(|x| *x = x.clamp(-limit, limit)),
        }
    }
}

fn change(gradient: &mut dyn Module, change: Change) {
    gradient.visit_mut(&Path::ROOT, &mut |_, role, tensor| {
        if role != Role::Parameter {
            return;
        }
        if let Some(x) = tensor.as_mut_slice::<f32>() {
            change.of_f32(x);
        } else if let Some(x) = tensor.as_mut_slice::<f64>() {
            change.of_f64(x);
        } else {
            #[cfg(feature = "half")]
            through_f32(tensor, change);
        }
    });
}

#[cfg(feature = "half")]
fn through_f32(tensor: &mut dyn AnyTensor, change: Change) {
    fn rounded<T>(tensor: &mut dyn AnyTensor, change: Change)
    where
        T: CastTo<f32>,
        f32: CastTo<T>,
    {
        if let Some(x) = tensor.get::<T>() {
            let mut wide = x.cast::<f32>();
            change.of_f32(wide.as_mut_slice());
            tensor.assign(wide.cast::<T>()).expect("the same shape");
        }
    }
    rounded::<half::f16>(tensor, change);
    rounded::<half::bf16>(tensor, change);
}
