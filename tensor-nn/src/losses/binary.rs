//! The binary cross-entropy of several labels, with a weight for the positive targets of each.

use tensor_core::element::Number;
use tensor_core::{Axis, Element, Float, Shape, Tensor, shape, shapes};

use super::each;

/// The binary cross-entropy of scores, `[..s, c], [..s, c]`, for `c` independent yes-or-no
/// questions: PyTorch's `BCEWithLogitsLoss` with `pos_weight`.
///
/// `p t ln(1 + e^-x) + (1 - t) ln(1 + e^x)`, where `p` is the weight of positive targets: with 3, a positive
/// target counts as much as three.
///
/// ```
/// use tensor_core::tensor;
/// use tensor_nn::losses::BinaryCrossEntropy;
///
/// let loss = BinaryCrossEntropy::new().weigh_positive(tensor![3.0, 1.0]);
/// let (scores, target) = (tensor![[-1000.0, -1000.0]], tensor![[1.0, 1.0]]);
/// assert_eq!(loss.each(&scores, &target), tensor![[3000.0, 1000.0]]);
/// assert_eq!(loss.mean(&scores, &target).item(), 2000.0);
/// ```
#[doc(alias = "BCEWithLogitsLoss")]
#[shapes]
#[derive(Clone, Debug, PartialEq)]
pub struct BinaryCrossEntropy<C: Axis, T: Element = f32> {
    /// The weight of a positive target of each question; all 1 if `None`.
    pub positive: Option<Tensor<shape![C], T>>,
}

impl<C: Axis, T: Float> BinaryCrossEntropy<C, T> {
    /// Without weights: [`binary_cross_entropy_with_logits`](super::binary_cross_entropy_with_logits).
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::losses::BinaryCrossEntropy;
    ///
    /// assert!(BinaryCrossEntropy::new().mean(&tensor![[-10.0]], &tensor![[0.0]]).item() < 1e-4);
    /// ```
    #[expect(clippy::new_without_default, reason = "losses are made by `new`")]
    pub fn new() -> Self {
        Self { positive: None }
    }

    /// Sets the weights of positive targets: for rare ones, the ratio of negatives to positives.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::losses::BinaryCrossEntropy;
    ///
    /// let loss = BinaryCrossEntropy::new().weigh_positive(tensor![9.0]);
    /// assert_eq!(loss.positive, Some(tensor![9.0]));
    /// ```
    #[doc(alias = "pos_weight")]
    #[must_use]
    pub fn weigh_positive(mut self, weights: Tensor<shape![C], T>) -> Self {
        self.positive = Some(weights);
        self
    }

    /// The loss of each element, `[..s, c], [..s, c] → [..s, c]`.
    ///
    /// # Panics
    ///
    /// If a named axis has different sizes.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::losses::BinaryCrossEntropy;
    ///
    /// let loss = BinaryCrossEntropy::new().each(&tensor![[-1000.0]], &tensor![[1.0]]);
    /// assert_eq!(loss, tensor![[1000.0]]);
    /// ```
    #[track_caller]
    pub fn each<Lead: Shape>(
        &self,
        scores: &Tensor<shape![Lead.., C], T>,
        target: &Tensor<shape![Lead.., C], T>,
    ) -> Tensor<shape![Lead.., C], T> {
        self.losses(scores, target).cast()
    }

    /// The losses, as `f32` for 16-bit floats.
    #[track_caller]
    fn losses<Lead: Shape>(
        &self,
        scores: &Tensor<shape![Lead.., C], T>,
        target: &Tensor<shape![Lead.., C], T>,
    ) -> Tensor<shape![Lead.., C], T::Wide> {
        let (scores, target) = (&scores.cast::<T::Wide>(), &target.cast());
        let Some(positive) = &self.positive else {
            return each::binary_cross_entropy_with_logits(scores, target);
        };
        let yes = (-scores).softplus() * positive.cast();
        target * yes + (-target + T::Wide::from_f64(1.0)) * scores.softplus()
    }

    /// The sum of all losses, `[..s, c], [..s, c] → []`.
    ///
    /// # Panics
    ///
    /// If a named axis has different sizes.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::losses::BinaryCrossEntropy;
    ///
    /// let (scores, target) = (tensor![[-1000.0, 1000.0]], tensor![[1.0, 0.0]]);
    /// assert_eq!(BinaryCrossEntropy::new().sum(&scores, &target).item(), 2000.0);
    /// ```
    #[track_caller]
    pub fn sum<Lead: Shape>(
        &self,
        scores: &Tensor<shape![Lead.., C], T>,
        target: &Tensor<shape![Lead.., C], T>,
    ) -> Tensor<shape![], T> {
        self.losses(scores, target).sum().cast()
    }

    /// The mean of all losses, `[..s, c], [..s, c] → []`.
    ///
    /// # Panics
    ///
    /// If a named axis has different sizes.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::losses::BinaryCrossEntropy;
    ///
    /// let (scores, target) = (tensor![[-1000.0, 1000.0]], tensor![[1.0, 0.0]]);
    /// assert_eq!(BinaryCrossEntropy::new().mean(&scores, &target).item(), 1000.0);
    /// ```
    #[track_caller]
    pub fn mean<Lead: Shape>(
        &self,
        scores: &Tensor<shape![Lead.., C], T>,
        target: &Tensor<shape![Lead.., C], T>,
    ) -> Tensor<shape![], T> {
        self.losses(scores, target).mean().cast()
    }
}
