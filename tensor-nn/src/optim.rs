//! Optimisers: how the parameters of a model are updated from its gradient.
//!
//! An [`Optimizer`] is a [`Rule`] such as [`AdamW`], a learning rate, and the state of the rule for each
//! parameter. One step takes the model and its gradient, which is a value of the model's own type, and
//! updates the parameters in place.
//!
//! ```
//! use tensor_core::tensor;
//! use tensor_nn::Module;
//! use tensor_nn::optim::{AdamW, Cosine, Group, Optimizer, Schedule, WarmUp, clip_norm};
//!
//! // Any model will do: here a matrix and a bias.
//! let mut model = (tensor![[1.0, -2.0], [3.0, 4.0]], tensor![0.5, 0.5]);
//!
//! let schedule = WarmUp { steps: 10, then: Cosine { rate: 0.1, end: 0.0, steps: 100 } };
//! let mut optimizer = Optimizer::new(AdamW { decay: 0.1, ..AdamW::default() }, 0.1)
//!     .with_group(|name| name == "1", Group { decay: Some(0.0), ..Group::default() });
//!
//! for step in 0..100 {
//!     // The gradient of the sum of squares.
//!     let mut gradient = (&model.0 * 2.0, &model.1 * 2.0);
//!     clip_norm(&mut gradient, 1.0);
//!     optimizer.set_rate(schedule.rate(step));
//!     optimizer.step(&mut model, &gradient)?;
//! }
//! assert!(model.0.abs().max().item() < 2.0);
//! # Ok::<(), tensor_nn::optim::StepError>(())
//! ```
//!
//! An optimiser is a [`Module`]: its state is saved and loaded like a model, in the same file as the
//! model if both are fields of one struct, and resumed training is bit-identical to an uninterrupted run.
//!
//! ```
//! use tensor_core::{Tensor, shape};
//! use tensor_nn::Module;
//! use tensor_nn::optim::{Optimizer, Sgd};
//!
//! #[derive(Module)]
//! struct Training {
//!     model: Tensor<shape![3]>,
//!     optimizer: Optimizer,
//! }
//!
//! let rule = Sgd { momentum: 0.9, ..Sgd::default() };
//! let model = Tensor::zeros();
//! let optimizer = Optimizer::new(rule, 0.1).with_state_of(&model);
//! let training = Training { model, optimizer };
//! assert_eq!(
//!     training.names(),
//!     ["model", "optimizer.rate", "optimizer.step", "optimizer.momentum_buffer"]
//! );
//! ```
//!
//! A whole training that is resumed. The file has the parameters, the buffers, and the state of the optimiser with the
//! [number of steps](Optimizer::steps). The schedule and the random generator follow from that number: the rate is that
//! of the step, and [`Generator::at`](tensor_core::random::Generator::at) draws the same numbers in the same step.
//!
//! ```
//! use tensor_core::autograd::value_and_grad;
//! use tensor_core::random::Generator;
//! use tensor_core::{Module, Tensor, dim, shape};
//! use tensor_nn::layers::{BatchNorm1d, Dropout, Linear, Pass, Sequential};
//! use tensor_nn::losses::mse;
//! use tensor_nn::optim::{AdamW, Cosine, Optimizer, Schedule};
//!
//! type Hidden = dim!(8);
//! type Model = Sequential<(Linear<dim!(4), Hidden>, BatchNorm1d<Hidden>, Dropout, Linear<Hidden, dim!(1)>)>;
//!
//! #[derive(Module)]
//! struct Training {
//!     model: Model,
//!     optimizer: Optimizer,
//! }
//!
//! impl Training {
//!     fn new() -> Self {
//!         let rng = &mut Generator::seed(42);
//!         let layers = (Linear::new(rng), BatchNorm1d::new(), Dropout::new(0.1), Linear::new(rng));
//!         let model = Sequential(layers);
//!         let optimizer = Optimizer::new(AdamW::default(), 0.0).with_state_of(&model);
//!         Self { model, optimizer }
//!     }
//!
//!     fn train(&mut self, steps: usize) -> Result<(), Box<dyn std::error::Error>> {
//!         let schedule = Cosine { rate: 1e-2, end: 0.0, steps: 20 };
//!         while self.optimizer.steps() < steps {
//!             let step = self.optimizer.steps();
//!             let mut rng = Generator::at(1, &Tensor::scalar(step as i64));
//!             let x: Tensor<shape![16, 4]> = rng.normal(0.0, 1.0);
//!             let mut pass = Pass::training(&mut rng);
//!             let (_, gradient) = value_and_grad(&self.model, |model| {
//!                 mse(&model.forward(&x, &mut pass).squeeze::<-1>(), &x.sum_axis::<-1>())
//!             });
//!             self.optimizer.set_rate(schedule.rate(step));
//!             self.optimizer.step(&mut self.model, &gradient)?;
//!             pass.update(&mut self.model);
//!         }
//!         Ok(())
//!     }
//! }
//!
//! let mut whole = Training::new();
//! whole.train(20)?;
//!
//! # #[cfg(feature = "safetensors")] {
//! let path = std::env::temp_dir().join("tensor-nn-doc-resumed.safetensors");
//! let mut first = Training::new();
//! first.train(7)?;
//! first.save(&path)?;
//!
//! let mut resumed = Training::new();
//! resumed.load(&path)?;
//! resumed.train(20)?;
//! for ((name, _, a), (_, _, b)) in resumed.tensors().into_iter().zip(whole.tensors()) {
//!     assert_eq!(a.get::<f32>(), b.get::<f32>(), "the same bits of `{name}`");
//! }
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Parameters that the loss does not depend on
//!
//! The gradient of a model has a tensor for each parameter, of zeros where the loss does not depend on it. A step with
//! zeros is a step: weight decay shrinks the parameter, and momentum still moves it. PyTorch does the same if `grad` is
//! zero, and skips a parameter whose `grad` is `None`. To skip one here, make it
//! [`Frozen`](tensor_core::module::Frozen), or step another part of the model:
//! `optimizer.step(&mut model.head, &gradient.head)`. A [`Group`] with `decay: Some(0.0)` has no decay alone.

