//! The parts of a slice, one for each axis, as [`slice!`](crate::slice!) writes them.

use core::marker::PhantomData;
use core::ops::RangeBounds;

use tensor_kernels::sizes::error::ShapeError;
use tensor_kernels::sizes::slicing::{
    AxisPart, PartList, PartOfTypes, SlicePlan, WrittenPart, run_time_range,
};

use crate::shape::arithmetic::{
    AddSizes, Billions, DivSizes, RunTimeSize, SizeQuotient, SizeSum, Subtract,
};
use crate::shape::axis::{Axis, Dim, NoAxis, One, StaticAxis};
use crate::shape::broadcast::After;

/// A part of axis `A`.
#[cfg_attr(doc, doc(hidden))]
pub trait SlicePart<A, Out>: Sized {
    /// The axes of `Out`, followed by what the part keeps of the axis.
    type Output;

    /// The same, as a value; appends the part to `plan`.
    ///
    /// # Errors
    ///
    /// If the part is out of range.
    fn behind(self, out: Out, axis: A, plan: &mut SlicePlan) -> Result<Self::Output, ShapeError>;
}

/// `..`: the whole axis.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(doc, doc(hidden))]
pub struct WholeAxis;

/// The number of an axis and the step along it: the head of a range with static bounds,
/// `(RangeAlong, bounds, kind, sizes …)`. Types and values are written the same way, as the macro does
/// not know which of them it expands to.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(doc, doc(hidden))]
pub struct RangeAlong<const AXIS: isize, const STEP: isize>;

/// The number of an axis and an index of it: `(IndexAlong, (), needs)` for an axis that has at least
/// `needs` elements.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(doc, doc(hidden))]
pub struct IndexAlong<const AXIS: isize, const INDEX: isize>;

/// An index known only at run time.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(doc, doc(hidden))]
pub struct RunTimeIndex(pub usize);

/// A range known only at run time, and the name of the resulting axis.
#[cfg_attr(doc, doc(hidden))]
pub struct NamedRange<B> {
    written: WrittenPart,
    name: PhantomData<B>,
}

/// A range known only at run time, without a name: for a `DynTensor`.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(doc, doc(hidden))]
pub struct UnnamedRange(WrittenPart);

/// `START..END`
#[derive(Clone, Copy, Debug)]
#[cfg_attr(doc, doc(hidden))]
pub struct Between<const START: isize, const END: isize>;

/// `START..`
#[derive(Clone, Copy, Debug)]
#[cfg_attr(doc, doc(hidden))]
pub struct StartingAt<const START: isize>;

/// Both bounds count from the same end: `(FixedLen, needs, len)`, of an axis of at least `needs` elements.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(doc, doc(hidden))]
pub struct FixedLen;

/// `(TrimmedLen, needs)`: all but `needs` elements.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(doc, doc(hidden))]
pub struct TrimmedLen;

/// `(SteppedLen, needs, less, step)`: one in `step` of all but `needs` elements; `less` is `step - 1`.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(doc, doc(hidden))]
pub struct SteppedLen;

/// The bounds of a range as written.
#[cfg_attr(doc, doc(hidden))]
pub trait WrittenBounds {
    /// The first bound.
    const START: isize;
    /// The second bound, if there is one.
    const END: Option<isize>;
}

impl<const START: isize, const END: isize> WrittenBounds for Between<START, END> {
    const START: isize = START;
    const END: Option<isize> = Some(END);
}

impl<const START: isize> WrittenBounds for StartingAt<START> {
    const START: isize = START;
    const END: Option<isize> = None;
}

/// A run-time range with the name of the resulting axis: `Rows(start..end; step)`.
pub fn named<B: Axis>(range: impl RangeBounds<usize>, step: isize) -> NamedRange<B> {
    NamedRange { written: run_time_range(range, step), name: PhantomData }
}

/// A run-time range without a name.
pub fn unnamed(range: impl RangeBounds<usize>, step: isize) -> UnnamedRange {
    UnnamedRange(run_time_range(range, step))
}

/// `[..out] → [..out, a]`
#[diagnostic::do_not_recommend]
impl<A: Axis, Out> SlicePart<A, Out> for WholeAxis {
    type Output = (Out, A);

