//! Slices: the part of each axis that a view keeps, and the resulting shape.
//!
//! [`slice!`](crate::slice!) writes a pair: the parts of the first axes, in order, and after `...` those
//! of the last axes. For parts after `...` only the last axes have to be known, so generic code over
//! `Lead..` slices them without a bound on the rest.

mod axes;
mod last_axes;
mod part;

pub use self::axes::*;
pub use self::last_axes::UnlistedAxes;
pub use self::part::*;
use tensor_kernels::sizes::error::ShapeError;

use crate::shape::Shape;
use crate::shape::axis::NoAxis;
#[doc(inline)]
pub use tensor_kernels::sizes::slicing::{AxisPart, PartList, SliceParts, SlicePlan, WrittenPart};

/// A shape of which `P`, written by [`slice!`](crate::slice!), is a slice.
///
/// ```
/// use tensor_core::{Tensor, slice, slicing::{Sliceable, Sliced}, tensor};
///
/// type Tail = slice![..., 1..];
///
/// fn tail<S: Sliceable<Tail>>(x: &Tensor<S>) -> Tensor<Sliced<S, Tail>> {
///     x.slice(slice![..., 1..])
/// }
///
/// assert_eq!(tail(&tensor![[1.0, 2.0], [3.0, 4.0]]), tensor![[2.0], [4.0]]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{P}` is not a slice",
    label = "this needs a slice",
    note = "`slice!` writes slices: `x.slice(slice![.., 1..-1])` keeps all of axis 0 and leaves out the first and the last of axis 1; in generic code, add a bound such as `S: Sliceable<slice![..., 1..]>` [T220]"
)]
pub trait Sliceable<P>: Shape + HasSlice<P> {}

impl<S: Shape + HasSlice<P>, P> Sliceable<P> for S {}

/// [`Sliceable`] for a shape that is a list of axes. It implies nothing about the list, which the
/// compiler would otherwise apply to every shape that it infers.
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
    note = "`slice!` writes slices: `x.slice(slice![.., 1..-1])` keeps all of axis 0 and leaves out the first and the last of axis 1; in generic code, add a bound such as `S: Sliceable<slice![..., 1..]>` [T220]"
)]
pub trait HasSlice<P>: Sized {
    /// The shape of the slice.
    type Output: Shape;

    /// The shape of the slice, as a value; appends the part of each axis to `plan`.
    ///
    /// # Errors
    ///
    /// If a run-time part is out of range.
    #[doc(hidden)]
    fn sliced(self, parts: P, plan: &mut SlicePlan) -> Result<Self::Output, ShapeError>;
}

/// The shape of a slice of `S`.
pub type Sliced<S, P> = <S as HasSlice<P>>::Output;

/// For parts of the first axes alone. The part of axis 0 is taken here and not by [`TakeParts`], so that
/// an error message about it is one line shorter.
impl<S, P, E> HasSlice<((P, E), ())> for S
where
    (S,): AxesFromTheFirst<S, Axes: TakeFirst<P, S>>,
    P: SlicePart<FirstOf<S, P>, ()>,
    BehindFirst<S, P>: TakeParts<E, WithPart<P, FirstOf<S, P>, ()>, S, Output: Shape>,
{
    type Output = <BehindFirst<S, P> as TakeParts<E, WithPart<P, FirstOf<S, P>, ()>, S>>::Output;

    fn sliced(
        self,
        ((part, parts), ()): ((P, E), ()),
        plan: &mut SlicePlan,
    ) -> Result<Self::Output, ShapeError> {
        let (axis, rest) = (self,).reversed_axes().take_first();
        let out = part.behind((), axis, plan)?;
        rest.take_parts(parts, out, plan)
    }
}

/// Without parts: the whole shape.
#[diagnostic::do_not_recommend]
impl<S: Shape> HasSlice<((), ())> for S {
    type Output = S;

    fn sliced(self, _: ((), ()), plan: &mut SlicePlan) -> Result<S, ShapeError> {
        plan.extend((0..S::RANK).map(|_| AxisPart::All));
        Ok(self)
    }
}

/// For parts of the last axes, and of the first ones, which are before `...`.
impl<S, F, E, P> HasSlice<(F, (E, P))> for S
where
    (S,): TakeLastParts<F, (E, P), S, Output: Shape>,
{
    type Output = <(S,) as TakeLastParts<F, (E, P), S>>::Output;

    fn sliced(
        self,
        (front, back): (F, (E, P)),
        plan: &mut SlicePlan,
    ) -> Result<Self::Output, ShapeError> {
        (self,).take_last_parts(front, back, plan)
    }
}

