//! The methods that set the options of pooling: each changes one option, which is a part of the type.

use core::marker::PhantomData;

use super::{
    NumberTable, Padded, PaddingNumber, Pads, Pool1dOptions, Pool2dOptions, RoundUp, Slide, Step,
    StepNumber,
};
use crate::shape::axis::One;
use tensor_macros::usage;

impl<K, X, R> Default for Pool1dOptions<K, X, R> {
    fn default() -> Self {
        Self { types: PhantomData, excludes_padding: false }
    }
}

impl<KH, KW, Y, X, R> Default for Pool2dOptions<KH, KW, Y, X, R> {
    fn default() -> Self {
        Self { types: PhantomData, excludes_padding: false }
    }
}

impl Pool1dOptions<One> {
    /// A window of `N` elements, with a stride of `N`.
    ///
    /// ```
    /// use tensor_core::{tensor, windows::Pool1dOptions};
    ///
    /// assert_eq!(tensor![1.0, 3.0, 5.0, 7.0].avg_pool1d(Pool1dOptions::new::<2>()), tensor![2.0, 6.0]);
    /// ```
    #[usage(Pool1dOptions::new::<2>())]
    pub fn new<const N: usize>() -> Pool1dOptions<Step<N>>
    where
        NumberTable: StepNumber<N>,
    {
        Pool1dOptions::default()
    }
}

impl Pool2dOptions<One, One> {
    /// A window of `N` by `N` elements, with a stride of `N`.
    ///
    /// ```
    /// use tensor_core::{tensor, windows::Pool2dOptions};
    ///
    /// let x = tensor![[1.0, 2.0], [3.0, 4.0]];
    /// assert_eq!(x.max_pool2d(Pool2dOptions::new::<2>()), tensor![[4.0]]);
    /// ```
    #[usage(Pool2dOptions::new::<2>())]
    pub fn new<const N: usize>() -> Pool2dOptions<Step<N>, Step<N>>
    where
        NumberTable: StepNumber<N>,
    {
        Pool2dOptions::default()
    }

    /// A window of `H` by `W` elements, with strides of `H` and `W`.
    ///
    /// ```
    /// use tensor_core::{tensor, windows::Pool2dOptions};
    ///
    /// let x = tensor![[1.0, 2.0], [3.0, 4.0]];
    /// assert_eq!(x.max_pool2d(Pool2dOptions::sizes::<1, 2>()), tensor![[2.0], [4.0]]);
    /// ```
    #[usage(Pool2dOptions::sizes::<2, 1>())]
    pub fn sizes<const H: usize, const W: usize>() -> Pool2dOptions<Step<H>, Step<W>>
    where
        NumberTable: StepNumber<H> + StepNumber<W>,
    {
        Pool2dOptions::default()
    }
}

impl<K, S, P, D, R> Pool1dOptions<K, Slide<S, P, D>, R> {
    /// The stride `N` of the window.
    ///
    /// ```
    /// use tensor_core::{tensor, windows::Pool1dOptions};
    ///
    /// let x = tensor![1.0, 3.0, 5.0];
    /// assert_eq!(x.avg_pool1d(Pool1dOptions::new::<2>().stride::<1>()), tensor![2.0, 4.0]);
    /// ```
    #[usage(Pool1dOptions::new::<2>().stride::<2>())]
    pub fn stride<const N: usize>(self) -> Pool1dOptions<K, Slide<Step<N>, P, D>, R>
    where
        NumberTable: StepNumber<N>,
    {
        Pool1dOptions { types: PhantomData, excludes_padding: self.excludes_padding }
    }

