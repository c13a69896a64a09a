//! Sizes in base 1000, with typenum digits: multi-precision arithmetic.
//!
//! A size is four digits from 0 to 999, each a typenum number: units, thousands, millions, and the
//! overflow. typenum adds and multiplies digits; what exceeds 999 is carried to the next digit. So
//! typenum numbers stay short, which matters: adding two numbers of 30 bits costs the compiler ten
//! times as much as two of 10 bits.

use core::ops::{Add, Mul};

use tensor_sizes::{
    ElevenDigits, MillionsPart, NoPart, NumberColumns, PartTable, SinglePart, SizePart,
    ThousandsPart, UnitsPart, WholePart,
};
use typenum::{B0, B1, Prod, Sum, UInt, UTerm};

use super::canonical::PartOf;
use super::overflow::Overflow;
use crate::shape::axis::{Dim, One};

/// `(((B · 1000) + M) · 1000 + K) · 1000 + U`, four typenum numbers.
#[derive(Debug)]
pub struct Digits<B, M, K, U>(B, M, K, U);

/// The digits of a static size: [`One`] or a [`Dim`].
#[diagnostic::on_unimplemented(
    message = "the size `{Self}` is not known here",
    label = "the compiler cannot compute with a size that is a parameter: in generic code, the last `required for` below is the bound to add: of `A` and `AddSizes<B>` it is `A: AddSizes<B, Output = N>`, with `use tensor_core::arithmetic::AddSizes`, where the result has size `N` [T403]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait SizeDigits {
    /// The [`Digits`] of the size.
    type Digits;
}

/// `1`
impl SizeDigits for One {
    type Digits = Digits<UTerm, UTerm, UTerm, U1>;
}

/// `A + B + C`
impl<const A: usize, const B: usize, const C: usize> SizeDigits for Dim<A, B, C>
where
    PartTable: SizePart<A> + SizePart<B> + SizePart<C>,
    (PartOf<A>, PartOf<B>, PartOf<C>): PartDigits,
{
    type Digits = <(PartOf<A>, PartOf<B>, PartOf<C>) as PartDigits>::Digits;
}

/// Three parts of a size in canonical form.
pub trait PartDigits {
    /// The [`Digits`] of their sum.
    type Digits;
}

/// Generates [`PartDigits`] for the canonical forms: their millions, thousands and units.
macro_rules! part_digits {
    ($({$($parameter:tt)*} ($($parts:tt)*) = $M:ty, $K:ty, $U:ty;)*) => {$(
        impl<$($parameter)*> PartDigits for ($($parts)*) {
            type Digits = Digits<UTerm, $M, $K, $U>;
        }
    )*};
}

/// 1
type U1 = UInt<UTerm, B1>;

part_digits! {
    {} (NoPart, NoPart, NoPart) = UTerm, UTerm, UTerm;
    {const U: usize, UD} (UnitsPart<U, UD>, NoPart, NoPart) = UTerm, UTerm, UD;
    {K, U} (WholePart<K, U>, NoPart, NoPart) = UTerm, K, U;
    {const K: usize, KD, F} (ThousandsPart<K, KD, F>, NoPart, NoPart) = UTerm, KD, UTerm;
    {const K: usize, KD, F} (ThousandsPart<K, KD, F>, SinglePart, NoPart) = UTerm, KD, U1;
    {const K: usize, KD, F, const U: usize, UD} (ThousandsPart<K, KD, F>, UnitsPart<U, UD>, NoPart)
        = UTerm, KD, UD;
    {const M: usize, MD} (MillionsPart<M, MD>, NoPart, NoPart) = MD, UTerm, UTerm;
    {const M: usize, MD} (MillionsPart<M, MD>, SinglePart, NoPart) = MD, UTerm, U1;
    {const M: usize, MD, const U: usize, UD} (MillionsPart<M, MD>, UnitsPart<U, UD>, NoPart)
        = MD, UTerm, UD;
    {const M: usize, MD, const K: usize, KD, F} (MillionsPart<M, MD>, ThousandsPart<K, KD, F>, NoPart)
        = MD, KD, UTerm;
    {const M: usize, MD, const K: usize, KD, F}
        (MillionsPart<M, MD>, ThousandsPart<K, KD, F>, SinglePart) = MD, KD, U1;
    {const M: usize, MD, const K: usize, KD, F, const U: usize, UD}
        (MillionsPart<M, MD>, ThousandsPart<K, KD, F>, UnitsPart<U, UD>) = MD, KD, UD;
}

/// The digit of a part.
pub trait Digit {
    /// A typenum number from 0 to 999.
    type Digit;
}

impl Digit for NoPart {
    type Digit = UTerm;
}

impl Digit for SinglePart {
    type Digit = U1;
}

impl<const N: usize, D> Digit for UnitsPart<N, D> {
    type Digit = D;
}

impl<const N: usize, D, F> Digit for ThousandsPart<N, D, F> {
    type Digit = D;
}

