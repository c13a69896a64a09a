//! Bounds on the input of a layer: its last axis, or its channels, must be the layer's.

use core::any::Any;

use tensor_core::broadcast::After;
use tensor_core::{Axis, Element, One, Shape, Tensor, shape};

/// An uninhabited type that represents no axis, in the second impl of a relation.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(doc, doc(hidden))]
pub enum NoInput {}

/// The input shapes `[..lead, i]` of a layer that takes `i`.
///
/// With a parameter of type `&Tensor<(Lead, I), T>`, a mistake would be reported as mismatched types, with
/// the declaration of the method. With this bound, the message is about the layer and its input.
#[diagnostic::on_unimplemented(
    message = "the layer takes inputs `[..lead, {I}]`, not shape `{Self}`",
    label = "this layer and its input do not fit",
    note = "the first parameters of a layer are the sizes that it takes: `Linear<dim!(64), dim!(10)>` takes `[..lead, 64]` and gives `[..lead, 10]`; in generic code, name the last axis, as in `Tensor<shape![Lead.., I]>` [N101]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait InputOf<I: Axis> {
    /// `[..lead, o]`, once the axes match: if they do not, the type of the result causes no further
    /// errors.
    type With<O: Axis>: Shape;

    /// The leading axes.
    type Lead: Shape;
}

/// A trait without impls, as `Refused` of `tensor-core`, of which rustc knows in this crate that no other implements it.
#[cfg_attr(doc, doc(hidden))]
pub trait RefusedInput {}

/// The last axis of an input that is not the axis that the layer takes.
///
/// `Self` is a one-element tuple, because for a type that the user declared the compiler would also show
/// its declaration. There are no impls, so that the compiler suggests no bound: see `AxesMatch` of `tensor-core`.
#[diagnostic::on_unimplemented(
    message = "the layer takes `{I}`, and the last axis of its input is `{J}`",
    label = "`{J}` and `{I}` differ: the first parameter of a layer is the size that it takes, `Linear<dim!(64), dim!(10)>` and `LayerNorm<dim!(64)>` take `[..lead, 64]` [N101]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait LastAxisOfInput<J, I>: RefusedInput {
    /// The axis, which never resolves, as there is no impl.
    type Is;
}

/// The axis of an input that a layer takes.
#[cfg_attr(doc, doc(hidden))]
pub trait LayerTakes<J, I> {
    /// The axis, once both are the same.
    type Is;
}

/// Generates the impls of the common axis of an input and a layer, `$Of`, and refuses others by `$Refusal`. `Self` is any
/// type: the compiler lists the impls for a type.
macro_rules! same_axis {
    ($($Of:ident, $Refusal:ident;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<X, J: Axis> $Of<J, J> for X {
            type Is = J;
        }

        /// So that the compiler does not infer the axis of the layer from that of the input.
        #[diagnostic::do_not_recommend]
        impl<X, J: Axis> $Of<J, NoInput> for X {
            type Is = NoInput;
        }

        /// So that the compiler does not infer the axis of the input from that of the layer.
        #[diagnostic::do_not_recommend]
        impl<X, I: Axis> $Of<NoInput, I> for X {
            type Is = NoInput;
        }

        impl<X, J, I> $Of<J, I> for X
        where
            (J,): $Refusal<J, I> + RefusedInput,
        {
            type Is = <(J,) as $Refusal<J, I>>::Is;
        }
    )*};
}

same_axis! {
    LayerTakes, LastAxisOfInput;
    TakesChannelsOf, ChannelsOfInput;
}

/// The axis, if both are the same.
#[diagnostic::on_unimplemented(message = "`{Self}` and `{I}` differ")]
#[cfg_attr(doc, doc(hidden))]
pub trait TakenAxis<I> {
    /// The axis.
    type Is;
}

#[diagnostic::do_not_recommend]
impl<J: Axis> TakenAxis<J> for J {
    type Is = J;
}

#[diagnostic::do_not_recommend]
impl<J> TakenAxis<NoInput> for J {
    type Is = NoInput;
}

