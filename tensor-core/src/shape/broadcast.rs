//! Broadcasting: the shape of `a + b`, computed by the compiler from the shapes of `a` and `b`.
//!
//! Shapes are aligned at their last axis. Two axes match when they are equal or one of them is
//! [`One`], which stretches; a missing axis counts as `One`. With `⊕` for the result, the whole rule
//! is
//!
//! ```text
//! A ⊕ A = A      1 ⊕ A = A      A ⊕ 1 = A                        axes
//! [] ⊕ S = S     S ⊕ [] = S     [..l, a] ⊕ [..r, b] = [..(l ⊕ r), a ⊕ b]    shapes
//! ```
//!
//! and every other pair has no impl, so that the program does not compile.
//!
//! [NumPy](https://numpy.org/doc/stable/user/basics.broadcasting.html),
//! [PyTorch](https://docs.pytorch.org/docs/stable/notes/broadcasting.html) and TensorFlow share
//! this rule.

mod operands;

pub use operands::{ElementWise3, ElementWise4, Expand, Expanded, ExpandedFrom, InPlace};

use crate::shape::Shape;
use crate::shape::axis::{Axis, One};
use crate::shape::error::ShapeError;

/// The shape `L ⊕ R`.
///
/// ```
/// use tensor_core::{broadcast::Broadcasted, shape};
///
/// type Outer = Broadcasted<shape![4, 1], shape![5]>;
/// let outer: Outer = shape![4, 5];
/// # let _ = outer;
/// ```
pub type Broadcasted<L, R> = <L as BroadcastOf<L, R>>::Output;

/// The axis `L ⊕ R`.
pub type BroadcastedAxis<L, R> = <L as BroadcastAxis<R>>::BroadcastedAxis;

/// The type `Rest`, which the compiler computes only once it knows `Self`: the axes to the left are checked only if this
/// axis matches.
///
/// So if two shapes differ in several axes, only the last one is reported: one mistake, one error.
#[cfg_attr(doc, doc(hidden))]
pub trait Then<Rest> {
    /// `Rest`.
    type Rest;
}

/// The type `Rest`, which the compiler computes only once it knows `Known`.
#[cfg_attr(doc, doc(hidden))]
pub type After<Known, Rest> = <Known as Then<Rest>>::Rest;

impl<Known, Rest> Then<Rest> for Known {
    type Rest = Rest;
}

/// Two axes that broadcast: they are equal, or one of them is [`One`].
///
/// ```
/// use tensor_core::{One, broadcast::BroadcastAxis, dim};
///
/// let three: dim!(3) = One.broadcast_axis(<dim!(3)>::default())?;
/// # let _ = three;
/// # Ok::<(), tensor_core::broadcast::AxisMismatch>(())
/// ```
pub trait BroadcastAxis<R> {
    /// The axis of the result. Not `Output`, as in the bound `A: AddSizes<B, Output = N>` rust-analyzer would take the
    /// name for that of this supertrait of axes.
    type BroadcastedAxis: Axis;

    /// Whether `Self` stretches.
    #[doc(hidden)]
    const LEFT_STRETCHES: bool = false;

    /// Whether `R` stretches.
    #[doc(hidden)]
    const RIGHT_STRETCHES: bool = false;

    /// The axis of the result, as a value.
    ///
    /// # Errors
    ///
    /// If a named axis has different sizes on the two sides.
    fn broadcast_axis(self, right: R) -> Result<Self::BroadcastedAxis, AxisMismatch>;
}

/// A trait without impls, of the traits that refuse. An impl of a rule that requires it for a tuple is for what is refused:
/// it may overlap with the other impls, since rustc knows that no crate implements it, and rustc proposes no bound that no
/// type meets.
#[cfg_attr(doc, doc(hidden))]
pub trait Refused {}

