//! One recurrent layer in one direction.

use tensor_core::module::{AnyTensor, Path, Role, TensorReader, Visitor, VisitorMut};
use tensor_core::random::Generator;
use tensor_core::trace::{scan_along, scan_reverse_along};
use tensor_core::{Axis, Element, Float, Module, Shape, StaticAxis, Tensor, shape, shapes};

use super::RecurrentCell;
use crate::layers::input::taken;
use crate::layers::{Chunks, LayerTakes, LeadOf};

/// One layer of a recurrent network in one direction: its parameters, with a chunk of rows for each gate. By itself
/// it is an [`LstmCell`](super::LstmCell) or a [`GruCell`](super::GruCell).
///
/// ```
/// use tensor_core::{dim, random::Generator};
/// use tensor_nn::layers::Lstm;
///
/// let layer: Lstm<dim!(8), dim!(16)> = Lstm::new(&mut Generator::seed(42));
/// assert_eq!(layer.first.weight_ih.sizes()[..], [4 * 16, 8]);
/// ```
#[shapes]
#[derive(Clone, Debug, Module, PartialEq)]
pub struct RecurrentLayer<C: RecurrentCell, I: Axis, H: Axis, T: Element = f32> {
    /// The weights of the input for all gates: PyTorch's `weight_ih_l0`.
    pub weight_ih: Tensor<shape![Chunks<C::Gates, H>, I], T>,
    /// The weights of the state for all gates: PyTorch's `weight_hh_l0`.
    pub weight_hh: Tensor<shape![Chunks<C::Gates, H>, H], T>,
    /// The biases of the input: PyTorch's `bias_ih_l0`.
    pub bias_ih: Tensor<shape![Chunks<C::Gates, H>], T>,
    /// The biases of the state: PyTorch's `bias_hh_l0`.
    pub bias_hh: Tensor<shape![Chunks<C::Gates, H>], T>,
}

#[tensor_core::diagnostics::bounds_without_source]
impl<C: RecurrentCell, I: Axis, H: Axis, T: Float> RecurrentLayer<C, I, H, T> {
    /// Initialises parameters uniformly within `±1 / √h`, as PyTorch does.
    ///
    /// ```
    /// use tensor_core::{dim, random::Generator};
    /// use tensor_nn::Module;
    /// use tensor_nn::layers::LstmCell;
    ///
    /// let cell: LstmCell<dim!(8), dim!(16)> = LstmCell::new(&mut Generator::seed(42));
    /// assert_eq!(cell.names(), ["weight_ih", "weight_hh", "bias_ih", "bias_hh"]);
    /// ```
    pub fn new(rng: &mut Generator) -> Self
    where
        I: StaticAxis,
        H: StaticAxis,
    {
        let bound = 1.0 / (H::VALUE.size().max(1) as f64).sqrt();
        let (low, high) = (T::from_f64(-bound), T::from_f64(bound));
        let rows = ((), Chunks::of(H::VALUE));
        Self {
            weight_ih: rng.uniform_shaped((rows, I::VALUE), low, high),
            weight_hh: rng.uniform_shaped((rows, H::VALUE), low, high),
            bias_ih: rng.uniform_shaped(rows, low, high),
            bias_hh: rng.uniform_shaped(rows, low, high),
        }
    }

    /// Initialises all parameters to 0, for tests.
    ///
    /// ```
    /// use tensor_core::{dim, tensor};
    /// use tensor_nn::layers::GruCell;
    ///
    /// let cell: GruCell<dim!(1), dim!(2)> = GruCell::zeros();
    /// assert_eq!(cell.step(&tensor![7.0], &tensor![2.0, 4.0]), tensor![1.0, 2.0]);
    /// ```
    pub fn zeros() -> Self
    where
        I: StaticAxis,
        H: StaticAxis,
    {
        let rows = ((), Chunks::of(H::VALUE));
        Self {
            weight_ih: Tensor::zeros_shaped((rows, I::VALUE)),
            weight_hh: Tensor::zeros_shaped((rows, H::VALUE)),
            bias_ih: Tensor::zeros_shaped(rows),
            bias_hh: Tensor::zeros_shaped(rows),
        }
    }
}

#[tensor_core::diagnostics::bounds_without_source]
impl<C: RecurrentCell, I: Axis, H: Axis, T: Float> RecurrentLayer<C, I, H, T> {
    /// The initial state, zeros: `[..lead, h]` for each of its tensors.
    ///
    /// # Panics
    ///
    /// If a tensor of the state exceeds `isize::MAX` bytes.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, shape};
    /// use tensor_nn::layers::GruCell;
    ///
    /// let cell: GruCell<dim!(1), dim!(2)> = GruCell::zeros();
    /// assert_eq!(cell.first_state(shape![3]), Tensor::<shape![3, 2]>::zeros());
    /// ```
    #[track_caller]
    pub fn first_state<Lead: Shape>(&self, lead: Lead) -> C::State<Lead, H, T> {
        let (_, rows) = self.bias_ih.shape();
        C::first_state(Tensor::zeros_shaped((lead, rows.chunk)))
    }