/// Generates impls for types that no program has, so that the compiler does not infer the slice from the
/// others, or from one of these: a range alone is rejected with our message.
macro_rules! no_slices {
    ($($P:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<S> HasSlice<$P> for S {
            type Output = ();

            fn sliced(self, _: $P, _: &mut SlicePlan) -> Result<(), ShapeError> {
                unreachable!("this type has no values")
            }
        }
    )*};
}

no_slices!(NoAxis; (NoAxis, NoAxis););

/// A shape, as a one-element tuple, of which `Parts` are parts of the last axes, the last one last, and
/// `F` those of the axes before them; `Whole` is the shape that messages name. A trait of the shape
/// itself would be reported with the message of [`HasSlice`].
#[diagnostic::on_unimplemented(
    message = "this slice has more parts than shape `{Whole}` has axes",
    label = "one part of the slice has no axis",
    note = "each part is for one axis, and `...` represents all axes without a part; in generic code, add a bound on the whole shape, such as `S: Sliceable<slice![..., 1..]>` [T221]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait TakeLastParts<F, Parts, Whole> {
    /// The shape of the slice.
    type Output;

    /// The shape of the slice, as a value.
    ///
    /// # Errors
    ///
    /// If a run-time part is out of range.
    fn take_last_parts(
        self,
        front: F,
        parts: Parts,
        plan: &mut SlicePlan,
    ) -> Result<Self::Output, ShapeError>;
}

/// `[..s] → [..s]`: no part is left.
#[diagnostic::do_not_recommend]
impl<S: Shape, Whole> TakeLastParts<(), (), Whole> for (S,) {
    type Output = S;

    fn take_last_parts(self, (): (), (): (), plan: &mut SlicePlan) -> Result<S, ShapeError> {
        plan.extend((0..S::RANK).map(|_| AxisPart::All));
        Ok(self.0)
    }
}

/// The parts of the first axes remain.
impl<S, P, E, Whole> TakeLastParts<(P, E), (), Whole> for (S,)
where
    Self: AxesFromTheFirst<S, Axes: TakeParts<(P, E), (), Whole>>,
{
    type Output = <<Self as AxesFromTheFirst<S>>::Axes as TakeParts<(P, E), (), Whole>>::Output;

    fn take_last_parts(
        self,
        front: (P, E),
        (): (),
        plan: &mut SlicePlan,
    ) -> Result<Self::Output, ShapeError> {
        self.reversed_axes().take_parts(front, (), plan)
    }
}

/// No axis remains.
impl<F, E, P, Whole> TakeLastParts<F, (E, P), Whole> for ((),)
where
    P: PartWithAxis<Whole>,
{
    type Output = P::Matched;

    fn take_last_parts(self, _: F, _: (E, P), _: &mut SlicePlan) -> Result<P::Matched, ShapeError> {
        unreachable!("no part is without an axis")
    }
}

/// Requires that a part has an axis of the shape: a surplus part has none.
#[diagnostic::on_unimplemented(
    message = "this slice has more parts than shape `{Whole}` has axes",
    label = "one part of the slice has no axis",
    note = "each part is for one axis; axes without a part are kept as they are, and `...` represents those before the last parts [T221]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait PartWithAxis<Whole> {
    /// Never resolves, as there is no impl.
    type Matched;
}

/// `[..l, a] → [..(l), part of a]`
impl<L, A, F, E, P, Whole> TakeLastParts<F, (E, P), Whole> for ((L, A),)
where
    (L,): TakeLastParts<F, E, Whole>,
    P: SlicePart<A, <(L,) as TakeLastParts<F, E, Whole>>::Output>,
{
    type Output = WithPart<P, A, <(L,) as TakeLastParts<F, E, Whole>>::Output>;

    fn take_last_parts(
        self,
        front: F,
        (parts, part): (E, P),
        plan: &mut SlicePlan,
    ) -> Result<Self::Output, ShapeError> {
        let ((lead, axis),) = self;
        let lead = (lead,).take_last_parts(front, parts, plan)?;
        part.behind(lead, axis, plan)
    }
}

/// A list of axes `S`, as a one-element tuple, in order, first axis outermost: `(A, (B, (C, ())))`.
#[diagnostic::on_unimplemented(
    message = "the rank of `{S}` is not known here",
    label = "a part that is counted from the front needs it",
    note = "in generic code, slice the last axes, `slice![..., 1..]`, or add a bound on the whole shape, such as `S: Sliceable<slice![1..]>` [T221]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait AxesFromTheFirst<S> {
    /// The list.
    type Axes;

    /// The list, as a value.
    fn reversed_axes(self) -> Self::Axes;
}