/// Two axes that do not broadcast. `Self` is `(L,)`, because for an axis that the user declared the compiler would also show
/// its declaration.
#[diagnostic::on_unimplemented(
    message = "cannot broadcast an axis of size `{L}` with one of size `{R}`",
    label = "`{L}` and `{R}` differ and neither is `One` (`unsqueeze` adds it); shapes align at the last axis [T101]; a named axis or type parameter matches only itself [T102]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait AxesMatch<L, R>: Refused + Sized {
    /// The axis of the result, which never resolves, as there is no impl.
    type Output: Axis;

    /// The axis, as a value.
    #[doc(hidden)]
    fn matched(self) -> Self::Output;
}

/// Any other pair of axes is refused.
impl<L, R> BroadcastAxis<R> for L
where
    (L,): AxesMatch<L, R> + Refused,
{
    type BroadcastedAxis = <(L,) as AxesMatch<L, R>>::Output;

    fn broadcast_axis(self, _: R) -> Result<Self::BroadcastedAxis, AxisMismatch> {
        Ok((self,).matched())
    }
}

/// Two shapes that broadcast: the rule of the [module](self).
///
/// `Output` is the shape of the result: the bound `L: Broadcast<R, Output = S>` names it `S`; otherwise
/// it is [`Broadcasted<L, R>`](Broadcasted).
///
/// ```
/// use tensor_core::{Broadcast, Shape, Tensor, broadcast::Broadcasted, tensor};
///
/// fn sum<L, R>(left: &Tensor<L>, right: &Tensor<R>) -> Tensor<Broadcasted<L, R>>
/// where
///     L: Shape + Broadcast<R>,
///     R: Shape,
/// {
///     left + right
/// }
///
/// let table = sum(&tensor![[1.0], [2.0]], &tensor![10.0, 20.0]);
/// assert_eq!(table, tensor![[11.0, 21.0], [12.0, 22.0]]);
/// ```
#[diagnostic::on_unimplemented(
    message = "cannot broadcast shape `{Self}` with shape `{R}`",
    note = "in generic code, add the bound `{Self}: Broadcast<{R}>`, with `Output = S` in it where the result has shape `S`; where an axis was lost on the way, keep it, as `mean_axis_keepdims` does [T103]"
)]
pub trait Broadcast<R>: BroadcastOf<Self, R> + Sized {}

impl<L: BroadcastOf<L, R>, R> Broadcast<R> for L {}

/// The rule of [`Broadcast`], from the last axis to the first. `Self` is a type parameter, set to `L` by
/// the bounds: the compiler lists the impls of an unmet trait, unless they are for any type.
#[diagnostic::on_unimplemented(
    message = "cannot broadcast shape `{L}` with shape `{R}`",
    label = "not enough is known about the axes: in generic code, add the bound `{L}: Broadcast<{R}>`, with `Output = S` in it where the result has shape `S`; where an axis was lost on the way, keep it, as `mean_axis_keepdims` does [T103]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait BroadcastOf<L, R> {
    /// The shape of the result.
    type Output: Shape;

    /// Whether an axis of `L` stretches or is missing.
    #[doc(hidden)]
    const LEFT_STRETCHES: bool;

    /// Whether an axis of `R` stretches or is missing.
    #[doc(hidden)]
    const RIGHT_STRETCHES: bool;

    /// The shape of the result, as a value; [`Shape::broadcast`] is the public form.
    ///
    /// # Errors
    ///
    /// If a named axis has different sizes on the two sides.
    #[doc(hidden)]
    fn broadcast_shape(left: L, right: R) -> Result<Self::Output, AxisMismatch>;

    /// The shape of the result of an operation.
    ///
    /// # Errors
    ///
    /// If a named axis has different sizes on the two sides, or two sizes in the result.
    #[doc(hidden)]
    fn result_shape(left: L, right: R) -> Result<Self::Output, ShapeError> {
        let shape = Self::broadcast_shape(left, right);
        shape.map_err(|mismatch| mismatch.in_rank(Self::Output::RANK))?.with_one_size_each()
    }
}

