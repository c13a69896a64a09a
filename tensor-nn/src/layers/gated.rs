//! Gated activations, and the gated linear layers of LLaMA and others.

use tensor_core::random::Generator;
use tensor_core::splitting::{ChunkAxis, Chunked};
use tensor_core::{Axis, Element, Float, Module, Shape, StaticShape, Tensor, shape};

use super::input::{same, same_value, taken};
use super::{
    Activation, AxisOfInput, Gelu, InList, Layer, LayerTakes, Linear, NoBias, OutputOf, Pass, Relu,
    Sigmoid, Silu, WithAxis,
};

/// The first half of the last axis, times the activation of the second half: `[..lead, 2 n] → [..lead, n]`.
/// PyTorch's `nn.GLU`; `Glu<Gelu>` is GEGLU, and `Glu<Silu>` SwiGLU, of a fused layer.
///
/// Files with two layers, as LLaMA's, have a [`GatedMlp`].
///
/// Source: Dauphin, Fan, Auli and Grangier, "Language modeling with gated convolutional networks", 2017.
///
/// ```
/// use tensor_core::tensor;
/// use tensor_nn::layers::{Glu, Relu};
///
/// assert_eq!(<Glu>::default().forward(&tensor![3.0, 4.0, 0.0, 0.0]), tensor![1.5, 2.0]);
/// assert_eq!(Glu(Relu).forward(&tensor![3.0, 4.0, -1.0, 2.0]), tensor![0.0, 8.0]);
/// ```
#[doc(alias = "GLU")]
#[doc(alias = "GEGLU")]
#[derive(Clone, Copy, Debug, Default, Module, PartialEq, Eq)]
pub struct Glu<A = Sigmoid>(pub A);

#[tensor_core::diagnostics::bounds_without_source]
impl<A: Activation> Glu<A> {
    /// The first half, times the activation of the second, `[..lead, 2 n] → [..lead, n]`.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::layers::{Gelu, Glu};
    ///
    /// assert_eq!(Glu(Gelu).forward(&tensor![3.0, 100.0]), tensor![300.0]);
    /// ```
    pub fn forward<S, T>(&self, x: &Tensor<S, T>) -> Tensor<Chunked<S, -1, 2>, T>
    where
        S: Shape + ChunkAxis<-1, 2>,
        T: Float,
    {
        let [value, gate] = x.chunk::<-1, 2>();
        value * self.0.activate(&gate)
    }
}

impl<S: Shape + ChunkAxis<-1, 2>, T: Float, A: Activation> Layer<Tensor<S, T>> for Glu<A> {
    type Output = Tensor<Chunked<S, -1, 2>, T>;

    fn apply(&self, input: &Tensor<S, T>, _: &mut Pass) -> Self::Output {
        self.forward(input)
    }
}

/// `down(activation(gate(x)) · up(x))`, `[..lead, d] → [..lead, d]`, with an inner width `F`: the linear layers of
/// LLaMA, Mistral, Qwen and Gemma, without biases. The names and shapes are Hugging Face's.
///
/// [`SwiGlu`], [`GeGlu`] and [`ReGlu`] are three activations; Gemma's is [`GeluTanh`](super::GeluTanh).
///
/// Source: Shazeer, "GLU variants improve transformer", 2020.
///
/// ```
/// use tensor_core::{Tensor, dim, random::Generator, shape};
/// use tensor_nn::layers::{GatedMlp, GeluTanh, SwiGlu};
///
/// let mut rng = Generator::seed(42);
/// let llama: SwiGlu<dim!(64), dim!(172)> = SwiGlu::new(&mut rng);
/// let gemma: GatedMlp<dim!(64), dim!(172), f32, GeluTanh> = GatedMlp::new(&mut rng);
/// let x = Tensor::<shape![2, 5, 64]>::ones();
/// assert_eq!(gemma.forward(&llama.forward(&x)).shape(), x.shape());
/// ```
#[doc(alias = "LlamaMLP")]
#[derive(Clone, Debug, Module, PartialEq)]
pub struct GatedMlp<D: Axis, F: Axis, T: Element = f32, A = Silu> {
    /// The layer whose activation is the gate.
    pub gate_proj: Linear<D, F, T, NoBias>,
    /// The layer that is gated.
    pub up_proj: Linear<D, F, T, NoBias>,
    /// The layer back to the width `D`.
    pub down_proj: Linear<F, D, T, NoBias>,
    /// The activation of the gate.
    pub activation: A,
}