mod adam;
mod clip;
mod error;
mod gradient;
mod lion;
mod loss_scale;
mod real;
mod rms_prop;
mod rule;
mod schedule;
mod sgd;
mod slot;
mod traced;

use core::fmt;
use std::sync::Arc;

use tensor_core::module::{AnyTensor, Module, Path, Role, Visitor, VisitorMut, WalkShapes};
use tensor_core::trace::is_traced;
use tensor_core::{DynTensor, Tensor};

pub use adam::{Adam, AdamW};
pub use clip::{clip_norm, clip_value, norm};
pub use error::{Misfit, StepError};
#[cfg_attr(doc, doc(hidden))]
pub use gradient::{GradientFor, GradientOf};
pub use lion::Lion;
pub use loss_scale::LossScale;
pub use rms_prop::RmsProp;
pub use rule::{ParameterStep, Rule};
pub use schedule::{Cosine, Exponential, Join, LinearSchedule, Schedule, Steps, WarmUp};
pub use sgd::Sgd;

use crate::numbers::not_negative;
use error::{Fit, Names};
use slot::Slot;
use traced::Symbol;

/// A [`Rule`], a learning rate, and the state of the rule for each parameter.
///
/// ```
/// use tensor_core::tensor;
/// use tensor_nn::optim::{Optimizer, Sgd};
///
/// let mut model = tensor![1.0, 2.0];
/// let mut optimizer = Optimizer::new(Sgd::default(), 0.1);
/// optimizer.step(&mut model, &tensor![10.0, -10.0])?;
/// assert_eq!(model, tensor![0.0, 3.0]);
/// # Ok::<(), tensor_nn::optim::StepError>(())
/// ```
#[derive(Clone)]
pub struct Optimizer {
    rule: Arc<dyn Rule>,
    rate: Tensor<(), f64>,
    groups: Vec<(Predicate, Group)>,
    /// The state of each parameter, in the order of the model.
    slots: Vec<Slot>,
}

