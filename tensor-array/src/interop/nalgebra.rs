//! Matrices and vectors of `nalgebra`, which are column-major.

use nalgebra::{DMatrix, DVector, Dyn, MatrixView, SMatrix, Scalar};
use tensor_kernels::element::Element;
use tensor_kernels::layout::Strides;
use tensor_kernels::sizes::error::ShapeError;

use crate::array::dynamic::DynTensor;

/// A view in `nalgebra`, with any strides of rows and columns.
type StridedView<'a, T> = MatrixView<'a, T, Dyn, Dyn, Dyn, Dyn>;

/// `[m, n]`, without a copy.
impl<T: Element> From<DMatrix<T>> for DynTensor<T> {
    fn from(matrix: DMatrix<T>) -> Self {
        let (rows, columns) = matrix.shape();
        DynTensor::from_column_major(&[rows, columns], matrix.data.into())
    }
}

/// `[n]`, without a copy.
impl<T: Element> From<DVector<T>> for DynTensor<T> {
    fn from(vector: DVector<T>) -> Self {
        DynTensor::from_row_major(&[vector.len()], vector.data.into())
    }
}

/// `[m, n]`. A copy, because the elements are stored inline in the matrix.
impl<T: Element, const M: usize, const N: usize> From<SMatrix<T, M, N>> for DynTensor<T> {
    fn from(matrix: SMatrix<T, M, N>) -> Self {
        DynTensor::from_column_major(&[M, N], matrix.as_slice().to_vec())
    }
}

/// `[m, n]`; without a copy if the elements are a `Vec` in column-major order, as those that came from a
/// `DMatrix` are, and have no other owner.
impl<T: Element + Scalar> TryFrom<DynTensor<T>> for DMatrix<T> {
    type Error = ShapeError;

    fn try_from(tensor: DynTensor<T>) -> Result<Self, Self::Error> {
        let &[rows, columns] = tensor.sizes() else {
            return Err(ShapeError::Rank { expected: 2, found: tensor.rank() });
        };
        let columns_first = tensor.transpose()?;
        drop(tensor);
        Ok(DMatrix::from_vec(rows, columns, columns_first.into_vec()))
    }
}

/// `[n]`; without a copy if the tensor was made from a `Vec`, is contiguous and has no other owner.
impl<T: Element + Scalar> TryFrom<DynTensor<T>> for DVector<T> {
    type Error = ShapeError;

    fn try_from(tensor: DynTensor<T>) -> Result<Self, Self::Error> {
        match tensor.rank() {
            1 => Ok(DVector::from_vec(tensor.into_vec())),
            found => Err(ShapeError::Rank { expected: 1, found }),
        }
    }
}

/// A view of rows and columns with these sizes and strides.
pub fn view<T: Scalar>(
    sizes: [usize; 2],
    (offset, strides, elements): (usize, Strides, &[T]),
) -> Result<StridedView<'_, T>, ShapeError> {
    let [rows, columns] = sizes;
    if rows == 0 || columns == 0 {
        // For empty matrices: strides whose products with the sizes are small, as `nalgebra` multiplies them.
        let (down, right) = if columns == 0 { (0, 1) } else { (1, 0) };
        return Ok(StridedView::from_slice_with_strides(&[], rows, columns, down, right));
    }
    // A vector is a column.
    let steps = [strides[0], strides.get(1).copied().unwrap_or(0)];
    // Iterators of `nalgebra` end when a pointer that advances by the stride reaches the end: 0 never does.
    if let Some(axis) = (0..2).find(|&axis| steps[axis] <= 0 && sizes[axis] > 1) {
        return Err(ShapeError::StrideNotPositive { axis, stride: steps[axis] });
    }
    let [down, right] = steps.map(isize::unsigned_abs);
    // An axis of size 1 takes no step, but `nalgebra` uses its stride.
    let (down, right) = (if rows > 1 { down } else { 1 }, if columns > 1 { right } else { rows });
    let elements = &elements[offset..];
    Ok(StridedView::from_slice_with_strides(elements, rows, columns, down, right))
}

/// # Other crates
#[tensor_array_macros::method_docs(twins)]
impl<T: Element + Scalar> DynTensor<T> {
    /// The elements as a view of `nalgebra`, `[m, n]`; `[n]` is a column. Without a copy.
    /// Errors: If there are no axes or more than two, or if one runs backwards, as those of [`flip`] do, or
    /// stretches, as those of [`expand`].
    ///
    /// [`flip`]: DynTensor::flip
    /// [`expand`]: DynTensor::expand
    /// ```
    /// use nalgebra::DMatrix;
    /// use tensor_core::{DynTensor, tensor};
    ///
    /// let x = DynTensor::from(tensor![[1.0, 2.0], [3.0, 4.0]]);
    /// assert_eq!(x.as_nalgebra()?, DMatrix::from_row_slice(2, 2, &[1.0, 2.0, 3.0, 4.0]));
    /// ```
    pub fn as_nalgebra(&self) -> Result<MatrixView<'_, T, Dyn, Dyn, Dyn, Dyn>, ShapeError> {
        match *self.sizes() {
            [rows] => view([rows, 1], self.strided()),
            [rows, columns] => view([rows, columns], self.strided()),
            _ => Err(ShapeError::Rank { expected: 2, found: self.rank() }),
        }
    }
}
