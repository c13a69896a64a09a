//! Choosing the next token of a text: greedily, or at random with a temperature, top-k and top-p.
//!
//! ```
//! use tensor_core::{random::Generator, tensor};
//! use tensor_nn::sampling::Sampler;
//!
//! // The scores of four words.
//! let logits = tensor![2.0, 1.0, 0.5, -3.0];
//! assert_eq!(Sampler::greedy().sample(&logits, &mut Generator::seed(42))?.item(), 0);
//!
//! let sampler = Sampler::new().temperature(0.8).top_k(50).top_p(0.9);
//! let tokens = |seed| sampler.sample(&logits, &mut Generator::seed(seed));
//! assert_eq!(tokens(1)?, tokens(1)?);
//! # Ok::<(), tensor_nn::sampling::SamplingError>(())
//! ```

use core::fmt;

use tensor_core::module::AnyTensor;
use tensor_core::random::Generator;
use tensor_core::trace::is_traced;
use tensor_core::{Axis, DynTensor, Float, IntoTensor, Shape, ShapeError, Tensor, shape};

use crate::numbers::{not_negative, share};

/// How the next token is chosen from scores, [`sample`](Self::sample): `[..lead, v] → [..lead]`.
///
/// Scores are divided by the temperature; then the `top_k` best are kept; then the best whose probabilities
/// add up to `top_p`; one of these is drawn by its probability. It is the order of Hugging Face's `generate`.
///
/// ```
/// use tensor_core::tensor;
/// use tensor_nn::sampling::Sampler;
///
/// let probabilities = Sampler::new().top_k(2).probabilities(&tensor![1.0_f32, 0.0, 1.0])?;
/// assert!(probabilities.all_close(&tensor![0.5, 0.0, 0.5], 1e-6, 0.0));
/// # Ok::<(), tensor_nn::sampling::SamplingError>(())
/// ```
#[doc(alias = "multinomial")]
#[doc(alias = "nucleus sampling")]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampler {
    temperature: f64,
    top_k: usize,
    top_p: f64,
}

impl Default for Sampler {
    fn default() -> Self {
        Self::new()
    }
}

impl Sampler {
    /// Draws by the probabilities of the model: temperature 1, all tokens.
    ///
    /// ```
    /// use tensor_nn::sampling::Sampler;
    ///
    /// assert_eq!(Sampler::new(), Sampler::default());
    /// ```
    pub fn new() -> Self {
        Self { temperature: 1.0, top_k: usize::MAX, top_p: 1.0 }
    }

    /// Takes the token with the largest score, the first of several: a temperature of 0.
    ///
    /// ```
    /// use tensor_core::{random::Generator, tensor};
    /// use tensor_nn::sampling::Sampler;
    ///
    /// let mut rng = Generator::seed(42);
    /// let tokens = Sampler::greedy().sample(&tensor![[1.0, 3.0], [2.0, 0.0]], &mut rng)?;
    /// assert_eq!(tokens, tensor![1, 0]);
    /// # Ok::<(), tensor_nn::sampling::SamplingError>(())
    /// ```
    #[doc(alias = "argmax")]
    pub fn greedy() -> Self {
        Self::new().temperature(0.0)
    }

    /// Divides the scores by a temperature: below 1 likely tokens become likelier, above 1 less so; 0 is
    /// [`greedy`](Self::greedy).
    ///
    /// # Panics
    ///
    /// If it is not finite and at least 0.
    ///
    /// ```
    /// use tensor_nn::sampling::Sampler;
    ///
    /// assert_eq!(Sampler::new().temperature(0.0), Sampler::greedy());
    /// ```
    #[must_use]
    #[track_caller]
    pub fn temperature(self, temperature: f64) -> Self {
        not_negative("the temperature of a sampler", temperature);
        Self { temperature, ..self }
    }

    /// Keeps the `k` tokens with the largest scores, and those that are equal to the last of them.
    ///
    /// # Panics
    ///
    /// If `k` is 0.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::sampling::Sampler;
    ///
    /// let probabilities = Sampler::new().top_k(1).probabilities(&tensor![1.0, 2.0])?;
    /// assert_eq!(probabilities, tensor![0.0, 1.0]);
    /// # Ok::<(), tensor_nn::sampling::SamplingError>(())
    /// ```
    #[must_use]
    #[track_caller]
    pub fn top_k(self, k: usize) -> Self {
        assert!(k > 0, "the sampler is to keep 0 tokens, and must keep at least 1");
        Self { top_k: k, ..self }
    }

