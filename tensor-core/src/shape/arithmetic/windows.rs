//! The number of positions of a window along an axis, and its arithmetic: division by small sizes.

use core::ops::{Add, Mul, Sub};

use tensor_sizes::{MillionsPart, NoPart, SinglePart, ThousandsPart, UnitsPart};
use typenum::{B0, B1, Cmp, Diff, Equal, Greater, Less, Prod, Sum, U1000, UInt, UTerm};

use super::canonical::ToSize;
use super::digits::{
    AddDigits, CarriedParts, Carry, Complement, Digits, MulDigits, Push, SizeDigits,
};
use super::overflow::{Billions, NoBillions};
use super::{DigitsOf, SizeDifference, SizeProduct, SizeSum};
use crate::shape::axis::{Dim, One, StaticAxis};
use crate::shape::broadcast::After;

/// The size of `a / b`, rounded down.
///
/// ```
/// use tensor_core::{arithmetic::SizeQuotient, dim};
///
/// let half: dim!(112) = SizeQuotient::<dim!(225), dim!(2)>::default();
/// # let _ = half;
/// ```
pub type SizeQuotient<A, B> = <A as DivSizes<B>>::Output;

/// Two static sizes, the second from 1 to 999,999: the first divided by it, rounded down.
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

    /// The remainder: [`One`](crate::One) or a [`Dim`](crate::Dim).
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

/// `n / s`, by the digits of `s`
impl<P, const A: usize, const B: usize, const C: usize> DivideParts<Dim<A, B, C>> for P
where
    Dim<A, B, C>: SizeDigits,
    P: DivideByDigits<<Dim<A, B, C> as SizeDigits>::Digits>,
{
    type Quotient = P::Quotient;
    type Remainder = P::Remainder;
}

/// Millions, thousands and units, divided by digits below a million.
pub trait DivideByDigits<S> {
    /// Millions, thousands and units.
    type Quotient;
    /// Millions, thousands and units.
    type Remainder;
}

/// `s < 1000`: digit by digit. The remainder of a digit counts as thousands of the next one.
impl<P, S, M, K, U, QM, RM, QK, RK, QU, RU> DivideByDigits<Digits<UTerm, UTerm, UTerm, S>> for P
where
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

/// `1000 ≤ s < 1,000,000`: two digits as one number; quotient and remainder are below a million.
impl<P, SK, SD, SU, M, K, U, N, S, Q, R> DivideByDigits<Digits<UTerm, UTerm, UInt<SK, SD>, SU>>
    for P
