//! Recurrent layers: a cell, in stacked layers, in one direction or both.

mod cell;
mod direction;
mod layer;

pub use cell::{GruGates, LstmGates, LstmState, RecurrentCell};
pub use direction::{Bidirectional, Direction, Forward, Outputs};
pub use layer::RecurrentLayer;

use core::fmt::Debug;

use tensor_core::module::{
    Facts, ModeVisitor, Module, Path, StaticModule, TensorReader, Visitor, VisitorMut, WalkShapes,
};
use tensor_core::random::Generator;
use tensor_core::{Axis, Element, Float, Shape, StaticAxis, Tensor, shape};

use super::input::{same, same_value, sequences, taken};
use super::{
    AxisOfInput, Dropout, InList, Layer, LayerTakes, LeadOf, OutputOf, Pass, SequenceLead,
    SequenceResult, TakesSequences, WithAxis,
};

/// The long short-term memory, `[..lead, time, i] → [..lead, time, h]`: PyTorch's `nn.LSTM` with
/// `batch_first=True`.
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
/// use tensor_nn::layers::{Bidirectional, Lstm, Pass};
///
/// axis!(Time);
/// let mut rng = Generator::seed(42);
/// let layer: Lstm<dim!(8), dim!(16)> = Lstm::new(&mut rng);
/// let x: Tensor<shape![2, Time, 8]> = Tensor::ones_shaped(shape![2, Time(5), 8]);
/// let (all, [last]) = layer.forward(&x, &mut Pass::eval());
/// assert_eq!(all.shape(), shape![2, Time(5), 16]);
/// assert_eq!(last.hidden, all.index::<1>(4));
///
/// // Two layers, PyTorch's `num_layers=2`, in both directions, `bidirectional=True`. The number of layers is the last
/// // parameter, after the element type and the direction: three layers in one direction are
/// // `Lstm<dim!(8), dim!(16), f32, Forward, 3>`. Each output is 16 numbers of each direction.
/// let layers: Lstm<dim!(8), dim!(16), f32, Bidirectional, 2> = Lstm::new(&mut rng);
/// let (all, _) = layers.forward(&x, &mut Pass::eval());
/// assert_eq!(all.shape(), shape![2, Time(5), 32]);
/// ```
#[doc(alias = "LSTM")]
#[doc(alias = "num_layers")]
pub type Lstm<I, H, T = f32, D = Forward, const LAYERS: usize = 1> =
    Recurrent<LstmGates, I, H, T, D, LAYERS>;

/// The gated recurrent unit, `[..lead, time, i] → [..lead, time, h]`: PyTorch's `nn.GRU` with
/// `batch_first=True`.
///
/// ```text
/// r = σ(W_ir x + b_ir + W_hr h + b_hr)              what the new state sees of the old one
/// z = σ(W_iz x + b_iz + W_hz h + b_hz)              what stays
/// n = tanh(W_in x + b_in + r · (W_hn h + b_hn))     what is new
/// h ← (1 - z) · n + z · h
/// ```
///
/// Source: Cho and others, "Learning phrase representations using RNN encoder-decoder", 2014, in the variant
/// that PyTorch uses.
///
/// ```
/// use tensor_core::{Tensor, axis, dim, random::Generator, shape};
/// use tensor_nn::layers::{Gru, Pass};
///
/// axis!(Time);
/// let layer: Gru<dim!(8), dim!(16)> = Gru::new(&mut Generator::seed(42));
/// let x: Tensor<shape![2, Time, 8]> = Tensor::ones_shaped(shape![2, Time(5), 8]);
/// let (all, [last]) = layer.forward(&x, &mut Pass::eval());
/// assert_eq!(all.shape(), shape![2, Time(5), 16]);
/// assert_eq!(last, all.index::<1>(4));
/// ```
#[doc(alias = "GRU")]
pub type Gru<I, H, T = f32, D = Forward, const LAYERS: usize = 1> =
    Recurrent<GruGates, I, H, T, D, LAYERS>;

