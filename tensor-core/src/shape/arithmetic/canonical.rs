//! The canonical form of a size: which `Dim`s are canonical, and the errors for the others.

use tensor_sizes::{
    Few, Joined, JoinedNumber, Many, MillionsPart, NoPart, PartTable, SinglePart, SizePart,
    ThousandsPart, UnitsPart, WholePart,
};

use crate::shape::axis::{Dim, One, StaticAxis};

/// A [`Dim`] in canonical form: one part below 10,000; else millions, thousands and units in this
/// order, no part zero. Size 1 is [`One`].
///
/// Not a bound to add by hand: it is part of [`Axis`](crate::Axis), and a type parameter `A: Axis`
/// may be any size.
#[cfg_attr(doc, doc(hidden))]
pub trait CanonicalSize {}

impl<const A: usize, const B: usize, const C: usize> CanonicalSize for Dim<A, B, C>
where
    PartTable: SizePart<A, Part: HasMagnitude>
        + SizePart<B, Part: HasMagnitude>
        + SizePart<C, Part: HasMagnitude>,
    Magnitude<A>: NotOne<Magnitude<B>, Self>,
    (Magnitude<A>, Magnitude<B>, Magnitude<C>): InOrder<A, B, C, Self>,
{
}

/// The part `N`, from the table.
pub type PartOf<const N: usize> = <PartTable as SizePart<N>>::Part;

/// The magnitude of the part `N`.
#[cfg_attr(doc, doc(hidden))]
pub type Magnitude<const N: usize> = <PartOf<N> as HasMagnitude>::Magnitude;

/// A part of a size.
#[cfg_attr(doc, doc(hidden))]
pub trait HasMagnitude {
    /// [`Nothing`], [`Single`], [`Units`], [`FewThousands`], [`Whole`], [`Thousands`] or
    /// [`Millions`]: without the number, for messages.
    type Magnitude;
}

