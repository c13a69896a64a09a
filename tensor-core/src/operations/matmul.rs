//! Products of matrices and vectors.

use super::apply::checked;
use super::collect::{Shared, collect2};
use super::contract::{DotOf, Dotted, MatmulOf, Multiplied, OuterOf, Outered};
use crate::element::{Element, Number};
use crate::kernel::matmul::{Factor, is_own_sum, multiply};
use crate::kernel::product::{Matrix, is_small, one_product, simple};
use crate::layout::View;
use crate::operand::OperandOf;
use crate::plan::{Loops, stretched};
use crate::shape::{Shape, StaticSizes};
use crate::storage::Storage;
use crate::tensor::Tensor;

impl<S: Shape, T: Element> Tensor<S, T> {
    /// The matrix product, by the rules of
    /// [NumPy](https://numpy.org/doc/stable/reference/generated/numpy.matmul.html):
    /// `[..l, m, k] × [..r, k, n] → [..(l ⊕ r), m, n]`, where a side of rank 1 is a vector.
    ///
    /// The leading axes broadcast without copies, and so do views: `a.matmul(&b.transpose())`
    /// copies nothing but the result. Integers wrap around; 16-bit floats are summed in `f32`. A
    /// sum over no element is 0.
    ///
    /// # Panics
    ///
    /// When a named axis has two sizes.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape, tensor};
    ///
    /// let a = tensor![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]];
    /// let b = tensor![[1.0, 0.0], [0.0, -1.0]];
    /// assert_eq!(a.matmul(&b), tensor![[1.0, -2.0], [3.0, -4.0], [5.0, -6.0]]);
    ///
    /// let queries = Tensor::<shape![8, 1, 10, 64]>::ones();
    /// let keys = Tensor::<shape![2, 10, 64]>::ones();
    /// let scores: Tensor<shape![8, 2, 10, 10]> = queries.matmul(&keys.transpose());
    /// assert_eq!(scores[[7, 1, 9, 9]], 64.0);
    /// ```
    #[track_caller]
    pub fn matmul<R: OperandOf<T>>(&self, right: R) -> Tensor<Multiplied<S, R::Shape>, T>
    where
        <T as Number>::Checked: Sized,
        R::Shape: MatmulOf<S>,
        T: Number,
    {
        let right = right.view();
        product(self.view(), right, checked(MatmulOf::product_shape(self.shape, right.shape)))
    }

    /// The product of the last axis with a matrix, `[..lead, k] · [k, n] → [..lead, n]`, or with a
    /// vector, `[..lead, k] · [k] → [..lead]`.
    ///
    /// Unlike [`matmul`](Tensor::matmul) it needs to know nothing about the leading axes, so that
    /// a layer can be written for any of them. Integers wrap around; 16-bit floats are summed in
    /// `f32`. A sum over no element is 0.
    ///
    /// # Panics
    ///
    /// When a named axis has two sizes.
    ///
    /// ```
    /// use tensor_core::{Axis, Shape, Tensor, shape, tensor};
    ///
    /// let x = tensor![[1.0, 2.0], [3.0, 4.0]];
    /// assert_eq!(x.dot(&tensor![10.0, 1.0]), tensor![12.0, 34.0]);
    ///
    /// fn project<Lead: Shape, I: Axis, O: Axis>(
    ///     x: &Tensor<(Lead, I)>,
    ///     weight: &Tensor<shape![I, O]>,
    /// ) -> Tensor<(Lead, O)> {
    ///     x.dot(weight)
    /// }
    /// let y = project(&Tensor::<shape![5, 7, 2]>::ones(), &Tensor::<shape![2, 3]>::ones());
    /// assert_eq!(y, Tensor::<shape![5, 7, 3]>::full(2.0));
    /// ```
    #[track_caller]
    pub fn dot<R: OperandOf<T>>(&self, right: R) -> Tensor<Dotted<S, R::Shape>, T>
    where
        <T as Number>::Checked: Sized,
        R::Shape: DotOf<S>,
        T: Number,
    {
        let right = right.view();
        product(self.view(), right, checked(DotOf::product_shape(self.shape, right.shape)))
    }

    /// All products of an element of one vector with an element of another, `[m] ⊗ [n] → [m, n]`.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// let table = tensor![1, 2, 3].outer(&tensor![1, 10]);
    /// assert_eq!(table, tensor![[1, 10], [2, 20], [3, 30]]);
    /// ```
    pub fn outer<R: OperandOf<T>>(&self, right: R) -> Tensor<Outered<S, R::Shape>, T>
    where
        <T as Number>::Checked: Sized,
        R::Shape: OuterOf<S>,
        T: Number,
    {
        let (left, right) = (self.view(), right.view());
        let shape = checked(OuterOf::product_shape(left.shape, right.shape));
        let loops = Loops::of_strides(
            &shape.sizes(),
            [&[left.strides()[0], 0], &[0, right.strides()[0]]],
            [left.offset(), right.offset()],
        );
        let len = shape.num_elements();
        Tensor::from_storage(
            shape,
            collect2(&loops, len, (left.elements, right.elements), Shared(T::mul)),
        )
    }
}

