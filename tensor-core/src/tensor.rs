//! [`Tensor`]: a shape, elements, and the layout that finds the element of an index.

use crate::array::layout::Layout;
use crate::array::storage::Storage;
use crate::element::Element;
use crate::shape::Shape;
use crate::tensor::typed_view::View;

/// An array with shape `S` and elements of type `T`; `a + b` broadcasts or does not compile.
///
/// A tensor is a value with copy-on-write storage: cloning and views (`transpose`, `expand`,
/// `reshape` …) do not copy elements, and writing to one tensor never changes another. Up to 16
/// elements are stored inline.
///
/// ```
/// use tensor_core::{Tensor, shape, tensor};
///
/// let rows: Tensor<shape![2, 3]> = tensor![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
/// let bias = tensor![10.0, 20.0, 30.0];
/// assert_eq!(rows + bias, tensor![[11.0, 22.0, 33.0], [14.0, 25.0, 36.0]]);
/// ```
#[derive(Clone)]
pub struct Tensor<S: Shape, T: Element = f32> {
    pub(crate) shape: S,
    pub(crate) layout: Layout,
    pub(crate) storage: Storage<T>,
}

impl<S: Shape, T: Element> Tensor<S, T> {
    /// The tensor of elements in row-major order.
    #[inline]
    pub(crate) fn from_storage(shape: S, storage: Storage<T>) -> Self {
        Self { shape, layout: None, storage }
    }

    /// The tensor for reading.
    #[inline]
    pub(crate) fn view(&self) -> View<'_, S, T> {
        View {
            shape: self.shape,
            layout: self.layout.as_deref(),
            elements: self.storage.as_slice(),
        }
    }

    /// The shape, as a value.
    ///
    /// ```
    /// use tensor_core::{Shape, Tensor, shape};
    ///
    /// let x = Tensor::<shape![2, 3]>::zeros();
    /// assert_eq!(x.shape().sizes()[..], [2, 3]);
    /// ```
    #[inline]
    #[doc(alias = "size")]
    pub fn shape(&self) -> S {
        self.shape
    }

    /// The number of elements.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// assert_eq!(tensor![[1, 2, 3], [4, 5, 6]].len(), 6);
    /// ```
    #[inline]
    #[doc(alias = "numel")]
    #[doc(alias = "size")]
    pub fn len(&self) -> usize {
        self.shape.num_elements()
    }

    /// Whether there are no elements: an axis has size 0.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape};
    ///
    /// assert!(Tensor::<shape![2, 0]>::zeros().is_empty());
    /// ```
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The elements as a slice in row-major order, if they are contiguous; `None` for most views.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// let x = tensor![[1, 2], [3, 4]];
    /// assert_eq!(x.as_slice(), Some(&[1, 2, 3, 4][..]));
    /// assert_eq!(x.transpose().as_slice(), None);
    /// assert_eq!(x.transpose().to_vec(), [1, 3, 2, 4]);
    /// ```
    pub fn as_slice(&self) -> Option<&[T]> {
        self.view().as_slice()
    }
}

pub(crate) mod aliases;
mod arrays;
pub mod broadcast_warning;
mod construct;
pub(crate) mod display;
mod dynamic;
mod equality;
mod index;
mod iter;
pub(crate) mod operand;
pub(crate) mod operations;
mod ranges;
pub(crate) mod typed_view;
mod view;

pub use arrays::{ArrayLength, HasLength, HasSizes, IsLength, SecondPart, ThenLength};
pub use construct::LengthError;
pub use dynamic::{DynTensor, IntoTensorError};
pub use index::OneElement;
pub use iter::Iter;
pub use operand::Operand;
pub use operations::{select, zip_with, zip_with3, zip_with4};
pub use ranges::SquareShape;
