//! The methods that set the options of a convolution: each changes one option, which is a part of the type.

use core::marker::PhantomData;

use super::{
    Conv1dOptions, Conv2dOptions, NumberTable, Padded, PaddingNumber, Pads, SamePadding, Slide,
    Step, StepNumber,
};
use tensor_macros::usage;

impl Conv1dOptions {
    /// Stride 1, no padding, dilation 1, one group.
    ///
    /// ```
    /// use tensor_core::{tensor, windows::Conv1dOptions};
    ///
    /// let x = tensor![[1.0, 2.0, 4.0]];
    /// assert_eq!(x.conv1d(&tensor![[[-1.0, 1.0]]], Conv1dOptions::new()), tensor![[1.0, 2.0]]);
    /// ```
    pub fn new() -> Self {
        Self::default()
    }
}

impl Conv2dOptions {
    /// Stride 1, no padding, dilation 1, one group.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Conv2dOptions};
    ///
    /// let sums = Tensor::<shape![1, 4, 4]>::ones()
    ///     .conv2d(&Tensor::<shape![1, 1, 2, 2]>::ones(), Conv2dOptions::new());
    /// assert_eq!(sums, Tensor::<shape![1, 3, 3]>::full(4.0));
    /// ```
    pub fn new() -> Self {
        Self::default()
    }
}

impl<X, G> Default for Conv1dOptions<X, G> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<Y, X, G> Default for Conv2dOptions<Y, X, G> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<S, P, D, O, G> Conv1dOptions<Slide<S, P, D, O>, G> {
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
    pub fn stride<const N: usize>(self) -> Conv1dOptions<Slide<Step<N>, P, D, O>, G>
    where
        NumberTable: StepNumber<N>,
    {
        Conv1dOptions::default()
    }

    /// Pads with `N` zeros on both sides.
    ///
    /// ```
    /// use tensor_core::{tensor, windows::Conv1dOptions};
    ///
    /// let y = tensor![[1.0, 2.0]].conv1d(&tensor![[[1.0, 1.0]]], Conv1dOptions::new().padding::<1>());
    /// assert_eq!(y, tensor![[1.0, 3.0, 2.0]]);
    /// ```
    #[usage(Conv1dOptions::new().padding::<1>())]
    pub fn padding<const N: usize>(
        self,
    ) -> Conv1dOptions<Slide<S, Pads<Padded<N>, Padded<N>>, D, O>, G>
    where
        NumberTable: PaddingNumber<N>,
    {
        Conv1dOptions::default()
    }

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
    pub fn padding_sides<const BEFORE: usize, const AFTER: usize>(
        self,
    ) -> Conv1dOptions<Slide<S, Pads<Padded<BEFORE>, Padded<AFTER>>, D, O>, G>
    where
        NumberTable: PaddingNumber<BEFORE> + PaddingNumber<AFTER>,
    {
        Conv1dOptions::default()
    }

    /// Pads with zeros that keep the size of the axis, one more after it than before it if their
    /// number is odd; requires stride 1. The axis may have a name and a run-time size.
    ///
    /// ```
    /// use tensor_core::{tensor, windows::Conv1dOptions};
    ///
    /// let y = tensor![[1.0, 2.0]].conv1d(&tensor![[[1.0, 1.0, 1.0]]], Conv1dOptions::new().same());
    /// assert_eq!(y, tensor![[3.0, 3.0]]);
    /// ```
    pub fn same(self) -> Conv1dOptions<Slide<S, SamePadding, D, O>, G> {
        Conv1dOptions::default()
    }

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
    pub fn dilation<const N: usize>(self) -> Conv1dOptions<Slide<S, P, Step<N>, O>, G>
    where
        NumberTable: StepNumber<N>,
    {
        Conv1dOptions::default()
    }

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
    pub fn output_padding<const N: usize>(self) -> Conv1dOptions<Slide<S, P, D, Padded<N>>, G>
    where
        NumberTable: PaddingNumber<N>,
    {
        Conv1dOptions::default()
    }

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
    pub fn groups<const N: usize>(self) -> Conv1dOptions<Slide<S, P, D, O>, Step<N>>
    where
        NumberTable: StepNumber<N>,
    {
        Conv1dOptions::default()
    }
}

