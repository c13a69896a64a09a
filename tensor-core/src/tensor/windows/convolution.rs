//! Convolution and its transpose.

use crate::shape::Shape;
use crate::shape::broadcast::After;
use crate::shape::windows::{
    Conv1dOptions, Conv2dOptions, ConvOptions, ConvSettings, Convolve, ConvolveTransposed,
    Convolved, ConvolvedTransposed,
};
use crate::tensor::Tensor;
use crate::tensor::operand::{ElementWith, Operand};
use crate::tensor::typed_view::View;
use tensor_array_macros::usage;
use tensor_kernels::element::{Element, Number};

/// # Convolution
#[tensor_array_macros::method_docs]
#[tensor_array_macros::bounds_without_source]
impl<S: Shape, T: Element> Tensor<S, T> {
    #[doc = doc_conv1d!()]
    /// As in all neural network libraries, the window is not mirrored: this is a cross-correlation. A
    /// bias is added explicitly: `x.conv1d(…) + bias.unsqueeze::<-1>()`. Integers wrap around; 16-bit
    /// floats are summed in `f32`.
    /// Panics: If named axes of the channels have different sizes, or if the result does not fit into memory.
    /// ```
    /// let x = tensor![[1.0, 2.0, 4.0, 8.0]];
    /// let differences = x.conv1d(&tensor![[[-1.0, 1.0]]], Conv1dOptions::new());
    /// assert_eq!(differences, tensor![[1.0, 2.0, 4.0]]);
    /// ```
    #[doc(alias("convolve", "correlate"))]
    #[usage(x.conv1d(&weights, Conv1dOptions::new()))]
    pub fn conv1d<R, SR: Shape, X, G>(
        &self,
        weights: R,
        options: Conv1dOptions<X, G>,
    ) -> Tensor<Convolved<S, SR, Conv1dOptions<X, G>>, ElementWith<R, T>>
    where
        R: Operand<T, Shape = SR>,
        After<SR, S>: Convolve<SR, Conv1dOptions<X, G>>,
        Conv1dOptions<X, G>: ConvSettings,
        T: Number,
    {
        convolved(self, weights.as_view(), &options.options(), false)
    }

    #[doc = doc_conv2d!()]
    /// The compiler computes the sizes, and rejects a window that is larger than its padded input. As in
    /// all neural network libraries, the window is not mirrored: this is a cross-correlation. A bias is
    /// added explicitly, by `x.conv2d(…) + bias.unsqueeze::<-1>().unsqueeze::<-1>()`, which works in
    /// place. Integers wrap around; 16-bit floats are summed in `f32`.
    /// Panics: If named axes of the channels have different sizes, or if the result does not fit into memory.
    /// ```
    /// axis!(Batch);
    /// let images = Tensor::<shape![Batch, 3, 32, 32]>::ones_shaped(shape![Batch(8), 3, 32, 32]);
    /// let weights = Tensor::<shape![16, 3, 3, 3]>::ones();
    /// let bias = Tensor::<shape![16]>::ones();
    ///
    /// let y = images.conv2d(&weights, Conv2dOptions::new().stride::<2>().padding::<1>());
    /// let y: Tensor<shape![Batch, 16, 16, 16]> = y + bias.unsqueeze::<-1>().unsqueeze::<-1>();
    /// assert_eq!(y[[7, 15, 15, 15]], 28.0);
    /// ```
    #[doc(alias("convolve", "correlate"))]
    #[usage(x.conv2d(&weights, Conv2dOptions::new()))]
    pub fn conv2d<R, SR: Shape, Y, X, G>(
        &self,
        weights: R,
        options: Conv2dOptions<Y, X, G>,
    ) -> Tensor<Convolved<S, SR, Conv2dOptions<Y, X, G>>, ElementWith<R, T>>
    where
        R: Operand<T, Shape = SR>,
        After<SR, S>: Convolve<SR, Conv2dOptions<Y, X, G>>,
        Conv2dOptions<Y, X, G>: ConvSettings,
        T: Number,
    {
        convolved(self, weights.as_view(), &options.options(), false)
    }

    #[doc = doc_conv_transpose1d!()]
    /// Panics: If named axes of the channels have different sizes, or if the result does not fit into memory.
    /// ```
    /// let x = tensor![[1.0, 2.0]];
    /// let y = x.conv_transpose1d(&tensor![[[1.0, 10.0]]], Conv1dOptions::new().stride::<2>());
    /// assert_eq!(y, tensor![[1.0, 10.0, 2.0, 20.0]]);
    /// ```
    #[doc(alias = "deconvolution")]
    #[usage(x.conv_transpose1d(&weights, Conv1dOptions::new()))]
    pub fn conv_transpose1d<R, SR: Shape, X, G>(
        &self,
        weights: R,
        options: Conv1dOptions<X, G>,
    ) -> Tensor<ConvolvedTransposed<S, SR, Conv1dOptions<X, G>>, ElementWith<R, T>>
    where
        R: Operand<T, Shape = SR>,
        After<SR, S>: ConvolveTransposed<SR, Conv1dOptions<X, G>>,
        Conv1dOptions<X, G>: ConvSettings,
        T: Number,
    {
        convolved(self, weights.as_view(), &options.options(), true)
    }

    #[doc = doc_conv_transpose2d!()]
    /// Panics: If named axes of the channels have different sizes, or if the result does not fit into memory.
    /// ```
    /// let x = Tensor::<shape![1, 14, 14]>::ones();
    /// let weights = Tensor::<shape![1, 8, 2, 2]>::ones();
    /// let twice: Tensor<shape![8, 28, 28]> =
    ///     x.conv_transpose2d(&weights, Conv2dOptions::new().stride::<2>());
    /// assert_eq!(twice, Tensor::ones());
    /// ```
    #[doc(alias = "deconvolution")]
    #[usage(x.conv_transpose2d(&weights, Conv2dOptions::new()))]
    pub fn conv_transpose2d<R, SR: Shape, Y, X, G>(
        &self,
        weights: R,
        options: Conv2dOptions<Y, X, G>,
    ) -> Tensor<ConvolvedTransposed<S, SR, Conv2dOptions<Y, X, G>>, ElementWith<R, T>>
    where
        R: Operand<T, Shape = SR>,
        After<SR, S>: ConvolveTransposed<SR, Conv2dOptions<Y, X, G>>,
        Conv2dOptions<Y, X, G>: ConvSettings,
        T: Number,
    {
        convolved(self, weights.as_view(), &options.options(), true)
    }
}

/// The convolution of tensors whose types were checked; the sizes computed at run time are compared with
/// those of the type.
#[track_caller]
pub(super) fn convolved<S: Shape, W: Shape, O: Shape, T: Number>(
    input: &Tensor<S, T>,
    weights: View<'_, W, T>,
    options: &ConvOptions,
    is_transposed: bool,
) -> Tensor<O, T> {
    Tensor::from_erased(input.erased().convolved(&weights.erased(), options, is_transposed))
}