/// A predicate on parameter names that decides which parameters are in a group.
type Predicate = Arc<dyn Fn(&str) -> bool + Send + Sync>;

/// Options of some of the parameters; [`Optimizer::with_group`] selects them by name.
///
/// ```
/// use tensor_nn::optim::Group;
///
/// let biases = Group { decay: Some(0.0), ..Group::default() };
/// assert_eq!(biases.rate, 1.0);
/// ```
#[doc(alias = "param_groups")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Group {
    /// The factor of the optimiser's rate, which schedules change for all groups; finite and at least 0.
    pub rate: f64,
    /// The weight decay, instead of that of the rule; finite and at least 0.
    pub decay: Option<f64>,
}

impl Default for Group {
    fn default() -> Self {
        Self { rate: 1.0, decay: None }
    }
}

impl Optimizer {
    /// An optimiser with this rule and learning rate, and no state yet.
    ///
    /// # Panics
    ///
    /// If the rate is negative or not finite, or if a number of the rule is not in the range that the
    /// documentation of its field has.
    ///
    /// ```
    /// use tensor_nn::optim::{Adam, Optimizer};
    ///
    /// let optimizer = Optimizer::new(Adam { betas: (0.9, 0.95), ..Adam::default() }, 3e-4);
    /// assert_eq!(optimizer.rate(), 3e-4);
    /// ```
    #[doc(alias = "lr")]
    #[track_caller]
    pub fn new(rule: impl Rule + 'static, rate: f64) -> Self {
        rule.check();
        not_negative("the rate of the optimiser", rate);
        let rate = Tensor::scalar(rate);
        Self { rule: Arc::new(rule), rate, groups: Vec::new(), slots: Vec::new() }
    }

    /// Sets another rate or decay for the parameters whose names satisfy `belongs`. A parameter that fits
    /// several groups is in the first of them.
    ///
    /// # Panics
    ///
    /// If a number of the group is negative or not finite.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::optim::{Group, Optimizer, Sgd};
    ///
    /// let mut optimizer = Optimizer::new(Sgd::default(), 0.1)
    ///     .with_group(|name| name.starts_with("1"), Group { rate: 10.0, ..Group::default() });
    /// let mut model = (tensor![0.0], tensor![0.0]);
    /// optimizer.step(&mut model, &(tensor![1.0], tensor![1.0]))?;
    /// assert_eq!(model, (tensor![-0.1], tensor![-1.0]));
    /// # Ok::<(), tensor_nn::optim::StepError>(())
    /// ```
    #[must_use]
    #[track_caller]
    pub fn with_group(
        mut self,
        belongs: impl Fn(&str) -> bool + Send + Sync + 'static,
        group: Group,
    ) -> Self {
        not_negative("the rate of the group", group.rate);
        not_negative("the decay of the group", group.decay.unwrap_or_default());
        self.groups.push((Arc::new(belongs), group));
        for slot in &mut self.slots {
            slot.group = group_of(&self.groups, &slot.name);
        }
        self
    }

    /// Allocates zeroed state for the parameters of a model. The first step does so as well; call this to
    /// have the state before a file is loaded into it.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::Module;
    /// use tensor_nn::optim::{Adam, Optimizer};
    ///
    /// let model = vec![tensor![1.0], tensor![2.0]];
    /// let optimizer = Optimizer::new(Adam::default(), 1e-3).with_state_of(&model);
    /// assert_eq!(
    ///     optimizer.names(),
    ///     ["rate", "0.step", "0.exp_avg", "0.exp_avg_sq", "1.step", "1.exp_avg", "1.exp_avg_sq"]
    /// );
    /// ```
    #[must_use]
    pub fn with_state_of(mut self, model: &impl Module) -> Self {
        self.prepare(model);
        self
    }