/// One step of an [`Lstm`], `[..lead, i] → [..lead, h]`: PyTorch's `nn.LSTMCell`, with its parameter names.
///
/// ```
/// use tensor_core::{Tensor, dim, random::Generator, shape};
/// use tensor_nn::layers::LstmCell;
///
/// let cell: LstmCell<dim!(8), dim!(16)> = LstmCell::new(&mut Generator::seed(42));
/// let mut state = cell.first_state(shape![2]);
/// for _ in 0..3 {
///     state = cell.step(&Tensor::<shape![2, 8]>::ones(), &state);
/// }
/// assert_eq!((state.hidden.shape(), state.cell.shape()), (shape![2, 16], shape![2, 16]));
/// ```
#[doc(alias = "LSTMCell")]
pub type LstmCell<I, H, T = f32> = RecurrentLayer<LstmGates, I, H, T>;

/// One step of a [`Gru`], `[..lead, i] → [..lead, h]`: PyTorch's `nn.GRUCell`, with its parameter names.
///
/// ```
/// use tensor_core::{Tensor, dim, random::Generator, shape};
/// use tensor_nn::layers::GruCell;
///
/// let cell: GruCell<dim!(8), dim!(16)> = GruCell::new(&mut Generator::seed(42));
/// let state = cell.step(&Tensor::<shape![2, 8]>::ones(), &cell.first_state(shape![2]));
/// assert_eq!(state.shape(), shape![2, 16]);
/// ```
#[doc(alias = "GRUCell")]
pub type GruCell<I, H, T = f32> = RecurrentLayer<GruGates, I, H, T>;

/// A recurrent network, [`Lstm`] or [`Gru`]: `LAYERS` stacked layers, each of which reads the
/// outputs of the one below.
///
/// With both directions, [`Bidirectional`], every layer also reads the sequence from the end, and its
/// outputs are those of both directions, `2 h` numbers. The parameter names and shapes are those of
/// PyTorch's state dict, `weight_ih_l0`, `weight_hh_l0`, `bias_ih_l0`, `bias_hh_l0`, `weight_ih_l0_reverse`
/// and so on, so that its files load.
///
/// ```
/// use tensor_core::{dim, random::Generator};
/// use tensor_nn::Module;
/// use tensor_nn::layers::{Dropout, Forward, Gru};
///
/// let mut layers: Gru<dim!(8), dim!(16), f32, Forward, 3> = Gru::new(&mut Generator::seed(42));
/// layers.dropout = Dropout::new(0.2);
/// assert_eq!(layers.names()[4], "weight_ih_l1");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Recurrent<C, I, H, T = f32, D = Forward, const LAYERS: usize = 1>
where
    C: RecurrentCell,
    I: Axis,
    H: Axis,
    T: Element,
    D: Outputs<H>,
{
    /// The layer that reads the input; for both directions an array of two, the second from the end.
    pub first: D::Each<RecurrentLayer<C, I, H, T>>,
    /// The `LAYERS - 1` layers above it.
    pub rest: Vec<D::Each<RecurrentLayer<C, D::Axis, H, T>>>,
    /// Dropout of the outputs of every layer but the last; none by default.
    pub dropout: Dropout,
}

/// The state that the cell of a layer passes from one step to the next.
pub type RecurrentState<C, Lead, H, T = f32> = <C as RecurrentCell>::State<Lead, H, T>;

/// A state for each layer, and with both directions for each direction.
type States<C, D, Lead, H, T, const LAYERS: usize> =
    [<D as Direction>::Each<RecurrentState<C, Lead, H, T>>; LAYERS];

/// The outputs of every step for the sequences `S`, and the states after the last step.
type OutputsOf<S, J, C, I, H, T, D, const LAYERS: usize> = (
    Tensor<SequenceResult<Recurrent<C, I, H, T, D, LAYERS>, S, J, I, <D as Outputs<H>>::Axis>, T>,
    States<C, D, SequenceLead<S>, H, T, LAYERS>,
);

