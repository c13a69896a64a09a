//! The options of convolutions, and the methods that set them: each changes one option, which is a part of the type.

use super::generate::options;
use super::{
    Both, NamedSlide, NumberTable, PaddingNumber, PaddingSize, SamePadding, Sides, Slide, Step,
    StepNumber,
};
use crate::shape::axis::One;
use tensor_array_macros::usage;

options! {
    /// The options of [`conv1d`](crate::Tensor::conv1d) and
    /// [`conv_transpose1d`](crate::Tensor::conv_transpose1d): how the window moves along the last axis, and
    /// the number of groups, as types.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Conv1dOptions};
    ///
    /// let x = Tensor::<shape![2, 100]>::ones();
    /// let y: Tensor<shape![8, 50]> =
    ///     x.conv1d(&Tensor::<shape![8, 2, 5]>::ones(), Conv1dOptions::new().stride::<2>().padding::<2>());
    /// # let _ = y;
    /// ```
    pub struct Conv1dOptions<X = Slide, G = One>(());

    impl []

    /// Stride 1, no padding, dilation 1, one group.
    ///
    /// ```
    /// use tensor_core::{tensor, windows::Conv1dOptions};
    ///
    /// let x = tensor![[1.0, 2.0, 4.0]];
    /// assert_eq!(x.conv1d(&tensor![[[-1.0, 1.0]]], Conv1dOptions::new()), tensor![[1.0, 2.0]]);
    /// ```
    pub fn new => [];

    impl<S, P, D, O, G> [Slide<S, P, D, O>, G]

    /// The stride `N` of the window, from 1 to 9,999: only every `N`-th result is computed.
    ///
    /// ```
    /// use tensor_core::{tensor, windows::Conv1dOptions};
    ///
    /// let x = tensor![[1.0, 2.0, 4.0, 8.0, 16.0]];
    /// let y = x.conv1d(&tensor![[[1.0]]], Conv1dOptions::new().stride::<2>());
    /// assert_eq!(y, tensor![[1.0, 4.0, 16.0]]);
    /// ```
    #[usage(Conv1dOptions::new().stride::<2>())]
    pub fn stride<N>: StepNumber => [Slide<Step<N>, P, D, O>, G];

    /// Pads with `N` zeros on both sides.
    ///
    /// ```
    /// use tensor_core::{tensor, windows::Conv1dOptions};
    ///
    /// let y = tensor![[1.0, 2.0]].conv1d(&tensor![[[1.0, 1.0]]], Conv1dOptions::new().padding::<1>());
    /// assert_eq!(y, tensor![[1.0, 3.0, 2.0]]);
    /// ```
    #[usage(Conv1dOptions::new().padding::<1>())]
    pub fn padding<N>: PaddingNumber => [Slide<S, Both<N>, D, O>, G];

    /// Pads with zeros before the axis and after it.
    ///
    /// ```
    /// use tensor_core::{tensor, windows::Conv1dOptions};
    ///
    /// // Causal: no result depends on what follows.
    /// let y = tensor![[1.0, 2.0]].conv1d(&tensor![[[1.0, 1.0]]], Conv1dOptions::new().padding_sides::<1, 0>());
    /// assert_eq!(y, tensor![[1.0, 3.0]]);
    /// ```
    #[usage(Conv1dOptions::new().padding_sides::<2, 1>())]
    pub fn padding_sides<BEFORE, AFTER>: PaddingNumber => [Slide<S, Sides<BEFORE, AFTER>, D, O>, G];

    /// Pads with zeros that keep the size of the axis, one more after it than before it if their
    /// number is odd; requires stride 1. The axis may have a name and a run-time size.
    ///
    /// ```
    /// use tensor_core::{tensor, windows::Conv1dOptions};
    ///
    /// let y = tensor![[1.0, 2.0]].conv1d(&tensor![[[1.0, 1.0, 1.0]]], Conv1dOptions::new().same());
    /// assert_eq!(y, tensor![[3.0, 3.0]]);
    /// ```
    pub fn same => [Slide<S, SamePadding, D, O>, G];

    /// The dilation `N`: the elements of the window are `N` apart, with `N - 1` elements between them.
    ///
    /// ```
    /// use tensor_core::{tensor, windows::Conv1dOptions};
    ///
    /// let x = tensor![[1.0, 2.0, 4.0, 8.0]];
    /// let y = x.conv1d(&tensor![[[1.0, 1.0]]], Conv1dOptions::new().dilation::<2>());
    /// assert_eq!(y, tensor![[5.0, 10.0]]);
    /// ```
    #[usage(Conv1dOptions::new().dilation::<2>())]
    pub fn dilation<N>: StepNumber => [Slide<S, P, Step<N>, O>, G];

    /// The elements that a transposed convolution adds at the end: a stride leads from several sizes to
    /// the same number of positions, and this chooses one of them.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Conv1dOptions};
    ///
    /// let x = Tensor::<shape![1, 50]>::ones();
    /// let options = Conv1dOptions::new().stride::<2>().padding::<1>().output_padding::<1>();
    /// let y: Tensor<shape![1, 100]> = x.conv_transpose1d(&Tensor::<shape![1, 1, 3]>::ones(), options);
    /// # let _ = y;
    /// ```
    #[usage(Conv1dOptions::new().output_padding::<1>())]
    pub fn output_padding<N>: PaddingNumber => [Slide<S, P, D, PaddingSize<N>>, G];

    /// Splits the channels into `N` groups, which are convolved independently.
    ///
    /// ```
    /// use tensor_core::{tensor, windows::Conv1dOptions};
    ///
    /// let x = tensor![[1.0, 2.0], [3.0, 4.0]];
    /// let y = x.conv1d(&tensor![[[10.0]], [[100.0]]], Conv1dOptions::new().groups::<2>());
    /// assert_eq!(y, tensor![[10.0, 20.0], [300.0, 400.0]]);
    /// ```
    #[usage(Conv1dOptions::new().groups::<2>())]
    pub fn groups<N>: StepNumber => [Slide<S, P, D, O>, Step<N>];

    impl<S, G>

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
    pub fn named<Name> => [NamedSlide<Name, S>, G];
}

