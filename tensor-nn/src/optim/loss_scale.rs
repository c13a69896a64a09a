//! Loss scaling: gradients in `f16` that are neither 0 nor infinite.

use core::convert::Infallible;

use tensor_core::autograd::{Loss, try_value_and_scaled_grad};
use tensor_core::module::{Module, Path, Role};
use tensor_core::trace::has_traced;
use tensor_core::{DynTensor, Element, Tensor, select};

use super::clip::{Change, FLOATS, change};
use super::gradient::GradientFor;
use super::{Optimizer, StepError};
use crate::numbers::check;

/// A factor of the loss for training with products in `f16`, as PyTorch's `GradScaler`.
///
/// The least magnitude of `f16` is 6·10⁻⁸: smaller gradients of products would be 0. The loss is multiplied by the scale, and
/// the gradient of the parameters, which is `f32`, divided by it. A step whose gradient is not finite is not made, and halves the
/// scale, down to 1; `period` steps in a row that are made double it. `bf16` has the range of `f32` and needs no scale.
///
/// It is a [`Module`] with the tensors `scale` and `growth_tracker`, and belongs into the state of a training, next to the model
/// and the optimiser: so a checkpoint has it, and a compiled step keeps it on the device.
///
/// Micikevicius and others: Mixed precision training, 2017, arXiv:1710.03740.
///
/// ```
/// use tensor_core::precision::{autocast, f16};
/// use tensor_core::tensor;
/// use tensor_nn::optim::{LossScale, Optimizer, Sgd};
///
/// let (mut weights, x) = (tensor![[1.0_f32], [-2.0]], tensor![[1e-4, 2e-4]]);
/// let (mut optimizer, mut scale) = (Optimizer::new(Sgd::default(), 0.1), LossScale::default());
/// let (loss, gradient) = autocast::<f16, _>(|| {
///     scale.value_and_grad(&weights, |weights| (x.dot(weights) - 1.0).square().mean() * 1e-4)
/// });
/// // Without the scale, `f16` would round these to 0 and -6·10⁻⁸.
/// assert!(gradient.all_close(&tensor![[-2e-8], [-4e-8]], 1e-3, 0.0));
/// assert!(scale.step(&mut optimizer, &mut weights, &gradient)?.item());
/// # let _ = loss;
/// # Ok::<(), tensor_nn::optim::StepError>(())
/// ```
#[doc(alias("GradScaler", "DynamicLossScale", "DynamicLossScaler"))]
#[derive(Clone, Debug, PartialEq, Module)]
pub struct LossScale {
    #[module(buffer)]
    scale: Tensor<(), f32>,
    /// The number of steps since the scale was changed.
    #[module(buffer, rename = "growth_tracker")]
    steps: Tensor<(), i64>,
    /// The number of steps in a row after which the scale doubles.
    #[module(value = PERIOD)]
    period: u32,
}

/// As PyTorch's.
const PERIOD: u32 = 2000;

impl Default for LossScale {
    /// A scale of 65536, which doubles after 2000 steps: PyTorch's values.
    fn default() -> Self {
        Self::new(65536.0, PERIOD)
    }
}

impl LossScale {
    /// A scale that begins with this factor, and doubles after `period` steps in a row that are made.
    ///
    /// # Panics
    ///
    /// If the factor is not finite or less than 1, or if the period is 0.
    ///
    /// ```
    /// use tensor_nn::optim::LossScale;
    ///
    /// assert_eq!(LossScale::new(1024.0, 100).scale(), 1024.0);
    /// ```
    #[track_caller]
    pub fn new(scale: f32, period: u32) -> Self {
        check(
            scale.is_finite() && scale >= 1.0,
            "the scale of the loss",
            scale.into(),
            "finite and at least 1",
        );
        check(period > 0, "the period of the scale", period.into(), "at least 1");
        Self { scale: Tensor::scalar(scale), steps: Tensor::scalar(0), period }
    }

    /// The factor of the next loss.
    ///
    /// # Panics
    ///
    /// If a step is being traced: the scale is known only when the program runs.
    ///
    /// ```
    /// use tensor_nn::optim::LossScale;
    ///
    /// assert_eq!(LossScale::default().scale(), 65536.0);
    /// ```
    #[track_caller]
    pub fn scale(&self) -> f32 {
        self.scale.item()
    }

    /// [`value_and_grad`](tensor_core::autograd::value_and_grad) with gradients that are computed from the scaled loss, and
    /// divided by the scale.
    ///
    /// # Panics
    ///
    /// If the loss does not depend on a parameter.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::optim::LossScale;
    ///
    /// let scale = LossScale::default();
    /// let (loss, gradient) = scale.value_and_grad(&tensor![3.0_f32], |x| x.square().sum());
    /// assert_eq!((loss.item(), gradient), (9.0, tensor![6.0]));
    /// ```
    #[tensor_core::diagnostics::bounds_without_source]
    #[track_caller]
    pub fn value_and_grad<M, L>(
        &self,
        model: &M,
        loss: impl FnOnce(&M) -> L,
    ) -> (<L as Loss>::Value, M)
    where
        M: Module + Clone,
        L: Loss,
    {
        let Ok(found) = self.try_value_and_grad(model, |model| Ok::<_, Infallible>(loss(model)));
        found
    }

