//! Bounds on the input of a layer: its last axis, or its channels, must be the layer's.

use core::any::Any;

use tensor_core::broadcast::After;
use tensor_core::{Axis, Element, One, Shape, Tensor, shape};

/// An uninhabited type that represents no axis, in the second impl of a relation.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(doc, doc(hidden))]
pub enum NoInput {}

/// A trait without impls, as `Refused` of `tensor-core`, of which rustc knows in this crate that no other implements it.
#[cfg_attr(doc, doc(hidden))]
pub trait RefusedInput {}

/// The last axis of an input that is not the axis that the layer takes.
///
/// `Self` is a one-element tuple, because for a type that the user declared the compiler would also show
/// its declaration. There are no impls, so that the compiler suggests no bound: see `AxesMatch` of `tensor-core`.
#[diagnostic::on_unimplemented(
    message = "the layer takes `{I}`, and the last axis of its input is `{J}`",
    label = "`{J}` and `{I}` differ: the first parameter of a layer is the size that it takes, `Linear<dim!(64), dim!(10)>` and `LayerNorm<dim!(64)>` take `[..lead, 64]`; generic code names the last axis, `Tensor<shape![Lead.., I]>` [N101]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait LastAxisOfInput<J, I>: RefusedInput {
    /// The shape of a result, which never resolves, as there is no impl.
    type Result<S: Shape>: Shape;
}

/// The axis of an input, `J`, is the axis that the layer takes, `I`. `Self` is the layer. With a parameter instead of a bound on
/// the shape, both trait solvers point at the method: see `tensor_core::shape`. A parameter of type `&Tensor<(Lead, I), T>` would
/// be mismatched types, with the declaration of the method.
#[cfg_attr(doc, doc(hidden))]
pub trait LayerTakes<J, I> {
    /// The shape `S` of a result, once the axes are the same.
    type Result<S: Shape>: Shape;
}

/// Generates the impls of the common axis of an input and a layer, `$Of`, and refuses others by `$Refusal`. `Self` is any
/// type: the compiler lists the impls for a type.
macro_rules! same_axis {
    ($($Of:ident, $Refusal:ident;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<X, J: Axis> $Of<J, J> for X {
            type Result<S: Shape> = S;
        }

        /// So that the compiler does not infer the axis of the layer from that of the input.
        #[diagnostic::do_not_recommend]
        impl<X, J: Axis> $Of<J, NoInput> for X {
            type Result<S: Shape> = S;
        }

        /// So that the compiler does not infer the axis of the input from that of the layer.
        #[diagnostic::do_not_recommend]
        impl<X, I: Axis> $Of<NoInput, I> for X {
            type Result<S: Shape> = S;
        }

        impl<X, J, I> $Of<J, I> for X
        where
            (J,): $Refusal<J, I> + RefusedInput,
        {
            type Result<S: Shape> = <(J,) as $Refusal<J, I>>::Result<S>;
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

/// The axis of an input that a layer in a list takes. Both trait solvers report it once if the next layer depends on it; of
/// [`LayerTakes`], rustc would explain the impl of the layer.
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

/// A shape `S` without a time axis before the last one. There are no impls, as of [`LastAxisOfInput`].
#[diagnostic::on_unimplemented(
    message = "the layer takes sequences `[..lead, time, {I}]`, not shape `{S}`",
    label = "this layer and its input do not fit: a sequence is `[time, features]`, and `x.unsqueeze::<-2>()` is one of length 1; in generic code, name both, as in `Tensor<shape![Lead.., Time, I]>` [N101]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait HasTime<S, I>: RefusedInput {
    /// The shape of a result, which never resolves.
    type With<O: Axis>: Shape;

    /// The last axis, which never resolves.
    type Last: Axis;
}

/// The axes before the last of an input, `L`, have a time axis: the shape `S` is `[..lead, time, j]`. `Self` is a layer that
/// takes `I`.
#[cfg_attr(doc, doc(hidden))]
pub trait TakesSequences<L, S, I> {
    /// `[..lead, time, o]`
    type With<O: Axis>: Shape;

    /// `J`
    type Last: Axis;
}

#[diagnostic::do_not_recommend]
impl<X, L: Shape, Time: Axis, S: Shape, I> TakesSequences<(L, Time), S, I> for X {
    type With<O: Axis> = ((L, Time), O);
    type Last = S::LastAxis;
}

/// So that the compiler does not infer the axes of the input.
#[diagnostic::do_not_recommend]
impl<X, S, I> TakesSequences<NoInput, S, I> for X {
    type With<O: Axis> = ();
    type Last = One;
}

impl<X, L, S, I> TakesSequences<L, S, I> for X
where
    (S,): HasTime<S, I> + RefusedInput,
{
    type With<O: Axis> = <(S,) as HasTime<S, I>>::With<O>;
    type Last = <(S,) as HasTime<S, I>>::Last;
}

/// The channels of an input that are not the axis that the layer takes. See [`LastAxisOfInput`].
#[diagnostic::on_unimplemented(
    message = "the layer takes `{C}` channels, and its input has `{J}`",
    label = "`{J}` and `{C}` differ: `BatchNorm2d<dim!(64)>` takes images `[..lead, 64, h, w]`, `BatchNorm1d<dim!(64)>` takes `[n, 64]` and `[n, 64, l]`, and `BatchNorm<dim!(64), f32, -1>` takes `[..lead, 64]` [N101]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait ChannelsOfInput<J, C>: RefusedInput {
    /// The shape of a result, which never resolves, as there is no impl.
    type Result<S: Shape>: Shape;
}

/// The common channels of an input and a layer.
#[cfg_attr(doc, doc(hidden))]
pub trait TakesChannelsOf<J, C> {
    /// The shape `S` of a result, once the channels are the same.
    type Result<S: Shape>: Shape;
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
            /// The same shape with the channels of the layer.
            type Same: Shape;
            /// The leading axes, before the channels.
            type Lead: Shape;
            /// The channels.
            type Channels: Axis;
            $(
                /// An axis after the channels.
                type $Behind: Axis;
            )*
        }

        #[diagnostic::do_not_recommend]
        impl<L: Shape, J: Axis, $($Behind: Axis,)* C: Axis> $Of<C> for shape![L.., J, $($Behind),*] {
            type Same = shape![L.., C, $($Behind),*];
            type Lead = L;
            type Channels = J;
            $(type $Behind = $Behind;)*
        }

        /// A second impl, so that the compiler does not explain the first one.
        #[diagnostic::do_not_recommend]
        impl<C: Axis> $Of<C> for NoInput {
            type Same = ();
            type Lead = ();
            type Channels = One;
            $(type $Behind = One;)*
        }

        $(#[$input_doc])*
        #[cfg_attr(doc, doc(hidden))]
        pub trait $Input<C: Axis>: Shape + $Of<C, Channels = C> {}

        impl<S: Shape + $Of<C, Channels = C>, C: Axis> $Input<C> for S {}
    )*};
}

