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

use tensor_core::random::Generator;
use tensor_core::{Axis, Float, Shape, Tensor, shape};

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

    /// Draws a token for each row of scores, `[..lead, v] → [..lead]`. The same generator gives the same tokens.
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
        Ok(rng.categorical(&probabilities).expect("probabilities of at least one token"))
    }

    /// The probabilities that tokens are drawn with, `[..lead, v] → [..lead, v]`.
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
        let elements = self.weights(logits)?.iter().map(|weight| T::from_f64(*weight)).collect();
        Ok(Tensor::from_vec_shaped(logits.shape(), elements).expect("as many as there are scores"))
    }

    /// [`probabilities`](Self::probabilities), as doubles.
    fn weights<Lead: Shape, V: Axis, T: Float>(
        &self,
        logits: &Tensor<shape![Lead.., V], T>,
    ) -> Result<Tensor<shape![Lead.., V], f64>, SamplingError> {
        let (_, tokens) = logits.shape();
        let elements = logits.iter().map(|score| score.to_f64()).collect();
        let weights = Tensor::from_vec_shaped(logits.shape(), elements);
        let mut weights = weights.expect("as many as there are scores");
        let tokens = tokens.size();
        if logits.is_empty() {
            // Without tokens there is none to draw, if there is a row.
            return match tokens {
                0 if logits.sizes()[..logits.rank() - 1].iter().all(|&size| size > 0) => {
                    Err(SamplingError { row: 0, score: None })
                }
                _ => Ok(weights),
            };
        }
        for (row, scores) in weights.as_mut_slice().chunks_exact_mut(tokens).enumerate() {
            self.weigh(scores).map_err(|score| SamplingError { row, score })?;
        }
        Ok(weights)
    }

    /// Replaces the scores of one row by probabilities. Fails with the index and value of a score that is NaN or infinite, or
    /// with `None` if no token is allowed.
    fn weigh(&self, scores: &mut [f64]) -> Result<(), Option<(usize, f64)>> {
        if let Some(index) =
            scores.iter().position(|score| score.is_nan() || *score == f64::INFINITY)
        {
            return Err(Some((index, scores[index])));
        }
        let mut best = 0;
        for (index, score) in scores.iter().enumerate() {
            if *score > scores[best] {
                best = index;
            }
        }
        let largest = scores[best];
        if largest == f64::NEG_INFINITY {
            return Err(None);
        }
        if self.temperature == 0.0 {
            scores.fill(0.0);
            scores[best] = 1.0;
            return Ok(());
        }
        let threshold = match self.top_k < scores.len() {
            true => {
                let mut sorted = scores.to_vec();
                *sorted.select_nth_unstable_by(self.top_k - 1, |a, b| b.total_cmp(a)).1
            }
            false => f64::NEG_INFINITY,
        };
        for score in scores.iter_mut() {
            let kept = *score >= threshold;
            *score = if kept { ((*score - largest) / self.temperature).exp() } else { 0.0 };
        }
        let total: f64 = scores.iter().sum();
        scores.iter_mut().for_each(|weight| *weight /= total);
        if self.top_p < 1.0 {
            self.keep_most_likely(scores);
        }
        Ok(())
    }

    /// Keeps the most likely tokens whose probabilities together reach `top_p`.
    fn keep_most_likely(&self, probabilities: &mut [f64]) {
        let mut order: Vec<usize> = (0..probabilities.len()).collect();
        // Stable: of equal tokens the first are kept.
        order.sort_by(|&a, &b| probabilities[b].total_cmp(&probabilities[a]));
        let mut sum = 0.0;
        let reached = order.iter().position(|&token| {
            sum += probabilities[token];
            sum >= self.top_p
        });
        let kept = reached.map_or(order.len(), |last| last + 1);
        order[kept..].iter().for_each(|&token| probabilities[token] = 0.0);
        let total: f64 = probabilities.iter().sum();
        probabilities.iter_mut().for_each(|probability| *probability /= total);
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

tensor_core::__private::debug_as_display!(SamplingError);

impl std::error::Error for SamplingError {}