options! {
    /// The options of [`conv2d`](crate::Tensor::conv2d) and
    /// [`conv_transpose2d`](crate::Tensor::conv_transpose2d): how the window moves down and to the right, and
    /// the number of groups, as types.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Conv2dOptions};
    ///
    /// let x = Tensor::<shape![3, 224, 224]>::ones();
    /// let weights = Tensor::<shape![64, 3, 7, 7]>::ones();
    /// let y: Tensor<shape![64, 112, 112]> =
    ///     x.conv2d(&weights, Conv2dOptions::new().stride::<2>().padding::<3>());
    /// # let _ = y;
    /// ```
    pub struct Conv2dOptions<Y = Slide, X = Y, G = One>(());

    impl []

    /// Stride 1, no padding, dilation 1, one group.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Conv2dOptions};
    ///
    /// let sums = Tensor::<shape![1, 4, 4]>::ones()
    ///     .conv2d(&Tensor::<shape![1, 1, 2, 2]>::ones(), Conv2dOptions::new());
    /// assert_eq!(sums, Tensor::<shape![1, 3, 3]>::full(4.0));
    /// ```
    pub fn new => [];

    impl<SY, PY, DY, OY, SX, PX, DX, OX, G> [Slide<SY, PY, DY, OY>, Slide<SX, PX, DX, OX>, G]

    /// The stride `N` of the window, from 1 to 9,999, down and to the right.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Conv2dOptions};
    ///
    /// let x = Tensor::<shape![1, 5, 5]>::ones();
    /// let y: Tensor<shape![1, 3, 3]> =
    ///     x.conv2d(&Tensor::<shape![1, 1, 1, 1]>::ones(), Conv2dOptions::new().stride::<2>());
    /// # let _ = y;
    /// ```
    #[usage(Conv2dOptions::new().stride::<2>())]
    pub fn stride<N>: StepNumber => [Slide<Step<N>, PY, DY, OY>, Slide<Step<N>, PX, DX, OX>, G];

    /// The strides of the window: `Y` down and `X` to the right.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Conv2dOptions};
    ///
    /// let x = Tensor::<shape![1, 5, 5]>::ones();
    /// let y: Tensor<shape![1, 3, 5]> =
    ///     x.conv2d(&Tensor::<shape![1, 1, 1, 1]>::ones(), Conv2dOptions::new().strides::<2, 1>());
    /// # let _ = y;
    /// ```
    #[usage(Conv2dOptions::new().strides::<2, 1>())]
    pub fn strides<Y, X>: StepNumber => [Slide<Step<Y>, PY, DY, OY>, Slide<Step<X>, PX, DX, OX>, G];

    /// Pads with `N` zeros on all four sides.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Conv2dOptions};
    ///
    /// let x = Tensor::<shape![1, 5, 5]>::ones();
    /// let y: Tensor<shape![1, 5, 5]> =
    ///     x.conv2d(&Tensor::<shape![1, 1, 3, 3]>::ones(), Conv2dOptions::new().padding::<1>());
    /// assert_eq!(y[[0, 0, 0]], 4.0);
    /// ```
    #[usage(Conv2dOptions::new().padding::<1>())]
    pub fn padding<N>: PaddingNumber => [Slide<SY, Both<N>, DY, OY>, Slide<SX, Both<N>, DX, OX>, G];

    /// Pads with `Y` zeros above and below, `X` on the left and on the right.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Conv2dOptions};
    ///
    /// let x = Tensor::<shape![1, 5, 5]>::ones();
    /// let y: Tensor<shape![1, 5, 5]> =
    ///     x.conv2d(&Tensor::<shape![1, 1, 1, 3]>::ones(), Conv2dOptions::new().paddings::<0, 1>());
    /// # let _ = y;
    /// ```
    #[usage(Conv2dOptions::new().paddings::<1, 0>())]
    pub fn paddings<Y, X>: PaddingNumber =>
        [Slide<SY, Both<Y>, DY, OY>, Slide<SX, Both<X>, DX, OX>, G];

    /// Pads with zeros above and below, on the left and on the right.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Conv2dOptions};
    ///
    /// let x = Tensor::<shape![1, 5, 5]>::ones();
    /// let y: Tensor<shape![1, 5, 6]> = x.conv2d(
    ///     &Tensor::<shape![1, 1, 2, 2]>::ones(),
    ///     Conv2dOptions::new().padding_sides::<0, 1, 1, 1>(),
    /// );
    /// # let _ = y;
    /// ```
    #[usage(Conv2dOptions::new().padding_sides::<1, 2, 1, 2>())]
    pub fn padding_sides<ABOVE, BELOW, LEFT, RIGHT>: PaddingNumber =>
        [Slide<SY, Sides<ABOVE, BELOW>, DY, OY>, Slide<SX, Sides<LEFT, RIGHT>, DX, OX>, G];

    /// Pads with zeros that keep the sizes of both axes, one more below and on the right if their
    /// number is odd; requires stride 1. The axes may have names and run-time sizes.
    ///
    /// ```
    /// use tensor_core::{Tensor, axis, shape, windows::Conv2dOptions};
    ///
    /// axis!(Height);
    /// axis!(Width);
    /// let image = Tensor::<shape![1, Height, Width]>::ones_shaped(shape![1, Height(9), Width(7)]);
    /// let blurred: Tensor<shape![1, Height, Width]> =
    ///     image.conv2d(&Tensor::<shape![1, 1, 3, 3]>::full(1.0 / 9.0), Conv2dOptions::new().same());
    /// # let _ = blurred;
    /// ```
    pub fn same => [Slide<SY, SamePadding, DY, OY>, Slide<SX, SamePadding, DX, OX>, G];

    /// The dilation `N`: the elements of the window are `N` apart, down and to the right.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Conv2dOptions};
    ///
    /// let x = Tensor::<shape![1, 5, 5]>::ones();
    /// let y: Tensor<shape![1, 1, 1]> =
    ///     x.conv2d(&Tensor::<shape![1, 1, 3, 3]>::ones(), Conv2dOptions::new().dilation::<2>());
    /// # let _ = y;
    /// ```
    #[usage(Conv2dOptions::new().dilation::<2>())]
    pub fn dilation<N>: StepNumber => [Slide<SY, PY, Step<N>, OY>, Slide<SX, PX, Step<N>, OX>, G];

    /// The dilations: the elements of the window are `Y` apart downwards and `X` apart to the right.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Conv2dOptions};
    ///
    /// let x = Tensor::<shape![1, 5, 5]>::ones();
    /// let y: Tensor<shape![1, 1, 3]> =
    ///     x.conv2d(&Tensor::<shape![1, 1, 3, 3]>::ones(), Conv2dOptions::new().dilations::<2, 1>());
    /// # let _ = y;
    /// ```
    #[usage(Conv2dOptions::new().dilations::<2, 1>())]
    pub fn dilations<Y, X>: StepNumber =>
        [Slide<SY, PY, Step<Y>, OY>, Slide<SX, PX, Step<X>, OX>, G];

    /// The elements that a transposed convolution adds below and on the right: a stride leads from
    /// several sizes to the same number of positions, and this chooses one of them.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Conv2dOptions};
    ///
    /// let x = Tensor::<shape![1, 14, 14]>::ones();
    /// let options = Conv2dOptions::new().stride::<2>().padding::<1>().output_padding::<1>();
    /// let y: Tensor<shape![1, 28, 28]> =
    ///     x.conv_transpose2d(&Tensor::<shape![1, 1, 3, 3]>::ones(), options);
    /// # let _ = y;
    /// ```
    #[usage(Conv2dOptions::new().output_padding::<1>())]
    pub fn output_padding<N>: PaddingNumber =>
        [Slide<SY, PY, DY, PaddingSize<N>>, Slide<SX, PX, DX, PaddingSize<N>>, G];

    /// Splits the channels into `N` groups, which are convolved independently; with one group for
    /// each channel it is a depthwise convolution.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Conv2dOptions};
    ///
    /// let x = Tensor::<shape![64, 28, 28]>::ones();
    /// let y: Tensor<shape![64, 28, 28]> =
    ///     x.conv2d(&Tensor::<shape![64, 1, 3, 3]>::ones(), Conv2dOptions::new().same().groups::<64>());
    /// # let _ = y;
    /// ```
    #[usage(Conv2dOptions::new().groups::<2>())]
    pub fn groups<N>: StepNumber => [Slide<SY, PY, DY, OY>, Slide<SX, PX, DX, OX>, Step<N>];

    impl<V, H, G>

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
    pub fn named<Y, X> => [NamedSlide<Y, V>, NamedSlide<X, H>, G];
}
