//! The options of windows along three axes, for volumes and videos.

mod conv;
mod pool;

use core::marker::PhantomData;

use super::{
    ConvSettings, Padded, Pads, PoolSettings, RoundDown, RoundingSettings, Slide, SlideSettings,
};
use crate::shape::axis::{One, StaticAxis};
use crate::sizes::window_options::{ConvOptions, PoolOptions};

/// The options of [`conv3d`](crate::Tensor::conv3d) and
/// [`conv_transpose3d`](crate::Tensor::conv_transpose3d): how the window moves along the last three axes,
/// and the number of groups, as types.
///
/// ```
/// use tensor_core::{Tensor, shape, windows::Conv3dOptions};
///
/// let video = Tensor::<shape![3, 16, 12, 12]>::ones();
/// let weights = Tensor::<shape![8, 3, 3, 3, 3]>::ones();
/// let y: Tensor<shape![8, 8, 6, 6]> =
///     video.conv3d(&weights, Conv3dOptions::new().stride::<2>().padding::<1>());
/// # let _ = y;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conv3dOptions<Z = Slide, Y = Z, X = Y, G = One>(PhantomData<(Z, Y, X, G)>);

/// The options of pooling along the last three axes: the sizes `KD`, `KH` and `KW` of the window and how
/// it moves, by default with strides of its own sizes.
///
/// ```
/// use tensor_core::{Tensor, shape, windows::Pool3dOptions};
///
/// let video = Tensor::<shape![3, 16, 12, 12]>::ones();
/// let y: Tensor<shape![3, 8, 6, 6]> = video.max_pool3d(Pool3dOptions::new::<2>());
/// # let _ = y;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pool3dOptions<
    KD,
    KH = KD,
    KW = KH,
    Z = Slide<KD>,
    Y = Slide<KH>,
    X = Slide<KW>,
    Rounding = RoundDown,
> {
    pub(super) types: PhantomData<(KD, KH, KW, Z, Y, X, Rounding)>,
    pub(super) excludes_padding: bool,
}

impl<Z, Y, X, G> Default for Conv3dOptions<Z, Y, X, G> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<KD, KH, KW, Z, Y, X, R> Default for Pool3dOptions<KD, KH, KW, Z, Y, X, R> {
    fn default() -> Self {
        Self { types: PhantomData, excludes_padding: false }
    }
}

/// The same padding on both sides.
type Both<const N: usize> = Pads<Padded<N>, Padded<N>>;

impl<Z: SlideSettings, Y: SlideSettings, X: SlideSettings, G: StaticAxis> ConvSettings
    for Conv3dOptions<Z, Y, X, G>
{
    fn options(self) -> ConvOptions {
        ConvOptions::of_axes(
            &[
                (Z::STRIDE, Z::DILATION, Z::PADDING, Z::OUTPUT_PADDING),
                (Y::STRIDE, Y::DILATION, Y::PADDING, Y::OUTPUT_PADDING),
                (X::STRIDE, X::DILATION, X::PADDING, X::OUTPUT_PADDING),
            ],
            G::VALUE.size(),
        )
    }
}

#[allow(private_bounds, reason = "which rounding there is, is no choice of users")]
impl<KD, KH, KW, Z, Y, X, R> PoolSettings for Pool3dOptions<KD, KH, KW, Z, Y, X, R>
where
    KD: StaticAxis,
    KH: StaticAxis,
    KW: StaticAxis,
    Z: SlideSettings,
    Y: SlideSettings,
    X: SlideSettings,
    R: RoundingSettings,
{
    fn options(self) -> PoolOptions {
        let window = [KD::VALUE.size(), KH::VALUE.size(), KW::VALUE.size()];
        let axes = [
            (Z::STRIDE, Z::DILATION, Z::PADDING, Z::OUTPUT_PADDING),
            (Y::STRIDE, Y::DILATION, Y::PADDING, Y::OUTPUT_PADDING),
            (X::STRIDE, X::DILATION, X::PADDING, X::OUTPUT_PADDING),
        ];
        PoolOptions::of_axes(&window, &axes, R::IS_CEIL, self.excludes_padding)
    }
}
