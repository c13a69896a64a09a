//! Layouts as axis types, which distinguish axes of equal size.

use tensor_core::align::{NumberedAxis, Unnamed};
use tensor_core::axis_index::{HasAxis, ReplaceAxis, WithAxis};
use tensor_core::bounds::NoAxis;
use tensor_core::broadcast::{AssignAxis, AxisMismatch, BroadcastAxis, ExpandAxis};
use tensor_core::{
    Axis, Dim, DynTensor, Element, IntoTensor, One, Shape, StaticAxis, Tensor, axis, dim, shape,
};

use super::chunks::{Chunks, layout_of};
use super::heads::HeadsFill;

/// The same elements with axes of the same sizes that state other layouts: for conversions, and layers that take one.
pub(super) fn restated<S: Shape, R: Shape, T: Element>(x: &Tensor<S, T>) -> Tensor<R, T> {
    DynTensor::from(x.clone()).into_tensor().expect("axes of the same sizes")
}

/// Generates axis types that have the size of another axis, and the number of their layout.
macro_rules! layout_axes {
    ($($(#[$doc:meta])* $Name:ident<$($P:ident: $Bound:ident),*> = $Inner:ty, $number:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $Name<$($P: $Bound),*>(pub $Inner);

        #[diagnostic::do_not_recommend]
        impl<$($P: $Bound),*> Axis for $Name<$($P),*> {
            const SIZE: Option<usize> = <$Inner as Axis>::SIZE;
            const NAME: Option<&'static str> = None;
            const LAYOUT: u64 = layout_of($number, <$Inner as Axis>::LAYOUT);
            const LAYOUT_OF_PART: u64 = match $number {
                // One block of fused rows.
                6.. => <$Inner as Axis>::LAYOUT_OF_PART,
                number => layout_of(number, <$Inner as Axis>::LAYOUT_OF_PART),
            };

            fn size(self) -> usize {
                self.0.size()
            }

            fn from_size(size: usize) -> Option<Self> {
                <$Inner as Axis>::from_size(size).map(Self)
            }
        }

        impl<$($P: $Bound),*> StaticAxis for $Name<$($P),*>
        where
            $Inner: StaticAxis,
        {
            const VALUE: Self = Self(<$Inner as StaticAxis>::VALUE);
            type Size = <$Inner as StaticAxis>::Size;
        }

        impl<$($P: $Bound),*> BroadcastAxis<Self> for $Name<$($P),*> {
            type BroadcastedAxis = Self;

            fn broadcast_axis(self, right: Self) -> Result<Self, AxisMismatch> {
                AxisMismatch::unless_equal(self, right)
            }
        }

        impl<$($P: $Bound),*> BroadcastAxis<One> for $Name<$($P),*> {
            type BroadcastedAxis = Self;
            const RIGHT_STRETCHES: bool = true;

            fn broadcast_axis(self, _: One) -> Result<Self, AxisMismatch> {
                Ok(self)
            }
        }

        impl<$($P: $Bound),*> ExpandAxis<Self> for $Name<$($P),*> {
            type Matched = Self;

            fn expand_axis(self, target: Self) -> Result<(), AxisMismatch> {
                AxisMismatch::unless_equal(self, target).map(|_| ())
            }
        }

        impl<$($P: $Bound),*> ExpandAxis<NoAxis> for $Name<$($P),*> {
            type Matched = NoAxis;

            fn expand_axis(self, target: NoAxis) -> Result<(), AxisMismatch> {
                match target {}
            }
        }

        impl<$($P: $Bound),*> NumberedAxis for $Name<$($P),*> {
            type Number = Unnamed;
        }

        impl<$($P: $Bound),*> AssignAxis<Self> for $Name<$($P),*> {}

        impl<$($P: $Bound),*> AssignAxis<NoAxis> for $Name<$($P),*> {}
    )*};
}

layout_axes! {
    /// The inputs of a weight. PyTorch stores the weight of a linear layer as `[Out, In]`; JAX, TensorFlow
    /// and GPT-2's files (`Conv1D`) store `[In, Out]`. A square weight has the same sizes either way, and
    /// these axes distinguish them. To convert, use [`transpose`](Tensor::transpose).
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, shape};
    /// use tensor_nn::layers::{In, Linear, Out};
    ///
    /// // As a file of GPT-2 has it.
    /// let weight: Tensor<shape![In<dim!(768)>, Out<dim!(768)>]> = Tensor::ones();
    /// let layer = Linear::of(weight.transpose(), Tensor::<shape![768]>::zeros());
    /// assert_eq!(layer.forward(&Tensor::<shape![768]>::ones())[[0]], 768.0);
    /// ```
    In<A: Axis> = A, 1;

    /// The outputs of a weight: see [`In`].
    ///
    /// ```
    /// use tensor_core::{Axis, dim};
    /// use tensor_nn::layers::Out;
    ///
    /// assert_eq!(Out(<dim!(768)>::default()).size(), 768);
    /// ```
    Out<A: Axis> = A, 2;

    /// The channels of an image, on any axis: an input `[.., ChannelAxis<C>, h, w]` has them first, as
    /// PyTorch's convolutions take them, and `[.., h, w, ChannelAxis<C>]` last, as pictures and TensorFlow have
    /// them. A layer that takes `ChannelAxis<C>` is not applied to an image whose height is as large by chance;
    /// the conversion is [`move_axis`](Tensor::move_axis).
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, random::Generator, shape};
    /// use tensor_nn::layers::{ChannelAxis, Conv2d};
    ///
    /// type Rgb = ChannelAxis<dim!(3)>;
    /// let layer: Conv2d<Rgb, dim!(8), dim!(1), dim!(1)> = Conv2d::new(&mut Generator::seed(42));
    /// let pictures: Tensor<shape![5, 3, 3, Rgb]> = Tensor::ones();
    /// let y = layer.forward(&pictures.move_axis::<-1, -3>());
    /// assert_eq!(y.shape(), shape![5, 8, 3, 3]);
    /// ```
    #[doc(alias = "channels_last")]
    #[doc(alias = "NHWC")]
    #[doc(alias = "NCHW")]
    ChannelAxis<A: Axis> = A, 3;

    /// The channels of a head whose rotary pairs are a channel of the first half and the corresponding one of
    /// the second half: GPT-NeoX, and LLaMA in Hugging Face's files. See
    /// [`RotaryPositions`](super::RotaryPositions).
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, shape, tensor};
    /// use tensor_nn::layers::{Halves, Interleaved};
    ///
    /// let x: Tensor<shape![Interleaved<dim!(4)>]> = tensor![1.0, 10.0, 2.0, 20.0].rename_axis::<0, _>();
    /// let halves: Tensor<shape![Halves<dim!(4)>]> = Halves::of(&x);
    /// assert_eq!(halves.to_vec(), [1.0, 2.0, 10.0, 20.0]);
    /// assert_eq!(Interleaved::of(&halves), x);
    /// ```
    #[doc(alias = "rotate_half")]
    #[doc(alias = "NeoX")]
    Halves<A: Axis> = A, 4;

    /// The channels of a head whose rotary pairs are neighbours: the article, GPT-J, and LLaMA in Meta's files.
    /// See [`RotaryPositions`](super::RotaryPositions).
    ///
    /// ```
    /// use tensor_core::{Axis, dim};
    /// use tensor_nn::layers::Interleaved;
    ///
    /// assert_eq!(Interleaved(<dim!(64)>::default()).size(), 64);
    /// ```
    #[doc(alias = "rotate_every_two")]
    #[doc(alias = "GPT-J")]
    #[doc(alias = "neighbours")]
    Interleaved<A: Axis> = A, 5;

    /// The rows of a fused projection to queries, keys and values of width `D`: all queries, then all keys, then
    /// all values, as in PyTorch's `in_proj_weight` and GPT-2's `c_attn`.
    ///
    /// ```
    /// use tensor_core::{StaticAxis, Axis, dim};
    /// use tensor_nn::layers::QkvBlocks;
    ///
    /// assert_eq!(QkvBlocks::<dim!(768)>::VALUE.size(), 2304);
    /// ```
    #[doc(alias = "in_proj")]
    #[doc(alias = "c_attn")]
    QkvBlocks<D: Axis> = Chunks<Dim<3>, D>, 6;

    /// The rows of a fused projection of `H` heads of `C` channels: for each head its queries, its keys and its
    /// values, as in GPT-NeoX's and BLOOM's `query_key_value`. [`qkv_blocks`] converts to [`QkvBlocks`].
    ///
    /// ```
    /// use tensor_core::{StaticAxis, Axis, dim};
    /// use tensor_nn::layers::QkvPerHead;
    ///
    /// assert_eq!(QkvPerHead::<dim!(12), dim!(64)>::VALUE.size(), 2304);
    /// ```
    #[doc(alias = "query_key_value")]
    QkvPerHead<H: StaticAxis, C: StaticAxis> = Chunks<H, QkvBlocks<C>>, 7;
}

