//! Gradient checkpointing: parts of a model that are recomputed instead of stored.

use std::sync::Arc;

use tensor_core::autograd::{GradientInputs, checkpoint_with};
use tensor_core::{Float, Shape, Tensor};

use super::Pass;

impl Pass {
    /// [`autograd::checkpoint`](tensor_core::autograd::checkpoint) for a part of a model that takes a pass:
    /// `[..s], [..t] … → [..r]`. It stores only its inputs, and is recomputed in the backward pass.
    ///
    /// The recomputation draws the same random numbers as the first computation, so that dropout masks are equal,
    /// and batch normalisation keeps only the statistics of the first one. The part must be a function of its
    /// inputs and the random numbers, so it must not use other generators. What requires gradients must
    /// be passed in `inputs`: what the function captures is a constant.
    ///
    /// ```
    /// use tensor_core::{random::Generator, tensor};
    /// use tensor_nn::layers::{Dropout, Pass};
    ///
    /// let x = tensor![0.1, 0.2, 0.3, 0.4].requires_grad();
    /// let mut pass = Pass::training(&mut Generator::seed(42));
    /// let y = pass.checkpoint(&x, |x, pass| Dropout::new(0.5).forward(&x.exp(), pass));
    /// // The elements that were kept have a gradient.
    /// assert_eq!(y.sum().gradients(&x), y);
    /// ```
    #[doc(alias = "remat")]
    pub fn checkpoint<V, S, T>(
        &mut self,
        inputs: V,
        part: impl Fn(&V::Gradients, &mut Pass) -> Tensor<S, T> + Send + Sync + 'static,
    ) -> Tensor<S, T>
    where
        V: GradientInputs<T>,
        V::Gradients: Send + Sync + 'static,
        S: Shape,
        T: Float,
    {
        let (rng, part) = (self.copied_rng(), Arc::new(part));
        let first = part.clone();
        checkpoint_with(
            inputs,
            |inputs| first(inputs, self),
            move |inputs| part(inputs, &mut Pass::of(rng.clone())),
        )
    }
}
