//! Constructors of sequences: `eye`, `arange`, `linspace`.

use super::DynTensor;
use crate::array::layout::num_elements;
use crate::element::{Element, Float, Number};
use crate::sizes::Sizes;
use crate::tensor::ranges::{arange, linspace};

/// # Ranges and identity matrices
#[tensor_macros::bounds_without_source]
impl<T: Element> DynTensor<T> {
    /// The identity matrix of `n` rows: `[n, n]`.
    ///
    /// # Panics
    ///
    /// If the elements exceed `isize::MAX` bytes.
    ///
    /// ```
    /// use tensor_core::DynTensor;
    ///
    /// assert_eq!(DynTensor::<i32>::eye(2).to_vec(), [1, 0, 0, 1]);
    /// ```
    #[doc(alias = "identity")]
    #[track_caller]
    pub fn eye(n: usize) -> Self {
        Self::from_fn(&[n, n], |index| if index[0] == index[1] { T::ONE } else { T::ZERO })
    }

    /// `0, 1, …, n - 1`: `[n]`. Integers wrap around.
    ///
    /// # Panics
    ///
    /// If the elements exceed `isize::MAX` bytes.
    ///
    /// ```
    /// use tensor_core::DynTensor;
    ///
    /// assert_eq!(DynTensor::<i64>::arange(4).to_vec(), [0, 1, 2, 3]);
    /// ```
    #[doc(alias = "range")]
    #[track_caller]
    pub fn arange(n: usize) -> Self
    where
        T: Number,
    {
        Self::arange_from(n, T::ZERO, T::ONE)
    }

    /// Evenly spaced values `start, start + step, …, start + (n - 1) step`, `[n]`. Integers wrap around.
    ///
    /// # Panics
    ///
    /// If the elements exceed `isize::MAX` bytes.
    ///
    /// ```
    /// use tensor_core::DynTensor;
    ///
    /// assert_eq!(DynTensor::arange_from(4, 5, -2).to_vec(), [5, 3, 1, -1]);
    /// ```
    #[track_caller]
    pub fn arange_from(n: usize, start: T, step: T) -> Self
    where
        T: Number,
    {
        let len = num_elements(&[n]);
        Self::from_storage(Sizes::from_slice(&[n]), arange(len, start, step))
    }

    /// `n` evenly spaced values from `start` to `end`, both included, `[n]`, as NumPy's `linspace`;
    /// `start` alone for `n = 1`.
    ///
    /// # Panics
    ///
    /// If the elements exceed `isize::MAX` bytes.
    ///
    /// ```
    /// use tensor_core::DynTensor;
    ///
    /// assert_eq!(DynTensor::linspace(5, 0.0, 1.0).to_vec(), [0.0, 0.25, 0.5, 0.75, 1.0]);
    /// ```
    #[track_caller]
    pub fn linspace(n: usize, start: T, end: T) -> Self
    where
        T: Float,
    {
        let len = num_elements(&[n]);
        Self::from_storage(Sizes::from_slice(&[n]), linspace(len, start, end))
    }
}
