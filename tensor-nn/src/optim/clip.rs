//! Gradient clipping.

use tensor_core::__private::is_traced;
use tensor_core::module::{AnyTensor, Module, Path, Role};
use tensor_core::{DynTensor, Element, IntoTensor, Tensor};

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
            scale_traced(tensor, &factor);
        }
    });
    norm
}

/// The sum of the squares of a tensor of a program.
fn squares_traced(tensor: &dyn AnyTensor) -> Tensor<(), f64> {
    let wide = match tensor.get::<f64>() {
        Some(tensor) => tensor,
        None => tensor.to_f32().expect(FLOATS).cast(),
    };
    wide.square().sum().into_tensor().expect("a sum of all elements")
}

/// Multiplies a tensor of a program by a factor.
fn scale_traced(tensor: &mut dyn AnyTensor, factor: &Tensor<(), f64>) {
    let scaled = "a tensor and a number";
    let assigned = match tensor.get::<f64>() {
        Some(x) => tensor.assign((x * DynTensor::from(factor.clone())).expect(scaled)),
        None => {
            let x = tensor.to_f32().expect(FLOATS) * DynTensor::from(factor.cast::<f32>());
            tensor.assign_f32(x.expect(scaled))
        }
    };
    assigned.expect("the same shape");
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

/// Why a parameter has elements as `f32`.
const FLOATS: &str = "parameters are floats";

/// The number of independent partial sums.
const LANES: usize = 16;

fn squares(tensor: &dyn AnyTensor) -> f64 {
    match tensor.get::<f64>() {
        Some(tensor) => sum_of_squares(&tensor, |x| x),
        None => sum_of_squares(&tensor.to_f32().expect(FLOATS), f64::from),
    }
}

fn sum_of_squares<T: Element>(tensor: &DynTensor<T>, wide: impl Fn(T) -> f64) -> f64 {
    let tensor = tensor.contiguous();
    let elements = tensor.as_slice().expect("a contiguous tensor");
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
            // 16 bits: computed in `f32`, and rounded once.
            let mut wide = tensor.to_f32().expect(FLOATS);
            change.of_f32(wide.as_mut_slice());
            tensor.assign_f32(wide).expect("the same shape");
        }
    });
}
