//! Views of a [`DynTensor`]: the same elements with other sizes, by the layouts of `Tensor`.

use tensor_kernels::element::Element;
use tensor_kernels::layout::{Layout, Strides, checked_num_elements, regroup, view_layout};
use tensor_kernels::sizes::Sizes;
use tensor_kernels::sizes::error::ShapeError;

use super::DynTensor;
use super::reductions::axis_index;

impl<T: Element> DynTensor<T> {
    /// The same elements with other strides.
    fn with_strides(&self, sizes: Sizes, strides: Strides) -> Self {
        let layout = self.layout_of_view(&sizes, strides);
        Self { sizes, layout, storage: self.storage.clone() }
    }

    /// The layout of a view with these sizes and strides that starts at the same element.
    pub(crate) fn layout_of_view(&self, sizes: &[usize], strides: Strides) -> Layout {
        view_layout(self.layout.as_deref(), sizes, self.offset(), strides)
    }
}

/// # Views
#[tensor_array_macros::method_docs(twins)]
impl<T: Element> DynTensor<T> {
    /// The tensor with its last two axes swapped, as PyTorch's `mT`: `[..lead, m, n] → [..lead, n, m]`. Without a
    /// copy.
    /// Errors: [`ShapeError::AxisOutOfRange`] if there are fewer than two axes.
    /// ```
    /// let x = DynTensor::from(tensor![[1, 2, 3], [4, 5, 6]]);
    /// assert_eq!(x.transpose()?, tensor![[1, 4], [2, 5], [3, 6]].into());
    /// ```
    #[doc(alias("mT", "swapaxes", "t"))]
    pub fn transpose(&self) -> Result<Self, ShapeError> {
        let (rows, columns) = (self.axis_index(-2)?, self.axis_index(-1)?);
        let (mut sizes, mut strides) = (Sizes::from_slice(&self.sizes), self.strides());
        sizes.swap(rows, columns);
        strides.swap(rows, columns);
        Ok(self.with_strides(sizes, strides))
    }

    /// The tensor with its axes permuted by a list of axes that names each once: `[a, b, c] → [c, a, b]` for
    /// `[2, 0, 1]`. Without a copy.
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::AxisTwice`] if one is named
    /// twice, [`ShapeError::Permutation`] if one is not named.
    /// ```
    /// assert_eq!(DynTensor::full(&[28, 32, 3], 0.0).permute(&[-1, 0, 1])?.sizes(), [3, 28, 32]);
    /// ```
    #[doc(alias = "permute_dims")]
    pub fn permute(&self, axes: &[isize]) -> Result<Self, ShapeError> {
        let order = self.axis_indices(axes)?;
        let (named, rank) = (order.len(), self.rank());
        if named != rank {
            return Err(ShapeError::Permutation { named, rank });
        }
        let strides = self.strides();
        let sizes = order.iter().map(|&axis| self.sizes[axis]).collect();
        Ok(self.with_strides(sizes, order.iter().map(|&axis| strides[axis]).collect()))
    }

    /// The tensor with a new axis of size 1, whose index is that in the result: `[..a, ..b] → [..a, 1, ..b]`.
    /// Without a copy.
    /// Errors: [`ShapeError::AxisOutOfRange`] if the result has no such axis.
    /// ```
    /// let x = DynTensor::from(tensor![1, 2, 3]);
    /// assert_eq!(x.unsqueeze(0)?.sizes(), [1, 3]);
    /// assert_eq!(x.unsqueeze(-1)?.sizes(), [3, 1]);
    /// ```
    #[doc(alias("expand_dims", "newaxis"))]
    pub fn unsqueeze(&self, axis: isize) -> Result<Self, ShapeError> {
        let axis = axis_index(axis, self.rank() + 1)?;
        let (mut sizes, mut strides) = (self.sizes.clone(), self.strides());
        sizes.insert(axis, 1);
        // The stride of an axis of size 1 is not used.
        strides.insert(axis, 0);
        Ok(self.with_strides(sizes, strides))
    }

