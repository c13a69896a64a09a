//! Learning rate schedules: the rate of each step, as plain values.

use core::f64::consts::PI;

use crate::numbers::not_negative;

/// The learning rate of each step.
///
/// A schedule has no state: to resume training, request the rate of the next step.
/// A number is a constant schedule.
///
/// ```
/// use tensor_nn::optim::{Cosine, Schedule, WarmUp};
///
/// let schedule = WarmUp { steps: 4, then: Cosine { rate: 0.4, end: 0.0, steps: 100 } };
/// let rates: Vec<f64> = (0..4).map(|step| schedule.rate(step)).collect();
/// assert_eq!(rates, [0.1, 0.2, 0.30000000000000004, 0.4]);
/// assert_eq!(schedule.rate(104), 0.0);
/// assert_eq!(0.1.rate(1000), 0.1);
/// ```
#[doc(alias = "lr_scheduler")]
pub trait Schedule {
    /// The rate of a step, counted from 0.
    ///
    /// # Panics
    ///
    /// If a number of the schedule is negative or not finite.
    ///
    /// ```
    /// use tensor_nn::optim::{LinearSchedule, Schedule};
    ///
    /// assert_eq!(LinearSchedule { rate: 1.0, end: 0.5, steps: 10 }.rate(5), 0.75);
    /// ```
    #[track_caller]
    fn rate(&self, step: usize) -> f64;
}

impl Schedule for f64 {
    #[track_caller]
    fn rate(&self, _: usize) -> f64 {
        not_negative("the rate of the schedule", *self);
        *self
    }
}

impl<S: Schedule + ?Sized> Schedule for Box<S> {
    #[track_caller]
    fn rate(&self, step: usize) -> f64 {
        (**self).rate(step)
    }
}

/// A rate that is multiplied by a factor this many times.
fn multiplied(rate: f64, factor: f64, times: usize) -> f64 {
    // The power may be infinite.
    if rate == 0.0 { 0.0 } else { rate * factor.powf(times as f64) }
}

/// Multiplies the rate by `factor` after every `every` steps: PyTorch's `StepLR`.
///
/// ```
/// use tensor_nn::optim::{Schedule, Steps};
///
/// let schedule = Steps { rate: 1.0, factor: 0.5, every: 10 };
/// assert_eq!([0, 9, 10, 25].map(|step| schedule.rate(step)), [1.0, 1.0, 0.5, 0.25]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steps {
    /// The initial rate.
    pub rate: f64,
    /// The factor that the rate is multiplied by.
    pub factor: f64,
    /// The number of steps between changes; 0 for none.
    pub every: usize,
}

impl Schedule for Steps {
    #[track_caller]
    fn rate(&self, step: usize) -> f64 {
        not_negative("the rate of Steps", self.rate);
        not_negative("the factor of Steps", self.factor);
        let times = step.checked_div(self.every).unwrap_or(0);
        multiplied(self.rate, self.factor, times)
    }
}

/// Multiplies the rate by `factor` at each step: PyTorch's `ExponentialLR`.
///
/// ```
/// use tensor_nn::optim::{Exponential, Schedule};
///
/// assert_eq!(Exponential { rate: 1.0, factor: 0.5 }.rate(3), 0.125);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exponential {
    /// The initial rate.
    pub rate: f64,
    /// The factor that the rate is multiplied by.
    pub factor: f64,
}

impl Schedule for Exponential {
    #[track_caller]
    fn rate(&self, step: usize) -> f64 {
        not_negative("the rate of Exponential", self.rate);
        not_negative("the factor of Exponential", self.factor);
        multiplied(self.rate, self.factor, step)
    }
}

/// Changes the rate linearly from `rate` to `end`, then keeps it constant.
///
/// ```
/// use tensor_nn::optim::{LinearSchedule, Schedule};
///
/// let schedule = LinearSchedule { rate: 0.0, end: 8.0, steps: 4 };
/// assert_eq!([0, 1, 4, 5].map(|step| schedule.rate(step)), [0.0, 2.0, 8.0, 8.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearSchedule {
    /// The initial rate.
    pub rate: f64,
    /// The final rate.
    pub end: f64,
    /// The number of steps between them.
    pub steps: usize,
}

impl Schedule for LinearSchedule {
    #[track_caller]
    fn rate(&self, step: usize) -> f64 {
        not_negative("the rate of LinearSchedule", self.rate);
        not_negative("the end of LinearSchedule", self.end);
        if step >= self.steps {
            return self.end;
        }
        let part = step as f64 / self.steps as f64;
        self.rate + (self.end - self.rate) * part
    }
}

/// Half a cosine wave from `rate` to `end`, then constant: PyTorch's `CosineAnnealingLR`.
///
/// Loshchilov, Hutter: SGDR: stochastic gradient descent with warm restarts, 2016, arXiv:1608.03983;
/// without restarts.
///
/// ```
/// use tensor_nn::optim::{Cosine, Schedule};
///
/// let schedule = Cosine { rate: 1.0, end: 0.5, steps: 10 };
/// assert_eq!([0, 5, 10, 11].map(|step| schedule.rate(step)), [1.0, 0.75, 0.5, 0.5]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cosine {
    /// The initial rate.
    pub rate: f64,
    /// The final rate.
    pub end: f64,
    /// The number of steps between them.
    pub steps: usize,
}

impl Schedule for Cosine {
    #[track_caller]
    fn rate(&self, step: usize) -> f64 {
        not_negative("the rate of Cosine", self.rate);
        not_negative("the end of Cosine", self.end);
        if step >= self.steps {
            return self.end;
        }
        let part = step as f64 / self.steps as f64;
        self.end + (self.rate - self.end) * 0.5 * (1.0 + (PI * part).cos())
    }
}

/// Linear warm-up: increases the rate from 0 to the first rate of `then` over `steps` steps.
///
/// The first step already has a rate above 0, so that it is not wasted.
///
/// ```
/// use tensor_nn::optim::{Schedule, WarmUp};
///
/// let schedule = WarmUp { steps: 2, then: 1.0 };
/// assert_eq!([0, 1, 2].map(|step| schedule.rate(step)), [0.5, 1.0, 1.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WarmUp<S> {
    /// The number of warm-up steps.
    pub steps: usize,
    /// The schedule that follows, counted from its step 0.
    pub then: S,
}

impl<S: Schedule> Schedule for WarmUp<S> {
    #[track_caller]
    fn rate(&self, step: usize) -> f64 {
        match step.checked_sub(self.steps) {
            Some(step) => self.then.rate(step),
            None => self.then.rate(0) * (step + 1) as f64 / self.steps as f64,
        }
    }
}

/// The schedule `first` for `steps` steps, then another: PyTorch's `SequentialLR`.
///
/// ```
/// use tensor_nn::optim::{Join, LinearSchedule, Schedule};
///
/// let decay = LinearSchedule { rate: 1.0, end: 0.0, steps: 100 };
/// let schedule = Join { first: 1.0, steps: 1000, then: decay };
/// assert_eq!([0, 999, 1000, 1050].map(|step| schedule.rate(step)), [1.0, 1.0, 1.0, 0.5]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Join<A, B> {
    /// The first schedule.
    pub first: A,
    /// The number of steps of the first schedule.
    pub steps: usize,
    /// The schedule that follows, counted from its step 0.
    pub then: B,
}

impl<A: Schedule, B: Schedule> Schedule for Join<A, B> {
    #[track_caller]
    fn rate(&self, step: usize) -> f64 {
        match step.checked_sub(self.steps) {
            Some(step) => self.then.rate(step),
            None => self.first.rate(step),
        }
    }
}
