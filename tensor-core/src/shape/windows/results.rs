//! The shapes of the results of convolution and pooling along one, two and three axes.
//!
//! They are resolved once the last axis of the window fits, so that a rejected operation has none.

use super::convolution::with_axes;
use super::{
    Axes1d, Axes2d, Axes3d, ChannelGroups, Conv1dOptions, Conv2dOptions, Conv3dOptions, Convolve,
    ConvolveTransposed, LastAxis, LastThreeAxes, LastTwoAxes, Pool, Pool1dOptions, Pool2dOptions,
    Pool3dOptions, Slides, SlidesRounded, TakesChannels, TimesGroups, TransposedGroups, Unslides,
};
use crate::shape::Shape;
use crate::shape::axis::{Axis, One};
use crate::shape::broadcast::{After, Then};

/// Generates the impls for some number of axes. A row lists, for each axis of the window: the axis, the size of the window,
/// the movement in the options, the same movement once the axis before it is accepted (see [`Then`]) and, after a colon,
/// that axis. The row ends with the movement along the last axis.
macro_rules! windows {
    ($(
        $(#[$convolve:meta])* Convolve $Axes:ident $Conv:ident;
        $(#[$transposed:meta])* ConvolveTransposed;
        $(#[$pool:meta])* Pool $Last:ident $Pool:ident;
        [$N1:ident $K1:ident $X1:ident $After1:ident $(, $N:ident $K:ident $X:ident $After:ident: $Before:ident)*] $End:ident
    )*) => {$(
        $(#[$convolve])*
        impl<S, Weights, L, C, O, Taken, G, Groups, $N1, $K1, $X1, $After1, $($N, $K, $X, $After),*>
            Convolve<Weights, $Conv<$X1, $($X,)* G>> for S
        where
            S: Shape,
            (S, Weights): $Axes<
                    S,
                    Weights,
                    Lead = L,
                    Channels = C,
                    Input = ($N1, $($N,)*),
                    First = O,
                    Second = Taken,
                    Window = ($K1, $($K,)*),
                >,
            L: Shape,
            O: Axis,
            G: TakesChannels<C, Taken>,
            G::Matched: Then<G, Rest = Groups>,
            Groups: ChannelGroups<C, Taken, O>,
            Groups::Matched: Then<$X1, Rest = $After1>,
            $After1: Slides<$N1, $K1>,
            $($Before::Output: Then<$X, Rest = $After>, $After: Slides<$N, $K>,)*
        {
            type Output =
                After<$End::Output, with_axes!((L, O); $After1::Output $(, $After::Output)*)>;
            type Lead = L;
        }

        $(#[$transposed])*
        impl<S, Weights, L, C, O, Taken, G, Groups, $N1, $K1, $X1, $After1, $($N, $K, $X, $After),*>
            ConvolveTransposed<Weights, $Conv<$X1, $($X,)* G>> for S
        where
            S: Shape,
            (S, Weights): $Axes<
                    S,
                    Weights,
                    Lead = L,
                    Channels = C,
                    Input = ($N1, $($N,)*),
                    First = Taken,
                    Second = O,
                    Window = ($K1, $($K,)*),
                >,
            L: Shape,
            One: TakesChannels<C, Taken>,
            <One as TakesChannels<C, Taken>>::Matched: Then<G, Rest = Groups>,
            Groups: TransposedGroups<C>,
            O: TimesGroups<G>,
            Groups::Matched: Then<$X1, Rest = $After1>,
            $After1: Unslides<$N1, $K1>,
            $($Before::Output: Then<$X, Rest = $After>, $After: Unslides<$N, $K>,)*
        {
            type Output =
                After<$End::Output, with_axes!((L, O::Channels); $After1::Output $(, $After::Output)*)>;
            type Lead = L;
        }

        $(#[$pool])*
        impl<S, L, Rounding, $N1, $K1, $After1, $($N, $K, $X, $After),*>
            Pool<$Pool<$K1, $($K,)* $After1, $($X,)* Rounding>> for S
        where
            S: Shape,
            (S,): $Last<S, $K1, Lead = L, Last = ($N1, $($N,)*)>,
            L: Shape,
            $After1: SlidesRounded<$N1, $K1, Rounding>,
            $($Before::Output: Then<$X, Rest = $After>, $After: SlidesRounded<$N, $K, Rounding>,)*
        {
            type Output = After<$End::Output, with_axes!(L; $After1::Output $(, $After::Output)*)>;
        }
    )*};
}

windows! {
    /// `[..l, c, n] * [o, c / g, k] = [..l, o, positions(n, k)]`
    Convolve Axes1d Conv1dOptions;
    /// `[..l, c, n] * [c, o / g, k] = [..l, o, m]`
    ConvolveTransposed;
    /// `[..l, n] → [..l, positions(n, k)]`
    Pool LastAxis Pool1dOptions;
    [N K X XAfter] XAfter

    /// `[..l, c, h, w] * [o, c / g, kh, kw] = [..l, o, positions(h, kh), positions(w, kw)]`
    Convolve Axes2d Conv2dOptions;
    /// `[..l, c, h, w] * [c, o / g, kh, kw] = [..l, o, y, x]`
    ConvolveTransposed;
    /// `[..l, h, w] → [..l, positions(h, kh), positions(w, kw)]`
    Pool LastTwoAxes Pool2dOptions;
    [H KH Y YAfter, W KW X XAfter: YAfter] XAfter

    /// `[..l, c, d, h, w] * [o, c / g, kd, kh, kw] = [..l, o, positions(d, kd), positions(h, kh), positions(w, kw)]`
    Convolve Axes3d Conv3dOptions;
    /// `[..l, c, d, h, w] * [c, o / g, kd, kh, kw] = [..l, o, z, y, x]`
    ConvolveTransposed;
    /// `[..l, d, h, w] → [..l, positions(d, kd), positions(h, kh), positions(w, kw)]`
    Pool LastThreeAxes Pool3dOptions;
    [D KD Z ZAfter, H KH Y YAfter: ZAfter, W KW X XAfter: YAfter] XAfter
}