    /// The tensor without an axis of size 1: `[..a, 1, ..b] → [..a, ..b]`. Without a copy.
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::NotSqueezable`] if it has
    /// another size.
    /// ```
    /// let x = DynTensor::from(tensor![[1], [2], [3]]);
    /// assert_eq!(x.squeeze(-1)?.sizes(), [3]);
    /// assert!(x.squeeze(0).is_err());
    /// ```
    pub fn squeeze(&self, axis: isize) -> Result<Self, ShapeError> {
        let axis = self.axis_index(axis)?;
        if self.sizes[axis] != 1 {
            return Err(ShapeError::NotSqueezable { axis, size: self.sizes[axis] });
        }
        let (mut sizes, mut strides) = (self.sizes.clone(), self.strides());
        sizes.remove(axis);
        strides.remove(axis);
        Ok(self.with_strides(sizes, strides))
    }
}

/// # Reshaping
#[tensor_array_macros::method_docs(twins)]
impl<T: Element> DynTensor<T> {
    /// The elements in row-major order along one axis: `[..s] → [n]` for `n` elements, `[] → [1]`. Copies where
    /// [`reshape`](Self::reshape) does.
    /// ```
    /// assert_eq!(DynTensor::from(tensor![[1, 2], [3, 4]]).flatten(), tensor![1, 2, 3, 4].into());
    /// ```
    #[doc(alias = "ravel")]
    pub fn flatten(&self) -> Self {
        self.reshaped(Sizes::from_slice(&[self.len()]))
    }

    /// Merges the axes from one to another, both included, into one: `[..a, m, n, ..b] → [..a, m · n, ..b]`.
    /// Copies where [`reshape`](Self::reshape) does.
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::AxesOrder`] if the first
    /// comes after the last, [`ShapeError::TooLarge`] if the axis has more elements than `usize` counts.
    /// ```
    /// assert_eq!(DynTensor::full(&[32, 28, 28], 0.0).flatten_axes(1, -1)?.sizes(), [32, 784]);
    /// ```
    pub fn flatten_axes(&self, start: isize, end: isize) -> Result<Self, ShapeError> {
        let (start, end) = (self.axis_index(start)?, self.axis_index(end)?);
        if start > end {
            return Err(ShapeError::AxesOrder { start, end });
        }
        let merged = &self.sizes[start..=end];
        let Some(size) = checked_num_elements(merged) else {
            return Err(ShapeError::TooLarge { sizes: merged.to_vec() });
        };
        let mut sizes = self.sizes.clone();
        sizes.drain(start..=end);
        sizes.insert(start, size);
        Ok(self.reshaped(sizes))
    }

    /// Splits an axis into axes of the listed sizes, whose product is its size:
    /// `[..a, m · n, ..b] → [..a, m, n, ..b]`. Without a copy.
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::Length`] if the numbers of
    /// elements differ.
    /// ```
    /// assert_eq!(DynTensor::full(&[32, 768], 0.0).unflatten(-1, &[12, 64])?.sizes(), [32, 12, 64]);
    /// ```
    pub fn unflatten(&self, axis: isize, sizes: &[usize]) -> Result<Self, ShapeError> {
        let axis = self.axis_index(axis)?;
        check_length(sizes, self.sizes[axis])?;
        let mut split = self.sizes.clone();
        split.remove(axis);
        split.insert_from_slice(axis, sizes);
        Ok(self.reshaped(split))
    }

    /// The same elements in row-major order with other sizes of the same product: a view if strides can
    /// describe it, else a copy.
    pub(crate) fn reshaped(&self, sizes: Sizes) -> Self {
        if self.layout.is_none() {
            return Self::from_storage(sizes, self.storage.clone());
        }
        if self.is_empty() {
            return self.with_strides(sizes, Strides::new());
        }
        match regroup(&self.sizes, &self.strides(), &sizes) {
            Some(strides) => self.with_strides(sizes, strides),
            None => self.contiguous().reshaped(sizes),
        }
    }
}

/// # Errors
///
/// If these sizes have another number of elements.
pub(super) fn check_length(sizes: &[usize], found: usize) -> Result<(), ShapeError> {
    match checked_num_elements(sizes) {
        Some(expected) if expected == found => Ok(()),
        expected => {
            let expected = expected.unwrap_or(usize::MAX);
            Err(ShapeError::Length { expected, found, sizes: sizes.to_vec() })
        }
    }
}
