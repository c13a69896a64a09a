//! Images of the crate `image`: `[height, width, channels]`.

use image::{ImageBuffer, Pixel};
use tensor_kernels::element::Element;

use crate::shape::Shape;
use crate::shape::error::ShapeError;
use crate::tensor::{DynTensor, IntoTensor, IntoTensorError, Tensor};

/// `[height, width, channels]`, if the image has this shape. Without a copy; the error returns the
/// elements.
impl<S: Shape, P: Pixel<Subpixel = T>, T: Element> TryFrom<ImageBuffer<P, Vec<T>>>
    for Tensor<S, T>
{
    type Error = IntoTensorError<T>;

    fn try_from(image: ImageBuffer<P, Vec<T>>) -> Result<Self, Self::Error> {
        DynTensor::from(image).into_tensor()
    }
}

/// `[height, width, channels]`, like that of a [`DynTensor`].
impl<S: Shape, P: Pixel<Subpixel = T>, T: Element> TryFrom<Tensor<S, T>>
    for ImageBuffer<P, Vec<T>>
{
    type Error = ShapeError;

    fn try_from(tensor: Tensor<S, T>) -> Result<Self, Self::Error> {
        DynTensor::from(tensor).try_into()
    }
}
