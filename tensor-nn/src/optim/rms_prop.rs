//! RMSprop.

use super::real::{Real, for_each};
use super::rule::{Pace, Rule, updates};
use crate::numbers::{not_negative, share};

/// Gradients divided by their root mean square, as PyTorch's `RMSprop`.
///
/// With rate `γ`, decay `λ`, smoothing `α` and momentum `μ`, for a parameter `θ` with gradient `g`:
///
/// ```text
/// g ← g + λ θ
/// v ← α v + (1 - α) g²
/// d ← g / (√v + ε)
/// b ← μ b + d        if μ ≠ 0, and then d ← b
/// θ ← θ - γ d
/// ```
///
/// Tieleman, Hinton: Neural networks for machine learning, lecture 6.5, 2012.
///
/// ```
/// use tensor_core::tensor;
/// use tensor_nn::optim::{Optimizer, RmsProp};
///
/// let mut model = tensor![1.0];
/// let rule = RmsProp { smoothing: 0.75, epsilon: 0.0, ..RmsProp::default() };
/// Optimizer::new(rule, 0.25).step(&mut model, &tensor![100.0])?;
/// assert_eq!(model, tensor![0.5]);
/// # Ok::<(), tensor_nn::optim::StepError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RmsProp {
    /// The decay factor of the mean of squares, from 0 to 1: PyTorch's `alpha`.
    pub smoothing: f64,
    /// The constant added to the root; finite and at least 0.
    pub epsilon: f64,
    /// The momentum factor; finite and at least 0.
    pub momentum: f64,
    /// The weight decay, which is added to the gradient (L2 penalty); finite and at least 0.
    pub decay: f64,
}

impl Default for RmsProp {
    fn default() -> Self {
        Self { smoothing: 0.99, epsilon: 1e-8, momentum: 0.0, decay: 0.0 }
    }
}

impl Rule for RmsProp {
    fn state(&self) -> &'static [&'static str] {
        if self.momentum == 0.0 { &["square_avg"] } else { &["square_avg", "momentum_buffer"] }
    }

    fn decay(&self) -> f64 {
        self.decay
    }

    #[track_caller]
    fn check(&self) {
        share("the smoothing of RmsProp", self.smoothing);
        not_negative("the epsilon of RmsProp", self.epsilon);
        not_negative("the momentum of RmsProp", self.momentum);
        not_negative("the decay of RmsProp", self.decay);
    }

    updates!(update);
}

fn update<T: Real>(
    rule: &RmsProp,
    step: &Pace<T::Number>,
    x: &mut [T],
    g: &[T],
    state: &mut [&mut [T]],
) {
    let (rate, decay, epsilon) = (T::round(step.rate), T::of(step.decay), T::of(rule.epsilon));
    let (kept, fresh) = (T::of(rule.smoothing), T::of(1.0 - rule.smoothing));
    let has_decay = step.decay != 0.0;
    match state {
        [v] => for_each!(x, g, v => {
            let g = if has_decay { g + decay * *x } else { g };
            *v = kept * *v + fresh * g * g;
            *x = *x - rate * g / (v.sqrt() + epsilon);
        }),
        [v, b] => {
            let momentum = T::of(rule.momentum);
            for_each!(x, g, v, b => {
                let g = if has_decay { g + decay * *x } else { g };
                *v = kept * *v + fresh * g * g;
                *b = momentum * *b + g / (v.sqrt() + epsilon);
                *x = *x - rate * *b;
            });
        }
        _ => unreachable!("one tensor or two"),
    }
}
