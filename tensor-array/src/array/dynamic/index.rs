//! The elements of a [`DynTensor`]: `x[[row, column]]`, `get`, `item`, `iter`, slices.

use core::ops::{Index, IndexMut};

use tensor_kernels::element::{Element, Float};
use tensor_kernels::equality::{all_pairs, is_close};
use tensor_kernels::iter::Iter;
use tensor_kernels::sizes::error::ShapeError;
use tensor_kernels::storage::Storage;

use super::DynTensor;
use crate::array::recording::refuse_to_write;

impl<T: Element> DynTensor<T> {
    /// The offset of an element in the storage; `None` if the index is out of bounds, or its length is not
    /// the rank.
    fn position(&self, index: &[usize]) -> Option<usize> {
        let within = |(index, size): (&usize, &usize)| index < size;
        if index.len() != self.rank() || !index.iter().zip(&self.sizes).all(within) {
            return None;
        }
        Some(match self.layout.as_deref() {
            None => index.iter().zip(&self.sizes).fold(0, |offset, (i, size)| offset * size + i),
            Some(layout) => {
                let moves = index.iter().zip(&layout.strides).map(|(&i, step)| i as isize * step);
                (layout.offset as isize + moves.sum::<isize>()) as usize
            }
        })
    }

    #[track_caller]
    fn checked_position(&self, index: &[usize]) -> usize {
        match self.position(index) {
            Some(position) => position,
            None => self.out_of_bounds(index),
        }
    }

    #[cold]
    #[track_caller]
    fn out_of_bounds(&self, index: &[usize]) -> ! {
        let sizes = &self.sizes[..];
        assert!(
            index.len() == sizes.len(),
            "index {index:?} has {} numbers, and a tensor of shape {sizes:?} has {} axes",
            index.len(),
            sizes.len()
        );
        panic!("index {index:?} is out of bounds for a tensor of shape {sizes:?}")
    }
}

/// # Elements
#[tensor_array_macros::method_docs(twins)]
#[tensor_array_macros::bounds_without_source]
impl<T: Element> DynTensor<T> {
    /// The elements as a slice in row-major order, if they are contiguous; `None` for most views.
    /// Panics: If the tensor is part of a program that is being traced.
    /// ```
    /// let x = DynTensor::from(tensor![[1, 2], [3, 4]]);
    /// assert_eq!(x.as_slice(), Some(&[1, 2, 3, 4][..]));
    /// assert_eq!(x.transpose()?.as_slice(), None);
    /// ```
    #[inline]
    pub fn as_slice(&self) -> Option<&[T]> {
        self.as_view().as_slice()
    }

    /// The element at an index; `None` if the index is out of bounds.
    ///
    /// `None`, too, if the length of the index is not the rank.
    /// Panics: If the tensor is part of a program that is being traced.
    /// ```
    /// let x = DynTensor::from(tensor![[1, 2], [3, 4]]);
    /// assert_eq!(x.get(&[1, 0]), Some(3));
    /// assert_eq!(x.get(&[2, 0]), None);
    /// ```
    #[inline]
    pub fn get(&self, index: &[usize]) -> Option<T> {
        Some(self.stored()[self.position(index)?])
    }

    /// The element of a tensor with exactly one element: `[] → T`.
    /// Errors: [`ShapeError::NotOneElement`] if there are more, or none.
    /// Panics: If the tensor is part of a program that is being traced.
    /// ```
    /// let x = DynTensor::from(tensor![1.0, 2.0, 3.0]);
    /// assert_eq!(x.sum().item()?, 6.0);
    /// assert!(x.item().is_err());
    /// ```
    #[doc(alias = "to_scalar")]
    pub fn item(&self) -> Result<T, ShapeError> {
        if self.sizes.iter().any(|&size| size != 1) {
            return Err(ShapeError::NotOneElement { sizes: self.sizes.to_vec() });
        }
        Ok(self.stored()[self.offset()])
    }

