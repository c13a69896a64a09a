//! The shapes of convolutions: the axes of both sides, channels and groups, and the result.

use super::slides::WindowedSize;
use super::{DividesAxis, NumberTable, StepNumber, WindowedAxis};
use crate::shape::Shape;
use crate::shape::arithmetic::{DivSizes, MulSizes, SizeProduct};
use crate::shape::axis::{Axis, Dim, NoAxis, One, StaticAxis};
use crate::shape::axis_index::HasAxis;
use crate::shape::broadcast::{Refused, Then};

/// Channels that are the same as `Taken`.
#[diagnostic::on_unimplemented(message = "`{Self}` and `{Taken}` differ")]
#[cfg_attr(doc, doc(hidden))]
pub trait SameChannels<Taken> {
    /// The channels.
    type Is;
}

#[diagnostic::do_not_recommend]
impl<C: Axis> SameChannels<C> for C {
    type Is = C;
}

/// A second impl, so that a product of sizes that is not computed yet is not inferred from the other side.
#[diagnostic::do_not_recommend]
impl<C> SameChannels<NoAxis> for C {
    type Is = NoAxis;
}

/// Requires that the weights take the channels of the input, for `Self` = one group.
#[cfg_attr(doc, doc(hidden))]
pub trait TakesChannels<C, Taken> {
    /// A type that the compiler knows only if the channels match: [`After`](crate::shape::broadcast::After) uses it.
    type Matched;
}

#[diagnostic::do_not_recommend]
impl<C: Axis> TakesChannels<C, C> for One {
    type Matched = C;
}

/// More impls, so that channels that are not computed yet are not inferred from the other side.
#[diagnostic::do_not_recommend]
impl<C: Axis> TakesChannels<C, NoAxis> for One {
    type Matched = NoAxis;
}

#[diagnostic::do_not_recommend]
impl<Taken: Axis> TakesChannels<NoAxis, Taken> for One {
    type Matched = NoAxis;
}

/// Channels that differ.
#[diagnostic::on_unimplemented(
    message = "the input has `{C}` channels, and the weights take `{Taken}`",
    label = "`{C}` and `{Taken}` differ: channels come before the axes of the window, `[..lead, c, h, w]` with weights `[o, c / groups, kh, kw]`, transposed `[c, o / groups, kh, kw]`; groups are written `.groups::<2>()` [T802]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait ChannelsMatch<C, Taken>: Refused {
    /// Never resolves, as there is no impl.
    type Matched;
}

impl<C, Taken> TakesChannels<C, Taken> for One
where
    (C,): ChannelsMatch<C, Taken> + Refused,
{
    type Matched = <(C,) as ChannelsMatch<C, Taken>>::Matched;
}

/// With several groups, [`ChannelGroups`] has the requirement.
#[diagnostic::do_not_recommend]
impl<C, Taken, const X: usize, const Y: usize> TakesChannels<C, Taken> for Dim<X, Y> {
    type Matched = ();
}

/// Requires that the input has the channels that the weights take, times the number of groups, and that
/// the other channels can be divided into the groups.
#[cfg_attr(doc, doc(hidden))]
pub trait ChannelGroups<C, Taken, O> {
    /// A type that the compiler knows only if the channels can be divided: [`After`](crate::shape::broadcast::After) uses it.
    type Matched;
}

/// One group, for which [`TakesChannels`] has the requirement.
impl<C, Taken, O> ChannelGroups<C, Taken, O> for One {
    type Matched = ();
}

/// `g` groups: `c = g · taken`, and `g` divides `o`
impl<C, Taken, O, const X: usize, const Y: usize> ChannelGroups<C, Taken, O> for Dim<X, Y>
where
    Dim<X, Y>: StaticAxis,
    (C,): WindowedAxis<C>,
    (Taken,): WindowedAxis<Taken>,
    WindowedSize<Taken>: MulSizes<Dim<X, Y>>,
    (WindowedSize<C>,):
        TakesGroups<WindowedSize<C>, SizeProduct<WindowedSize<Taken>, Dim<X, Y>>, Taken, Dim<X, Y>>,
    (O,): WindowedAxis<O>,
    WindowedSize<O>: DivSizes<Dim<X, Y>>,
    (Left<O, Dim<X, Y>>,): NoChannelLeft<O, Dim<X, Y>>,
{
    type Matched = <(Left<O, Dim<X, Y>>,) as NoChannelLeft<O, Dim<X, Y>>>::Matched;
}