/// `[] ⊕ S = S`
#[diagnostic::do_not_recommend]
impl<X, S: Shape> BroadcastOf<(), S> for X {
    type Output = S;
    const LEFT_STRETCHES: bool = S::RANK > 0;
    const RIGHT_STRETCHES: bool = false;

    fn broadcast_shape((): (), right: S) -> Result<S, AxisMismatch> {
        Ok(right)
    }
}

/// `[..l, a] ⊕ [] = [..l, a]`
#[diagnostic::do_not_recommend]
impl<X, L: Shape, A: Axis> BroadcastOf<(L, A), ()> for X {
    type Output = (L, A);
    const LEFT_STRETCHES: bool = false;
    const RIGHT_STRETCHES: bool = true;

    fn broadcast_shape(left: (L, A), (): ()) -> Result<(L, A), AxisMismatch> {
        Ok(left)
    }
}

/// `[..l, a] ⊕ [..r, b] = [..(l ⊕ r), a ⊕ b]`
impl<X, L, A, R, B> BroadcastOf<(L, A), (R, B)> for X
where
    A: BroadcastAxis<B>,
    After<BroadcastedAxis<A, B>, L>: BroadcastOf<After<BroadcastedAxis<A, B>, L>, R>,
{
    // Resolved once the axes to the left match, so that a rejected operation has no result type.
    type Output = After<
        Broadcasted<After<BroadcastedAxis<A, B>, L>, R>,
        (Broadcasted<After<BroadcastedAxis<A, B>, L>, R>, BroadcastedAxis<A, B>),
    >;
    const LEFT_STRETCHES: bool =
        <L as BroadcastOf<L, R>>::LEFT_STRETCHES || <A as BroadcastAxis<B>>::LEFT_STRETCHES;
    const RIGHT_STRETCHES: bool =
        <L as BroadcastOf<L, R>>::RIGHT_STRETCHES || <A as BroadcastAxis<B>>::RIGHT_STRETCHES;

    fn broadcast_shape(left: (L, A), right: (R, B)) -> Result<Self::Output, AxisMismatch> {
        let lead = L::broadcast_shape(left.0, right.0);
        let axis = left.1.broadcast_axis(right.1)?;
        Ok((lead.map_err(AxisMismatch::one_axis_further_left)?, axis))
    }
}

/// `1 ⊕ A = A`
#[diagnostic::do_not_recommend]
impl<A: Axis> BroadcastAxis<A> for One {
    type BroadcastedAxis = A;
    const LEFT_STRETCHES: bool = !matches!(A::SIZE, Some(1));

    fn broadcast_axis(self, right: A) -> Result<A, AxisMismatch> {
        Ok(right)
    }
}

/// An axis that broadcasts to `Target`: `Target` itself or [`One`].
#[diagnostic::on_unimplemented(
    message = "cannot expand an axis of size `{Self}` to `{Target}`",
    label = "`{Self}` does not stretch to `{Target}`",
    note = "only an axis of size `One` stretches; shapes are aligned at their last axis [T105]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait ExpandAxis<Target> {
    /// A type that the compiler knows only if the axes match: [`After`] uses it.
    #[doc(hidden)]
    type Matched;

    /// Compares the run-time sizes.
    ///
    /// # Errors
    ///
    /// If a named axis has different sizes on the two sides.
    #[doc(hidden)]
    fn expand_axis(self, target: Target) -> Result<(), AxisMismatch>;
}

#[diagnostic::do_not_recommend]
impl<A: Axis> ExpandAxis<A> for One {
    type Matched = A;

    fn expand_axis(self, _: A) -> Result<(), AxisMismatch> {
        Ok(())
    }
}

