//! The methods that set the options of a convolution along three axes: each changes one option, which is
//! a part of the type.

use super::super::{
    NumberTable, Padded, PaddingNumber, Pads, SamePadding, Slide, Step, StepNumber,
};
use super::{Both, Conv3dOptions};

impl Conv3dOptions {
    /// Stride 1, no padding, dilation 1, one group.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Conv3dOptions};
    ///
    /// let x = Tensor::<shape![1, 4, 4, 4]>::ones();
    /// let sums = x.conv3d(&Tensor::<shape![1, 1, 2, 2, 2]>::ones(), Conv3dOptions::new());
    /// assert_eq!(sums, Tensor::<shape![1, 3, 3, 3]>::full(8.0));
    /// ```
    pub fn new() -> Self {
        Self::default()
    }
}

impl<SZ, PZ, DZ, OZ, SY, PY, DY, OY, SX, PX, DX, OX, G>
    Conv3dOptions<Slide<SZ, PZ, DZ, OZ>, Slide<SY, PY, DY, OY>, Slide<SX, PX, DX, OX>, G>
{
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
    #[expect(clippy::type_complexity, reason = "a type for each axis")]
    pub fn stride<const N: usize>(
        self,
    ) -> Conv3dOptions<
        Slide<Step<N>, PZ, DZ, OZ>,
        Slide<Step<N>, PY, DY, OY>,
        Slide<Step<N>, PX, DX, OX>,
        G,
    >
    where
        NumberTable: StepNumber<N>,
    {
        Conv3dOptions::default()
    }

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
    #[expect(clippy::type_complexity, reason = "a type for each axis")]
    pub fn strides<const Z: usize, const Y: usize, const X: usize>(
        self,
    ) -> Conv3dOptions<
        Slide<Step<Z>, PZ, DZ, OZ>,
        Slide<Step<Y>, PY, DY, OY>,
        Slide<Step<X>, PX, DX, OX>,
        G,
    >
    where
        NumberTable: StepNumber<Z> + StepNumber<Y> + StepNumber<X>,
    {
        Conv3dOptions::default()
    }

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
    #[expect(clippy::type_complexity, reason = "a type for each axis")]
    pub fn padding<const N: usize>(
        self,
    ) -> Conv3dOptions<
        Slide<SZ, Both<N>, DZ, OZ>,
        Slide<SY, Both<N>, DY, OY>,
        Slide<SX, Both<N>, DX, OX>,
        G,
    >
    where
        NumberTable: PaddingNumber<N>,
    {
        Conv3dOptions::default()
    }

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
    #[expect(clippy::type_complexity, reason = "a type for each of six sides")]
    pub fn padding_sides<
        const FRONT: usize,
        const BEHIND: usize,
        const ABOVE: usize,
        const BELOW: usize,
        const LEFT: usize,
        const RIGHT: usize,
    >(
        self,
    ) -> Conv3dOptions<
        Slide<SZ, Pads<Padded<FRONT>, Padded<BEHIND>>, DZ, OZ>,
        Slide<SY, Pads<Padded<ABOVE>, Padded<BELOW>>, DY, OY>,
        Slide<SX, Pads<Padded<LEFT>, Padded<RIGHT>>, DX, OX>,
        G,
    >
    where
        NumberTable: PaddingNumber<FRONT>
            + PaddingNumber<BEHIND>
            + PaddingNumber<ABOVE>
            + PaddingNumber<BELOW>
            + PaddingNumber<LEFT>
            + PaddingNumber<RIGHT>,
    {
        Conv3dOptions::default()
    }

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
    #[expect(clippy::type_complexity, reason = "a type for each axis")]
    pub fn same(
        self,
    ) -> Conv3dOptions<
        Slide<SZ, SamePadding, DZ, OZ>,
        Slide<SY, SamePadding, DY, OY>,
        Slide<SX, SamePadding, DX, OX>,
        G,
    > {
        Conv3dOptions::default()
    }

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
    #[expect(clippy::type_complexity, reason = "a type for each axis")]
    pub fn dilation<const N: usize>(
        self,
    ) -> Conv3dOptions<
        Slide<SZ, PZ, Step<N>, OZ>,
        Slide<SY, PY, Step<N>, OY>,
        Slide<SX, PX, Step<N>, OX>,
        G,
    >
    where
        NumberTable: StepNumber<N>,
    {
        Conv3dOptions::default()
    }

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
    #[expect(clippy::type_complexity, reason = "a type for each axis")]
    pub fn dilations<const Z: usize, const Y: usize, const X: usize>(
        self,
    ) -> Conv3dOptions<
        Slide<SZ, PZ, Step<Z>, OZ>,
        Slide<SY, PY, Step<Y>, OY>,
        Slide<SX, PX, Step<X>, OX>,
        G,
    >
    where
        NumberTable: StepNumber<Z> + StepNumber<Y> + StepNumber<X>,
    {
        Conv3dOptions::default()
    }

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
    #[expect(clippy::type_complexity, reason = "a type for each axis")]
    pub fn output_padding<const N: usize>(
        self,
    ) -> Conv3dOptions<
        Slide<SZ, PZ, DZ, Padded<N>>,
        Slide<SY, PY, DY, Padded<N>>,
        Slide<SX, PX, DX, Padded<N>>,
        G,
    >
    where
        NumberTable: PaddingNumber<N>,
    {
        Conv3dOptions::default()
    }

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
    #[expect(clippy::type_complexity, reason = "a type for each axis")]
    pub fn groups<const N: usize>(
        self,
    ) -> Conv3dOptions<Slide<SZ, PZ, DZ, OZ>, Slide<SY, PY, DY, OY>, Slide<SX, PX, DX, OX>, Step<N>>
    where
        NumberTable: StepNumber<N>,
    {
        Conv3dOptions::default()
    }
}
