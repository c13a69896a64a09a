//! Iteration over the elements in row-major order, for any strides.

use core::iter::FusedIterator;
use core::slice;

use crate::layout::{Strides, num_elements};
use crate::sizes::Sizes;

/// The elements of a tensor in row-major order, from
/// [`Tensor::iter`](https://docs.rs/tensor-core/latest/tensor_core/struct.Tensor.html#method.iter).
#[derive(Clone, Debug)]
pub struct Iter<'a, T>(Order<'a, T>);

/// The layout of the elements.
#[derive(Clone, Debug)]
enum Order<'a, T> {
    RowMajor(slice::Iter<'a, T>),
    Strided(Box<StridedIter<'a, T>>),
}

/// A strided iterator, which goes row by row.
#[derive(Clone, Debug)]
struct StridedIter<'a, T> {
    elements: &'a [T],
    sizes: Sizes,
    strides: Strides,
    offset: usize,
    /// Index of the next element from the front, and one past the next element from the back.
    front: usize,
    back: usize,
    /// Offset of the next element from the front.
    position: isize,
    /// The stride within the row, and the number of elements to the end of the row.
    step: isize,
    in_row: usize,
}

impl<'a, T> StridedIter<'a, T> {
    fn new(elements: &'a [T], sizes: Sizes, strides: Strides, offset: usize) -> Self {
        Self {
            elements,
            offset,
            front: 0,
            back: num_elements(&sizes),
            position: offset as isize,
            step: strides.last().copied().unwrap_or(0),
            in_row: sizes.last().copied().unwrap_or(1),
            sizes,
            strides,
        }
    }

    #[inline]
    fn next(&mut self) -> Option<&'a T> {
        if self.front == self.back {
            return None;
        }
        let element = &self.elements[self.position as usize];
        self.front += 1;
        self.position += self.step;
        self.in_row -= 1;
        if self.in_row == 0 && self.front < self.back {
            self.position = self.position_of(self.front) as isize;
            self.in_row = self.sizes.last().copied().unwrap_or(1);
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

    /// The offset of the element with this row-major index.
    fn position_of(&self, number: usize) -> usize {
        let mut rest = number;
        let mut position = self.offset as isize;
        for (&size, &stride) in self.sizes.iter().zip(&self.strides).rev() {
            position += (rest % size) as isize * stride;
            rest /= size;
        }
        position as usize
    }

    /// Folds the remaining elements, one row at a time.
    fn fold<B>(mut self, start: B, mut f: impl FnMut(B, &'a T) -> B) -> B {
        let mut result = start;
        while self.front < self.back {
            let row = self.in_row.min(self.back - self.front);
            for index in 0..row as isize {
                result = f(result, &self.elements[(self.position + index * self.step) as usize]);
            }
            self.front += row;
            if self.front < self.back {
                self.position = self.position_of(self.front) as isize;
                self.in_row = self.sizes.last().copied().unwrap_or(1);
            }
        }
        result
    }
}

impl<'a, T> Iter<'a, T> {
    /// An iterator over the elements of a slice.
    #[doc(hidden)]
    #[inline]
    pub fn contiguous(elements: &'a [T]) -> Self {
        Self(Order::RowMajor(elements.iter()))
    }

    /// An iterator over elements with these strides, starting at an offset.
    #[doc(hidden)]
    pub fn strided(elements: &'a [T], sizes: Sizes, strides: Strides, offset: usize) -> Self {
        Self(Order::Strided(Box::new(StridedIter::new(elements, sizes, strides, offset))))
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
    fn fold<B, F: FnMut(B, &'a T) -> B>(self, start: B, f: F) -> B {
        match self.0 {
            Order::RowMajor(elements) => elements.fold(start, f),
            Order::Strided(walk) => walk.fold(start, f),
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
