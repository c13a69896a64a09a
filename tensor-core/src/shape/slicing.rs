//! Slices: which part of each axis a view keeps, and the shape that is left.
//!
//! [`slice!`](crate::slice!) writes a pair: the parts of the first axes, from the first on, and behind
//! `...` those of the last axes. Behind `...` only the last axes have to be known, so generic code over
//! `Lead..` slices them without a bound on the rest.

mod axes;
mod part;
mod plan;

pub use self::axes::*;
pub use self::part::*;
pub use self::plan::{AxisPart, PartList, SliceParts, SlicePlan, WrittenPart};
pub(crate) use self::plan::{plan, sizes_of};
use crate::shape::Shape;
use crate::shape::axis::Axis;
use crate::shape::error::ShapeError;

/// A shape of which `P`, written by [`slice!`](crate::slice!), is a slice.
///
/// ```
/// use tensor_core::{Tensor, slice, slicing::{Slice, Sliced}, tensor};
///
/// type Tail = slice![..., 1..];
///
/// fn tail<S: Slice<Tail>>(x: &Tensor<S>) -> Tensor<Sliced<S, Tail>> {
///     x.slice(slice![..., 1..])
/// }
///
/// assert_eq!(tail(&tensor![[1.0, 2.0], [3.0, 4.0]]), tensor![[2.0], [4.0]]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{P}` is not a slice",
    label = "this needs a slice",
    note = "`slice!` writes slices: `x.slice(slice![.., 1..-1])` keeps all of axis 0 and leaves out the first and the last of axis 1; in generic code, add a bound such as `S: Slice<slice![..., 1..]>` [T220]"
)]
pub trait Slice<P>: Shape + HasSlice<P, Output: Shape> {}

impl<S: Shape + HasSlice<P, Output: Shape>, P> Slice<P> for S {}

/// [`Slice`] for a shape that is a list of axes: it implies nothing about the list, which the compiler
/// would otherwise take for every shape that it infers.
///
/// ```
/// use tensor_core::{Shape, StaticAxis, Tensor, shape, slice, slicing::HasSlice, tensor};
///
/// fn tail<Lead: Shape, N: StaticAxis, M: StaticAxis>(
///     x: &Tensor<shape![Lead.., N]>,
/// ) -> Tensor<shape![Lead.., M]>
/// where
///     shape![Lead.., N]: HasSlice<slice![..., 1..], Output = shape![Lead.., M]>,
/// {
///     x.slice(slice![..., 1..])
/// }
///
/// assert_eq!(tail(&tensor![[1.0, 2.0], [3.0, 4.0]]), tensor![[2.0], [4.0]]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{P}` is not a slice",
    label = "this needs a slice",
    note = "`slice!` writes slices: `x.slice(slice![.., 1..-1])` keeps all of axis 0 and leaves out the first and the last of axis 1; in generic code, add a bound such as `S: Slice<slice![..., 1..]>` [T220]"
)]
pub trait HasSlice<P>: Sized {
    /// The shape of the slice.
    type Output;

    /// The shape of the slice, as a value; appends the part of each axis to `plan`.
    ///
    /// # Errors
    ///
    /// If a part that the run decides is out of range.
    #[doc(hidden)]
    fn sliced(self, parts: P, plan: &mut SlicePlan) -> Result<Self::Output, ShapeError>;
}

/// The shape of a slice of `S`.
pub type Sliced<S, P> = <S as HasSlice<P>>::Output;

impl<S, F, B: LastParts<S, F, S>> HasSlice<(F, B)> for S {
    type Output = B::Output;

    fn sliced(self, (front, back): (F, B), plan: &mut SlicePlan) -> Result<B::Output, ShapeError> {
        back.sliced(front, self, plan)
    }
}

/// The parts of the last axes of `S`, the last one last, behind those of the first axes; `Whole` is the
/// shape that messages name.
#[diagnostic::on_unimplemented(
    message = "this slice has more parts than shape `{Whole}` has axes",
    label = "one part of the slice has no axis",
    note = "each part is for one axis, and `...` stands for all axes that are not named; in generic code, add a bound on the whole shape, such as `S: Slice<slice![..., 1..]>` [T221]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait LastParts<S, F, Whole> {
    /// The shape of the slice.
    type Output: Shape;

    /// The shape of the slice, as a value.
    ///
    /// # Errors
    ///
    /// If a part that the run decides is out of range.
    fn sliced(self, front: F, shape: S, plan: &mut SlicePlan) -> Result<Self::Output, ShapeError>;
}

/// No more of the last axes: those of the front.
impl<S, F: FirstParts<S, Whole>, Whole> LastParts<S, F, Whole> for () {
    type Output = F::Output;

    fn sliced(self, front: F, shape: S, plan: &mut SlicePlan) -> Result<F::Output, ShapeError> {
        front.sliced(shape, plan)
    }
}

