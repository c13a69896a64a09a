//! Construction and reading of a [`DynTensor`], its shape, and views of it.

use tensor_kernels::element::Element;
use tensor_kernels::evaluate::copy_to_vec;
use tensor_kernels::kernel::function;
use tensor_kernels::layout::{checked_num_elements, len_in_memory, num_elements};
use tensor_kernels::plan::broadcast_sizes;
use tensor_kernels::sizes::Sizes;
use tensor_kernels::sizes::error::ShapeError;
use tensor_kernels::storage::{Storage, each_from};

use super::DynTensor;
use super::view::check_length;
use crate::array::dynamic::length_error::LengthError;
use crate::array::history::Rule;
use crate::array::recording::Outcome;
use crate::array::trace::{self, Op};

/// # Constructors
#[tensor_array_macros::method_docs(twins)]
impl<T: Element> DynTensor<T> {
    /// Tensor with the elements of a `Vec` in row-major order, `[..s]`; takes over its memory.
    /// Errors: If the number of elements is not the product of the sizes. The error returns them.
    /// ```
    /// let x = DynTensor::from_vec(&[2, 2], vec![1, 2, 3, 4])?;
    /// assert_eq!(x.sizes(), [2, 2]);
    ///
    /// let error = DynTensor::from_vec(&[2, 2], vec![1, 2, 3]).unwrap_err();
    /// assert_eq!(error.to_string(), "shape [2, 2] has 4 elements, but 3 were given");
    /// ```
    #[doc(alias("from_numpy", "array"))]
    pub fn from_vec(sizes: &[usize], elements: Vec<T>) -> Result<Self, LengthError<T>> {
        if checked_num_elements(sizes) != Some(elements.len()) {
            return Err(LengthError::new(sizes, elements, None));
        }
        Ok(Self::from_storage(sizes.into(), Storage::from_vec(elements)))
    }

    /// Tensor filled with `value`: `[..s]`.
    /// Panics: If the elements exceed `isize::MAX` bytes.
    /// ```
    /// assert_eq!(DynTensor::full(&[2, 2], 7).to_vec(), [7, 7, 7, 7]);
    /// ```
    #[doc(alias = "fill")]
    pub fn full(sizes: &[usize], value: T) -> Self {
        len_in_memory(sizes, size_of::<T>());
        let broadcast = Self::from_storage(Sizes::new(), Storage::from_slice(&[value]));
        match broadcast.expand(sizes) {
            Ok(view) => view.contiguous(),
            Err(error) => unreachable!("a scalar stretches to every shape: {error}"),
        }
    }

    /// Tensor filled with zeros (`false` for `bool`): `[..s]`.
    /// Panics: If the elements exceed `isize::MAX` bytes.
    /// ```
    /// assert_eq!(DynTensor::<f32>::zeros(&[2, 2]).to_vec(), [0.0; 4]);
    /// ```
    pub fn zeros(sizes: &[usize]) -> Self {
        Self::from_storage(sizes.into(), Storage::zeros(num_elements(sizes)))
    }

    /// Tensor filled with ones (`true` for `bool`): `[..s]`.
    /// Panics: If the elements exceed `isize::MAX` bytes.
    /// ```
    /// assert_eq!(DynTensor::<i32>::ones(&[3]).to_vec(), [1, 1, 1]);
    /// ```
    pub fn ones(sizes: &[usize]) -> Self {
        Self::full(sizes, T::ONE)
    }

    /// Tensor of rank 0: `[]`.
    /// ```
    /// assert_eq!(DynTensor::scalar(2.5).rank(), 0);
    /// ```
    pub fn scalar(value: T) -> Self {
        Self::from_storage(Sizes::new(), Storage::from_slice(&[value]))
    }

    /// Tensor whose element at each index is `f(index)`, `[..s]`; `f` is called in row-major order.
    /// Panics: If the elements exceed `isize::MAX` bytes.
    /// ```
    /// let x = DynTensor::from_fn(&[2, 3], |index| (10 * index[0] + index[1]) as i32);
    /// assert_eq!(x.to_vec(), [0, 1, 2, 10, 11, 12]);
    /// ```
    #[doc(alias = "fromfunction")]
    pub fn from_fn(sizes: &[usize], mut f: impl FnMut(&[usize]) -> T) -> Self {
        let mut index = Sizes::from_elem(0, sizes.len());
        let elements = each_from(num_elements(sizes), |_| {
            let element = f(&index);
            for (position, &size) in index.iter_mut().zip(sizes).rev() {
                *position += 1;
                if *position < size {
                    break;
                }
                *position = 0;
            }
            element
        });
        Self::from_storage(sizes.into(), elements)
    }
}