/// The axis of an input that a layer in a list takes. Both trait solvers report it once if the next layer depends on it; of [`LayerTakes`], rustc would explain the impl of the layer.
#[diagnostic::on_unimplemented(
    message = "the layer takes `{I}`, and the last axis of its input is `{J}`",
    label = "`{J}` and `{I}` differ",
    note = "the first parameter of a layer is the size that it takes: `Linear<dim!(64), dim!(10)>` and `LayerNorm<dim!(64)>` take `[..lead, 64]` [N101]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait AxisOfInput<J, I> {
    /// The axis.
    type Is;
}

#[diagnostic::do_not_recommend]
impl<J: TakenAxis<I>, I> AxisOfInput<J, I> for (J,) {
    type Is = J::Is;
}

/// `[..lead, i]` of `i`
impl<L, J, I> InputOf<I> for (L, J)
where
    L: Shape,
    J: Axis,
    I: Axis,
    (J,): LayerTakes<J, I>,
{
    type With<O: Axis> = WithAxis<J, I, (L, O)>;
    type Lead = WithAxis<J, I, L>;
}

/// The input shapes `[..lead, time, i]` of a layer for sequences that takes `i`.
#[diagnostic::on_unimplemented(
    message = "the layer takes sequences `[..lead, time, {I}]`, not shape `{Self}`",
    label = "this layer and its input do not fit",
    note = "a sequence is `[time, features]`: `x.unsqueeze::<-2>()` is a sequence of length 1 [N101]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait SequenceOf<I: Axis>: SequenceAxes {
    /// `[..lead, time, o]`, once the axes match.
    type With<O: Axis>: Shape;
}

/// The axes of a sequence, defined for every shape, so that types that depend on them cause no more errors.
#[cfg_attr(doc, doc(hidden))]
pub trait SequenceAxes {
    /// The leading axes.
    type Lead: Shape;

    /// The time axis: the positions of a sequence.
    type Time: Axis;
}

impl SequenceAxes for () {
    type Lead = ();
    type Time = One;
}

impl<J: Axis> SequenceAxes for ((), J) {
    type Lead = ();
    type Time = One;
}

impl<L: Shape, Time: Axis, J: Axis> SequenceAxes for ((L, Time), J) {
    type Lead = L;
    type Time = Time;
}

/// The axes of sequences `[..lead, time, j]`, for a layer that takes `I`. It implies [`SequenceAxes`], so that of the two
/// errors about a shape without them rustc reports this one.
#[diagnostic::on_unimplemented(
    message = "the layer takes sequences `[..lead, time, {I}]`, not shape `{Self}`",
    label = "this layer and its input do not fit",
    note = "a sequence is `[time, features]`: `x.unsqueeze::<-2>()` is a sequence of length 1; in generic code, name both, as in `Tensor<shape![Lead.., Time, I]>` [N101]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait AxesOfSequences<I>: SequenceAxes {
    /// The leading axes.
    type Leading: Shape;
    /// The time axis: the positions of a sequence.
    type Positions: Axis;
    /// The axis of the elements at each position.
    type Last: Axis;
}

#[diagnostic::do_not_recommend]
impl<L: Shape, Time: Axis, J: Axis, I: Axis> AxesOfSequences<I> for ((L, Time), J) {
    type Leading = L;
    type Positions = Time;
    type Last = J;
}

/// A second impl, so that the compiler does not explain the first one.
#[diagnostic::do_not_recommend]
impl AxesOfSequences<NoInput> for ((), One) {
    type Leading = ();
    type Positions = One;
    type Last = One;
}

/// `[..lead, time, i]` of `i`
impl<S, L, Time, J, I> SequenceOf<I> for S
where
    S: Shape + SequenceAxes,
    S: AxesOfSequences<I, Leading = L, Positions = Time, Last = J>,
    L: Shape,
    Time: Axis,
    J: Axis,
    I: Axis,
    (J,): LayerTakes<J, I>,
{
    type With<O: Axis> = WithAxis<J, I, ((L, Time), O)>;
}

