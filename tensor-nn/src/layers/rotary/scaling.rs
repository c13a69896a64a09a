//! Scaled angles of rotary positions, for texts longer than those of the pretraining.

use core::f64::consts::TAU;

use crate::numbers::positive;

/// How the angles of [`RotaryPositions`](super::RotaryPositions) are scaled: `rope_scaling` in Hugging Face's
/// configurations, with the numbers that it has there.
///
/// ```
/// use tensor_nn::layers::RotaryScaling;
///
/// let frequencies = RotaryScaling::PositionInterpolation { factor: 4.0 }.frequencies(10_000.0, 4);
/// assert_eq!(frequencies, [0.25, 0.0025]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum RotaryScaling {
    /// Angles as they are.
    #[default]
    None,
    /// All positions are divided by a factor: `rope_type` `linear`.
    ///
    /// Source: Chen and others, "Extending context window of large language models via positional interpolation",
    /// 2023.
    #[doc(alias = "linear")]
    PositionInterpolation {
        /// How much longer texts may be.
        factor: f64,
    },
    /// The base grows, so that the pair that turns slowest turns slower by a factor and the fastest as before.
    /// "NTK-aware" scaling.
    Ntk {
        /// How much longer texts may be.
        factor: f64,
    },
    /// [`Ntk`](Self::Ntk) with a factor that grows with the length of the text, and none up to the length of the
    /// training: `rope_type` `dynamic`.
    DynamicNtk {
        /// The factor of the configuration.
        factor: f64,
        /// The longest text of the training.
        max_position_embeddings: usize,
        /// The length of this text.
        len: usize,
    },
    /// Pairs that turn slowly are divided by a factor, those that turn fast are left alone, and those between are
    /// interpolated: `rope_type` `llama3`.
    ///
    /// Source: Dubey and others, "The Llama 3 herd of models", 2024.
    Llama3 {
        /// How much longer texts may be.
        factor: f64,
        /// Slow pairs turn less often than this within the texts of the first training.
        low_freq_factor: f64,
        /// Fast pairs turn more often than this within the texts of the first training.
        high_freq_factor: f64,
        /// The longest text of the first training.
        original_max_position_embeddings: usize,
    },
    /// [`Llama3`](Self::Llama3), interpolated along the number of the pair, with a larger scale of queries and keys:
    /// `rope_type` `yarn`.
    ///
    /// Source: Peng and others, "YaRN: efficient context window extension of large language models", 2023.
    Yarn {
        /// How much longer texts may be.
        factor: f64,
        /// Fast pairs turn more often than this within the texts of the first training: 32 in the article.
        beta_fast: f64,
        /// Slow pairs turn less often than this within the texts of the first training: 1 in the article.
        beta_slow: f64,
        /// The longest text of the first training.
        original_max_position_embeddings: usize,
        /// Whether the numbers of the first and of the last pair that are interpolated are integers: `false` in
        /// GPT-OSS.
        truncate: bool,
        /// What queries and keys are multiplied by; `0.1 · ln(factor) + 1` as in the article if `None`.
        attention_factor: Option<f64>,
    },
}

impl RotaryScaling {
    /// What queries and keys are multiplied by, which is not 1 for [`Yarn`](Self::Yarn) alone.
    ///
    /// ```
    /// use tensor_nn::layers::RotaryScaling;
    ///
    /// assert_eq!(RotaryScaling::PositionInterpolation { factor: 4.0 }.attention_factor(), 1.0);
    /// ```
    pub fn attention_factor(self) -> f64 {
        match self {
            Self::Yarn { factor, attention_factor, .. } => {
                attention_factor.unwrap_or(0.1 * factor.max(1.0).ln() + 1.0)
            }
            _ => 1.0,
        }
    }

    /// The angle between neighbouring positions for each pair of channels.
    ///
    /// # Panics
    ///
    /// If the base or a number of the scaling is not finite and larger than 0.
    ///
    /// ```
    /// use tensor_nn::layers::RotaryScaling;
    ///
    /// assert_eq!(RotaryScaling::None.frequencies(10_000.0, 4), [1.0, 0.01]);
    /// ```
    #[doc(alias = "inv_freq")]
    #[track_caller]
    pub fn frequencies(self, base: f64, channels: usize) -> Vec<f64> {
        positive("the base of rotary positions", base);
        let of_base = |base: f64| -> Vec<f64> {
            (0..channels / 2).map(|pair| base.powf(-2.0 * pair as f64 / channels as f64)).collect()
        };
        // With two channels there is one pair, which turns fastest.
        let exponent = channels as f64 / channels.saturating_sub(2).max(1) as f64;
        match self {
            Self::None => of_base(base),
            Self::PositionInterpolation { factor } => {
                positive("the factor of rotary positions", factor);
                of_base(base).into_iter().map(|frequency| frequency / factor).collect()
            }
            Self::Ntk { factor } => {
                positive("the factor of rotary positions", factor);
                of_base(base * factor.powf(exponent))
            }
            Self::DynamicNtk { factor, max_position_embeddings, len } => {
                positive("the factor of rotary positions", factor);
                positive("the longest text of the training", max_position_embeddings as f64);
                let longer =
                    len.max(max_position_embeddings) as f64 / max_position_embeddings as f64;
                of_base(base * (factor * longer - (factor - 1.0)).powf(exponent))
            }
            Self::Llama3 {
                factor,
                low_freq_factor: low,
                high_freq_factor: high,
                original_max_position_embeddings,
            } => {
                positive("the factor of rotary positions", factor);
                positive("the low frequency factor of rotary positions", low);
                positive("the high frequency factor of rotary positions", high);
                let original = original_max_position_embeddings as f64;
                let scaled = |frequency: f64| {
                    let turns = original * frequency / TAU;
                    // 0 for slow pairs, 1 for fast ones.
                    let fast = match high > low {
                        true => ((turns - low) / (high - low)).clamp(0.0, 1.0),
                        false => f64::from(turns > low),
                    };
                    (1.0 - fast) * frequency / factor + fast * frequency
                };
                of_base(base).into_iter().map(scaled).collect()
            }
            Self::Yarn {
                factor,
                beta_fast,
                beta_slow,
                original_max_position_embeddings,
                truncate,
                attention_factor: _,
            } => {
                positive("the factor of rotary positions", factor);
                positive("the fast beta of rotary positions", beta_fast);
                positive("the slow beta of rotary positions", beta_slow);
                positive("the attention factor of rotary positions", self.attention_factor());
                let original = original_max_position_embeddings as f64;
                // The pair that turns this often within the texts of the first training.
                let pair = |turns: f64| {
                    channels as f64 * (original / (turns * TAU)).ln() / (2.0 * base.ln())
                };
                let (mut first, mut last) = (pair(beta_fast), pair(beta_slow));
                if truncate {
                    (first, last) = (first.floor(), last.ceil());
                }
                let (first, last) = (first.max(0.0), last.min(channels as f64 - 1.0));
                let width = if first == last { 0.001 } else { last - first };
                let scaled = |(pair, frequency): (usize, f64)| {
                    let slow = ((pair as f64 - first) / width).clamp(0.0, 1.0);
                    slow * frequency / factor + (1.0 - slow) * frequency
                };
                of_base(base).into_iter().enumerate().map(scaled).collect()
            }
        }
    }
}