/// Requires that the input has the channels that the weights take, times the number of groups.
#[diagnostic::on_unimplemented(
    message = "the input has `{C}` channels, and the weights take `{Taken}` in each of `{G}` groups",
    label = "`{C}` is not `{Taken}` times `{G}`",
    note = "each group has its own part of the channels: `[..lead, c, h, w]` with weights `[o, c / groups, kh, kw]`; `c` groups with weights `[c, 1, kh, kw]` are a depthwise convolution [T802]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait TakesGroups<C, Product, Taken, G> {}

#[diagnostic::do_not_recommend]
impl<C: SameChannels<Product>, Product, Taken, G> TakesGroups<C, Product, Taken, G> for (C,) {}

/// The remainder of an axis of channels divided into groups.
type Left<O, G> = <WindowedSize<O> as DivSizes<G>>::Remainder;

/// Requires that the remainder of the channels divided into groups is 0.
#[diagnostic::on_unimplemented(
    message = "`{O}` channels cannot be divided into `{G}` groups of the same size",
    label = "`{G}` does not divide `{O}`",
    note = "every group has the same number of channels, in the input and in the result [T803]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait NoChannelLeft<O, G> {
    /// A type that the compiler knows only if the remainder is 0: [`After`](crate::shape::broadcast::After) uses it.
    type Matched;
}

#[diagnostic::do_not_recommend]
impl<O, G> NoChannelLeft<O, G> for (Dim<0>,) {
    type Matched = ();
}

#[diagnostic::do_not_recommend]
impl<O, G> NoChannelLeft<O, G> for (NoAxis,) {
    type Matched = ();
}

/// The shape with these axes at its end.
macro_rules! with_axes {
    ($shape:ty;) => { $shape };
    ($shape:ty; $A:ty $(, $rest:ty)*) => { with_axes!(($shape, $A); $($rest),*) };
}

pub(super) use with_axes;

/// The axes of an input and of weights, by the axes of the input and of the window. Impls for weights that no
/// program has make the compiler look at the weights before it rejects the input.
macro_rules! convolution_axes {
    (@impl<$($P:ident $(: $Bound:ident)?),*> $Axes:ident<$S:ty, $W:ty>:
        $Lead:ty, $C:ty, $Input:ty, $A:ty, $B:ty, $Window:ty) => {
        #[diagnostic::do_not_recommend]
        impl<$($P $(: $Bound)?),*> $Axes<$S, $W> for ($S, $W) {
            type Lead = $Lead;
            type Channels = $C;
            type Input = $Input;
            type First = $A;
            type Second = $B;
            type Window = $Window;
        }
    };
    ($($(#[$doc:meta])* $Axes:ident[$($N:ident $K:ident),*]: $message:literal, $note:literal;)*) => {$(
        $(#[$doc])*
        #[diagnostic::on_unimplemented(
            message = $message,
            label = "these are not the axes of a convolution",
            note = $note
        )]
        #[cfg_attr(doc, doc(hidden))]
        pub trait $Axes<S, W> {
            /// The leading axes of the input.
            type Lead: Shape;
            /// The channels of the input.
            type Channels: Axis;
            /// The other axes of the input.
            type Input;
            /// The first axis of the weights.
            type First: Axis;
            /// The second axis of the weights.
            type Second: Axis;
            /// The window.
            type Window;
        }

        convolution_axes!(@impl<S> $Axes<S, NoAxis>: (), One, (), One, One, ());
        convolution_axes!(@impl<S> $Axes<S, One>: (), One, (), One, One, ());
        convolution_axes!(@impl<L: Shape, C: Axis, $($N: Axis,)* A: Axis, B: Axis, $($K),*>
            $Axes<with_axes!((L, C); $($N),*), with_axes!((((), A), B); $($K),*)>:
            L, C, ($($N,)*), A, B, ($($K,)*));
    )*};
}