/// The channels of an input that are not the axis that the layer takes. See [`LastAxisOfInput`].
#[diagnostic::on_unimplemented(
    message = "the layer takes `{C}` channels, and its input has `{J}`",
    label = "`{J}` and `{C}` differ: `BatchNorm2d<dim!(64)>` takes images `[..lead, 64, h, w]`, `BatchNorm1d<dim!(64)>` takes `[n, 64]` and `[n, 64, l]`, and `BatchNorm<dim!(64), f32, -1>` takes `[..lead, 64]` [N101]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait ChannelsOfInput<J, C>: RefusedInput {
    /// The channels, which never resolve, as there is no impl.
    type Is;
}

/// The common channels of an input and a layer.
#[cfg_attr(doc, doc(hidden))]
pub trait TakesChannelsOf<J, C> {
    /// The channels, once both are the same.
    type Is;
}

/// The channels of an input that a layer in a list takes.
#[diagnostic::on_unimplemented(
    message = "the layer takes `{C}` channels, and its input has `{J}`",
    label = "`{J}` and `{C}` differ",
    note = "`BatchNorm2d<dim!(64)>` takes images `[..lead, 64, h, w]`, `BatchNorm1d<dim!(64)>` takes `[n, 64]` and `[n, 64, l]`, and `BatchNorm<dim!(64), f32, -1>` takes `[..lead, 64]` [N101]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait ChannelsOf<J, C> {
    /// The channels.
    type Is;
}

#[diagnostic::do_not_recommend]
impl<J: TakenAxis<C>, C> ChannelsOf<J, C> for (J,) {
    type Is = J::Is;
}

