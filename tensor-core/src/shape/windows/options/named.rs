//! Axes of results whose sizes are known at run time, in options of windows.

use core::marker::PhantomData;

use super::{
    Conv1dOptions, Conv2dOptions, Conv3dOptions, Pool1dOptions, Pool2dOptions, Pool3dOptions,
    Slide, SlideSettings,
};
use crate::shape::axis::Axis;
use crate::shape::windows::slides::{
    NoOutputPadding, PadsHalf, Slides, SlidesRounded, Unslides, WindowedAxis,
};
use crate::shape::windows::{Pads, RoundUp};
use crate::sizes::window_options::AxisPadding;
use tensor_macros::usage;

/// A window that moves as `X`, and whose positions are counted at run time by the axis `Name`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedSlide<Name, X>(PhantomData<fn() -> (Name, X)>);

impl<Name, X: SlideSettings> SlideSettings for NamedSlide<Name, X> {
    const STRIDE: usize = X::STRIDE;
    const DILATION: usize = X::DILATION;
    const PADDING: AxisPadding = X::PADDING;
    const OUTPUT_PADDING: usize = X::OUTPUT_PADDING;
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

impl<S, G> Conv1dOptions<S, G> {
    /// The positions of the window are counted at run time, by the axis `Name`: for an axis whose size is
    /// known at run time. The last of the options.
    ///
    /// ```
    /// use tensor_core::{Tensor, axis, shape, windows::Conv1dOptions};
    ///
    /// axis!(Samples);
    /// axis!(Frames);
    /// let x = Tensor::<shape![2, Samples]>::ones_shaped(shape![2, Samples(100)]);
    /// let weights = Tensor::<shape![8, 2, 5]>::ones();
    /// let y = x.conv1d(&weights, Conv1dOptions::new().stride::<2>().padding::<2>().named::<Frames>());
    /// assert_eq!(y.shape(), shape![8, Frames(50)]);
    /// ```
    #[usage(Conv1dOptions::new().stride::<2>().named::<Frames>())]
    pub fn named<Name: Axis>(self) -> Conv1dOptions<NamedSlide<Name, S>, G> {
        Conv1dOptions::default()
    }
}

impl<V, H, G> Conv2dOptions<V, H, G> {
    /// The positions of the window are counted at run time, by the axes `Y` and `X`: for axes whose sizes are
    /// known at run time. The last of the options.
    ///
    /// ```
    /// use tensor_core::{Tensor, axis, shape, windows::Conv2dOptions};
    ///
    /// axis!(Height);
    /// axis!(Width);
    /// axis!(Rows);
    /// axis!(Columns);
    /// let x = Tensor::<shape![3, Height, Width]>::ones_shaped(shape![3, Height(32), Width(48)]);
    /// let weights = Tensor::<shape![8, 3, 3, 3]>::ones();
    /// let options = Conv2dOptions::new().stride::<2>().padding::<1>().named::<Rows, Columns>();
    /// assert_eq!(x.conv2d(&weights, options).shape(), shape![8, Rows(16), Columns(24)]);
    /// ```
    #[usage(Conv2dOptions::new().stride::<2>().named::<Y, X>())]
    pub fn named<Y: Axis, X: Axis>(self) -> Conv2dOptions<NamedSlide<Y, V>, NamedSlide<X, H>, G> {
        Conv2dOptions::default()
    }
}

impl<E, V, H, G> Conv3dOptions<E, V, H, G> {
    /// The positions of the window are counted at run time, by the axes `Z`, `Y` and `X`: for axes whose sizes are
    /// known at run time. The last of the options.
    ///
    /// ```
    /// use tensor_core::{Tensor, axis, dim, shape, windows::Conv3dOptions};
    ///
    /// axis!(Time);
    /// axis!(Steps);
    /// let x = Tensor::<shape![3, Time, 8, 8]>::ones_shaped(shape![3, Time(6), 8, 8]);
    /// let weights = Tensor::<shape![2, 3, 2, 2, 2]>::ones();
    /// let options = Conv3dOptions::new().stride::<2>().named::<Steps, dim!(4), dim!(4)>();
    /// assert_eq!(x.conv3d(&weights, options).shape(), shape![2, Steps(3), 4, 4]);
    /// ```
    #[usage(Conv3dOptions::new().stride::<2>().named::<Z, Y, X>())]
    pub fn named<Z: Axis, Y: Axis, X: Axis>(
        self,
    ) -> Conv3dOptions<NamedSlide<Z, E>, NamedSlide<Y, V>, NamedSlide<X, H>, G> {
        Conv3dOptions::default()
    }
}

impl<K, S, R> Pool1dOptions<K, S, R> {
    /// The positions of the window are counted at run time, by the axis `Name`: for an axis whose size is
    /// known at run time. The last of the options.
    ///
    /// ```
    /// use tensor_core::{Tensor, axis, shape, windows::Pool1dOptions};
    ///
    /// axis!(Samples);
    /// axis!(Frames);
    /// let x = Tensor::<shape![Samples]>::ones_shaped(shape![Samples(7)]);
    /// let y = x.max_pool1d(Pool1dOptions::new::<2>().ceil_mode().named::<Frames>());
    /// assert_eq!(y.shape(), shape![Frames(4)]);
    /// ```
    #[usage(Pool1dOptions::new::<2>().named::<Frames>())]
    pub fn named<Name: Axis>(self) -> Pool1dOptions<K, NamedSlide<Name, S>, R> {
        Pool1dOptions { types: PhantomData, excludes_padding: self.excludes_padding }
    }
}

impl<KH, KW, V, H, R> Pool2dOptions<KH, KW, V, H, R> {
    /// The positions of the window are counted at run time, by the axes `Y` and `X`: for axes whose sizes are
    /// known at run time. The last of the options.
    ///
    /// ```
    /// use tensor_core::{Tensor, axis, dim, shape, windows::Pool2dOptions};
    ///
    /// axis!(Height);
    /// axis!(Rows);
    /// let x = Tensor::<shape![Height, 8]>::ones_shaped(shape![Height(6), 8]);
    /// let y = x.avg_pool2d(Pool2dOptions::new::<2>().named::<Rows, dim!(4)>());
    /// assert_eq!(y.shape(), shape![Rows(3), 4]);
    /// ```
    #[usage(Pool2dOptions::new::<2>().named::<Y, X>())]
    pub fn named<Y: Axis, X: Axis>(
        self,
    ) -> Pool2dOptions<KH, KW, NamedSlide<Y, V>, NamedSlide<X, H>, R> {
        Pool2dOptions { types: PhantomData, excludes_padding: self.excludes_padding }
    }
}

impl<KD, KH, KW, E, V, H, R> Pool3dOptions<KD, KH, KW, E, V, H, R> {
    /// The positions of the window are counted at run time, by the axes `Z`, `Y` and `X`: for axes whose sizes are
    /// known at run time. The last of the options.
    ///
    /// ```
    /// use tensor_core::{Tensor, axis, dim, shape, windows::Pool3dOptions};
    ///
    /// axis!(Time);
    /// axis!(Steps);
    /// let x = Tensor::<shape![Time, 8, 8]>::ones_shaped(shape![Time(6), 8, 8]);
    /// let y = x.max_pool3d(Pool3dOptions::new::<2>().named::<Steps, dim!(4), dim!(4)>());
    /// assert_eq!(y.shape(), shape![Steps(3), 4, 4]);
    /// ```
    #[usage(Pool3dOptions::new::<2>().named::<Z, Y, X>())]
    pub fn named<Z: Axis, Y: Axis, X: Axis>(
        self,
    ) -> Pool3dOptions<KD, KH, KW, NamedSlide<Z, E>, NamedSlide<Y, V>, NamedSlide<X, H>, R> {
        Pool3dOptions { types: PhantomData, excludes_padding: self.excludes_padding }
    }
}
