//! Constructors: `zeros`, `ones`, `full`, `from_vec`, `from_fn`, `scalar`.

use crate::shape::axis_index::HasRank;
use crate::shape::{Shape, StaticShape};
use crate::tensor::Tensor;
use crate::tensor::operations::dispatch::unwrap_or_panic;
use tensor_array::array::dynamic::length_error::LengthError;
use tensor_array_macros::usage;
use tensor_kernels::element::Element;
use tensor_kernels::layout::{checked_num_elements, len_in_memory};
use tensor_kernels::storage::{Storage, each_from};

/// # Constructors
#[tensor_array_macros::method_docs]
#[tensor_array_macros::bounds_without_source]
impl<S: Shape, T: Element> Tensor<S, T> {
    #[doc = doc_zeros!()]
    /// ```
    /// assert_eq!(Tensor::<shape![2, 3]>::zeros(), tensor![[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]);
    /// ```
    ///
    /// A tensor of more than `isize::MAX` bytes does not compile:
    /// ```compile_fail,E0080
    /// use tensor_core::{Tensor, shape};
    ///
    /// const MILLION: usize = 1_000_000;
    /// let x = Tensor::<shape![{MILLION}, {MILLION}, {MILLION}, 16]>::zeros();
    /// ```
    #[usage(Tensor::<shape![2, 3]>::zeros())]
    pub fn zeros() -> Self
    where
        S: StaticShape<Checked: Sized>,
    {
        Self::zeros_shaped(S::VALUE)
    }

    /// [`zeros`](Tensor::zeros) for a shape with run-time sizes: `[..s]`.
    /// Panics: If the elements exceed `isize::MAX` bytes, or if a named axis has two sizes.
    /// ```
    /// axis!(Batch);
    /// let x: Tensor<shape![Batch, 3]> = Tensor::zeros_shaped(shape![Batch(32), 3]);
    /// assert_eq!(x.len(), 96);
    /// ```
    pub fn zeros_shaped(shape: S) -> Self {
        Self::from_storage(shape, Storage::zeros(new_len::<S, T>(shape)))
    }

    #[doc = doc_ones!()]
    /// ```
    /// assert_eq!(Tensor::<shape![3], i32>::ones(), tensor![1, 1, 1]);
    /// ```
    #[usage(Tensor::<shape![2, 3]>::ones())]
    pub fn ones() -> Self
    where
        S: StaticShape<Checked: Sized>,
    {
        Self::full(T::ONE)
    }

    /// [`ones`](Tensor::ones) for a shape with run-time sizes: `[..s]`.
    /// Panics: If the elements exceed `isize::MAX` bytes, or if a named axis has two sizes.
    /// ```
    /// axis!(Batch);
    /// let x: Tensor<shape![Batch, 3]> = Tensor::ones_shaped(shape![Batch(2), 3]);
    /// assert_eq!(x.to_vec(), [1.0; 6]);
    /// ```
    pub fn ones_shaped(shape: S) -> Self {
        Self::full_shaped(shape, T::ONE)
    }

    #[doc = doc_full!()]
    /// ```
    /// let x: Tensor<shape![2, 2], u8> = Tensor::full(7);
    /// assert_eq!(x, tensor![[7, 7], [7, 7]]);
    /// ```
    #[doc(alias = "fill")]
    #[usage(Tensor::<shape![2, 3]>::full(0.5))]
    pub fn full(value: T) -> Self
    where
        S: StaticShape<Checked: Sized>,
    {
        Self::full_shaped(S::VALUE, value)
    }

    /// [`full`](Tensor::full) for a shape with run-time sizes: `[..s]`.
    /// Panics: If the elements exceed `isize::MAX` bytes, or if a named axis has two sizes.
    /// ```
    /// axis!(Batch);
    /// assert_eq!(Tensor::full_shaped(shape![Batch(2)], 0.5).to_vec(), [0.5, 0.5]);
    /// ```
    pub fn full_shaped(shape: S, value: T) -> Self {
        Self::from_storage(shape, each_from(new_len::<S, T>(shape), |_| value))
    }

    #[doc = doc_from_vec!()]
    /// Errors: If the length of `data` is not the number of elements of the shape. The error returns `data`.
    /// ```
    /// let x = Tensor::<shape![2, 2]>::from_vec(vec![1.0, 2.0, 3.0, 4.0])?;
    /// assert_eq!(x, tensor![[1.0, 2.0], [3.0, 4.0]]);
    ///
    /// let error = Tensor::<shape![2, 2]>::from_vec(vec![1.0, 2.0, 3.0]).unwrap_err();
    /// assert_eq!(error.to_string(), "shape [2, 2] has 4 elements, but 3 were given");
    /// assert_eq!(error.into_data(), [1.0, 2.0, 3.0]);
    /// ```
    #[doc(alias("from_numpy", "array"))]
    #[usage(Tensor::<shape![2, 3]>::from_vec(data))]
    pub fn from_vec(data: Vec<T>) -> Result<Self, LengthError<T>>
    where
        S: StaticShape<Checked: Sized>,
    {
        Self::from_vec_shaped(S::VALUE, data)
    }

