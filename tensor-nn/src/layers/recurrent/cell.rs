//! Gates: what one step of a recurrent layer computes.

use core::fmt::Debug;

use tensor_core::{Axis, Element, Float, Module, Shape, StaticAxis, Tensor, dim, shape, shapes};

/// The cell of a recurrent layer: its number of gates, its state, and one step.
///
/// ```
/// use tensor_core::{StaticAxis, Axis};
/// use tensor_nn::layers::{GruGates, LstmGates, RecurrentCell};
///
/// fn gates<C: RecurrentCell>() -> usize {
///     C::Gates::VALUE.size()
/// }
///
/// assert_eq!((gates::<LstmGates>(), gates::<GruGates>()), (4, 3));
/// ```
pub trait RecurrentCell: Copy + Debug + PartialEq + Send + Sync + 'static {
    /// The number of gates: the weights have `gates · h` rows.
    type Gates: StaticAxis;

    /// The state that the cell passes from one step to the next.
    type State<Lead: Shape, H: Axis, T: Element>: Clone + Debug + Module + PartialEq;

    /// The initial state, zeros: `[..lead, h]` for each of its tensors.
    ///
    /// ```
    /// use tensor_core::{dim, tensor};
    /// use tensor_nn::layers::{LstmGates, RecurrentCell};
    ///
    /// let state = LstmGates::first_state::<(), dim!(2), f64>(tensor![0.0, 0.0]);
    /// assert_eq!((state.hidden, state.cell), (tensor![0.0, 0.0], tensor![0.0, 0.0]));
    /// ```
    fn first_state<Lead: Shape, H: Axis, T: Element>(
        zeros: Tensor<shape![Lead.., H], T>,
    ) -> Self::State<Lead, H, T>;

    /// The next state, from the contributions of the input and of the state to each gate, and the state:
    /// `[..lead, gates, h], [..lead, gates, h], [..lead, h] → [..lead, h]`.
    ///
    /// # Panics
    ///
    /// If a named axis has different sizes.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, tensor};
    /// use tensor_nn::layers::{GruGates, RecurrentCell};
    ///
    /// // Half of the state is kept, and half is new: 0.
    /// let state = tensor![2.0, 4.0];
    /// let next = GruGates::step::<(), dim!(2), f64>(Tensor::zeros(), Tensor::zeros(), &state);
    /// assert_eq!(next, tensor![1.0, 2.0]);
    /// ```
    fn step<Lead: Shape, H: Axis, T: Float>(
        of_input: Tensor<shape![Lead.., Self::Gates, H], T>,
        of_state: Tensor<shape![Lead.., Self::Gates, H], T>,
        state: &Self::State<Lead, H, T>,
    ) -> Self::State<Lead, H, T>;

    /// The output of the cell in a state, `[..lead, h]`.
    ///
    /// ```
    /// use tensor_core::{dim, tensor};
    /// use tensor_nn::layers::{LstmGates, LstmState, RecurrentCell};
    ///
    /// let state = LstmState { hidden: tensor![1.0], cell: tensor![2.0] };
    /// assert_eq!(LstmGates::output::<(), dim!(1), f64>(&state), &tensor![1.0]);
    /// ```
    fn output<Lead: Shape, H: Axis, T: Element>(
        state: &Self::State<Lead, H, T>,
    ) -> &Tensor<shape![Lead.., H], T>;
}

/// The step of an [`Lstm`](super::Lstm) and an [`LstmCell`](super::LstmCell).
///
/// ```
/// use tensor_nn::layers::LstmGates;
///
/// assert_eq!(LstmGates, LstmGates);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LstmGates;

/// The state of an [`Lstm`](super::Lstm).
///
/// ```
/// use tensor_core::{dim, tensor};
/// use tensor_nn::layers::{Lstm, LstmState, Pass};
///
/// let layer: Lstm<dim!(3), dim!(2)> = Lstm::zeros();
/// let state = LstmState { hidden: tensor![0.0, 0.0], cell: tensor![1.0, -1.0] };
/// let (_, [state]) = layer.step(&tensor![0.0, 0.0, 0.0], [state], &mut Pass::eval());
/// assert_eq!(state.cell, tensor![0.5, -0.5]);
/// ```
#[shapes]
#[derive(Clone, Debug, Module, PartialEq)]
pub struct LstmState<Lead: Shape, H: Axis, T: Element = f32> {
    /// The hidden state, which is the output.
    pub hidden: Tensor<shape![Lead.., H], T>,
    /// The cell state.
    pub cell: Tensor<shape![Lead.., H], T>,
}

impl RecurrentCell for LstmGates {
    type Gates = dim!(4);
    type State<Lead: Shape, H: Axis, T: Element> = LstmState<Lead, H, T>;

    fn first_state<Lead: Shape, H: Axis, T: Element>(
        zeros: Tensor<shape![Lead.., H], T>,
    ) -> LstmState<Lead, H, T> {
        LstmState { hidden: zeros.clone(), cell: zeros }
    }

    fn step<Lead: Shape, H: Axis, T: Float>(
        of_input: Tensor<shape![Lead.., 4, H], T>,
        of_state: Tensor<shape![Lead.., 4, H], T>,
        state: &LstmState<Lead, H, T>,
    ) -> LstmState<Lead, H, T> {
        let gates: Tensor<shape![Lead.., 4, H], T> = of_input + of_state;
        let [input, forget, new, output] = [0, 1, 2, 3].map(|gate| gates.index::<-2>(gate));
        let cell = forget.sigmoid() * &state.cell + input.sigmoid() * new.tanh();
        LstmState { hidden: output.sigmoid() * cell.tanh(), cell }
    }

    fn output<Lead: Shape, H: Axis, T: Element>(
        state: &LstmState<Lead, H, T>,
    ) -> &Tensor<shape![Lead.., H], T> {
        &state.hidden
    }
}

/// The step of a [`Gru`](super::Gru) and a [`GruCell`](super::GruCell), whose state is its output.
///
/// ```
/// use tensor_nn::layers::GruGates;
///
/// assert_eq!(GruGates, GruGates);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GruGates;

impl RecurrentCell for GruGates {
    type Gates = dim!(3);
    type State<Lead: Shape, H: Axis, T: Element> = Tensor<shape![Lead.., H], T>;

    fn first_state<Lead: Shape, H: Axis, T: Element>(
        zeros: Tensor<shape![Lead.., H], T>,
    ) -> Tensor<shape![Lead.., H], T> {
        zeros
    }

    fn step<Lead: Shape, H: Axis, T: Float>(
        of_input: Tensor<shape![Lead.., 3, H], T>,
        of_state: Tensor<shape![Lead.., 3, H], T>,
        state: &Tensor<shape![Lead.., H], T>,
    ) -> Tensor<shape![Lead.., H], T> {
        let [reset, keep] =
            [0, 1].map(|gate| (of_input.index::<-2>(gate) + of_state.index::<-2>(gate)).sigmoid());
        let new = (of_input.index::<-2>(2) + reset * of_state.index::<-2>(2)).tanh();
        // (1 - z) · n + z · h
        &new + keep * (state - &new)
    }

    fn output<Lead: Shape, H: Axis, T: Element>(
        state: &Tensor<shape![Lead.., H], T>,
    ) -> &Tensor<shape![Lead.., H], T> {
        state
    }
}