    /// Pads with `N` elements on both sides, which are never a maximum, and 0 in a mean.
    ///
    /// ```
    /// use tensor_core::{tensor, windows::Pool1dOptions};
    ///
    /// let x = tensor![2.0, 4.0];
    /// assert_eq!(x.avg_pool1d(Pool1dOptions::new::<2>().padding::<1>()), tensor![1.0, 2.0]);
    /// ```
    #[usage(Pool1dOptions::new::<2>().padding::<1>())]
    pub fn padding<const N: usize>(
        self,
    ) -> Pool1dOptions<K, Slide<S, Pads<Padded<N>, Padded<N>>, D>, R>
    where
        NumberTable: PaddingNumber<N>,
    {
        Pool1dOptions { types: PhantomData, excludes_padding: self.excludes_padding }
    }

    /// Pads before the axis and after it.
    ///
    /// ```
    /// use tensor_core::{tensor, windows::Pool1dOptions};
    ///
    /// let x = tensor![2.0, 4.0, 6.0];
    /// assert_eq!(x.max_pool1d(Pool1dOptions::new::<2>().padding_sides::<0, 1>()), tensor![4.0, 6.0]);
    /// ```
    #[usage(Pool1dOptions::new::<2>().padding_sides::<2, 1>())]
    pub fn padding_sides<const BEFORE: usize, const AFTER: usize>(
        self,
    ) -> Pool1dOptions<K, Slide<S, Pads<Padded<BEFORE>, Padded<AFTER>>, D>, R>
    where
        NumberTable: PaddingNumber<BEFORE> + PaddingNumber<AFTER>,
    {
        Pool1dOptions { types: PhantomData, excludes_padding: self.excludes_padding }
    }

    /// The dilation `N`: the elements of the window are `N` apart.
    ///
    /// ```
    /// use tensor_core::{tensor, windows::Pool1dOptions};
    ///
    /// let x = tensor![1.0, 9.0, 5.0];
    /// assert_eq!(x.max_pool1d(Pool1dOptions::new::<2>().dilation::<2>()), tensor![5.0]);
    /// ```
    #[usage(Pool1dOptions::new::<2>().dilation::<2>())]
    pub fn dilation<const N: usize>(self) -> Pool1dOptions<K, Slide<S, P, Step<N>>, R>
    where
        NumberTable: StepNumber<N>,
    {
        Pool1dOptions { types: PhantomData, excludes_padding: self.excludes_padding }
    }

    /// The last window may reach beyond the axis, as with PyTorch's `ceil_mode`.
    ///
    /// ```
    /// use tensor_core::{tensor, windows::Pool1dOptions};
    ///
    /// let x = tensor![1.0, 2.0, 3.0];
    /// assert_eq!(x.max_pool1d(Pool1dOptions::new::<2>().ceil_mode()), tensor![2.0, 3.0]);
    /// ```
    pub fn ceil_mode(self) -> Pool1dOptions<K, Slide<S, P, D>, RoundUp> {
        Pool1dOptions { types: PhantomData, excludes_padding: self.excludes_padding }
    }

    /// Sets whether the mean of a window counts its padding; by default it does, as in PyTorch.
    ///
    /// ```
    /// use tensor_core::{tensor, windows::Pool1dOptions};
    ///
    /// let options = Pool1dOptions::new::<2>().padding::<1>().count_include_pad(false);
    /// assert_eq!(tensor![2.0, 4.0].avg_pool1d(options), tensor![2.0, 4.0]);
    /// ```
    pub fn count_include_pad(self, counts: bool) -> Self {
        Self { excludes_padding: !counts, ..self }
    }
}