    /// Keeps the most likely tokens whose probabilities together reach `p`, at least one.
    ///
    /// # Panics
    ///
    /// If `p` is not from 0 to 1.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::sampling::Sampler;
    ///
    /// let logits = tensor![0.1_f32, 0.6, 0.3].ln();
    /// let probabilities = Sampler::new().top_p(0.8).probabilities(&logits)?;
    /// assert!(probabilities.all_close(&tensor![0.0, 2.0 / 3.0, 1.0 / 3.0], 1e-6, 0.0));
    /// # Ok::<(), tensor_nn::sampling::SamplingError>(())
    /// ```
    #[doc(alias = "nucleus")]
    #[must_use]
    #[track_caller]
    pub fn top_p(self, p: f64) -> Self {
        share("the probability of top-p", p);
        Self { top_p: p, ..self }
    }

    /// Draws a token for each row of scores, `[..lead, v] → [..lead]`. The same generator gives the same tokens. At a
    /// temperature of 0, no number is drawn.
    ///
    /// In a [program](tensor_core::trace), the generator is one of [`Generator::at`], and a row for which a call returns an
    /// error has an arbitrary token.
    ///
    /// # Errors
    ///
    /// If a score is NaN or infinite, or if there is no token that is allowed: all scores of a row are -∞.
    ///
    /// ```
    /// use tensor_core::{Tensor, random::Generator, shape};
    /// use tensor_nn::sampling::Sampler;
    ///
    /// let logits: Tensor<shape![3, 50257]> = Generator::seed(1).normal(0.0, 1.0);
    /// let tokens = Sampler::new().top_p(0.9).sample(&logits, &mut Generator::seed(42))?;
    /// assert_eq!(tokens.shape(), shape![3]);
    /// # Ok::<(), tensor_nn::sampling::SamplingError>(())
    /// ```
    pub fn sample<Lead: Shape, V: Axis, T: Float>(
        &self,
        logits: &Tensor<shape![Lead.., V], T>,
        rng: &mut Generator,
    ) -> Result<Tensor<Lead, i64>, SamplingError> {
        let probabilities = self.weights(logits)?;
        Ok(match self.temperature == 0.0 {
            true if probabilities.is_empty() => Tensor::zeros_shaped(logits.shape().0),
            true => probabilities.argmax_axis::<-1>(),
            false => rng.categorical(&probabilities).expect("probabilities of at least one token"),
        })
    }

    /// The probabilities that tokens are drawn with, `[..lead, v] → [..lead, v]`.
    ///
    /// In a [program](tensor_core::trace), whose scores are not known when it is traced, those of a row for which a call
    /// returns an error are NaN.
    ///
    /// # Errors
    ///
    /// If a score is NaN or infinite, or if there is no token that is allowed: all scores of a row are -∞.
    ///
    /// ```
    /// use tensor_core::tensor;
    /// use tensor_nn::sampling::Sampler;
    ///
    /// assert_eq!(Sampler::greedy().probabilities(&tensor![1.0, 2.0])?, tensor![0.0, 1.0]);
    /// let error = Sampler::new().probabilities(&tensor![[0.0, 1.0], [0.0, f32::NAN]]).unwrap_err();
    /// assert_eq!(error.to_string(), "row 1: score 1 is NaN, and must be finite or -inf");
    /// # Ok::<(), tensor_nn::sampling::SamplingError>(())
    /// ```
    pub fn probabilities<Lead: Shape, V: Axis, T: Float>(
        &self,
        logits: &Tensor<shape![Lead.., V], T>,
    ) -> Result<Tensor<shape![Lead.., V], T>, SamplingError> {
        let weights = DynTensor::from(self.weights(logits)?);
        let mut probabilities = logits.detach();
        let erased: &mut dyn AnyTensor = &mut probabilities;
        let assigned = match erased.element_name() == "f64" {
            true => erased.assign(weights),
            false => erased.assign_f32(weights.cast()),
        };
        assigned.expect("the shape of the scores");
        Ok(probabilities)
    }

