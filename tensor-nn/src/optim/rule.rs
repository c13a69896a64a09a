//! [`Rule`]: how a step updates one parameter.

use core::fmt;

/// How a step updates one parameter, given as slices of the same length.
///
/// The rules of this crate are written once for both element types; `f64` models are
/// trained in `f64`, all others in `f32`.
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
    /// The names of the state tensors of each parameter, which are initialised to 0.
    fn state(&self) -> &'static [&'static str];

    /// Panics where a number of the rule is not allowed: [`Optimizer::new`](super::Optimizer::new) calls it.
    #[track_caller]
    fn check(&self) {}

    /// The weight decay, unless a group sets another.
    fn decay(&self) -> f64 {
        0.0
    }

    /// Updates a parameter and its state, in the order of [`state`](Self::state).
    fn update_f32(
        &self,
        step: &Step,
        parameter: &mut [f32],
        gradient: &[f32],
        state: &mut [&mut [f32]],
    );

    /// [`update_f32`](Self::update_f32) for `f64`.
    fn update_f64(
        &self,
        step: &Step,
        parameter: &mut [f64],
        gradient: &[f64],
        state: &mut [&mut [f64]],
    );
}

/// The numbers of a step for one parameter.
///
/// ```
/// use tensor_nn::optim::Step;
///
/// let step = Step { rate: 0.1, decay: 0.0, count: 1 };
/// assert_eq!(step.count, 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// The learning rate, multiplied by the factor of the group.
    pub rate: f64,
    /// The weight decay.
    pub decay: f64,
    /// The number of the parameter's step, counted from 1.
    pub count: u64,
}

/// Generates both updates of a rule from one generic function.
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
