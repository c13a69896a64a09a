//! Adam and AdamW.

use super::real::{Real, Scalar, for_each};
use super::rule::{Pace, Rule, updates};
use crate::numbers::{below_one, not_negative};

/// Adaptive moments, as PyTorch's `Adam`.
///
/// With rate `γ`, decay `λ` and betas `β₁`, `β₂`, for a parameter `θ` with gradient `g` at its step `t`:
///
/// ```text
/// g ← g + λ θ
/// m ← m + (1 - β₁) (g - m)
/// v ← β₂ v + (1 - β₂) g²
/// θ ← θ - γ / (1 - β₁ᵗ) m / (√v / √(1 - β₂ᵗ) + ε)
/// ```
///
/// Kingma, Ba: Adam: a method for stochastic optimization, 2014, arXiv:1412.6980.
///
/// ```
/// use tensor_core::tensor;
/// use tensor_nn::optim::{Adam, Optimizer};
///
/// let mut model = tensor![1.0, 1.0];
/// Optimizer::new(Adam::default(), 0.25).step(&mut model, &tensor![3.0, -0.001])?;
/// // The first step is as long as the rate, however large the gradient is.
/// assert!(model.all_close(&tensor![0.75, 1.25], 1e-4, 0.0));
/// # Ok::<(), tensor_nn::optim::StepError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adam {
    /// The decay factors of the running means of gradients and of squared gradients; at least 0 and
    /// less than 1.
    pub betas: (f64, f64),
    /// The constant added to the root of the mean of squares; finite and at least 0.
    pub epsilon: f64,
    /// The weight decay, which is added to the gradient (L2 penalty); finite and at least 0.
    pub decay: f64,
}

impl Default for Adam {
    fn default() -> Self {
        Self { betas: (0.9, 0.999), epsilon: 1e-8, decay: 0.0 }
    }
}

/// [`Adam`] with decoupled weight decay, as PyTorch's `AdamW`.
///
/// ```text
/// θ ← θ - γ λ θ, then the step of Adam without decay
/// ```
///
/// Loshchilov, Hutter: Decoupled weight decay regularization, 2017, arXiv:1711.05101.
///
/// ```
/// use tensor_core::tensor;
/// use tensor_nn::optim::{AdamW, Optimizer};
///
/// let rule = AdamW { decay: 0.5, ..AdamW::default() };
/// let mut model = tensor![4.0];
/// Optimizer::new(rule, 0.5).step(&mut model, &tensor![0.0])?;
/// assert_eq!(model, tensor![3.0]);
/// # Ok::<(), tensor_nn::optim::StepError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdamW {
    /// The decay factors of the running means of gradients and of squared gradients; at least 0 and
    /// less than 1.
    pub betas: (f64, f64),
    /// The constant added to the root of the mean of squares; finite and at least 0.
    pub epsilon: f64,
    /// The weight decay: each step multiplies weights by `1 - rate · decay`; finite and at least 0.
    pub decay: f64,
}

impl Default for AdamW {
    fn default() -> Self {
        Self { betas: (0.9, 0.999), epsilon: 1e-8, decay: 0.01 }
    }
}

/// The names of PyTorch's state.
const STATE: &[&str] = &["exp_avg", "exp_avg_sq"];

impl Rule for Adam {
    fn state(&self) -> &'static [&'static str] {
        STATE
    }

    fn decay(&self) -> f64 {
        self.decay
    }

    #[track_caller]
    fn check(&self) {
        below_one("the first beta of Adam", self.betas.0);
        below_one("the second beta of Adam", self.betas.1);
        not_negative("the epsilon of Adam", self.epsilon);
        not_negative("the decay of Adam", self.decay);
    }

    updates!(adam);
}

impl Rule for AdamW {
    fn state(&self) -> &'static [&'static str] {
        STATE
    }

    fn decay(&self) -> f64 {
        self.decay
    }

    #[track_caller]
    fn check(&self) {
        below_one("the first beta of AdamW", self.betas.0);
        below_one("the second beta of AdamW", self.betas.1);
        not_negative("the epsilon of AdamW", self.epsilon);
        not_negative("the decay of AdamW", self.decay);
    }

    updates!(adam_w);
}

fn adam<T: Real>(
    rule: &Adam,
    step: &Pace<T::Number>,
    x: &mut [T],
    g: &[T],
    state: &mut [&mut [T]],
) {
    let numbers = Numbers::new(rule.betas, rule.epsilon, step);
    let decay = T::of(step.decay);
    let has_decay = step.decay != 0.0;
    let [m, v] = state else { unreachable!("two tensors") };
    for_each!(x, g, m, v => {
        let g = if has_decay { g + decay * *x } else { g };
        *x = *x - numbers.step(g, m, v);
    });
}

fn adam_w<T: Real>(
    rule: &AdamW,
    step: &Pace<T::Number>,
    x: &mut [T],
    g: &[T],
    state: &mut [&mut [T]],
) {
    let numbers = Numbers::new(rule.betas, rule.epsilon, step);
    let one = T::Number::of(1.0);
    let kept = T::round(one - step.rate * T::Number::of(step.decay));
    let [m, v] = state else { unreachable!("two tensors") };
    for_each!(x, g, m, v => {
        *x = *x * kept - numbers.step(g, m, v);
    });
}

/// The precomputed numbers of one step.
struct Numbers<T> {
    fresh: T,
    beta2: T,
    fresh2: T,
    /// Both multiplied by the square root of the bias correction of `v`, as in section 2 of the paper: one
    /// division for each element.
    epsilon: T,
    rate: T,
}

impl<T: Real> Numbers<T> {
    fn new((beta1, beta2): (f64, f64), epsilon: f64, step: &Pace<T::Number>) -> Self {
        let (count, one) = (step.count, T::Number::of(1.0));
        let scale = (one - count.exponent_of(beta2)).sqrt();
        Self {
            fresh: T::of(1.0 - beta1),
            beta2: T::of(beta2),
            fresh2: T::of(1.0 - beta2),
            epsilon: T::round(T::Number::of(epsilon) * scale),
            rate: T::round(step.rate * scale / (one - count.exponent_of(beta1))),
        }
    }

    /// The change of the parameter.
    #[inline(always)]
    fn step(&self, g: T, m: &mut T, v: &mut T) -> T {
        *m = *m + self.fresh * (g - *m);
        *v = self.beta2 * *v + self.fresh2 * g * g;
        self.rate * *m / (v.sqrt() + self.epsilon)
    }
}
