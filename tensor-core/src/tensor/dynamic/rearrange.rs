//! Axes split, moved and merged by a pattern.

use super::DynTensor;
use crate::element::Element;
use crate::tensor::rearrange::pattern::{self, RearrangeError};

/// # Axes by name
impl<T: Element> DynTensor<T> {
    /// The tensor with its axes split, moved and merged as a pattern of
    /// [einops](https://einops.rocks/api/rearrange/) says, such as `"b s (h d) -> b h s d"`: names of axes,
    /// `1` for an axis of size 1, `...` for any axes, and parentheses around names that are one axis.
    /// In parentheses of the result, `...` merges these axes with others; alone, as `(...)`, into one.
    /// `sizes` has the sizes of names in parentheses on the left, all or all but one of each.
    ///
    /// The elements are copied where [`reshape`](DynTensor::reshape) has to copy. [`rearrange!`](crate::rearrange!)
    /// is the same for shapes that are types.
    ///
    /// # Errors
    ///
    /// If the pattern cannot be read, or does not fit the rank and the sizes.
    ///
    /// ```
    /// use tensor_core::{DynTensor, tensor};
    ///
    /// let x = DynTensor::from(tensor![[1, 2, 3, 4], [5, 6, 7, 8]]);
    /// let halves = x.rearrange("row (half column) -> half row column", &[("half", 2)])?;
    /// assert_eq!(halves, tensor![[[1, 2], [5, 6]], [[3, 4], [7, 8]]].into());
    /// assert_eq!(halves.rearrange("half row column -> row (half column)", &[])?, x);
    /// # Ok::<(), tensor_core::RearrangeError>(())
    /// ```
    pub fn rearrange(
        &self,
        pattern: &str,
        sizes: &[(&str, usize)],
    ) -> Result<Self, RearrangeError> {
        pattern::rearrange(self, pattern, sizes)
    }
}
