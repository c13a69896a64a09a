//! Losses: the error of predictions, as a tensor of rank 0.
//!
//! ```
//! use tensor_core::{Tensor, axis, shape, tensor};
//! use tensor_nn::losses::cross_entropy;
//!
//! axis!(Batch);
//! let scores: Tensor<shape![Batch, 3]> = Tensor::zeros_shaped(shape![Batch(2), 3]);
//! let classes: Tensor<shape![Batch], i64> = Tensor::from_vec_shaped(shape![Batch(2)], vec![0, 2])?;
//! let loss: Tensor<shape![]> = cross_entropy(&scores, &classes)?;
//! assert!((loss.item() - 3.0_f32.ln()).abs() < 1e-6);
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! | loss | of | PyTorch |
//! | --- | --- | --- |
//! | [`cross_entropy`], [`CrossEntropy`] | scores `[..s, c]`, classes `[..s]` | `cross_entropy` |
//! | [`nll`], [`Nll`] | logarithms of probabilities `[..s, c]`, classes `[..s]` | `nll_loss` |
//! | [`binary_cross_entropy_with_logits`] | scores and targets `[..s]` | the same |
//! | [`BinaryCrossEntropy`] | scores and targets `[..s, c]` | the same with `pos_weight` |
//! | [`binary_cross_entropy`] | probabilities and targets `[..s]` | the same |
//! | [`mse`], [`l1`], [`huber`], [`smooth_l1`] | predictions and targets `[..s]` | `mse_loss`, `l1_loss`, `huber_loss`, `smooth_l1_loss` |
//! | [`kl_divergence`] | logarithms of probabilities, and probabilities, `[..s, c]` | `kl_div` with `batchmean` |
//!
//! A loss is a mean over all examples, computed in `f32` for 16-bit floats and rounded once. The functions of [`each`] return the loss of every element, so that
//! `each::mse(&prediction, &target).sum()` is the sum; [`CrossEntropy`] and [`Nll`] have methods for that.
//!
//! Prediction and target must have the same shape, checked at compile time: a batch of targets is never
//! broadcast to a batch of predictions. The classes are the last axis; if not, as in `[batch, c, h, w]`,
//! `move_axis::<-3, -1>()` makes them the last axis without a copy.

use tensor_core::{Axis, Element, Float, IndexError, Shape, Tensor, shape};

mod binary;
mod class_shape;
mod classes;
pub mod each;
mod target;

pub use binary::BinaryCrossEntropy;
#[cfg_attr(doc, doc(hidden))]
pub use class_shape::{ClassesOf, ShapeOfClasses, ShapeOfExamples};
pub use classes::{CrossEntropy, Nll};
#[cfg_attr(doc, doc(hidden))]
pub use target::{IsTarget, RefusedTarget, TargetMatches};

/// The mean cross-entropy of scores (logits) and target classes, `[..s, c], [..s] → []`: minus the log of the
/// probability that the softmax of the scores gives to the target class.
///
/// [`CrossEntropy`] has options: an ignored class, label smoothing, class weights.
///
/// # Panics
///
/// If a named axis has different sizes in the two.
///
/// # Errors
///
/// If a class is not from 0 to `c - 1`: which one, and its position.
///
/// ```
/// use tensor_core::tensor;
/// use tensor_nn::losses::cross_entropy;
///
/// let scores = tensor![[100.0, 0.0], [0.0, 100.0]];
/// assert_eq!(cross_entropy(&scores, &tensor![0, 1])?.item(), 0.0);
/// assert_eq!(cross_entropy(&scores, &tensor![0, 0])?.item(), 50.0);
///
/// let error = cross_entropy(&scores, &tensor![0, 2]).unwrap_err();
/// assert_eq!((error.index, error.size, &error.position[..]), (2, 2, &[1][..]));
/// # Ok::<_, tensor_core::IndexError>(())
/// ```
#[track_caller]
#[tensor_core::diagnostics::bounds_without_source]
pub fn cross_entropy<Lead: Shape, C: Axis, S, T, K>(
    scores: &Tensor<shape![Lead.., C], T>,
    classes: &Tensor<S, K>,
) -> Result<Tensor<shape![], T>, IndexError>
where
    S: ClassesOf<Lead, K>,
    T: Float,
    K: Element,
{
    CrossEntropy::new().mean(scores, classes)
}

/// The mean of minus the logarithm of the target class's probability, `[..s, c], [..s] → []`:
/// [`cross_entropy`] after a `log_softmax`.
///
/// [`Nll`] has options: an ignored class, class weights.
///
/// # Panics
///
/// If a named axis has different sizes in the two.
///
/// # Errors
///
/// If a class is not from 0 to `c - 1`: which one, and its position.
///
/// ```
/// use tensor_core::tensor;
/// use tensor_nn::losses::nll;
///
/// let log_probabilities = tensor![[0.0, -8.0], [-3.0, -1.0]];
/// assert_eq!(nll(&log_probabilities, &tensor![0, 1])?.item(), 0.5);
/// # Ok::<_, tensor_core::IndexError>(())
/// ```
#[doc(alias = "nll_loss")]
#[track_caller]
#[tensor_core::diagnostics::bounds_without_source]
pub fn nll<Lead: Shape, C: Axis, S, T, K>(
    log_probabilities: &Tensor<shape![Lead.., C], T>,
    classes: &Tensor<S, K>,
) -> Result<Tensor<shape![], T>, IndexError>
where
    S: ClassesOf<Lead, K>,
    T: Float,
    K: Element,
{
    Nll::new().mean(log_probabilities, classes)
}

