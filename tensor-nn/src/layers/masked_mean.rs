//! The mean of the elements of a sequence that a mask allows.

use tensor_core::{Axis, Element, Float, Shape, Tensor, select, shape};

/// The mean along time of the elements where the mask is `true`: `[..lead, time, d], [..lead, time] → [..lead, d]`.
/// The embedding of a sentence from those of its words.
///
/// A sequence without any, a sentence without words, has the mean 0 and zero gradients. Elements where the mask is
/// `false` does not matter, not even NaN.
///
/// # Panics
///
/// If a named axis has different sizes in the operands.
///
/// ```
/// use tensor_core::tensor;
/// use tensor_nn::layers::masked_mean;
///
/// let words = tensor![[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [9.0, 9.0]], [[9.0, 9.0], [9.0, 9.0]]];
/// let has_word = tensor![[true, true], [true, false], [false, false]];
/// assert_eq!(masked_mean(&words, &has_word), tensor![[2.0, 3.0], [5.0, 6.0], [0.0, 0.0]]);
/// ```
#[doc(alias = "mean_pooling")]
#[track_caller]
pub fn masked_mean<Lead: Shape, Time: Axis, D: Axis, T: Float>(
    x: &Tensor<shape![Lead.., Time, D], T>,
    mask: &Tensor<shape![Lead.., Time], bool>,
) -> Tensor<shape![Lead.., D], T> {
    let (zero, one) = (T::Wide::ZERO, T::Wide::ONE);
    let sum = select(mask.unsqueeze::<-1>(), x.cast::<T::Wide>(), zero).sum_axis::<-2>();
    let count = select(mask, one, zero).sum_axis::<-1>().maximum(one);
    (sum / count.unsqueeze::<-1>()).cast()
}
