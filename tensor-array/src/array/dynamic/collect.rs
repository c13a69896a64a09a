//! The traits of `std` that create a [`DynTensor`]: `Default` and `FromIterator`.

use tensor_kernels::element::Element;
use tensor_kernels::evaluate::unwrap_or_panic;

use crate::array::dynamic::DynTensor;

/// An empty tensor: one axis, of size 0.
impl<T: Element> Default for DynTensor<T> {
    fn default() -> Self {
        Self::zeros(&[0])
    }
}

/// Collects elements into a vector: `[n]`.
///
/// ```
/// use tensor_core::DynTensor;
///
/// let squares: DynTensor<i32> = (1..=4).map(|n| n * n).collect();
/// assert_eq!(squares.sizes(), [4]);
/// ```
impl<T: Element> FromIterator<T> for DynTensor<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        let elements: Vec<T> = elements.into_iter().collect();
        unwrap_or_panic(Self::from_vec(&[elements.len()], elements))
    }
}
