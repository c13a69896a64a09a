//! Axes of results whose sizes are known at run time, in options of windows.

use core::marker::PhantomData;

use super::{AxisSettings, Slide, SlideSettings};
use crate::shape::axis::Axis;
use crate::shape::windows::slides::{
    NoOutputPadding, PadsHalf, Slides, SlidesRounded, Unslides, WindowedAxis,
};
use crate::shape::windows::{Pads, RoundUp};

/// A window that moves as `X`, and whose positions are counted at run time by the axis `Name`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedSlide<Name, X>(PhantomData<fn() -> (Name, X)>);

impl<Name, X: SlideSettings> SlideSettings for NamedSlide<Name, X> {
    const SETTINGS: AxisSettings = X::SETTINGS;
}

/// `Name`, of `positions(n, k)`
impl<Name, S, B, A, D, O, N, K> Slides<N, K> for NamedSlide<Name, Slide<S, Pads<B, A>, D, O>>
where
    (O,): NoOutputPadding,
    (K,): WindowedAxis<K>,
    N: Axis,
    Name: Axis,
{
    type Output = Name;
}

/// `Name`, of `(n - 1) s + (k - 1) d + 1 + o - padding`
impl<Name, S, B, A, D, O, N, K> Unslides<N, K> for NamedSlide<Name, Slide<S, Pads<B, A>, D, O>>
where
    (K,): WindowedAxis<K>,
    N: Axis,
    Name: Axis,
{
    type Output = Name;
}

impl<Name, X: PadsHalf<K>, K> PadsHalf<K> for NamedSlide<Name, X> {}

/// `Name`, of `positions(n, k)` rounded up
impl<Name, X: PadsHalf<K>, N, K> SlidesRounded<N, K, RoundUp> for NamedSlide<Name, X>
where
    (K,): WindowedAxis<K>,
    N: Axis,
    Name: Axis,
{
    type Output = Name;
}