    /// [`value_and_grad`](Self::value_and_grad) of a function that may fail, for example by a class out of range.
    ///
    /// # Errors
    ///
    /// That of the function.
    ///
    /// # Panics
    ///
    /// If the loss does not depend on a parameter.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::losses::cross_entropy;
    /// use tensor_nn::optim::LossScale;
    ///
    /// let (scores, scale) = (tensor![[2.0_f32, 2.0]], LossScale::default());
    /// let (_, gradient) = scale.try_value_and_grad(&scores, |scores| cross_entropy(scores, &tensor![1]))?;
    /// assert_eq!(gradient, tensor![[0.5, -0.5]]);
    /// # Ok::<(), tensor_core::IndexError>(())
    /// ```
    #[tensor_core::diagnostics::bounds_without_source]
    #[track_caller]
    pub fn try_value_and_grad<M, L: Loss, E>(
        &self,
        model: &M,
        loss: impl FnOnce(&M) -> Result<L, E>,
    ) -> Result<(L::Value, M), E>
    where
        M: Module + Clone,
    {
        let (value, mut gradient) = try_value_and_scaled_grad(model, &self.scale, loss)?;
        change(&mut gradient, &Change::Scale(1.0 / self.scale.cast::<f64>()));
        Ok((value, gradient))
    }

    /// [`Optimizer::step`] if all elements of the gradient are finite, and an update of the scale: whether the step was made.
    ///
    /// A step that is not made changes neither the model nor the optimiser, not even the number of its steps. In a program that
    /// is being [traced](tensor_core::trace::trace()), both are computed, and one is chosen when it runs.
    ///
    /// # Errors
    ///
    /// Those of [`Optimizer::step`]. Nothing is changed then.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::optim::{LossScale, Optimizer, Sgd};
    ///
    /// let mut model = tensor![1.0_f32];
    /// let (mut optimizer, mut scale) = (Optimizer::new(Sgd::default(), 0.5), LossScale::new(1024.0, 100));
    /// let is_made = scale.step(&mut optimizer, &mut model, &tensor![f32::INFINITY])?;
    /// assert_eq!((is_made.item(), &model, scale.scale()), (false, &tensor![1.0], 512.0));
    /// assert!(scale.step(&mut optimizer, &mut model, &tensor![1.0])?.item());
    /// assert_eq!(model, tensor![0.5]);
    /// # Ok::<(), tensor_nn::optim::StepError>(())
    /// ```
    #[tensor_core::diagnostics::bounds_without_source]
    pub fn step<M, G>(
        &mut self,
        optimizer: &mut Optimizer,
        model: &mut M,
        gradient: G,
    ) -> Result<Tensor<(), bool>, StepError>
    where
        M: Module + Clone,
        G: GradientFor<M>,
    {
        let gradient = gradient.gradient();
        let is_finite = is_finite(gradient);
        if has_traced(&is_finite) {
            optimizer.prepare(model);
            let before = (model.clone(), optimizer.clone());
            optimizer.step_erased(model, gradient)?;
            keep_unless(&is_finite, model, &before.0);
            keep_unless(&is_finite, optimizer, &before.1);
        } else if is_finite.item() {
            optimizer.step_erased(model, gradient)?;
        } else {
            optimizer.prepare(model);
            optimizer.fit(model, gradient)?;
        }
        self.update(&is_finite);
        Ok(is_finite)
    }

    fn update(&mut self, is_finite: &Tensor<(), bool>) {
        let steps = select(is_finite, &self.steps + 1, 0);
        let is_due = steps.greater_equal(i64::from(self.period));
        let twice = &self.scale * 2.0;
        let larger = select(twice.is_finite(), &twice, &self.scale);
        let kept = select(&is_due, &larger, &self.scale);
        self.scale = select(is_finite, &kept, (&self.scale * 0.5).maximum(1.0));
        self.steps = select(&is_due, 0, &steps);
    }
}

/// Whether all elements of a gradient are finite.
fn is_finite(gradient: &dyn Module) -> Tensor<(), bool> {
    let mut all = Tensor::scalar(true);
    gradient.visit(&Path::ROOT, &mut |_, role, tensor| {
        if role == Role::Parameter {
            let is_finite = match tensor.get::<f64>() {
                Some(tensor) => {
                    Tensor::try_from(tensor.is_finite().all()).expect("one truth value")
                }
                // Squares of other floats are not beyond the largest `f64`, in which they are added.
                None => tensor.sum_of_squares().expect(FLOATS).is_finite(),
            };
            all = &all & is_finite;
        }
    });
    all
}

/// The tensors of a module as they were before, unless a condition is true.
fn keep_unless(condition: &Tensor<(), bool>, module: &mut dyn Module, before: &dyn Module) {
    let condition = DynTensor::from(condition.clone());
    let mut old = Vec::new();
    before.visit(&Path::ROOT, &mut |_, _, tensor| old.push(tensor));
    let mut old = old.into_iter();
    module.visit_mut(&Path::ROOT, &mut |_, _, new| {
        let old = old.next().expect("one for each tensor");
        let chosen = match (new.get::<f64>(), new.get::<i64>(), new.to_f32()) {
            (Some(new_f64), ..) => new.assign(choice(&condition, &new_f64, old.get())),
            (_, Some(new_i64), _) => new.assign(choice(&condition, &new_i64, old.get())),
            // 16 bits: as `f32`, which is exact.
            (.., Some(new_f32)) => new.assign_f32(choice(&condition, &new_f32, old.to_f32())),
            // A buffer, which a step does not change.
            _ => Ok(()),
        };
        chosen.expect("the same shape");
    });
}

fn choice<T: Element>(
    condition: &DynTensor<bool>,
    new: &DynTensor<T>,
    old: Option<DynTensor<T>>,
) -> DynTensor<T> {
    let old = old.expect("the tensor before, of the same type");
    condition.select(new, &old).expect("a number, and tensors of one shape")
}
