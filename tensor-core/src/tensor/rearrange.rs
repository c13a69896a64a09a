//! Axes split, moved and merged by their names: [`rearrange!`](crate::rearrange!) and
//! [`DynTensor::rearrange`].
//!
//! All is done by views: axes are split, permuted and merged. Only the last step copies, where strides
//! do not describe the merged axes.

pub(crate) mod named;
pub(crate) mod pattern;

use crate::element::Element;
use crate::shape::error::ShapeError;
use crate::tensor::DynTensor;

/// The tensor with axes of the sizes `split`, these in the order `order`, and then merged into axes of
/// the sizes `merged`.
///
/// # Errors
///
/// If a shape does not fit into memory, which then does not have as many elements.
pub(crate) fn moved<T: Element>(
    x: &DynTensor<T>,
    split: &[usize],
    order: &[usize],
    merged: &[usize],
) -> Result<DynTensor<T>, ShapeError> {
    let x = x.reshape(split)?;
    let is_in_order = order.iter().enumerate().all(|(place, &axis)| place == axis);
    let x = match is_in_order {
        true => x,
        false => x.permute(&order.iter().map(|&axis| axis as isize).collect::<Vec<_>>())?,
    };
    x.reshape(merged)
}