/// # Shape and size
#[tensor_array_macros::method_docs(twins)]
impl<T: Element> DynTensor<T> {
    /// The sizes of the axes, first axis first.
    /// ```
    /// assert_eq!(DynTensor::from(tensor![[1, 2, 3], [4, 5, 6]]).sizes(), [2, 3]);
    /// ```
    #[doc(alias = "shape")]
    #[inline]
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// The number of axes.
    /// ```
    /// assert_eq!(DynTensor::from(tensor![[1, 2, 3], [4, 5, 6]]).rank(), 2);
    /// ```
    #[doc(alias = "ndim")]
    #[inline]
    pub fn rank(&self) -> usize {
        self.sizes.len()
    }

    /// The number of elements.
    /// ```
    /// assert_eq!(DynTensor::from(tensor![[1, 2, 3], [4, 5, 6]]).len(), 6);
    /// ```
    #[doc(alias = "numel")]
    #[inline]
    pub fn len(&self) -> usize {
        num_elements(&self.sizes)
    }

    /// Whether there are no elements: an axis has size 0.
    /// ```
    /// assert!(DynTensor::full(&[2, 0], 1.0).is_empty());
    /// ```
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// # Elements, and a shape as a type
#[tensor_array_macros::method_docs(twins)]
impl<T: Element> DynTensor<T> {
    /// Copies the elements in row-major order: `[..s] → [n]`.
    /// Panics: If the result has more than `isize::MAX` bytes.
    /// ```
    /// assert_eq!(DynTensor::from(tensor![[1, 2], [3, 4]]).to_vec(), [1, 2, 3, 4]);
    /// ```
    #[doc(alias = "tolist")]
    pub fn to_vec(&self) -> Vec<T> {
        copy_to_vec(self.as_view())
    }
}

/// # Views and reshaping
#[tensor_array_macros::method_docs(twins)]
impl<T: Element> DynTensor<T> {
    /// The tensor broadcast to other sizes, `[..s] → [..t]`: axes of size 1 and missing axes get stride 0. Without
    /// a copy.
    /// Errors: If an axis has neither the size of the target nor size 1, if the target has fewer axes, or if its
    /// number of elements exceeds `isize::MAX`.
    /// ```
    /// let rows = DynTensor::from(tensor![1, 2]).expand(&[2, 2])?;
    /// assert_eq!(rows.to_vec(), [1, 2, 1, 2]);
    /// assert!(rows.expand(&[2]).is_err());
    /// ```
    #[doc(alias = "broadcast_to")]
    pub fn expand(&self, sizes: &[usize]) -> Result<Self, ShapeError> {
        let result = broadcast_sizes(&self.sizes, sizes)?;
        if result[..] != *sizes {
            let sizes = Box::new([self.sizes.to_vec(), sizes.to_vec()]);
            return Err(ShapeError::NotBroadcastTo { sizes });
        }
        if checked_num_elements(sizes).is_none() {
            return Err(ShapeError::TooLarge { sizes: sizes.to_vec() });
        }
        let layout = self.layout_of_view(sizes, self.broadcast_strides_to(sizes.len()));
        Ok(Self { sizes: result, layout, storage: self.storage.clone() })
    }

    /// The same elements in row-major order with other sizes of the same product, `[..s] → [..t]`, such as
    /// `[2, 6] → [3, 4]`. Copies only a view for which no strides describe the new sizes, such as a flattened
    /// transpose.
    /// Errors: If the numbers of elements differ.
    /// ```
    /// let x = DynTensor::from(tensor![1, 2, 3, 4, 5, 6]).reshape(&[2, 3])?;
    /// assert_eq!(x, tensor![[1, 2, 3], [4, 5, 6]].into());
    /// assert!(x.reshape(&[2, 2]).is_err());
    /// ```
    #[doc(alias = "view")]
    pub fn reshape(&self, sizes: &[usize]) -> Result<Self, ShapeError> {
        check_length(sizes, self.len())?;
        Ok(self.reshaped(sizes.into()))
    }

    /// The tensor with contiguous elements in row-major order, `[..s] → [..s]`: itself if they are already, else a
    /// copy.
    /// Panics: If the result has more than `isize::MAX` bytes.
    /// ```
    /// let x = DynTensor::from(tensor![[1, 2], [3, 4]].transpose());
    /// assert_eq!(x.contiguous().to_vec(), [1, 3, 2, 4]);
    /// ```
    #[doc(alias = "ascontiguousarray")]
    pub fn contiguous(&self) -> Self {
        match self.layout.as_deref() {
            None => self.clone(),
            // Tracked, and contiguous.
            Some(layout) if layout.row_major_start(&self.sizes) == Some(0) => self.clone(),
            Some(layout) if layout.is_traced() => {
                trace::step(Op::Same, Some(Rule::Same), &self.sizes, &[self], |x| {
                    trace::operand::<T>(x, 0).contiguous()
                })
            }
            Some(_) => {
                let storage = function::copy().map(self.as_view());
                Self::from_storage(self.sizes.clone(), storage).with(&[self], || Rule::Same)
            }
        }
    }
}
