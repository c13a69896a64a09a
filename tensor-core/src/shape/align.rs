//! The shape of `align_to`: axes in the order of a target, which are found by name.
//!
//! No bound can state that two types differ. So [`axis!`](crate::axis!) gives each axis a number,
//! computed from its name, in digits that are compared as types. Two axes of the same number are
//! required to be the same type, so nothing relies on different axes having different numbers.
//!
//! The search itself rejects nothing. It results in slots or in a mistake, such as [`NotInTarget`], and
//! for each mistake there is a bound of [`AlignTo`] that rejects it.

use core::marker::PhantomData;

use crate::shape::axis::{self, Dim, NoAxis, One};
use crate::shape::broadcast::After;
use crate::shape::{AxisFacts, Shape};

/// An axis that [`axis!`](crate::axis!) declared, [`One`] or a [`Dim`].
#[cfg_attr(doc, doc(hidden))]
pub trait NumberedAxis: axis::Axis {
    /// The digits of the number computed from the name, or [`Unnamed`].
    #[doc(hidden)]
    type Number;
}

/// The `Number` of an axis without a name.
#[cfg_attr(doc, doc(hidden))]
pub struct Unnamed;

impl NumberedAxis for One {
    type Number = Unnamed;
}

impl<const A: usize, const B: usize, const C: usize> NumberedAxis for Dim<A, B, C>
where
    Self: axis::Axis,
{
    type Number = Unnamed;
}

/// A shape whose axes are among those of `Target`, for [`Tensor::align_to`](crate::Tensor::align_to).
///
/// ```
/// use tensor_core::{Tensor, align::{AlignTo, AlignedTo}, axis, shape};
///
/// axis!(Batch, Channels = 3);
/// type Rows = shape![Batch, Channels];
///
/// fn aligned<S: AlignTo<Rows>>(x: &Tensor<S>) -> Tensor<AlignedTo<S, Rows>> {
///     x.align_to::<Rows>()
/// }
///
/// let bias = aligned(&Tensor::<shape![Channels]>::ones());
/// assert_eq!(bias, Tensor::<shape![1, Channels]>::ones());
/// ```
pub trait AlignTo<Target>: Shape {
    /// `Target` with [`One`] in place of each axis that this shape lacks.
    type Output: Shape;

    /// The static properties of the axes of the target.
    #[doc(hidden)]
    fn target_facts() -> Vec<AxisFacts>;
}

/// `Target` with [`One`] in place of each axis that `S` lacks.
pub type AlignedTo<S, Target> = <S as AlignTo<Target>>::Output;

impl<S, Target> AlignTo<Target> for S
where
    S: Shape + PlacedIn<Searched<Target>>,
    Target: Shape + AlignTarget,
    Found<S, Target>: Outcome
        + NamedInTarget<MistakenAxis<S, Target>, Target>
        + OnceInTarget<MistakenAxis<S, Target>, Target>
        + NamedInTensor<MistakenAxis<S, Target>, S>
        + OnceInTensor<MistakenAxis<S, Target>, S>
        + IsInTarget<MistakenAxis<S, Target>, Target>
        + SameAxes<<Found<S, Target> as Outcome>::Placed, <Found<S, Target> as Outcome>::Wanted>,
{
    // Resolved once no bound is violated, so that a rejected call has no result type.
    type Output = After<
        <Found<S, Target> as NamedInTarget<MistakenAxis<S, Target>, Target>>::Checked,
        After<
            <Found<S, Target> as OnceInTarget<MistakenAxis<S, Target>, Target>>::Checked,
            After<
                <Found<S, Target> as NamedInTensor<MistakenAxis<S, Target>, S>>::Checked,
                After<
                    <Found<S, Target> as OnceInTensor<MistakenAxis<S, Target>, S>>::Checked,
                    After<
                        <Found<S, Target> as IsInTarget<MistakenAxis<S, Target>, Target>>::Checked,
                        <Found<S, Target> as Outcome>::Shape,
                    >,
                >,
            >,
        >,
    >;

    fn target_facts() -> Vec<AxisFacts> {
        Target::axis_facts()
    }
}

/// The result of the search.
type Found<S, Target> = <S as PlacedIn<Searched<Target>>>::Found;

