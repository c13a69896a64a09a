//! The shapes of pooling, and of resized images.

use super::Resize;
use super::convolution::with_axes;
use crate::shape::Shape;
use crate::shape::axis::{Axis, NoAxis, StaticAxis};

/// Declares the last axis of an input, or the last two or three, for a window of these sizes; with impls
/// for windows that no program has, like those of [`Axes2d`](super::Axes2d).
macro_rules! pool_axes {
    (@no $Axes:ident; $($K:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<S> $Axes<S, $K> for (S,) {
            type Lead = ();
            type Last = ();
        }
    )*};
    ($($(#[$doc:meta])* $Axes:ident[$($N:ident),*]: $message:literal, $label:literal, $note:literal;)*) => {$(
        $(#[$doc])*
        #[diagnostic::on_unimplemented(message = $message, label = $label, note = $note)]
        #[cfg_attr(doc, doc(hidden))]
        pub trait $Axes<S, K> {
            /// The leading axes.
            type Lead: Shape;
            /// The axes of the window.
            type Last;
        }

        pool_axes!(@no $Axes; NoAxis, ());

        $(#[$doc])*
        #[diagnostic::do_not_recommend]
        impl<L: Shape, $($N: Axis,)* K: StaticAxis> $Axes<with_axes!(L; $($N),*), K>
            for (with_axes!(L; $($N),*),)
        {
            type Lead = L;
            type Last = ($($N,)*);
        }
    )*};
}

pool_axes! {
    /// `[..l, n]`
    LastAxis[N]:
        "shape `{S}` is not known to have an axis to pool",
        "expected `[..lead, n]`",
        "pooling along one axis takes `[..lead, n]`; in generic code, add the bound `{S}: Pool<Options>`, with the type of the options [T804]";
    /// `[..l, h, w]`
    LastTwoAxes[H, W]:
        "shape `{S}` is not known to have two axes to pool",
        "expected `[..lead, h, w]`",
        "pooling along two axes takes `[..lead, h, w]`; in generic code, add the bound `{S}: Pool<Options>`, with the type of the options [T804]";
    /// `[..l, d, h, w]`
    LastThreeAxes[D, H, W]:
        "shape `{S}` is not known to have three axes to pool",
        "expected `[..lead, d, h, w]`",
        "pooling along three axes takes `[..lead, d, h, w]`; in generic code, add the bound `{S}: Pool<Options>`, with the type of the options [T804]";
}

/// The last axes of a shape and those that replace them.
#[diagnostic::on_unimplemented(
    message = "the last axes of shape `{S}` cannot become those of `{Target}`",
    label = "the number of axes differs from that of `{Target}`",
    note = "the target has the new sizes of the last axes, one to three: `shape![56, 56]` for an image; in generic code, the bound is `S: Resize<Target>` [T804]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait LastAxes<S, Target> {
    /// The shape with these axes.
    type Output: Shape;
}

/// `[..l, a, …] → [..l, x, …]`, for the last one to three axes.
impl<S: Shape, Target> Resize<Target> for S
where
    (S, Target): LastAxes<S, Target>,
{
    type Output = <(S, Target) as LastAxes<S, Target>>::Output;
}

/// Replaces the last axes by the same number of others.
macro_rules! last_axes {
    ($($(#[$doc:meta])* $($A:ident $X:ident),*;)*) => {$(
        $(#[$doc])*
        #[diagnostic::do_not_recommend]
        impl<L: Shape, $($A: Axis, $X: Axis),*> LastAxes<with_axes!(L; $($A),*), with_axes!((); $($X),*)>
            for (with_axes!(L; $($A),*), with_axes!((); $($X),*))
        {
            type Output = with_axes!(L; $($X),*);
        }
    )*};
}

last_axes! {
    /// `[..l, a] → [..l, x]`
    A X;
    /// `[..l, a, b] → [..l, y, x]`
    A Y, B X;
    /// `[..l, a, b, c] → [..l, z, y, x]`
    A Z, B Y, C X;
}