    /// [`from_vec`](Tensor::from_vec) for a shape with run-time sizes: `[..s]`.
    /// Errors: If the length of `data` is not the number of elements of the shape, or if a named axis has two
    /// sizes. The error returns `data`.
    /// ```
    /// axis!(Batch);
    /// let x = Tensor::from_vec_shaped(shape![Batch(2), 2], vec![1, 2, 3, 4])?;
    /// assert_eq!(x[[1, 0]], 3);
    /// ```
    pub fn from_vec_shaped(shape: S, data: Vec<T>) -> Result<Self, LengthError<T>> {
        let two_sizes = shape.with_one_size_each().err().map(Box::new);
        if two_sizes.is_none() && checked_num_elements(&shape.sizes()) == Some(data.len()) {
            Ok(Self::from_storage(shape, Storage::from_vec(data)))
        } else {
            Err(LengthError::new(&shape.sizes(), data, two_sizes))
        }
    }

    #[doc = doc_from_fn!()]
    /// ```
    /// let x = Tensor::<shape![2, 3], i32>::from_fn(|[row, column]| (10 * row + column) as i32);
    /// assert_eq!(x, tensor![[0, 1, 2], [10, 11, 12]]);
    /// ```
    #[doc(alias = "fromfunction")]
    #[usage(Tensor::<shape![2, 3]>::from_fn(|[i, j]| f(i, j)))]
    pub fn from_fn<const N: usize>(f: impl FnMut([usize; N]) -> T) -> Self
    where
        S: StaticShape<Checked: Sized> + HasRank<N, Checked: Sized>,
    {
        Self::from_fn_shaped(S::VALUE, f)
    }

    /// [`from_fn`](Tensor::from_fn) for a shape with run-time sizes: `[..s]`.
    /// Panics: If the elements exceed `isize::MAX` bytes, or if a named axis has two sizes.
    /// ```
    /// axis!(Batch);
    /// let x = Tensor::from_fn_shaped(shape![Batch(2), 2], |[row, column]| row == column);
    /// assert_eq!(x.to_vec(), [true, false, false, true]);
    /// ```
    pub fn from_fn_shaped<const N: usize>(shape: S, mut f: impl FnMut([usize; N]) -> T) -> Self
    where
        S: HasRank<N, Checked: Sized>,
    {
        let mut sizes = [0; N];
        shape.write_sizes(&mut sizes);
        let mut index = [0; N];
        let elements = each_from(new_len::<S, T>(shape), |_| {
            let element = f(index);
            for (position, &size) in index.iter_mut().zip(&sizes).rev() {
                *position += 1;
                if *position < size {
                    break;
                }
                *position = 0;
            }
            element
        });
        Self::from_storage(shape, elements)
    }
}

/// # Rank 0
#[tensor_array_macros::method_docs]
impl<T: Element> Tensor<(), T> {
    #[doc = doc_scalar!()]
    /// ```
    /// assert_eq!(Tensor::scalar(2.5).item(), 2.5);
    /// ```
    pub fn scalar(value: T) -> Self {
        Self::from_storage((), Storage::from_slice(&[value]))
    }
}

/// Converts a scalar into a tensor of rank 0.
impl<T: Element> From<T> for Tensor<(), T> {
    fn from(value: T) -> Self {
        Self::scalar(value)
    }
}

/// A `Vec` whose length its type has: none.
#[cfg_attr(doc, doc(hidden))]
pub trait LengthInType {}

/// For the message about `Tensor::from(vec![1.0, 2.0])` alone, which is then one error: see [`Tensor::from_vec`].
#[doc(hidden)]
#[diagnostic::do_not_recommend]
impl<S: Shape, T: Element> From<Vec<T>> for Tensor<S, T>
where
    Vec<T>: LengthInType,
{
    fn from(_: Vec<T>) -> Self {
        unreachable!("no type satisfies the bound")
    }
}

/// The number of elements of a new tensor.
///
/// # Panics
///
/// If it has more than `isize::MAX` bytes, which does not compile if all sizes are static, or if a named
/// axis has two sizes.
#[track_caller]
pub(crate) fn new_len<S: Shape, T: Element>(shape: S) -> usize {
    if const { S::STATIC_SIZES.is_some() } {
        return const { static_len::<S, T>() };
    }
    unwrap_or_panic(shape.with_one_size_each());
    len_in_memory(&shape.sizes(), size_of::<T>())
}

/// The number of elements of a new tensor of static sizes.
///
/// # Panics
///
/// As [`new_len`].
pub(crate) const fn static_len<S: Shape, T: Element>() -> usize {
    match S::STATIC_SIZES {
        Some(sizes) => sizes.len_in_memory(size_of::<T>()),
        None => 0,
    }
}
