//! The canonical form of a size: which `Dim`s are sizes, and why the others are not.

use super::table::{PartTable, SizePart};
use crate::shape::axis::{Dim, One, StaticAxis};

/// A [`Dim`] in canonical form: millions, thousands and units in this order, no zero part except in
/// `Dim<0>`, and not size 1, which is [`One`].
///
/// Not a bound to add by hand: it is part of [`Axis`](crate::Axis), and a type parameter `A: Axis`
/// stands for any size.
#[cfg_attr(doc, doc(hidden))]
pub trait CanonicalSize {}

impl<const A: usize, const B: usize, const C: usize> CanonicalSize for Dim<A, B, C>
where
    PartTable: SizePart<A> + SizePart<B> + SizePart<C>,
    Magnitude<A>: NotOne<Magnitude<B>, Self>,
    (Magnitude<A>, Magnitude<B>, Magnitude<C>): InOrder<A, B, C, Self>,
{
}

/// The magnitude of a part: units, thousands or millions.
#[cfg_attr(doc, doc(hidden))]
pub type Magnitude<const N: usize> = <PartTable as SizePart<N>>::Magnitude;

/// The part 0, which is left out.
#[derive(Debug)]
#[cfg_attr(doc, doc(hidden))]
pub struct Nothing;

/// The part 1. Alone it is `One`, not a `Dim`.
#[derive(Debug)]
#[cfg_attr(doc, doc(hidden))]
pub struct Single;

/// A part from 2 to 999.
#[derive(Debug)]
#[cfg_attr(doc, doc(hidden))]
pub struct Units<const N: usize>;

/// A part from 1000 to 999,000.
#[derive(Debug)]
#[cfg_attr(doc, doc(hidden))]
pub struct Thousands<const N: usize>;

/// A part from one to 999 million.
#[derive(Debug)]
#[cfg_attr(doc, doc(hidden))]
pub struct Millions<const N: usize>;

/// The first and the next part of a size, which are not 1 alone.
#[diagnostic::on_unimplemented(
    message = "size 1 is not `{Size}` but `One`, the size that stretches",
    label = "write `One` or `dim!(1)`",
    note = "every size has one spelling, so that equal sizes are the same type [T702]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait NotOne<Next, Size> {}

#[diagnostic::do_not_recommend]
impl<Next, Size> NotOne<Next, Size> for Nothing {}
#[diagnostic::do_not_recommend]
impl<const N: usize, Next, Size> NotOne<Next, Size> for Units<N> {}
#[diagnostic::do_not_recommend]
impl<const N: usize, Next, Size> NotOne<Next, Size> for Thousands<N> {}
#[diagnostic::do_not_recommend]
impl<const N: usize, Next, Size> NotOne<Next, Size> for Millions<N> {}
#[diagnostic::do_not_recommend]
impl<Size> NotOne<Single, Size> for Single {}
#[diagnostic::do_not_recommend]
impl<const N: usize, Size> NotOne<Units<N>, Size> for Single {}
#[diagnostic::do_not_recommend]
impl<const N: usize, Size> NotOne<Thousands<N>, Size> for Single {}
#[diagnostic::do_not_recommend]
impl<const N: usize, Size> NotOne<Millions<N>, Size> for Single {}

/// Three parts from millions to units; omitted parts come last.
#[diagnostic::on_unimplemented(
    message = "the parts of `{Size}` are not written in order",
    label = "write `dim!({A} + {B} + {C})`",
    note = "a size is the sum of its parts: millions, then thousands, then units, and zeros are left out; 2048 is `Dim<2000, 48>` [T702]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait InOrder<const A: usize, const B: usize, const C: usize, Size> {
    /// Its millions, thousands and units.
    type Parts;
}

/// The axis whose size is the sum of three parts: millions, thousands, units.
#[cfg_attr(doc, doc(hidden))]
pub trait ToSize {
    /// [`One`] or a [`Dim`].
    type Size: StaticAxis;

    /// Its value. It has the name of the type, so that `shape![{CONSTANT}]` expands to the same path
    /// as a type and as a value.
    #[expect(non_upper_case_globals)]
    const Size: Self::Size;
}

/// The magnitudes of three parts of a size, any of which may be 0.
#[cfg_attr(doc, doc(hidden))]
pub type Parts<const MILLIONS: usize, const THOUSANDS: usize, const UNITS: usize> =
    (Magnitude<MILLIONS>, Magnitude<THOUSANDS>, Magnitude<UNITS>);

/// The axis of size `MILLIONS + THOUSANDS + UNITS`, any of which may be 0.
#[cfg_attr(doc, doc(hidden))]
pub type Constant<const MILLIONS: usize, const THOUSANDS: usize, const UNITS: usize> =
    <Parts<MILLIONS, THOUSANDS, UNITS> as ToSize>::Size;

/// Stamps out the canonical forms: the type, its parts as written, and its millions, thousands and
/// units.
macro_rules! sizes {
    ($({$($n:ident),*} $size:ty = $written:ty = $parts:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<const A: usize, const B: usize, const C: usize, Size $(, const $n: usize)*>
            InOrder<A, B, C, Size> for $written
        {
            type Parts = $parts;
        }

        impl<$(const $n: usize),*> ToSize for $parts
        where
            $size: StaticAxis,
        {
            type Size = $size;
            const Size: $size = <$size as StaticAxis>::VALUE;
        }
    )*};
}

sizes! {
    {} Dim<0> = (Nothing, Nothing, Nothing) = (Nothing, Nothing, Nothing);
    {} One = (Single, Nothing, Nothing) = (Nothing, Nothing, Single);
    {U} Dim<U> = (Units<U>, Nothing, Nothing) = (Nothing, Nothing, Units<U>);
    {K} Dim<K> = (Thousands<K>, Nothing, Nothing) = (Nothing, Thousands<K>, Nothing);
    {K} Dim<K, 1> = (Thousands<K>, Single, Nothing) = (Nothing, Thousands<K>, Single);
    {K, U} Dim<K, U> = (Thousands<K>, Units<U>, Nothing) = (Nothing, Thousands<K>, Units<U>);
    {M} Dim<M> = (Millions<M>, Nothing, Nothing) = (Millions<M>, Nothing, Nothing);
    {M} Dim<M, 1> = (Millions<M>, Single, Nothing) = (Millions<M>, Nothing, Single);
    {M, U} Dim<M, U> = (Millions<M>, Units<U>, Nothing) = (Millions<M>, Nothing, Units<U>);
    {M, K} Dim<M, K> = (Millions<M>, Thousands<K>, Nothing) = (Millions<M>, Thousands<K>, Nothing);
    {M, K} Dim<M, K, 1> = (Millions<M>, Thousands<K>, Single) = (Millions<M>, Thousands<K>, Single);
    {M, K, U} Dim<M, K, U> = (Millions<M>, Thousands<K>, Units<U>) = (Millions<M>, Thousands<K>, Units<U>);
}