where
    (UTerm, P): CarriedParts<Digits = Digits<UTerm, M, K, U>>,
    M: Mul<U1000, Output: Add<K>>,
    Sum<Prod<M, U1000>, K>: Mul<U1000, Output: Add<U, Output = N>>,
    UInt<SK, SD>: Mul<U1000, Output: Add<SU, Output = S>>,
    N: DivRem<S, Quotient = Q, Remainder = R>,
    Digits<UTerm, UTerm, UTerm, Q>: Carry,
    Digits<UTerm, UTerm, UTerm, R>: Carry,
{
    type Quotient = <Digits<UTerm, UTerm, UTerm, Q> as Carry>::Parts;
    type Remainder = <Digits<UTerm, UTerm, UTerm, R> as Carry>::Parts;
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

/// `2 q s + r`, with `r` below `2 s`, by the comparison of `r` with `s`.
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

/// An axis of `n` elements with `b` and `a` elements of padding before and after it, along which a
/// window that covers `e` elements moves by `s`: the number of its positions, `(n + b + a - e) / s + 1`.
///
/// `K` is the size of the window and `D` its dilation, for the message.
#[cfg_attr(doc, doc(hidden))]
pub trait CountPlaces<B, A, E, S, K, D>: StaticAxis {
    /// [`One`](crate::One) or a [`Dim`](crate::Dim).
    type Output: StaticAxis;
}

/// `(n + b + a + s - e) / s`
impl<N, B, A, E, S, K, D, NB, NBA, NBAS, C, X, Q> CountPlaces<B, A, E, S, K, D> for N
where
    N: StaticAxis<Size: SizeDigits>,
    B: StaticAxis<Size: SizeDigits>,
    A: StaticAxis<Size: SizeDigits>,
    E: StaticAxis<Size: SizeDigits>,
    S: StaticAxis<Size: SizeDigits>,
    DigitsOf<N>: AddDigits<DigitsOf<B>, Output = NB>,
    NB: AddDigits<DigitsOf<A>, Output = NBA>,
    NBA: AddDigits<DigitsOf<S>, Output = NBAS>,
    DigitsOf<E>: Complement<Output = C>,
    NBAS: AddDigits<C, Output = X>,
    X: Carry<Parts: DivideParts<S::Size, Quotient = Q>>,
    (X::Billions, Q): CountedPlaces<Places: HoldsPlaces<N, B, A, K, D>>,
    Q: ToSize,
{
    type Output = After<Held<(X::Billions, Q), N, B, A, K, D>, Q::Size>;
}

/// The number of positions if the last one may reach beyond the axis and its padding, but has to begin
/// within the axis or the padding before it: `min(n + b + a - e + s - 1, n + b - 1) / s + 1`.
#[cfg_attr(doc, doc(hidden))]
pub trait CountPlacesCeil<B, A, E, S, K, D>: StaticAxis {
    /// [`One`](crate::One) or a [`Dim`](crate::Dim).
    type Output: StaticAxis;
}

/// Which of the two is smaller does not depend on `n`: the second, unless `e` is at least `a + s`.
impl<N, B, A, E, S, K, D, NB, C, AS, AC, X, Y, Q> CountPlacesCeil<B, A, E, S, K, D> for N
where
    N: StaticAxis<Size: SizeDigits>,
    B: StaticAxis<Size: SizeDigits>,
    A: StaticAxis<Size: SizeDigits>,
    E: StaticAxis<Size: SizeDigits>,
    S: StaticAxis<Size: SizeDigits>,
    DigitsOf<N>: AddDigits<DigitsOf<B>, Output = NB>,
    DigitsOf<E>: Complement<Output = C>,
    DigitsOf<S>: LessOne<Output: AddDigits<DigitsOf<A>, Output = AS>>,
    AS: AddDigits<C, Output = AC>,
    AC: Carry<Billions: CeilNumerator<NB, <DigitsOf<S> as LessOne>::Output, AC, Output = X>>,
    X: AddDigits<DigitsOf<S>, Output = Y>,
    Y: Carry<Parts: DivideParts<S::Size, Quotient = Q>>,
    (Billions, Q): CountedPlaces<Places: HoldsPlaces<N, B, A, K, D>>,
    Q: ToSize,
{
    type Output = After<Held<(Billions, Q), N, B, A, K, D>, Q::Size>;
}

/// Digits of a number that is not 0, minus 1.
pub trait LessOne {
    /// Digits.
    type Output;
}

impl<B, M, K, U: Sub<B1>> LessOne for Digits<B, M, K, U> {
    type Output = Digits<B, M, K, Diff<U, B1>>;
}

/// The smaller numerator of [`CountPlacesCeil`], by whether `a + s - 1 - e` is negative; `ac` is that
/// difference plus a billion, `nb` is `n + b`, and `s` the stride minus 1.
pub trait CeilNumerator<NB, S, AC> {
    /// Digits of the numerator; a billion in them is ignored.
    type Output;
}

/// `n + b + (a + s - 1 - e)`
impl<NB: AddDigits<AC>, S, AC> CeilNumerator<NB, S, AC> for NoBillions {
    type Output = NB::Output;
}

/// `n + b - 1 = (n + b) + (1,000,000,000 - 1)`
impl<NB, S, AC> CeilNumerator<NB, S, AC> for Billions
where
    DigitsOf<One>: Complement<Output: AddDigits<NB>>,
{
    type Output = <<DigitsOf<One> as Complement>::Output as AddDigits<NB>>::Output;
}

/// Requires that a window has positions: their number is neither negative nor 0.
#[diagnostic::on_unimplemented(
    message = "a window of size `{K}` is larger than its padded input, an axis of size `{N}`",
    label = "`{K}` elements at a distance of `{D}` do not fit into `{N}`, padded by `{B}` and `{A}`",
    note = "a window covers `(size - 1) · dilation + 1` elements; choose a smaller one, or more padding: `.padding::<1>()`, or `.same()` for a result as long as the axis [T801]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait HoldsPlaces<N, B, A, K, D> {
    /// A type that the compiler knows only if there are positions: [`After`] uses it.
    type Matched;
}

/// The type that [`HoldsPlaces`] resolves for this number of positions.
type Held<Counted, N, B, A, K, D> =
    <<Counted as CountedPlaces>::Places as HoldsPlaces<N, B, A, K, D>>::Matched;

/// The number of elements spanned by a window of `k` elements at distance `d`: `(k - 1) d + 1`.
#[cfg_attr(doc, doc(hidden))]
pub trait Spread<D> {
    /// [`One`](crate::One) or a [`Dim`](crate::Dim).
    type Extent: StaticAxis;
}

/// `(k - 1) + 1`
impl<K: StaticAxis> Spread<One> for K {
    type Extent = K::Size;
}

/// `k d - d + 1`
impl<K, const A: usize> Spread<Dim<A>> for K
where
    K: super::MulSizes<Dim<A>>,
    Dim<A>: StaticAxis,
    SizeProduct<K, Dim<A>>: super::AddSizes<One>,
    SizeSum<SizeProduct<K, Dim<A>>, One>: super::SubSizes<Dim<A>>,
{
    type Extent = SizeDifference<SizeSum<SizeProduct<K, Dim<A>>, One>, Dim<A>>;
}

/// The size of the result of a transposed convolution for an axis of `n` elements:
/// `(n - 1) s + e + o - b - a`, for which the convolution has `n` positions.
///
/// `K` is the size of the window and `D` its dilation, for the message.
#[cfg_attr(doc, doc(hidden))]
pub trait Uncount<B, A, E, S, O, K, D>: StaticAxis {
    /// [`One`](crate::One) or a [`Dim`](crate::Dim).
    type Output: StaticAxis;
}

