//! Axis indices: the axis of a shape that `-1` or `2` denotes.
//!
//! Axes count from 0 at the front and from -1 at the end, as in NumPy and PyTorch. Negative indices
//! need only the last axes, so generic code over `(Lead, A)` may use them without a bound; indices
//! from the front need the rank. Both reach 32 axes.

use crate::shape::Shape;
use crate::shape::axis::{Axis, One, check_layout, layouts};
use crate::shape::error::ShapeError;

/// An axis index as a type; [`axes!`](crate::axes!) writes lists of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AxisIndex<const I: isize>;

/// The rank of a shape, as a type.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(doc, doc(hidden))]
pub struct Axes<const N: usize>;

/// Axis `-K`: index `K` from the end, counted from 1.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(doc, doc(hidden))]
pub struct FromEnd<const K: usize>;

/// A shape of rank `N`: `x[[i, j]]` needs rank 2.
///
/// ```
/// use tensor_core::{HasRank, Tensor, tensor};
///
/// fn corner<S: HasRank<2>>(x: &Tensor<S>) -> f32 {
///     x[[0, 0]]
/// }
///
/// assert_eq!(corner(&tensor![[1.0, 2.0], [3.0, 4.0]]), 1.0);
/// ```
#[diagnostic::on_unimplemented(
    message = "shape `{Self}` does not have rank {N}",
    label = "this needs a shape of rank {N}",
    note = "an index such as `x[[i, j]]` has one number for each axis, and so has the index that `from_fn` gives; in generic code, add a bound such as `{Self}: HasRank<2>` [T207]"
)]
pub trait HasRank<const N: usize>: Shape {
    /// Named in bounds, `S: HasRank<N, Checked: Sized>`, so that error messages are about the call alone.
    #[doc(hidden)]
    type Checked;
}

#[diagnostic::do_not_recommend]
impl<S: Shape + ListOf<N>, const N: usize> HasRank<N> for S {
    type Checked = Self;
}

/// A list of `N` entries, whether a shape or not: if the impls of [`HasRank`] named shapes, the compiler
/// would prove for each list that it is one, axis by axis.
#[cfg_attr(doc, doc(hidden))]
pub trait ListOf<const N: usize> {}

/// A shape with an axis `I`: the bound of reductions along an axis.
///
/// ```
/// use tensor_core::{Float, HasAxis, WithoutAxis, Tensor, tensor};
///
/// fn row_deviations<S: HasAxis<-1>, T: Float>(x: &Tensor<S, T>) -> Tensor<WithoutAxis<S, -1>, T> {
///     x.std_axis::<-1>()
/// }
///
/// assert_eq!(row_deviations(&tensor![[1.0, 3.0], [5.0, 5.0]]), tensor![1.0, 0.0]);
/// ```
#[diagnostic::on_unimplemented(
    message = "axis {I} is out of range for shape `{Self}`",
    label = "no axis {I} is known here: axes count from 0 at the front and from -1 at the end; in generic code, add the bound `{Self}: HasAxis<{I}>`, or the one that the method has, as `FlattenAxes<1, 2>` of `flatten_axes::<1, 2>`, or count from the end of the axes that are known [T201]"
)]
pub trait HasAxis<const I: isize>: Shape {
    /// The axis.
    type Axis: Axis;
    /// The shape without the axis.
    type WithoutAxis: Shape;
    /// The shape with [`One`] in place of the axis.
    type KeepDims: Shape;
    /// [`FromEnd<K>`](FromEnd) for axis `-K`.
    #[doc(hidden)]
    type FromTheEnd;

    /// The index of the axis, counted from 0 at the front.
    const INDEX: usize;

    /// The axis, as a value.
    fn axis(self) -> Self::Axis;
    /// The shape without the axis, as a value.
    fn remove(self) -> Self::WithoutAxis;
    /// The shape with [`One`] in place of the axis, as a value.
    fn keep(self) -> Self::KeepDims;
}

/// Generates impls for indices that no axis has.
///
/// A shape of rank 0 and a type parameter have no other impl. Without these, rustc rejects the method
/// before it resolves the index and reports a missing method; with a single one, it would infer that
/// index.
macro_rules! no_axis {
    ($($number:literal)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<S: Shape> HasAxis<$number> for S {
            type Axis = One;
            type WithoutAxis = ();
            type KeepDims = ();
            type FromTheEnd = ();
            const INDEX: usize = panic!("no axis has this number");

            fn axis(self) -> One {
                One
            }

            fn remove(self) {}

            fn keep(self) {}
        }

        #[diagnostic::do_not_recommend]
        impl<S: Shape> Unsqueeze<$number> for S {
            type Output = ();
            const INDEX: usize = panic!("no axis has this number");

            fn unsqueeze(self) {}
        }
    )*};
}

