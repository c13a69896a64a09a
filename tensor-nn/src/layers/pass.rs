//! A pass through a model: whether it trains, its random numbers, and what it saw of the batch.

use core::any::Any;
use core::fmt;

use tensor_core::random::Generator;

/// What a pass through a model is for: training, or use.
///
/// [`Dropout`](super::Dropout) and [`BatchNorm`](super::BatchNorm) do different things in training, and
/// take a pass beside their input. It has the random numbers of dropout, and keeps the statistics of
/// batches until the layers that saw them take them over by
/// [`update`](super::BatchNorm::update). Nothing changes behind a `&self`.
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

/// What the layer of this number saw.
struct Seen {
    layer: u64,
    statistics: Box<dyn Any + Send>,
}

impl Pass {
    /// A pass that uses the model: dropout does nothing, and batch normalisation goes by what it kept.
    ///
    /// ```
    /// use tensor_nn::layers::Pass;
    ///
    /// assert!(!Pass::eval().is_training());
    /// ```
    pub fn eval() -> Self {
        Self { training: None }
    }

    /// A pass that trains, with random numbers of its own, drawn from this generator.
    ///
    /// ```
    /// use tensor_core::random::Generator;
    /// use tensor_nn::layers::Pass;
    ///
    /// assert!(Pass::training(&mut Generator::seed(42)).is_training());
    /// ```
    pub fn training(rng: &mut Generator) -> Self {
        Self { training: Some(Training { rng: rng.split(), seen: Vec::new() }) }
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

    /// The random numbers of a pass that trains.
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

    /// Keeps what a layer saw; nothing where the pass does not train.
    pub(super) fn keep<X: Any + Send>(&mut self, layer: u64, statistics: X) {
        if let Some(training) = &mut self.training {
            training.seen.push(Seen { layer, statistics: Box::new(statistics) });
        }
    }

    /// What the layer of this number saw, in the order in which it did; it is kept no longer.
    pub(super) fn take<X: Any + Send>(&mut self, layer: u64) -> Vec<X> {
        let Some(training) = &mut self.training else { return Vec::new() };
        let of_layer = |seen: &mut Seen| seen.layer == layer && seen.statistics.is::<X>();
        let seen = training.seen.extract_if(.., of_layer);
        seen.filter_map(|seen| seen.statistics.downcast().ok().map(|x| *x)).collect()
    }
}

impl fmt::Debug for Pass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_training() { "Pass::training" } else { "Pass::eval" })
    }
}
