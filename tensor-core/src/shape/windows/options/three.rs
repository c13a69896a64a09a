//! The options of windows along three axes, for volumes and videos, and the methods that set them.

use super::generate::options;
use super::{
    Both, NamedSlide, NumberTable, PaddingNumber, PaddingSize, RoundDown, RoundUp, SamePadding,
    Sides, Slide, Step, StepNumber,
};
use crate::shape::axis::One;
use tensor_array_macros::usage;

options! {
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
    pub struct Conv3dOptions<Z = Slide, Y = Z, X = Y, G = One>(());

    impl []

    /// Stride 1, no padding, dilation 1, one group.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Conv3dOptions};
    ///
    /// let x = Tensor::<shape![1, 4, 4, 4]>::ones();
    /// let sums = x.conv3d(&Tensor::<shape![1, 1, 2, 2, 2]>::ones(), Conv3dOptions::new());
    /// assert_eq!(sums, Tensor::<shape![1, 3, 3, 3]>::full(8.0));
    /// ```
    pub fn new => [];

    impl<SZ, PZ, DZ, OZ, SY, PY, DY, OY, SX, PX, DX, OX, G>
        [Slide<SZ, PZ, DZ, OZ>, Slide<SY, PY, DY, OY>, Slide<SX, PX, DX, OX>, G]

    /// The stride `N` of the window, from 1 to 9,999, along each axis.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Conv3dOptions};
    ///
    /// let x = Tensor::<shape![1, 5, 5, 5]>::ones();
    /// let w = Tensor::<shape![1, 1, 1, 1, 1]>::ones();
    /// let y: Tensor<shape![1, 3, 3, 3]> = x.conv3d(&w, Conv3dOptions::new().stride::<2>());
    /// # let _ = y;
    /// ```
    pub fn stride<N>: StepNumber =>
        [Slide<Step<N>, PZ, DZ, OZ>, Slide<Step<N>, PY, DY, OY>, Slide<Step<N>, PX, DX, OX>, G];

    /// The stride of the window along each axis.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Conv3dOptions};
    ///
    /// let x = Tensor::<shape![1, 5, 5, 5]>::ones();
    /// let w = Tensor::<shape![1, 1, 1, 1, 1]>::ones();
    /// let y: Tensor<shape![1, 5, 3, 2]> = x.conv3d(&w, Conv3dOptions::new().strides::<1, 2, 3>());
    /// # let _ = y;
    /// ```
    pub fn strides<Z, Y, X>: StepNumber =>
        [Slide<Step<Z>, PZ, DZ, OZ>, Slide<Step<Y>, PY, DY, OY>, Slide<Step<X>, PX, DX, OX>, G];

    /// Pads with `N` zeros on both sides of each axis.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Conv3dOptions};
    ///
    /// let x = Tensor::<shape![1, 5, 5, 5]>::ones();
    /// let w = Tensor::<shape![1, 1, 3, 3, 3]>::ones();
    /// let y: Tensor<shape![1, 5, 5, 5]> = x.conv3d(&w, Conv3dOptions::new().padding::<1>());
    /// # let _ = y;
    /// ```
    pub fn padding<N>: PaddingNumber =>
        [Slide<SZ, Both<N>, DZ, OZ>, Slide<SY, Both<N>, DY, OY>, Slide<SX, Both<N>, DX, OX>, G];

    /// Pads with `Z` zeros in front and behind, `Y` above and below, `X` on the left and on the right.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Conv3dOptions};
    ///
    /// let x = Tensor::<shape![1, 5, 5, 5]>::ones();
    /// let w = Tensor::<shape![1, 1, 1, 3, 3]>::ones();
    /// let y: Tensor<shape![1, 5, 5, 5]> = x.conv3d(&w, Conv3dOptions::new().paddings::<0, 1, 1>());
    /// # let _ = y;
    /// ```
    pub fn paddings<Z, Y, X>: PaddingNumber =>
        [Slide<SZ, Both<Z>, DZ, OZ>, Slide<SY, Both<Y>, DY, OY>, Slide<SX, Both<X>, DX, OX>, G];

    /// Pads with zeros before each axis and after it: in front and behind, above and below, on the left
    /// and on the right.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Conv3dOptions};
    ///
    /// // Causal: no result depends on what follows.
    /// let video = Tensor::<shape![1, 5, 5, 5]>::ones();
    /// let w = Tensor::<shape![1, 1, 3, 1, 1]>::ones();
    /// let y: Tensor<shape![1, 5, 5, 5]> =
    ///     video.conv3d(&w, Conv3dOptions::new().padding_sides::<2, 0, 0, 0, 0, 0>());
    /// assert_eq!(y[[0, 0, 4, 4]], 1.0);
    /// ```
    pub fn padding_sides<FRONT, BEHIND, ABOVE, BELOW, LEFT, RIGHT>: PaddingNumber => [
        Slide<SZ, Sides<FRONT, BEHIND>, DZ, OZ>, Slide<SY, Sides<ABOVE, BELOW>, DY, OY>,
        Slide<SX, Sides<LEFT, RIGHT>, DX, OX>, G,
    ];

    /// Pads with zeros that keep the sizes of the axes, one more after an axis than before it if
    /// their number is odd; requires stride 1. The axes may have names and run-time sizes.
    ///
    /// ```
    /// use tensor_core::{Tensor, axis, shape, windows::Conv3dOptions};
    ///
    /// axis!(Frames);
    /// let x = Tensor::<shape![1, Frames, 5, 5]>::ones_shaped(shape![1, Frames(7), 5, 5]);
    /// let y = x.conv3d(&Tensor::<shape![2, 1, 3, 3, 3]>::ones(), Conv3dOptions::new().same());
    /// assert_eq!(y.shape(), shape![2, Frames(7), 5, 5]);
    /// ```
    pub fn same => [
        Slide<SZ, SamePadding, DZ, OZ>, Slide<SY, SamePadding, DY, OY>,
        Slide<SX, SamePadding, DX, OX>, G,
    ];

    /// The dilation `N`: the elements of the window are `N` apart along each axis.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Conv3dOptions};
    ///
    /// let x = Tensor::<shape![1, 5, 5, 5]>::ones();
    /// let w = Tensor::<shape![1, 1, 3, 3, 3]>::ones();
    /// let y: Tensor<shape![1, 1, 1, 1]> = x.conv3d(&w, Conv3dOptions::new().dilation::<2>());
    /// # let _ = y;
    /// ```
    pub fn dilation<N>: StepNumber =>
        [Slide<SZ, PZ, Step<N>, OZ>, Slide<SY, PY, Step<N>, OY>, Slide<SX, PX, Step<N>, OX>, G];

    /// The dilation of the window along each axis.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Conv3dOptions};
    ///
    /// let x = Tensor::<shape![1, 5, 5, 5]>::ones();
    /// let w = Tensor::<shape![1, 1, 2, 2, 2]>::ones();
    /// let y: Tensor<shape![1, 4, 3, 2]> = x.conv3d(&w, Conv3dOptions::new().dilations::<1, 2, 3>());
    /// # let _ = y;
    /// ```
    pub fn dilations<Z, Y, X>: StepNumber =>
        [Slide<SZ, PZ, Step<Z>, OZ>, Slide<SY, PY, Step<Y>, OY>, Slide<SX, PX, Step<X>, OX>, G];

    /// The elements that a transposed convolution adds at the end of each axis: a stride leads from
    /// several sizes to the same number of positions, and this chooses one of them.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Conv3dOptions};
    ///
    /// let x = Tensor::<shape![1, 4, 4, 4]>::ones();
    /// let w = Tensor::<shape![1, 1, 3, 3, 3]>::ones();
    /// let options = Conv3dOptions::new().stride::<2>().padding::<1>().output_padding::<1>();
    /// let y: Tensor<shape![1, 8, 8, 8]> = x.conv_transpose3d(&w, options);
    /// # let _ = y;
    /// ```
    pub fn output_padding<N>: PaddingNumber => [
        Slide<SZ, PZ, DZ, PaddingSize<N>>, Slide<SY, PY, DY, PaddingSize<N>>, Slide<SX, PX, DX, PaddingSize<N>>,
        G,
    ];

    /// Splits the channels into `N` groups, which are convolved independently.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Conv3dOptions};
    ///
    /// let x = Tensor::<shape![8, 4, 4, 4]>::ones();
    /// let w = Tensor::<shape![8, 1, 3, 3, 3]>::ones();
    /// let y: Tensor<shape![8, 4, 4, 4]> = x.conv3d(&w, Conv3dOptions::new().same().groups::<8>());
    /// # let _ = y;
    /// ```
    pub fn groups<N>: StepNumber =>
        [Slide<SZ, PZ, DZ, OZ>, Slide<SY, PY, DY, OY>, Slide<SX, PX, DX, OX>, Step<N>];

    impl<E, V, H, G>

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
    pub fn named<Z, Y, X> => [NamedSlide<Z, E>, NamedSlide<Y, V>, NamedSlide<X, H>, G];
}