channels_before! {
    /// The input shapes `[..lead, c, n]` of a layer that takes `c` channels.
    ChannelSequenceOf,
    /// A shape `[..lead, c, n]`.
    ChannelSequenceInput;
    [N]
    "the layer takes sequences `[..lead, {C}, n]`, not shape `{Self}`",
    "channels come before the positions of a sequence; in generic code, name both, as in `Tensor<shape![Lead.., C, N]>` [N101]";
    /// The input shapes `[..lead, c, h, w]` of a layer that takes `c` channels.
    ImageOf,
    /// A shape `[..lead, c, h, w]`.
    ImageInput;
    [H W]
    "the layer takes images `[..lead, {C}, h, w]`, not shape `{Self}`",
    "channels come before height and width: `x.unsqueeze::<-3>()` gives a single channel; in generic code, name the last three axes, as in `Tensor<shape![Lead.., C, H, W]>` [N101]";
}

/// A shape `[..lead, i]`.
#[cfg_attr(doc, doc(hidden))]
pub trait LayerInput<I: Axis>: Shape<LastAxis = I> {}

impl<S: Shape<LastAxis = I>, I: Axis> LayerInput<I> for S {}

/// A shape `[..lead, time, i]`.
#[cfg_attr(doc, doc(hidden))]
pub trait SequenceInput<I: Axis>:
    Shape<Leading = (<Self as SequenceInput<I>>::Lead, <Self as SequenceInput<I>>::Time), LastAxis = I>
{
    /// The leading axes.
    type Lead: Shape;
    /// The time axis: the positions of a sequence.
    type Time: Axis;
}

impl<L: Shape, Time: Axis, I: Axis> SequenceInput<I> for ((L, Time), I) {
    type Lead = L;
    type Time = Time;
}

/// The leading axes of an input.
pub type LeadOf<S, I> = After<I, <S as Shape>::Leading>;

/// The leading axes of a sequence.
pub type SequenceLead<S> = <<S as Shape>::Leading as Shape>::Leading;

/// The time axis of a sequence.
pub type TimeOf<S> = <<S as Shape>::Leading as Shape>::LastAxis;

/// The shape of a layer's output for an input, `[..lead, i] → [..lead, o]`.
pub type OutputOf<S, I, O> = After<I, shape![<S as Shape>::Leading.., O]>;

/// The result shape `S` of the layer `X`, once the axis `J` of its input is `I`, that of the layer: if it is not, the type of the
/// result causes no further errors.
pub type WithAxis<X, J, I, S> = <X as LayerTakes<J, I>>::Result<S>;

/// [`WithAxis`] for layers that take channels.
pub type WithChannels<X, J, C, S> = <X as TakesChannelsOf<J, C>>::Result<S>;

/// The result shape `S` of a layer in a list. The compiler checks the next layer eagerly; this type keeps it
/// from attributing to the next layer a mismatch of axes that belongs to this one.
pub type InList<J, I, S> = After<<(J,) as AxisOfInput<J, I>>::Is, S>;

/// [`InList`] for layers that take channels.
pub type InListOfChannels<J, C, S> = After<<(J,) as ChannelsOf<J, C>>::Is, S>;

/// The shape of a layer's output for a sequence, `[..lead, time, i] → [..lead, time, o]`.
pub type SequenceOutput<S, I, O> =
    shape![<S as SequenceInput<I>>::Lead.., <S as SequenceInput<I>>::Time, O];

/// [`SequenceOutput`] of the layer `X`, once the axes of the input `S` fit.
pub type SequenceResult<X, S, J, I, O> =
    WithAxis<X, J, I, <X as TakesSequences<<S as Shape>::Leading, S, I>>::With<O>>;

/// The input, typed with the axis of the layer.
pub(super) fn taken<I: Axis, S: Shape, T: Element>(
    x: &Tensor<S, T>,
) -> &Tensor<shape![S::Leading.., I], T> {
    same(x)
}

/// The sequences, typed with the axis of the layer.
pub(super) fn sequences<I: Axis, S: Shape, T: Element>(
    x: &Tensor<S, T>,
) -> &Tensor<shape![SequenceLead<S>.., TimeOf<S>, I], T> {
    same(x)
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
