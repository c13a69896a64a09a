//! The methods that set the options of pooling along three axes: each changes one option, a part of the type.

use core::marker::PhantomData;

use super::super::{NumberTable, Padded, PaddingNumber, Pads, RoundUp, Slide, Step, StepNumber};
use super::{Both, Pool3dOptions};
use crate::shape::axis::One;

impl Pool3dOptions<One, One, One> {
    /// A window of `N` elements along each axis, with a stride of `N`.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Pool3dOptions};
    ///
    /// let x = Tensor::<shape![4, 4, 4]>::ones();
    /// assert_eq!(x.max_pool3d(Pool3dOptions::new::<2>()), Tensor::<shape![2, 2, 2]>::ones());
    /// ```
    pub fn new<const N: usize>() -> Pool3dOptions<Step<N>, Step<N>, Step<N>>
    where
        NumberTable: StepNumber<N>,
    {
        Pool3dOptions::default()
    }

    /// A window of `D` by `H` by `W` elements, with strides of its sizes.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Pool3dOptions};
    ///
    /// let x = Tensor::<shape![4, 4, 6]>::ones();
    /// let y: Tensor<shape![4, 2, 2]> = x.max_pool3d(Pool3dOptions::sizes::<1, 2, 3>());
    /// # let _ = y;
    /// ```
    pub fn sizes<const D: usize, const H: usize, const W: usize>()
    -> Pool3dOptions<Step<D>, Step<H>, Step<W>>
    where
        NumberTable: StepNumber<D> + StepNumber<H> + StepNumber<W>,
    {
        Pool3dOptions::default()
    }
}

impl<KD, KH, KW, SZ, PZ, DZ, SY, PY, DY, SX, PX, DX, R>
    Pool3dOptions<KD, KH, KW, Slide<SZ, PZ, DZ>, Slide<SY, PY, DY>, Slide<SX, PX, DX>, R>
{
    /// The same window with other options of its movement.
    fn moved<Z, Y, X, Rounding>(self) -> Pool3dOptions<KD, KH, KW, Z, Y, X, Rounding> {
        Pool3dOptions { types: PhantomData, excludes_padding: self.excludes_padding }
    }

    /// The stride `N` of the window along each axis.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Pool3dOptions};
    ///
    /// let x = Tensor::<shape![5, 5, 5]>::ones();
    /// let y: Tensor<shape![4, 4, 4]> = x.max_pool3d(Pool3dOptions::new::<2>().stride::<1>());
    /// # let _ = y;
    /// ```
    #[expect(clippy::type_complexity, reason = "a type for each axis")]
    pub fn stride<const N: usize>(
        self,
    ) -> Pool3dOptions<
        KD,
        KH,
        KW,
        Slide<Step<N>, PZ, DZ>,
        Slide<Step<N>, PY, DY>,
        Slide<Step<N>, PX, DX>,
        R,
    >
    where
        NumberTable: StepNumber<N>,
    {
        self.moved()
    }

    /// The stride of the window along each axis.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Pool3dOptions};
    ///
    /// let x = Tensor::<shape![5, 5, 5]>::ones();
    /// let y: Tensor<shape![4, 2, 2]> = x.max_pool3d(Pool3dOptions::new::<2>().strides::<1, 2, 3>());
    /// # let _ = y;
    /// ```
    #[expect(clippy::type_complexity, reason = "a type for each axis")]
    pub fn strides<const Z: usize, const Y: usize, const X: usize>(
        self,
    ) -> Pool3dOptions<
        KD,
        KH,
        KW,
        Slide<Step<Z>, PZ, DZ>,
        Slide<Step<Y>, PY, DY>,
        Slide<Step<X>, PX, DX>,
        R,
    >
    where
        NumberTable: StepNumber<Z> + StepNumber<Y> + StepNumber<X>,
    {
        self.moved()
    }

    /// Pads with `N` elements on both sides of each axis, which are never a maximum, and 0 in a mean.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Pool3dOptions};
    ///
    /// let x = Tensor::<shape![2, 2, 2]>::full(-1.0);
    /// assert_eq!(x.max_pool3d(Pool3dOptions::new::<2>().padding::<1>()), x);
    /// ```
    #[expect(clippy::type_complexity, reason = "a type for each axis")]
    pub fn padding<const N: usize>(
        self,
    ) -> Pool3dOptions<
        KD,
        KH,
        KW,
        Slide<SZ, Both<N>, DZ>,
        Slide<SY, Both<N>, DY>,
        Slide<SX, Both<N>, DX>,
        R,
    >
    where
        NumberTable: PaddingNumber<N>,
    {
        self.moved()
    }

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
    ) -> Pool3dOptions<
        KD,
        KH,
        KW,
        Slide<SZ, Pads<Padded<FRONT>, Padded<BEHIND>>, DZ>,
        Slide<SY, Pads<Padded<ABOVE>, Padded<BELOW>>, DY>,
        Slide<SX, Pads<Padded<LEFT>, Padded<RIGHT>>, DX>,
        R,
    >
    where
        NumberTable: PaddingNumber<FRONT>
            + PaddingNumber<BEHIND>
            + PaddingNumber<ABOVE>
            + PaddingNumber<BELOW>
            + PaddingNumber<LEFT>
            + PaddingNumber<RIGHT>,
    {
        self.moved()
    }

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
    #[expect(clippy::type_complexity, reason = "a type for each axis")]
    pub fn dilations<const Z: usize, const Y: usize, const X: usize>(
        self,
    ) -> Pool3dOptions<
        KD,
        KH,
        KW,
        Slide<SZ, PZ, Step<Z>>,
        Slide<SY, PY, Step<Y>>,
        Slide<SX, PX, Step<X>>,
        R,
    >
    where
        NumberTable: StepNumber<Z> + StepNumber<Y> + StepNumber<X>,
    {
        self.moved()
    }

    /// The last windows may reach beyond the axes, as with PyTorch's `ceil_mode`.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, windows::Pool3dOptions};
    ///
    /// let x = Tensor::<shape![5, 5, 5]>::ones();
    /// let y: Tensor<shape![3, 3, 3]> = x.max_pool3d(Pool3dOptions::new::<2>().ceil_mode());
    /// # let _ = y;
    /// ```
    #[expect(clippy::type_complexity, reason = "a type for each axis")]
    pub fn ceil_mode(
        self,
    ) -> Pool3dOptions<KD, KH, KW, Slide<SZ, PZ, DZ>, Slide<SY, PY, DY>, Slide<SX, PX, DX>, RoundUp>
    {
        self.moved()
    }

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
    pub fn count_include_pad(self, counts: bool) -> Self {
        Self { excludes_padding: !counts, ..self }
    }
}
