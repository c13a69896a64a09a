//! Images of the crate `image`: `[height, width, channels]`.

use image::{ImageBuffer, Pixel};
use tensor_kernels::element::Element;
use tensor_kernels::layout::num_elements;
use tensor_kernels::sizes::error::ShapeError;

use crate::array::dynamic::DynTensor;

/// `[height, width, channels]`, without a copy.
impl<P: Pixel<Subpixel = T>, T: Element> From<ImageBuffer<P, Vec<T>>> for DynTensor<T> {
    fn from(image: ImageBuffer<P, Vec<T>>) -> Self {
        let (width, height) = image.dimensions();
        let sizes = [height as usize, width as usize, usize::from(P::CHANNEL_COUNT)];
        let mut elements = image.into_raw();
        // The `Vec` of an image may be longer than the image.
        elements.truncate(num_elements(&sizes));
        DynTensor::from_row_major(&sizes, elements)
    }
}

/// `[height, width, channels]`; without a copy if the tensor was made from a `Vec`, is contiguous and has
/// no other owner.
impl<P: Pixel<Subpixel = T>, T: Element> TryFrom<DynTensor<T>> for ImageBuffer<P, Vec<T>> {
    type Error = ShapeError;

    fn try_from(tensor: DynTensor<T>) -> Result<Self, Self::Error> {
        let &[height, width, found] = tensor.sizes() else {
            return Err(ShapeError::Rank { expected: 3, found: tensor.rank() });
        };
        let expected = usize::from(P::CHANNEL_COUNT);
        if found != expected {
            return Err(ShapeError::StaticSize { expected, found, axis: 2, name: None });
        }
        let too_large = || ShapeError::TooLarge { sizes: vec![height, width, found] };
        let rows = u32::try_from(height).map_err(|_| too_large())?;
        let columns = u32::try_from(width).map_err(|_| too_large())?;
        match ImageBuffer::from_raw(columns, rows, tensor.into_vec()) {
            Some(image) => Ok(image),
            None => unreachable!("as many elements as the sizes say"),
        }
    }
}
