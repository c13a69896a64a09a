//! [`DynTensor`]: a tensor whose shape only the run knows, and the way from there to types.

use core::fmt;

mod elementwise;

use crate::array::layout::{ErasedView, Layout, Strides, checked_num_elements, layout};
use crate::array::plan::{broadcast_sizes, broadcast_strides, row_major_strides};
use crate::array::storage::Storage;
use crate::element::Element;
use crate::shape::error::ShapeError;
use crate::shape::{Shape, Sizes};
use crate::tensor::operations::dispatch::{NONE, copy_to_vec, map_erased};
use crate::tensor::{LengthError, Tensor};

mod matmul;
mod reductions;

/// A tensor whose shape is a value: what a file holds before it becomes a [`Tensor`].
///
/// It obeys the same rules of broadcasting and is computed by the same loops; where a `Tensor` does
/// not compile, a `DynTensor` answers with an `Err` in PyTorch's words. One checked step,
/// [`into_tensor`](DynTensor::into_tensor), gives it a type.
///
/// ```
/// use tensor_core::{DynTensor, Tensor, axis, shape};
///
/// axis!(Batch);
/// let read = DynTensor::from_vec(&[2, 3], vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?;
/// let typed: Tensor<shape![Batch, 3], f64> = read.into_tensor()?;
/// assert_eq!(typed.shape(), shape![Batch(2), 3]);
///
/// let (a, b) = (DynTensor::from_vec(&[2], vec![1, 2])?, DynTensor::from_vec(&[3], vec![1, 2, 3])?);
/// assert_eq!(
///     (&a + &b).unwrap_err().to_string(),
///     "The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct DynTensor<T: Element = f32> {
    pub(super) sizes: Sizes,
    pub(super) layout: Layout,
    pub(super) storage: Storage<T>,
}

/// A [`DynTensor`] that has not the shape of the type; [`into_tensor`](Self::into_tensor) gives it
/// back.
#[derive(Clone)]
pub struct IntoTensorError<T: Element> {
    error: ShapeError,
    tensor: DynTensor<T>,
}

impl<T: Element> IntoTensorError<T> {
    /// What does not fit.
    pub fn error(&self) -> &ShapeError {
        &self.error
    }

    /// The tensor that was given.
    pub fn into_tensor(self) -> DynTensor<T> {
        self.tensor
    }
}

impl<T: Element> fmt::Debug for IntoTensorError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IntoTensorError")
            .field("error", &self.error)
            .field("sizes", &self.tensor.sizes)
            .finish()
    }
}

impl<T: Element> fmt::Display for IntoTensorError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl<T: Element> std::error::Error for IntoTensorError<T> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

impl<T: Element> DynTensor<T> {
    /// The tensor of these elements in row-major order.
    ///
    /// # Errors
    ///
    /// When the number of elements is not the product of the sizes; the error gives them back.
    pub fn from_vec(sizes: &[usize], elements: Vec<T>) -> Result<Self, LengthError<T>> {
        if checked_num_elements(sizes) != Some(elements.len()) {
            return Err(LengthError { sizes: sizes.to_vec(), data: elements });
        }
        Ok(Self::from_storage(sizes.into(), Storage::from_vec(elements)))
    }

    /// The tensor that has one value everywhere.
    pub fn full(sizes: &[usize], value: T) -> Self {
        let broadcast = Self::from_storage(Sizes::new(), Storage::from_slice(&[value]));
        match broadcast.broadcast_to(sizes) {
            Ok(view) => view.contiguous(),
            Err(error) => unreachable!("a scalar stretches to every shape: {error}"),
        }
    }

    pub(super) fn from_storage(sizes: Sizes, storage: Storage<T>) -> Self {
        Self { sizes, layout: None, storage }
    }

    /// The sizes, first axis first.
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// The number of axes.
    pub fn rank(&self) -> usize {
        self.sizes.len()
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.sizes.iter().product()
    }