// If there are ten impls or more, rustc does not list them as candidates for an index that was left out.
// They are literals, as rust-analyzer takes an expression here for any index.
no_axis!(-2_000_000_000 - 2_000_000_001 - 2_000_000_002 - 2_000_000_003 - 2_000_000_004);
no_axis!(2_000_000_000 2_000_000_001 2_000_000_002 2_000_000_003 2_000_000_004);

/// Generates an impl for each of ten indices `$N` that no axis has, for a trait whose rule is a single impl: without the
/// index, rustc would report all that the impl requires.
macro_rules! index_left_out {
    ($dollar:tt $index:ident $($impl:tt)*) => {
        macro_rules! impls {
            ($dollar($dollar $index:literal)*) => {
                $dollar(
                    #[diagnostic::do_not_recommend]
                    $($impl)*
                )*
            };
        }

        impls! {
            -2_000_000_000 -2_000_000_001 -2_000_000_002 -2_000_000_003 -2_000_000_004
            2_000_000_000 2_000_000_001 2_000_000_002 2_000_000_003 2_000_000_004
        }
    };
}
pub(crate) use index_left_out;

/// The same for indices from the end.
macro_rules! not_at_back {
    ($($number:literal)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<S> AxisFromEnd<$number> for S {
            type Axis = One;
            type WithoutAxis = ();
            type KeepDims = ();
            type With<B> = ();

            fn axis(self) -> One {
                One
            }

            fn remove(self) {}

            fn keep(self) {}
        }
    )*};
}

not_at_back!(2_000_000_000 2_000_000_001);

/// Axis `I` of a shape.
pub type AxisOf<S, const I: isize> = <S as HasAxis<I>>::Axis;
/// `S` without axis `I`: `[..a, n, ..b] → [..a, ..b]`.
pub type WithoutAxis<S, const I: isize> = <S as HasAxis<I>>::WithoutAxis;
/// `S` with axis `I` of size [`One`], as NumPy's `keepdims`: `[..a, n, ..b] → [..a, 1, ..b]`.
pub type KeepDims<S, const I: isize> = <S as HasAxis<I>>::KeepDims;

/// `S` with axis `I` replaced by axis `A`: `[..l, m, ..r] → [..l, a, ..r]`.
pub type WithAxis<S, const I: isize, A> = <S as ReplaceAxis<I, A>>::Output;

/// A shape whose axis `I` can be replaced by an axis `A`: `[..l, m, ..r] → [..l, a, ..r]`.
///
/// ```
/// use tensor_core::axis_index::{ReplaceAxis, WithAxis};
/// use tensor_core::{Tensor, axis, shape, tensor};
///
/// axis!(Train);
///
/// fn train<S: ReplaceAxis<0, Train>>(x: &Tensor<S>) -> Tensor<WithAxis<S, 0, Train>> {
///     x.rename_axis::<0, Train>()
/// }
///
/// assert_eq!(train(&tensor![[1.0], [2.0]]).shape(), shape![Train(2), 1]);
/// ```
pub trait ReplaceAxis<const I: isize, A>: HasAxis<I> {
    /// The shape with the new axis.
    type Output: Shape;

    /// Checks the layout that the new axis states, where it is used.
    #[doc(hidden)]
    const KEEPS_LAYOUT: ();

    /// The shape with the new axis, as a value.
    ///
    /// # Errors
    ///
    /// If its name is already in the shape with another size.
    fn replace_axis(self, axis: A) -> Result<WithAxis<Self, I, A>, ShapeError>;
}

index_left_out! { $N
    impl<L: Shape, A: Axis, B> ReplaceAxis<$N, B> for (L, A) {
        type Output = ();
        const KEEPS_LAYOUT: () = panic!("no axis has this number");

        fn replace_axis(self, _: B) -> Result<(), ShapeError> {
            Ok(())
        }
    }
}

