//! Dropout.

use tensor_core::module::{
    Facts, ModeVisitor, Module, ModuleTree, Path, StaticModule, TensorReader, TrainingMode,
    Visitor, VisitorMut, WalkShapes,
};
use tensor_core::{Float, Shape, Tensor, select};

use super::{Layer, Pass};
use crate::numbers::share;

/// Sets elements to 0 with probability `rate` in training, and divides the others by `1 - rate`, so that
/// the expected values do not change: `[..s] → [..s]`. Outside of training it does nothing.
///
/// Source: Srivastava, Hinton, Krizhevsky, Sutskever and Salakhutdinov, "Dropout", 2014, in the variant
/// that PyTorch uses.
///
/// ```
/// use tensor_core::{Tensor, random::Generator, shape};
/// use tensor_nn::layers::{Dropout, Pass};
///
/// let mut pass = Pass::training(&mut Generator::seed(42));
/// let y = Dropout::new(0.2).forward(&Tensor::<shape![100, 100]>::ones(), &mut pass);
/// assert!((y.mean().item() - 1.0).abs() < 0.02);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Dropout {
    /// The probability that an element becomes 0, from 0 to 1.
    pub rate: f64,
    /// Whether the layer takes part in training; if not, it never changes its input.
    pub training: bool,
}

impl Dropout {
    /// A dropout layer with this rate.
    ///
    /// # Panics
    ///
    /// If the rate is not from 0 to 1.
    ///
    /// ```
    /// use tensor_nn::layers::Dropout;
    ///
    /// assert_eq!(Dropout::new(0.1).rate, 0.1);
    /// ```
    #[track_caller]
    pub fn new(rate: f64) -> Self {
        share("the rate of dropout", rate);
        Self { rate, training: true }
    }

    /// Whether [`forward`](Self::forward) sets elements to 0.
    pub(super) fn drops(&self, pass: &Pass) -> bool {
        self.training && self.rate > 0.0 && pass.is_training()
    }

    /// In training, the input with elements set to 0; otherwise the input: `[..s] → [..s]`.
    ///
    /// # Panics
    ///
    /// If the rate is not from 0 to 1.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::layers::{Dropout, Pass};
    ///
    /// let x = tensor![1.0, 2.0];
    /// assert_eq!(Dropout::new(0.5).forward(&x, &mut Pass::eval()), x);
    /// ```
    #[track_caller]
    pub fn forward<S: Shape, T: Float>(&self, x: &Tensor<S, T>, pass: &mut Pass) -> Tensor<S, T> {
        share("the rate of dropout", self.rate);
        let drops = self.training && self.rate > 0.0;
        match drops.then(|| pass.rng()).flatten() {
            Some(rng) => {
                let kept = rng.bernoulli_shaped(x.shape(), 1.0 - self.rate);
                // At a rate of 1 all elements become 0: the factor `1 / (1 - rate)` would be infinite.
                let scale = if self.rate < 1.0 { 1.0 / (1.0 - self.rate) } else { 0.0 };
                select(&kept, x, T::ZERO) * T::from_f64(scale)
            }
            None => x.clone(),
        }
    }
}

impl<S: Shape, T: Float> Layer<Tensor<S, T>> for Dropout {
    type Output = Tensor<S, T>;

    fn apply(&self, input: &Tensor<S, T>, pass: &mut Pass) -> Tensor<S, T> {
        self.forward(input, pass)
    }
}

impl Module for Dropout {
    fn visit<'a>(&'a self, _: &Path<'_>, _: &mut Visitor<'a, '_>) {}

    fn visit_mut<'a>(&'a mut self, _: &Path<'_>, _: &mut VisitorMut<'a, '_>) {}

    fn visit_modes(&mut self, visitor: &mut ModeVisitor<'_>) {
        visitor(self);
    }

    /// Without dropout: a file does not have the rate.
    fn from_tensors(_: &Path<'_>, _: &mut TensorReader<'_>) -> Option<Self> {
        Some(Self::new(0.0))
    }
}

impl TrainingMode for Dropout {
    fn set_mode(&mut self, training: bool) {
        self.training = training;
    }
}

impl StaticModule for Dropout {
    const FACTS: Facts = Facts::NONE;
    const TREE: ModuleTree = ModuleTree::Fields(&[]);
}

impl<V, In> WalkShapes<V, In> for Dropout {
    type Out = In;
}