/// A shape that broadcasts to `Target`: `Self ⊕ Target = Target`.
///
/// ```
/// use tensor_core::{Shape, StaticShape, Tensor, broadcast::ExpandTo, shape, tensor};
///
/// fn stretched<S, Target>(x: &Tensor<S>) -> Tensor<Target>
/// where
///     S: Shape + ExpandTo<Target>,
///     Target: StaticShape,
/// {
///     x.expand::<Target>()
/// }
///
/// assert_eq!(stretched::<_, shape![2, 2]>(&tensor![1.0, 2.0]), tensor![[1.0, 2.0], [1.0, 2.0]]);
/// ```
#[diagnostic::on_unimplemented(
    message = "cannot expand shape `{Self}` to shape `{Target}`",
    note = "the target has at least as many axes; shapes are aligned at their last axis [T105]"
)]
pub trait ExpandTo<Target> {
    /// A type that the compiler knows only if the shape stretches to the target: [`After`] uses it.
    #[doc(hidden)]
    type Stretched;

    /// Compares the run-time sizes.
    ///
    /// # Errors
    ///
    /// If a named axis has different sizes on the two sides.
    #[doc(hidden)]
    fn expand_shape(self, target: Target) -> Result<(), AxisMismatch>;
}

/// `[]` stretches to every shape.
#[diagnostic::do_not_recommend]
impl<S: Shape> ExpandTo<S> for () {
    type Stretched = ();

    fn expand_shape(self, _: S) -> Result<(), AxisMismatch> {
        Ok(())
    }
}

/// An axis that does not stretch to `Target`: see [`AxesMatch`].
#[diagnostic::on_unimplemented(
    message = "cannot expand an axis of size `{B}` to `{Target}`",
    label = "`{B}` does not stretch to `{Target}`: only an axis of size `One` stretches; shapes are aligned at their last axis [T105]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait AxisExpands<B, Target>: Refused {
    /// A type that never resolves, as there is no impl.
    type Matched;
}

/// Any other pair of axes is refused.
impl<B, Target> ExpandAxis<Target> for B
where
    (B,): AxisExpands<B, Target> + Refused,
{
    type Matched = <(B,) as AxisExpands<B, Target>>::Matched;

    fn expand_axis(self, _: Target) -> Result<(), AxisMismatch> {
        unreachable!("no type is refused")
    }
}

/// `[..r, b]` stretches to `[..l, a]` when `[..r]` stretches to `[..l]` and `b` to `a`.
impl<L, A, R, B> ExpandTo<(L, A)> for (R, B)
where
    B: ExpandAxis<A>,
    R: ExpandTo<After<B::Matched, L>>,
{
    type Stretched = After<B::Matched, <R as ExpandTo<After<B::Matched, L>>>::Stretched>;

    fn expand_shape(self, target: (L, A)) -> Result<(), AxisMismatch> {
        self.1.expand_axis(target.1)?;
        self.0.expand_shape(target.0).map_err(AxisMismatch::one_axis_further_left)
    }
}

/// Requires that there are no axes beyond the rank of the target of `expand`.
#[diagnostic::on_unimplemented(
    message = "cannot expand to fewer axes: the target lacks the axes `{Self}`",
    label = "the target has too few axes",
    note = "shapes are aligned at their last axis; `squeeze`, `reshape` and reductions take axes away [T105]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait NoMoreAxes {
    /// A type that the compiler knows only if there are none.
    type Checked;
}

#[diagnostic::do_not_recommend]
impl NoMoreAxes for () {
    type Checked = ();
}

/// `[..r, b]` does not stretch to `[]`.
impl<R, B> ExpandTo<()> for (R, B)
where
    (R, B): NoMoreAxes,
{
    type Stretched = <(R, B) as NoMoreAxes>::Checked;

    fn expand_shape(self, (): ()) -> Result<(), AxisMismatch> {
        Ok(())
    }
}

/// Requires that there are no axes beyond the rank of an in-place target.
#[diagnostic::on_unimplemented(
    message = "an in-place result cannot grow: the tensor on the left lacks the axes `{Self}`",
    label = "the tensor that is written to keeps its shape, and the right side has more axes; `&a + &b` is a new tensor [T104]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait NoExtraAxes: NoMoreAxes {}

#[diagnostic::do_not_recommend]
impl NoExtraAxes for () {}

