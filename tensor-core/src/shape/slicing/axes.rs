//! Shapes with an axis replaced, moved, or swapped with another one; diagonals and windows.

use crate::shape::Shape;
use crate::shape::SizeInTypes;
use crate::shape::arithmetic::{AddSizes, Billions, NoBillions, Subtract};
use crate::shape::axis::{Axis, NoAxis, One, StaticAxis};
use crate::shape::axis_index::index_left_out;
use crate::shape::axis_index::{AxisFromEnd, AxisIndex, FromEnd, HasAxis, Unsqueeze, Unsqueezed};
use crate::shape::axis_list::{HasAxes, WithoutAxes};
use crate::shape::broadcast::After;

/// A shape whose axes `I` and `J` can be swapped: `[..a, m, ..b, n, ..c] → [..a, n, ..b, m, ..c]`.
///
/// ```
/// use tensor_core::{Tensor, slicing::{SwapAxes, SwappedAxes}, tensor};
///
/// fn swapped<S: SwapAxes<0, 1>>(x: &Tensor<S>) -> Tensor<SwappedAxes<S, 0, 1>> {
///     x.swap_axes::<0, 1>()
/// }
///
/// assert_eq!(swapped(&tensor![[1.0, 2.0]]), tensor![[1.0], [2.0]]);
/// ```
pub trait SwapAxes<const I: isize, const J: isize>: HasAxis<I> {
    /// The shape with the axes swapped.
    type Output: Shape;

    /// The index of axis `J`, counted from 0 at the front.
    #[doc(hidden)]
    const SECOND: usize;
}

/// `S` with axes `I` and `J` swapped.
pub type SwappedAxes<S, const I: isize, const J: isize> = <S as SwapAxes<I, J>>::Output;

index_left_out! { $N
    impl<L: Shape, A: Axis> SwapAxes<$N, $N> for (L, A) {
        type Output = ();
        const SECOND: usize = panic!("no axis has this number");
    }
}

impl<S, A, B, M, const I: isize, const J: isize, const K: usize, const L: usize> SwapAxes<I, J>
    for S
where
    S: HasAxis<I, FromTheEnd = FromEnd<K>, Axis = A>,
    S: HasAxis<J, FromTheEnd = FromEnd<L>, Axis = B>,
    S: AxisFromEnd<K, With<B> = M>,
    M: AxisFromEnd<L, With<A>: Shape>,
{
    type Output = <M as AxisFromEnd<L>>::With<A>;
    const SECOND: usize = <S as HasAxis<J>>::INDEX;
}

/// A shape whose axis `FROM` can become axis `TO`; the others keep their order.
///
/// ```
/// use tensor_core::{Tensor, slicing::{MoveAxis, MovedAxis}, tensor};
///
/// fn last_first<S: MoveAxis<-1, 0>>(x: &Tensor<S>) -> Tensor<MovedAxis<S, -1, 0>> {
///     x.move_axis::<-1, 0>()
/// }
///
/// assert_eq!(last_first(&tensor![[1.0, 2.0]]), tensor![[1.0], [2.0]]);
/// ```
pub trait MoveAxis<const FROM: isize, const TO: isize>: HasAxis<FROM> {
    /// The shape with the axis moved.
    type Output: Shape;

    /// The index of the axis in the result, counted from 0 at the front.
    #[doc(hidden)]
    const PLACE: usize;
}

/// `S` with axis `FROM` moved to index `TO`.
pub type MovedAxis<S, const FROM: isize, const TO: isize> = <S as MoveAxis<FROM, TO>>::Output;

index_left_out! { $N
    impl<L: Shape, A: Axis> MoveAxis<$N, $N> for (L, A) {
        type Output = ();
        const PLACE: usize = panic!("no axis has this number");
    }
}

impl<S, A, R, const FROM: isize, const TO: isize, const K: usize, const L: usize> MoveAxis<FROM, TO>
    for S
where
    S: HasAxis<FROM, Axis = A, WithoutAxis = R, FromTheEnd = FromEnd<L>>,
    R: Unsqueeze<TO>,
    Unsqueezed<R, TO>: HasAxis<TO, FromTheEnd = FromEnd<K>> + AxisFromEnd<K, With<A>: Shape>,
{
    type Output = <Unsqueezed<R, TO> as AxisFromEnd<K>>::With<A>;
    const PLACE: usize = <R as Unsqueeze<TO>>::INDEX;
}

/// A shape with a diagonal along axes `I` and `J`, which becomes the last axis:
/// `[..a, m, ..b, n, ..c] → [..a, ..b, ..c, min(m, n)]`.
///
/// ```
/// use tensor_core::{Tensor, slicing::{Diagonal, DiagonalShape}, tensor};
///
/// fn main_diagonal<S: Diagonal<0, 1>>(x: &Tensor<S>) -> Tensor<DiagonalShape<S, 0, 1>> {
///     x.diagonal::<0, 1>()
/// }
///
/// assert_eq!(main_diagonal(&tensor![[1.0, 2.0], [3.0, 4.0]]), tensor![1.0, 4.0]);
/// ```
pub trait Diagonal<const I: isize, const J: isize>: HasAxis<I> {
    /// The shape of the diagonals: the other axes, then the diagonal.
    type Output: Shape;