impl<SY, PY, DY, OY, SX, PX, DX, OX, G>
    Conv2dOptions<Slide<SY, PY, DY, OY>, Slide<SX, PX, DX, OX>, G>
{
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
    pub fn stride<const N: usize>(
        self,
    ) -> Conv2dOptions<Slide<Step<N>, PY, DY, OY>, Slide<Step<N>, PX, DX, OX>, G>
    where
        NumberTable: StepNumber<N>,
    {
        Conv2dOptions::default()
    }

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
    pub fn strides<const Y: usize, const X: usize>(
        self,
    ) -> Conv2dOptions<Slide<Step<Y>, PY, DY, OY>, Slide<Step<X>, PX, DX, OX>, G>
    where
        NumberTable: StepNumber<Y> + StepNumber<X>,
    {
        Conv2dOptions::default()
    }

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
    pub fn padding<const N: usize>(
        self,
    ) -> Conv2dOptions<
        Slide<SY, Pads<Padded<N>, Padded<N>>, DY, OY>,
        Slide<SX, Pads<Padded<N>, Padded<N>>, DX, OX>,
        G,
    >
    where
        NumberTable: PaddingNumber<N>,
    {
        Conv2dOptions::default()
    }

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
    pub fn paddings<const Y: usize, const X: usize>(
        self,
    ) -> Conv2dOptions<
        Slide<SY, Pads<Padded<Y>, Padded<Y>>, DY, OY>,
        Slide<SX, Pads<Padded<X>, Padded<X>>, DX, OX>,
        G,
    >
    where
        NumberTable: PaddingNumber<Y> + PaddingNumber<X>,
    {
        Conv2dOptions::default()
    }

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
    #[expect(clippy::type_complexity, reason = "a type for each of four sides")]
    #[usage(Conv2dOptions::new().padding_sides::<1, 2, 1, 2>())]
    pub fn padding_sides<
        const ABOVE: usize,
        const BELOW: usize,
        const LEFT: usize,
        const RIGHT: usize,
    >(
        self,
    ) -> Conv2dOptions<
        Slide<SY, Pads<Padded<ABOVE>, Padded<BELOW>>, DY, OY>,
        Slide<SX, Pads<Padded<LEFT>, Padded<RIGHT>>, DX, OX>,
        G,
    >
    where
        NumberTable: PaddingNumber<ABOVE>
            + PaddingNumber<BELOW>
            + PaddingNumber<LEFT>
            + PaddingNumber<RIGHT>,
    {
        Conv2dOptions::default()
    }

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
    pub fn same(
        self,
    ) -> Conv2dOptions<Slide<SY, SamePadding, DY, OY>, Slide<SX, SamePadding, DX, OX>, G> {
        Conv2dOptions::default()
    }

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
    pub fn dilation<const N: usize>(
        self,
    ) -> Conv2dOptions<Slide<SY, PY, Step<N>, OY>, Slide<SX, PX, Step<N>, OX>, G>
    where
        NumberTable: StepNumber<N>,
    {
        Conv2dOptions::default()
    }

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
    pub fn dilations<const Y: usize, const X: usize>(
        self,
    ) -> Conv2dOptions<Slide<SY, PY, Step<Y>, OY>, Slide<SX, PX, Step<X>, OX>, G>
    where
        NumberTable: StepNumber<Y> + StepNumber<X>,
    {
        Conv2dOptions::default()
    }

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
    pub fn output_padding<const N: usize>(
        self,
    ) -> Conv2dOptions<Slide<SY, PY, DY, Padded<N>>, Slide<SX, PX, DX, Padded<N>>, G>
    where
        NumberTable: PaddingNumber<N>,
    {
        Conv2dOptions::default()
    }

    /// Splits the channels into `N` groups, which are convolved independently; with as many groups as
    /// channels it is a depthwise convolution.
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
    pub fn groups<const N: usize>(
        self,
    ) -> Conv2dOptions<Slide<SY, PY, DY, OY>, Slide<SX, PX, DX, OX>, Step<N>>
    where
        NumberTable: StepNumber<N>,
    {
        Conv2dOptions::default()
    }
}