    /// The learning rate of the next step, without the factors of groups.
    ///
    /// ```
    /// use tensor_nn::optim::{Optimizer, Sgd};
    ///
    /// assert_eq!(Optimizer::new(Sgd::default(), 0.1).rate(), 0.1);
    /// ```
    pub fn rate(&self) -> f64 {
        self.rate.item()
    }

    /// Sets the learning rate of the next steps, usually from a [`Schedule`].
    ///
    /// # Panics
    ///
    /// If the rate is negative or not finite.
    ///
    /// ```
    /// use tensor_nn::optim::{Cosine, Optimizer, Schedule, Sgd};
    ///
    /// let mut optimizer = Optimizer::new(Sgd::default(), 0.1);
    /// optimizer.set_rate(Cosine { rate: 0.1, end: 0.0, steps: 10 }.rate(5));
    /// assert!((optimizer.rate() - 0.05).abs() < 1e-12);
    /// ```
    #[track_caller]
    pub fn set_rate(&mut self, rate: f64) {
        not_negative("the rate of the optimiser", rate);
        self.rate = Tensor::scalar(rate);
    }

    /// [`set_rate`](Self::set_rate) by a tensor: in a step that is [traced](tensor_core::trace::trace()), the rate is an input of
    /// the program, and may differ from call to call.
    ///
    /// # Panics
    ///
    /// If the tensor is not traced, and the rate is negative or not finite.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_core::trace::try_trace;
    /// use tensor_core::Tensor;
    /// use tensor_nn::optim::{Optimizer, Sgd};
    ///
    /// let (model, rate) = (tensor![1.0, 2.0], Tensor::scalar(0.1));
    /// let optimizer = Optimizer::new(Sgd::default(), 0.0).with_state_of(&model);
    /// let program = try_trace(&(model.clone(), rate), |(model, rate)| {
    ///     let (mut model, mut optimizer) = (model.clone(), optimizer.clone());
    ///     optimizer.set_rate_tensor(rate);
    ///     optimizer.step(&mut model, &tensor![1.0, 1.0])?;
    ///     Ok::<_, tensor_nn::optim::StepError>(model)
    /// })?;
    /// assert_eq!(program.run(&(model, Tensor::scalar(0.5)))?, tensor![0.5, 1.5]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[track_caller]
    pub fn set_rate_tensor(&mut self, rate: &Tensor<(), f64>) {
        if !is_traced(rate) {
            not_negative("the rate of the optimiser", rate.item());
        }
        self.rate = rate.clone();
    }

    /// The number of steps that have been made: that of the next step, counted from 0, for a [`Schedule`]. It is saved and
    /// loaded with the state. In a model whose parameters joined at different times, it is the number of the first.
    ///
    /// # Panics
    ///
    /// If a step is being traced: the number is known only when the program runs.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::optim::{Cosine, Optimizer, Schedule, Sgd};
    ///
    /// let schedule = Cosine { rate: 0.1, end: 0.0, steps: 10 };
    /// let (mut model, mut optimizer) = (tensor![1.0], Optimizer::new(Sgd::default(), 0.0));
    /// for step in 0..5 {
    ///     assert_eq!(optimizer.steps(), step);
    ///     optimizer.set_rate(schedule.rate(optimizer.steps()));
    ///     optimizer.step(&mut model, &tensor![0.5])?;
    /// }
    /// # Ok::<(), tensor_nn::optim::StepError>(())
    /// ```
    #[doc(alias = "last_epoch")]
    #[track_caller]
    pub fn steps(&self) -> usize {
        let steps = self.slots.iter().map(Slot::steps).max().unwrap_or(0);
        usize::try_from(steps).unwrap_or(0)
    }