/// `[..l, m, ..r] → [..l, a, ..r]`
impl<S, A, const I: isize, const K: usize> ReplaceAxis<I, A> for S
where
    S: HasAxis<I, FromTheEnd = FromEnd<K>>,
    S: AxisFromEnd<K, With<A>: Shape>,
    A: Axis,
{
    type Output = <S as AxisFromEnd<K>>::With<A>;
    const KEEPS_LAYOUT: () = check_layout(layouts::<<S as HasAxis<I>>::Axis>(), layouts::<A>());

    fn replace_axis(self, axis: A) -> Result<WithAxis<Self, I, A>, ShapeError> {
        let mut sizes = self.sizes();
        sizes[S::INDEX] = axis.size();
        Shape::from_sizes(&sizes)
    }
}

/// A list of pairs with at least `K` entries: [`HasAxis`] for any list.
#[diagnostic::on_unimplemented(
    message = "axis -{K} is out of range for shape `{Self}`",
    label = "no axis -{K} is known here: axes count from 0 at the front and from -1 at the end; in generic code, add the bound `{Self}: HasAxis<-{K}>`, or the one that it is `required for` below [T201]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait AxisFromEnd<const K: usize>: Sized {
    /// Entry `K` from the end.
    type Axis;
    /// The list without the entry.
    type WithoutAxis;
    /// The list with [`One`] in place of the entry.
    type KeepDims;
    /// The list with `B` in place of the entry.
    type With<B>;

    /// The entry, as a value.
    fn axis(self) -> Self::Axis;
    /// The list without the entry, as a value.
    fn remove(self) -> Self::WithoutAxis;
    /// The list with [`One`] in place of the entry, as a value.
    fn keep(self) -> Self::KeepDims;
}

/// A list of pairs with at least `K - 1` entries, so that a new one can be inserted `K` from the end.
#[diagnostic::on_unimplemented(
    message = "a new axis cannot be number -{K} of shape `{Self}`",
    label = "the result would have fewer than {K} axes",
    note = "the number is that of the new axis in the result: 0 puts it in front, -1 at the end [T202]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait InsertFromEnd<const K: usize>: Sized {
    /// The list with [`One`] as entry `K` from the end.
    type Output;

    /// The list with the new entry, as a value.
    fn insert(self) -> Self::Output;
}

/// A shape of known rank.
#[diagnostic::on_unimplemented(
    message = "the rank of `{Self}` is not known here",
    label = "an axis counted from the front needs it",
    note = "count from the end in generic code, -1 is the last axis, or add a bound such as `HasAxis<0>` on the whole shape [T201]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait Ranked {
    /// [`Axes<N>`](Axes)
    type Rank;
}

impl Ranked for () {
    type Rank = Axes<0>;
}

impl<L: Ranked<Rank: Successor>, A> Ranked for (L, A) {
    type Rank = <L::Rank as Successor>::Next;
}

/// `N + 1`
#[diagnostic::on_unimplemented(
    message = "a shape of more than 32 axes has no numbers from the front",
    label = "count this axis from the end",
    note = "axes have numbers from the front and from the end up to 32 axes [T201]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait Successor {
    /// `Axes<N + 1>`
    type Next;
}

/// A rank with an axis `I`, counted from the front; `S` is the shape that messages name.
#[diagnostic::on_unimplemented(
    message = "axis {I} is out of range for shape `{S}`",
    label = "there is no axis {I} here: axes count from 0 at the front and from -1 at the end [T201]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait FrontToEnd<const I: isize, S> {
    /// [`FromEnd<K>`](FromEnd): axis `I` is axis `-K`.
    type FromEnd;
}

/// `(((lead, a), b), c)` from `lead; a b c`, as a type, a pattern or an expression.
macro_rules! nest {
    (type $lead:ty =>) => { $lead };
    (type $lead:ty => $next:ident $($rest:ident)*) => { nest!(type ($lead, $next) => $($rest)*) };
    (pattern $lead:pat =>) => { $lead };
    (pattern $lead:pat => $next:ident $($rest:ident)*) => { nest!(pattern ($lead, $next) => $($rest)*) };
    (value $lead:expr =>) => { $lead };
    (value $lead:expr => $next:ident $($rest:ident)*) => { nest!(value ($lead, $next) => $($rest)*) };
}

