//! The gated recurrent unit.

use tensor_core::random::Generator;
use tensor_core::{Axis, Element, Float, Module, Shape, StaticAxis, Tensor, shape, shapes};

use super::initial::uniform;
use super::recurrent::{of_each_gate, steps};
use super::{Layer, Pass};

/// The gated recurrent unit, `[..lead, time, i] → [..lead, time, h]`: PyTorch's `nn.GRU` with one layer, the
/// batch in front of the time.
///
/// ```text
/// r = σ(W_ir x + b_ir + W_hr h + b_hr)              what the new state sees of the old one
/// z = σ(W_iz x + b_iz + W_hz h + b_hz)              what stays
/// n = tanh(W_in x + b_in + r · (W_hn h + b_hn))     what is new
/// h ← (1 - z) · n + z · h
/// ```
///
/// Source: Cho and others, "Learning phrase representations using RNN encoder-decoder", 2014, in the form
/// that PyTorch has.
///
/// ```
/// use tensor_core::{Tensor, axis, dim, random::Generator, shape};
/// use tensor_nn::layers::Gru;
///
/// axis!(Time);
/// let layer: Gru<dim!(8), dim!(16)> = Gru::new(&mut Generator::seed(42));
/// let x: Tensor<shape![2, Time, 8]> = Tensor::ones_shaped(shape![2, Time(5), 8]);
/// let (all, last) = layer.forward(&x);
/// assert_eq!(all.shape(), shape![2, Time(5), 16]);
/// assert_eq!(last, all.index::<1>(4));
/// ```
#[shapes]
#[derive(Clone, Debug, Module, PartialEq)]
pub struct Gru<I: Axis, H: Axis, T: Element = f32> {
    /// The weights of the input for the gates `r`, `z`, `n`: PyTorch's `weight_ih_l0`, whose first axis
    /// `3 h` is two here.
    pub weight_ih: Tensor<shape![3, H, I], T>,
    /// The weights of the state, the same way.
    pub weight_hh: Tensor<shape![3, H, H], T>,
    /// The biases beside the input.
    pub bias_ih: Tensor<shape![3, H], T>,
    /// The biases beside the state.
    pub bias_hh: Tensor<shape![3, H], T>,
}

impl<I: Axis, H: Axis, T: Element> Gru<I, H, T> {
    /// Uniform within `±1 / √h`, as PyTorch begins.
    ///
    /// ```
    /// use tensor_core::{dim, random::Generator};
    /// use tensor_nn::layers::Gru;
    ///
    /// let layer: Gru<dim!(8), dim!(16)> = Gru::new(&mut Generator::seed(42));
    /// assert!(layer.weight_ih.abs().max().item() <= 0.25);
    /// ```
    pub fn new(rng: &mut Generator) -> Self
    where
        I: StaticAxis,
        H: StaticAxis,
        T: Float,
    {
        let state = H::VALUE.size();
        Self {
            weight_ih: uniform(rng, state),
            weight_hh: uniform(rng, state),
            bias_ih: uniform(rng, state),
            bias_hh: uniform(rng, state),
        }
    }

    /// All parameters 0, for tests.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, shape};
    /// use tensor_nn::layers::Gru;
    ///
    /// let layer: Gru<dim!(8), dim!(16)> = Gru::zeros();
    /// assert_eq!(layer.forward(&Tensor::<shape![5, 8]>::ones()).0, Tensor::zeros());
    /// ```
    pub fn zeros() -> Self
    where
        I: StaticAxis,
        H: StaticAxis,
        T: Float,
    {
        Self {
            weight_ih: Tensor::zeros(),
            weight_hh: Tensor::zeros(),
            bias_ih: Tensor::zeros(),
            bias_hh: Tensor::zeros(),
        }
    }
}

impl<I: Axis, H: Axis, T: Float> Gru<I, H, T> {
    /// The state before the first step: zeros, `[..lead] → [..lead, h]`.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, shape};
    /// use tensor_nn::layers::Gru;
    ///
    /// let layer: Gru<dim!(8), dim!(16)> = Gru::zeros();
    /// assert_eq!(layer.first_state(shape![2]), Tensor::<shape![2, 16]>::zeros());
    /// ```
    #[track_caller]
    pub fn first_state<Lead: Shape>(&self, lead: Lead) -> Tensor<shape![Lead.., H], T> {
        let (_, state) = self.bias_ih.shape();
        Tensor::zeros_shaped((lead, state))
    }

