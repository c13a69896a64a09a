//! A pass through a model: whether it trains, its random numbers, and the batch statistics that it keeps.

use core::any::Any;
use core::fmt;

use tensor_core::random::Generator;
use tensor_core::{Module, Tensor};

/// The mode of a pass through a model: training, or evaluation.
///
/// [`Dropout`](super::Dropout) and [`BatchNorm`](super::BatchNorm) behave differently in training, and
/// take a pass in addition to their input. It has the random numbers of dropout, and keeps the statistics of
/// batches until [`update`](Self::update) passes them to the layers that computed them. A `&self` method
/// changes no layer.
///
/// ```
/// use tensor_core::{random::Generator, tensor};
/// use tensor_nn::layers::{Dropout, Pass};
///
/// let mut rng = Generator::seed(42);
/// let dropout = Dropout::new(0.5);
/// let x = tensor![1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0];
///
/// let dropped = dropout.forward(&x, &mut Pass::training(&mut rng));
/// assert!(dropped.iter().all(|&x| x == 0.0 || x == 2.0));
/// assert_eq!(dropout.forward(&x, &mut Pass::eval()), x);
/// ```
pub struct Pass {
    training: Option<Training>,
}

struct Training {
    rng: Generator,
    seen: Vec<Seen>,
}

/// The update of a layer with the statistics that it kept.
type TakeOver = Box<dyn FnOnce(&mut dyn Any) + Send>;

/// The pending update of the layer with this number.
struct Seen {
    layer: u64,
    take_over: TakeOver,
}

impl Pass {
    /// A pass for evaluation: dropout does nothing, and batch normalisation uses its running means.
    ///
    /// ```
    /// use tensor_nn::layers::Pass;
    ///
    /// assert!(!Pass::eval().is_training());
    /// ```
    pub fn eval() -> Self {
        Self { training: None }
    }

    /// A pass for training, with its own random generator, seeded from this one.
    ///
    /// ```
    /// use tensor_core::random::Generator;
    /// use tensor_nn::layers::Pass;
    ///
    /// assert!(Pass::training(&mut Generator::seed(42)).is_training());
    /// ```
    pub fn training(rng: &mut Generator) -> Self {
        Self::of(Some(rng.split()))
    }

    /// A pass for training whose random numbers are those of [`Generator::at`]: they follow from a seed and from the number
    /// of the step.
    ///
    /// So the step can be [traced](tensor_core::trace::trace()), with its number as an input of the program, and drops the
    /// same elements in every engine; and a training that goes on from a checkpoint needs no state of a generator.
    ///
    /// ```
    /// use tensor_core::trace::trace;
    /// use tensor_core::{Tensor, shape};
    /// use tensor_nn::layers::{Dropout, Pass};
    ///
    /// let x = Tensor::<shape![100, 100]>::ones();
    /// let dropped = |step: &Tensor<shape![], i64>| Dropout::new(0.2).forward(&x, &mut Pass::training_at(42, step));
    ///
    /// let program = trace(&Tensor::scalar(0), dropped);
    /// for step in [1, 2] {
    ///     let y = dropped(&Tensor::scalar(step));
    ///     assert!((y.mean().item() - 1.0).abs() < 0.02);
    ///     assert_eq!(program.run(&Tensor::scalar(step))?, y);
    /// }
    /// # Ok::<(), tensor_core::trace::InputError>(())
    /// ```
    pub fn training_at(seed: u64, step: &Tensor<(), i64>) -> Self {
        Self::of(Some(Generator::at(seed, step)))
    }

    /// Whether the pass trains.
    ///
    /// ```
    /// use tensor_nn::layers::Pass;
    ///
    /// assert!(!Pass::eval().is_training());
    /// ```
    pub fn is_training(&self) -> bool {
        self.training.is_some()
    }

    /// The random numbers of a training pass.
    ///
    /// ```
    /// use tensor_core::{Tensor, random::Generator, shape};
    /// use tensor_nn::layers::Pass;
    ///
    /// /// Noise in training, for a layer of your own.
    /// fn noisy(x: Tensor<shape![3]>, pass: &mut Pass) -> Tensor<shape![3]> {
    ///     match pass.rng() {
    ///         Some(rng) => x + rng.normal::<shape![3], f32>(0.0, 0.1),
    ///         None => x,
    ///     }
    /// }
    ///
    /// assert_eq!(noisy(Tensor::ones(), &mut Pass::eval()), Tensor::ones());
    /// assert_ne!(noisy(Tensor::ones(), &mut Pass::training(&mut Generator::seed(1))), Tensor::ones());
    /// ```
    pub fn rng(&mut self) -> Option<&mut Generator> {
        self.training.as_mut().map(|training| &mut training.rng)
    }

    /// A copy of the random numbers, to draw the same ones again; `None` outside of training.
    pub(super) fn copied_rng(&self) -> Option<Generator> {
        self.training.as_ref().map(|training| training.rng.clone())
    }

    /// A training pass with these random numbers, or an evaluation pass if there are none.
    pub(super) fn of(rng: Option<Generator>) -> Self {
        Self { training: rng.map(|rng| Training { rng, seen: Vec::new() }) }
    }

    /// Hands the kept statistics to the layers of a model: batch normalisation updates its running means.
    ///
    /// A training loop calls it once for each pass, after the step of the optimiser. The model may be a
    /// clone of the one that the pass went through; statistics of layers that are not in it are kept.
    ///
    /// ```
    /// use tensor_core::autograd::value_and_grad;
    /// use tensor_core::{Tensor, dim, random::Generator, shape};
    /// use tensor_nn::layers::{BatchNorm1d, Linear, Pass, Sequential};
    /// use tensor_nn::optim::{Optimizer, Sgd};
    ///
    /// type Model = Sequential<(Linear<dim!(8), dim!(4)>, BatchNorm1d<dim!(4)>)>;
    ///
    /// let mut rng = Generator::seed(42);
    /// let mut model: Model = Sequential((Linear::new(&mut rng), BatchNorm1d::new()));
    /// let mut optimizer = Optimizer::new(Sgd::default(), 0.1);
    /// let x: Tensor<shape![32, 8]> = rng.normal(0.0, 1.0);
    ///
    /// let mut pass = Pass::training(&mut rng);
    /// let (_, gradient) = value_and_grad(&model, |model| model.forward(&x, &mut pass).square().mean());
    /// optimizer.step(&mut model, &gradient)?;
    /// pass.update(&mut model);
    /// assert_eq!(model.0.1.num_batches_tracked.item(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn update(&mut self, model: &mut impl Module) {
        model.visit_modes(&mut |layer| layer.update_from(self));
    }

    /// Keeps the update of a layer until [`update`](Self::update); does nothing outside of training.
    pub(super) fn keep<L: Any>(
        &mut self,
        layer: u64,
        take_over: impl FnOnce(&mut L) + Send + 'static,
    ) {
        if let Some(training) = &mut self.training {
            let take_over = |layer: &mut dyn Any| {
                take_over(layer.downcast_mut().expect("a number belongs to one type of layers"));
            };
            training.seen.push(Seen { layer, take_over: Box::new(take_over) });
        }
    }

    /// Removes and returns the updates of the layer with this number, in the order in which they were kept.
    pub(super) fn take(&mut self, layer: u64) -> Vec<TakeOver> {
        let Some(training) = &mut self.training else { return Vec::new() };
        let seen = training.seen.extract_if(.., |seen| seen.layer == layer);
        seen.map(|seen| seen.take_over).collect()
    }
}

impl fmt::Debug for Pass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_training() { "Pass::training" } else { "Pass::eval" })
    }
}
