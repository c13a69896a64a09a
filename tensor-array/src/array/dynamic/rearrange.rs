//! `rearrange`: axes split, moved and merged by a pattern.

pub(crate) mod pattern;

use self::pattern::RearrangeError;
use tensor_kernels::element::Element;
use tensor_kernels::sizes::error::ShapeError;

use super::DynTensor;

/// # Axes by name
#[tensor_array_macros::method_docs(twins)]
impl<T: Element> DynTensor<T> {
    /// Splits, moves and merges axes by a pattern of
    /// [einops](https://einops.rocks/api/rearrange/), such as `"b s (h d) -> b h s d"`: names of axes,
    /// `1` for an axis of size 1, `...` for any axes, and parentheses around names that form one axis.
    /// In parentheses of the result, `...` merges these axes with others; alone, as `(...)`, into one.
    /// `sizes` has the sizes of names in parentheses on the left, all or all but one of each group.
    ///
    /// The elements are copied where [`reshape`](DynTensor::reshape) has to copy.
    /// Errors: If the pattern cannot be read, or does not fit the rank and the sizes.
    /// ```
    /// let x = DynTensor::from(tensor![[1, 2, 3, 4], [5, 6, 7, 8]]);
    /// let halves = x.rearrange("row (half column) -> half row column", &[("half", 2)])?;
    /// assert_eq!(halves, tensor![[[1, 2], [5, 6]], [[3, 4], [7, 8]]].into());
    /// assert_eq!(halves.rearrange("half row column -> row (half column)", &[])?, x);
    /// ```
    #[twin(macro)]
    pub fn rearrange(
        &self,
        pattern: &str,
        sizes: &[(&str, usize)],
    ) -> Result<Self, RearrangeError> {
        pattern::rearrange(self, pattern, sizes)
    }
}

/// Splits axes to the sizes `split`, permutes these by `order`, and merges them to the sizes
/// `merged`.
///
/// # Errors
///
/// If the tensor does not have the number of elements of a shape, or a shape does not fit into memory.
#[doc(hidden)]
pub fn moved<T: Element>(
    x: &DynTensor<T>,
    split: &[usize],
    order: &[usize],
    merged: &[usize],
) -> Result<DynTensor<T>, ShapeError> {
    let x = x.reshape(split)?;
    let is_in_order = order.iter().enumerate().all(|(position, &axis)| position == axis);
    let x = match is_in_order {
        true => x,
        false => x.permute(&order.iter().map(|&axis| axis as isize).collect::<Vec<_>>())?,
    };
    x.reshape(merged)
}
