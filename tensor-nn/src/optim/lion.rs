//! Lion.

use super::real::{Real, Scalar, for_each};
use super::rule::{Pace, Rule, updates};
use crate::numbers::{below_one, not_negative};

/// Sign of the momentum: every element of a parameter changes by the same magnitude.
///
/// With rate `γ`, decay `λ` and betas `β₁`, `β₂`, for a parameter `θ` with gradient `g`:
///
/// ```text
/// θ ← θ - γ λ θ - γ sign(β₁ m + (1 - β₁) g)
/// m ← β₂ m + (1 - β₂) g
/// ```
///
/// Chen and others: Symbolic discovery of optimization algorithms, 2023, arXiv:2302.06675; program 2.
/// The authors recommend a rate 3 to 10 times smaller than AdamW's, and a decay larger by the same
/// factor.
///
/// ```
/// use tensor_core::tensor;
/// use tensor_nn::optim::{Lion, Optimizer};
///
/// let mut model = tensor![1.0, 1.0, 1.0];
/// Optimizer::new(Lion::default(), 0.25).step(&mut model, &tensor![1e-3, -1e3, 0.0])?;
/// assert_eq!(model, tensor![0.75, 1.25, 1.0]);
/// # Ok::<(), tensor_nn::optim::StepError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lion {
    /// The weights of the momentum in the sign, and in its own update; at least 0 and less than 1.
    pub betas: (f64, f64),
    /// The weight decay: each step multiplies weights by `1 - rate · decay`; finite and at least 0.
    pub decay: f64,
}

impl Default for Lion {
    fn default() -> Self {
        Self { betas: (0.9, 0.99), decay: 0.0 }
    }
}

impl Rule for Lion {
    fn state(&self) -> &'static [&'static str] {
        &["exp_avg"]
    }

    fn decay(&self) -> f64 {
        self.decay
    }

    #[track_caller]
    fn check(&self) {
        below_one("the first beta of Lion", self.betas.0);
        below_one("the second beta of Lion", self.betas.1);
        not_negative("the decay of Lion", self.decay);
    }

    updates!(update);
}

fn update<T: Real>(
    rule: &Lion,
    step: &Pace<T::Number>,
    x: &mut [T],
    g: &[T],
    state: &mut [&mut [T]],
) {
    let one = T::Number::of(1.0);
    let (rate, kept) = (T::round(step.rate), T::round(one - step.rate * T::Number::of(step.decay)));
    let (beta1, fresh1) = (T::of(rule.betas.0), T::of(1.0 - rule.betas.0));
    let (beta2, fresh2) = (T::of(rule.betas.1), T::of(1.0 - rule.betas.1));
    let [m] = state else { unreachable!("one tensor") };
    for_each!(x, g, m => {
        *x = *x * kept - rate * (beta1 * *m + fresh1 * g).sign();
        *m = beta2 * *m + fresh2 * g;
    });
}