    /// [`probabilities`](Self::probabilities), as doubles.
    fn weights<Lead: Shape, V: Axis, T: Float>(
        &self,
        logits: &Tensor<shape![Lead.., V], T>,
    ) -> Result<Tensor<shape![Lead.., V], f64>, SamplingError> {
        let logits: &dyn AnyTensor = &logits.detach();
        let scores = match logits.get() {
            Some(scores) => scores,
            None => logits.to_f32().expect("scores are floats").cast(),
        };
        let tokens = scores.sizes().last().copied().unwrap_or_default();
        // Without tokens there is none to draw, if there is a row.
        if tokens == 0 && scores.sizes()[..scores.rank() - 1].iter().all(|&size| size > 0) {
            return Err(SamplingError { row: 0, score: None });
        }
        if !scores.is_empty() && !is_traced(logits) {
            let all: Vec<f64> = scores.to_vec();
            for (row, scores) in all.chunks_exact(tokens).enumerate() {
                check(scores).map_err(|score| SamplingError { row, score })?;
            }
        }
        let weights = if scores.is_empty() { Ok(scores) } else { self.weigh(&scores, tokens) };
        let weights = weights.expect("operations along the last axis");
        Ok(weights.into_tensor().expect("the shape of the scores"))
    }

    /// The probabilities of each row of scores, `[..lead, v] → [..lead, v]`.
    fn weigh(&self, scores: &DynTensor<f64>, tokens: usize) -> Result<DynTensor<f64>, ShapeError> {
        let number = |x: f64| DynTensor::full(&[], x);
        let largest = scores.max_axis_keepdims(-1)?;
        if self.temperature == 0.0 {
            let best =
                scores.argmax_axis(-1)?.one_hot::<f64>(tokens).expect("an index of the axis");
            return largest.is_finite().select(&best, &number(f64::NAN));
        }
        let mut weights = (&(scores - &largest)? / &number(self.temperature))?.exp();
        if self.top_k < tokens {
            let threshold = scores.topk(-1, self.top_k)?.0.min_axis_keepdims(-1)?;
            weights = scores.less(&threshold)?.select(&number(0.0), &weights)?;
        }
        weights = (&weights / &weights.sum_axis_keepdims(-1)?)?;
        if self.top_p < 1.0 {
            // Stable: of equal tokens the first are kept.
            let order = weights.argsort_descending(-1)?;
            let sorted = weights.take_along_axis(-1, &order).expect("indices of the axis");
            // The first is kept in any case.
            let is_kept =
                sorted.cumsum_exclusive(-1)?.less(&number(self.top_p.max(f64::MIN_POSITIVE)))?;
            let kept = is_kept.select(&sorted, &number(0.0))?;
            weights = weights.scatter(-1, &order, &kept).expect("indices of the axis");
            weights = (&weights / &weights.sum_axis_keepdims(-1)?)?;
        }
        Ok(weights)
    }
}

/// Refuses scores that are NaN or infinite, and those of which none is allowed.
fn check(scores: &[f64]) -> Result<(), Option<(usize, f64)>> {
    let is_wrong = |score: &f64| score.is_nan() || *score == f64::INFINITY;
    if let Some(index) = scores.iter().position(is_wrong) {
        return Err(Some((index, scores[index])));
    }
    match scores.iter().all(|&score| score == f64::NEG_INFINITY) {
        true => Err(None),
        false => Ok(()),
    }
}

/// The error of [`Sampler::sample`]: scores that tokens cannot be drawn from.
#[derive(Clone, Copy, PartialEq)]
pub struct SamplingError {
    row: usize,
    score: Option<(usize, f64)>,
}

impl fmt::Display for SamplingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = self.row;
        match self.score {
            Some((index, score)) => {
                write!(f, "row {row}: score {index} is {score}, and must be finite or -inf")
            }
            None => write!(f, "row {row}: no token is allowed, as all scores are -inf"),
        }
    }
}

tensor_core::diagnostics::debug_as_display!(SamplingError);

impl std::error::Error for SamplingError {}