    fn behind(self, out: Out, axis: A, plan: &mut SlicePlan) -> Result<(Out, A), ShapeError> {
        plan.push(AxisPart::All);
        Ok((out, axis))
    }
}

/// A run-time range of axis `A` without a name for the resulting axis: rejected, as there is no impl.
#[diagnostic::on_unimplemented(
    message = "this range is known only at run time, so the sliced axis `{A}` needs a new name",
    label = "a run-time range needs a name for its axis",
    note = "declare a name, `axis!(Rows)`, and write `slice![Rows(start..end)]`; bounds that are numbers, or constants in braces, need none: `slice![2..10]`, `slice![..{{N}}]` [T222]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait NeedsNoName<A> {
    /// Never resolves, as there is no impl.
    type Matched;
}

/// Rejected with the message of [`NeedsNoName`].
impl<A, Out> SlicePart<A, Out> for UnnamedRange
where
    Self: NeedsNoName<A>,
{
    type Output = <Self as NeedsNoName<A>>::Matched;

    fn behind(self, _: Out, _: A, _: &mut SlicePlan) -> Result<Self::Output, ShapeError> {
        unreachable!("a run-time range has a name")
    }
}

/// Requires that the size of an axis is static, so that the size that a range keeps is static too.
/// `Self` is a one-element tuple, because for a type that the user declared the compiler would also show
/// its declaration.
#[diagnostic::on_unimplemented(
    message = "the size of axis `{A}` is not known at compile time, so the sliced axis needs a new name",
    label = "this needs the size of axis `{A}` in the types",
    note = "write `slice![Rows(..16)]` with a name that `axis!(Rows)` declares; `..` keeps the axis as it is; in generic code, add a bound on the whole shape, such as `shape![Lead.., N]: HasSlice<slice![..., 1..]>` [T222]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait SlicedSize<A> {
    /// The size without a name.
    type Size;
}

#[diagnostic::do_not_recommend]
impl<A: StaticAxis> SlicedSize<A> for (A,) {
    type Size = A::Size;
}

/// Requires that the size of an axis, as a one-element tuple, is a number and not a type parameter, so
/// that the compiler can compute what a range keeps.
#[diagnostic::on_unimplemented(
    message = "the size of axis `{A}` is a parameter, so the size of the slice is not known here",
    label = "this leaves an axis of unknown size",
    note = "in generic code, add a bound that names the sliced axis, such as `shape![Lead.., N]: HasSlice<slice![..., 1..], Output = shape![Lead.., M]>` [T222]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait WrittenSize<A> {
    /// The number: see [`After`].
    type Is;
}

#[diagnostic::do_not_recommend]
impl<A> WrittenSize<A> for (One,) {
    type Is = One;
}

#[diagnostic::do_not_recommend]
impl<A, const M: usize, const K: usize, const U: usize> WrittenSize<A> for (Dim<M, K, U>,) {
    type Is = Dim<M, K, U>;
}

/// The size of `A`, a number.
type NumberOf<A> = <(<(A,) as SlicedSize<A>>::Size,) as WrittenSize<A>>::Is;

/// The size of `A` without `Needs` elements.
type LeftOf<A, Needs> = <NumberOf<A> as Subtract<Needs>>::Difference;

