//! The linear layer.

use tensor_core::functional::linear;
use tensor_core::random::Generator;
use tensor_core::{Axis, Element, Float, Module, Shape, StaticShape, Tensor, shape, shapes};

use super::initial::uniform;
use super::input::{same, same_value, taken};
use super::layouts::restated;
use super::{
    AxisOfInput, Bias, BiasFor, In, InList, Layer, LayerTakes, NoBias, NoInput, Out, OutputOf,
    Pass, WithAxis,
};

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
    /// A row for each as in PyTorch.
    pub weight: Tensor<shape![O, I], T>,
    /// One element for each or [`NoBias`].
    pub bias: B,
}

#[tensor_core::diagnostics::bounds_without_source]
impl<I: Axis, O: Axis, T: Element> Linear<I, O, T> {
    /// Initialises parameters uniformly within `±1 / √i`, as PyTorch does.
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
        shape![O, I]: StaticShape,
        T: Float,
    {
        let shape @ (outputs, inputs) = <shape![O, I]>::VALUE;
        let inputs = inputs.size();
        Self { weight: uniform(rng, shape, inputs), bias: uniform(rng, outputs, inputs) }
    }

    /// Initialises all parameters to 0, for tests and for the last layer of a classifier.
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
        shape![O, I]: StaticShape,
        T: Float,
    {
        let shape @ (outputs, _) = <shape![O, I]>::VALUE;
        Self { weight: Tensor::zeros_shaped(shape), bias: Tensor::zeros_shaped(outputs) }
    }
}

#[tensor_core::diagnostics::bounds_without_source]
impl<I: Axis, O: Axis, T: Element> Linear<I, O, T, NoBias> {
    /// A layer without a bias; the weight is initialised as by [`new`](Linear::new).
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
        shape![O, I]: StaticShape,
        T: Float,
    {
        let shape @ (_, inputs) = <shape![O, I]>::VALUE;
        Self { weight: uniform(rng, shape, inputs.size()), bias: NoBias }
    }
}

/// The axes of a weight of a linear layer that [`Linear::of`] takes: `[Out<O>, In<I>]`.
#[diagnostic::on_unimplemented(
    message = "a linear layer has a weight `[Out<{O}>, In<{I}>]`, not one of shape `{S}`",
    label = "the axes of this weight are not the outputs, then the inputs",
    note = "`weight.transpose()` converts `[In, Out]`, as files of JAX, TensorFlow and GPT-2 have it; PyTorch's weights are `[Out, In]` [N108]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait OutIn<S, I, O> {}

#[diagnostic::do_not_recommend]
impl<I: Axis, O: Axis> OutIn<(((), Out<O>), In<I>), I, O> for ((((), Out<O>), In<I>),) {}

/// A second impl, so that the compiler does not infer the shape from the first one.
#[diagnostic::do_not_recommend]
impl<I, O> OutIn<NoInput, I, O> for (NoInput,) {}

#[tensor_core::diagnostics::bounds_without_source]
impl<I: Axis, O: Axis, T: Element, B> Linear<I, O, T, B> {
    /// The layer with this weight, whose axes state which one is the inputs: `[Out<O>, In<I>]`. A square weight in the
    /// other layout does not compile; [`transpose`](Tensor::transpose) converts it.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, shape, tensor};
    /// use tensor_nn::layers::{In, Linear, NoBias, Out};
    ///
    /// let weight: Tensor<shape![In<dim!(2)>, Out<dim!(2)>]> =
    ///     tensor![[1.0, 10.0], [2.0, 20.0]].rename_axis::<0, In<_>>().rename_axis::<1, Out<_>>();
    /// let layer: Linear<dim!(2), dim!(2), f32, NoBias> = Linear::of(weight.transpose(), NoBias);
    /// assert_eq!(layer.forward(&tensor![1.0, 1.0]), tensor![3.0, 30.0]);
    /// ```
    #[doc(alias = "Conv1D")]
    pub fn of<S>(weight: Tensor<S, T>, bias: B) -> Self
    where
        S: Shape,
        (S,): OutIn<S, I, O>,
        B: BiasFor<O, T>,
    {
        Self { weight: restated(&weight), bias }
    }

    /// Computes `x · weightᵀ + bias`, `[..lead, i] → [..lead, o]`.
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
    pub fn forward<S, J>(
        &self,
        x: &Tensor<S, T>,
    ) -> Tensor<WithAxis<Self, J, I, OutputOf<S, I, O>>, T>
    where
        T: Float,
        S: Shape<LastAxis = J>,
        Self: LayerTakes<J, I>,
        B: BiasFor<O, T>,
    {
        let x = taken::<I, S, T>(x);
        same_value(linear(x, &self.weight, self.bias.get()))
    }
}

impl<L, J, I, O, T, B> Layer<Tensor<shape![L.., J], T>> for Linear<I, O, T, B>
where
    (J,): AxisOfInput<J, I>,
    L: Shape,
    J: Axis,
    I: Axis,
    O: Axis,
    T: Float,
    B: Bias<O, T>,
{
    type Output = Tensor<InList<J, I, shape![L.., O]>, T>;

    fn apply(&self, input: &Tensor<shape![L.., J], T>, _: &mut Pass) -> Self::Output {
        self.forward(same::<_, Tensor<shape![L.., I], T>>(input))
    }
}