impl<const N: usize, D> Digit for MillionsPart<N, D> {
    type Digit = D;
}

/// Addition, digit by digit.
pub trait AddDigits<R> {
    /// Digits that may exceed 999.
    type Output;
}

/// `(b, m, k, u) + (b', m', k', u') = (b + b', m + m', k + k', u + u')`
impl<B, M, K, U, OtherB, OtherM, OtherK, OtherU> AddDigits<Digits<OtherB, OtherM, OtherK, OtherU>>
    for Digits<B, M, K, U>
where
    B: Add<OtherB>,
    M: Add<OtherM>,
    K: Add<OtherK>,
    U: Add<OtherU>,
{
    type Output = Digits<Sum<B, OtherB>, Sum<M, OtherM>, Sum<K, OtherK>, Sum<U, OtherU>>;
}

/// Carry propagation for a number whose digits may exceed 999.
pub trait Carry {
    /// Its millions, thousands and units, each at most 999.
    type Parts;

    /// Its billions, as a typenum number.
    type Above;

    /// Whether it has billions, and so exceeds the largest size.
    type Billions;
}

/// Carries from `u` to `k`, from `k` to `m`, from `m` to `b`.
impl<B, M, K, U> Carry for Digits<B, M, K, U>
where
    U: DivideByThousand,
    K: Add<Quotient<U>, Output: DivideByThousand>,
    M: Add<Quotient<Carried<K, U>>, Output: DivideByThousand>,
    B: Add<Quotient<Carried<M, Carried<K, U>>>, Output: Overflow>,
{
    type Parts = (
        <<Carried<M, Carried<K, U>> as DivideByThousand>::TableRow as NumberColumns>::Millions,
        <<Carried<K, U> as DivideByThousand>::TableRow as NumberColumns>::Thousands,
        <U::TableRow as NumberColumns>::Units,
    );
    type Above = Carried<B, Carried<M, Carried<K, U>>>;
    type Billions = <Carried<B, Carried<M, Carried<K, U>>> as Overflow>::Billions;
}

/// The carry to the next digit.
type Quotient<U> = <U as DivideByThousand>::Quotient;

/// The digit `K` plus the carry from `U`.
type Carried<K, U> = Sum<K, Quotient<U>>;

/// The billions of a number, as a typenum number, and its millions, thousands and units.
pub trait CarriedParts {
    /// Its [`Digits`].
    type Digits;
}

impl<B, M: Digit, K: Digit, U: Digit> CarriedParts for (B, (M, K, U)) {
    type Digits = Digits<B, M::Digit, K::Digit, U::Digit>;
}

/// `n = 1000 q + r` with `r < 1000`, for `n` below four million.
///
/// The table has numbers of up to 11 bits. Larger ones are reduced until the table has them:
/// `2048 h + l = (1000 p + s) + l = 1000 p + (s + l)`.
pub trait DivideByThousand {
    /// `q`
    type Quotient;

    /// The table row of a number with the same `r`.
    type TableRow: NumberColumns;
}

/// Generates the number with these low bits after the bits of `$high`.
macro_rules! digits {
    ($high:ty,) => { $high };
    ($high:ty, $first:ident $($digit:ident)*) => { digits!(UInt<$high, $first>, $($digit)*) };
}

/// `n < 2048`
macro_rules! at_most {
    (fewer than) => {};
    (fewer than $first:ident $($digit:ident)*) => { at_most! { $($digit)* } };
    ($($digit:ident)*) => {
        impl<$($digit),*> DivideByThousand for digits!(UTerm, $($digit)*)
        where
            Self: ElevenDigits,
        {
            type Quotient = <<Self as ElevenDigits>::TableRow as NumberColumns>::Quotient;
            type TableRow = <Self as ElevenDigits>::TableRow;
        }
        at_most! { fewer than $($digit)* }
    };
}

/// `2048 h + l = 1000 p + (s + l)`
macro_rules! more_than {
    ($($digit:ident)*) => {
        impl<H, D, $($digit),*> DivideByThousand for digits!(UInt<H, D>, $($digit)*)
        where
            UInt<H, D>: ElevenDigits,
            digits!(UTerm, $($digit)*): Trim,
            HighRemainder<UInt<H, D>>: Add<Trimmed<digits!(UTerm, $($digit)*)>, Output: DivideByThousand>,
            HighQuotient<UInt<H, D>>:
                Add<Quotient<Sum<HighRemainder<UInt<H, D>>, Trimmed<digits!(UTerm, $($digit)*)>>>>,
        {
            type Quotient = Carried<
                HighQuotient<UInt<H, D>>,
                Sum<HighRemainder<UInt<H, D>>, Trimmed<digits!(UTerm, $($digit)*)>>,
            >;
            type TableRow = <Sum<
                HighRemainder<UInt<H, D>>,
                Trimmed<digits!(UTerm, $($digit)*)>,
            > as DivideByThousand>::TableRow;
        }
    };
}