/// `(n s + e + o) - (s + b + a)`
impl<N, B, A, E, S, O, K, D, NS, NSE, NSEO, U, C, X> Uncount<B, A, E, S, O, K, D> for N
where
    N: StaticAxis<Size: SizeDigits>,
    A: StaticAxis,
    B: StaticAxis,
    E: StaticAxis<Size: SizeDigits>,
    S: StaticAxis<Size: SizeDigits> + super::AddSizes<B>,
    O: StaticAxis<Size: SizeDigits>,
    SizeSum<S, B>: super::AddSizes<A, Output = U>,
    U: StaticAxis<Size: SizeDigits>,
    DigitsOf<N>: MulDigits<DigitsOf<S>, Output = NS>,
    NS: AddDigits<DigitsOf<E>, Output = NSE>,
    NSE: AddDigits<DigitsOf<O>, Output = NSEO>,
    DigitsOf<U>: Complement<Output = C>,
    NSEO: AddDigits<C, Output = X>,
    X: Carry<Parts: ToSize>,
    (X::Billions, X::Parts): CountedPlaces<Places: HasRest<N, B, A, K, D>>,
{
    type Output = After<
        <<(X::Billions, X::Parts) as CountedPlaces>::Places as HasRest<N, B, A, K, D>>::Matched,
        <X::Parts as ToSize>::Size,
    >;
}

/// Requires that a transposed convolution has results: the padding does not remove all of them.
#[diagnostic::on_unimplemented(
    message = "the padding of this transposed convolution removes all of its results along an axis of size `{N}`",
    label = "padding `{B}` and `{A}` is too much for a window of size `{K}`",
    note = "padding of a transposed convolution is what the convolution padded, and is removed again: the result has `(n - 1) · stride + (size - 1) · dilation + 1 - padding` elements [T801]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait HasRest<N, B, A, K, D> {
    /// A type that the compiler knows only if there are results: [`After`] uses it.
    type Matched;
}

/// Requires that `P` elements of padding on one side are at most half of the elements that a pooled
/// window covers. `K` is the size of the window, for the message.
#[cfg_attr(doc, doc(hidden))]
pub trait CoversPadding<P, K> {}

/// `2 p < e + 1`
impl<E, P, K, PP, C, E1, X> CoversPadding<P, K> for E
where
    E: StaticAxis<Size: SizeDigits>,
    P: super::AddSizes<P, Output = PP>,
    PP: StaticAxis<Size: SizeDigits>,
    DigitsOf<PP>: Complement<Output = C>,
    DigitsOf<E>: AddDigits<DigitsOf<One>, Output = E1>,
    E1: AddDigits<C, Output = X>,
    X: Carry,
    (X::Billions, X::Parts): CountedPlaces<Places: HalfOfWindow<P, K>>,
{
}

/// Requires that the padding of a pooling is at most half of its window.
#[diagnostic::on_unimplemented(
    message = "the padding of a pooling is at most half of its window: `{P}` elements are more than half of `{K}`",
    label = "`{P}` elements of padding for a window of size `{K}`",
    note = "more would be a window that lies in the padding alone; choose less padding or a larger window; for more, as TensorFlow and ONNX allow it, `x.pad(…)` first, with -∞ for a maximum: see `Pool2dOptions` [T807]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait HalfOfWindow<P, K> {}

#[diagnostic::do_not_recommend]
impl<P, K> HalfOfWindow<P, K> for SomePlaces {}

#[diagnostic::do_not_recommend]
impl<N, B, A, K, D> HoldsPlaces<N, B, A, K, D> for SomePlaces {
    type Matched = ();
}

#[diagnostic::do_not_recommend]
impl<N, B, A, K, D> HasRest<N, B, A, K, D> for SomePlaces {
    type Matched = ();
}

/// The window has at least one position.
#[derive(Debug)]
#[cfg_attr(doc, doc(hidden))]
pub struct SomePlaces;

/// The window has no position.
#[derive(Debug)]
#[cfg_attr(doc, doc(hidden))]
pub struct NoPlaces;

/// A difference as billions and parts: whether it is positive.
pub trait CountedPlaces {
    /// [`SomePlaces`] or [`NoPlaces`].
    type Places;
}

impl<Parts> CountedPlaces for (NoBillions, Parts) {
    type Places = NoPlaces;
}

/// Generates [`CountedPlaces`] for numbers that are not negative.
macro_rules! counted_positions {
    ($({$($parameter:tt)*} $parts:ty = $Places:ty;)*) => {$(
        impl<$($parameter)*> CountedPlaces for (Billions, $parts) {
            type Places = $Places;
        }
    )*};
}

counted_positions! {
    {} (NoPart, NoPart, NoPart) = NoPlaces;
    {} (NoPart, NoPart, SinglePart) = SomePlaces;
    {const X: usize, XD} (NoPart, NoPart, UnitsPart<X, XD>) = SomePlaces;
    {const X: usize, XD, F, Y} (NoPart, ThousandsPart<X, XD, F>, Y) = SomePlaces;
    {const X: usize, XD, Y, Z} (MillionsPart<X, XD>, Y, Z) = SomePlaces;
}
