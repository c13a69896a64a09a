//! Sums of a [`DynTensor`] in another element type.

use tensor_kernels::element::{CastTo, Element, Number};
use tensor_kernels::layout::num_elements;
use tensor_kernels::sizes::Sizes;
use tensor_kernels::sizes::error::ShapeError;

use super::DynTensor;
use crate::array::recording::Recordable;

/// The number of elements that are converted at a time: they stay in the L2 cache.
const CHUNK: usize = 1 << 15;

/// The axis along which a tensor of these sizes is split, and the number of its indices in a part; `None` if
/// it is not split. A part has at most [`CHUNK`] elements, or one index.
fn division(sizes: &[usize]) -> Option<(usize, usize)> {
    let len = num_elements(sizes);
    if len <= CHUNK {
        return None;
    }
    let axis = sizes.iter().position(|&size| size > 1)?;
    Some((axis, (CHUNK / (len / sizes[axis])).max(1)))
}

/// The sums along axes, kept at size 1, of the elements as `U`: `[..a, n, ..b] → [..a, 1, ..b]`. Parts are
/// converted and summed one after the other, so that no copy of the whole tensor is made.
///
/// # Errors
///
/// If an axis is out of range or in the list twice, or if the result does not fit into memory.
fn sum_keepdims_as<T: CastTo<U>, U: Number>(
    x: &DynTensor<T>,
    axes: &[isize],
) -> Result<DynTensor<U>, ShapeError> {
    // If the sum is tracked, the converted elements are an operand of it.
    let Some((axis, len)) = division(x.sizes()).filter(|_| !Recordable::is_recorded(x)) else {
        return x.cast::<U>().sum_axes_keepdims(axes);
    };
    let is_summed = x.axis_indices(axes)?.contains(&axis);
    let mut parts =
        x.chunks_axis(axis as isize, len)?.map(|part| sum_keepdims_as::<T, U>(&part, axes));
    if !is_summed {
        return DynTensor::concat_all(&parts.collect::<Result<Vec<_>, _>>()?, axis as isize);
    }
    let first = parts.next().expect("an axis of more than one index");
    parts.try_fold(first?, |sum, part| &sum + &part?)
}

/// # Sums in another element type
#[tensor_array_macros::method_docs(twins)]
#[tensor_array_macros::bounds_without_source]
impl<T: Element> DynTensor<T> {
    /// The sum of all elements as `U`, `[..] → []`: like `x.cast::<U>().sum()`, but without a converted copy of
    /// the tensor. A sum of small integers in their own type wraps around.
    /// ```
    /// assert_eq!(DynTensor::from(tensor![200_u8, 100]).sum_as::<i64>().item()?, 300);
    /// ```
    pub fn sum_as<U>(&self) -> DynTensor<U>
    where
        T: CastTo<U>,
        U: Number,
    {
        let axes: Vec<isize> = (0..self.rank() as isize).collect();
        let sum = sum_keepdims_as::<T, U>(self, &axes);
        sum.expect("every axis once, and one result").reshaped(Sizes::new())
    }

    /// The sums along an axis as `U`, `[..a, n, ..b] → [..a, ..b]`: as [`sum_as`](Self::sum_as).
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::TooLarge`] if the result
    /// does not fit into memory.
    /// ```
    /// let x = DynTensor::from(tensor![[200_u8, 100], [1, 2]]);
    /// assert_eq!(x.sum_axis_as::<i64>(-1)?, tensor![300_i64, 3].into());
    /// ```
    pub fn sum_axis_as<U>(&self, axis: isize) -> Result<DynTensor<U>, ShapeError>
    where
        T: CastTo<U>,
        U: Number,
    {
        sum_keepdims_as::<T, U>(self, &[axis])?.squeeze(axis)
    }
}
