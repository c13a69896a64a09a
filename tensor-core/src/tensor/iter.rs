//! The elements one after the other, in row-major order, however they lie in memory.

use core::iter::FusedIterator;
use core::slice;

use crate::element::Element;
use crate::kernel::elementwise::each1;
use crate::layout::Strides;
use crate::plan::Loops;
use crate::shape::{Shape, Sizes};
use crate::tensor::Tensor;

/// The elements of a tensor in row-major order; [`Tensor::iter`] makes it.
#[derive(Clone, Debug)]
pub struct Iter<'a, T>(Order<'a, T>);

/// The order in which the elements lie.
#[derive(Clone, Debug)]
enum Order<'a, T> {
    RowMajor(slice::Iter<'a, T>),
    Strided(Box<Walk<'a, T>>),
}

/// Elements by strides.
#[derive(Clone, Debug)]
struct Walk<'a, T> {
    elements: &'a [T],
    sizes: Sizes,
    strides: Strides,
    /// The index of the next element from the front, and where it lies.
    index: Sizes,
    position: isize,
    offset: usize,
    /// How many elements the front has given, and how many the back has left.
    front: usize,
    back: usize,
}

impl<'a, T> Walk<'a, T> {
    fn next(&mut self) -> Option<&'a T> {
        if self.front == self.back {
            return None;
        }
        let element = &self.elements[self.position as usize];
        self.front += 1;
        for axis in (0..self.sizes.len()).rev() {
            self.index[axis] += 1;
            self.position += self.strides[axis];
            if self.index[axis] < self.sizes[axis] {
                break;
            }
            self.position -= self.strides[axis] * self.sizes[axis] as isize;
            self.index[axis] = 0;
        }
        Some(element)
    }

    fn next_back(&mut self) -> Option<&'a T> {
        if self.front == self.back {
            return None;
        }
        self.back -= 1;
        Some(&self.elements[self.position_of(self.back)])
    }

    /// Where the element with this number in row-major order lies.
    fn position_of(&self, number: usize) -> usize {
        let mut rest = number;
        let mut position = self.offset as isize;
        for (&size, &stride) in self.sizes.iter().zip(&self.strides).rev() {
            position += (rest % size) as isize * stride;
            rest /= size;
        }
        position as usize
    }
}

impl<'a, T> Iterator for Iter<'a, T> {
    type Item = &'a T;

    #[inline]
    fn next(&mut self) -> Option<&'a T> {
        match &mut self.0 {
            Order::RowMajor(elements) => elements.next(),
            Order::Strided(walk) => walk.next(),
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = match &self.0 {
            Order::RowMajor(elements) => elements.len(),
            Order::Strided(walk) => walk.back - walk.front,
        };
        (len, Some(len))
    }

    #[inline]
    fn fold<B, F: FnMut(B, &'a T) -> B>(self, start: B, mut f: F) -> B {
        match self.0 {
            Order::RowMajor(elements) => elements.fold(start, f),
            Order::Strided(mut walk) => {
                let mut result = start;
                while let Some(element) = walk.next() {
                    result = f(result, element);
                }
                result
            }
        }
    }
}

impl<T> DoubleEndedIterator for Iter<'_, T> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        match &mut self.0 {
            Order::RowMajor(elements) => elements.next_back(),
            Order::Strided(walk) => walk.next_back(),
        }
    }
}

impl<T> ExactSizeIterator for Iter<'_, T> {}

impl<T> FusedIterator for Iter<'_, T> {}

impl<'a, S: Shape, T: Element> IntoIterator for &'a Tensor<S, T> {
    type Item = &'a T;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

impl<S: Shape, T: Element> Tensor<S, T> {
    /// The elements in row-major order: the last index moves fastest.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// let x = tensor![[1, 2], [3, 4]];
    /// assert!(x.iter().eq(&[1, 2, 3, 4]));
    /// assert!(x.transpose().iter().eq(&[1, 3, 2, 4]));
    /// assert_eq!(x.iter().rev().next(), Some(&4));
    /// ```
    #[inline]
    pub fn iter(&self) -> Iter<'_, T> {
        if let Some(elements) = self.as_slice() {
            return Iter(Order::RowMajor(elements.iter()));
        }
        let view = self.view();
        let sizes = self.shape.sizes();
        let back = sizes.iter().product();
        Iter(Order::Strided(Box::new(Walk {
            elements: view.elements,
            index: Sizes::from_elem(0, sizes.len()),
            sizes,
            strides: view.strides(),
            position: view.offset() as isize,
            offset: view.offset(),
            front: 0,
            back,
        })))
    }

    /// The elements in row-major order, copied.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// assert_eq!(tensor![[1, 2], [3, 4]].to_vec(), [1, 2, 3, 4]);
    /// ```
    pub fn to_vec(&self) -> Vec<T> {
        if let Some(elements) = self.as_slice() {
            return elements.to_vec();
        }
        let view = self.view();
        let sizes = self.shape.sizes();
        let loops = Loops::of_strides(&sizes, [&view.strides()[..]], [view.offset()]);
        let mut elements = vec![T::ZERO; self.len()];
        each1(&loops, &mut elements, view.elements, |slot, element| *slot = element);
        elements
    }

    /// The elements in row-major order: the `Vec` that [`from_vec`](Tensor::from_vec) took, where
    /// no other tensor reads it, else a copy.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// assert_eq!(tensor![[1, 2], [3, 4]].into_vec(), [1, 2, 3, 4]);
    /// ```
    pub fn into_vec(self) -> Vec<T> {
        match self.layout {
            None => {
                let len = self.len();
                self.storage.into_vec(len)
            }
            Some(_) => self.to_vec(),
        }
    }
}
