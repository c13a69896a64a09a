//! The losses of all elements, `[..s] → [..s]`: for a sum, or for a mean with weights of your own.
//!
//! ```
//! use tensor_core::tensor;
//! use tensor_nn::losses::each;
//!
//! let (prediction, target) = (tensor![1.0, 2.0], tensor![3.0, 2.0]);
//! assert_eq!(each::mse(&prediction, &target), tensor![4.0, 0.0]);
//! assert_eq!(each::mse(&prediction, &target).sum().item(), 4.0);
//! ```

use tensor_core::{Float, Shape, Tensor, select};

/// Stamps out losses of single elements.
macro_rules! losses {
    ($(
        $(#[$doc:meta])*
        $name:ident($prediction:ident, $target:ident $(, $argument:ident)?) $loss:block
    )*) => {$(
        $(#[$doc])*
        ///
        /// # Panics
        ///
        /// If a named axis has different sizes.
        #[track_caller]
        pub fn $name<S: Shape, T: Float>(
            $prediction: &Tensor<S, T>,
            $target: &Tensor<S, T>,
            $($argument: f64,)?
        ) -> Tensor<S, T> $loss
    )*};
}

losses! {
    /// Squared differences, `[..s], [..s] → [..s]`.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::losses::each;
    ///
    /// assert_eq!(each::mse(&tensor![1.0, 2.0], &tensor![1.0, 4.0]), tensor![0.0, 4.0]);
    /// ```
    mse(prediction, target) {
        (prediction - target).square()
    }

    /// Absolute differences, `[..s], [..s] → [..s]`.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::losses::each;
    ///
    /// assert_eq!(each::l1(&tensor![1.0, 2.0], &tensor![1.0, 4.0]), tensor![0.0, 2.0]);
    /// ```
    l1(prediction, target) {
        (prediction - target).abs()
    }

    /// Half the squared differences up to `delta`, linear from there, `[..s], [..s] → [..s]`.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::losses::each;
    ///
    /// assert_eq!(each::huber(&tensor![1.0, 0.0], &tensor![0.0, 4.0], 2.0), tensor![0.5, 6.0]);
    /// ```
    huber(prediction, target, delta) {
        let distance = (prediction - target).abs();
        // With the part `m` of the distance `d` that is at most `delta`: `m (d - m / 2)`.
        let part = distance.minimum(T::from_f64(delta));
        &part * (distance - &part * T::from_f64(0.5))
    }

    /// [`huber`] divided by `beta`, `[..s], [..s] → [..s]`; with a `beta` of 0, [`l1`].
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::losses::each;
    ///
    /// assert_eq!(each::smooth_l1(&tensor![1.0, 0.0], &tensor![0.0, 4.0], 2.0), tensor![0.25, 3.0]);
    /// ```
    smooth_l1(prediction, target, beta) {
        if beta == 0.0 {
            return l1(prediction, target);
        }
        huber(prediction, target, beta) * T::from_f64(1.0 / beta)
    }

    /// `-t ln p - (1 - t) ln(1 - p)`, `[..s], [..s] → [..s]`, with logarithms of at least -100.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::losses::each;
    ///
    /// let loss = each::binary_cross_entropy(&tensor![1.0, 0.0], &tensor![1.0, 1.0]);
    /// assert_eq!(loss, tensor![0.0, 100.0]);
    /// ```
    binary_cross_entropy(probability, target) {
        let least = T::from_f64(-100.0);
        let yes = probability.ln().maximum(least);
        let no = (-probability).ln_1p().maximum(least);
        // -t · yes - (1 - t) · no
        target * (&no - yes) - no
    }

    /// `t ln(1 + e^-x) + (1 - t) ln(1 + e^x)`, `[..s], [..s] → [..s]`: the binary cross-entropy of the sigmoid
    /// of `x`.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::losses::each;
    ///
    /// let loss = each::binary_cross_entropy_with_logits(&tensor![1000.0, -1000.0], &tensor![1.0, 1.0]);
    /// assert_eq!(loss, tensor![0.0, 1000.0]);
    /// ```
    binary_cross_entropy_with_logits(scores, target) {
        let one = T::from_f64(1.0);
        target * (-scores).softplus() + (-target + one) * scores.softplus()
    }

    /// `p (ln p - ln q)`, of which the prediction is `ln q`, `[..s], [..s] → [..s]`; 0 where `p` is 0.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::losses::each;
    ///
    /// let loss = each::kl_divergence(&tensor![-3.0, -3.0], &tensor![1.0, 0.0]);
    /// assert_eq!(loss, tensor![3.0, 0.0]);
    /// ```
    kl_divergence(log_probabilities, target) {
        // Where `p` is 0, the logarithm is that of 1, so that the product is 0 as its limit.
        let positive = select(target.greater(T::ZERO), target, T::ONE);
        target * (positive.ln() - log_probabilities)
    }
}