    /// Whether there is no element: some axis has size 0.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The elements in row-major order.
    pub fn to_vec(&self) -> Vec<T> {
        copy_to_vec(self.view())
    }

    /// The tensor with shape `S`, if it has these sizes. Nothing is copied.
    ///
    /// # Errors
    ///
    /// When the number of axes or the size of a static axis is another; the error gives the tensor
    /// back.
    pub fn into_tensor<S: Shape>(self) -> Result<Tensor<S, T>, IntoTensorError<T>> {
        match S::from_sizes(&self.sizes) {
            Ok(shape) => Ok(Tensor { shape, layout: self.layout, storage: self.storage }),
            Err(error) => Err(IntoTensorError { error, tensor: self }),
        }
    }

    fn offset(&self) -> usize {
        self.layout.as_ref().map_or(0, |layout| layout.offset)
    }

    fn strides(&self) -> Strides {
        match &self.layout {
            Some(layout) => layout.strides.clone(),
            None => row_major_strides(&self.sizes),
        }
    }

    fn broadcast_strides_to(&self, rank: usize) -> Strides {
        broadcast_strides(&self.sizes, &self.strides(), rank)
    }

    /// The tensor to read from.
    pub(super) fn view(&self) -> ErasedView<'_, T> {
        ErasedView {
            sizes: &self.sizes,
            layout: self.layout.as_deref(),
            elements: self.storage.as_slice(),
        }
    }

    /// The tensor stretched to `sizes`; nothing is copied.
    ///
    /// # Errors
    ///
    /// When an axis has neither the target's size nor size 1, or when the target has fewer axes.
    pub fn broadcast_to(&self, sizes: &[usize]) -> Result<Self, ShapeError> {
        let result = broadcast_sizes(&self.sizes, sizes)?;
        if result[..] != *sizes {
            let (target, result) = (sizes.to_vec(), result.to_vec());
            return Err(ShapeError::Grows { target, result });
        }
        let layout = layout(sizes, self.offset(), self.broadcast_strides_to(sizes.len()));
        Ok(Self { sizes: result, layout, storage: self.storage.clone() })
    }

    /// The same elements in row-major order with other sizes; copies only what is not in that
    /// order.
    ///
    /// # Errors
    ///
    /// When the number of elements is another.
    pub fn reshape(&self, sizes: &[usize]) -> Result<Self, ShapeError> {
        let found = self.len();
        if checked_num_elements(sizes) != Some(found) {
            let expected =
                sizes.iter().fold(1_usize, |product, &size| product.saturating_mul(size));
            return Err(ShapeError::Length { expected, found, sizes: sizes.to_vec() });
        }
        Ok(Self::from_storage(sizes.into(), self.contiguous().storage))
    }

    /// The tensor in row-major order: itself if it is, else a copy.
    pub fn contiguous(&self) -> Self {
        match self.layout {
            None => self.clone(),
            Some(_) => {
                // SAFETY: the kernel copies elements of this size.
                let storage = unsafe { map_erased(T::COPY, NONE, self.view()) };
                Self::from_storage(self.sizes.clone(), storage)
            }
        }
    }
}

impl<S: Shape, T: Element> From<Tensor<S, T>> for DynTensor<T> {
    fn from(tensor: Tensor<S, T>) -> Self {
        let Tensor { shape, layout, storage } = tensor;
        Self { sizes: shape.sizes(), layout, storage }
    }
}

impl<S: Shape, T: Element> TryFrom<DynTensor<T>> for Tensor<S, T> {
    type Error = IntoTensorError<T>;

    fn try_from(tensor: DynTensor<T>) -> Result<Self, Self::Error> {
        tensor.into_tensor()
    }
}

impl<T: Element> PartialEq for DynTensor<T> {
    fn eq(&self, other: &Self) -> bool {
        self.sizes == other.sizes && self.to_vec() == other.to_vec()
    }
}

impl<T: Element> fmt::Debug for DynTensor<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DynTensor{:?} {} {:?}", &self.sizes[..], T::NAME, self.to_vec())
    }
}