/// Generates the ranges with static bounds, `[..out] → [..out, n]`: for each kind its parameters, its
/// bounds, and `n`.
macro_rules! ranges {
    ([$($START:ident $($END:ident)?)?] $Bounds:ty, $Fits:path;) => {};
    ([$START:ident $($END:ident)?] $Bounds:ty, $Fits:ident;
        {$($X:ident)*} $Kind:ty where {$($bound:tt)*} => $Len:ty; $($more:tt)*) => {
        impl<
            A,
            Out,
            Needs,
            $($X,)*
            const AXIS: isize,
            const STEP: isize,
            const $START: isize,
            $(const $END: isize,)?
        > SlicePart<A, Out> for (RangeAlong<AXIS, STEP>, $Bounds, $Kind)
        where
            A: Axis,
            (A,): SlicedSize<A>,
            (<(A,) as SlicedSize<A>>::Size,): WrittenSize<A, Is: Subtract<Needs>>,
            <NumberOf<A> as Subtract<Needs>>::Fits: $Fits<$START, $($END,)? AXIS, A>,
            $($bound)*
        {
            type Output = (
                Out,
                After<
                    <<NumberOf<A> as Subtract<Needs>>::Fits as $Fits<$START, $($END,)? AXIS, A>>::Matched,
                    $Len,
                >,
            );

            fn behind(
                self,
                out: Out,
                axis: A,
                plan: &mut SlicePlan,
            ) -> Result<Self::Output, ShapeError> {
                let (start, end) = (<$Bounds>::START, <$Bounds>::END);
                let written = WrittenPart::Range { start, end, step: STEP };
                plan.push(written.of(plan.len(), axis.size())?);
                Ok((out, StaticAxis::VALUE))
            }
        }

        ranges! { [$START $($END)?] $Bounds, $Fits; $($more)* }
    };
}

/// Generates the kinds for one sort of bounds.
macro_rules! kinds {
    ($consts:tt $Bounds:ty, $Fits:ident) => {
        ranges! {
            $consts $Bounds, $Fits;
            {Len} (FixedLen, Needs, Len) where {Len: StaticAxis,} => Len;
            {} (TrimmedLen, Needs) where {} => LeftOf<A, Needs>;
            // `⌈n / step⌉ = ⌊(n + step - 1) / step⌋`
            {Less Step} (SteppedLen, Needs, Less, Step)
                where {LeftOf<A, Needs>: AddSizes<Less, Output: DivSizes<Step>>,}
                => SizeQuotient<SizeSum<LeftOf<A, Needs>, Less>, Step>;
        }
    };
}

kinds!([START END] Between<START, END>, SliceFits);
kinds!([START] StartingAt<START>, OpenSliceFits);

/// Generates the leaf traits: implemented if the difference is at least 0.
macro_rules! fits {
    ($($(#[$meta:meta])* $Fits:ident<$($PARAMETER:ident),*>;)*) => {$(
        $(#[$meta])*
        #[cfg_attr(doc, doc(hidden))]
        pub trait $Fits<$(const $PARAMETER: isize,)* A> {
            /// A type that the compiler knows only if the part is in range: [`After`] uses it.
            type Matched;
        }

        #[diagnostic::do_not_recommend]
        impl<$(const $PARAMETER: isize,)* A> $Fits<$($PARAMETER,)* A> for Billions {
            type Matched = A;
        }

        #[diagnostic::do_not_recommend]
        impl<$(const $PARAMETER: isize,)* A> $Fits<$($PARAMETER,)* A> for NoAxis {
            type Matched = A;
        }
    )*};
}

fits! {
    /// Requires that both bounds are within the axis.
    #[diagnostic::on_unimplemented(
        message = "slice {START}..{END} is out of range for axis {AXIS} of size `{A}`",
        label = "out of range for an axis of size `{A}`",
        note = "bounds are at most the size of the axis, and negative ones count from its end; for a run-time range, name the sliced axis: `slice![Rows(start..end)]` [T220]"
    )]
    SliceFits<START, END, AXIS>;
    /// Requires that a bound is within the axis.
    #[diagnostic::on_unimplemented(
        message = "slice {START}.. is out of range for axis {AXIS} of size `{A}`",
        label = "out of range for an axis of size `{A}`",
        note = "bounds are at most the size of the axis, and negative ones count from its end; for a run-time range, name the sliced axis: `slice![Rows(start..end)]` [T220]"
    )]
    OpenSliceFits<START, AXIS>;
    /// Requires that an index is within the axis.
    #[diagnostic::on_unimplemented(
        message = "index {INDEX} is out of range for axis {AXIS} of size `{A}`",
        label = "out of range for an axis of size `{A}`",
        note = "indices count from 0 at the front and from -1 at the end [T220]"
    )]
    IndexFits<INDEX, AXIS>;
}

/// An index into a run-time axis, which is compared with the size at run time.
#[diagnostic::do_not_recommend]
impl<const INDEX: isize, const AXIS: isize, A> IndexFits<INDEX, AXIS, A> for RunTimeSize {
    type Matched = A;
}