convolution_axes! {
    /// `[..l, c, n]` and `[o, c, k]`
    Axes1d[N K]:
        "shape `{S}` cannot be convolved along one axis with weights of shape `{W}`",
        "`conv1d` takes `[..lead, c, n]` and weights `[o, c / groups, k]`, `conv_transpose1d` weights `[c, o / groups, k]`; in generic code, the bound is `S: Convolve<W, Options>` or `S: ConvolveTransposed<W, Options>` [T804]";
    /// `[..l, c, h, w]` and `[o, c, kh, kw]`
    Axes2d[H KH, W KW]:
        "shape `{S}` cannot be convolved along two axes with weights of shape `{W}`",
        "`conv2d` takes `[..lead, c, h, w]` and weights `[o, c / groups, kh, kw]`, `conv_transpose2d` weights `[c, o / groups, kh, kw]`; in generic code, the bound is `S: Convolve<W, Options>` or `S: ConvolveTransposed<W, Options>` [T804]";
    /// `[..l, c, d, h, w]` and `[o, c, kd, kh, kw]`
    Axes3d[D KD, H KH, W KW]:
        "shape `{S}` cannot be convolved along three axes with weights of shape `{W}`",
        "`conv3d` takes `[..lead, c, d, h, w]` and weights `[o, c / groups, kd, kh, kw]`, `conv_transpose3d` weights `[c, o / groups, kd, kh, kw]`; in generic code, the bound is `S: Convolve<W, Options>` or `S: ConvolveTransposed<W, Options>` [T804]";
}

/// The channels of the result of a transposed convolution: those of a group, times the number of groups.
#[cfg_attr(doc, doc(hidden))]
pub trait TimesGroups<G> {
    /// The channels.
    type Channels: Axis;
}

/// `o · 1`, which may have a name.
impl<O: Axis> TimesGroups<One> for O {
    type Channels = O;
}

/// `o · g`
impl<O: MulSizes<Dim<X, Y>>, const X: usize, const Y: usize> TimesGroups<Dim<X, Y>> for O {
    type Channels = SizeProduct<O, Dim<X, Y>>;
}

/// Requires that the channels of the input of a transposed convolution can be divided into the groups.
#[cfg_attr(doc, doc(hidden))]
pub trait TransposedGroups<C> {
    /// A type that the compiler knows only if the channels can be divided: [`After`](crate::shape::broadcast::After) uses it.
    type Matched;
}

/// One group.
impl<C> TransposedGroups<C> for One {
    type Matched = ();
}

/// `g` divides `c`
impl<C, const X: usize, const Y: usize> TransposedGroups<C> for Dim<X, Y>
where
    (C,): WindowedAxis<C>,
    WindowedSize<C>: DivSizes<Dim<X, Y>>,
    (Left<C, Dim<X, Y>>,): NoChannelLeft<C, Dim<X, Y>>,
{
    type Matched = <(Left<C, Dim<X, Y>>,) as NoChannelLeft<C, Dim<X, Y>>>::Matched;
}

/// The number of groups.
type GroupsOf<const GROUPS: usize> = <NumberTable as StepNumber<GROUPS>>::Size;

impl<S, A, const I: isize, const GROUPS: usize> DividesAxis<I, GROUPS> for S
where
    S: HasAxis<I>,
    NumberTable: StepNumber<GROUPS>,
    GroupsOf<GROUPS>: Then<S::Axis, Rest = A>,
    (A,): WindowedAxis<A>,
    WindowedSize<A>: DivSizes<GroupsOf<GROUPS>>,
    (Left<A, GroupsOf<GROUPS>>,): NoChannelLeft<A, GroupsOf<GROUPS>>,
{
}
