//! Element-wise losses without reduction, `[..s] → [..s]`: for a sum, or for a weighted mean.
//!
//! ```
//! use tensor_core::tensor;
//! use tensor_nn::losses::each;
//!
//! let (prediction, target) = (tensor![1.0, 2.0], tensor![3.0, 2.0]);
//! assert_eq!(each::mse(&prediction, &target), tensor![4.0, 0.0]);
//! assert_eq!(each::mse(&prediction, &target).sum().item(), 4.0);
//! ```

use tensor_core::autograd::custom;
use tensor_core::{Float, Shape, Tensor, select};

use crate::numbers::{not_negative, positive};

/// Generates element-wise losses, computed in `f32` for 16-bit floats.
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
        ) -> Tensor<S, T> {
            #[track_caller]
            fn in_wide<S: Shape, T: Float>(
                $prediction: &Tensor<S, T>,
                $target: &Tensor<S, T>,
                $($argument: f64,)?
            ) -> Tensor<S, T> $loss

            in_wide(&$prediction.cast::<T::Wide>(), &$target.cast() $(, $argument)?).cast()
        }
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

    /// Half the squared differences up to `delta`, linear beyond, `[..s], [..s] → [..s]`. Panics unless
    /// `delta` is finite and larger than 0.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::losses::each;
    ///
    /// assert_eq!(each::huber(&tensor![1.0, 0.0], &tensor![0.0, 4.0], 2.0), tensor![0.5, 6.0]);
    /// ```
    huber(prediction, target, delta) {
        positive("the delta of huber", delta);
        let (low, high) = (T::from_f64(-delta), T::from_f64(delta));
        custom(
            &(prediction - target),
            move |difference| {
                let distance = difference.abs();
                // With the part `m` of the absolute difference `d` that is at most `delta`: `m (d - m / 2)`.
                let part = distance.minimum(high);
                &part * (distance - &part * T::from_f64(0.5))
            },
            move |difference, gradient| difference.clamp(low, high) * gradient,
        )
    }

    /// [`huber`] divided by `beta`, `[..s], [..s] → [..s]`; with a `beta` of 0, [`l1`]. Panics if `beta` is
    /// negative or not finite.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::losses::each;
    ///
    /// assert_eq!(each::smooth_l1(&tensor![1.0, 0.0], &tensor![0.0, 4.0], 2.0), tensor![0.25, 3.0]);
    /// ```
    smooth_l1(prediction, target, beta) {
        not_negative("the beta of smooth_l1", beta);
        let beta = T::from_f64(beta);
        if beta == T::ZERO {
            return l1(prediction, target);
        }
        // Divided by `beta` first: no intermediate value exceeds the result, however small `beta` is.
        custom(
            &(prediction - target),
            move |difference| {
                let distance = difference.abs();
                let part = distance.minimum(beta);
                &part / beta * (distance - part * T::from_f64(0.5))
            },
            move |difference, gradient| (difference / beta).clamp(T::from_f64(-1.0), T::ONE) * gradient,
        )
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
        // With the variance `v = p (1 - p)`, the slope of `ln p` is `(1 - p) / v`, and that of `ln(1 - p)` is
        // `-p / v`: together `(p - t) / v`, which is finite where `v` has a lower bound.
        let yes = custom(
            probability,
            |p| p.ln().maximum(T::from_f64(-100.0)),
            |p, gradient| (-p + T::ONE) / bounded_variance(p) * gradient,
        );
        let no = custom(
            probability,
            |p| (-p).ln_1p().maximum(T::from_f64(-100.0)),
            |p, gradient| -p / bounded_variance(p) * gradient,
        );
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

    /// `p (ln p - ln q)`, where the prediction is `ln q`, `[..s], [..s] → [..s]`; 0 where `p` is 0.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::losses::each;
    ///
    /// let loss = each::kl_divergence(&tensor![-3.0, -3.0], &tensor![1.0, 0.0]);
    /// assert_eq!(loss, tensor![3.0, 0.0]);
    /// ```
    kl_divergence(log_probabilities, target) {
        // Where `p` is 0, logarithms are replaced by 0, so that the product is 0, its limit.
        let counts = target.not_equal(T::ZERO);
        let (p, log_q) = (select(&counts, target, T::ONE), select(&counts, log_probabilities, T::ZERO));
        target * (p.ln() - log_q)
    }
}

/// `p (1 - p)`, `[..s] → [..s]`, at least 10⁻¹² as in PyTorch; in `f16`, where this is 0, at least the
/// smallest normal number.
fn bounded_variance<S: Shape, T: Float>(p: &Tensor<S, T>) -> Tensor<S, T> {
    let least = T::from_f64(1e-12);
    let least = if least == T::ZERO { T::from_f64(2.0_f64.powi(-14)) } else { least };
    ((-p + T::ONE) * p).maximum(least)
}
