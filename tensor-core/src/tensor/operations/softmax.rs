//! Softmax, its logarithm, and the logarithm of a sum of exponentials, along one axis.

use super::in_place::normalized;
use super::reduce::{along_axis, to_one};
use crate::array::kernel::lanes::All;
use crate::array::kernel::normalize::LogSoftmax;
use crate::array::kernel::softmax::Softmax;
use crate::array::kernel::summaries::log_of_exponentials;
use crate::element::{Element, Float, Instructions};
use crate::shape::Shape;
use crate::shape::axis_index::{HasAxis, Kept, Removed};
use crate::tensor::Tensor;

impl<S: Shape, T: Element> Tensor<S, T> {
    /// `e^x / Σ e^x` along axis `I`, `[..a, n, ..b] → [..a, n, ..b]`: what is left is positive and
    /// sums to 1.
    ///
    /// Computed from `x - max x`, so that large elements do not overflow. An element -∞ gets 0;
    /// where all are -∞, or one is ∞ or NaN, the results are NaN.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// let logits = tensor![[1000.0, 1000.0], [0.0, f32::NEG_INFINITY]];
    /// assert_eq!(logits.softmax::<-1>(), tensor![[0.5, 0.5], [1.0, 0.0]]);
    /// ```
    pub fn softmax<const I: isize>(&self) -> Tensor<S, T>
    where
        Removed<S, I>: Sized,
        <T as Float>::Checked: Sized,
        S: HasAxis<I>,
        T: Float,
    {
        let storage =
            normalized(self.view(), <S as HasAxis<I>>::INDEX, Softmax(Instructions::OF_THE_BUILD));
        Tensor::from_storage(self.shape, storage)
    }

    /// The logarithm of [`softmax`](Tensor::softmax), `x - ln Σ e^x` along axis `I`,
    /// `[..a, n, ..b] → [..a, n, ..b]`; exact where the softmax itself is almost 0.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// let logits = tensor![0.0, -1000.0];
    /// assert_eq!(logits.log_softmax::<-1>(), tensor![0.0, -1000.0]);
    /// ```
    pub fn log_softmax<const I: isize>(&self) -> Tensor<S, T>
    where
        Removed<S, I>: Sized,
        <T as Float>::Checked: Sized,
        S: HasAxis<I>,
        T: Float,
    {
        let storage = normalized(
            self.view(),
            <S as HasAxis<I>>::INDEX,
            LogSoftmax(Instructions::OF_THE_BUILD),
        );
        Tensor::from_storage(self.shape, storage)
    }

    /// `ln Σ e^x` over all elements, `[..] → []`, computed so that large elements do not overflow;
    /// -∞ if there is none.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// let x = tensor![[1000.0, 1000.0], [1000.0, 1000.0]];
    /// assert_eq!(x.logsumexp().item(), 1000.0 + f64::ln(4.0));
    /// ```
    pub fn logsumexp(&self) -> Tensor<(), T>
    where
        <T as Float>::Checked: Sized,
        T: Float,
    {
        Tensor::scalar(to_one(self.view(), log_of_exponentials(), ()))
    }

    /// `ln Σ e^x` along axis `I`, `[..a, n, ..b] → [..a, ..b]`, computed so that large elements do
    /// not overflow; -∞ along an axis of size 0.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// let x = tensor![[0.0, 0.0], [7.0, f64::NEG_INFINITY]];
    /// assert_eq!(x.logsumexp_axis::<-1>(), tensor![2.0f64.ln(), 7.0]);
    /// ```
    pub fn logsumexp_axis<const I: isize>(&self) -> Tensor<Removed<S, I>, T>
    where
        <T as Float>::Checked: Sized,
        S: HasAxis<I>,
        T: Float,
    {
        let shape = <S as HasAxis<I>>::remove(self.shape);
        let (axis, len) = (<S as HasAxis<I>>::INDEX, shape.num_elements());
        let storage = along_axis(self.view(), axis, len, log_of_exponentials(), All(()));
        Tensor::from_storage(shape, storage)
    }

    /// `ln Σ e^x` along axis `I`, which stays with size `One`, `[..a, n, ..b] → [..a, 1, ..b]`.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// let x = tensor![[0.0, 0.0], [7.0, f64::NEG_INFINITY]];
    /// assert_eq!(x.logsumexp_axis_keepdims::<-1>(), tensor![[2.0f64.ln()], [7.0]]);
    /// ```
    pub fn logsumexp_axis_keepdims<const I: isize>(&self) -> Tensor<Kept<S, I>, T>
    where
        <T as Float>::Checked: Sized,
        S: HasAxis<I>,
        T: Float,
    {
        let Tensor { storage, .. } = self.logsumexp_axis::<I>();
        Tensor::from_storage(<S as HasAxis<I>>::keep(self.shape), storage)
    }
}
