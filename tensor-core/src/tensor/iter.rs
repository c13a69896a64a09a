//! Iteration over the elements of a tensor, and the elements as a `Vec`.

use tensor_kernels::element::Element;
use tensor_kernels::iter::Iter;

use crate::shape::{Shape, Sizes};
use crate::tensor::Tensor;
use crate::tensor::operations::dispatch::copy_to_vec;

impl<'a, S: Shape, T: Element> IntoIterator for &'a Tensor<S, T> {
    type Item = &'a T;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

impl<S: Shape, T: Element> IntoIterator for Tensor<S, T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.into_vec().into_iter()
    }
}

/// # All elements
#[tensor_array_macros::method_docs]
impl<S: Shape, T: Element> Tensor<S, T> {
    #[doc = doc_iter!()]
    /// Panics: If the tensor is part of a program that is being [traced](crate::trace).
    /// ```
    /// let x = tensor![[1, 2], [3, 4]];
    /// assert!(x.iter().eq(&[1, 2, 3, 4]));
    /// assert!(x.transpose().iter().eq(&[1, 3, 2, 4]));
    /// assert_eq!(x.iter().rev().next(), Some(&4));
    /// ```
    #[inline]
    pub fn iter(&self) -> Iter<'_, T> {
        if let Some(elements) = self.as_slice() {
            return Iter::contiguous(elements);
        }
        let view = self.as_view();
        Iter::strided(view.elements(), self.axes.sizes(), view.strides(), view.offset())
    }

    #[doc = doc_to_vec!()]
    /// Panics: If the result has more than `isize::MAX` bytes.
    /// ```
    /// assert_eq!(tensor![[1, 2], [3, 4]].to_vec(), [1, 2, 3, 4]);
    /// ```
    #[doc(alias = "tolist")]
    pub fn to_vec(&self) -> Vec<T> {
        if let Some(elements) = self.as_slice() {
            return elements.to_vec();
        }
        copy_to_vec(self.as_view().erase(&mut Sizes::new()))
    }

    #[doc = doc_into_vec!()]
    /// Panics: If the tensor is part of a program that is being traced.
    /// ```
    /// assert_eq!(tensor![[1, 2], [3, 4]].into_vec(), [1, 2, 3, 4]);
    /// ```
    pub fn into_vec(self) -> Vec<T> {
        if self.layout.is_none() {
            let len = self.len();
            self.storage.into_vec(len)
        } else {
            self.to_vec()
        }
    }
}