/// `[..l, a] → [..(l), part of a]`
impl<L, A, F, E, P, Whole> LastParts<(L, A), F, Whole> for (E, P)
where
    A: Axis,
    E: LastParts<L, F, Whole>,
    P: SlicePart<A>,
{
    type Output = P::Behind<E::Output>;

    fn sliced(
        self,
        front: F,
        (lead, axis): (L, A),
        plan: &mut SlicePlan,
    ) -> Result<Self::Output, ShapeError> {
        let (parts, part) = self;
        let lead = parts.sliced(front, lead, plan)?;
        part.behind(lead, axis, plan)
    }
}

/// The parts of the first axes of `S`, from the first on.
#[cfg_attr(doc, doc(hidden))]
pub trait FirstParts<S, Whole> {
    /// The shape of the slice.
    type Output: Shape;

    /// The shape of the slice, as a value.
    ///
    /// # Errors
    ///
    /// If a part that the run decides is out of range.
    fn sliced(self, shape: S, plan: &mut SlicePlan) -> Result<Self::Output, ShapeError>;
}

/// `[..s] → [..s]`
impl<S: Shape, Whole> FirstParts<S, Whole> for () {
    type Output = S;

    fn sliced(self, shape: S, plan: &mut SlicePlan) -> Result<S, ShapeError> {
        plan.extend((0..S::RANK).map(|_| AxisPart::All));
        Ok(shape)
    }
}

impl<S, P, E, Axes, Whole> FirstParts<S, Whole> for (P, E)
where
    S: FromTheFirst<(), Axes = Axes>,
    Axes: TakeParts<(P, E), (), Whole>,
{
    type Output = Axes::Output;

    fn sliced(self, shape: S, plan: &mut SlicePlan) -> Result<Self::Output, ShapeError> {
        shape.from_the_first(()).take_parts(self, (), plan)
    }
}

/// A list of axes that ends in `Rest`, from the first on: `(A, (B, (C, Rest)))`.
#[diagnostic::on_unimplemented(
    message = "the rank of `{Self}` is not known here",
    label = "a part that is counted from the front needs it",
    note = "in generic code, slice the last axes, `slice![..., 1..]`, or add a bound on the whole shape, such as `S: Slice<slice![1..]>` [T221]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait FromTheFirst<Rest> {
    /// The list.
    type Axes;

    /// The list, as a value.
    fn from_the_first(self, rest: Rest) -> Self::Axes;
}

#[diagnostic::do_not_recommend]
impl<Rest> FromTheFirst<Rest> for () {
    type Axes = Rest;

    fn from_the_first(self, rest: Rest) -> Rest {
        rest
    }
}

#[diagnostic::do_not_recommend]
impl<L: FromTheFirst<(A, Rest)>, A, Rest> FromTheFirst<Rest> for (L, A) {
    type Axes = L::Axes;

    fn from_the_first(self, rest: Rest) -> L::Axes {
        self.0.from_the_first((self.1, rest))
    }
}

/// A list of axes, from the first on, of which `Parts` are parts: they go behind the axes `Out` of the
/// result.
#[diagnostic::on_unimplemented(
    message = "this slice has more parts than shape `{Whole}` has axes",
    label = "one part of the slice has no axis",
    note = "each part is for one axis, from the first on; axes that are not named are kept as they are [T221]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait TakeParts<Parts, Out, Whole> {
    /// The shape of the slice.
    type Output: Shape;

    /// The shape of the slice, as a value.
    ///
    /// # Errors
    ///
    /// If a part that the run decides is out of range.
    fn take_parts(
        self,
        parts: Parts,
        out: Out,
        plan: &mut SlicePlan,
    ) -> Result<Self::Output, ShapeError>;
}

/// No axis is left.
impl<Out: Shape, Whole> TakeParts<(), Out, Whole> for () {
    type Output = Out;

    fn take_parts(self, (): (), out: Out, _: &mut SlicePlan) -> Result<Out, ShapeError> {
        Ok(out)
    }
}

/// Axes that are not named.
impl<A, R, Out, Whole> TakeParts<(), Out, Whole> for (A, R)
where
    R: TakeParts<(), (Out, A), Whole>,
{
    type Output = R::Output;

    fn take_parts(self, (): (), out: Out, plan: &mut SlicePlan) -> Result<R::Output, ShapeError> {
        let (axis, rest) = self;
        plan.push(AxisPart::All);
        rest.take_parts((), (out, axis), plan)
    }
}

/// A part of the first axis.
impl<P, E, A, R, Out, Whole> TakeParts<(P, E), Out, Whole> for (A, R)
where
    A: Axis,
    Out: Shape,
    P: SlicePart<A>,
    R: TakeParts<E, P::Behind<Out>, Whole>,
{
    type Output = R::Output;

    fn take_parts(
        self,
        (part, parts): (P, E),
        out: Out,
        plan: &mut SlicePlan,
    ) -> Result<R::Output, ShapeError> {
        let (axis, rest) = self;
        let out = part.behind(out, axis, plan)?;
        rest.take_parts(parts, out, plan)
    }
}
