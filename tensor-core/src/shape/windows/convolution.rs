//! The shapes of convolutions: the axes of both sides, channels and groups, and the result.

use super::{
    Conv1d, Conv2d, Convolve, ConvolveTransposed, DividesAxis, NumberTable, Slides, StepNumber,
    Unslides, WindowedAxis,
};
use crate::shape::Shape;
use crate::shape::arithmetic::{DivSizes, MulSizes, SizeProduct};
use crate::shape::axis::{Axis, Dim, NoAxis, One, StaticAxis};
use crate::shape::axis_index::HasAxis;
use crate::shape::broadcast::After;
use crate::shape::matmul_shape::SameAxis;

/// Groups of channels: those of the input are those that the weights take, times the groups, and the
/// others can be divided into the groups.
#[cfg_attr(doc, doc(hidden))]
pub trait ChannelGroups<C, Taken, O> {
    /// Resolved once the channels match: see [`After`].
    type Matched;
}

/// One group: `c`
impl<C, Taken, O, Is> ChannelGroups<C, Taken, O> for One
where
    (C,): SharedChannels<C, Taken, Is = Is>,
{
    type Matched = Is;
}

/// `g` groups: `c = g · taken`, and `g` divides `o`
impl<C, Taken, O, ZC, ZT, ZO, Product, Is, Left, const X: usize, const Y: usize>
    ChannelGroups<C, Taken, O> for Dim<X, Y>
where
    Dim<X, Y>: StaticAxis,
    (C,): WindowedAxis<C, Size = ZC>,
    (Taken,): WindowedAxis<Taken, Size = ZT>,
    ZT: MulSizes<Dim<X, Y>, Output = Product>,
    Product: StaticAxis,
    (ZC,): TakesGroups<ZC, Product, Taken, Dim<X, Y>, Is = Is>,
    After<Is, (O,)>: WindowedAxis<O, Size = ZO>,
    ZO: DivSizes<Dim<X, Y>, Remainder = Left>,
    (Left,): NoChannelLeft<O, Dim<X, Y>>,
{
    type Matched = <(Left,) as NoChannelLeft<O, Dim<X, Y>>>::Matched;
}

/// The channels of the input are those that the weights take, where `Self` is one group: what shapes ask for beside
/// [`ChannelGroups`], so that a message has a line less. `Matched`, what the groups say, is not known where they
/// differ, so that the compiler proposes no bound.
#[diagnostic::on_unimplemented(
    message = "the input has `{C}` channels, and the weights take `{Taken}`",
    label = "`{C}` and `{Taken}` differ",
    note = "channels come before the axes of the window: `[..lead, c, h, w]` with weights `[o, c / groups, kh, kw]`, transposed `[c, o / groups, kh, kw]`; groups are written `.groups::<2>()` [T802]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait TakesChannels<C, Taken, Matched> {}

#[diagnostic::do_not_recommend]
impl<C: SameAxis<Taken>, Taken, Matched> TakesChannels<C, Taken, Matched> for One {}

/// With several groups, [`ChannelGroups`] says what they take.
#[diagnostic::do_not_recommend]
impl<C, Taken, Matched, const X: usize, const Y: usize> TakesChannels<C, Taken, Matched>
    for Dim<X, Y>
{
}

/// The same with the channels, and with the same message.
#[diagnostic::on_unimplemented(
    message = "the input has `{C}` channels, and the weights take `{Taken}`",
    label = "`{C}` and `{Taken}` differ",
    note = "channels come before the axes of the window: `[..lead, c, h, w]` with weights `[o, c / groups, kh, kw]`, transposed `[c, o / groups, kh, kw]`; groups are written `.groups::<2>()` [T802]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait SharedChannels<C, Taken> {
    /// The channels.
    type Is;
}

#[diagnostic::do_not_recommend]
impl<C: SameAxis<Taken>, Taken> SharedChannels<C, Taken> for (C,) {
    type Is = C::Is;
}

/// The channels of the input are those that the weights take, times the groups.
#[diagnostic::on_unimplemented(
    message = "the input has `{C}` channels, and the weights take `{Taken}` in each of `{G}` groups",
    label = "`{C}` is not `{Taken}` times `{G}`",
    note = "each group has its own part of the channels: `[..lead, c, h, w]` with weights `[o, c / groups, kh, kw]`; as many groups as channels, with weights `[c, 1, kh, kw]`, is a depthwise convolution [T802]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait TakesGroups<C, Product, Taken, G> {
    /// The channels.
    type Is;
}

#[diagnostic::do_not_recommend]
impl<C: SameAxis<Product, Is = Is>, Product, Taken, G, Is> TakesGroups<C, Product, Taken, G>
    for (C,)
{
    type Is = Is;
}

/// Nothing is left of the channels when they are divided into the groups.
#[diagnostic::on_unimplemented(
    message = "`{O}` channels cannot be divided into `{G}` groups of the same size",
    label = "`{G}` does not divide `{O}`",
    note = "every group has the same number of channels, in the input and in the result [T803]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait NoChannelLeft<O, G> {
    /// Resolved once nothing is left: see [`After`].
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

