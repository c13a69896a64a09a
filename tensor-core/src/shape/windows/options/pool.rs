//! The options of pooling, and the methods that set them: each changes one option, which is a part of the type.

use super::generate::options;
use super::{
    Both, NamedSlide, NumberTable, PaddingNumber, RoundDown, RoundUp, Sides, Slide, Step,
    StepNumber,
};
use crate::shape::axis::One;
use tensor_array_macros::usage;

options! {
    /// The options of pooling along the last axis: the size `K` of the window and how it moves, by default
    /// with a stride of `K`.
    ///
    /// ```
    /// use tensor_core::{tensor, windows::Pool1dOptions};
    ///
    /// let x = tensor![1.0, 5.0, 2.0, 3.0, 4.0];
    /// assert_eq!(x.max_pool1d(Pool1dOptions::new::<2>()), tensor![5.0, 3.0]);
    /// assert_eq!(x.max_pool1d(Pool1dOptions::new::<2>().ceil_mode()), tensor![5.0, 3.0, 4.0]);
    /// assert_eq!(x.max_pool1d(Pool1dOptions::new::<2>().stride::<1>()), tensor![5.0, 5.0, 3.0, 4.0]);
    /// ```
    pub struct Pool1dOptions<K, X = Slide<K>, Rounding = RoundDown>(bool as excludes_padding);

    impl [One]

    /// A window of `N` elements, with a stride of `N`.
    ///
    /// ```
    /// use tensor_core::{tensor, windows::Pool1dOptions};
    ///
    /// assert_eq!(tensor![1.0, 3.0, 5.0, 7.0].avg_pool1d(Pool1dOptions::new::<2>()), tensor![2.0, 6.0]);
    /// ```
    #[usage(Pool1dOptions::new::<2>())]
    pub fn new<N> => [Step<N>];

    impl<K, S, P, D, R> [K, Slide<S, P, D>, R]

    /// The stride `N` of the window.
    ///
    /// ```
    /// use tensor_core::{tensor, windows::Pool1dOptions};
    ///
    /// let x = tensor![1.0, 3.0, 5.0];
    /// assert_eq!(x.avg_pool1d(Pool1dOptions::new::<2>().stride::<1>()), tensor![2.0, 4.0]);
    /// ```
    #[usage(Pool1dOptions::new::<2>().stride::<2>())]
    pub fn stride<N>: StepNumber => [K, Slide<Step<N>, P, D>, R];

    /// Pads with `N` elements on both sides, which are never a maximum, and 0 in a mean.
    ///
    /// ```
    /// use tensor_core::{tensor, windows::Pool1dOptions};
    ///
    /// let x = tensor![2.0, 4.0];
    /// assert_eq!(x.avg_pool1d(Pool1dOptions::new::<2>().padding::<1>()), tensor![1.0, 2.0]);
    /// ```
    #[usage(Pool1dOptions::new::<2>().padding::<1>())]
    pub fn padding<N>: PaddingNumber => [K, Slide<S, Both<N>, D>, R];

    /// Pads before the axis and after it.
    ///
    /// ```
    /// use tensor_core::{tensor, windows::Pool1dOptions};
    ///
    /// let x = tensor![2.0, 4.0, 6.0];
    /// assert_eq!(x.max_pool1d(Pool1dOptions::new::<2>().padding_sides::<0, 1>()), tensor![4.0, 6.0]);
    /// ```
    #[usage(Pool1dOptions::new::<2>().padding_sides::<2, 1>())]
    pub fn padding_sides<BEFORE, AFTER>: PaddingNumber => [K, Slide<S, Sides<BEFORE, AFTER>, D>, R];

    /// The dilation `N`: the elements of the window are `N` apart.
    ///
    /// ```
    /// use tensor_core::{tensor, windows::Pool1dOptions};
    ///
    /// let x = tensor![1.0, 9.0, 5.0];
    /// assert_eq!(x.max_pool1d(Pool1dOptions::new::<2>().dilation::<2>()), tensor![5.0]);
    /// ```
    #[usage(Pool1dOptions::new::<2>().dilation::<2>())]
    pub fn dilation<N>: StepNumber => [K, Slide<S, P, Step<N>>, R];

    /// The last window may reach beyond the axis, as with PyTorch's `ceil_mode`.
    ///
    /// ```
    /// use tensor_core::{tensor, windows::Pool1dOptions};
    ///
    /// let x = tensor![1.0, 2.0, 3.0];
    /// assert_eq!(x.max_pool1d(Pool1dOptions::new::<2>().ceil_mode()), tensor![2.0, 3.0]);
    /// ```
    pub fn ceil_mode => [K, Slide<S, P, D>, RoundUp];

    impl<K, S, R>

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
    pub fn named<Name> => [K, NamedSlide<Name, S>, R];

    /// Sets whether the mean of a window counts its padding; by default it does, as in PyTorch.
    ///
    /// ```
    /// use tensor_core::{tensor, windows::Pool1dOptions};
    ///
    /// let options = Pool1dOptions::new::<2>().padding::<1>().count_include_pad(false);
    /// assert_eq!(tensor![2.0, 4.0].avg_pool1d(options), tensor![2.0, 4.0]);
    /// ```
    pub fn count_include_pad;
}