#[tensor_core::diagnostics::bounds_without_source]
impl<C, I, H, T, D, const LAYERS: usize> Recurrent<C, I, H, T, D, LAYERS>
where
    C: RecurrentCell,
    I: Axis,
    H: Axis,
    T: Float,
    D: Outputs<H>,
{
    /// Initialises parameters uniformly within `±1 / √h`, as PyTorch does.
    ///
    /// ```
    /// use tensor_core::{dim, random::Generator};
    /// use tensor_nn::layers::Lstm;
    ///
    /// let layer: Lstm<dim!(8), dim!(16)> = Lstm::new(&mut Generator::seed(42));
    /// assert!(layer.first.weight_ih.abs().max().item() <= 0.25);
    /// ```
    pub fn new(rng: &mut Generator) -> Self
    where
        I: StaticAxis,
        H: StaticAxis,
        D: Outputs<H, Axis: StaticAxis>,
    {
        let first = D::each(|_| RecurrentLayer::new(rng));
        Self::of_layers(first, || D::each(|_| RecurrentLayer::new(rng)))
    }

    /// Initialises all parameters to 0, for tests.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, shape};
    /// use tensor_nn::layers::{Lstm, Pass};
    ///
    /// let layer: Lstm<dim!(8), dim!(16)> = Lstm::zeros();
    /// assert_eq!(layer.forward(&Tensor::<shape![5, 8]>::ones(), &mut Pass::eval()).0, Tensor::zeros());
    /// ```
    pub fn zeros() -> Self
    where
        I: StaticAxis,
        H: StaticAxis,
        D: Outputs<H, Axis: StaticAxis>,
    {
        Self::of_layers(D::each(|_| RecurrentLayer::zeros()), || {
            D::each(|_| RecurrentLayer::zeros())
        })
    }

    /// The initial states: zeros, one for each layer, `[..lead] → [..lead, h]`.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, shape};
    /// use tensor_nn::layers::Lstm;
    ///
    /// let layer: Lstm<dim!(8), dim!(16)> = Lstm::zeros();
    /// let [state] = layer.first_state(shape![2]);
    /// assert_eq!(state.cell, Tensor::<shape![2, 16]>::zeros());
    /// ```
    pub fn first_state<Lead: Shape>(&self, lead: Lead) -> States<C, D, Lead, H, T, LAYERS> {
        let state = D::as_slice(&self.first)[0].first_state(lead);
        core::array::from_fn(|_| D::each(|_| state.clone()))
    }

    /// Processes a sequence from initial states, `[..lead, time, i] → [..lead, time, h]`, or `2 h` with both
    /// directions: the outputs of the last layer at every step, and the last state of each layer.
    ///
    /// # Panics
    ///
    /// If a named axis has different sizes in the input and the weights, or if [`rest`](Self::rest) has not
    /// `LAYERS - 1` layers.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, random::Generator, shape};
    /// use tensor_nn::layers::{Lstm, Pass};
    ///
    /// let layer: Lstm<dim!(8), dim!(16)> = Lstm::new(&mut Generator::seed(42));
    /// let (all, [last]) = layer.forward(&Tensor::<shape![2, 5, 8]>::ones(), &mut Pass::eval());
    /// assert_eq!((all.shape(), last.cell.shape()), (shape![2, 5, 16], shape![2, 16]));
    /// ```
    #[track_caller]
    pub fn forward<S, L, J>(
        &self,
        x: &Tensor<S, T>,
        pass: &mut Pass,
    ) -> OutputsOf<S, J, C, I, H, T, D, LAYERS>
    where
        S: Shape<Leading = L>,
        L: Shape,
        Self: TakesSequences<L, S, I, Last = J> + LayerTakes<J, I>,
    {
        let ((lead, _), _) = sequences::<I, S, T>(x).shape();
        self.forward_from(x, self.first_state(lead), pass)
    }

    /// Processes a sequence from the given states, like [`forward`](Self::forward).
    ///
    /// # Panics
    ///
    /// If a named axis has different sizes in the input, the states and the weights, or if
    /// [`rest`](Self::rest) has not `LAYERS - 1` layers.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, random::Generator, shape};
    /// use tensor_nn::layers::{Lstm, Pass};
    ///
    /// let layer: Lstm<dim!(8), dim!(16)> = Lstm::new(&mut Generator::seed(42));
    /// let (x, pass) = (Tensor::<shape![4, 8]>::ones(), &mut Pass::eval());
    /// let (_, half) = layer.forward(&x, pass);
    /// let (_, whole) = layer.forward_from(&x, half, pass);
    /// assert_eq!(whole, layer.forward(&Tensor::<shape![8, 8]>::ones(), pass).1);
    /// ```
    #[track_caller]
    pub fn forward_from<S, L, J>(
        &self,
        x: &Tensor<S, T>,
        mut states: States<C, D, SequenceLead<S>, H, T, LAYERS>,
        pass: &mut Pass,
    ) -> OutputsOf<S, J, C, I, H, T, D, LAYERS>
    where
        S: Shape<Leading = L>,
        L: Shape,
        Self: TakesSequences<L, S, I, Last = J> + LayerTakes<J, I>,
    {
        self.check_layers();
        let x = sequences::<I, S, T>(x);
        let mut outputs = D::read(&self.first, x, &mut states[0]);
        for (layer, states) in self.rest.iter().zip(&mut states[1..]) {
            outputs = D::read(layer, &self.dropout.forward(&outputs, pass), states);
        }
        (same_value(outputs), states)
    }
}

