//! Variances and standard deviations.

use super::reduce::{along_axis, to_one};
use crate::array::kernel::lanes::All;
use crate::array::kernel::summaries::variance;
use crate::element::{Element, Float};
use crate::shape::Shape;
use crate::shape::axis::Axis;
use crate::shape::axis_index::{HasAxis, Kept, Removed};
use crate::tensor::Tensor;

impl<S: Shape, T: Element> Tensor<S, T> {
    /// The variance, or the standard deviation.
    fn spread(&self, correction: usize, root: bool) -> Tensor<(), T>
    where
        T: Float,
    {
        let divisor = self.len().saturating_sub(correction);
        Tensor::scalar(to_one(self.view(), variance(divisor, root), ()))
    }

    /// [`spread`](Tensor::spread) along an axis.
    fn spread_axis<const I: isize>(&self, correction: usize, root: bool) -> Tensor<Removed<S, I>, T>
    where
        S: HasAxis<I>,
        T: Float,
    {
        let shape = <S as HasAxis<I>>::remove(self.shape);
        let (axis, len) = (<S as HasAxis<I>>::INDEX, shape.num_elements());
        let divisor = <S as HasAxis<I>>::axis(self.shape).size().saturating_sub(correction);
        let storage = along_axis(self.view(), axis, len, variance(divisor, root), All(()));
        Tensor::from_storage(shape, storage)
    }
}

/// Five methods for one measure of spread.
macro_rules! spreads {
    ($(root $root:literal {
        $(#[$doc:meta])* $name:ident,
        $(#[$with_doc:meta])* $name_with:ident,
        $(#[$axis_doc:meta])* $name_axis:ident,
        $(#[$axis_with_doc:meta])* $name_axis_with:ident,
        $(#[$keepdims_doc:meta])* $name_axis_keepdims:ident
    })+) => {
        impl<S: Shape, T: Element> Tensor<S, T> {$(
            $(#[$doc])*
            pub fn $name(&self) -> Tensor<(), T>
            where
                <T as Float>::Checked: Sized,
                T: Float,
            {
                self.spread(0, $root)
            }

            $(#[$with_doc])*
            pub fn $name_with(&self, correction: usize) -> Tensor<(), T>
            where
                <T as Float>::Checked: Sized,
                T: Float,
            {
                self.spread(correction, $root)
            }

            $(#[$axis_doc])*
            pub fn $name_axis<const I: isize>(&self) -> Tensor<Removed<S, I>, T>
            where
                <T as Float>::Checked: Sized,
                S: HasAxis<I>,
                T: Float,
            {
                self.spread_axis::<I>(0, $root)
            }

            $(#[$axis_with_doc])*
            pub fn $name_axis_with<const I: isize>(
                &self,
                correction: usize,
            ) -> Tensor<Removed<S, I>, T>
            where
                <T as Float>::Checked: Sized,
                S: HasAxis<I>,
                T: Float,
            {
                self.spread_axis::<I>(correction, $root)
            }

            $(#[$keepdims_doc])*
            pub fn $name_axis_keepdims<const I: isize>(&self) -> Tensor<Kept<S, I>, T>
            where
                <T as Float>::Checked: Sized,
                S: HasAxis<I>,
                T: Float,
            {
                let Tensor { storage, .. } = self.spread_axis::<I>(0, $root);
                Tensor::from_storage(<S as HasAxis<I>>::keep(self.shape), storage)
            }
        )+}
    };
}

spreads! {
    root false {
        /// The variance of all elements, `Σ (x - mean)² / n`, `[..] → []`, as NumPy's `var`; NaN if
        /// there is none.
        ///
        /// Computed from the deviations from the mean, so that nothing cancels when the mean is
        /// large, in one pass over the memory.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// assert_eq!(tensor![[1.0, 3.0], [1.0, 3.0]].var().item(), 1.0);
        /// ```
        var,
        /// The variance of all elements, `Σ (x - mean)² / (n - correction)`, `[..] → []`: with 1,
        /// the estimate from a sample, which is PyTorch's default. NaN or ∞ unless there are more
        /// elements than the correction.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// assert_eq!(tensor![1.0, 2.0, 3.0].var_with(1).item(), 1.0);
        /// ```
        var_with,
        /// The variances along axis `I`, `[..a, n, ..b] → [..a, ..b]`.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// assert_eq!(tensor![[1.0, 3.0], [5.0, 5.0]].var_axis::<-1>(), tensor![1.0, 0.0]);
        /// ```
        var_axis,
        /// The variances along axis `I`, divided by `n - correction`,
        /// `[..a, n, ..b] → [..a, ..b]`.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// assert_eq!(tensor![[1.0, 3.0], [5.0, 5.0]].var_axis_with::<-1>(1), tensor![2.0, 0.0]);
        /// ```
        var_axis_with,
        /// The variances along axis `I`, which stays with size `One`,
        /// `[..a, n, ..b] → [..a, 1, ..b]`.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// let x = tensor![[1.0, 3.0], [5.0, 5.0]];
        /// assert_eq!(x.var_axis_keepdims::<-1>(), tensor![[1.0], [0.0]]);
        /// ```
        var_axis_keepdims
    }
    root true {
        /// The standard deviation of all elements, the root of [`var`](Tensor::var), `[..] → []`.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// assert_eq!(tensor![[1.0, 5.0], [1.0, 5.0]].std().item(), 2.0);
        /// ```
        std,
        /// The root of [`var_with`](Tensor::var_with), `[..] → []`.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// assert_eq!(tensor![2.0, 4.0, 6.0].std_with(1).item(), 2.0);
        /// ```
        std_with,
        /// The standard deviations along axis `I`, `[..a, n, ..b] → [..a, ..b]`.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// assert_eq!(tensor![[1.0, 5.0], [5.0, 5.0]].std_axis::<-1>(), tensor![2.0, 0.0]);
        /// ```
        std_axis,
        /// The root of [`var_axis_with`](Tensor::var_axis_with), `[..a, n, ..b] → [..a, ..b]`.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// assert_eq!(tensor![[2.0, 4.0, 6.0]].std_axis_with::<-1>(1), tensor![2.0]);
        /// ```
        std_axis_with,
        /// The standard deviations along axis `I`, which stays with size `One`,
        /// `[..a, n, ..b] → [..a, 1, ..b]`.
        ///
        /// ```
        /// use tensor_core::tensor;
        ///
        /// let x = tensor![[1.0, 5.0], [2.0, 6.0]];
        /// let standard = (&x - x.mean_axis_keepdims::<0>()) / x.std_axis_keepdims::<0>();
        /// assert_eq!(standard, tensor![[-1.0, -1.0], [1.0, 1.0]]);
        /// ```
        std_axis_keepdims
    }
}