#[diagnostic::do_not_recommend]
impl<S: FromTheFirst<()>> AxesFromTheFirst<S> for (S,) {
    type Axes = S::Axes;

    fn reversed_axes(self) -> S::Axes {
        self.0.first_axis_first(())
    }
}

/// A list of axes that ends in `Rest`, first axis outermost: `(A, (B, (C, Rest)))`.
#[diagnostic::on_unimplemented(
    message = "the rank of `{Self}` is not known here",
    label = "a part that is counted from the front needs it",
    note = "in generic code, slice the last axes, `slice![..., 1..]`, or add a bound on the whole shape, such as `S: Sliceable<slice![1..]>` [T221]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait FromTheFirst<Rest> {
    /// The list.
    type Axes;

    /// The list, as a value.
    fn first_axis_first(self, rest: Rest) -> Self::Axes;
}

#[diagnostic::do_not_recommend]
impl<Rest> FromTheFirst<Rest> for () {
    type Axes = Rest;

    fn first_axis_first(self, rest: Rest) -> Rest {
        rest
    }
}

#[diagnostic::do_not_recommend]
impl<L: FromTheFirst<(A, Rest)>, A, Rest> FromTheFirst<Rest> for (L, A) {
    type Axes = L::Axes;

    fn first_axis_first(self, rest: Rest) -> L::Axes {
        self.0.first_axis_first((self.1, rest))
    }
}

/// The first axis of `S`, for the part `P`.
type FirstOf<S, P> = <<(S,) as AxesFromTheFirst<S>>::Axes as TakeFirst<P, S>>::First;

/// The axes `Out`, followed by what the part `P` keeps of the axis `A`.
type WithPart<P, A, Out> = <P as SlicePart<A, Out>>::Output;

/// The axes of `S` after the first one.
type BehindFirst<S, P> = <<(S,) as AxesFromTheFirst<S>>::Axes as TakeFirst<P, S>>::Rest;

/// A list of axes, first axis outermost, that has one for the part `P` of a slice of `Whole`.
#[cfg_attr(doc, doc(hidden))]
pub trait TakeFirst<P, Whole> {
    /// The first axis.
    type First;
    /// The axes after it.
    type Rest;

    /// Both, as values.
    fn take_first(self) -> (Self::First, Self::Rest);
}

#[diagnostic::do_not_recommend]
impl<A, R, P, Whole> TakeFirst<P, Whole> for (A, R) {
    type First = A;
    type Rest = R;

    fn take_first(self) -> (A, R) {
        self
    }
}

/// No axis remains.
impl<P: PartWithAxis<Whole>, Whole> TakeFirst<P, Whole> for () {
    type First = P::Matched;
    type Rest = ();

    fn take_first(self) -> (P::Matched, ()) {
        unreachable!("no part is without an axis")
    }
}

/// A list of axes, first axis outermost, of which `Parts` are parts: they are appended to the axes `Out`
/// of the result.
#[diagnostic::on_unimplemented(
    message = "this slice has more parts than shape `{Whole}` has axes",
    label = "one part of the slice has no axis",
    note = "each part is for one axis, from the first on; axes that are not named are kept as they are [T221]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait TakeParts<Parts, Out, Whole> {
    /// The shape of the slice.
    type Output;

    /// The shape of the slice, as a value.
    ///
    /// # Errors
    ///
    /// If a run-time part is out of range.
    fn take_parts(
        self,
        parts: Parts,
        out: Out,
        plan: &mut SlicePlan,
    ) -> Result<Self::Output, ShapeError>;
}

/// No axis remains.
#[diagnostic::do_not_recommend]
impl<Out, Whole> TakeParts<(), Out, Whole> for () {
    type Output = Out;

    fn take_parts(self, (): (), out: Out, _: &mut SlicePlan) -> Result<Out, ShapeError> {
        Ok(out)
    }
}

/// A part remains.
impl<P: PartWithAxis<Whole>, E, Out, Whole> TakeParts<(P, E), Out, Whole> for () {
    type Output = P::Matched;

    fn take_parts(self, _: (P, E), _: Out, _: &mut SlicePlan) -> Result<P::Matched, ShapeError> {
        unreachable!("no part is without an axis")
    }
}

/// The remaining axes, which have no part.
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
    P: SlicePart<A, Out>,
    R: TakeParts<E, WithPart<P, A, Out>, Whole>,
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
