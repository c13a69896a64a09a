//! Standardisation and layer normalisation along one axis.

use super::in_place::normalized;
use crate::array::kernel::normalize::Standardization;
use crate::element::{Element, Float};
use crate::shape::Shape;
use crate::shape::axis::Axis;
use crate::shape::axis_index::{HasAxis, Removed};
use crate::tensor::Tensor;

impl<S: Shape, T: Element> Tensor<S, T> {
    /// `(x - mean) / √(variance + epsilon)` along axis `I`, `[..a, n, ..b] → [..a, n, ..b]`.
    fn standardized<const I: isize>(&self, correction: usize, epsilon: f64) -> Tensor<S, T>
    where
        S: HasAxis<I>,
        T: Float,
    {
        let divisor = <S as HasAxis<I>>::axis(self.shape).size().saturating_sub(correction);
        let standardization = Standardization { divisor, epsilon };
        let storage = normalized(self.view(), <S as HasAxis<I>>::INDEX, standardization);
        Tensor::from_storage(self.shape, storage)
    }

    /// `(x - mean) / std` along axis `I`, `[..a, n, ..b] → [..a, n, ..b]`: what is left has mean 0
    /// and standard deviation 1. Also known as the z-score, as SciPy's `zscore`.
    ///
    /// NaN where all elements along the axis are equal, for their deviation is 0:
    /// [`layer_norm`](Tensor::layer_norm) gives 0 there.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// let x = tensor![[1.0, 5.0], [2.0, 6.0], [1.0, 5.0], [2.0, 6.0]];
    /// let z = tensor![[-1.0, -1.0], [1.0, 1.0], [-1.0, -1.0], [1.0, 1.0]];
    /// assert_eq!(x.standardize::<0>(), z);
    /// ```
    pub fn standardize<const I: isize>(&self) -> Tensor<S, T>
    where
        Removed<S, I>: Sized,
        <T as Float>::Checked: Sized,
        S: HasAxis<I>,
        T: Float,
    {
        self.standardized::<I>(0, 0.0)
    }

    /// `(x - mean) / std` along axis `I`, where the variance is divided by `n - correction`, as in
    /// [`std_axis_with`](Tensor::std_axis_with), `[..a, n, ..b] → [..a, n, ..b]`.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// assert_eq!(tensor![2.0, 4.0, 6.0].standardize_with::<-1>(1), tensor![-1.0, 0.0, 1.0]);
    /// ```
    pub fn standardize_with<const I: isize>(&self, correction: usize) -> Tensor<S, T>
    where
        Removed<S, I>: Sized,
        <T as Float>::Checked: Sized,
        S: HasAxis<I>,
        T: Float,
    {
        self.standardized::<I>(correction, 0.0)
    }

    /// Layer normalisation, `(x - mean) / √(variance + epsilon)` along axis `I`,
    /// `[..a, n, ..b] → [..a, n, ..b]` ([Ba, Kiros and Hinton,
    /// 2016](https://arxiv.org/abs/1607.06450)).
    ///
    /// The gain and the bias follow as they are written: `x.layer_norm::<-1>(1e-5) * gain + bias`.
    /// PyTorch's epsilon is `1e-5`; it keeps a small variance from being a divisor.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// let x = tensor![[1.0, 3.0], [5.0, 5.0]];
    /// let (gain, bias) = (tensor![4.0, 8.0], tensor![0.5, 0.5]);
    /// let y = x.layer_norm::<-1>(3.0) * gain + bias;
    /// assert_eq!(y, tensor![[-1.5, 4.5], [0.5, 0.5]]);
    /// ```
    pub fn layer_norm<const I: isize>(&self, epsilon: f64) -> Tensor<S, T>
    where
        Removed<S, I>: Sized,
        <T as Float>::Checked: Sized,
        S: HasAxis<I>,
        T: Float,
    {
        self.standardized::<I>(0, epsilon)
    }
}
