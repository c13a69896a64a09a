//! The shapes of pooling, and of resized images.

use super::{Pool, Pool1dOptions, Pool2dOptions, Resize, SlidesRounded};
use crate::shape::Shape;
use crate::shape::axis::{Axis, NoAxis, StaticAxis};
use crate::shape::broadcast::{After, Then};

/// Declares the last axis of an input, or the last two or three, for a window of these sizes; with impls
/// for windows that no program has, like those of [`Axes2d`].
macro_rules! pool_axes {
    (@no $Axes:ident; $($K:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl<S> $Axes<S, $K> for (S,) {
            type Lead = ();
            type Last = ();
        }
    )*};
    ($($(#[$doc:meta])* $Axes:ident: $message:literal, $label:literal, $note:literal;)*) => {$(
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
    )*};
}

pool_axes! {
    /// `[..l, n]`
    LastAxis:
        "shape `{S}` is not known to have an axis to pool",
        "expected `[..lead, n]`",
        "pooling along one axis takes `[..lead, n]`; in generic code, add the bound `{S}: Pool<Options>`, with the type of the options [T804]";
    /// `[..l, h, w]`
    LastTwoAxes:
        "shape `{S}` is not known to have two axes to pool",
        "expected `[..lead, h, w]`",
        "pooling along two axes takes `[..lead, h, w]`; in generic code, add the bound `{S}: Pool<Options>`, with the type of the options [T804]";
    /// `[..l, d, h, w]`
    LastThreeAxes:
        "shape `{S}` is not known to have three axes to pool",
        "expected `[..lead, d, h, w]`",
        "pooling along three axes takes `[..lead, d, h, w]`; in generic code, add the bound `{S}: Pool<Options>`, with the type of the options [T804]";
}

#[diagnostic::do_not_recommend]
impl<L: Shape, N: Axis, K: StaticAxis> LastAxis<(L, N), K> for ((L, N),) {
    type Lead = L;
    type Last = (N,);
}

#[diagnostic::do_not_recommend]
impl<L: Shape, H: Axis, W: Axis, K: StaticAxis> LastTwoAxes<((L, H), W), K> for (((L, H), W),) {
    type Lead = L;
    type Last = (H, W);
}

#[diagnostic::do_not_recommend]
impl<L: Shape, D: Axis, H: Axis, W: Axis, K: StaticAxis> LastThreeAxes<(((L, D), H), W), K>
    for ((((L, D), H), W),)
{
    type Lead = L;
    type Last = (D, H, W);
}

/// `[..l, n] → [..l, positions(n, k)]`
impl<S, L, N, K, X, Rounding> Pool<Pool1dOptions<K, X, Rounding>> for S
where
    S: Shape,
    (S,): LastAxis<S, K, Lead = L, Last = (N,)>,
    L: Shape,
    X: SlidesRounded<N, K, Rounding>,
{
    type Output = After<X::Output, (L, X::Output)>;
}

/// `[..l, h, w] → [..l, positions(h, kh), positions(w, kw)]`
impl<S, L, H, W, KH, KW, X, XAfter, Y, Rounding> Pool<Pool2dOptions<KH, KW, Y, X, Rounding>> for S
where
    S: Shape,
    (S,): LastTwoAxes<S, KH, Lead = L, Last = (H, W)>,
    L: Shape,
    Y: SlidesRounded<H, KH, Rounding>,
    Y::Output: Then<X, Rest = XAfter>,
    XAfter: SlidesRounded<W, KW, Rounding>,
{
    type Output = After<XAfter::Output, ((L, Y::Output), XAfter::Output)>;
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

impl<S: Shape, Target> Resize<Target> for S
where
    (S, Target): LastAxes<S, Target>,
{
    type Output = <(S, Target) as LastAxes<S, Target>>::Output;
}

/// `[..l, a] → [..l, x]`
#[diagnostic::do_not_recommend]
impl<L: Shape, A: Axis, X: Axis> LastAxes<(L, A), ((), X)> for ((L, A), ((), X)) {
    type Output = (L, X);
}

/// `[..l, a, b] → [..l, y, x]`
#[diagnostic::do_not_recommend]
impl<L: Shape, A: Axis, B: Axis, Y: Axis, X: Axis> LastAxes<((L, A), B), (((), Y), X)>
    for (((L, A), B), (((), Y), X))
{
    type Output = ((L, Y), X);
}

/// `[..l, a, b, c] → [..l, z, y, x]`
#[diagnostic::do_not_recommend]
impl<L: Shape, A: Axis, B: Axis, C: Axis, Z: Axis, Y: Axis, X: Axis>
    LastAxes<(((L, A), B), C), ((((), Z), Y), X)> for ((((L, A), B), C), ((((), Z), Y), X))
{
    type Output = (((L, Z), Y), X);
}