options! {
    /// The options of pooling along the last two axes: the sizes `KH` and `KW` of the window and how it
    /// moves, by default with strides of `KH` and `KW`.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Pool2dOptions};
    ///
    /// let x = Tensor::<shape![64, 112, 112]>::ones();
    /// let y: Tensor<shape![64, 56, 56]> =
    ///     x.max_pool2d(Pool2dOptions::new::<3>().stride::<2>().padding::<1>());
    /// # let _ = y;
    /// ```
    ///
    /// Padding is at most half of a window. TensorFlow and ONNX allow more: [`pad`](crate::Tensor::pad) the input first,
    /// with -∞ for a maximum. For a mean that does not count padding, divide by the mean of the padded ones:
    ///
    /// ```
    /// use tensor_core::{Padding, Tensor, shape, tensor, windows::Pool2dOptions};
    ///
    /// let x = tensor![[1.0_f32, 2.0], [3.0, 4.0]];
    /// let pooling = Pool2dOptions::new::<2>();
    /// let padded = x.pad::<shape![1, 2], shape![1, 2]>(Padding::Constant(f32::NEG_INFINITY));
    /// let lowest = f32::NEG_INFINITY;
    /// assert_eq!(padded.max_pool2d(pooling), tensor![[lowest, 2.0, lowest], [lowest, 4.0, lowest]]);
    ///
    /// let zeros = |x: &Tensor<shape![2, 2]>| {
    ///     x.pad::<shape![1, 1], shape![1, 1]>(Padding::Constant(0.0)).avg_pool2d(pooling)
    /// };
    /// assert_eq!(zeros(&x), tensor![[0.25, 0.5], [0.75, 1.0]]);
    /// assert_eq!(zeros(&x) / zeros(&Tensor::ones()), x);
    /// ```
    pub struct Pool2dOptions<KH, KW = KH, Y = Slide<KH>, X = Slide<KW>, Rounding = RoundDown>(bool as excludes_padding);

    impl [One, One]

    /// A window of `N` by `N` elements, with a stride of `N`.
    ///
    /// ```
    /// use tensor_core::{tensor, windows::Pool2dOptions};
    ///
    /// let x = tensor![[1.0, 2.0], [3.0, 4.0]];
    /// assert_eq!(x.max_pool2d(Pool2dOptions::new::<2>()), tensor![[4.0]]);
    /// ```
    #[usage(Pool2dOptions::new::<2>())]
    pub fn new<N> => [Step<N>, Step<N>];

    /// A window of `H` by `W` elements, with strides of `H` and `W`.
    ///
    /// ```
    /// use tensor_core::{tensor, windows::Pool2dOptions};
    ///
    /// let x = tensor![[1.0, 2.0], [3.0, 4.0]];
    /// assert_eq!(x.max_pool2d(Pool2dOptions::sizes::<1, 2>()), tensor![[2.0], [4.0]]);
    /// ```
    #[usage(Pool2dOptions::sizes::<2, 1>())]
    pub fn sizes<H, W> => [Step<H>, Step<W>];

    impl<KH, KW, SY, PY, DY, SX, PX, DX, R> [KH, KW, Slide<SY, PY, DY>, Slide<SX, PX, DX>, R]

    /// The stride `N` of the window, down and to the right.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Pool2dOptions};
    ///
    /// let x = Tensor::<shape![5, 5]>::ones();
    /// let y: Tensor<shape![4, 4]> = x.max_pool2d(Pool2dOptions::new::<2>().stride::<1>());
    /// # let _ = y;
    /// ```
    #[usage(Pool2dOptions::new::<2>().stride::<2>())]
    pub fn stride<N>: StepNumber => [KH, KW, Slide<Step<N>, PY, DY>, Slide<Step<N>, PX, DX>, R];

    /// The strides of the window: `Y` down and `X` to the right.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Pool2dOptions};
    ///
    /// let x = Tensor::<shape![5, 5]>::ones();
    /// let y: Tensor<shape![2, 4]> = x.max_pool2d(Pool2dOptions::new::<2>().strides::<2, 1>());
    /// # let _ = y;
    /// ```
    #[usage(Pool2dOptions::new::<2>().strides::<2, 1>())]
    pub fn strides<Y, X>: StepNumber => [KH, KW, Slide<Step<Y>, PY, DY>, Slide<Step<X>, PX, DX>, R];

    /// Pads with `N` elements on all four sides, which are never a maximum, and 0 in a mean.
    ///
    /// ```
    /// use tensor_core::{tensor, windows::Pool2dOptions};
    ///
    /// let x = tensor![[-1.0, -2.0], [-3.0, -4.0]];
    /// assert_eq!(x.max_pool2d(Pool2dOptions::new::<2>().padding::<1>()), x);
    /// ```
    #[usage(Pool2dOptions::new::<2>().padding::<1>())]
    pub fn padding<N>: PaddingNumber => [KH, KW, Slide<SY, Both<N>, DY>, Slide<SX, Both<N>, DX>, R];

    /// Pads with `Y` elements above and below, `X` on the left and on the right.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Pool2dOptions};
    ///
    /// let options = Pool2dOptions::sizes::<1, 3>().strides::<1, 1>().paddings::<0, 1>();
    /// let y: Tensor<shape![5, 5]> = Tensor::<shape![5, 5]>::ones().max_pool2d(options);
    /// # let _ = y;
    /// ```
    #[usage(Pool2dOptions::new::<2>().paddings::<1, 0>())]
    pub fn paddings<Y, X>: PaddingNumber =>
        [KH, KW, Slide<SY, Both<Y>, DY>, Slide<SX, Both<X>, DX>, R];

    /// Pads above and below, on the left and on the right.
    ///
    /// ```
    /// use tensor_core::{tensor, windows::Pool2dOptions};
    ///
    /// let x = tensor![[1.0, 2.0], [3.0, 4.0]];
    /// let y = x.max_pool2d(Pool2dOptions::new::<2>().stride::<1>().padding_sides::<0, 0, 0, 1>());
    /// assert_eq!(y, tensor![[4.0, 4.0]]);
    /// ```
    #[usage(Pool2dOptions::new::<2>().padding_sides::<1, 2, 1, 2>())]
    pub fn padding_sides<ABOVE, BELOW, LEFT, RIGHT>: PaddingNumber =>
        [KH, KW, Slide<SY, Sides<ABOVE, BELOW>, DY>, Slide<SX, Sides<LEFT, RIGHT>, DX>, R];

    /// The dilation `N`: the elements of the window are `N` apart, downwards and to the right.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Pool2dOptions};
    ///
    /// let x = Tensor::<shape![5, 5]>::ones();
    /// let y: Tensor<shape![2, 2]> =
    ///     x.max_pool2d(Pool2dOptions::new::<2>().stride::<2>().dilation::<2>());
    /// # let _ = y;
    /// ```
    #[usage(Pool2dOptions::new::<2>().dilation::<2>())]
    pub fn dilation<N>: StepNumber => [KH, KW, Slide<SY, PY, Step<N>>, Slide<SX, PX, Step<N>>, R];

    /// The dilations: the elements of the window are `Y` apart downwards and `X` apart to the right.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Pool2dOptions};
    ///
    /// let x = Tensor::<shape![5, 5]>::ones();
    /// let y: Tensor<shape![1, 2]> =
    ///     x.max_pool2d(Pool2dOptions::new::<2>().stride::<2>().dilations::<3, 1>());
    /// # let _ = y;
    /// ```
    #[usage(Pool2dOptions::new::<2>().dilations::<2, 1>())]
    pub fn dilations<Y, X>: StepNumber =>
        [KH, KW, Slide<SY, PY, Step<Y>>, Slide<SX, PX, Step<X>>, R];

    /// The last windows may reach beyond the axes, as with PyTorch's `ceil_mode`.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Pool2dOptions};
    ///
    /// let y: Tensor<shape![3, 3]> =
    ///     Tensor::<shape![5, 5]>::ones().max_pool2d(Pool2dOptions::new::<2>().ceil_mode());
    /// # let _ = y;
    /// ```
    pub fn ceil_mode => [KH, KW, Slide<SY, PY, DY>, Slide<SX, PX, DX>, RoundUp];

    impl<KH, KW, V, H, R>

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
    pub fn named<Y, X> => [KH, KW, NamedSlide<Y, V>, NamedSlide<X, H>, R];

    /// Sets whether the mean of a window counts its padding; by default it does, as in PyTorch.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Pool2dOptions};
    ///
    /// let x = Tensor::<shape![2, 2]>::ones();
    /// let options = Pool2dOptions::new::<2>().padding::<1>();
    /// assert_eq!(x.avg_pool2d(options), Tensor::<shape![2, 2]>::full(0.25));
    /// assert_eq!(x.avg_pool2d(options.count_include_pad(false)), x);
    /// ```
    pub fn count_include_pad;
}
