//! Matrices and vectors of `nalgebra`, which are column-major.

use nalgebra::{DMatrix, DVector, Dyn, MatrixView, SMatrix, Scalar};
use tensor_array::interop::nalgebra::view;
use tensor_kernels::element::Element;

use crate::shape::Shape;
use crate::shape::axis::Axis;
use crate::shape::error::ShapeError;
use crate::tensor::{DynTensor, IntoTensor, IntoTensorError, Tensor};

/// Generates the conversion to a shape, if the matrix has it.
macro_rules! into_typed {
    ($({$($N:ident)*} $matrix:ty;)+) => {$(
        /// The matrix or vector, if it has this shape. The error returns the elements.
        impl<S: Shape, T: Element, $(const $N: usize),*> TryFrom<$matrix> for Tensor<S, T> {
            type Error = IntoTensorError<T>;

            fn try_from(matrix: $matrix) -> Result<Self, Self::Error> {
                DynTensor::from(matrix).into_tensor()
            }
        }
    )+};
}

into_typed! {
    {} DMatrix<T>;
    {} DVector<T>;
    {M N} SMatrix<T, M, N>;
}

/// `[m, n]`, as [`DMatrix::try_from`].
impl<A: Axis, B: Axis, T: Element + Scalar> From<Tensor<(((), A), B), T>> for DMatrix<T> {
    fn from(tensor: Tensor<(((), A), B), T>) -> Self {
        match DynTensor::from(tensor).try_into() {
            Ok(matrix) => matrix,
            Err(error) => unreachable!("the shape has two axes: {error}"),
        }
    }
}

/// `[n]`, as [`DVector::try_from`].
impl<A: Axis, T: Element + Scalar> From<Tensor<((), A), T>> for DVector<T> {
    fn from(tensor: Tensor<((), A), T>) -> Self {
        DVector::from_vec(tensor.into_vec())
    }
}

/// # Other crates
#[tensor_array_macros::method_docs]
impl<A: Axis, B: Axis, T: Element + Scalar> Tensor<(((), A), B), T> {
    /// The elements as a view of `nalgebra`, `[m, n]`. Without a copy.
    /// Errors: If an axis runs backwards, as those of [`flip`] do, or stretches, as those of [`expand`].
    ///
    /// [`flip`]: Tensor::flip
    /// [`expand`]: Tensor::expand
    /// ```
    /// let x = tensor![[1.0, 2.0], [3.0, 4.0]];
    /// assert_eq!(x.as_nalgebra()?.row(1).sum(), 7.0);
    /// ```
    pub fn as_nalgebra(&self) -> Result<MatrixView<'_, T, Dyn, Dyn, Dyn, Dyn>, ShapeError> {
        let sizes = self.sizes();
        view([sizes[0], sizes[1]], self.strided())
    }
}