/// The axis that a mistake is about.
type MistakenAxis<S, Target> = <Found<S, Target> as Outcome>::Axis;

/// The slots that the search for the axes of a tensor starts with.
type Searched<Target> = <Target as AlignTarget>::Searched;

/// The slots of the target found so far.
#[cfg_attr(doc, doc(hidden))]
pub struct Slots<List>(PhantomData<List>);

/// A slot that no axis of the tensor has taken.
#[cfg_attr(doc, doc(hidden))]
pub struct Free<B>(PhantomData<B>);

/// The slot of `B`, taken by the tensor's axis `A`, which has the same number.
#[cfg_attr(doc, doc(hidden))]
pub struct TakenSlot<A, B>(PhantomData<(A, B)>);

/// Declares the mistakes, which end the search.
macro_rules! mistakes {
    ($($(#[$doc:meta])* $Mistake:ident;)+) => {$(
        $(#[$doc])*
        #[cfg_attr(doc, doc(hidden))]
        pub struct $Mistake<A>(PhantomData<A>);

        impl<A, B> NextSlot<B> for $Mistake<A> {
            type Found = Self;
        }

        impl<A, B> NextAxis<B> for $Mistake<A> {
            type Found = Self;
        }

        impl<A> Outcome for $Mistake<A> {
            type Axis = A;
            type Shape = ();
            type Placed = ();
            type Wanted = ();
        }

        impl<A, Slot> AppendSlot<Slot> for $Mistake<A> {
            type Slots = Self;
        }

        #[diagnostic::do_not_recommend]
        impl<A, L, B> PlacedIn<$Mistake<A>> for (L, B) {
            type Found = $Mistake<A>;
        }
    )+};
}

mistakes! {
    /// An axis of the target without a name.
    UnnamedInTarget;
    /// An axis that occurs twice in the target.
    TwiceInTarget;
    /// An axis of the tensor without a name.
    UnnamedInTensor;
    /// An axis that occurs twice in the tensor.
    TwiceInTensor;
    /// An axis of the tensor that the target lacks.
    NotInTarget;
}

// Numbers of axes.

/// A digit.
#[cfg_attr(doc, doc(hidden))]
pub struct NumberDigit<const D: u8>;

/// A number of eight digits, as generated by [`axis!`](crate::axis!).
#[doc(hidden)]
pub type Number<
    const A: u8,
    const B: u8,
    const C: u8,
    const D: u8,
    const E: u8,
    const F: u8,
    const G: u8,
    const H: u8,
> = (
    (
        (
            (
                (((((), NumberDigit<A>), NumberDigit<B>), NumberDigit<C>), NumberDigit<D>),
                NumberDigit<E>,
            ),
            NumberDigit<F>,
        ),
        NumberDigit<G>,
    ),
    NumberDigit<H>,
);

/// A type-level `bool`.
#[cfg_attr(doc, doc(hidden))]
pub struct Truth<const IS: bool>;

/// Whether two digits, or two numbers, are equal.
#[cfg_attr(doc, doc(hidden))]
pub trait SameNumber<R> {
    /// [`Truth`]
    type Is;
}

/// Generates [`SameNumber`] for each pair of digits.
macro_rules! digits {
    ($($left:literal)*) => { digits!(@each [$($left)*] [$($left)*]); };
    (@each [$($left:literal)*] $right:tt) => { $(digits!(@row $left $right);)* };
    (@row $left:literal [$($right:literal)*]) => {$(
        impl SameNumber<NumberDigit<$right>> for NumberDigit<$left> {
            type Is = Truth<{ $left == $right }>;
        }
    )*};
}

digits!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);

impl SameNumber<()> for () {
    type Is = Truth<true>;
}

impl<R> SameNumber<R> for Unnamed {
    type Is = Truth<false>;
}

impl<L, A> SameNumber<Unnamed> for (L, A) {
    type Is = Truth<false>;
}

/// Compares the last digits first: most pairs differ there.
impl<L, A, R, B> SameNumber<(R, B)> for (L, A)
where
    A: SameNumber<B>,
    A::Is: AndSame<L, R>,
{
    type Is = <A::Is as AndSame<L, R>>::Is;
}

/// Type-level `&&`: whether `Self` is true and two numbers are equal.
#[cfg_attr(doc, doc(hidden))]
pub trait AndSame<L, R> {
    /// [`Truth`]
    type Is;
}

impl<L, R> AndSame<L, R> for Truth<false> {
    type Is = Self;
}

impl<L: SameNumber<R>, R> AndSame<L, R> for Truth<true> {
    type Is = L::Is;
}

/// Whether two axes have the same number.
type Same<A, B> = <<A as NumberedAxis>::Number as SameNumber<<B as NumberedAxis>::Number>>::Is;

/// Whether an axis has a name: whether its number equals itself.
type IsNamed<A> = Same<A, A>;

// The target: a free slot for each axis.

/// The axes of a target.
#[diagnostic::on_unimplemented(
    message = "the axes `{Self}` of the target are not known here",
    label = "`align_to` names every axis of its result",
    note = "in generic code, add the bound of the call, such as `shape![C]: AlignTo<shape![B, C, H, W]>` [T212]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait AlignTarget {
    /// [`Slots`], all of them free, or a mistake.
    type Searched;
}

