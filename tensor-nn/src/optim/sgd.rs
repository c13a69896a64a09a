//! Stochastic gradient descent.

use super::real::{Real, for_each};
use super::rule::{Pace, Rule, updates};
use crate::numbers::{not_negative, share};

/// Stochastic gradient descent with momentum, as PyTorch's `SGD`.
///
/// With rate `γ`, decay `λ`, momentum `μ` and dampening `τ`, for a parameter `θ` with gradient `g`:
///
/// ```text
/// g ← g + λ θ
/// b ← g at the first step, then μ b + (1 - τ) g        if μ ≠ 0
/// d ← g if μ = 0, g + μ b with Nesterov's momentum, else b
/// θ ← θ - γ d
/// ```
///
/// Sutskever, Martens, Dahl, Hinton: On the importance of initialization and momentum in deep learning,
/// 2013.
///
/// ```
/// use tensor_core::tensor;
/// use tensor_nn::optim::{Optimizer, Sgd};
///
/// let rule = Sgd { momentum: 0.5, ..Sgd::default() };
/// let mut optimizer = Optimizer::new(rule, 1.0);
/// let (mut model, gradient) = (tensor![0.0], tensor![1.0]);
/// optimizer.step(&mut model, &gradient)?;
/// optimizer.step(&mut model, &gradient)?;
/// assert_eq!(model, tensor![-2.5]);
/// # Ok::<(), tensor_nn::optim::StepError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sgd {
    /// The momentum factor; finite and at least 0.
    pub momentum: f64,
    /// The share of the gradient that does not enter the momentum; from 0 to 1.
    pub dampening: f64,
    /// Whether to use Nesterov momentum, which requires a momentum other than 0 and a
    /// dampening of 0.
    pub nesterov: bool,
    /// The weight decay, which is added to the gradient (L2 penalty); finite and at least 0.
    pub decay: f64,
}

impl Rule for Sgd {
    fn state(&self) -> &'static [&'static str] {
        if self.momentum == 0.0 { &[] } else { &["momentum_buffer"] }
    }

    fn decay(&self) -> f64 {
        self.decay
    }

    #[track_caller]
    fn check(&self) {
        not_negative("the momentum of Sgd", self.momentum);
        share("the dampening of Sgd", self.dampening);
        not_negative("the decay of Sgd", self.decay);
        let has_lookahead = self.momentum > 0.0 && self.dampening == 0.0;
        assert!(
            !self.nesterov || has_lookahead,
            "Nesterov's momentum has a momentum larger than 0 and a dampening of 0, not {} and {}",
            self.momentum,
            self.dampening
        );
    }

    updates!(update);
}

fn update<T: Real>(
    rule: &Sgd,
    step: &Pace<T::Number>,
    x: &mut [T],
    g: &[T],
    state: &mut [&mut [T]],
) {
    let (rate, decay) = (T::round(step.rate), T::of(step.decay));
    let has_decay = step.decay != 0.0;
    let [b] = state else {
        for_each!(x, g => {
            let g = if has_decay { g + decay * *x } else { g };
            *x = *x - rate * g;
        });
        return;
    };
    let (momentum, fresh) = (T::of(rule.momentum), T::of(1.0 - rule.dampening));
    let (count, nesterov) = (step.count, rule.nesterov);
    for_each!(x, g, b => {
        let g = if has_decay { g + decay * *x } else { g };
        *b = T::first_or(count, g, momentum * *b + fresh * g);
        let d = if nesterov { g + momentum * *b } else { *b };
        *x = *x - rate * d;
    });
}
