//! Convolution and pooling along three axes.

use super::convolution::convolved;
use super::pooling::{avg_pooled, max_pooled};
use crate::shape::Shape;
use crate::shape::broadcast::After;
use crate::shape::windows::{
    Conv3dOptions, ConvSettings, Convolve, ConvolveTransposed, Convolved, ConvolvedTransposed,
    Pool, Pool3dOptions, PoolSettings, Pooled,
};
use crate::tensor::Tensor;
use crate::tensor::operand::{ElementWith, Operand};
use tensor_array_macros::usage;
use tensor_kernels::element::{Element, Float, Number};

/// # Convolution
#[tensor_array_macros::method_docs]
#[tensor_array_macros::bounds_without_source]
impl<S: Shape, T: Element> Tensor<S, T> {
    #[doc = doc_conv3d!()]
    /// Otherwise as [`conv2d`](Tensor::conv2d).
    /// Panics: If named axes of the channels have different sizes, or if the result does not fit into memory.
    /// ```
    /// axis!(Batch);
    /// let videos = Tensor::<shape![Batch, 3, 8, 6, 6]>::ones_shaped(shape![Batch(2), 3, 8, 6, 6]);
    /// let weights = Tensor::<shape![4, 3, 3, 3, 3]>::ones();
    /// let y: Tensor<shape![Batch, 4, 8, 6, 6]> = videos.conv3d(&weights, Conv3dOptions::new().same());
    /// assert_eq!(y[[1, 3, 4, 3, 3]], 81.0);
    /// ```
    #[doc(alias("convolve", "correlate"))]
    #[usage(x.conv3d(&weights, Conv3dOptions::new()))]
    pub fn conv3d<R, SR: Shape, Z, Y, X, G>(
        &self,
        weights: R,
        options: Conv3dOptions<Z, Y, X, G>,
    ) -> Tensor<Convolved<S, SR, Conv3dOptions<Z, Y, X, G>>, ElementWith<R, T>>
    where
        R: Operand<T, Shape = SR>,
        After<SR, S>: Convolve<SR, Conv3dOptions<Z, Y, X, G>>,
        Conv3dOptions<Z, Y, X, G>: ConvSettings,
        T: Number,
    {
        convolved(self, weights.as_view(), &options.options(), false)
    }

    #[doc = doc_conv_transpose3d!()]
    /// Panics: If named axes of the channels have different sizes, or if the result does not fit into memory.
    /// ```
    /// let x = Tensor::<shape![1, 4, 4, 4]>::ones();
    /// let weights = Tensor::<shape![1, 2, 2, 2, 2]>::ones();
    /// let twice: Tensor<shape![2, 8, 8, 8]> =
    ///     x.conv_transpose3d(&weights, Conv3dOptions::new().stride::<2>());
    /// assert_eq!(twice, Tensor::ones());
    /// ```
    #[doc(alias = "deconvolution")]
    #[usage(x.conv_transpose3d(&weights, Conv3dOptions::new()))]
    pub fn conv_transpose3d<R, SR: Shape, Z, Y, X, G>(
        &self,
        weights: R,
        options: Conv3dOptions<Z, Y, X, G>,
    ) -> Tensor<ConvolvedTransposed<S, SR, Conv3dOptions<Z, Y, X, G>>, ElementWith<R, T>>
    where
        R: Operand<T, Shape = SR>,
        After<SR, S>: ConvolveTransposed<SR, Conv3dOptions<Z, Y, X, G>>,
        Conv3dOptions<Z, Y, X, G>: ConvSettings,
        T: Number,
    {
        convolved(self, weights.as_view(), &options.options(), true)
    }
}

/// # Pooling
#[tensor_array_macros::method_docs]
#[tensor_array_macros::bounds_without_source]
impl<S: Shape, T: Element> Tensor<S, T> {
    #[doc = doc_max_pool3d!()]
    /// Padding is never the largest; a window of padding alone has the smallest number, of floats -∞.
    /// Panics: If the result does not fit into memory.
    /// ```
    /// let x = Tensor::<shape![16, 8, 12, 12]>::ones();
    /// let y: Tensor<shape![16, 4, 6, 6]> = x.max_pool3d(Pool3dOptions::new::<2>());
    /// assert_eq!(y, Tensor::ones());
    /// ```
    #[usage(x.max_pool3d(Pool3dOptions::new::<2>()))]
    pub fn max_pool3d<KD, KH, KW, Z, Y, X, R>(
        &self,
        options: Pool3dOptions<KD, KH, KW, Z, Y, X, R>,
    ) -> Tensor<Pooled<S, Pool3dOptions<KD, KH, KW, Z, Y, X, R>>, T>
    where
        S: Pool<Pool3dOptions<KD, KH, KW, Z, Y, X, R>>,
        Pool3dOptions<KD, KH, KW, Z, Y, X, R>: PoolSettings,
        T: Number,
    {
        max_pooled(self, &options.options())
    }

    #[doc = doc_avg_pool3d!()]
    /// Padding counts as 0 unless [`count_include_pad`](Pool3dOptions::count_include_pad) excludes it from the
    /// mean. The mean of a window without elements is NaN.
    /// Panics: If the result does not fit into memory.
    /// ```
    /// let x = tensor![[[1.0, 2.0], [3.0, 6.0]], [[1.0, 2.0], [3.0, 6.0]]];
    /// assert_eq!(x.avg_pool3d(Pool3dOptions::new::<2>()), tensor![[[3.0]]]);
    /// ```
    #[doc(alias = "mean_pool")]
    #[usage(x.avg_pool3d(Pool3dOptions::new::<2>()))]
    pub fn avg_pool3d<KD, KH, KW, Z, Y, X, R>(
        &self,
        options: Pool3dOptions<KD, KH, KW, Z, Y, X, R>,
    ) -> Tensor<Pooled<S, Pool3dOptions<KD, KH, KW, Z, Y, X, R>>, T>
    where
        S: Pool<Pool3dOptions<KD, KH, KW, Z, Y, X, R>>,
        Pool3dOptions<KD, KH, KW, Z, Y, X, R>: PoolSettings,
        T: Float,
    {
        avg_pooled(self, &options.options())
    }
}
