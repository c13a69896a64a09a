//! Constructors of sequences: `eye`, `arange`, `linspace`.

use tensor_kernels::element::{Element, Float, Number};
use tensor_kernels::layout::num_elements;
use tensor_kernels::sizes::Sizes;
use tensor_kernels::storage::{Storage, each_from};

use super::DynTensor;

/// # Ranges and identity matrices
#[tensor_array_macros::method_docs(twins)]
#[tensor_array_macros::bounds_without_source]
impl<T: Element> DynTensor<T> {
    /// Identity matrix, `[n, n]`: ones on the diagonal, zeros elsewhere.
    /// Panics: If the elements exceed `isize::MAX` bytes.
    /// ```
    /// assert_eq!(DynTensor::<i32>::eye(2).to_vec(), [1, 0, 0, 1]);
    /// ```
    #[doc(alias = "identity")]
    pub fn eye(n: usize) -> Self {
        Self::from_fn(&[n, n], |index| if index[0] == index[1] { T::ONE } else { T::ZERO })
    }

    /// Evenly spaced values `0, 1, …, n - 1`, `[n]`, as NumPy's `arange(n)`.
    ///
    /// Integers wrap around.
    /// Panics: If the elements exceed `isize::MAX` bytes.
    /// ```
    /// assert_eq!(DynTensor::<i64>::arange(4).to_vec(), [0, 1, 2, 3]);
    /// ```
    #[doc(alias = "range")]
    pub fn arange(n: usize) -> Self
    where
        T: Number,
    {
        Self::arange_from(n, T::ZERO, T::ONE)
    }

    /// Evenly spaced values `start, start + step, …, start + (n - 1) step`, `[n]`. Integers wrap around.
    /// Panics: If the elements exceed `isize::MAX` bytes.
    /// ```
    /// assert_eq!(DynTensor::arange_from(4, 5, -2).to_vec(), [5, 3, 1, -1]);
    /// ```
    pub fn arange_from(n: usize, start: T, step: T) -> Self
    where
        T: Number,
    {
        let len = num_elements(&[n]);
        Self::from_storage(Sizes::from_slice(&[n]), arange(len, start, step))
    }

    /// `n` evenly spaced values from `start` to `end`, both included, `[n]`, as NumPy's `linspace`; `start` alone
    /// for `n = 1`.
    /// Panics: If the elements exceed `isize::MAX` bytes.
    /// ```
    /// assert_eq!(DynTensor::linspace(5, 0.0, 1.0).to_vec(), [0.0, 0.25, 0.5, 0.75, 1.0]);
    /// ```
    pub fn linspace(n: usize, start: T, end: T) -> Self
    where
        T: Float,
    {
        let len = num_elements(&[n]);
        Self::from_storage(Sizes::from_slice(&[n]), linspace(len, start, end))
    }
}

/// `start, start + step, …`
#[doc(hidden)]
pub fn arange<T: Number>(len: usize, start: T, step: T) -> Storage<T> {
    let is_float = T::from_f64(0.5) != T::ZERO;
    if is_float {
        // A running sum would accumulate rounding errors.
        let (start, step) = (start.to_f64(), step.to_f64());
        each_from(len, |number| T::from_f64(start + number as f64 * step))
    } else {
        let mut next = start;
        each_from(len, |_| {
            let element = next;
            next = next.add(step);
            element
        })
    }
}

/// Evenly spaced values from `start` to `end`, both included.
#[doc(hidden)]
pub fn linspace<T: Float>(len: usize, start: T, end: T) -> Storage<T> {
    let last = len.saturating_sub(1);
    let (from, to) = (start.to_f64(), end.to_f64());
    let step = (to - from) / last.max(1) as f64;
    each_from(len, |number| match number {
        0 => start,
        _ if number == last => end,
        _ => T::from_f64(from + number as f64 * step),
    })
}
