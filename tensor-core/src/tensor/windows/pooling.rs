//! Pooling and interpolation.

use crate::shape::windows::{
    Interpolation, Pool, Pool1dOptions, Pool2dOptions, PoolOptions, PoolSettings, Pooled, Resize,
    Resized,
};
use crate::shape::{Shape, StaticShape};
use crate::tensor::Tensor;
use tensor_array_macros::usage;
use tensor_kernels::element::{Element, Float, Number};

/// # Pooling
#[tensor_array_macros::method_docs]
#[tensor_array_macros::bounds_without_source]
impl<S: Shape, T: Element> Tensor<S, T> {
    #[doc = doc_max_pool1d!()]
    /// Panics: If the result does not fit into memory.
    /// ```
    /// let x = tensor![1.0, 5.0, 2.0, 3.0];
    /// assert_eq!(x.max_pool1d(Pool1dOptions::new::<2>()), tensor![5.0, 3.0]);
    /// ```
    #[usage(x.max_pool1d(Pool1dOptions::new::<2>()))]
    pub fn max_pool1d<K, X, R>(
        &self,
        options: Pool1dOptions<K, X, R>,
    ) -> Tensor<Pooled<S, Pool1dOptions<K, X, R>>, T>
    where
        S: Pool<Pool1dOptions<K, X, R>>,
        Pool1dOptions<K, X, R>: PoolSettings,
        T: Number,
    {
        max_pooled(self, &options.options())
    }

    #[doc = doc_max_pool2d!()]
    /// Panics: If the result does not fit into memory.
    /// ```
    /// let x = Tensor::<shape![64, 112, 112]>::ones();
    /// let y: Tensor<shape![64, 56, 56]> =
    ///     x.max_pool2d(Pool2dOptions::new::<3>().stride::<2>().padding::<1>());
    /// assert_eq!(y, Tensor::ones());
    /// ```
    #[usage(x.max_pool2d(Pool2dOptions::new::<2>()))]
    pub fn max_pool2d<KH, KW, Y, X, R>(
        &self,
        options: Pool2dOptions<KH, KW, Y, X, R>,
    ) -> Tensor<Pooled<S, Pool2dOptions<KH, KW, Y, X, R>>, T>
    where
        S: Pool<Pool2dOptions<KH, KW, Y, X, R>>,
        Pool2dOptions<KH, KW, Y, X, R>: PoolSettings,
        T: Number,
    {
        max_pooled(self, &options.options())
    }

    #[doc = doc_avg_pool1d!()]
    /// Padding counts as 0 unless [`count_include_pad`](Pool1dOptions::count_include_pad) excludes it from the
    /// mean. The mean of a window without elements is NaN.
    /// Panics: If the result does not fit into memory.
    /// ```
    /// let x = tensor![1.0, 5.0, 2.0, 4.0];
    /// assert_eq!(x.avg_pool1d(Pool1dOptions::new::<2>()), tensor![3.0, 3.0]);
    /// ```
    #[doc(alias = "mean_pool")]
    #[usage(x.avg_pool1d(Pool1dOptions::new::<2>()))]
    pub fn avg_pool1d<K, X, R>(
        &self,
        options: Pool1dOptions<K, X, R>,
    ) -> Tensor<Pooled<S, Pool1dOptions<K, X, R>>, T>
    where
        S: Pool<Pool1dOptions<K, X, R>>,
        Pool1dOptions<K, X, R>: PoolSettings,
        T: Float,
    {
        avg_pooled(self, &options.options())
    }

    #[doc = doc_avg_pool2d!()]
    /// Padding counts as 0 unless [`count_include_pad`](Pool2dOptions::count_include_pad) excludes it from the
    /// mean. The mean of a window without elements is NaN. For the mean of whole images, use
    /// `x.mean_axes::<axes![-2, -1]>()`.
    /// Panics: If the result does not fit into memory.
    /// ```
    /// let x = tensor![[1.0, 2.0], [3.0, 6.0]];
    /// assert_eq!(x.avg_pool2d(Pool2dOptions::new::<2>()), tensor![[3.0]]);
    /// ```
    #[doc(alias = "mean_pool")]
    #[usage(x.avg_pool2d(Pool2dOptions::new::<2>()))]
    pub fn avg_pool2d<KH, KW, Y, X, R>(
        &self,
        options: Pool2dOptions<KH, KW, Y, X, R>,
    ) -> Tensor<Pooled<S, Pool2dOptions<KH, KW, Y, X, R>>, T>
    where
        S: Pool<Pool2dOptions<KH, KW, Y, X, R>>,
        Pool2dOptions<KH, KW, Y, X, R>: PoolSettings,
        T: Float,
    {
        avg_pooled(self, &options.options())
    }

    #[doc = doc_adaptive_avg_pool!()]
    /// The sizes are those of `Target`.
    /// Panics: If an axis has no element to take the mean of, or if the result does not fit into memory.
    /// ```
    /// axis!(Height);
    /// axis!(Width);
    /// let image = Tensor::<shape![3, Height, Width]>::ones_shaped(shape![3, Height(50), Width(31)]);
    /// let small: Tensor<shape![3, 7, 7]> = image.adaptive_avg_pool::<shape![7, 7]>();
    /// assert!(small.all_close(&Tensor::ones(), 1e-6, 0.0));
    /// ```
    #[doc(alias("adaptive_avg_pool1d", "adaptive_avg_pool2d"))]
    #[usage(x.adaptive_avg_pool::<shape![7, 7]>())]
    pub fn adaptive_avg_pool<Target>(&self) -> Tensor<Resized<S, Target>, T>
    where
        S: Resize<Target>,
        Target: StaticShape,
        T: Float,
    {
        Tensor::from_erased(self.erased().adaptive_avg_pool(&Target::VALUE.sizes()))
    }

    #[doc = doc_interpolate!()]
    /// Panics: If an axis without elements is to become longer, or if the result does not fit into memory.
    /// ```
    /// let x = tensor![[0.0, 2.0], [4.0, 6.0]];
    /// let between = x.interpolate::<shape![3, 3]>(Interpolation::BilinearAlignCorners);
    /// assert_eq!(between, tensor![[0.0, 1.0, 2.0], [2.0, 3.0, 4.0], [4.0, 5.0, 6.0]]);
    /// let twice = tensor![1.0, 2.0].interpolate::<shape![4]>(Interpolation::Nearest);
    /// assert_eq!(twice, tensor![1.0, 1.0, 2.0, 2.0]);
    /// ```
    #[doc(alias("resize", "upsample", "zoom", "bilinear"))]
    #[usage(x.interpolate::<shape![56, 56]>(Interpolation::Bilinear))]
    pub fn interpolate<Target>(&self, interpolation: Interpolation) -> Tensor<Resized<S, Target>, T>
    where
        S: Resize<Target>,
        Target: StaticShape,
        T: Float,
    {
        Tensor::from_erased(self.erased().interpolate(&Target::VALUE.sizes(), interpolation))
    }
}

#[track_caller]
pub(super) fn max_pooled<S: Shape, O: Shape, T: Number>(
    input: &Tensor<S, T>,
    options: &PoolOptions,
) -> Tensor<O, T> {
    Tensor::from_erased(input.erased().max_pool(options))
}

#[track_caller]
pub(super) fn avg_pooled<S: Shape, O: Shape, T: Float>(
    input: &Tensor<S, T>,
    options: &PoolOptions,
) -> Tensor<O, T> {
    Tensor::from_erased(input.erased().avg_pool(options))
}
