//! How many places a window has along an axis, and the arithmetic of that: division by small sizes.

use core::ops::{Add, Mul, Sub};

use tensor_sizes::NoPart;
use typenum::{B0, B1, Cmp, Diff, Equal, Greater, Less, Prod, Sum, U1000, UInt, UTerm};

use super::DigitsOf;
use super::canonical::ToSize;
use super::digits::{CarriedParts, Carry, Digits, Push, SizeDigits};
use crate::shape::axis::{Dim, One, StaticAxis};

/// The size of `a / b`, rounded down.
///
/// ```
/// use tensor_core::{arithmetic::SizeQuotient, dim};
///
/// let half: dim!(112) = SizeQuotient::<dim!(225), dim!(2)>::default();
/// # let _ = half;
/// ```
pub type SizeQuotient<A, B> = <A as DivSizes<B>>::Output;

/// Two static sizes, the second from 1 to 999: the first divided by it, rounded down.
///
/// ```
/// use tensor_core::{StaticAxis, Tensor, arithmetic::{DivSizes, SizeQuotient}, dim};
///
/// fn halves<A: DivSizes<dim!(2)>>() -> Tensor<((), SizeQuotient<A, dim!(2)>)> {
///     Tensor::zeros()
/// }
///
/// assert_eq!(halves::<dim!(5)>().len(), 2);
/// ```
pub trait DivSizes<B>: StaticAxis {
    /// [`One`](crate::One) or a [`Dim`](crate::Dim).
    type Output: StaticAxis;

    /// [`One`](crate::One) or a [`Dim`](crate::Dim): what is left.
    type Remainder: StaticAxis;
}

/// `a / b`
impl<A, B, P, Q> DivSizes<B> for A
where
    A: StaticAxis<Size: SizeDigits>,
    B: StaticAxis,
    DigitsOf<A>: Carry<Parts = P>,
    P: DivideParts<B::Size, Quotient = Q, Remainder: ToSize>,
    Q: ToSize,
{
    type Output = Q::Size;
    type Remainder = <P::Remainder as ToSize>::Size;
}

/// Millions, thousands and units, divided by a size: long division.
pub trait DivideParts<S> {
    /// Millions, thousands and units.
    type Quotient;
    /// Millions, thousands and units.
    type Remainder;
}

/// `n / 1`
impl<P> DivideParts<One> for P {
    type Quotient = P;
    type Remainder = (NoPart, NoPart, NoPart);
}

/// `n / s`, digit by digit: what a digit leaves is a thousand of the next one.
impl<P, S, M, K, U, QM, RM, QK, RK, QU, RU, const A: usize, const B: usize, const C: usize>
    DivideParts<Dim<A, B, C>> for P
where
    Dim<A, B, C>: SizeDigits<Digits = Digits<UTerm, UTerm, UTerm, S>>,
    (UTerm, P): CarriedParts<Digits = Digits<UTerm, M, K, U>>,
    M: DivRem<S, Quotient = QM, Remainder = RM>,
    RM: Mul<U1000, Output: Add<K>>,
    Sum<Prod<RM, U1000>, K>: DivRem<S, Quotient = QK, Remainder = RK>,
    RK: Mul<U1000, Output: Add<U>>,
    Sum<Prod<RK, U1000>, U>: DivRem<S, Quotient = QU, Remainder = RU>,
    Digits<UTerm, QM, QK, QU>: Carry,
    Digits<UTerm, UTerm, UTerm, RU>: Carry,
{
    type Quotient = <Digits<UTerm, QM, QK, QU> as Carry>::Parts;
    type Remainder = <Digits<UTerm, UTerm, UTerm, RU> as Carry>::Parts;
}

/// `n = q s + r` with `r < s`, bit by bit; `s` is not 0.
pub trait DivRem<S> {
    /// `q`
    type Quotient;
    /// `r`
    type Remainder;
}

/// `0 = 0 s + 0`
impl<S> DivRem<S> for UTerm {
    type Quotient = UTerm;
    type Remainder = UTerm;
}

/// `2 n + d = 2 q s + (2 r + d)`
impl<N, D, S, R, Q, Order> DivRem<S> for UInt<N, D>
where
    N: DivRem<S, Quotient = Q>,
    N::Remainder: Push<D, Output = R>,
    R: Cmp<S, Output = Order>,
    Order: Reduce<Q, R, S>,
{
    type Quotient = Order::Quotient;
    type Remainder = Order::Remainder;
}

/// `2 q s + r`, with `r` below `2 s`, by how `r` compares with `s`.
pub trait Reduce<Q, R, S> {
    /// `2 q` or `2 q + 1`
    type Quotient;
    /// `r` or `r - s`
    type Remainder;
}

/// `r < s`
impl<Q: Push<B0>, R, S> Reduce<Q, R, S> for Less {
    type Quotient = Q::Output;
    type Remainder = R;
}

/// `r = s`
impl<Q: Push<B1>, R, S> Reduce<Q, R, S> for Equal {
    type Quotient = Q::Output;
    type Remainder = UTerm;
}

/// `r > s`
impl<Q: Push<B1>, R: Sub<S>, S> Reduce<Q, R, S> for Greater {
    type Quotient = Q::Output;
    type Remainder = Diff<R, S>;
}
