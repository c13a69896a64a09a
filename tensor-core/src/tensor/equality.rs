//! Whether two tensors are equal, exactly or nearly.

use crate::element::{Element, Float};
use crate::shape::Shape;
use crate::tensor::Tensor;

/// Two tensors are equal when their shapes and all their elements are; NaN equals nothing, not
/// even itself.
///
/// Element by element, `x.equal(&y)` compares and broadcasts.
///
/// ```
/// use tensor_core::tensor;
///
/// assert!(tensor![1.0, 2.0] == tensor![1.0, 2.0]);
/// assert!(tensor![f64::NAN] != tensor![f64::NAN]);
/// ```
impl<S: Shape, T: Element> PartialEq for Tensor<S, T> {
    fn eq(&self, other: &Self) -> bool {
        self.shape == other.shape
            && match (self.as_slice(), other.as_slice()) {
                (Some(a), Some(b)) => a == b,
                _ => self.iter().eq(other.iter()),
            }
    }
}

impl<S: Shape, T: Element> Tensor<S, T> {
    /// Whether every element is near the one of `other`: `|a - b| <= absolute + relative · |b|`,
    /// with `b` from `other`.
    ///
    /// Infinities are near themselves only, NaN is near nothing. As
    /// [NumPy's `allclose`](https://numpy.org/doc/stable/reference/generated/numpy.allclose.html),
    /// whose tolerances are `1e-5` and `1e-8` when none are given.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// let x = tensor![0.1, 0.2] + tensor![0.2, 0.1];
    /// assert!(x != tensor![0.3, 0.3]);
    /// assert!(x.all_close(&tensor![0.3, 0.3], 1e-12, 0.0));
    /// ```
    pub fn all_close(&self, other: &Self, relative: f64, absolute: f64) -> bool
    where
        T: Float,
    {
        let close = |(a, b): (&T, &T)| {
            let (a, b) = (a.to_f64(), b.to_f64());
            a == b || (b.is_finite() && (a - b).abs() <= absolute + relative * b.abs())
        };
        self.shape == other.shape && self.iter().zip(other.iter()).all(close)
    }
}