#[diagnostic::do_not_recommend]
impl AlignTarget for () {
    type Searched = Slots<()>;
}

#[diagnostic::do_not_recommend]
impl<L, B> AlignTarget for (L, B)
where
    L: AlignTarget,
    B: NumberedAxis,
    L::Searched: NextSlot<B>,
{
    type Searched = <L::Searched as NextSlot<B>>::Found;
}

/// Adds one more axis of the target.
#[cfg_attr(doc, doc(hidden))]
pub trait NextSlot<B> {
    /// The slots with one more, or a mistake.
    type Found;
}

impl<List, B> NextSlot<B> for Slots<List>
where
    B: NumberedAxis<Number: SameNumber<B::Number>>,
    IsNamed<B>: AddSlot<List, B>,
{
    type Found = <IsNamed<B> as AddSlot<List, B>>::Found;
}

/// Adds a slot for an axis that has a name.
#[cfg_attr(doc, doc(hidden))]
pub trait AddSlot<List, B> {
    /// The slots with one more, or a mistake.
    type Found;
}

impl<List, B> AddSlot<List, B> for Truth<false> {
    type Found = UnnamedInTarget<B>;
}

impl<List: Find<B>, B> AddSlot<List, B> for Truth<true>
where
    List::Slot: AddNewSlot<List, B>,
{
    type Found = <List::Slot as AddNewSlot<List, B>>::Found;
}

/// Adds a slot for an axis that has none yet.
#[cfg_attr(doc, doc(hidden))]
pub trait AddNewSlot<List, B> {
    /// The slots with one more, or a mistake.
    type Found;
}

impl<List, B> AddNewSlot<List, B> for NotInTarget<B> {
    type Found = Slots<(List, Free<B>)>;
}

impl<List, B, X> AddNewSlot<List, B> for Slots<X> {
    type Found = TwiceInTarget<B>;
}

// The tensor: each axis takes a slot.

/// A shape whose axes take slots.
#[diagnostic::on_unimplemented(
    message = "the axes of shape `{Self}` are not known here",
    label = "`align_to` finds every axis of the tensor in the target",
    note = "in generic code, add the bound of the call, such as `shape![C]: AlignTo<shape![B, C, H, W]>` [T212]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait PlacedIn<Searched> {
    /// The slots, with the axes in them, or a mistake.
    type Found;
}

#[diagnostic::do_not_recommend]
impl<Searched> PlacedIn<Searched> for () {
    type Found = Searched;
}

#[diagnostic::do_not_recommend]
impl<L, A, X> PlacedIn<Slots<X>> for (L, A)
where
    L: PlacedIn<Slots<X>>,
    A: NumberedAxis,
    L::Found: NextAxis<A>,
{
    type Found = <L::Found as NextAxis<A>>::Found;
}

/// Adds one more axis of the tensor.
#[cfg_attr(doc, doc(hidden))]
pub trait NextAxis<A> {
    /// The slots with the axis in one of them, or a mistake.
    type Found;
}

