//! [`Rule`]: what a step does to one parameter.

use core::fmt;

/// What a step does to one parameter, given as slices of the same length.
///
/// The rules of this crate are written once for both types of elements; `f64` is what models of `f64`
/// are trained with, `f32` all others.
///
/// ```
/// use tensor_core::tensor;
/// use tensor_nn::optim::{Optimizer, Rule, Step};
///
/// /// Steps of the same length in every direction: signSGD.
/// #[derive(Debug)]
/// struct Signs;
///
/// impl Rule for Signs {
///     fn state(&self) -> &'static [&'static str] {
///         &[]
///     }
///
///     fn update_f32(&self, step: &Step, x: &mut [f32], g: &[f32], _: &mut [&mut [f32]]) {
///         x.iter_mut().zip(g).for_each(|(x, g)| *x -= step.rate as f32 * g.signum());
///     }
///
///     fn update_f64(&self, step: &Step, x: &mut [f64], g: &[f64], _: &mut [&mut [f64]]) {
///         x.iter_mut().zip(g).for_each(|(x, g)| *x -= step.rate * g.signum());
///     }
/// }
///
/// let mut model = tensor![1.0, 1.0];
/// Optimizer::new(Signs, 0.5).step(&mut model, &tensor![0.01, -100.0])?;
/// assert_eq!(model, tensor![0.5, 1.5]);
/// # Ok::<(), tensor_nn::optim::StepError>(())
/// ```
pub trait Rule: fmt::Debug + Send + Sync {
    /// The names of the tensors that it remembers of each parameter, which begin as zeros.
    fn state(&self) -> &'static [&'static str];

    /// Panics where a number of the rule is not allowed: [`Optimizer::new`](super::Optimizer::new) calls it.
    #[track_caller]
    fn check(&self) {}

    /// The decay of weights where no group says another.
    fn decay(&self) -> f64 {
        0.0
    }

    /// Changes a parameter and what is remembered of it, in the order of [`state`](Self::state).
    fn update_f32(
        &self,
        step: &Step,
        parameter: &mut [f32],
        gradient: &[f32],
        state: &mut [&mut [f32]],
    );

    /// The same in `f64`.
    fn update_f64(
        &self,
        step: &Step,
        parameter: &mut [f64],
        gradient: &[f64],
        state: &mut [&mut [f64]],
    );
}

/// The numbers of a step, for one parameter.
///
/// ```
/// use tensor_nn::optim::Step;
///
/// let step = Step { rate: 0.1, decay: 0.0, count: 1 };
/// assert_eq!(step.count, 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// The rate, with the factor of the group.
    pub rate: f64,
    /// The decay of weights.
    pub decay: f64,
    /// Which step of the parameter it is, from 1.
    pub count: u64,
}

/// Both updates of a rule, by one function for both types.
macro_rules! updates {
    ($update:ident) => {
        fn update_f32(
            &self,
            step: &$crate::optim::Step,
            parameter: &mut [f32],
            gradient: &[f32],
            state: &mut [&mut [f32]],
        ) {
            $update(self, step, parameter, gradient, state);
        }

        fn update_f64(
            &self,
            step: &$crate::optim::Step,
            parameter: &mut [f64],
            gradient: &[f64],
            state: &mut [&mut [f64]],
        ) {
            $update(self, step, parameter, gradient, state);
        }
    };
}

pub(super) use updates;