impl<D: Axis> QkvBlocks<D> {
    /// The rows of queries, keys and values of this width.
    ///
    /// ```
    /// use tensor_core::{Axis, axis};
    /// use tensor_nn::layers::QkvBlocks;
    ///
    /// axis!(Width);
    /// assert_eq!(QkvBlocks::of(Width(8)).size(), 24);
    /// ```
    pub fn of(width: D) -> Self {
        Self(Chunks::of(width))
    }
}

/// The rows of queries, keys and values, from those of each head to three blocks:
/// `[3 · h · c, ..rest] → [3 · d, ..rest]`, of a weight or a bias.
///
/// ```
/// use tensor_core::{Tensor, dim, shape, tensor};
/// use tensor_nn::layers::{QkvBlocks, QkvPerHead, qkv_blocks};
///
/// // Two heads of one channel: q, k, v of the first, then of the second.
/// let bias: Tensor<shape![QkvPerHead<dim!(2), dim!(1)>]> =
///     tensor![1.0, 2.0, 3.0, 10.0, 20.0, 30.0].rename_axis::<0, _>();
/// let bias: Tensor<shape![QkvBlocks<dim!(2)>]> = qkv_blocks(&bias);
/// assert_eq!(bias.to_vec(), [1.0, 10.0, 2.0, 20.0, 3.0, 30.0]);
/// ```
pub fn qkv_blocks<S, D, H, C, T>(rows: &Tensor<S, T>) -> Tensor<WithAxis<S, 0, QkvBlocks<D>>, T>
where
    S: HasAxis<0, Axis = QkvPerHead<H, C>> + ReplaceAxis<0, QkvBlocks<D>>,
    D: StaticAxis,
    H: StaticAxis,
    C: StaticAxis,
    T: Element,
    (H, C): HeadsFill<D>,
{
    regrouped(rows, [H::VALUE.size(), 3, C::VALUE.size()])
}

