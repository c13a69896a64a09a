//! The network of `examples/names` without dropout.

use std::error::Error;

use tensor_core::io::Checkpoint;
use tensor_core::random::Generator;
use tensor_core::{Axis, IndexError, Tensor, axis, einsum, shape};
use tensor_nn::Module;
use tensor_nn::layers::{Causal, Embedding, LayerNorm, Linear, Mask};
use tensor_nn::losses::CrossEntropy;
use tensor_nn::optim::{AdamW, Group, Optimizer};

use crate::mlp::{Batch, Step};
use crate::run::{Batches, Network};

axis!(pub Time);
axis!(pub Place = 14);
axis!(pub Letter = 27);
axis!(pub Width = 64);
axis!(pub Head = 4);
axis!(pub Channel = 16);
axis!(pub Inner = 256);

type Letters = Tensor<shape![Batch, Time], i64>;
type States = Tensor<shape![Batch, Time, Width]>;

/// A target that does not count.
const NOTHING: i64 = -1;

#[derive(Clone, Debug, Module)]
struct Attention {
    queries: Tensor<shape![Head, Width, Channel]>,
    keys: Tensor<shape![Head, Width, Channel]>,
    values: Tensor<shape![Head, Width, Channel]>,
    mix: Tensor<shape![Head, Channel, Width]>,
}

impl Attention {
    fn new(rng: &mut Generator) -> Self {
        Self {
            queries: rng.uniform(-0.125, 0.125),
            keys: rng.uniform(-0.125, 0.125),
            values: rng.uniform(-0.125, 0.125),
            mix: rng.uniform(-0.05, 0.05),
        }
    }

    fn forward(&self, x: &States) -> States {
        let in_heads = |weight: &Tensor<shape![Head, Width, Channel]>| {
            let heads: Tensor<shape![Batch, Head, Time, Channel]> =
                einsum!(b t w, h w c -> b h t c; x, weight);
            heads
        };
        let (queries, keys) = (in_heads(&self.queries), in_heads(&self.keys));
        let wanted: Tensor<shape![Batch, Head, Time, Time]> = queries.matmul(&keys.transpose());
        let scaled = wanted / (Channel.size() as f32).sqrt();
        let weights = Causal.masked(scaled).softmax::<-1>();
        let found: Tensor<shape![Batch, Head, Time, Channel]> =
            weights.matmul(&in_heads(&self.values));
        einsum!(b h t c, h c w -> b t w; found, self.mix)
    }
}

#[derive(Clone, Debug, Module)]
struct Block {
    before_attention: LayerNorm<Width>,
    attention: Attention,
    before_layers: LayerNorm<Width>,
    first: Linear<Width, Inner>,
    second: Linear<Inner, Width>,
}

impl Block {
    fn new(rng: &mut Generator) -> Self {
        Self {
            before_attention: LayerNorm::new(),
            attention: Attention::new(rng),
            before_layers: LayerNorm::new(),
            first: Linear::new(rng),
            second: Linear::new(rng),
        }
    }

    fn forward(&self, x: States) -> States {
        let x = &x + self.attention.forward(&self.before_attention.forward(&x));
        let inner = self.first.forward(&self.before_layers.forward(&x)).gelu_tanh();
        x + self.second.forward(&inner)
    }
}

#[derive(Clone, Debug, Module)]
pub struct Transformer {
    letters: Embedding<Letter, Width>,
    places: Tensor<shape![Place, Width]>,
    blocks: [Block; 3],
    norm: LayerNorm<Width>,
    scores: Linear<Width, Letter>,
}

impl Network for Transformer {
    const NAME: &'static str = "transformer";
    const CLIP: Option<f64> = Some(1.0);
    type Inputs = Letters;
    type Targets = Letters;

    fn new(rng: &mut Generator) -> Self {
        Self {
            letters: Embedding { weight: rng.normal(0.0, 0.1) },
            places: rng.normal(0.0, 0.1),
            blocks: [(); 3].map(|()| Block::new(rng)),
            norm: LayerNorm::new(),
            scores: Linear::new(rng),
        }
    }

    fn optimizer() -> Optimizer {
        let rule = AdamW { betas: (0.9, 0.99), decay: 0.1, ..AdamW::default() };
        let is_vector = |name: &str| name.contains("before") || name.ends_with("bias");
        Optimizer::new(rule, 1e-3)
            .with_group(is_vector, Group { decay: Some(0.0), ..Group::default() })
    }

    fn read(file: &Checkpoint) -> Result<Batches<Letters, Letters>, Box<dyn Error>> {
        let inputs = file.tensor::<shape![Step, Batch, Time], i64>("inputs")?;
        let targets = file.tensor::<shape![Step, Batch, Time], i64>("targets")?;
        let own =
            |(inputs, targets): (Letters, Letters)| (inputs.contiguous(), targets.contiguous());
        Ok(inputs.iter_axis::<0>().zip(targets.iter_axis::<0>()).map(own).collect())
    }

    fn loss(&self, letters: &Letters, targets: &Letters) -> Result<Tensor<shape![]>, IndexError> {
        let ((_, _), time) = letters.shape();
        let places: Tensor<shape![Time, Width]> = self.places.slice_axis::<0, Time>(..time.size());
        let mut states = self.letters.forward(letters)? + places;
        for block in &self.blocks {
            states = block.forward(states);
        }
        let scores = self.scores.forward(&self.norm.forward(&states));
        CrossEntropy::new().ignore(NOTHING).mean(&scores, targets)
    }
}
