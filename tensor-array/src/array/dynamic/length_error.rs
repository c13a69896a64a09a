//! [`LengthError`]: the wrong number of elements for a shape.

use core::fmt;

use tensor_kernels::sizes::count::checked_num_elements;
use tensor_kernels::sizes::error::ShapeError;

/// The error of [`Tensor::from_vec`](https://docs.rs/tensor-core/latest/tensor_core/struct.Tensor.html#method.from_vec):
/// a `Vec` of the wrong length, which [`into_data`] returns.
///
/// [`into_data`]: LengthError::into_data
#[derive(Clone, PartialEq)]
pub struct LengthError<T> {
    sizes: Vec<usize>,
    data: Vec<T>,
    /// A shape that is invalid whatever the length.
    two_sizes: Option<Box<ShapeError>>,
}

impl<T> LengthError<T> {
    #[doc(hidden)]
    pub fn new(sizes: &[usize], data: Vec<T>, two_sizes: Option<Box<ShapeError>>) -> Self {
        Self { sizes: sizes.to_vec(), data, two_sizes }
    }

    /// Returns the elements that were passed.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape};
    ///
    /// let error = Tensor::<shape![4]>::from_vec(vec![1.0, 2.0]).unwrap_err();
    /// assert_eq!(error.into_data(), [1.0, 2.0]);
    /// ```
    pub fn into_data(self) -> Vec<T> {
        self.data
    }

    /// The number of elements of the shape; `usize::MAX` if it overflows memory.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape};
    ///
    /// let error = Tensor::<shape![4]>::from_vec(vec![1.0, 2.0]).unwrap_err();
    /// assert_eq!(error.expected(), 4);
    /// ```
    pub fn expected(&self) -> usize {
        checked_num_elements(&self.sizes).unwrap_or(usize::MAX)
    }

    /// The number of elements that were passed.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape};
    ///
    /// let error = Tensor::<shape![4]>::from_vec(vec![1.0, 2.0]).unwrap_err();
    /// assert_eq!(error.found(), 2);
    /// ```
    pub fn found(&self) -> usize {
        self.data.len()
    }
}

impl<T> fmt::Display for LengthError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (expected, found) = (self.expected(), self.found());
        match &self.two_sizes {
            Some(error) => error.fmt(f),
            None => ShapeError::Length { expected, found, sizes: self.sizes.clone() }.fmt(f),
        }
    }
}

// The message, without the elements.
tensor_kernels::__debug_as_display!(LengthError<T>, [T]);

impl<T> std::error::Error for LengthError<T> {}

/// Drops the elements.
impl<T> From<LengthError<T>> for ShapeError {
    fn from(error: LengthError<T>) -> Self {
        let (expected, found) = (error.expected(), error.found());
        match error.two_sizes {
            Some(error) => *error,
            None => Self::Length { expected, found, sizes: error.sizes },
        }
    }
}