/// Generates the impls on lists for axis `-$k`, followed by the axes `$T`.
macro_rules! lists_from_the_end {
    ($k:literal: $($T:ident)*) => {
        #[diagnostic::do_not_recommend]
        impl<L, A, $($T),*> AxisFromEnd<$k> for nest!(type (L, A) => $($T)*) {
            type Axis = A;
            type WithoutAxis = nest!(type L => $($T)*);
            type KeepDims = nest!(type (L, One) => $($T)*);
            type With<B> = nest!(type (L, B) => $($T)*);

            #[allow(non_snake_case)]
            fn axis(self) -> A {
                let nest!(pattern (_, axis) => $($T)*) = self;
                $(let _ = $T;)*
                axis
            }

            #[allow(non_snake_case)]
            fn remove(self) -> Self::WithoutAxis {
                let nest!(pattern (lead, _) => $($T)*) = self;
                nest!(value lead => $($T)*)
            }

            #[allow(non_snake_case)]
            fn keep(self) -> Self::KeepDims {
                let nest!(pattern (lead, _) => $($T)*) = self;
                nest!(value (lead, One) => $($T)*)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<L, $($T),*> InsertFromEnd<$k> for nest!(type L => $($T)*) {
            type Output = nest!(type (L, One) => $($T)*);

            #[allow(non_snake_case)]
            fn insert(self) -> Self::Output {
                let nest!(pattern lead => $($T)*) = self;
                nest!(value (lead, One) => $($T)*)
            }
        }

        impl<A, $($T),*> ListOf<$k> for nest!(type ((), A) => $($T)*) {}
    };
}

/// Generates the impls on lists for axis `-$k` from those for axis `-$below` of the list without its last
/// entry. For axes that few programs have: written out, the lists would be longer than the rest of this file.
macro_rules! longer_lists_from_the_end {
    ($($below:literal => $k:literal),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<L: AxisFromEnd<$below>, X> AxisFromEnd<$k> for (L, X) {
            type Axis = L::Axis;
            type WithoutAxis = (L::WithoutAxis, X);
            type KeepDims = (L::KeepDims, X);
            type With<B> = (L::With<B>, X);

            fn axis(self) -> L::Axis {
                self.0.axis()
            }

            fn remove(self) -> Self::WithoutAxis {
                (self.0.remove(), self.1)
            }

            fn keep(self) -> Self::KeepDims {
                (self.0.keep(), self.1)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<L: InsertFromEnd<$below>, X> InsertFromEnd<$k> for (L, X) {
            type Output = (L::Output, X);

            fn insert(self) -> Self::Output {
                (self.0.insert(), self.1)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<L: ListOf<$below>, X> ListOf<$k> for (L, X) {}
    )*};
}

/// Generates the impls on shapes for axis `-$k`.
macro_rules! from_the_end {
    ($($k:literal $negative:literal),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<S> HasAxis<$negative> for S
        where
            S: Shape + AxisFromEnd<$k, Axis: Axis, WithoutAxis: Shape, KeepDims: Shape>,
        {
            type Axis = <S as AxisFromEnd<$k>>::Axis;
            type WithoutAxis = <S as AxisFromEnd<$k>>::WithoutAxis;
            type KeepDims = <S as AxisFromEnd<$k>>::KeepDims;
            type FromTheEnd = FromEnd<$k>;
            const INDEX: usize = S::RANK - $k;

            fn axis(self) -> Self::Axis {
                AxisFromEnd::<$k>::axis(self)
            }

            fn remove(self) -> Self::WithoutAxis {
                AxisFromEnd::<$k>::remove(self)
            }

            fn keep(self) -> Self::KeepDims {
                AxisFromEnd::<$k>::keep(self)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<S> Unsqueeze<$negative> for S
        where
            S: Shape + InsertFromEnd<$k, Output: Shape>,
        {
            type Output = <S as InsertFromEnd<$k>>::Output;
            const INDEX: usize = S::RANK + 1 - $k;

            fn unsqueeze(self) -> Unsqueezed<Self, $negative> {
                InsertFromEnd::<$k>::insert(self)
            }
        }
    )*};
}

/// Generates the impls for axis `$i`, counted from the front.
macro_rules! from_the_front {
    ($($i:literal)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<S, const K: usize> HasAxis<$i> for S
        where
            S: Shape + Ranked<Rank: FrontToEnd<$i, S, FromEnd = FromEnd<K>>>,
            S: AxisFromEnd<K, Axis: Axis, WithoutAxis: Shape, KeepDims: Shape>,
        {
            type Axis = <S as AxisFromEnd<K>>::Axis;
            type WithoutAxis = <S as AxisFromEnd<K>>::WithoutAxis;
            type KeepDims = <S as AxisFromEnd<K>>::KeepDims;
            type FromTheEnd = FromEnd<K>;
            const INDEX: usize = $i;

            fn axis(self) -> Self::Axis {
                AxisFromEnd::<K>::axis(self)
            }

            fn remove(self) -> Self::WithoutAxis {
                AxisFromEnd::<K>::remove(self)
            }

            fn keep(self) -> Self::KeepDims {
                AxisFromEnd::<K>::keep(self)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<S, const K: usize> Unsqueeze<$i> for S
        where
            S: Shape + Ranked<Rank: Successor<Next: FrontToEnd<$i, S, FromEnd = FromEnd<K>>>>,
            S: InsertFromEnd<K, Output: Shape>,
        {
            type Output = <S as InsertFromEnd<K>>::Output;
            const INDEX: usize = $i;

            fn unsqueeze(self) -> Unsqueezed<Self, $i> {
                InsertFromEnd::<K>::insert(self)
            }
        }
    )*};
}

/// A shape into which `unsqueeze` inserts a new axis of size [`One`], as axis `I` of the result.
///
/// ```
/// use tensor_core::{Tensor, tensor, views::{Unsqueeze, Unsqueezed}};
///
/// fn batch_of_one<S: Unsqueeze<0>>(x: &Tensor<S>) -> Tensor<Unsqueezed<S, 0>> {
///     x.unsqueeze::<0>()
/// }
///
/// assert_eq!(batch_of_one(&tensor![1.0, 2.0]), tensor![[1.0, 2.0]]);
/// ```
#[diagnostic::on_unimplemented(
    message = "a new axis cannot be number {I} of shape `{Self}`",
    label = "the result has no axis {I}",
    note = "the number is that of the new axis in the result: 0 puts it in front, -1 at the end; in generic code, add the bound `{Self}: Unsqueeze<{I}>` [T202]"
)]
pub trait Unsqueeze<const I: isize>: Shape {
    /// The shape with the new axis.
    type Output: Shape;

    /// The index of the new axis, counted from 0 at the front.
    const INDEX: usize;

    /// The shape with the new axis, as a value.
    fn unsqueeze(self) -> Unsqueezed<Self, I>;
}

/// `S` with a new axis of size [`One`] as axis `I`: `[..a, ..b] → [..a, 1, ..b]`.
pub type Unsqueezed<S, const I: isize> = <S as Unsqueeze<I>>::Output;

lists_from_the_end! { 1: }
lists_from_the_end! { 2: A1 }
lists_from_the_end! { 3: A1 A2 }
lists_from_the_end! { 4: A1 A2 A3 }
lists_from_the_end! { 5: A1 A2 A3 A4 }
lists_from_the_end! { 6: A1 A2 A3 A4 A5 }
lists_from_the_end! { 7: A1 A2 A3 A4 A5 A6 }
lists_from_the_end! { 8: A1 A2 A3 A4 A5 A6 A7 }

longer_lists_from_the_end! {
    8 => 9, 9 => 10, 10 => 11, 11 => 12, 12 => 13, 13 => 14, 14 => 15, 15 => 16,
    16 => 17, 17 => 18, 18 => 19, 19 => 20, 20 => 21, 21 => 22, 22 => 23, 23 => 24,
    24 => 25, 25 => 26, 26 => 27, 27 => 28, 28 => 29, 29 => 30, 30 => 31, 31 => 32
}

from_the_end! {
    1 -1, 2 -2, 3 -3, 4 -4, 5 -5, 6 -6, 7 -7, 8 -8,
    9 -9, 10 -10, 11 -11, 12 -12, 13 -13, 14 -14, 15 -15, 16 -16,
    17 -17, 18 -18, 19 -19, 20 -20, 21 -21, 22 -22, 23 -23, 24 -24,
    25 -25, 26 -26, 27 -27, 28 -28, 29 -29, 30 -30, 31 -31, 32 -32
}

from_the_front! {
    0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
}

/// Calls a macro with the rows of [`Successor`] and [`FrontToEnd`] for every rank. Indices from the
/// front are listed with those from the end, so that no row computes: editors show only types that
/// need no evaluation of constants.
macro_rules! ranks {
    ([$($front:literal)*] [$($back:literal)*] $n:literal $next:literal $($more:literal)*) => {
        ranks!([$($front)*] [$($back)*] $n);
        impl Successor for Axes<$n> {
            type Next = Axes<$next>;
        }
        ranks!([$n $($front)*] [$($back)* $next] $next $($more)*);
    };
    ([$($front:literal)*] [$($back:literal)*] $n:literal) => {$(
        #[diagnostic::do_not_recommend]
        impl<S> FrontToEnd<$front, S> for Axes<$n> {
            type FromEnd = FromEnd<$back>;
        }
    )*};
}

ranks! {
    [] [] 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
}

impl ListOf<0> for () {}
