//! The shapes of convolution and pooling along three axes.

use super::convolution::{Axes3d, ChannelGroups, TakesChannels, TimesGroups, TransposedGroups};
use super::pooling::LastThreeAxes;
use super::{
    Conv3dOptions, Convolve, ConvolveTransposed, Pool, Pool3dOptions, Slides, SlidesRounded,
    Unslides,
};
use crate::shape::Shape;
use crate::shape::axis::{Axis, One};
use crate::shape::broadcast::{After, Then};

/// `[..l, c, d, h, w] * [o, c / g, kd, kh, kw] = [..l, o, positions(d, kd), positions(h, kh), positions(w, kw)]`
impl<S, Weights, L, C, D, H, W, O, Taken, KD, KH, KW, X, XAfter, Y, YAfter, Z, ZAfter, G, Groups>
    Convolve<Weights, Conv3dOptions<Z, Y, X, G>> for S
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
    G: TakesChannels<C, Taken>,
    G::Matched: Then<G, Rest = Groups>,
    Groups: ChannelGroups<C, Taken, O>,
    Groups::Matched: Then<Z, Rest = ZAfter>,
    ZAfter: Slides<D, KD>,
    ZAfter::Output: Then<Y, Rest = YAfter>,
    YAfter: Slides<H, KH>,
    YAfter::Output: Then<X, Rest = XAfter>,
    XAfter: Slides<W, KW>,
{
    type Output =
        After<XAfter::Output, ((((L, O), ZAfter::Output), YAfter::Output), XAfter::Output)>;
    type Lead = L;
}

/// `[..l, c, d, h, w] * [c, o / g, kd, kh, kw] = [..l, o, z, y, x]`
impl<S, Weights, L, C, D, H, W, O, Taken, KD, KH, KW, X, XAfter, Y, YAfter, Z, ZAfter, G, Groups>
    ConvolveTransposed<Weights, Conv3dOptions<Z, Y, X, G>> for S
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
    One: TakesChannels<C, Taken>,
    <One as TakesChannels<C, Taken>>::Matched: Then<G, Rest = Groups>,
    Groups: TransposedGroups<C>,
    O: TimesGroups<G>,
    Groups::Matched: Then<Z, Rest = ZAfter>,
    ZAfter: Unslides<D, KD>,
    ZAfter::Output: Then<Y, Rest = YAfter>,
    YAfter: Unslides<H, KH>,
    YAfter::Output: Then<X, Rest = XAfter>,
    XAfter: Unslides<W, KW>,
{
    type Output = After<
        XAfter::Output,
        ((((L, O::Channels), ZAfter::Output), YAfter::Output), XAfter::Output),
    >;
    type Lead = L;
}

/// `[..l, d, h, w] → [..l, positions(d, kd), positions(h, kh), positions(w, kw)]`
impl<S, L, D, H, W, KD, KH, KW, X, XAfter, Y, YAfter, Z, Rounding>
    Pool<Pool3dOptions<KD, KH, KW, Z, Y, X, Rounding>> for S
where
    S: Shape,
    (S,): LastThreeAxes<S, KD, Lead = L, Last = (D, H, W)>,
    L: Shape,
    Z: SlidesRounded<D, KD, Rounding>,
    Z::Output: Then<Y, Rest = YAfter>,
    YAfter: SlidesRounded<H, KH, Rounding>,
    YAfter::Output: Then<X, Rest = XAfter>,
    XAfter: SlidesRounded<W, KW, Rounding>,
{
    type Output = After<XAfter::Output, (((L, Z::Output), YAfter::Output), XAfter::Output)>;
}