#[tensor_core::diagnostics::bounds_without_source]
impl<C, I, H, T, D, const LAYERS: usize> Recurrent<C, I, H, T, D, LAYERS>
where
    C: RecurrentCell,
    I: Axis,
    H: Axis,
    T: Element,
    D: Outputs<H>,
{
    /// A network of a first layer and `LAYERS - 1` others, without dropout.
    fn of_layers(
        first: D::Each<RecurrentLayer<C, I, H, T>>,
        mut other: impl FnMut() -> D::Each<RecurrentLayer<C, D::Axis, H, T>>,
    ) -> Self {
        const { assert!(LAYERS > 0, "a recurrent network has at least one layer") }
        Self { first, rest: (1..LAYERS).map(|_| other()).collect(), dropout: Dropout::new(0.0) }
    }

    /// Panics if the number of layers is not `LAYERS`.
    #[track_caller]
    fn check_layers(&self) {
        const { assert!(LAYERS > 0, "a recurrent network has at least one layer") }
        assert!(
            self.rest.len() + 1 == LAYERS,
            "the type has {LAYERS} layers, and there are {}: `rest` has all but the first",
            self.rest.len() + 1
        );
    }
}

#[tensor_core::diagnostics::bounds_without_source]
impl<C, I, H, T, const LAYERS: usize> Recurrent<C, I, H, T, Forward, LAYERS>
where
    C: RecurrentCell,
    I: Axis,
    H: Axis,
    T: Float,
{
    /// Computes one step, `[..lead, i] → [..lead, h]`: the output of the last layer, and all states.
    ///
    /// # Panics
    ///
    /// If a named axis has different sizes in the input, the states and the weights, or if
    /// [`rest`](Self::rest) has not `LAYERS - 1` layers.
    ///
    /// ```
    /// use tensor_core::{dim, tensor};
    /// use tensor_nn::layers::{Gru, Pass};
    ///
    /// let layer: Gru<dim!(3), dim!(2)> = Gru::zeros();
    /// let x = tensor![1.0, 1.0, 1.0];
    /// let (y, [state]) = layer.step(&x, [tensor![4.0, -4.0]], &mut Pass::eval());
    /// assert_eq!((&y, &state), (&tensor![2.0, -2.0], &y));
    /// ```
    #[track_caller]
    pub fn step<S, J>(
        &self,
        x: &Tensor<S, T>,
        mut states: [RecurrentState<C, LeadOf<S, I>, H, T>; LAYERS],
        pass: &mut Pass,
    ) -> (
        Tensor<WithAxis<Self, J, I, OutputOf<S, I, H>>, T>,
        [RecurrentState<C, LeadOf<S, I>, H, T>; LAYERS],
    )
    where
        S: Shape<LastAxis = J>,
        Self: LayerTakes<J, I>,
    {
        self.check_layers();
        states[0] = self.first.next(taken::<I, S, T>(x), &states[0]);
        let mut last = C::output(&states[0]).clone();
        for (layer, state) in self.rest.iter().zip(&mut states[1..]) {
            *state = layer.next(&self.dropout.forward(&last, pass), state);
            last = C::output(state).clone();
        }
        (same_value(last), states)
    }
}

/// Returns the outputs of every step.
impl<L, Time, J, C, I, H, T, D, const LAYERS: usize> Layer<Tensor<shape![L.., Time, J], T>>
    for Recurrent<C, I, H, T, D, LAYERS>
