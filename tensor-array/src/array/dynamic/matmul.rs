//! Matrix products of tensors whose shapes are known at run time.

use super::DynTensor;
use super::elementwise::fits_into_memory;
use crate::array::evaluate::{NONE, call_product, evaluate};
use crate::array::gradients;
use crate::array::layout::ErasedView;
use crate::array::layout::{StridedLayout, len_in_memory};
use crate::array::plan::broadcast_sizes;
use crate::array::recording::Outcome;
use crate::array::storage::Storage;
use crate::array::trace::{self, Op};
use crate::element::Number;
use crate::ops::ProductCall;
use crate::ops::matmul::{Dot, Matmul, Outer, ProductRow};
use crate::sizes::Sizes;
use crate::sizes::error::ShapeError;

/// # Products
#[tensor_array_macros::method_docs(twins)]
impl<T: Number> DynTensor<T> {
    /// The matrix product, by the rules of
    /// [NumPy](https://numpy.org/doc/stable/reference/generated/numpy.matmul.html):
    /// `[..l, m, k] × [..r, k, n] → [..(l ⊕ r), m, n]`, `[k] × [..r, k, n] → [..r, n]`, `[..l, k] × [k] → [..l]`.
    /// Leading axes broadcast without copies, and views such as transposes are read without copies. Integers wrap
    /// around; 16-bit floats are summed in `f32`. A sum over no element is 0.
    /// Errors: [`ShapeError::ProductRank`] if a side has rank 0, [`ShapeError::Contracted`] if the axes
    /// that are summed over have different sizes, [`ShapeError::Sizes`] if the leading axes do not broadcast,
    /// [`ShapeError::TooLarge`] if the result does not fit into memory.
    /// ```
    /// let a = DynTensor::from_vec(&[3, 2], vec![1, 2, 3, 4, 5, 6])?;
    /// let b = DynTensor::from_vec(&[2, 2], vec![1, 0, 0, -1])?;
    /// assert_eq!(a.matmul(&b)?, DynTensor::from_vec(&[3, 2], vec![1, -2, 3, -4, 5, -6])?);
    /// assert_eq!(
    ///     b.matmul(&a).unwrap_err().to_string(),
    ///     "cannot multiply: the last axis of the left side has size 2, the second last axis of the right side has size 3"
    /// );
    /// ```
    #[doc(alias("mm", "bmm", "mv", "@", "gemm"))]
    pub fn matmul(&self, right: &Self) -> Result<Self, ShapeError> {
        let ranks_fit = self.rank() > 0 && right.rank() > 0;
        self.check(right, &Matmul::ROW, ranks_fit)?;
        let (lead, m) = match &self.sizes[..self.rank() - 1] {
            [lead @ .., m] => (lead, Some(*m)),
            [] => (&[][..], None),
        };
        let (batch, n) = match &right.sizes[..] {
            [batch @ .., _, n] => (batch, Some(*n)),
            _ => (&[][..], None),
        };
        let mut result = broadcast_sizes(lead, batch)?;
        result.extend(m.into_iter().chain(n));
        self.multiplied(right, result)
    }

    /// The product of the last axis with a matrix, `[..lead, k] · [k, n] → [..lead, n]`, or with a vector,
    /// `[..lead, k] · [k] → [..lead]`. Integers wrap around; 16-bit floats are summed in `f32`. A sum over no
    /// element is 0.
    /// Errors: [`ShapeError::ProductRank`] if the left side has rank 0 or the right side neither rank 1
    /// nor 2, [`ShapeError::Contracted`] if the axes that are summed over have different sizes,
    /// [`ShapeError::TooLarge`] if the result does not fit into memory.
    /// ```
    /// let x = DynTensor::from_vec(&[2, 2], vec![1.0, 2.0, 3.0, 4.0])?;
    /// let weights = DynTensor::from_vec(&[2], vec![10.0, 1.0])?;
    /// assert_eq!(x.dot(&weights)?, DynTensor::from_vec(&[2], vec![12.0, 34.0])?);
    /// ```
    #[doc(alias("tensordot", "vdot", "linear", "inner"))]
    pub fn dot(&self, right: &Self) -> Result<Self, ShapeError> {
        let ranks_fit = self.rank() > 0 && matches!(right.rank(), 1 | 2);
        self.check(right, &Dot::ROW, ranks_fit)?;
        let mut result = Sizes::from_slice(&self.sizes[..self.rank() - 1]);
        result.extend(right.sizes.get(1).copied());
        self.multiplied(right, result)
    }