    /// Updates the parameters of the model by one step against the gradient.
    ///
    /// Only parameters change: buffers and frozen tensors stay as they are, whatever their gradient.
    /// A parameter whose storage is not shared is updated in place, in one pass over it, its
    /// gradient and its state. 16-bit parameters are updated, and their state is kept, in `f32`.
    ///
    /// # Errors
    ///
    /// If a gradient or a state does not match the model: all mismatches. Nothing is changed then. Models of
    /// one type can differ in what is known at run time: the length of a `Vec`, an `Option`, a named axis.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::optim::{Optimizer, Sgd};
    ///
    /// let mut model = vec![tensor![1.0], tensor![2.0]];
    /// let mut optimizer = Optimizer::new(Sgd::default(), 0.5);
    /// optimizer.step(&mut model, &vec![tensor![1.0], tensor![1.0]])?;
    /// assert_eq!(model, [tensor![0.5], tensor![1.5]]);
    ///
    /// let error = optimizer.step(&mut model, &vec![tensor![1.0]]).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "the gradient does not fit the model:\n  `1` is missing"
    /// );
    /// # Ok::<(), tensor_nn::optim::StepError>(())
    /// ```
    #[tensor_core::diagnostics::bounds_without_source]
    pub fn step<M, G>(&mut self, model: &mut M, gradient: G) -> Result<(), StepError>
    where
        M: Module,
        G: GradientFor<M>,
    {
        self.step_erased(model, gradient.gradient())
    }

    /// The implementation of [`step`](Self::step), compiled once for all models.
    fn step_erased(
        &mut self,
        model: &mut dyn Module,
        gradient: &dyn Module,
    ) -> Result<(), StepError> {
        self.prepare(model);
        let gradients = self.fit(model, gradient)?;
        let decay = self.rule.decay();
        let is_traced =
            is_traced(&self.rate) || gradients.iter().any(|gradient| is_traced(*gradient));
        let rate = (!is_traced).then(|| self.rate());
        let traced = (is_traced && !self.slots.is_empty()).then(|| self.traced_numbers());
        let mut slots = self.slots.iter_mut().zip(&gradients).enumerate();
        model.visit_mut(&Path::ROOT, &mut |_, role, tensor| {
            if role != Role::Parameter {
                return;
            }
            if let Some((index, (slot, gradient))) = slots.next() {
                let group = slot.group.map(|group| self.groups[group].1).unwrap_or_default();
                let decay = group.decay.unwrap_or(decay);
                if let Some(numbers) = traced {
                    traced::begin(index);
                    slot.update_traced(&*self.rule, numbers, decay, tensor, *gradient);
                } else if let Some(rate) = rate {
                    slot.update(&*self.rule, rate * group.rate, decay, tensor, *gradient);
                }
            }
        });
        traced::clear();
        Ok(())
    }

    /// The rates and the counts of all parameters, of which there are some, in a step that is being traced.
    fn traced_numbers(&mut self) -> (Symbol<f64>, Symbol<f64>) {
        let factor = |slot: &Slot| slot.group.map_or(1.0, |group| self.groups[group].1.rate);
        let factors: Vec<f64> = self.slots.iter().map(factor).collect();
        let factors = DynTensor::from_vec(&[factors.len()], factors).expect("a vector");
        let rates = &DynTensor::from(self.rate.clone()) * &factors;
        let counts: Vec<DynTensor<i64>> = self.slots.iter_mut().map(Slot::count_traced).collect();
        let counts = DynTensor::stack(&counts, 0).expect("numbers");
        (Symbol::new(rates.expect("a number and a vector")), Symbol::new(counts.cast()))
    }

