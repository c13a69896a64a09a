//! The directions in which a recurrent network reads a sequence.

use core::fmt::Debug;

use tensor_core::arithmetic::{MulSizes, SizeProduct};
use tensor_core::{Axis, Float, Shape, Tensor, dim, shape};

use super::{RecurrentCell, RecurrentLayer};

/// Whether a recurrent network reads sequences from the start, or from both ends.
///
/// ```
/// use tensor_nn::layers::{Bidirectional, Direction, Forward};
///
/// assert_eq!((Forward::COUNT, Bidirectional::COUNT), (1, 2));
/// ```
pub trait Direction: Copy + Debug + PartialEq + Send + Sync + 'static {
    /// One value for each direction: the value itself, or an array of two.
    type Each<X: Clone + Debug + PartialEq>: Clone + Debug + PartialEq;

    /// The number of directions.
    const COUNT: usize;

    /// Calls `make` for each direction, counted from 0.
    #[doc(hidden)]
    fn each<X: Clone + Debug + PartialEq>(make: impl FnMut(usize) -> X) -> Self::Each<X>;

    /// References to the values of each direction.
    #[doc(hidden)]
    fn as_slice<X: Clone + Debug + PartialEq>(each: &Self::Each<X>) -> &[X];

    /// Mutable references to the values of each direction.
    #[doc(hidden)]
    fn as_slice_mut<X: Clone + Debug + PartialEq>(each: &mut Self::Each<X>) -> &mut [X];
}

/// A [`Direction`] with the axis of the outputs of a layer whose state is `H`: `h`, or `2 h`.
///
/// ```
/// use tensor_core::{Axis, StaticAxis, dim};
/// use tensor_nn::layers::{Bidirectional, Outputs};
///
/// fn outputs<H: StaticAxis, D: Outputs<H, Axis: StaticAxis>>() -> usize {
///     D::Axis::VALUE.size()
/// }
///
/// assert_eq!(outputs::<dim!(16), Bidirectional>(), 32);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no direction for a state `{H}` whose double is not known",
    label = "expected `Forward`, or `Bidirectional` and a static size",
    note = "in both directions the outputs are two states: in generic code, add the bound `{H}: MulSizes<dim!(2)>` [N105]"
)]
pub trait Outputs<H: Axis>: Direction {
    /// The axis of the outputs.
    type Axis: Axis;

    /// The outputs of a layer for a whole sequence.
    #[doc(hidden)]
    #[track_caller]
    fn read<C: RecurrentCell, Lead: Shape, Time: Axis, I: Axis, T: Float>(
        layer: &Self::Each<RecurrentLayer<C, I, H, T>>,
        x: &Tensor<shape![Lead.., Time, I], T>,
        states: &mut Self::Each<C::State<Lead, H, T>>,
    ) -> Tensor<shape![Lead.., Time, Self::Axis], T>;
}

/// From the start of a sequence to its end.
///
/// ```
/// use tensor_core::{dim, random::Generator};
/// use tensor_nn::layers::{Forward, Gru};
///
/// let two_layers: Gru<dim!(8), dim!(16), f32, Forward, 2> = Gru::new(&mut Generator::seed(42));
/// assert_eq!(two_layers.rest.len(), 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forward;

/// From the start and from the end, each with its own parameters: PyTorch's `bidirectional`.
///
/// ```
/// use tensor_core::{Tensor, dim, random::Generator, shape};
/// use tensor_nn::layers::{Bidirectional, Gru, Pass};
///
/// let layer: Gru<dim!(8), dim!(16), f32, Bidirectional> = Gru::new(&mut Generator::seed(42));
/// let (all, [[from_start, from_end]]) =
///     layer.forward(&Tensor::<shape![5, 8]>::ones(), &mut Pass::eval());
/// assert_eq!(all.shape(), shape![5, 32]);
/// // The states after the whole sequence, which the other direction ends at its first step.
/// assert_eq!(all.slice(tensor_core::slice![4, ..16]), from_start);
/// assert_eq!(all.slice(tensor_core::slice![0, 16..]), from_end);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bidirectional;

impl Direction for Forward {
    type Each<X: Clone + Debug + PartialEq> = X;
    const COUNT: usize = 1;

    fn each<X: Clone + Debug + PartialEq>(mut make: impl FnMut(usize) -> X) -> X {
        make(0)
    }

    fn as_slice<X: Clone + Debug + PartialEq>(each: &X) -> &[X] {
        core::slice::from_ref(each)
    }

    fn as_slice_mut<X: Clone + Debug + PartialEq>(each: &mut X) -> &mut [X] {
        core::slice::from_mut(each)
    }
}

impl Direction for Bidirectional {
    type Each<X: Clone + Debug + PartialEq> = [X; 2];
    const COUNT: usize = 2;

    fn each<X: Clone + Debug + PartialEq>(make: impl FnMut(usize) -> X) -> [X; 2] {
        core::array::from_fn(make)
    }

    fn as_slice<X: Clone + Debug + PartialEq>(each: &[X; 2]) -> &[X] {
        each
    }

    fn as_slice_mut<X: Clone + Debug + PartialEq>(each: &mut [X; 2]) -> &mut [X] {
        each
    }
}

impl<H: Axis> Outputs<H> for Forward {
    type Axis = H;

    fn read<C: RecurrentCell, Lead: Shape, Time: Axis, I: Axis, T: Float>(
        layer: &RecurrentLayer<C, I, H, T>,
        x: &Tensor<shape![Lead.., Time, I], T>,
        state: &mut C::State<Lead, H, T>,
    ) -> Tensor<shape![Lead.., Time, H], T> {
        layer.read(x, state, false)
    }
}

#[diagnostic::do_not_recommend]
impl<H: MulSizes<dim!(2)>> Outputs<H> for Bidirectional {
    type Axis = SizeProduct<H, dim!(2)>;

    fn read<C: RecurrentCell, Lead: Shape, Time: Axis, I: Axis, T: Float>(
        [from_start, from_end]: &[RecurrentLayer<C, I, H, T>; 2],
        x: &Tensor<shape![Lead.., Time, I], T>,
        [first, second]: &mut [C::State<Lead, H, T>; 2],
    ) -> Tensor<shape![Lead.., Time, Self::Axis], T> {
        let outputs = [from_start.read(x, first, false), from_end.read(x, second, true)];
        Tensor::concat_all::<-1, Self::Axis>(&outputs)
    }
}
