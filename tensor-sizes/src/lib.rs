//! The tables of sizes of `tensor-core`: from a size to its digits, and back.
//!
//! | table | from | to |
//! | --- | --- | --- |
//! | [`SizePart`] | a part of a size, `2048` | its digits of base 1000, `2` and `48` |
//! | [`Joined`] | thousands and units, `2` and `48` | the size, `2048` |
//! | [`NumberColumns`] | a typenum number of at most 11 bits | quotient and remainder by 1000 |
//!
//! Sizes below 10,000 are one part, so that the compiler prints them as a whole. Larger ones are the
//! sum of their parts: millions, thousands and units.
//!
//! The rows are written by `build.rs`. rustc's overlap check compares every two impls of one trait on one
//! type constructor, so that the 12,000 rows of [`SizePart`] take most of the time. In a crate of
//! their own they are compiled while others wait for `syn`.

#![no_std]

use typenum::consts::*;
use typenum::{B0, B1, UInt};

/// The table of parts: `PartTable: SizePart<2048>`, but not `PartTable: SizePart<12345>`.
#[derive(Debug)]
pub struct PartTable;

/// A number that is one part of a size: any below 10,000, thousands up to 999,000, or millions up to
/// 999 million.
#[diagnostic::on_unimplemented(
    message = "`{N}` is not one part of a size: write `dim!({N})`",
    label = "write `dim!({N})`",
    note = "sizes below 10,000 are one part, `Dim<2048>`; a larger one is the sum of its millions, thousands and units: 50,257 is `Dim<50000, 257>`; in generic code, take the axis as a type parameter, `A: Axis` [T702]"
)]
pub trait SizePart<const N: usize> {
    /// [`NoPart`], [`SinglePart`], [`UnitsPart`], [`WholePart`], [`ThousandsPart`] or
    /// [`MillionsPart`].
    type Part;
}

/// 0, which is left out of a sum.
#[derive(Debug)]
pub struct NoPart;

/// 1. Alone it is no part, but the size that stretches.
#[derive(Debug)]
pub struct SinglePart;

/// A number `N` from 2 to 999.
#[derive(Debug)]
pub struct UnitsPart<const N: usize, Digit>(Digit);

/// A number from 1001 to 9999, not a multiple of 1000, by its digits of base 1000.
#[derive(Debug)]
pub struct WholePart<Thousands, Units>(Thousands, Units);

/// A multiple `N` of 1000, up to 999,000. `Sum` is [`Few`] or [`Many`].
#[derive(Debug)]
pub struct ThousandsPart<const N: usize, Digit, Sum>(Digit, Sum);

/// A multiple `N` of a million, up to 999 million.
#[derive(Debug)]
pub struct MillionsPart<const N: usize, Digit>(Digit);

/// Below 10,000: with units, thousands are one part, which `Thousand: Joined` has.
#[derive(Debug)]
pub struct Few<Thousand>(Thousand);

/// From 10,000: with units, thousands are two parts.
#[derive(Debug)]
pub struct Many;

/// Thousands below 10,000, and `UNITS`.
pub trait Joined<const UNITS: usize> {
    /// Their sum, a [`Number`].
    type Size;
}

/// A number.
#[derive(Debug)]
pub struct Number<const N: usize>;

/// A number of thousands, each a type constructor of its own: rows are compared with those of the
/// same alone.
macro_rules! thousands {
    ($($Name:ident)*) => {$(
        /// A number of thousands.
        #[derive(Debug)]
        pub struct $Name;
    )*};
}

thousands! {
    Thousand1 Thousand2 Thousand3 Thousand4 Thousand5 Thousand6 Thousand7 Thousand8 Thousand9
}

/// A number of at most 11 bits, 0 to 2047.
pub trait ElevenDigits {
    /// Its table row: a [`NumberRow`].
    type TableRow: NumberColumns;
}

/// The table row of a number `n = 1000 q + r` with `r < 1000` and `2048 n = 1000 p + s` with
/// `s < 1000`.
#[derive(Debug)]
pub struct NumberRow<Q, P, S, Units, Thousands, Millions>(Q, (P, S), (Units, Thousands, Millions));

/// The columns of a [`NumberRow`]; all but the parts are typenum numbers.
pub trait NumberColumns {
    /// `q`
    type Quotient;

    /// `p`
    type HighQuotient;

    /// `s`
    type HighRemainder;

    /// `r` units, as a part of a size.
    type Units;

    /// `r` thousands, as a part of a size.
    type Thousands;

    /// `r` millions, as a part of a size.
    type Millions;
}

impl<Q, P, S, Units, Thousands, Millions> NumberColumns
    for NumberRow<Q, P, S, Units, Thousands, Millions>
{
    type Quotient = Q;
    type HighQuotient = P;
    type HighRemainder = S;
    type Units = Units;
    type Thousands = Thousands;
    type Millions = Millions;
}

/// A number by its low three bits: `8 h + 5` is `Last5<h>`.
///
/// Eight type constructors make the table cheaper than one. The overlap check also grows with the
/// associated types of an impl, so a row is one type, not one for each column.
pub trait LastDigits {
    /// `Last0<h>` to `Last7<h>`
    type Key: TableRow<TableRow: NumberColumns>;
}

/// A row of the table: `NumberRow` for a `LastDigits::Key`.
#[cfg_attr(doc, doc(hidden))]
pub trait TableRow {
    /// The row.
    type TableRow;
}

impl<N: LastDigits> ElevenDigits for N {
    type TableRow = <N::Key as TableRow>::TableRow;
}

/// Stamps out [`LastDigits`] by the low three bits.
macro_rules! last_digits {
    ($($key:ident for $d2:ident $d1:ident $d0:ident;)*) => {$(
        /// A number by its low three bits.
        #[derive(Debug)]
        #[cfg_attr(doc, doc(hidden))]
        pub struct $key<H>(H);

        impl<H> LastDigits for UInt<UInt<UInt<H, $d2>, $d1>, $d0>
        where
            $key<H>: TableRow<TableRow: NumberColumns>,
        {
            type Key = $key<H>;
        }
    )*};
}

last_digits! {
    Last0 for B0 B0 B0;
    Last1 for B0 B0 B1;
    Last2 for B0 B1 B0;
    Last3 for B0 B1 B1;
    Last4 for B1 B0 B0;
    Last5 for B1 B0 B1;
    Last6 for B1 B1 B0;
    Last7 for B1 B1 B1;
}

impl LastDigits for U0 {
    type Key = Last0<U0>;
}

impl LastDigits for U1 {
    type Key = Last1<U0>;
}

impl LastDigits for U2 {
    type Key = Last2<U0>;
}

impl LastDigits for U3 {
    type Key = Last3<U0>;
}

// The documentation would have a line for each of these rows.
#[cfg(not(doc))]
include!(concat!(env!("OUT_DIR"), "/parts.rs"));
#[cfg(not(doc))]
include!(concat!(env!("OUT_DIR"), "/joined.rs"));

include!(concat!(env!("OUT_DIR"), "/numbers.rs"));