    /// Makes one slot for each parameter, in the order of the model; existing state is kept.
    fn prepare(&mut self, model: &dyn Module) {
        let mut position = 0;
        let mut is_known = true;
        model.visit(&Path::ROOT, &mut |path, role, _| {
            if role == Role::Parameter {
                is_known &= self.slots.get(position).is_some_and(|slot| slot.is_of(path));
                position += 1;
            }
        });
        if is_known && position == self.slots.len() {
            return;
        }
        let mut known = core::mem::take(&mut self.slots);
        model.visit(&Path::ROOT, &mut |path, role, tensor| {
            if role == Role::Parameter {
                let slot = match known.iter().position(|slot| slot.is_of(path)) {
                    Some(position) => known.swap_remove(position),
                    None => {
                        let name = path.to_string();
                        let group = group_of(&self.groups, &name);
                        Slot::new(name, group, self.rule.state(), tensor)
                    }
                };
                self.slots.push(slot);
            }
        });
    }

    /// The tensors of the gradient, compared with the model and with the state, which has the names of the
    /// model's parameters.
    fn fit<'a>(
        &self,
        model: &dyn Module,
        gradient: &'a dyn Module,
    ) -> Result<Vec<&'a dyn AnyTensor>, StepError> {
        let mut gradients: Vec<&dyn AnyTensor> = Vec::with_capacity(self.slots.len());
        let mut fits = true;
        gradient.visit(&Path::ROOT, &mut |path, role, tensor| {
            if role == Role::Parameter {
                fits &= self.slots.get(gradients.len()).is_some_and(|slot| slot.is_of(path));
                gradients.push(tensor);
            }
        });
        fits &= gradients.len() == self.slots.len();
        let mut slots = self.slots.iter().zip(&gradients);
        model.visit(&Path::ROOT, &mut |_, role, tensor| {
            if role == Role::Parameter
                && let Some((slot, gradient)) = slots.next()
            {
                fits &= gradient.element_name() == tensor.element_name()
                    && gradient.sizes() == tensor.sizes()
                    && slot.fits(tensor).is_none();
            }
        });
        if fits {
            return Ok(gradients);
        }
        let (model, gradient) = (parameters(model), parameters(gradient));
        Err(StepError::new(Fit { model: &model, gradient: &gradient, slots: &self.slots }))
    }
}

/// The index of the group of a parameter.
fn group_of(groups: &[(Predicate, Group)], name: &str) -> Option<usize> {
    groups.iter().position(|(belongs, _)| belongs(name))
}

/// The parameters of a model or of a gradient.
struct Parameters<'a> {
    names: Names,
    tensors: Vec<&'a dyn AnyTensor>,
}

fn parameters(module: &dyn Module) -> Parameters<'_> {
    let mut parameters = Parameters { names: Names::default(), tensors: Vec::new() };
    module.visit(&Path::ROOT, &mut |path, role, tensor| {
        if role == Role::Parameter {
            parameters.names.push(path);
            parameters.tensors.push(tensor);
        }
    });
    parameters
}

/// Visits the rate, and for each parameter its number of steps and the tensors of the rule.
impl Module for Optimizer {
    fn visit<'a>(&'a self, path: &Path<'_>, visitor: &mut Visitor<'a, '_>) {
        visitor(&path.field("rate"), Role::Buffer, &self.rate);
        for slot in &self.slots {
            slot.visit(path, visitor);
        }
    }

    fn visit_mut<'a>(&'a mut self, path: &Path<'_>, visitor: &mut VisitorMut<'a, '_>) {
        visitor(&path.field("rate"), Role::Buffer, &mut self.rate);
        for slot in &mut self.slots {
            slot.visit_mut(path, visitor);
        }
    }
}

/// Its tensors have the shapes of parameters, which a walk visits with the model.
impl<V, In> WalkShapes<V, In> for Optimizer {
    type Out = In;
}

impl fmt::Debug for Optimizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Optimizer")
            .field("rule", &self.rule)
            .field("rate", &self.rate())
            .field("groups", &self.groups.iter().map(|(_, group)| group).collect::<Vec<_>>())
            .field("parameters", &self.slots.len())
            .finish()
    }
}