/// The rows, the inner size and the columns of a product of matrices or vectors whose sizes the
/// types know, where it is small.
const fn small_sizes(left: Option<StaticSizes>, right: Option<StaticSizes>) -> Option<[usize; 3]> {
    let (Some(left), Some(right)) = (left, right) else { return None };
    let (m, k) = match *left.as_slice() {
        [k] => (1, k),
        [m, k] => (m, k),
        _ => return None,
    };
    let n = match *right.as_slice() {
        [_] => 1,
        [_, n] => n,
        _ => return None,
    };
    if is_small(m, k, n) { Some([m, k, n]) } else { None }
}

/// The product of two tensors whose shapes were found to match, by `matmul` or by `dot`: the
/// result has the axes of the left side but the last one, then those of the right side but the
/// second last.
fn product<L: Shape, R: Shape, O: Shape, T: Number>(
    left: View<'_, L, T>,
    right: View<'_, R, T>,
    shape: O,
) -> Tensor<O, T> {
    if let Some([m, k, n]) = const { small_sizes(L::STATIC_SIZES, R::STATIC_SIZES) }
        && let (None, None) = (left.layout, right.layout)
    {
        let left = Matrix { elements: left.elements, start: 0, row: k as isize, column: 1 };
        let right = Matrix { elements: right.elements, start: 0, row: n as isize, column: 1 };
        return Tensor::from_storage(shape, multiply_small([m, k, n], left, right));
    }
    let sizes = [&left.shape.sizes()[..], &right.shape.sizes()];
    let strides = [&left.strides()[..], &right.strides()];
    let offsets = [left.offset(), right.offset()];
    let elements = [left.elements, right.elements];
    let storage = if const { L::RANK <= 2 && R::RANK <= 2 } && is_own_sum::<T>() {
        multiply_matrices(sizes, strides, offsets, elements)
    } else {
        multiply_views(&shape.sizes(), sizes, strides, offsets, elements)
    };
    Tensor::from_storage(shape, storage)
}

/// [`product`] of small matrices.
#[inline]
fn multiply_small<T: Number>(
    [m, k, n]: [usize; 3],
    left: Matrix<'_, T>,
    right: Matrix<'_, T>,
) -> Storage<T> {
    // SAFETY: the kernel writes every result.
    unsafe { Storage::build(m * n, |results| simple([m, k, n], left, right, results)) }
}

/// [`product`] of two matrices or vectors, for a type that is the type of its sums.
fn multiply_matrices<T: Number>(
    [left_sizes, right_sizes]: [&[usize]; 2],
    [left_strides, right_strides]: [&[isize]; 2],
    [left_offset, right_offset]: [usize; 2],
    [left, right]: [&[T]; 2],
) -> Storage<T> {
    let (m, k, row, column) = match (left_sizes, left_strides) {
        (&[m, k], &[row, column]) => (m, k, row, column),
        _ => (1, left_sizes[0], 0, left_strides[0]),
    };
    let left = Matrix { elements: left, start: left_offset as isize, row, column };
    let (n, row, column) = match (right_sizes, right_strides) {
        (&[_, n], &[row, column]) => (n, row, column),
        _ => (1, right_strides[0], 0),
    };
    let right = Matrix { elements: right, start: right_offset as isize, row, column };
    // SAFETY: the kernel writes every result.
    unsafe { Storage::build(m * n, |results| one_product([m, k, n], left, right, results)) }
}

/// [`product`] without the types of the shapes. A side of rank 1 is a vector: it lacks the axis of
/// the rows or of the columns.
fn multiply_views<T: Number>(
    result: &[usize],
    [left_sizes, right_sizes]: [&[usize]; 2],
    [left_strides, right_strides]: [&[isize]; 2],
    [left_offset, right_offset]: [usize; 2],
    [left, right]: [&[T]; 2],
) -> Storage<T> {
    let last = left_sizes.len() - 1;
    let (rows, columns) = match right_sizes.len() {
        1 => (result, 1),
        _ => (&result[..result.len() - 1], result[result.len() - 1]),
    };
    let rank = rows.len();
    // Where the left side has rows, the last of them is no leading axis of the right side.
    let batch_rank = rank - usize::from(last > 0 && right_sizes.len() > 1);
    let batch = right_sizes.len().saturating_sub(2);
    let mut right_rows = stretched(&right_sizes[..batch], &right_strides[..batch], batch_rank);
    right_rows.resize(rank, 0);
    let (right_inner, right_column) = match *right_strides {
        [.., inner, column] => (inner, column),
        _ => (right_strides[0], 0),
    };
    let left = Factor {
        elements: left,
        offset: left_offset,
        rows: stretched(&left_sizes[..last], &left_strides[..last], rank),
        inner: left_strides[last],
    };
    let right =
        Factor { elements: right, offset: right_offset, rows: right_rows, inner: right_inner };
    let len = result.iter().product();
    // SAFETY: the kernel writes every result.
    unsafe {
        Storage::build(len, |results| {
            multiply(rows, left_sizes[last], columns, &left, &right, right_column, results);
        })
    }
}
