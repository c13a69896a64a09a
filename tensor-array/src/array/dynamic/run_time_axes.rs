//! Reshapes of a [`DynTensor`] with one inferred size, and sums back to sizes that were broadcast.

use smallvec::SmallVec;
use tensor_kernels::element::{Element, Number};
use tensor_kernels::sizes::Sizes;
use tensor_kernels::sizes::error::ShapeError;
use tensor_kernels::sizes::inferred::infer_left_out;

use super::DynTensor;

/// # Sizes that follow from others
#[tensor_array_macros::method_docs(twins)]
impl<T: Element> DynTensor<T> {
    /// The same elements in row-major order with other sizes, of which one is inferred from the number of
    /// elements, `[..s] → [..t]`, as PyTorch's `view(-1, 3)`. Copies where [`reshape`](Self::reshape) does.
    ///
    /// The inferred size is -1.
    /// Errors: [`ShapeError::NegativeSize`] if a size is below -1, [`ShapeError::LeftOut`] if more than one is -1,
    /// [`ShapeError::NotDivisible`] if no size gives the shape all elements.
    /// ```
    /// let x = DynTensor::full(&[2, 5, 6], 0.0);
    /// assert_eq!(x.reshape_infer(&[-1, 6])?.sizes(), [10, 6]);
    /// assert_eq!(
    ///     x.reshape_infer(&[-1, 7]).unwrap_err().to_string(),
    ///     "60 elements do not fill shape [_, 7], whatever the omitted size is"
    /// );
    /// ```
    #[doc(alias = "view")]
    pub fn reshape_infer(&self, sizes: &[isize]) -> Result<Self, ShapeError> {
        if let Some(axis) = sizes.iter().position(|&size| size < -1) {
            return Err(ShapeError::NegativeSize { size: sizes[axis], axis });
        }
        let sizes: Vec<Option<usize>> =
            sizes.iter().map(|&size| usize::try_from(size).ok()).collect();
        let name = |axis: usize| sizes[axis].map_or("_".to_owned(), |size| size.to_string());
        self.reshape(&infer_left_out(&sizes, self.len(), &name)?)
    }

    /// The sums over all axes along which the new sizes are broadcast to those of this tensor, `[..s] → [..t]`:
    /// the transpose of [`expand`](Self::expand), as PyTorch's `sum_to_size`.
    /// Errors: [`ShapeError::SumTo`] if they do not broadcast to them.
    /// ```
    /// let x = DynTensor::from(tensor![[1, 2, 3], [4, 5, 6]]);
    /// assert_eq!(x.sum_to(&[3])?, tensor![5, 7, 9].into());
    /// assert_eq!(x.sum_to(&[2, 1])?, tensor![[6], [15]].into());
    /// assert!(x.sum_to(&[2]).is_err());
    /// ```
    #[doc(alias = "sum_to_size")]
    pub fn sum_to(&self, sizes: &[usize]) -> Result<Self, ShapeError>
    where
        T: Number,
    {
        let refused =
            || ShapeError::SumTo { sizes: Box::new([self.sizes.to_vec(), sizes.to_vec()]) };
        let leading = self.rank().checked_sub(sizes.len()).ok_or_else(refused)?;
        let mut axes: SmallVec<[isize; 6]> = (0..leading as isize).collect();
        for (axis, (&size, &target)) in (leading..).zip(self.sizes[leading..].iter().zip(sizes)) {
            match target {
                _ if target == size => {}
                1 => axes.push(axis as isize),
                _ => return Err(refused()),
            }
        }
        match axes[..] {
            [] => return Ok(self.clone()),
            // The gradient of a row that was broadcast.
            [0] if leading == 1 => return self.sum_axis(0),
            _ => {}
        }
        Ok(self.sum_axes_keepdims(&axes)?.reshaped(Sizes::from_slice(sizes)))
    }
}