/// The first axis split into three, of which the first two are swapped, and merged again.
fn regrouped<S: Shape, R: Shape, T: Element>(
    rows: &Tensor<S, T>,
    [outer, inner, last]: [usize; 3],
) -> Tensor<R, T> {
    let sizes = rows.sizes();
    let rest = sizes[1..].iter().product();
    let split = DynTensor::from(rows.clone()).reshape(&[outer, inner, last, rest]);
    let moved = split.and_then(|rows| rows.swap_axes(0, 1)).and_then(|rows| rows.reshape(&sizes));
    let moved = moved.expect("the rows of all heads");
    moved.into_tensor().expect("the rows of all heads")
}

axis!(Pairs);

/// The number of pairs of channels.
///
/// # Panics
///
/// If the number of channels is odd.
#[track_caller]
fn pairs(channels: impl Axis) -> Pairs {
    let channels = channels.size();
    assert!(
        channels.is_multiple_of(2),
        "rotary pairs need an even number of channels, not {channels}"
    );
    Pairs(channels / 2)
}

impl<A: Axis> Halves<A> {
    /// The same channels in this order: `[..lead, c] → [..lead, c]`.
    ///
    /// # Panics
    ///
    /// If the number of channels is odd.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, shape, tensor};
    /// use tensor_nn::layers::{Halves, Interleaved};
    ///
    /// let x: Tensor<shape![Interleaved<dim!(4)>]> = tensor![1.0, 10.0, 2.0, 20.0].rename_axis::<0, _>();
    /// assert_eq!(Halves::of(&x).to_vec(), [1.0, 2.0, 10.0, 20.0]);
    /// ```
    #[track_caller]
    pub fn of<Lead: Shape, T: Element>(
        x: &Tensor<shape![Lead.., Interleaved<A>], T>,
    ) -> Tensor<shape![Lead.., Self], T> {
        let (lead, Interleaved(channels)) = x.shape();
        let split: Tensor<shape![Lead.., Pairs, 2], T> =
            x.reshape_shaped(((lead, pairs(channels)), <dim!(2)>::VALUE));
        split.swap_axes::<-2, -1>().reshape_shaped((lead, Self(channels)))
    }
}

