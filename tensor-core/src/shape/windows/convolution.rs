//! The shapes of convolutions: the axes of both sides, channels and groups, and the result.

use super::slides::WindowedSize;
use super::{
    Conv1dOptions, Conv2dOptions, Convolve, ConvolveTransposed, DividesAxis, NumberTable, Slides,
    StepNumber, Unslides, WindowedAxis,
};
use crate::shape::Shape;
use crate::shape::arithmetic::{DivSizes, MulSizes, SizeProduct};
use crate::shape::axis::{Axis, Dim, NoAxis, One, StaticAxis};
use crate::shape::axis_index::HasAxis;
use crate::shape::broadcast::{After, Then};

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
#[diagnostic::on_unimplemented(
    message = "the input has `{C}` channels, and the weights take `{Taken}`",
    label = "`{C}` and `{Taken}` differ",
    note = "channels come before the axes of the window: `[..lead, c, h, w]` with weights `[o, c / groups, kh, kw]`, transposed `[c, o / groups, kh, kw]`; groups are written `.groups::<2>()` [T802]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait TakesChannels<C, Taken> {
    /// Resolves if the channels match: see [`After`].
    type Matched;
}

#[diagnostic::do_not_recommend]
impl<C: SameChannels<Taken>, Taken> TakesChannels<C, Taken> for One {
    type Matched = C::Is;
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
    /// Resolves if the channels can be divided: see [`After`].
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
    /// Resolves if the remainder is 0: see [`After`].
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

/// The axes of an input and of weights, by the number of axes of the window. Impls for weights that no
/// program has make the compiler look at the weights before it rejects the input.
macro_rules! convolution_axes {
    (@no $Axes:ident $($W:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<S> $Axes<S, $W> for (S, $W) {
            type Lead = ();
            type Channels = One;
            type Input = ();
            type First = One;
            type Second = One;
            type Window = ();
        }
    )*};
    ($($(#[$doc:meta])* $Axes:ident: $message:literal, $note:literal;)*) => {$(
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

        convolution_axes!(@no $Axes NoAxis One);
    )*};
}

convolution_axes! {
    /// `[..l, c, n]` and `[o, c, k]`
    Axes1d:
        "shape `{S}` cannot be convolved along one axis with weights of shape `{W}`",
        "`conv1d` takes `[..lead, c, n]` and weights `[o, c / groups, k]`, `conv_transpose1d` weights `[c, o / groups, k]`; in generic code, the bound is `S: Convolve<W, Options>` or `S: ConvolveTransposed<W, Options>` [T804]";
    /// `[..l, c, h, w]` and `[o, c, kh, kw]`
    Axes2d:
        "shape `{S}` cannot be convolved along two axes with weights of shape `{W}`",
        "`conv2d` takes `[..lead, c, h, w]` and weights `[o, c / groups, kh, kw]`, `conv_transpose2d` weights `[c, o / groups, kh, kw]`; in generic code, the bound is `S: Convolve<W, Options>` or `S: ConvolveTransposed<W, Options>` [T804]";
    /// `[..l, c, d, h, w]` and `[o, c, kd, kh, kw]`
    Axes3d:
        "shape `{S}` cannot be convolved along three axes with weights of shape `{W}`",
        "`conv3d` takes `[..lead, c, d, h, w]` and weights `[o, c / groups, kd, kh, kw]`, `conv_transpose3d` weights `[c, o / groups, kd, kh, kw]`; in generic code, the bound is `S: Convolve<W, Options>` or `S: ConvolveTransposed<W, Options>` [T804]";
}

#[diagnostic::do_not_recommend]
impl<L: Shape, C: Axis, N: Axis, A: Axis, B: Axis, K> Axes1d<((L, C), N), ((((), A), B), K)>
    for (((L, C), N), ((((), A), B), K))
{
    type Lead = L;
    type Channels = C;
    type Input = (N,);
    type First = A;
    type Second = B;
    type Window = (K,);
}

#[diagnostic::do_not_recommend]
impl<L: Shape, C: Axis, H: Axis, W: Axis, A: Axis, B: Axis, KH, KW>
    Axes2d<(((L, C), H), W), (((((), A), B), KH), KW)>
    for ((((L, C), H), W), (((((), A), B), KH), KW))
{
    type Lead = L;
    type Channels = C;
    type Input = (H, W);
    type First = A;
    type Second = B;
    type Window = (KH, KW);
}

#[diagnostic::do_not_recommend]
impl<L: Shape, C: Axis, D: Axis, H: Axis, W: Axis, A: Axis, B: Axis, KD, KH, KW>
    Axes3d<((((L, C), D), H), W), ((((((), A), B), KD), KH), KW)>
    for (((((L, C), D), H), W), ((((((), A), B), KD), KH), KW))
{
    type Lead = L;
    type Channels = C;
    type Input = (D, H, W);
    type First = A;
    type Second = B;
    type Window = (KD, KH, KW);
}

// The results are resolved once the last axis of the window fits, so that a rejected convolution has none.

/// `[..l, c, n] * [o, c / g, k] = [..l, o, positions(n, k)]`
impl<S, W, L, C, N, O, Taken, K, X, XAfter, G, Groups> Convolve<W, Conv1dOptions<X, G>> for S
where
    S: Shape,
    (S, W): Axes1d<S, W, Lead = L, Channels = C, Input = (N,), First = O, Second = Taken, Window = (K,)>,
    L: Shape,
    O: Axis,
    G: TakesChannels<C, Taken>,
    G::Matched: Then<G, Rest = Groups>,
    Groups: ChannelGroups<C, Taken, O>,
    Groups::Matched: Then<X, Rest = XAfter>,
    XAfter: Slides<N, K>,
{
    type Output = After<XAfter::Output, ((L, O), XAfter::Output)>;
    type Lead = L;
}

/// `[..l, c, h, w] * [o, c / g, kh, kw] = [..l, o, positions(h, kh), positions(w, kw)]`
impl<S, Weights, L, C, H, W, O, Taken, KH, KW, X, XAfter, Y, YAfter, G, Groups>
    Convolve<Weights, Conv2dOptions<Y, X, G>> for S
where
    S: Shape,
    (S, Weights): Axes2d<
            S,
            Weights,
            Lead = L,
            Channels = C,
            Input = (H, W),
            First = O,
            Second = Taken,
            Window = (KH, KW),
        >,
    L: Shape,
    O: Axis,
    G: TakesChannels<C, Taken>,
    G::Matched: Then<G, Rest = Groups>,
    Groups: ChannelGroups<C, Taken, O>,
    Groups::Matched: Then<Y, Rest = YAfter>,
    YAfter: Slides<H, KH>,
    YAfter::Output: Then<X, Rest = XAfter>,
    XAfter: Slides<W, KW>,
{
    type Output = After<XAfter::Output, (((L, O), YAfter::Output), XAfter::Output)>;
    type Lead = L;
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

/// `[..l, c, n] * [c, o / g, k] = [..l, o, m]`
impl<S, W, L, C, N, O, Taken, K, X, XAfter, G, Groups> ConvolveTransposed<W, Conv1dOptions<X, G>>
    for S
where
    S: Shape,
    (S, W): Axes1d<S, W, Lead = L, Channels = C, Input = (N,), First = Taken, Second = O, Window = (K,)>,
    L: Shape,
    One: TakesChannels<C, Taken>,
    <One as TakesChannels<C, Taken>>::Matched: Then<G, Rest = Groups>,
    Groups: TransposedGroups<C>,
    O: TimesGroups<G>,
    Groups::Matched: Then<X, Rest = XAfter>,
    XAfter: Unslides<N, K>,
{
    type Output = After<XAfter::Output, ((L, O::Channels), XAfter::Output)>;
    type Lead = L;
}

/// `[..l, c, h, w] * [c, o / g, kh, kw] = [..l, o, y, x]`
impl<S, Weights, L, C, H, W, O, Taken, KH, KW, X, XAfter, Y, YAfter, G, Groups>
    ConvolveTransposed<Weights, Conv2dOptions<Y, X, G>> for S
where
    S: Shape,
    (S, Weights): Axes2d<
            S,
            Weights,
            Lead = L,
            Channels = C,
            Input = (H, W),
            First = Taken,
            Second = O,
            Window = (KH, KW),
        >,
    L: Shape,
    One: TakesChannels<C, Taken>,
    <One as TakesChannels<C, Taken>>::Matched: Then<G, Rest = Groups>,
    Groups: TransposedGroups<C>,
    O: TimesGroups<G>,
    Groups::Matched: Then<Y, Rest = YAfter>,
    YAfter: Unslides<H, KH>,
    YAfter::Output: Then<X, Rest = XAfter>,
    XAfter: Unslides<W, KW>,
{
    type Output = After<XAfter::Output, (((L, O::Channels), YAfter::Output), XAfter::Output)>;
    type Lead = L;
}

/// Requires that the channels of the input of a transposed convolution can be divided into the groups.
#[cfg_attr(doc, doc(hidden))]
pub trait TransposedGroups<C> {
    /// Resolves if the channels can be divided: see [`After`].
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