    /// The next state, `[..lead, i], [..lead, h] → [..lead, h]`.
    ///
    /// # Panics
    ///
    /// If a named axis has different sizes in the input, the state and the weights.
    ///
    /// ```
    /// use tensor_core::{dim, tensor};
    /// use tensor_nn::layers::{LstmCell, LstmState};
    ///
    /// let cell: LstmCell<dim!(3), dim!(1)> = LstmCell::zeros();
    /// let state = LstmState { hidden: tensor![0.0], cell: tensor![1.0] };
    /// assert_eq!(cell.step(&tensor![0.0, 0.0, 0.0], &state).cell, tensor![0.5]);
    /// ```
    #[track_caller]
    pub fn step<S, J>(
        &self,
        x: &Tensor<S, T>,
        state: &C::State<LeadOf<S, I>, H, T>,
    ) -> C::State<LeadOf<S, I>, H, T>
    where
        S: Shape<LastAxis = J>,
        Self: LayerTakes<J, I>,
    {
        self.next(taken::<I, S, T>(x), state)
    }

    /// The implementation of [`step`](Self::step).
    #[track_caller]
    pub(super) fn next<Lead: Shape>(
        &self,
        x: &Tensor<shape![Lead.., I], T>,
        state: &C::State<Lead, H, T>,
    ) -> C::State<Lead, H, T> {
        self.step_after(self.of_input(x), state)
    }

    /// The contribution of an input to the gates.
    #[track_caller]
    fn of_input<Lead: Shape>(
        &self,
        x: &Tensor<shape![Lead.., I], T>,
    ) -> Tensor<shape![Lead.., Chunks<C::Gates, H>], T> {
        x.dot(&self.weight_ih.transpose()) + &self.bias_ih
    }

    /// `[..lead, g · h] → [..lead, g, h]`
    fn gates<Lead: Shape>(
        rows: Tensor<shape![Lead.., Chunks<C::Gates, H>], T>,
    ) -> Tensor<shape![Lead.., C::Gates, H], T> {
        let (lead, chunks) = rows.shape();
        rows.reshape_shaped(((lead, C::Gates::VALUE), chunks.chunk))
    }

    #[track_caller]
    fn step_after<Lead: Shape>(
        &self,
        of_input: Tensor<shape![Lead.., Chunks<C::Gates, H>], T>,
        state: &C::State<Lead, H, T>,
    ) -> C::State<Lead, H, T> {
        let hidden: &Tensor<shape![Lead.., H], T> = C::output(state);
        let of_state = Self::gates(hidden.dot(&self.weight_hh.transpose()) + &self.bias_hh);
        C::step(Self::gates(of_input), of_state, state)
    }

    /// The outputs at each step of a whole sequence; processed from its end if `is_reverse`.
    #[track_caller]
    pub(super) fn read<Lead: Shape, Time: Axis>(
        &self,
        x: &Tensor<shape![Lead.., Time, I], T>,
        state: &mut C::State<Lead, H, T>,
        is_reverse: bool,
    ) -> Tensor<shape![Lead.., Time, H], T> {
        // The contributions of the input to the gates need no state: one matrix product for all steps.
        let of_input = self.of_input(x);
        let step = |state: &C::State<Lead, H, T>, of_input: &Tensor<_, T>| {
            let state = self.step_after(of_input.clone(), state);
            let output: Tensor<shape![Lead.., H], T> = C::output(&state).clone();
            (state, output)
        };
        let (last, outputs) = if is_reverse {
            scan_reverse_along::<-2, _, _, _>(state, &of_input, step)
        } else {
            scan_along::<-2, _, _, _>(state, &of_input, step)
        };
        *state = last;
        outputs
    }
}

impl<C: RecurrentCell, I: Axis, H: Axis, T: Element> RecurrentLayer<C, I, H, T> {
    /// Visits the parameters, with this suffix added to their names.
    pub(super) fn visit_as<'a>(
        &'a self,
        suffix: &str,
        path: &Path<'_>,
        visitor: &mut Visitor<'a, '_>,
    ) {
        let Self { weight_ih, weight_hh, bias_ih, bias_hh } = self;
        let mut visit = |name: &str, tensor: &'a dyn AnyTensor| {
            visitor(&path.field(&format!("{name}{suffix}")), Role::Parameter, tensor);
        };
        visit("weight_ih", weight_ih);
        visit("weight_hh", weight_hh);
        visit("bias_ih", bias_ih);
        visit("bias_hh", bias_hh);
    }

    /// Makes a layer of tensors whose names have this suffix.
    pub(super) fn from_tensors_as(
        suffix: &str,
        path: &Path<'_>,
        tensors: &mut TensorReader<'_>,
    ) -> Option<Self> {
        let name = |name: &str| format!("{name}{suffix}");
        let weight_ih = Module::from_tensors(&path.field(&name("weight_ih")), tensors);
        let weight_hh = Module::from_tensors(&path.field(&name("weight_hh")), tensors);
        let bias_ih = Module::from_tensors(&path.field(&name("bias_ih")), tensors);
        let bias_hh = Module::from_tensors(&path.field(&name("bias_hh")), tensors);
        Some(Self {
            weight_ih: weight_ih?,
            weight_hh: weight_hh?,
            bias_ih: bias_ih?,
            bias_hh: bias_hh?,
        })
    }

    pub(super) fn visit_mut_as<'a>(
        &'a mut self,
        suffix: &str,
        path: &Path<'_>,
        visitor: &mut VisitorMut<'a, '_>,
    ) {
        let Self { weight_ih, weight_hh, bias_ih, bias_hh } = self;
        let mut visit = |name: &str, tensor: &'a mut dyn AnyTensor| {
            visitor(&path.field(&format!("{name}{suffix}")), Role::Parameter, tensor);
        };
        visit("weight_ih", weight_ih);
        visit("weight_hh", weight_hh);
        visit("bias_ih", bias_ih);
        visit("bias_hh", bias_hh);
    }
}