options! {
    /// The options of pooling along the last three axes: the sizes `KD`, `KH` and `KW` of the window and how
    /// it moves, by default with strides of `KD`, `KH` and `KW`.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Pool3dOptions};
    ///
    /// let video = Tensor::<shape![3, 16, 12, 12]>::ones();
    /// let y: Tensor<shape![3, 8, 6, 6]> = video.max_pool3d(Pool3dOptions::new::<2>());
    /// # let _ = y;
    /// ```
    pub struct Pool3dOptions<KD, KH = KD, KW = KH, Z = Slide<KD>, Y = Slide<KH>, X = Slide<KW>, Rounding = RoundDown>(bool as excludes_padding);

    impl [One, One, One]

    /// A window of `N` elements along each axis, with a stride of `N`.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Pool3dOptions};
    ///
    /// let x = Tensor::<shape![4, 4, 4]>::ones();
    /// assert_eq!(x.max_pool3d(Pool3dOptions::new::<2>()), Tensor::<shape![2, 2, 2]>::ones());
    /// ```
    pub fn new<N> => [Step<N>, Step<N>, Step<N>];

    /// A window of `D` by `H` by `W` elements, with strides of its sizes.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Pool3dOptions};
    ///
    /// let x = Tensor::<shape![4, 4, 6]>::ones();
    /// let y: Tensor<shape![4, 2, 2]> = x.max_pool3d(Pool3dOptions::sizes::<1, 2, 3>());
    /// # let _ = y;
    /// ```
    pub fn sizes<D, H, W> => [Step<D>, Step<H>, Step<W>];

    impl<KD, KH, KW, SZ, PZ, DZ, SY, PY, DY, SX, PX, DX, R>
        [KD, KH, KW, Slide<SZ, PZ, DZ>, Slide<SY, PY, DY>, Slide<SX, PX, DX>, R]

    /// The stride `N` of the window along each axis.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Pool3dOptions};
    ///
    /// let x = Tensor::<shape![5, 5, 5]>::ones();
    /// let y: Tensor<shape![4, 4, 4]> = x.max_pool3d(Pool3dOptions::new::<2>().stride::<1>());
    /// # let _ = y;
    /// ```
    pub fn stride<N>: StepNumber =>
        [KD, KH, KW, Slide<Step<N>, PZ, DZ>, Slide<Step<N>, PY, DY>, Slide<Step<N>, PX, DX>, R];

    /// The stride of the window along each axis.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Pool3dOptions};
    ///
    /// let x = Tensor::<shape![5, 5, 5]>::ones();
    /// let y: Tensor<shape![4, 2, 2]> = x.max_pool3d(Pool3dOptions::new::<2>().strides::<1, 2, 3>());
    /// # let _ = y;
    /// ```
    pub fn strides<Z, Y, X>: StepNumber =>
        [KD, KH, KW, Slide<Step<Z>, PZ, DZ>, Slide<Step<Y>, PY, DY>, Slide<Step<X>, PX, DX>, R];

    /// Pads with `N` elements on both sides of each axis, which are never a maximum, and 0 in a mean.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Pool3dOptions};
    ///
    /// let x = Tensor::<shape![2, 2, 2]>::full(-1.0);
    /// assert_eq!(x.max_pool3d(Pool3dOptions::new::<2>().padding::<1>()), x);
    /// ```
    pub fn padding<N>: PaddingNumber =>
        [KD, KH, KW, Slide<SZ, Both<N>, DZ>, Slide<SY, Both<N>, DY>, Slide<SX, Both<N>, DX>, R];

    /// Pads with `Z` elements in front and behind, `Y` above and below, `X` on the left and on the right.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Pool3dOptions};
    ///
    /// let x = Tensor::<shape![2, 2, 2]>::ones();
    /// let y: Tensor<shape![1, 2, 2]> = x.max_pool3d(Pool3dOptions::new::<2>().paddings::<0, 1, 1>());
    /// # let _ = y;
    /// ```
    pub fn paddings<Z, Y, X>: PaddingNumber =>
        [KD, KH, KW, Slide<SZ, Both<Z>, DZ>, Slide<SY, Both<Y>, DY>, Slide<SX, Both<X>, DX>, R];

    /// Pads before each axis and after it: in front and behind, above and below, on the left and on the
    /// right.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Pool3dOptions};
    ///
    /// let x = Tensor::<shape![3, 4, 4]>::ones();
    /// let options = Pool3dOptions::new::<2>().padding_sides::<0, 1, 0, 0, 0, 0>();
    /// let y: Tensor<shape![2, 2, 2]> = x.max_pool3d(options);
    /// # let _ = y;
    /// ```
    pub fn padding_sides<FRONT, BEHIND, ABOVE, BELOW, LEFT, RIGHT>: PaddingNumber => [
        KD, KH, KW, Slide<SZ, Sides<FRONT, BEHIND>, DZ>, Slide<SY, Sides<ABOVE, BELOW>, DY>,
        Slide<SX, Sides<LEFT, RIGHT>, DX>, R,
    ];

    /// The dilation of the window along each axis.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Pool3dOptions};
    ///
    /// let x = Tensor::<shape![5, 5, 5]>::ones();
    /// let options = Pool3dOptions::new::<2>().stride::<1>().dilations::<1, 2, 3>();
    /// let y: Tensor<shape![4, 3, 2]> = x.max_pool3d(options);
    /// # let _ = y;
    /// ```
    pub fn dilations<Z, Y, X>: StepNumber =>
        [KD, KH, KW, Slide<SZ, PZ, Step<Z>>, Slide<SY, PY, Step<Y>>, Slide<SX, PX, Step<X>>, R];

    /// The last windows may reach beyond the axes, as with PyTorch's `ceil_mode`.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Pool3dOptions};
    ///
    /// let x = Tensor::<shape![5, 5, 5]>::ones();
    /// let y: Tensor<shape![3, 3, 3]> = x.max_pool3d(Pool3dOptions::new::<2>().ceil_mode());
    /// # let _ = y;
    /// ```
    pub fn ceil_mode =>
        [KD, KH, KW, Slide<SZ, PZ, DZ>, Slide<SY, PY, DY>, Slide<SX, PX, DX>, RoundUp];

    impl<KD, KH, KW, E, V, H, R>

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
    pub fn named<Z, Y, X> => [KD, KH, KW, NamedSlide<Z, E>, NamedSlide<Y, V>, NamedSlide<X, H>, R];

    /// Sets whether the mean of a window counts its padding; by default it does, as in PyTorch.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Pool3dOptions};
    ///
    /// let x = Tensor::<shape![2, 2, 2]>::ones();
    /// let options = Pool3dOptions::new::<2>().padding::<1>();
    /// assert_eq!(x.avg_pool3d(options), Tensor::<shape![2, 2, 2]>::full(0.125));
    /// assert_eq!(x.avg_pool3d(options.count_include_pad(false)), x);
    /// ```
    pub fn count_include_pad;
}