impl<KH, KW, SY, PY, DY, SX, PX, DX, R>
    Pool2dOptions<KH, KW, Slide<SY, PY, DY>, Slide<SX, PX, DX>, R>
{
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
    pub fn stride<const N: usize>(
        self,
    ) -> Pool2dOptions<KH, KW, Slide<Step<N>, PY, DY>, Slide<Step<N>, PX, DX>, R>
    where
        NumberTable: StepNumber<N>,
    {
        Pool2dOptions { types: PhantomData, excludes_padding: self.excludes_padding }
    }

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
    pub fn strides<const Y: usize, const X: usize>(
        self,
    ) -> Pool2dOptions<KH, KW, Slide<Step<Y>, PY, DY>, Slide<Step<X>, PX, DX>, R>
    where
        NumberTable: StepNumber<Y> + StepNumber<X>,
    {
        Pool2dOptions { types: PhantomData, excludes_padding: self.excludes_padding }
    }

    /// Pads with `N` elements on all four sides, which are never a maximum, and 0 in a mean.
    ///
    /// ```
    /// use tensor_core::{tensor, windows::Pool2dOptions};
    ///
    /// let x = tensor![[-1.0, -2.0], [-3.0, -4.0]];
    /// assert_eq!(x.max_pool2d(Pool2dOptions::new::<2>().padding::<1>()), x);
    /// ```
    #[expect(clippy::type_complexity, reason = "a type for each of four sides")]
    #[usage(Pool2dOptions::new::<2>().padding::<1>())]
    pub fn padding<const N: usize>(
        self,
    ) -> Pool2dOptions<
        KH,
        KW,
        Slide<SY, Pads<Padded<N>, Padded<N>>, DY>,
        Slide<SX, Pads<Padded<N>, Padded<N>>, DX>,
        R,
    >
    where
        NumberTable: PaddingNumber<N>,
    {
        Pool2dOptions { types: PhantomData, excludes_padding: self.excludes_padding }
    }

    /// Pads above and below, on the left and on the right.
    ///
    /// ```
    /// use tensor_core::{tensor, windows::Pool2dOptions};
    ///
    /// let x = tensor![[1.0, 2.0], [3.0, 4.0]];
    /// let y = x.max_pool2d(Pool2dOptions::new::<2>().stride::<1>().padding_sides::<0, 0, 0, 1>());
    /// assert_eq!(y, tensor![[4.0, 4.0]]);
    /// ```
    #[expect(clippy::type_complexity, reason = "a type for each of four sides")]
    #[usage(Pool2dOptions::new::<2>().padding_sides::<1, 2, 1, 2>())]
    pub fn padding_sides<
        const ABOVE: usize,
        const BELOW: usize,
        const LEFT: usize,
        const RIGHT: usize,
    >(
        self,
    ) -> Pool2dOptions<
        KH,
        KW,
        Slide<SY, Pads<Padded<ABOVE>, Padded<BELOW>>, DY>,
        Slide<SX, Pads<Padded<LEFT>, Padded<RIGHT>>, DX>,
        R,
    >
    where
        NumberTable: PaddingNumber<ABOVE>
            + PaddingNumber<BELOW>
            + PaddingNumber<LEFT>
            + PaddingNumber<RIGHT>,
    {
        Pool2dOptions { types: PhantomData, excludes_padding: self.excludes_padding }
    }

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
    pub fn dilations<const Y: usize, const X: usize>(
        self,
    ) -> Pool2dOptions<KH, KW, Slide<SY, PY, Step<Y>>, Slide<SX, PX, Step<X>>, R>
    where
        NumberTable: StepNumber<Y> + StepNumber<X>,
    {
        Pool2dOptions { types: PhantomData, excludes_padding: self.excludes_padding }
    }

    /// The last windows may reach beyond the axes, as with PyTorch's `ceil_mode`.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Pool2dOptions};
    ///
    /// let y: Tensor<shape![3, 3]> =
    ///     Tensor::<shape![5, 5]>::ones().max_pool2d(Pool2dOptions::new::<2>().ceil_mode());
    /// # let _ = y;
    /// ```
    pub fn ceil_mode(self) -> Pool2dOptions<KH, KW, Slide<SY, PY, DY>, Slide<SX, PX, DX>, RoundUp> {
        Pool2dOptions { types: PhantomData, excludes_padding: self.excludes_padding }
    }

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
    pub fn count_include_pad(self, counts: bool) -> Self {
        Self { excludes_padding: !counts, ..self }
    }
}