    /// The elements as a mutable slice in row-major order. Copies them first if the tensor is not contiguous, or
    /// if another tensor shares its storage.
    /// Panics: If the tensor requires gradients, or is part of a program that is being traced.
    /// ```
    /// let mut x = DynTensor::from(tensor![[1, 2], [3, 4]]);
    /// let before = x.clone();
    /// x.as_mut_slice()[0] = 10;
    /// assert_eq!(x.to_vec(), [10, 2, 3, 4]);
    /// assert_eq!(before.to_vec(), [1, 2, 3, 4]);
    /// ```
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        if !self.layout.is_none() || self.storage.get_mut().is_none() {
            refuse_to_write(self);
            let sizes = self.sizes.clone();
            *self = match self.as_slice() {
                // The storage may have more elements than this tensor.
                Some(elements) => Self::from_storage(sizes, Storage::from_slice(elements)),
                None => self.contiguous(),
            };
        }
        let len = self.len();
        let elements = self.storage.get_mut().expect("a new copy has one owner");
        &mut elements[..len]
    }
}

/// # All elements
#[tensor_array_macros::method_docs(twins)]
#[tensor_array_macros::bounds_without_source]
impl<T: Element> DynTensor<T> {
    /// Iterates over the elements in row-major order: the last index varies fastest.
    /// Panics: If the tensor is part of a program that is being traced.
    /// ```
    /// let x = DynTensor::from(tensor![[1, 2], [3, 4]]);
    /// assert!(x.iter().eq(&[1, 2, 3, 4]));
    /// assert!(x.transpose()?.iter().eq(&[1, 3, 2, 4]));
    /// ```
    pub fn iter(&self) -> Iter<'_, T> {
        match self.as_slice() {
            Some(elements) => Iter::contiguous(elements),
            None => {
                let (sizes, strides) = (self.sizes.clone(), self.strides());
                Iter::strided(self.stored(), sizes, strides, self.offset())
            }
        }
    }

    /// The elements in row-major order as a `Vec`: the one passed to [`from_vec`](Self::from_vec) if no other
    /// tensor shares it, else a copy.
    /// Panics: If the tensor is part of a program that is being traced.
    /// ```
    /// assert_eq!(DynTensor::from(tensor![[1, 2], [3, 4]]).into_vec(), [1, 2, 3, 4]);
    /// ```
    pub fn into_vec(self) -> Vec<T> {
        if self.layout.is_none() {
            let len = self.len();
            self.storage.into_vec(len)
        } else {
            self.to_vec()
        }
    }

    /// Whether `|a - b| <= absolute + relative · |b|` for every pair of elements, `b` from `other`:
    /// `[..s], [..s] → bool`.
    ///
    /// Tensors of different sizes are not close.
    /// Panics: If the tensor is part of a program that is being traced.
    /// ```
    /// let x = DynTensor::from(tensor![0.1, 0.2] + tensor![0.2, 0.1]);
    /// assert!(x.all_close(&tensor![0.3, 0.3].into(), 1e-12, 0.0));
    /// ```
    #[doc(alias("allclose", "isclose"))]
    pub fn all_close(&self, other: &Self, relative: f64, absolute: f64) -> bool
    where
        T: Float,
    {
        self.sizes == other.sizes
            && all_pairs(self.as_view(), other.as_view(), is_close(relative, absolute))
    }
}

/// The element at an index: `x[[i, j]]`.
///
/// # Panics
///
/// If the index is out of bounds, or is not one number for each axis.
impl<T: Element, const N: usize> Index<[usize; N]> for DynTensor<T> {
    type Output = T;

    #[track_caller]
    fn index(&self, index: [usize; N]) -> &T {
        &self.stored()[self.checked_position(&index)]
    }
}

/// The element at an index, for writing; copies the elements first if another tensor shares them.
///
/// # Panics
///
/// If the index is out of bounds, or is not one number for each axis.
impl<T: Element, const N: usize> IndexMut<[usize; N]> for DynTensor<T> {
    #[track_caller]
    fn index_mut(&mut self, index: [usize; N]) -> &mut T {
        if !self.layout.is_none() {
            *self = self.contiguous();
        }
        let position = self.checked_position(&index);
        &mut self.as_mut_slice()[position]
    }
}

impl<'a, T: Element> IntoIterator for &'a DynTensor<T> {
    type Item = &'a T;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

impl<T: Element> IntoIterator for DynTensor<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.into_vec().into_iter()
    }
}
