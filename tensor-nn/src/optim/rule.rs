//! [`Rule`]: how a step updates one parameter.

use core::fmt;

use tensor_core::DynTensor;
use tensor_core::module::{AnyTensor, AssignError};

use super::traced::{Symbol, Symbolic};

/// How a step updates one parameter, given as slices of the same length.
///
/// The rules of this crate are written once for both element types; `f64` models are
/// trained in `f64`, all others in `f32`.
///
/// ```
/// use tensor_core::tensor;
/// use tensor_nn::optim::{Optimizer, ParameterStep, Rule};
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
///     fn update_f32(&self, step: &ParameterStep, x: &mut [f32], g: &[f32], _: &mut [&mut [f32]]) {
///         x.iter_mut().zip(g).for_each(|(x, g)| *x -= step.rate as f32 * g.signum());
///     }
///
///     fn update_f64(&self, step: &ParameterStep, x: &mut [f64], g: &[f64], _: &mut [&mut [f64]]) {
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
        step: &ParameterStep,
        parameter: &mut [f32],
        gradient: &[f32],
        state: &mut [&mut [f32]],
    );

    /// [`update_f32`](Self::update_f32) for `f64`.
    fn update_f64(
        &self,
        step: &ParameterStep,
        parameter: &mut [f64],
        gradient: &[f64],
        state: &mut [&mut [f64]],
    );

    /// The update as steps of a program that is being [traced](tensor_core::trace::trace()): the rules of this crate have
    /// it, others panic.
    #[doc(hidden)]
    #[track_caller]
    fn update_traced(&self, _: TracedStep<'_>) {
        panic!("the rule {self:?} cannot be traced: only those of tensor-nn can");
    }
}

/// The numbers of a step for one parameter.
///
/// ```
/// use tensor_nn::optim::ParameterStep;
///
/// let step = ParameterStep { rate: 0.1, decay: 0.0, count: 1 };
/// assert_eq!(step.count, 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParameterStep {
    /// The learning rate, multiplied by the factor of the group.
    pub rate: f64,
    /// The weight decay.
    pub decay: f64,
    /// The number of the parameter's step, counted from 1.
    pub count: u64,
}

/// The numbers of a step that a rule of this crate reads.
pub(super) struct Pace<N> {
    /// The learning rate.
    pub rate: N,
    /// The weight decay.
    pub decay: f64,
    /// The number of the step, from 1 on.
    pub count: N,
}

impl From<&ParameterStep> for Pace<f64> {
    fn from(step: &ParameterStep) -> Self {
        Self { rate: step.rate, decay: step.decay, count: step.count as f64 }
    }
}

/// A step for one parameter in a program that is being traced. The rates and counts are those of all parameters.
#[doc(hidden)]
pub struct TracedStep<'a> {
    pub(super) rate: Symbol<f64>,
    pub(super) decay: f64,
    pub(super) count: Symbol<f64>,
    pub(super) parameter: &'a mut dyn AnyTensor,
    pub(super) gradient: &'a dyn AnyTensor,
    pub(super) state: Vec<&'a mut dyn AnyTensor>,
}

impl TracedStep<'_> {
    /// Calls an update with symbols: in `f64` if the parameter is, otherwise in `f32`.
    pub(super) fn update(
        mut self,
        of_f32: impl FnOnce(&PaceOf, &mut [Symbol<f32>], &[Symbol<f32>], &mut [&mut [Symbol<f32>]]),
        of_f64: impl FnOnce(&PaceOf, &mut [Symbol<f64>], &[Symbol<f64>], &mut [&mut [Symbol<f64>]]),
    ) {
        if self.parameter.element_name() == "f64" {
            self.update_by(of_f64, |tensor| tensor.get(), |tensor, new| tensor.assign(new));
        } else {
            self.update_by(of_f32, |tensor| tensor.to_f32(), |tensor, new| tensor.assign_f32(new));
        }
    }

    fn update_by<T: Symbolic>(
        &mut self,
        update: impl FnOnce(&PaceOf, &mut [Symbol<T>], &[Symbol<T>], &mut [&mut [Symbol<T>]]),
        get: impl Fn(&dyn AnyTensor) -> Option<DynTensor<T>>,
        assign: impl Fn(&mut dyn AnyTensor, DynTensor<T>) -> Result<(), AssignError>,
    ) {
        let read =
            |tensor: &dyn AnyTensor| Symbol::new(get(tensor).expect("parameters are floats"));
        let pace = Pace { rate: self.rate, decay: self.decay, count: self.count };
        let (mut parameter, gradient) = ([read(self.parameter)], [read(self.gradient)]);
        let mut state: Vec<[Symbol<T>; 1]> =
            self.state.iter().map(|state| [read(&**state)]).collect();
        let mut slices: Vec<&mut [Symbol<T>]> =
            state.iter_mut().map(|symbol| &mut symbol[..]).collect();
        update(&pace, &mut parameter, &gradient, &mut slices);
        let fits = "an update keeps sizes";
        assign(self.parameter, parameter[0].tensor()).expect(fits);
        for (tensor, [symbol]) in self.state.iter_mut().zip(state) {
            assign(&mut **tensor, symbol.tensor()).expect(fits);
        }
    }
}

/// The numbers of a step as symbols.
type PaceOf = Pace<Symbol<f64>>;

/// Generates the updates of a rule from one generic function.
macro_rules! updates {
    ($update:ident) => {
        fn update_f32(
            &self,
            step: &$crate::optim::ParameterStep,
            parameter: &mut [f32],
            gradient: &[f32],
            state: &mut [&mut [f32]],
        ) {
            $update(self, &step.into(), parameter, gradient, state);
        }

        fn update_f64(
            &self,
            step: &$crate::optim::ParameterStep,
            parameter: &mut [f64],
            gradient: &[f64],
            state: &mut [&mut [f64]],
        ) {
            $update(self, &step.into(), parameter, gradient, state);
        }

        fn update_traced(&self, step: $crate::optim::rule::TracedStep<'_>) {
            step.update(
                |pace, x, g, state| $update(self, pace, x, g, state),
                |pace, x, g, state| $update(self, pace, x, g, state),
            );
        }
    };
}

pub(super) use updates;