/// The axes of an input and of weights, by the number of axes of the window. Impls for weights that there
/// are not make the compiler look at the weights before it refuses the input.
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
            /// The leading axes and the channels of the input.
            type Lead: Shape;
            /// See above.
            type Channels: Axis;
            /// The other axes of the input.
            type Input;
            /// The first two axes of the weights.
            type First: Axis;
            /// See above.
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

// The results are resolved once the last axis of the window fits, so that a refused convolution has none.

/// `[..l, c, n] * [o, c / g, k] = [..l, o, places(n, k)]`
impl<S, W, L, C, N, O, Taken, K, X, G, M, Places> Convolve<W, Conv1d<X, G>> for S
where
    S: Shape,
    (S, W): Axes1d<S, W, Lead = L, Channels = C, Input = (N,), First = O, Second = Taken, Window = (K,)>,
    L: Shape,
    O: Axis,
    G: TakesChannels<C, Taken, M>,
    G: ChannelGroups<C, Taken, O, Matched = M>,
    After<M, X>: Slides<N, K, Output = Places>,
    Places: Axis,
{
    type Checked = S;
    type Output = After<Places, ((L, O), Places)>;
}

/// `[..l, c, h, w] * [o, c / g, kh, kw] = [..l, o, places(h, kh), places(w, kw)]`
impl<S, Weights, L, C, H, W, O, Taken, KH, KW, X, Y, G, M, Rows, Columns>
    Convolve<Weights, Conv2d<Y, X, G>> for S
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
    G: TakesChannels<C, Taken, M>,
    G: ChannelGroups<C, Taken, O, Matched = M>,
    After<M, Y>: Slides<H, KH, Output = Rows>,
    After<Rows, X>: Slides<W, KW, Output = Columns>,
    Rows: Axis,
    Columns: Axis,
{
    type Checked = S;
    type Output = After<Columns, (((L, O), Rows), Columns)>;
}

/// The channels of the result of a transposed convolution: those of a group, times the groups.
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
impl<S, W, L, C, N, O, Outputs, Taken, K, X, G, M, Rest> ConvolveTransposed<W, Conv1d<X, G>> for S
where
    S: Shape,
    (S, W): Axes1d<S, W, Lead = L, Channels = C, Input = (N,), First = Taken, Second = O, Window = (K,)>,
    L: Shape,
    One: TakesChannels<C, Taken, M>,
    G: TransposedGroups<C, Taken, Matched = M>,
    O: TimesGroups<G, Channels = Outputs>,
    Outputs: Axis,
    After<M, X>: Unslides<N, K, Output = Rest>,
    Rest: Axis,
{
    type Checked = S;
    type Output = After<Rest, ((L, Outputs), Rest)>;
}

/// `[..l, c, h, w] * [c, o / g, kh, kw] = [..l, o, y, x]`
impl<S, Weights, L, C, H, W, O, Outputs, Taken, KH, KW, X, Y, G, M, Rows, Columns>
    ConvolveTransposed<Weights, Conv2d<Y, X, G>> for S
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
    One: TakesChannels<C, Taken, M>,
    G: TransposedGroups<C, Taken, Matched = M>,
    O: TimesGroups<G, Channels = Outputs>,
    Outputs: Axis,
    After<M, Y>: Unslides<H, KH, Output = Rows>,
    After<Rows, X>: Unslides<W, KW, Output = Columns>,
    Rows: Axis,
    Columns: Axis,
{
    type Checked = S;
    type Output = After<Columns, (((L, Outputs), Rows), Columns)>;
}

/// Groups of a transposed convolution: the weights take all channels, which can be divided into the
/// groups.
#[cfg_attr(doc, doc(hidden))]
pub trait TransposedGroups<C, Taken> {
    /// Resolved once the channels match: see [`After`].
    type Matched;
}

/// One group.
impl<C, Taken, Is> TransposedGroups<C, Taken> for One
where
    (C,): SharedChannels<C, Taken, Is = Is>,
{
    type Matched = Is;
}

/// `g` divides `c`
impl<C, Taken, Is, Z, Left, const X: usize, const Y: usize> TransposedGroups<C, Taken> for Dim<X, Y>
where
    (C,): SharedChannels<C, Taken, Is = Is>,
    After<Is, (C,)>: WindowedAxis<C, Size = Z>,
    Z: DivSizes<Dim<X, Y>, Remainder = Left>,
    Left: StaticAxis,
    (Left,): NoChannelLeft<C, Dim<X, Y>>,
{
    type Matched = <(Left,) as NoChannelLeft<C, Dim<X, Y>>>::Matched;
}

impl<S, A, Groups, Z, Left, const I: isize, const GROUPS: usize> DividesAxis<I, GROUPS> for S
where
    S: HasAxis<I, Axis = A>,
    NumberTable: StepNumber<GROUPS, Size = Groups>,
    (A,): WindowedAxis<A, Size = Z>,
    Z: DivSizes<Groups, Remainder = Left>,
    (Left,): NoChannelLeft<A, Groups>,
{
    type Checked = After<<(Left,) as NoChannelLeft<A, Groups>>::Matched, S>;
}