impl<A: Axis> Interleaved<A> {
    /// The same channels in this order: `[..lead, c] → [..lead, c]`.
    ///
    /// # Panics
    ///
    /// If the number of channels is odd.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, shape, tensor};
    /// use tensor_nn::layers::{Halves, Interleaved};
    ///
    /// let x: Tensor<shape![Halves<dim!(4)>]> = tensor![1.0, 2.0, 10.0, 20.0].rename_axis::<0, _>();
    /// assert_eq!(Interleaved::of(&x).to_vec(), [1.0, 10.0, 2.0, 20.0]);
    /// ```
    #[track_caller]
    pub fn of<Lead: Shape, T: Element>(
        x: &Tensor<shape![Lead.., Halves<A>], T>,
    ) -> Tensor<shape![Lead.., Self], T> {
        let (lead, Halves(channels)) = x.shape();
        let split: Tensor<shape![Lead.., 2, Pairs], T> =
            x.reshape_shaped(((lead, <dim!(2)>::VALUE), pairs(channels)));
        split.swap_axes::<-2, -1>().reshape_shaped((lead, Self(channels)))
    }
}

/// Calls that would change a layout are refused, and compile if they keep it.
#[cfg(doctest)]
macro_rules! keeps_layout {
    ($($Name:ident: $before:literal, $after:literal;)*) => {$(
        #[doc = concat!("```compile_fail,E0080\n", example!($before, "Halves", $after), "\n```")]
        #[doc = concat!("```\n", example!($before, "Interleaved", $after), "\n```")]
        struct $Name;
    )*};
}

#[cfg(doctest)]
macro_rules! example {
    ($before:literal, $layout:literal, $after:literal) => {
        concat!(
            "use tensor_core::{DynTensor, Padding, Tensor, axis, dim, rearrange, shape};\n",
            "use tensor_nn::layers::{Chunks, Halves, Interleaved};\n",
            "axis!(Windows);\n",
            "let x: Tensor<shape![6, Interleaved<dim!(8)>]> = Tensor::ones();\n",
            $before,
            $layout,
            $after,
            ";"
        )
    };
}

#[cfg(doctest)]
keeps_layout! {
    Sliced: "let _ = x.slice_axis::<-1, ", "<dim!(4)>>(..4)";
    Chunked: "let _ = x.chunks_axis::<-1, ", "<dim!(8)>>(8)";
    Padded: "let _ = x.pad_as::<-1, ", "<dim!(10)>>([0, 2], Padding::Constant(0.0))";
    Repeated: "let _ = x.repeat_as::<-1, ", "<dim!(8)>>(1)";
    RepeatedEach: "let _ = x.repeat_each::<-1, ", "<dim!(8)>>(&[1; 8])";
    Tiled: "let _ = x.tile_as::<-1, Chunks<dim!(2), ", "<dim!(8)>>>(2)";
    Split: "let _ = x.unflatten_as::<-1, shape![2, ", "<dim!(4)>]>()";
    SplitShaped: "let _ = x.unflatten_shaped::<-1, _>(shape![2, ", "(<dim!(4)>::default())])";
    Merged: "let _ = x.flatten_axes_as::<0, 1, Chunks<dim!(6), ", "<dim!(8)>>>()";
    Windowed: "let _ = x.windows_as::<-1, Windows, ", "<dim!(4)>>(2)";
    Concatenated: "let _ = Tensor::concat_all::<-1, Chunks<dim!(2), ", "<dim!(8)>>>([&x, &x])";
    Rearranged: "type All = Chunks<dim!(6), ", "<dim!(8)>>; let _ = rearrange!(a b -> (a b as All); x)";
    RearrangedParts: "type Part = ", "<dim!(4)>; let _ = rearrange!(a (b c) -> b a c; x, b = 2, c = Part(_))";
}