where
    (J,): AxisOfInput<J, I>,
    L: Shape,
    Time: Axis,
    J: Axis,
    C: RecurrentCell,
    I: Axis,
    H: Axis,
    T: Float,
    D: Outputs<H>,
{
    type Output = Tensor<InList<J, I, shape![L.., Time, D::Axis]>, T>;

    fn apply(&self, input: &Tensor<shape![L.., Time, J], T>, pass: &mut Pass) -> Self::Output {
        self.forward(same::<_, Tensor<shape![L.., Time, I], T>>(input), pass).0
    }
}

/// The suffix of the parameter names of a layer: `_l0`, and `_l0_reverse` for the reverse direction.
fn suffix(layer: usize, direction: usize) -> String {
    format!("_l{layer}{}", if direction == 0 { "" } else { "_reverse" })
}

impl<C, I, H, T, D, const LAYERS: usize> Module for Recurrent<C, I, H, T, D, LAYERS>
where
    C: RecurrentCell,
    I: Axis,
    H: Axis,
    T: Element,
    D: Outputs<H>,
{
    fn visit<'a>(&'a self, path: &Path<'_>, visitor: &mut Visitor<'a, '_>) {
        for (direction, layer) in D::as_slice(&self.first).iter().enumerate() {
            layer.visit_as(&suffix(0, direction), path, visitor);
        }
        for (index, layers) in self.rest.iter().enumerate() {
            for (direction, layer) in D::as_slice(layers).iter().enumerate() {
                layer.visit_as(&suffix(index + 1, direction), path, visitor);
            }
        }
    }

    fn visit_mut<'a>(&'a mut self, path: &Path<'_>, visitor: &mut VisitorMut<'a, '_>) {
        for (direction, layer) in D::as_slice_mut(&mut self.first).iter_mut().enumerate() {
            layer.visit_mut_as(&suffix(0, direction), path, visitor);
        }
        for (index, layers) in self.rest.iter_mut().enumerate() {
            for (direction, layer) in D::as_slice_mut(layers).iter_mut().enumerate() {
                layer.visit_mut_as(&suffix(index + 1, direction), path, visitor);
            }
        }
    }

    fn visit_modes(&mut self, visitor: &mut ModeVisitor<'_>) {
        self.dropout.visit_modes(visitor);
    }

    /// Without dropout between the layers.
    fn from_tensors(path: &Path<'_>, tensors: &mut TensorReader<'_>) -> Option<Self> {
        let first = D::each(|direction| {
            RecurrentLayer::from_tensors_as(&suffix(0, direction), path, tensors)
        });
        let rest: Vec<_> = (1..LAYERS)
            .map(|layer| {
                D::each(|direction| {
                    RecurrentLayer::from_tensors_as(&suffix(layer, direction), path, tensors)
                })
            })
            .collect();
        Some(Self {
            first: all::<D, _>(&first)?,
            rest: rest.iter().map(all::<D, _>).collect::<Option<_>>()?,
            dropout: Dropout::new(0.0),
        })
    }
}

/// The layers of all directions, if each was made.
fn all<D: Direction, X: Clone + Debug + PartialEq>(
    each: &D::Each<Option<X>>,
) -> Option<D::Each<X>> {
    let made: Vec<X> = D::as_slice(each).iter().cloned().collect::<Option<_>>()?;
    Some(D::each(|direction| made[direction].clone()))
}

impl<C, I, H, T, D, const LAYERS: usize> StaticModule for Recurrent<C, I, H, T, D, LAYERS>
where
    C: RecurrentCell,
    I: Axis,
    H: Axis,
    T: Element,
    D: Outputs<H>,
{
    const FACTS: Facts = <RecurrentLayer<C, I, H, T>>::FACTS
        .and(<RecurrentLayer<C, D::Axis, H, T>>::FACTS.times(LAYERS - 1))
        .times(D::COUNT);
}

/// Visits the first layer, whose shapes the other layers have, too, with outputs in place of inputs.
impl<V, In, C, I, H, T, D, const LAYERS: usize> WalkShapes<V, In>
    for Recurrent<C, I, H, T, D, LAYERS>
where
    C: RecurrentCell,
    I: Axis,
    H: Axis,
    T: Element,
    D: Outputs<H>,
    RecurrentLayer<C, I, H, T>: WalkShapes<V, In>,
{
    type Out = <RecurrentLayer<C, I, H, T> as WalkShapes<V, In>>::Out;
}
