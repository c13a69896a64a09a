//! Other ways to see the same elements: these copy nothing, unless they say so.

use crate::element::Element;
use crate::operations::apply::map;
use crate::shape::Shape;
use crate::tensor::Tensor;

impl<S: Shape, T: Element> Tensor<S, T> {
    /// The tensor with its elements in row-major order: itself where they are, a copy where not.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// let x = tensor![[1, 2], [3, 4]].transpose();
    /// assert_eq!(x.as_slice(), None);
    /// assert_eq!(x.contiguous().as_slice(), Some(&[1, 3, 2, 4][..]));
    /// ```
    pub fn contiguous(&self) -> Self {
        match self.layout {
            None => self.clone(),
            Some(_) => map(self.view(), |element| element),
        }
    }
}