/// `[..r, b]` does not broadcast to `[]`.
impl<R, B> AssignTo<()> for (R, B) where (R, B): NoExtraAxes {}

/// An axis that broadcasts to the axis `Target` of an in-place target.
#[diagnostic::on_unimplemented(
    message = "an in-place result cannot grow: its axis of size `{Target}` does not hold one of size `{Self}`",
    label = "`{Self}` does not fit into `{Target}`",
    note = "the tensor that is written to keeps its shape, and `&a + &b` is a new tensor, which may have another [T104]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait AssignAxis<Target>: ExpandAxis<Target> {}

#[diagnostic::do_not_recommend]
impl<A: Axis> AssignAxis<A> for One {}

/// A shape that broadcasts to an in-place target of shape `Target`: `Target ⊕ Self = Target`.
///
/// ```
/// use tensor_core::{Shape, Tensor, broadcast::AssignTo, tensor};
///
/// fn add_to<S: Shape, R: Shape + AssignTo<S>>(target: &mut Tensor<S>, x: &Tensor<R>) {
///     *target += x;
/// }
///
/// let mut target = tensor![[1.0, 2.0], [3.0, 4.0]];
/// add_to(&mut target, &tensor![10.0, 20.0]);
/// assert_eq!(target, tensor![[11.0, 22.0], [13.0, 24.0]]);
/// ```
#[diagnostic::on_unimplemented(
    message = "an in-place result cannot grow: shape `{Target}` does not hold shape `{Self}`",
    note = "the tensor that is written to keeps its shape, and `&a + &b` is a new tensor; in generic code, add the bound `{Self}: AssignTo<{Target}>` [T104]"
)]
pub trait AssignTo<Target>: ExpandTo<Target> {}

/// `[]` broadcasts to every shape.
#[diagnostic::do_not_recommend]
impl<S: Shape> AssignTo<S> for () {}

/// An axis that does not fit into the axis `Target` of an in-place target: see [`AxesMatch`].
#[diagnostic::on_unimplemented(
    message = "an in-place result cannot grow: its axis of size `{Target}` does not hold one of size `{B}`",
    label = "the tensor that is written to keeps its shape, and `{B}` does not fit into `{Target}`; `&a + &b` is a new tensor [T104]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait AxisFits<B, Target>: AxisExpands<B, Target> {}

/// Any other pair of axes is refused.
impl<B, Target> AssignAxis<Target> for B where (B,): AxisFits<B, Target> + Refused {}

/// `[..r, b]` broadcasts to `[..l, a]` when `[..r]` does to `[..l]` and `b` to `a`.
impl<L, A, R, B> AssignTo<(L, A)> for (R, B)
where
    B: AssignAxis<A>,
    R: AssignTo<After<B::Matched, L>>,
    Self: ExpandTo<(L, A)>,
{
}

/// A mismatch of two sizes of an axis, counted from the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AxisMismatch {
    left: usize,
    right: usize,
    name: Option<&'static str>,
    from_the_end: usize,
}

impl AxisMismatch {
    /// The axis if both are equal, else the mismatch.
    #[doc(hidden)]
    pub fn unless_equal<A: Axis>(left: A, right: A) -> Result<A, Self> {
        if left == right {
            return Ok(left);
        }
        let name = A::NAME;
        Err(Self { left: left.size(), right: right.size(), name, from_the_end: 0 })
    }

    fn one_axis_further_left(self) -> Self {
        Self { from_the_end: self.from_the_end + 1, ..self }
    }

    /// The mismatch with the sides in the other order.
    pub(crate) fn swapped(self) -> Self {
        Self { left: self.right, right: self.left, ..self }
    }

    /// The error of an operation whose result has rank `rank`.
    pub(crate) fn in_rank(self, rank: usize) -> ShapeError {
        ShapeError::Sizes {
            left: self.left,
            right: self.right,
            axis: rank - 1 - self.from_the_end,
            name: self.name,
        }
    }
}
