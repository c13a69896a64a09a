//! The long short-term memory.

use tensor_core::random::Generator;
use tensor_core::{Axis, Element, Float, Module, Shape, StaticAxis, Tensor, shape, shapes};

use super::initial::uniform;
use super::recurrent::{of_each_gate, steps};
use super::{Layer, Pass};

/// The long short-term memory, `[..lead, time, i] → [..lead, time, h]`: PyTorch's `nn.LSTM` with one layer,
/// the batch in front of the time.
///
/// ```text
/// i = σ(W_ii x + b_ii + W_hi h + b_hi)        what enters the cell
/// f = σ(W_if x + b_if + W_hf h + b_hf)        what the cell keeps
/// g = tanh(W_ig x + b_ig + W_hg h + b_hg)     what would enter
/// o = σ(W_io x + b_io + W_ho h + b_ho)        what the cell shows
/// c ← f · c + i · g
/// h ← o · tanh(c)
/// ```
///
/// Source: Hochreiter and Schmidhuber, "Long short-term memory", 1997, with the gates that PyTorch has.
///
/// ```
/// use tensor_core::{Tensor, axis, dim, random::Generator, shape};
/// use tensor_nn::layers::Lstm;
///
/// axis!(Time);
/// let layer: Lstm<dim!(8), dim!(16)> = Lstm::new(&mut Generator::seed(42));
/// let x: Tensor<shape![2, Time, 8]> = Tensor::ones_shaped(shape![2, Time(5), 8]);
/// let (all, last) = layer.forward(&x);
/// assert_eq!(all.shape(), shape![2, Time(5), 16]);
/// assert_eq!(last.hidden, all.index::<1>(4));
/// ```
#[shapes]
#[derive(Clone, Debug, Module, PartialEq)]
pub struct Lstm<I: Axis, H: Axis, T: Element = f32> {
    /// The weights of the input for the gates `i`, `f`, `g`, `o`: PyTorch's `weight_ih_l0`, whose first
    /// axis `4 h` is two here.
    pub weight_ih: Tensor<shape![4, H, I], T>,
    /// The weights of the state, the same way.
    pub weight_hh: Tensor<shape![4, H, H], T>,
    /// The biases beside the input.
    pub bias_ih: Tensor<shape![4, H], T>,
    /// The biases beside the state.
    pub bias_hh: Tensor<shape![4, H], T>,
}

/// What an [`Lstm`] remembers.
///
/// ```
/// use tensor_core::{dim, tensor};
/// use tensor_nn::layers::{Lstm, LstmState};
///
/// let layer: Lstm<dim!(3), dim!(2)> = Lstm::zeros();
/// let state = LstmState { hidden: tensor![0.0, 0.0], cell: tensor![1.0, -1.0] };
/// assert_eq!(layer.step(&tensor![0.0, 0.0, 0.0], &state).cell, tensor![0.5, -0.5]);
/// ```
#[shapes]
#[derive(Clone, Debug, Module, PartialEq)]
pub struct LstmState<Lead: Shape, H: Axis, T: Element = f32> {
    /// What the layer shows: its output.
    pub hidden: Tensor<shape![Lead.., H], T>,
    /// What it keeps.
    pub cell: Tensor<shape![Lead.., H], T>,
}

impl<I: Axis, H: Axis, T: Element> Lstm<I, H, T> {
    /// Uniform within `±1 / √h`, as PyTorch begins.
    ///
    /// ```
    /// use tensor_core::{dim, random::Generator};
    /// use tensor_nn::layers::Lstm;
    ///
    /// let layer: Lstm<dim!(8), dim!(16)> = Lstm::new(&mut Generator::seed(42));
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
    /// use tensor_nn::layers::Lstm;
    ///
    /// let layer: Lstm<dim!(8), dim!(16)> = Lstm::zeros();
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

impl<I: Axis, H: Axis, T: Float> Lstm<I, H, T> {
    /// The state before the first step: zeros, `[..lead] → [..lead, h]`.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, shape};
    /// use tensor_nn::layers::Lstm;
    ///
    /// let layer: Lstm<dim!(8), dim!(16)> = Lstm::zeros();
    /// assert_eq!(layer.first_state(shape![2]).cell, Tensor::<shape![2, 16]>::zeros());
    /// ```
    #[track_caller]
    pub fn first_state<Lead: Shape>(&self, lead: Lead) -> LstmState<Lead, H, T> {
        let (_, state) = self.bias_ih.shape();
        let zeros = Tensor::zeros_shaped((lead, state));
        LstmState { hidden: zeros.clone(), cell: zeros }
    }