impl<List, A> NextAxis<A> for Slots<List>
where
    A: NumberedAxis<Number: SameNumber<A::Number>>,
    IsNamed<A>: TakeSlot<List, A>,
{
    type Found = <IsNamed<A> as TakeSlot<List, A>>::Found;
}

/// Takes the slot of an axis that has a name.
#[cfg_attr(doc, doc(hidden))]
pub trait TakeSlot<List, A> {
    /// The slots with the axis in one of them, or a mistake.
    type Found;
}

impl<List, A> TakeSlot<List, A> for Truth<false> {
    type Found = UnnamedInTensor<A>;
}

impl<List: Find<A>, A> TakeSlot<List, A> for Truth<true> {
    type Found = List::Slot;
}

/// Slots that are searched for the one of axis `A`.
#[cfg_attr(doc, doc(hidden))]
pub trait Find<A> {
    /// The slots with `A` in its own, or a mistake.
    type Slot;
}

impl<A> Find<A> for () {
    type Slot = NotInTarget<A>;
}

impl<L, Slot, A> Find<A> for (L, Slot)
where
    Slot: IsSlotOf<A>,
    Slot::Is: FindHereOrBefore<L, Slot, A>,
{
    type Slot = <Slot::Is as FindHereOrBefore<L, Slot, A>>::Slot;
}

/// Whether a slot has the number of axis `A`.
#[cfg_attr(doc, doc(hidden))]
pub trait IsSlotOf<A> {
    /// [`Truth`]
    type Is;
    /// The slot once `A` has taken it; a mistake if it is already taken.
    type Taken<List>;
}

impl<A, B> IsSlotOf<A> for Free<B>
where
    A: NumberedAxis,
    B: NumberedAxis,
    A::Number: SameNumber<B::Number>,
{
    type Is = Same<A, B>;
    type Taken<List> = Slots<(List, TakenSlot<A, B>)>;
}

impl<A, B, C> IsSlotOf<A> for TakenSlot<C, B>
where
    A: NumberedAxis,
    B: NumberedAxis,
    A::Number: SameNumber<B::Number>,
{
    type Is = Same<A, B>;
    type Taken<List> = TwiceInTensor<A>;
}

/// Takes the last slot or looks before it.
#[cfg_attr(doc, doc(hidden))]
pub trait FindHereOrBefore<L, Slot, A> {
    /// The slots with `A` in its own, or a mistake.
    type Slot;
}

impl<L, Slot: IsSlotOf<A>, A> FindHereOrBefore<L, Slot, A> for Truth<true> {
    type Slot = Slot::Taken<L>;
}

impl<L: Find<A>, Slot, A> FindHereOrBefore<L, Slot, A> for Truth<false>
where
    L::Slot: AppendSlot<Slot>,
{
    type Slot = <L::Slot as AppendSlot<Slot>>::Slots;
}

/// Appends the last slot to those before it.
#[cfg_attr(doc, doc(hidden))]
pub trait AppendSlot<Slot> {
    /// The slots with one more, or the mistake.
    type Slots;
}

impl<L, Slot> AppendSlot<Slot> for Slots<L> {
    type Slots = Slots<(L, Slot)>;
}

// The end of the search.

/// The result of the search.
#[cfg_attr(doc, doc(hidden))]
pub trait Outcome {
    /// The axis that a mistake is about.
    type Axis;
    /// The shape: [`One`] for each free slot.
    type Shape: Shape;
    /// The axes of the target, replaced by those of the tensor with the same numbers.
    type Placed;
    /// The axes of the target.
    type Wanted;
}

impl<List: SlotList> Outcome for Slots<List> {
    type Axis = NoAxis;
    type Shape = List::Shape;
    type Placed = List::Placed;
    type Wanted = List::Wanted;
}

/// Slots: the parts of [`Outcome`].
#[cfg_attr(doc, doc(hidden))]
pub trait SlotList {
    /// The shape.
    type Shape: Shape;
    /// The axes of the tensor.
    type Placed;
    /// The axes of the target.
    type Wanted;
}

impl SlotList for () {
    type Shape = ();
    type Placed = ();
    type Wanted = ();
}

impl<L: SlotList, B> SlotList for (L, Free<B>) {
    type Shape = (L::Shape, One);
    type Placed = (L::Placed, B);
    type Wanted = (L::Wanted, B);
}

