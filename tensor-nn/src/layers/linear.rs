//! The linear layer.

use tensor_core::__private::linear;
use tensor_core::bounds::KnownSize;
use tensor_core::random::Generator;
use tensor_core::{Axis, Element, Float, Module, Shape, StaticAxis, Tensor, shape, shapes};

use super::initial::uniform;
use super::input::{output, same_value, taken};
use super::{Bias, BiasFor, InputOf, Layer, LayerInput, ListedOutput, NoBias, OutputOf, Pass};

/// `y = x · weightᵀ + bias`, `[..lead, i] → [..lead, o]`: PyTorch's `nn.Linear`.
///
/// ```
/// use tensor_core::{Tensor, dim, random::Generator, shape};
/// use tensor_nn::layers::Linear;
///
/// let layer: Linear<dim!(784), dim!(10)> = Linear::new(&mut Generator::seed(42));
/// let batch: Tensor<shape![32, 784]> = Tensor::ones();
/// let sequences: Tensor<shape![32, 7, 784]> = Tensor::ones();
/// assert_eq!(layer.forward(&batch).shape(), shape![32, 10]);
/// assert_eq!(layer.forward(&sequences).shape(), shape![32, 7, 10]);
/// ```
#[doc(alias = "Dense")]
#[shapes]
#[derive(Clone, Debug, Module, PartialEq)]
pub struct Linear<I: Axis, O: Axis, T: Element = f32, B = Tensor<shape![O], T>> {
    /// A row for each output, as in PyTorch.
    pub weight: Tensor<shape![O, I], T>,
    /// One element for each output, or [`NoBias`].
    pub bias: B,
}

#[cfg_attr(doc, tensor_core::__private::readable_bounds)]
impl<I: Axis, O: Axis, T: Element> Linear<I, O, T> {
    /// Uniform within `±1 / √i`, as PyTorch begins.
    ///
    /// ```
    /// use tensor_core::{dim, random::Generator};
    /// use tensor_nn::layers::Linear;
    ///
    /// let layer: Linear<dim!(100), dim!(3)> = Linear::new(&mut Generator::seed(42));
    /// assert!(layer.weight.abs().max().item() <= 0.1);
    /// ```
    pub fn new(rng: &mut Generator) -> Self
    where
        <(I,) as KnownSize<I>>::Size: Sized,
        <(O,) as KnownSize<O>>::Size: Sized,
        I: StaticAxis,
        O: StaticAxis,
        T: Float,
    {
        let inputs = I::VALUE.size();
        Self { weight: uniform(rng, inputs), bias: uniform(rng, inputs) }
    }

    /// All parameters 0, for tests and as the last layer of a classifier.
    ///
    /// ```
    /// use tensor_core::{dim, tensor};
    /// use tensor_nn::layers::Linear;
    ///
    /// let layer: Linear<dim!(2), dim!(3)> = Linear::zeros();
    /// assert_eq!(layer.forward(&tensor![1.0, 2.0]), tensor![0.0, 0.0, 0.0]);
    /// ```
    pub fn zeros() -> Self
    where
        <(I,) as KnownSize<I>>::Size: Sized,
        <(O,) as KnownSize<O>>::Size: Sized,
        I: StaticAxis,
        O: StaticAxis,
        T: Float,
    {
        Self { weight: Tensor::zeros(), bias: Tensor::zeros() }
    }
}

#[cfg_attr(doc, tensor_core::__private::readable_bounds)]
impl<I: Axis, O: Axis, T: Element> Linear<I, O, T, NoBias> {
    /// Without a bias; the weight as [`new`](Linear::new) draws it.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, random::Generator, shape};
    /// use tensor_nn::layers::{Linear, NoBias};
    ///
    /// let layer: Linear<dim!(2), dim!(3), f32, NoBias> =
    ///     Linear::without_bias(&mut Generator::seed(42));
    /// assert_eq!(layer.forward(&Tensor::<shape![2]>::zeros()), Tensor::zeros());
    /// ```
    pub fn without_bias(rng: &mut Generator) -> Self
    where
        <(I,) as KnownSize<I>>::Size: Sized,
        <(O,) as KnownSize<O>>::Size: Sized,
        I: StaticAxis,
        O: StaticAxis,
        T: Float,
    {
        Self { weight: uniform(rng, I::VALUE.size()), bias: NoBias }
    }
}

#[cfg_attr(doc, tensor_core::__private::readable_bounds)]
impl<I: Axis, O: Axis, T: Element, B> Linear<I, O, T, B> {
    /// `x · weightᵀ + bias`, `[..lead, i] → [..lead, o]`.
    ///
    /// # Panics
    ///
    /// If a named axis of the input has another size than in the weight.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::layers::Linear;
    ///
    /// let layer = Linear { weight: tensor![[1.0, 10.0]], bias: tensor![0.5] };
    /// assert_eq!(layer.forward(&tensor![[1.0, 2.0], [3.0, 4.0]]), tensor![[21.5], [43.5]]);
    /// ```
    #[track_caller]
    pub fn forward<S>(&self, x: &Tensor<S, T>) -> Tensor<OutputOf<S, I, O>, T>
    where
        T: Float,
        S: LayerInput<I>,
        <B as BiasFor<O, T>>::Checked: Sized,
        B: BiasFor<O, T>,
    {
        let x = taken::<I, S, T>(x);
        output::<I, O, S, T>(match self.bias.get() {
            Some(bias) => linear(x, &self.weight, bias),
            None => x.dot(&self.weight.transpose()),
        })
    }
}

impl<S, I, O, T, B> Layer<Tensor<S, T>> for Linear<I, O, T, B>
where
    S: Shape + InputOf<I>,
    I: Axis,
    O: Axis,
    T: Float,
    B: Bias<O, T>,
{
    type Output = Tensor<ListedOutput<S, I, O>, T>;

    fn apply(&self, input: &Tensor<S, T>, _: &mut Pass) -> Self::Output {
        same_value(self.forward(input))
    }
}