/// Generates the trait of shapes whose channels a layer takes, and the bound that methods require.
macro_rules! channels_before {
    ($(
        $(#[$doc:meta])* $Of:ident, $(#[$input_doc:meta])* $Input:ident;
        [$($Behind:ident)*] $message:literal, $note:literal;
    )*) => {$(
        $(#[$doc])*
        #[diagnostic::on_unimplemented(
            message = $message,
            label = "this layer and its input do not fit",
            note = $note
        )]
        #[cfg_attr(doc, doc(hidden))]
        pub trait $Of<C: Axis> {
            /// The same shape, once the channels match.
            type Same: Shape;
            /// The leading axes, before the channels.
            type Lead: Shape;
            $(
                /// An axis after the channels.
                type $Behind: Axis;
            )*
        }

        impl<L, J, $($Behind,)* C> $Of<C> for shape![L.., J, $($Behind),*]
        where
            L: Shape,
            J: Axis,
            $($Behind: Axis,)*
            C: Axis,
            (J,): TakesChannelsOf<J, C>,
        {
            type Same = WithChannels<J, C, shape![L.., C, $($Behind),*]>;
            type Lead = WithChannels<J, C, L>;
            $(type $Behind = WithChannels<J, C, $Behind>;)*
        }

        /// A second impl, so that the compiler does not explain the first one.
        #[diagnostic::do_not_recommend]
        impl<C: Axis> $Of<C> for NoInput {
            type Same = ();
            type Lead = ();
            $(type $Behind = One;)*
        }

        $(#[$input_doc])*
        #[cfg_attr(doc, doc(hidden))]
        pub trait $Input<C: Axis>: Shape + $Of<C> {}

        impl<S: Shape + $Of<C>, C: Axis> $Input<C> for S {}
    )*};
}

channels_before! {
    /// The input shapes `[..lead, c, n]` of a layer that takes `c` channels.
    ChannelSequenceOf,
    /// The bound that methods require: [`ChannelSequenceOf`] for a shape.
    ChannelSequenceInput;
    [N]
    "the layer takes sequences `[..lead, {C}, n]`, not shape `{Self}`",
    "channels come before the positions of a sequence; in generic code, name both, as in `Tensor<shape![Lead.., C, N]>` [N101]";
    /// The input shapes `[..lead, c, h, w]` of a layer that takes `c` channels.
    ImageOf,
    /// The bound that methods require: [`ImageOf`] for a shape.
    ImageInput;
    [H W]
    "the layer takes images `[..lead, {C}, h, w]`, not shape `{Self}`",
    "channels come before height and width: `x.unsqueeze::<-3>()` gives a single channel; in generic code, name the last three axes, as in `Tensor<shape![Lead.., C, H, W]>` [N101]";
}

/// A second impl, so that the compiler does not explain the first one.
#[diagnostic::do_not_recommend]
impl<I: Axis> InputOf<I> for NoInput {
    type With<O: Axis> = ();
    type Lead = ();
}

/// The bound that methods require: [`InputOf`] for a shape.
#[cfg_attr(doc, doc(hidden))]
pub trait LayerInput<I: Axis>: Shape + InputOf<I> {}

impl<S: Shape + InputOf<I>, I: Axis> LayerInput<I> for S {}

/// The bound that methods require: [`SequenceOf`] for a shape.
#[cfg_attr(doc, doc(hidden))]
pub trait SequenceInput<I: Axis>: Shape + SequenceOf<I> {}

impl<S: Shape + SequenceOf<I>, I: Axis> SequenceInput<I> for S {}

/// The leading axes of an input.
pub type LeadOf<S, I> = <S as InputOf<I>>::Lead;

/// The leading axes of a sequence.
pub type SequenceLead<S> = <S as SequenceAxes>::Lead;

/// The time axis of a sequence.
pub type TimeOf<S> = <S as SequenceAxes>::Time;

/// The shape of a layer's output for an input, `[..lead, i] → [..lead, o]`.
pub type OutputOf<S, I, O> = <S as InputOf<I>>::With<O>;

/// The shape `S`, once the axis of the input is that of the layer.
type WithAxis<J, I, S> = After<<(J,) as LayerTakes<J, I>>::Is, S>;

/// The shape or axis `S`, once the channels of the input are those of the layer.
pub(super) type WithChannels<J, C, S> = After<<(J,) as TakesChannelsOf<J, C>>::Is, S>;

/// The result shape `S` of a layer in a list. The compiler checks the next layer eagerly; this type keeps it
/// from attributing to the next layer a mismatch of axes that belongs to this one.
pub type InList<J, I, S> = After<<(J,) as AxisOfInput<J, I>>::Is, S>;

/// [`InList`] for layers that take channels.
pub type InListOfChannels<J, C, S> = After<<(J,) as ChannelsOf<J, C>>::Is, S>;

/// The shape of a layer's output for a sequence, `[..lead, time, i] → [..lead, time, o]`.
pub type SequenceOutput<S, I, O> = <S as SequenceOf<I>>::With<O>;

/// The input, typed with the axis of the layer.
pub(super) fn taken<I: Axis, S: LayerInput<I>, T: Element>(
    x: &Tensor<S, T>,
) -> &Tensor<shape![LeadOf < S, I > .., I], T> {
    same(x)
}

/// The sequences, typed with the axis of the layer.
pub(super) fn sequences<I: Axis, S: SequenceInput<I>, T: Element>(
    x: &Tensor<S, T>,
) -> &Tensor<shape![SequenceLead<S>.., TimeOf<S>, I], T> {
    same(x)
}

/// The output of a layer, typed as [`OutputOf`] its input.
pub(super) fn output<I: Axis, O: Axis, S: InputOf<I>, T: Element>(
    y: Tensor<shape![LeadOf < S, I > .., O], T>,
) -> Tensor<OutputOf<S, I, O>, T> {
    same_value(y)
}

/// The output of a layer for sequences, typed as [`SequenceOutput`].
pub(super) fn sequence_output<I: Axis, O: Axis, S: SequenceOf<I>, T: Element>(
    y: Tensor<shape![SequenceLead<S>.., TimeOf<S>, O], T>,
) -> Tensor<SequenceOutput<S, I, O>, T> {
    same_value(y)
}

/// [`same`], by value.
pub(super) fn same_value<X: 'static, Y: 'static>(x: X) -> Y {
    let mut x = Some(x);
    let y = (&mut x as &mut dyn Any).downcast_mut::<Option<Y>>();
    y.and_then(Option::take).expect("the bound relates a type to itself alone")
}

/// Returns `x` as type `Y`, which the bounds of the caller require to be the same type as `X`.
pub(crate) fn same<X: 'static, Y: 'static>(x: &X) -> &Y {
    (x as &dyn Any).downcast_ref().expect("the bound relates a type to itself alone")
}