    /// The index of axis `J`, counted from 0 at the front.
    #[doc(hidden)]
    const SECOND: usize;
}

/// The shape of the diagonal of `S` along axes `I` and `J`.
pub type DiagonalShape<S, const I: isize, const J: isize> = <S as Diagonal<I, J>>::Output;

/// Two axes, as a list.
type AxisPair<const I: isize, const J: isize> = (((), AxisIndex<I>), AxisIndex<J>);

index_left_out! { $N
    impl<L: Shape, A: Axis> Diagonal<$N, $N> for (L, A) {
        type Output = ();
        const SECOND: usize = panic!("no axis has this number");
    }
}

impl<S, A, B, Y, Z, M, const I: isize, const J: isize, const K: usize> Diagonal<I, J> for S
where
    S: HasAxis<I, Axis = A, FromTheEnd = FromEnd<K>>
        + HasAxis<J, Axis = B>
        + HasAxes<AxisPair<I, J>>,
    (A,): SizeInTypes<A, Size = Y>,
    (B,): SizeInTypes<B, Size = Z>,
    Y: Subtract<Z, Fits: Smaller<Y, Z, Output = M>>,
    M: StaticAxis,
{
    type Output = (WithoutAxes<S, AxisPair<I, J>>, M);
    const SECOND: usize = <S as HasAxis<J>>::INDEX;
}

/// The smaller of two sizes, selected by whether `A - B` is at least 0.
#[cfg_attr(doc, doc(hidden))]
pub trait Smaller<A, B> {
    /// One of them.
    type Output;
}

impl<A, B> Smaller<A, B> for Billions {
    type Output = B;
}

impl<A, B> Smaller<A, B> for NoBillions {
    type Output = A;
}

/// A shape with windows of size `W` along axis `I`, in steps of 1: the axis counts the windows, and the
/// new last axis is within a window, `[..a, n, ..b] → [..a, n - w + 1, ..b, w]`.
///
/// ```
/// use tensor_core::{Tensor, dim, slicing::{WindowsAlong, WindowsShape}, tensor};
///
/// fn pairs<S: WindowsAlong<-1, dim!(2)>>(x: &Tensor<S>) -> Tensor<WindowsShape<S, -1, dim!(2)>> {
///     x.windows::<-1, dim!(2)>()
/// }
///
/// assert_eq!(pairs(&tensor![1.0, 2.0, 3.0]), tensor![[1.0, 2.0], [2.0, 3.0]]);
/// ```
pub trait WindowsAlong<const I: isize, W>: HasAxis<I> {
    /// The shape of all windows.
    type Output: Shape;
}

/// The shape of the windows of size `W` along axis `I` of `S`.
pub type WindowsShape<S, const I: isize, W> = <S as WindowsAlong<I, W>>::Output;

impl<S, W, O, const I: isize> WindowsAlong<I, W> for S
where
    S: HasAxis<I> + WindowSizes<I, W, Output = O>,
    O: Shape,
{
    type Output = O;
}

/// [`WindowsAlong`], computed from the sizes: the bound of that trait, separate so that error messages
/// are about the call alone.
#[cfg_attr(doc, doc(hidden))]
pub trait WindowSizes<const I: isize, W> {
    /// The shape of all windows.
    type Output;
}

impl<S, A, W, Z, D, F, M, N, const I: isize, const K: usize> WindowSizes<I, W> for S
where
    S: HasAxis<I, FromTheEnd = FromEnd<K>, Axis = A>,
    W: StaticAxis,
    (A,): SizeInTypes<A, Size = Z>,
    Z: Subtract<W::Size, Difference = D, Fits = F>,
    F: WindowFits<W, I, A, Matched = M>,
    D: AddSizes<One, Output = N>,
    S: AxisFromEnd<K, With<N>: Shape>,
{
    type Output = After<M, (<S as AxisFromEnd<K>>::With<N>, W)>;
}

/// Requires that a window is not longer than its axis.
#[diagnostic::on_unimplemented(
    message = "a window of `{W}` is longer than axis {I}, which has size `{A}`",
    label = "axis {I} has `{A}` elements",
    note = "windows lie within the axis; pad it before if they are to reach beyond [T224]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait WindowFits<W, const I: isize, A> {
    /// A type that the compiler knows only if the window fits: [`After`] uses it.
    type Matched;
}

#[diagnostic::do_not_recommend]
impl<W, const I: isize, A> WindowFits<W, I, A> for Billions {
    type Matched = W;
}

#[diagnostic::do_not_recommend]
impl<W, const I: isize, A> WindowFits<W, I, A> for NoAxis {
    type Matched = W;
}
