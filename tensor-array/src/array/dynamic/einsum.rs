//! `einsum`: sums of products over axes that an equation names.

pub mod contraction;
pub(crate) mod equation;

use self::contraction::{sum_of_products, tensordot};
use self::equation::{EinsumError, Equation, check_sizes};
use tensor_kernels::element::Number;
use tensor_kernels::layout::graph::refuse_kept;
use tensor_kernels::sizes::error::ShapeError;

use super::DynTensor;

/// # Products over named axes
#[tensor_array_macros::method_docs(twins)]
impl<T: Number> DynTensor<T> {
    /// The sum of products given by an equation, as
    /// [NumPy's](https://numpy.org/doc/stable/reference/generated/numpy.einsum.html): a letter for each
    /// axis, `...` for any axes, which broadcast, and after `->` the axes of the result. All axes of
    /// one letter have one size, or size 1, which broadcasts to that of another operand; axes that the result
    /// lacks are summed over; those that one operand has twice become its diagonal. Without `->`, the result
    /// has the letters that occur once, in alphabetical order.
    ///
    /// Operands are multiplied from left to right, by [`matmul`](DynTensor::matmul) where an axis is summed over.
    /// Errors: If the equation cannot be read, has another number of operands, or letters that do not fit the
    /// ranks and sizes; if the result does not fit into memory.
    /// ```
    /// let a = DynTensor::from(tensor![[1, 2], [3, 4]]);
    /// let b = DynTensor::from(tensor![[1, 0], [0, -1]]);
    /// assert_eq!(DynTensor::einsum("ij,jk->ik", &[&a, &b])?, a.matmul(&b)?);
    /// assert_eq!(DynTensor::einsum("ij->ji", &[&a])?, a.transpose()?);
    /// assert_eq!(DynTensor::einsum("ii->", &[&a])?.item()?, 5);
    /// ```
    #[twin(macro)]
    pub fn einsum(equation: &str, operands: &[&Self]) -> Result<Self, EinsumError> {
        for operand in operands {
            refuse_kept(operand.layout.as_deref());
        }
        let equation = Equation::read(equation)?;
        let shapes: Vec<&[usize]> = operands.iter().map(|operand| operand.sizes()).collect();
        check_sizes(&equation, &shapes)?;
        let operands = operands.iter().map(|&operand| operand.clone()).collect();
        Ok(sum_of_products(operands, equation.operands, &equation.result)?)
    }

    /// The sum of products over pairs of axes, one of each side. The result has the other axes of the left side,
    /// then those of the right side: `[..a, k, ..b] × [..c, k, ..d] → [..a, ..b, ..c, ..d]`.
    ///
    /// The pairs are of the lists `axes` and `right_axes`.
    /// Errors: [`ShapeError::AxisPairs`] if there are more axes of one side, [`ShapeError::ContractedAxes`] if the
    /// sizes of a pair differ, [`ShapeError::AxisOutOfRange`] and [`ShapeError::AxisTwice`] if a list is none of
    /// axes, [`ShapeError::TooLarge`] if the result does not fit into memory.
    /// ```
    /// let images = DynTensor::full(&[32, 3, 28, 28], 1.0);
    /// let filters = DynTensor::full(&[28, 28, 10], 1.0);
    /// assert_eq!(images.tensordot(&filters, &[-2, -1], &[0, 1])?.sizes(), [32, 3, 10]);
    /// ```
    pub fn tensordot(
        &self,
        right: &Self,
        axes: &[isize],
        right_axes: &[isize],
    ) -> Result<Self, ShapeError> {
        for operand in [self, right] {
            refuse_kept(operand.layout.as_deref());
        }
        let axes = [self.axis_indices(axes)?, right.axis_indices(right_axes)?];
        if axes[0].len() != axes[1].len() {
            return Err(ShapeError::AxisPairs { left: axes[0].len(), right: axes[1].len() });
        }
        for (&first, &second) in axes[0].iter().zip(&axes[1]) {
            let sizes = [self.sizes[first], right.sizes[second]];
            if sizes[0] != sizes[1] {
                return Err(ShapeError::ContractedAxes { axes: [first, second], sizes });
            }
        }
        tensordot(self.clone(), right.clone(), &axes)
    }
}