/// The Kullback-Leibler divergence of predictions from targets, `[..s, c], [..s, c] → []`:
/// the mean of `Σ p (ln p - ln q)` along the last axis. The prediction is `ln q`. The target is a
/// `&Tensor` of the same type.
///
/// # Panics
///
/// If a named axis has different sizes.
///
/// ```
/// use tensor_core::tensor;
/// use tensor_nn::losses::kl_divergence;
///
/// let p = tensor![[0.5_f64, 0.5], [1.0, 0.0]];
/// assert_eq!(kl_divergence(&tensor![[0.5_f64, 0.5], [1.0, 0.5]].ln(), &p).item(), 0.0);
/// ```
#[doc(alias = "kl_div")]
#[track_caller]
#[tensor_core::diagnostics::bounds_without_source]
pub fn kl_divergence<Lead: Shape, C: Axis, T, X>(
    log_probabilities: &Tensor<shape![Lead.., C], T>,
    target: X,
) -> Tensor<shape![], T>
where
    X: IsTarget<shape![Lead.., C], T>,
    T: Float,
{
    let (log_q, p) = (log_probabilities.cast::<T::Wide>(), target.tensor().cast());
    each::kl_divergence(&log_q, &p).sum_axis::<-1>().mean().cast()
}

/// Generates the means of element-wise losses.
macro_rules! means {
    ($($(#[$doc:meta])* $name:ident($prediction:ident $(, $argument:ident)?);)*) => {$(
        $(#[$doc])*
        ///
        /// The target is a `&Tensor<S, T>`.
        ///
        /// # Panics
        ///
        /// If a named axis has different sizes.
        #[track_caller]
        #[tensor_core::diagnostics::bounds_without_source]
        pub fn $name<S: Shape, T, X>(
            $prediction: &Tensor<S, T>,
            target: X,
            $($argument: f64,)?
        ) -> Tensor<shape![], T>
        where
            X: IsTarget<S, T>,
            T: Float,
        {
            let $prediction = $prediction.cast::<T::Wide>();
            each::$name(&$prediction, &target.tensor().cast() $(, $argument)?).mean().cast()
        }
    )*};
}

means! {
    /// The mean of squared differences, `[..s], [..s] → []`.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::losses::mse;
    ///
    /// assert_eq!(mse(&tensor![1.0, 2.0], &tensor![1.0, 4.0]).item(), 2.0);
    /// ```
    #[doc(alias = "mse_loss")]
    mse(prediction);
    /// The mean of absolute differences, `[..s], [..s] → []`.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::losses::l1;
    ///
    /// assert_eq!(l1(&tensor![1.0, 2.0], &tensor![1.0, 4.0]).item(), 1.0);
    /// ```
    #[doc(alias = "l1_loss")]
    #[doc(alias = "mae")]
    l1(prediction);
    /// The Huber loss, quadratic up to `delta` and linear beyond, `[..s], [..s] → []`: the mean of `d² / 2`
    /// where `|d| ≤ delta`, and of `delta (|d| - delta / 2)` elsewhere. Panics unless `delta` is finite and
    /// larger than 0.
    ///
    /// Source: Huber, "Robust estimation of a location parameter", 1964.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::losses::huber;
    ///
    /// assert_eq!(huber(&tensor![1.0, 0.0], &tensor![0.0, 4.0], 2.0).item(), (0.5 + 6.0) / 2.0);
    /// ```
    #[doc(alias = "huber_loss")]
    huber(prediction, delta);
    /// [`huber`] divided by `beta`, `[..s], [..s] → []`, so that the slope of its linear part is 1. Panics if
    /// `beta` is negative or not finite.
    ///
    /// Source: Girshick, "Fast R-CNN", 2015.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::losses::smooth_l1;
    ///
    /// assert_eq!(smooth_l1(&tensor![1.0, 0.0], &tensor![0.0, 4.0], 2.0).item(), (0.25 + 3.0) / 2.0);
    /// ```
    #[doc(alias = "smooth_l1_loss")]
    smooth_l1(prediction, beta);
    /// The mean of `-t ln p - (1 - t) ln(1 - p)`, for probabilities and targets from 0 to 1,
    /// `[..s], [..s] → []`. Logarithms are at least -100, and `p (1 - p)`, by which gradients are divided, at
    /// least 10⁻¹², as in PyTorch.
    ///
    /// [`binary_cross_entropy_with_logits`] is more precise if the probability is a sigmoid.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::losses::binary_cross_entropy;
    ///
    /// assert_eq!(binary_cross_entropy(&tensor![1.0, 0.0], &tensor![1.0, 1.0]).item(), 50.0);
    /// ```
    binary_cross_entropy(probability);
    /// [`binary_cross_entropy`] of the sigmoid of scores, `[..s], [..s] → []`, without overflow or loss of
    /// precision. [`BinaryCrossEntropy`] has weights of positive targets.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::losses::binary_cross_entropy_with_logits;
    ///
    /// let loss = binary_cross_entropy_with_logits(&tensor![1000.0, -1000.0], &tensor![1.0, 1.0]);
    /// assert_eq!(loss.item(), 500.0);
    /// ```
    binary_cross_entropy_with_logits(scores);
}