    /// One step, `[..lead, i] → [..lead, h]`.
    ///
    /// # Panics
    ///
    /// If a named axis has different sizes in the input, the state and the weights.
    ///
    /// ```
    /// use tensor_core::{dim, tensor};
    /// use tensor_nn::layers::Gru;
    ///
    /// let layer: Gru<dim!(3), dim!(2)> = Gru::zeros();
    /// let state = layer.step(&tensor![1.0, 1.0, 1.0], &tensor![4.0, -4.0]);
    /// assert_eq!(state, tensor![2.0, -2.0]);
    /// ```
    #[track_caller]
    pub fn step<Lead: Shape>(
        &self,
        x: &Tensor<shape![Lead.., I], T>,
        state: &Tensor<shape![Lead.., H], T>,
    ) -> Tensor<shape![Lead.., H], T> {
        self.step_after(of_each_gate(x, &self.weight_ih) + &self.bias_ih, state)
    }

    /// A step, of what the gates have of the input.
    fn step_after<Lead: Shape>(
        &self,
        of_input: Tensor<shape![Lead.., 3, H], T>,
        state: &Tensor<shape![Lead.., H], T>,
    ) -> Tensor<shape![Lead.., H], T> {
        let of_state: Tensor<shape![Lead.., 3, H], T> =
            of_each_gate(state, &self.weight_hh) + &self.bias_hh;
        let [reset, keep] =
            [0, 1].map(|gate| (of_input.index::<-2>(gate) + of_state.index::<-2>(gate)).sigmoid());
        let new = (of_input.index::<-2>(2) + reset * of_state.index::<-2>(2)).tanh();
        // (1 - z) · n + z · h
        &new + keep * (state - &new)
    }

    /// A whole sequence from the first state on, `[..lead, time, i] → [..lead, time, h]`: the output of
    /// every step, and the last one.
    ///
    /// # Panics
    ///
    /// If a named axis has different sizes in the input and the weights.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, random::Generator, shape};
    /// use tensor_nn::layers::Gru;
    ///
    /// let layer: Gru<dim!(8), dim!(16)> = Gru::new(&mut Generator::seed(42));
    /// let (all, last) = layer.forward(&Tensor::<shape![2, 5, 8]>::ones());
    /// assert_eq!((all.shape(), last.shape()), (shape![2, 5, 16], shape![2, 16]));
    /// ```
    #[track_caller]
    pub fn forward<Lead: Shape, Time: Axis>(
        &self,
        x: &Tensor<shape![Lead.., Time, I], T>,
    ) -> (Tensor<shape![Lead.., Time, H], T>, Tensor<shape![Lead.., H], T>) {
        let ((lead, _), _) = x.shape();
        self.forward_from(x, self.first_state(lead))
    }

    /// A whole sequence from a state on, as [`forward`](Self::forward).
    ///
    /// # Panics
    ///
    /// If a named axis has different sizes in the input, the state and the weights.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, random::Generator, shape};
    /// use tensor_nn::layers::Gru;
    ///
    /// let layer: Gru<dim!(8), dim!(16)> = Gru::new(&mut Generator::seed(42));
    /// let x = Tensor::<shape![4, 8]>::ones();
    /// let (_, half) = layer.forward(&x);
    /// let (_, whole) = layer.forward_from(&x, half);
    /// assert_eq!(whole, layer.forward(&Tensor::<shape![8, 8]>::ones()).1);
    /// ```
    #[track_caller]
    pub fn forward_from<Lead: Shape, Time: Axis>(
        &self,
        x: &Tensor<shape![Lead.., Time, I], T>,
        mut state: Tensor<shape![Lead.., H], T>,
    ) -> (Tensor<shape![Lead.., Time, H], T>, Tensor<shape![Lead.., H], T>) {
        let ((lead, time), _) = x.shape();
        // What the gates have of the input depends on no state: one product for all steps.
        let of_input = of_each_gate(x, &self.weight_ih) + &self.bias_ih;
        let mut outputs = Vec::with_capacity(time.size());
        for of_input in of_input.iter_axis::<-3>() {
            state = self.step_after(of_input, &state);
            outputs.push(state.clone());
        }
        (steps(&outputs, lead, time, &state), state)
    }
}

/// The output of every step.
impl<Lead: Shape, Time: Axis, I: Axis, H: Axis, T: Float> Layer<Tensor<shape![Lead.., Time, I], T>>
    for Gru<I, H, T>
{
    type Output = Tensor<shape![Lead.., Time, H], T>;

    fn apply(&self, input: &Tensor<shape![Lead.., Time, I], T>, _: &mut Pass) -> Self::Output {
        self.forward(input).0
    }
}