impl<L: SlotList, A: axis::Axis, B> SlotList for (L, TakenSlot<A, B>) {
    type Shape = (L::Shape, A);
    type Placed = (L::Placed, A);
    type Wanted = (L::Wanted, B);
}

/// Requires that axes of the tensor and of the target with the same number are the same type.
#[diagnostic::on_unimplemented(
    message = "axes of one name are two types: `{Placed}` in the tensor, `{Wanted}` in the target",
    label = "`align_to` takes axes of the same type",
    note = "an axis is the type that `axis!` declared: declare it once and import it, or give it the other type by `rename_axis` [T212]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait SameAxes<Placed, Wanted> {}

#[diagnostic::do_not_recommend]
impl<X, Axes> SameAxes<Axes, Axes> for X {}

/// A second impl, so that the compiler does not explain the first one: see [`NoAxis`].
#[diagnostic::do_not_recommend]
impl<X> SameAxes<NoAxis, ()> for X {}

/// Generates the bounds that each mistake violates; the mistakes after the colon satisfy the bound.
macro_rules! refused {
    ($($(#[$attribute:meta])* $Refusal:ident<A, $T:ident>: $($Mistake:ident)+;)+) => {$(
        $(#[$attribute])*
        #[cfg_attr(doc, doc(hidden))]
        pub trait $Refusal<A, $T> {
            /// Resolves unless this mistake was found: see [`After`].
            #[doc(hidden)]
            type Checked;
        }

        #[diagnostic::do_not_recommend]
        impl<List, A, $T> $Refusal<A, $T> for Slots<List> {
            type Checked = ();
        }

        $(
            #[diagnostic::do_not_recommend]
            impl<X, A, $T> $Refusal<A, $T> for $Mistake<X> {
                type Checked = ();
            }
        )+
    )+};
}

refused! {
    /// An axis of the target without a name.
    #[diagnostic::on_unimplemented(
        message = "axis `{A}` of the target `{Target}` has no name",
        label = "`align_to` finds axes by their names",
        note = "declare the axis, as by `axis!(Channels = 3)`, and write its name; an axis that the tensor lacks becomes `One` [T212]"
    )]
    NamedInTarget<A, Target>: TwiceInTarget UnnamedInTensor TwiceInTensor NotInTarget;

    /// An axis that occurs twice in the target.
    #[diagnostic::on_unimplemented(
        message = "axis `{A}` is in the target `{Target}` twice",
        label = "`align_to` takes each axis once",
        note = "nothing decides which of the two an axis of the tensor is: give one another name [T212]"
    )]
    OnceInTarget<A, Target>: UnnamedInTarget UnnamedInTensor TwiceInTensor NotInTarget;

    /// An axis of the tensor without a name.
    #[diagnostic::on_unimplemented(
        message = "axis `{A}` of the tensor, whose shape is `{S}`, has no name",
        label = "`align_to` finds axes by their names",
        note = "`x.rename_axis::<0, Channels>()` gives axis 0 the name that `axis!(Channels = 3)` declares; `squeeze` takes an axis of size `One` away [T212]"
    )]
    NamedInTensor<A, S>: UnnamedInTarget TwiceInTarget TwiceInTensor NotInTarget;

    /// An axis that occurs twice in the tensor.
    #[diagnostic::on_unimplemented(
        message = "axis `{A}` is in the tensor, whose shape is `{S}`, twice",
        label = "`align_to` takes each axis once",
        note = "nothing decides which of the two the axis of the target is: give one another name by `rename_axis` [T212]"
    )]
    OnceInTensor<A, S>: UnnamedInTarget TwiceInTarget UnnamedInTensor NotInTarget;

    /// An axis of the tensor that the target lacks.
    #[diagnostic::on_unimplemented(
        message = "axis `{A}` of the tensor is not in the target `{Target}`",
        label = "`align_to` keeps every axis of the tensor",
        note = "write `{A}` in the target, or remove the axis before, by `squeeze`, one index or a reduction [T212]"
    )]
    IsInTarget<A, Target>: UnnamedInTarget TwiceInTarget UnnamedInTensor TwiceInTensor;
}