    /// One step, `[..lead, i] → [..lead, h]`.
    ///
    /// # Panics
    ///
    /// If a named axis has different sizes in the input, the state and the weights.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, random::Generator, shape};
    /// use tensor_nn::layers::Lstm;
    ///
    /// let layer: Lstm<dim!(8), dim!(16)> = Lstm::new(&mut Generator::seed(42));
    /// let state = layer.step(&Tensor::<shape![2, 8]>::ones(), &layer.first_state(shape![2]));
    /// assert_eq!(state.hidden.shape(), shape![2, 16]);
    /// ```
    #[track_caller]
    pub fn step<Lead: Shape>(
        &self,
        x: &Tensor<shape![Lead.., I], T>,
        state: &LstmState<Lead, H, T>,
    ) -> LstmState<Lead, H, T> {
        self.step_after(of_each_gate(x, &self.weight_ih) + &self.bias_ih, state)
    }

    /// A step, of what the gates have of the input.
    fn step_after<Lead: Shape>(
        &self,
        of_input: Tensor<shape![Lead.., 4, H], T>,
        state: &LstmState<Lead, H, T>,
    ) -> LstmState<Lead, H, T> {
        let of_state = of_each_gate(&state.hidden, &self.weight_hh) + &self.bias_hh;
        let gates: Tensor<shape![Lead.., 4, H], T> = of_input + of_state;
        let [input, forget, new, output] = [0, 1, 2, 3].map(|gate| gates.index::<-2>(gate));
        let cell = forget.sigmoid() * &state.cell + input.sigmoid() * new.tanh();
        LstmState { hidden: output.sigmoid() * cell.tanh(), cell }
    }

    /// A whole sequence from the first state on, `[..lead, time, i] → [..lead, time, h]`: the output of
    /// every step, and the last state.
    ///
    /// # Panics
    ///
    /// If a named axis has different sizes in the input and the weights.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, random::Generator, shape};
    /// use tensor_nn::layers::Lstm;
    ///
    /// let layer: Lstm<dim!(8), dim!(16)> = Lstm::new(&mut Generator::seed(42));
    /// let (all, last) = layer.forward(&Tensor::<shape![2, 5, 8]>::ones());
    /// assert_eq!((all.shape(), last.cell.shape()), (shape![2, 5, 16], shape![2, 16]));
    /// ```
    #[track_caller]
    pub fn forward<Lead: Shape, Time: Axis>(
        &self,
        x: &Tensor<shape![Lead.., Time, I], T>,
    ) -> (Tensor<shape![Lead.., Time, H], T>, LstmState<Lead, H, T>) {
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
    /// use tensor_nn::layers::Lstm;
    ///
    /// let layer: Lstm<dim!(8), dim!(16)> = Lstm::new(&mut Generator::seed(42));
    /// let x = Tensor::<shape![4, 8]>::ones();
    /// let (_, half) = layer.forward(&x);
    /// let (_, whole) = layer.forward_from(&x, half);
    /// assert_eq!(whole, layer.forward(&Tensor::<shape![8, 8]>::ones()).1);
    /// ```
    #[track_caller]
    pub fn forward_from<Lead: Shape, Time: Axis>(
        &self,
        x: &Tensor<shape![Lead.., Time, I], T>,
        mut state: LstmState<Lead, H, T>,
    ) -> (Tensor<shape![Lead.., Time, H], T>, LstmState<Lead, H, T>) {
        let ((lead, time), _) = x.shape();
        // What the gates have of the input depends on no state: one product for all steps.
        let of_input = of_each_gate(x, &self.weight_ih) + &self.bias_ih;
        let mut outputs = Vec::with_capacity(time.size());
        for of_input in of_input.iter_axis::<-3>() {
            state = self.step_after(of_input, &state);
            outputs.push(state.hidden.clone());
        }
        (steps(&outputs, lead, time, &state.hidden), state)
    }
}

/// The output of every step.
impl<Lead: Shape, Time: Axis, I: Axis, H: Axis, T: Float> Layer<Tensor<shape![Lead.., Time, I], T>>
    for Lstm<I, H, T>
{
    type Output = Tensor<shape![Lead.., Time, H], T>;

    fn apply(&self, input: &Tensor<shape![Lead.., Time, I], T>, _: &mut Pass) -> Self::Output {
        self.forward(input).0
    }
}