/// [`GatedMlp`] with [`Silu`]: LLaMA, Mistral, Qwen.
///
/// ```
/// use tensor_core::{dim, random::Generator, tensor};
/// use tensor_nn::layers::SwiGlu;
///
/// let layer: SwiGlu<dim!(2), dim!(8)> = SwiGlu::new(&mut Generator::seed(42));
/// assert_eq!(layer.forward(&tensor![0.0, 0.0]), tensor![0.0, 0.0]);
/// ```
#[doc(alias = "SwiGLU")]
pub type SwiGlu<D, F, T = f32> = GatedMlp<D, F, T, Silu>;

/// [`GatedMlp`] with [`Gelu`].
///
/// ```
/// use tensor_core::{dim, random::Generator, tensor};
/// use tensor_nn::layers::GeGlu;
///
/// let layer: GeGlu<dim!(2), dim!(8)> = GeGlu::new(&mut Generator::seed(42));
/// assert_eq!(layer.forward(&tensor![0.0, 0.0]), tensor![0.0, 0.0]);
/// ```
#[doc(alias = "GEGLU")]
pub type GeGlu<D, F, T = f32> = GatedMlp<D, F, T, Gelu>;

/// [`GatedMlp`] with [`Relu`].
///
/// ```
/// use tensor_core::{dim, random::Generator, tensor};
/// use tensor_nn::layers::ReGlu;
///
/// let layer: ReGlu<dim!(2), dim!(8)> = ReGlu::new(&mut Generator::seed(42));
/// assert_eq!(layer.forward(&tensor![0.0, 0.0]), tensor![0.0, 0.0]);
/// ```
#[doc(alias = "ReGLU")]
pub type ReGlu<D, F, T = f32> = GatedMlp<D, F, T, Relu>;

#[tensor_core::diagnostics::bounds_without_source]
impl<D: Axis, F: Axis, T: Element, A> GatedMlp<D, F, T, A> {
    /// Initialises the layers as [`Linear::without_bias`] does.
    ///
    /// ```
    /// use tensor_core::{dim, random::Generator};
    /// use tensor_nn::Module;
    /// use tensor_nn::layers::SwiGlu;
    ///
    /// let layer: SwiGlu<dim!(4), dim!(8)> = SwiGlu::new(&mut Generator::seed(42));
    /// assert_eq!(layer.names(), ["gate_proj.weight", "up_proj.weight", "down_proj.weight"]);
    /// ```
    pub fn new(rng: &mut Generator) -> Self
    where
        shape![F, D]: StaticShape,
        shape![D, F]: StaticShape,
        T: Float,
        A: Default,
    {
        Self {
            gate_proj: Linear::without_bias(rng),
            up_proj: Linear::without_bias(rng),
            down_proj: Linear::without_bias(rng),
            activation: A::default(),
        }
    }
}

#[tensor_core::diagnostics::bounds_without_source]
impl<D: Axis, F: Axis, T: Float, A: Activation> GatedMlp<D, F, T, A> {
    /// Applies the layers, `[..lead, d] → [..lead, d]`.
    ///
    /// # Panics
    ///
    /// If a named axis of the input has another size than in the weights.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::layers::{GatedMlp, Linear, NoBias, Relu};
    ///
    /// let [gate_proj, up_proj, down_proj] = [tensor![[1.0]], tensor![[2.0]], tensor![[3.0]]]
    ///     .map(|weight| Linear { weight, bias: NoBias });
    /// let layer = GatedMlp { gate_proj, up_proj, down_proj, activation: Relu };
    /// assert_eq!(layer.forward(&tensor![5.0]), tensor![3.0 * 5.0 * 10.0]);
    /// ```
    #[track_caller]
    pub fn forward<S, J>(
        &self,
        x: &Tensor<S, T>,
    ) -> Tensor<WithAxis<Self, J, D, OutputOf<S, D, D>>, T>
    where
        S: Shape<LastAxis = J>,
        Self: LayerTakes<J, D>,
    {
        same_value(self.gated(taken::<D, S, T>(x)))
    }

    /// The implementation of [`forward`](Self::forward).
    #[track_caller]
    fn gated<Lead: Shape>(&self, x: &Tensor<shape![Lead.., D], T>) -> Tensor<shape![Lead.., D], T> {
        let gate = self.activation.activate(&self.gate_proj.forward(x));
        self.down_proj.forward(&(gate * self.up_proj.forward(x)))
    }
}

impl<L, J, D, F, T, A> Layer<Tensor<shape![L.., J], T>> for GatedMlp<D, F, T, A>
where
    (J,): AxisOfInput<J, D>,
    L: Shape,
    J: Axis,
    D: Axis,
    F: Axis,
    T: Float,
    A: Activation,
{
    type Output = Tensor<InList<J, D, shape![L.., D]>, T>;

    fn apply(&self, input: &Tensor<shape![L.., J], T>, _: &mut Pass) -> Self::Output {
        self.forward(same::<_, Tensor<shape![L.., D], T>>(input))
    }
}
