//! The shapes of convolution and pooling along three axes.

use super::convolution::{Axes3d, ChannelGroups, TakesChannels, TimesGroups, TransposedGroups};
use super::pooling::{LastThreeAxes, PoolShapes};
use super::{Conv3d, Convolve, ConvolveTransposed, Pool3d, Slides, SlidesRounded, Unslides};
use crate::shape::Shape;
use crate::shape::axis::{Axis, One};
use crate::shape::broadcast::After;

/// `[..l, c, d, h, w] * [o, c / g, kd, kh, kw] = [..l, o, places(d, kd), places(h, kh), places(w, kw)]`
impl<S, Weights, L, C, D, H, W, O, Taken, KD, KH, KW, X, Y, Z, G, M, Slices, Rows, Columns>
    Convolve<Weights, Conv3d<Z, Y, X, G>> for S
where
    S: Shape,
    (S, Weights): Axes3d<
            S,
            Weights,
            Lead = L,
            Channels = C,
            Input = (D, H, W),
            First = O,
            Second = Taken,
            Window = (KD, KH, KW),
        >,
    L: Shape,
    O: Axis,
    G: TakesChannels<C, Taken, M>,
    G: ChannelGroups<C, Taken, O, Matched = M>,
    After<M, Z>: Slides<D, KD, Output = Slices>,
    After<Slices, Y>: Slides<H, KH, Output = Rows>,
    After<Rows, X>: Slides<W, KW, Output = Columns>,
    Slices: Axis,
    Rows: Axis,
    Columns: Axis,
{
    type Checked = S;
    type Output = After<Columns, ((((L, O), Slices), Rows), Columns)>;
}

/// `[..l, c, d, h, w] * [c, o / g, kd, kh, kw] = [..l, o, z, y, x]`
impl<S, Weights, L, C, D, H, W, O, Outputs, Taken, KD, KH, KW, X, Y, Z, G, M, Slices, Rows, Columns>
    ConvolveTransposed<Weights, Conv3d<Z, Y, X, G>> for S
where
    S: Shape,
    (S, Weights): Axes3d<
            S,
            Weights,
            Lead = L,
            Channels = C,
            Input = (D, H, W),
            First = Taken,
            Second = O,
            Window = (KD, KH, KW),
        >,
    L: Shape,
    One: TakesChannels<C, Taken, M>,
    G: TransposedGroups<C, Taken, Matched = M>,
    O: TimesGroups<G, Channels = Outputs>,
    Outputs: Axis,
    After<M, Z>: Unslides<D, KD, Output = Slices>,
    After<Slices, Y>: Unslides<H, KH, Output = Rows>,
    After<Rows, X>: Unslides<W, KW, Output = Columns>,
    Slices: Axis,
    Rows: Axis,
    Columns: Axis,
{
    type Checked = S;
    type Output = After<Columns, ((((L, Outputs), Slices), Rows), Columns)>;
}

/// `[..l, d, h, w] → [..l, places(d, kd), places(h, kh), places(w, kw)]`
impl<S, L, D, H, W, KD, KH, KW, X, Y, Z, Rounding, Slices, Rows, Columns> PoolShapes<S>
    for Pool3d<KD, KH, KW, Z, Y, X, Rounding>
where
    (S,): LastThreeAxes<S, KD, Lead = L, Last = (D, H, W)>,
    L: Shape,
    Z: SlidesRounded<D, KD, Rounding, Output = Slices>,
    After<Slices, Y>: SlidesRounded<H, KH, Rounding, Output = Rows>,
    After<Rows, X>: SlidesRounded<W, KW, Rounding, Output = Columns>,
    Slices: Axis,
    Rows: Axis,
    Columns: Axis,
{
    type Output = (((L, Slices), Rows), Columns);
}