/// An axis that is indexed by a number: its size is compared with `Needs` by types, or at run time.
#[diagnostic::on_unimplemented(
    message = "whether axis `{Self}` has this index is not known here",
    label = "the size of axis `{Self}` is not known here",
    note = "in generic code, write the index in parentheses: it is checked at run time: `slice![(0), ..]` [T222]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait IndexedAxis<Needs> {
    /// Whether it has the index: see [`Subtract`].
    type Fits;
}

#[diagnostic::do_not_recommend]
impl<A: StaticAxis<Size: Subtract<Needs>>, Needs> IndexedAxis<Needs> for A {
    type Fits = <A::Size as Subtract<Needs>>::Fits;
}

/// `[..out] → [..out]`
impl<A, Out, Needs, const AXIS: isize, const INDEX: isize> SlicePart<A, Out>
    for (IndexAlong<AXIS, INDEX>, (), Needs)
where
    A: Axis + IndexedAxis<Needs>,
    A::Fits: IndexFits<INDEX, AXIS, A>,
{
    type Output = After<<A::Fits as IndexFits<INDEX, AXIS, A>>::Matched, Out>;

    fn behind(self, out: Out, axis: A, plan: &mut SlicePlan) -> Result<Out, ShapeError> {
        plan.push(WrittenPart::At(INDEX).of(plan.len(), axis.size())?);
        Ok(out)
    }
}

/// `[..out] → [..out]`
#[diagnostic::do_not_recommend]
impl<A: Axis, Out> SlicePart<A, Out> for RunTimeIndex {
    type Output = Out;

    fn behind(self, out: Out, axis: A, plan: &mut SlicePlan) -> Result<Out, ShapeError> {
        plan.push(written_index(self.0).of(plan.len(), axis.size())?);
        Ok(out)
    }
}

/// `[..out] → [..out, b]`
#[diagnostic::do_not_recommend]
impl<A: Axis, B: Axis, Out> SlicePart<A, Out> for NamedRange<B> {
    type Output = (Out, B);

    fn behind(self, out: Out, axis: A, plan: &mut SlicePlan) -> Result<(Out, B), ShapeError> {
        let number = plan.len();
        let part = self.written.of(number, axis.size())?;
        plan.push(part);
        let AxisPart::Range { len, .. } = part else { unreachable!("a range is one") };
        Ok((out, axis_of_size(number, len)?))
    }
}

/// The axis of a type with this size.
///
/// # Errors
///
/// If the type has another size.
pub(crate) fn axis_of_size<B: Axis>(axis: usize, size: usize) -> Result<B, ShapeError> {
    B::from_size(size).ok_or(ShapeError::StaticSize {
        expected: B::SIZE.unwrap_or_default(),
        found: size,
        axis,
        name: B::NAME,
    })
}

/// An index as a part; one above `isize::MAX` is out of any range.
fn written_index(index: usize) -> WrittenPart {
    WrittenPart::At(isize::try_from(index).unwrap_or(isize::MAX))
}

/// Generates [`PartList`] for parts, as lists of one.
macro_rules! part_lists {
    ($({$($parameter:tt)*} $RangePart:ty: $self:ident => $written:expr;)*) => {$(
        impl<$($parameter)*> PartList for $RangePart {
            fn append($self, parts: &mut Vec<WrittenPart>) {
                parts.push($written);
            }
        }
    )*};
}

impl<R: WrittenBounds, K, const AXIS: isize, const STEP: isize> PartOfTypes<R, K>
    for RangeAlong<AXIS, STEP>
{
    const WRITTEN: WrittenPart = WrittenPart::Range { start: R::START, end: R::END, step: STEP };
}

impl<Needs, const AXIS: isize, const INDEX: isize> PartOfTypes<(), Needs>
    for IndexAlong<AXIS, INDEX>
{
    const WRITTEN: WrittenPart = WrittenPart::At(INDEX);
}

part_lists! {
    {} WholeAxis: self => WrittenPart::All;
    {} RunTimeIndex: self => written_index(self.0);
    {B} NamedRange<B>: self => self.written;
    {} UnnamedRange: self => self.0;
}