    /// The outer product, all products of elements of two vectors, `[m] ⊗ [n] → [m, n]`. Integers wrap around.
    /// Errors: [`ShapeError::ProductRank`] if a side is not a vector, [`ShapeError::TooLarge`] if the
    /// result does not fit into memory.
    /// ```
    /// let (x, y) = (DynTensor::from_vec(&[3], vec![1, 2, 3])?, DynTensor::from_vec(&[2], vec![1, 10])?);
    /// assert_eq!(x.outer(&y)?, DynTensor::from_vec(&[3, 2], vec![1, 10, 2, 20, 3, 30])?);
    /// ```
    #[doc(alias("ger", "tensordot"))]
    pub fn outer(&self, right: &Self) -> Result<Self, ShapeError> {
        let (left_sizes, right_sizes) = (&self.sizes[..], &right.sizes[..]);
        let (&[m], &[n]) = (left_sizes, right_sizes) else {
            return Err(self.wrong_rank(right, &Outer::ROW));
        };
        let result = Sizes::from_slice(&[m, n]);
        fits_into_memory::<T>(&result)?;
        if self.is_traced() || right.is_traced() {
            let rule = Some(gradients::Outer.into());
            return Ok(trace::step(Op::Outer, rule, &result, &[self, right], |x| {
                let product = trace::operand::<T>(x, 0).outer(trace::operand(x, 1));
                product.expect("the shapes are those of the trace")
            }));
        }
        let storage = outer_erased(self.as_view(), right.as_view());
        Ok(Self::from_storage(result, storage).with(&[self, right], || gradients::Outer))
    }

    /// Refuses operands whose ranks do not fit, or whose contracted axes differ.
    fn check(&self, right: &Self, product: &ProductRow, ranks_fit: bool) -> Result<(), ShapeError> {
        if !ranks_fit {
            return Err(self.wrong_rank(right, product));
        }
        let left = self.sizes[self.rank() - 1];
        let (right, position) = match right.sizes[..] {
            [.., axis, _] => (axis, "the second last axis"),
            [axis] => (axis, "the only axis"),
            [] => unreachable!("the rank was checked"),
        };
        if left != right {
            return Err(ShapeError::Contracted { left, right, position });
        }
        Ok(())
    }

    fn wrong_rank(&self, right: &Self, product: &ProductRow) -> ShapeError {
        let (expected, left, right) = (product.operands, self.rank(), right.rank());
        ShapeError::ProductRank { expected, left, right }
    }

    /// The product with these sizes, of operands that were checked to match.
    fn multiplied(&self, right: &Self, result: Sizes) -> Result<Self, ShapeError> {
        fits_into_memory::<T>(&result)?;
        let operands: [&[usize]; 2] = [&self.sizes, &right.sizes];
        let call = ProductCall { mkn: None, sizes: &result, operands, rule: &gradients::MatMul };
        let (storage, layout) = call_product(&call, self.array(), right.array());
        Ok(Self { sizes: result, layout, storage })
    }
}

/// The outer product of two vectors, `[m] ⊗ [n] → [m, n]`, as the product of a column and a row.
///
/// # Panics
///
/// If the result does not fit into memory.
#[track_caller]
fn outer_erased<T: Number>(left: ErasedView<'_, T>, right: ErasedView<'_, T>) -> Storage<T> {
    let sizes = [left.sizes[0], right.sizes[0]];
    len_in_memory(&sizes, size_of::<T>());
    let layout = left.layout.map(|layout| {
        let strides = [layout.strides[0], 0].iter().copied().collect();
        StridedLayout::new(layout.offset, strides)
    });
    let column_sizes = [left.sizes[0], 1];
    let column = ErasedView::new(&column_sizes, layout.as_ref(), left.elements());
    // SAFETY: the kernel multiplies elements of type `T`.
    unsafe { evaluate(T::Mul, NONE, &None, &sizes, &[column.untyped(), right.untyped()]) }
}