/// Generates the magnitudes.
macro_rules! magnitudes {
    ($($(#[$doc:meta])* $Magnitude:ident of $({$($parameter:tt)*})? $Part:ty;)*) => {$(
        $(#[$doc])*
        #[derive(Debug)]
        #[cfg_attr(doc, doc(hidden))]
        pub struct $Magnitude;

        impl$(<$($parameter)*>)? HasMagnitude for $Part {
            type Magnitude = $Magnitude;
        }
    )*};
}

magnitudes! {
    /// The part 0, which is left out.
    Nothing of NoPart;
    /// The part 1. Alone it is `One`, not a `Dim`.
    Single of SinglePart;
    /// A part from 2 to 999.
    Units of {const N: usize, D} UnitsPart<N, D>;
    /// 1000, 2000 … 9000: a size, or thousands after millions.
    FewThousands of {const N: usize, D, F} ThousandsPart<N, D, Few<F>>;
    /// A size from 1001 to 9999 that is not a multiple of 1000.
    Whole of {K, U} WholePart<K, U>;
    /// A part from 10,000 to 999,000.
    Thousands of {const N: usize, D} ThousandsPart<N, D, Many>;
    /// A part from one to 999 million.
    Millions of {const N: usize, D} MillionsPart<N, D>;
}

/// The first two parts of a size, which must not be 1 alone.
#[diagnostic::on_unimplemented(
    message = "size 1 is not `{Size}` but `One`, the size that stretches",
    label = "write `One` or `dim!(1)`",
    note = "every size has one spelling, so that equal sizes are the same type [T702]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait NotOne<Next, Size> {}

/// Three parts in canonical form.
#[diagnostic::on_unimplemented(
    message = "`{Size}` is not how a size is spelled: write `dim!({A} + {B} + {C})`",
    label = "write `dim!({A} + {B} + {C})`",
    note = "every size has one spelling, so that equal sizes are the same type: one part below 10,000, as `Dim<2048>`; else its millions, thousands and units in this order, without zeros: 50,257 is `Dim<50000, 257>` [T702]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait InOrder<const A: usize, const B: usize, const C: usize, Size> {}

/// Generates [`NotOne`] for a first part that is not 1, and for 1 with a part that follows it, which
/// [`InOrder`] rejects.
macro_rules! not_one {
    (first $($First:ident)*; after_one $($Next:ident)*;) => {
        $(
            #[diagnostic::do_not_recommend]
            impl<Next, Size> NotOne<Next, Size> for $First {}
        )*
        $(
            #[diagnostic::do_not_recommend]
            impl<Size> NotOne<$Next, Size> for Single {}
        )*
    };
}

not_one! {
    first Nothing Units FewThousands Whole Thousands Millions;
    after_one Single Units FewThousands Whole Thousands Millions;
}

/// Generates [`InOrder`].
macro_rules! in_order {
    ($($A:ident $B:ident $C:ident;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<const A: usize, const B: usize, const C: usize, Size> InOrder<A, B, C, Size>
            for ($A, $B, $C)
        {
        }
    )*};
}

in_order! {
    Nothing Nothing Nothing;
    // Not a size, but accepted here: `NotOne` alone reports it.
    Single Nothing Nothing;
    Units Nothing Nothing;
    FewThousands Nothing Nothing;
    Whole Nothing Nothing;
    Thousands Nothing Nothing;
    Thousands Single Nothing;
    Thousands Units Nothing;
    Millions Nothing Nothing;
    Millions Single Nothing;
    Millions Units Nothing;
    Millions FewThousands Nothing;
    Millions FewThousands Single;
    Millions FewThousands Units;
    Millions Thousands Nothing;
    Millions Thousands Single;
    Millions Thousands Units;
}

/// The axis whose size is the sum of three parts: millions, thousands, units.
#[cfg_attr(doc, doc(hidden))]
pub trait ToSize {
    /// [`One`] or a [`Dim`].
    type Size: StaticAxis;
}

/// Whether a constant expression is valid: true, or an error if the expression is one.
#[derive(Debug)]
#[cfg_attr(doc, doc(hidden))]
pub struct Valid<const IS_VALID: bool>;

/// Selects the table that has the parts of a constant expression.
///
/// An erroneous constant unifies with every constant, so the next trait solver would try all numbers of
/// the table for it, for minutes. For an error the table is ambiguous, and the solver looks into neither.
#[cfg_attr(doc, doc(hidden))]
pub trait HasTable {
    /// [`PartTable`], or none.
    type Table;
}

impl HasTable for Valid<true> {
    type Table = PartTable;
}

impl HasTable for Valid<false> {
    type Table = ();
}

/// The table for a constant expression: see [`HasTable`].
#[cfg_attr(doc, doc(hidden))]
pub type Table<const IS_VALID: bool> = <Valid<IS_VALID> as HasTable>::Table;

/// The axis of size `MILLIONS + THOUSANDS + UNITS`, any of which may be 0.
#[cfg_attr(doc, doc(hidden))]
pub trait Constant<const MILLIONS: usize, const THOUSANDS: usize, const UNITS: usize> {
    /// [`One`] or a [`Dim`].
    type Size: StaticAxis;

    /// The value of the axis. It has the same name as the type, so that `shape![{CONSTANT}]` expands to
    /// the same path as a type and as a value.
    #[expect(non_upper_case_globals)]
    const Size: Self::Size;
}

impl<const MILLIONS: usize, const THOUSANDS: usize, const UNITS: usize>
    Constant<MILLIONS, THOUSANDS, UNITS> for PartTable
where
    PartTable: SizePart<MILLIONS> + SizePart<THOUSANDS> + SizePart<UNITS>,
    (PartOf<MILLIONS>, PartOf<THOUSANDS>, PartOf<UNITS>): ToSize,
{
    type Size = <(PartOf<MILLIONS>, PartOf<THOUSANDS>, PartOf<UNITS>) as ToSize>::Size;
    const Size: Self::Size = <Self::Size as StaticAxis>::VALUE;
}

/// Generates the canonical forms: the type, and its millions, thousands and units.
macro_rules! sizes {
    ($({$($parameter:tt)*} $size:ty = $parts:ty $(where $Part:ty: $joined:ty)?;)*) => {$(
        impl<$($parameter)*> ToSize for $parts
        where
            $size: StaticAxis,
            $($Part: $joined,)?
        {
            type Size = $size;
        }
    )*};
}

sizes! {
    {} Dim<0> = (NoPart, NoPart, NoPart);
    {} One = (NoPart, NoPart, SinglePart);
    {const U: usize, UD} Dim<U> = (NoPart, NoPart, UnitsPart<U, UD>);
    {const K: usize, KD, F} Dim<K> = (NoPart, ThousandsPart<K, KD, F>, NoPart);
    {const K: usize, KD} Dim<K, 1> = (NoPart, ThousandsPart<K, KD, Many>, SinglePart);
    {const K: usize, KD, const U: usize, UD} Dim<K, U>
        = (NoPart, ThousandsPart<K, KD, Many>, UnitsPart<U, UD>);
    {const M: usize, MD} Dim<M> = (MillionsPart<M, MD>, NoPart, NoPart);
    {const M: usize, MD} Dim<M, 1> = (MillionsPart<M, MD>, NoPart, SinglePart);
    {const M: usize, MD, const U: usize, UD} Dim<M, U>
        = (MillionsPart<M, MD>, NoPart, UnitsPart<U, UD>);
    {const M: usize, MD, const K: usize, KD, F} Dim<M, K>
        = (MillionsPart<M, MD>, ThousandsPart<K, KD, F>, NoPart);
    {const M: usize, MD, const K: usize, KD, F} Dim<M, K, 1>
        = (MillionsPart<M, MD>, ThousandsPart<K, KD, F>, SinglePart);
    {const M: usize, MD, const K: usize, KD, F, const U: usize, UD} Dim<M, K, U>
        = (MillionsPart<M, MD>, ThousandsPart<K, KD, F>, UnitsPart<U, UD>);
}

/// A number from the table as the size of an axis.
///
/// A projection, not a `Joined<U, Size = JoinedNumber<N>>`: the latter is unified with the expected size, and
/// a mismatch would be reported as one of the table.
#[cfg_attr(doc, doc(hidden))]
pub trait WholeSize {
    /// A [`Dim`].
    type Size: StaticAxis;
}

impl<const N: usize> WholeSize for JoinedNumber<N>
where
    Dim<N>: StaticAxis,
{
    type Size = Dim<N>;
}

/// Generates the canonical forms whose thousands and units are one part, from the table.
macro_rules! joined_sizes {
    ($({$($parameter:tt)*} $parts:ty, $UNITS:tt;)*) => {$(
        impl<$($parameter)*, F> ToSize for $parts
        where
            F: Joined<$UNITS, Size: WholeSize>,
        {
            type Size = <F::Size as WholeSize>::Size;
        }
    )*};
}

joined_sizes! {
    {const K: usize, KD} (NoPart, ThousandsPart<K, KD, Few<F>>, SinglePart), 1;
    {const K: usize, KD, const U: usize, UD} (NoPart, ThousandsPart<K, KD, Few<F>>, UnitsPart<U, UD>), U;
}