/// `p`, where `2048 h = 1000 p + s`
type HighQuotient<H> = <<H as ElevenDigits>::TableRow as NumberColumns>::HighQuotient;

/// `s`, where `2048 h = 1000 p + s`
type HighRemainder<H> = <<H as ElevenDigits>::TableRow as NumberColumns>::HighRemainder;

/// `L` without leading zero bits.
type Trimmed<L> = <L as Trim>::Output;

at_most! { D10 D9 D8 D7 D6 D5 D4 D3 D2 D1 D0 }
more_than! { D10 D9 D8 D7 D6 D5 D4 D3 D2 D1 D0 }

/// Removes leading zero bits.
pub trait Trim {
    /// The number, as a typenum number.
    type Output;
}

/// No digits: 0.
impl Trim for UTerm {
    type Output = UTerm;
}

/// `2 n + d`
impl<N, D> Trim for UInt<N, D>
where
    N: Trim<Output: Push<D>>,
{
    type Output = <N::Output as Push<D>>::Output;
}

/// Appends a bit.
pub trait Push<Digit> {
    /// `2 n + d`
    type Output;
}

/// `2 · 0 + 0 = 0`, which has no bits.
impl Push<B0> for UTerm {
    type Output = UTerm;
}

/// `2 · 0 + 1 = 1`
impl Push<B1> for UTerm {
    type Output = UInt<UTerm, B1>;
}

/// `2 n + d`
impl<N, Last, D> Push<D> for UInt<N, Last> {
    type Output = UInt<Self, D>;
}

/// Multiplication, each digit with each digit.
pub trait MulDigits<R> {
    /// Digits that may exceed 999.
    type Output;
}

/// `(m, k, u) · (m', k', u')`. `mm'`, `mk'` and `km'` overflow; it only matters whether they are 0, so
/// they are added without their scale.
impl<M1, K1, U1, M2, K2, U2> MulDigits<Digits<UTerm, M2, K2, U2>> for Digits<UTerm, M1, K1, U1>
where
    M1: Mul<M2> + Mul<K2> + Mul<U2>,
    K1: Mul<M2> + Mul<K2> + Mul<U2>,
    U1: Mul<M2> + Mul<K2> + Mul<U2>,
    Prod<M1, M2>: Add<Prod<M1, K2>>,
    Sum<Prod<M1, M2>, Prod<M1, K2>>: Add<Prod<K1, M2>>,
    Prod<M1, U2>: Add<Prod<K1, K2>>,
    Sum<Prod<M1, U2>, Prod<K1, K2>>: Add<Prod<U1, M2>>,
    Prod<K1, U2>: Add<Prod<U1, K2>>,
{
    type Output = Digits<
        Sum<Sum<Prod<M1, M2>, Prod<M1, K2>>, Prod<K1, M2>>,
        Sum<Sum<Prod<M1, U2>, Prod<K1, K2>>, Prod<U1, M2>>,
        Sum<Prod<K1, U2>, Prod<U1, K2>>,
        Prod<U1, U2>,
    >;
}

/// `n · 0 = 0`, if `n` overflows.
impl<N, D, M, K, U> MulDigits<Digits<UTerm, UTerm, UTerm, UTerm>> for Digits<UInt<N, D>, M, K, U> {
    type Output = Digits<UTerm, UTerm, UTerm, UTerm>;
}

/// Generates `n · m` where `n` overflows and `m` is not 0: the product overflows.
macro_rules! stays_above {
    ($(impl<$($digit:ident),*> MulDigits<$right:ty>;)*) => {$(
        impl<N, D, M, K, U $(, $digit)*> MulDigits<$right> for Digits<UInt<N, D>, M, K, U> {
            type Output = Self;
        }
    )*};
}

stays_above! {
    impl<N2, D2> MulDigits<Digits<UTerm, UTerm, UTerm, UInt<N2, D2>>>;
    impl<N2, D2, U2> MulDigits<Digits<UTerm, UTerm, UInt<N2, D2>, U2>>;
    impl<N2, D2, K2, U2> MulDigits<Digits<UTerm, UInt<N2, D2>, K2, U2>>;
}

/// `1,000,000,000 - n`, for a size.
pub trait Complement {
    /// Digits that may exceed 999.
    type Output;
}

/// `1,000,000,000 = 999 · 1,000,000 + 999 · 1000 + 1000`. From the table: rust-analyzer stops at 50 nested
/// projections, of which typenum's subtraction has twenty.
impl<M: ElevenDigits, K: ElevenDigits, U: ElevenDigits> Complement for Digits<UTerm, M, K, U> {
    type Output = Digits<
        UTerm,
        <M::TableRow as NumberColumns>::To999,
        <K::TableRow as NumberColumns>::To999,
        <U::TableRow as NumberColumns>::To1000,
    >;
}
