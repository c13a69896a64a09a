//! GPT-2, read from the files that Hugging Face writes for it, continues a text. The keys and values of past tokens stay
//! in a cache, so that each token is computed once.
//!
//! ```text
//! cargo run --release -p gpt2                                 a tiny model, with random weights
//! cargo run --release -p gpt2 -- FOLDER "Once upon a time"    `config.json`, `tokenizer.json` and
//!                                                                    `model.safetensors`, or its shards, are there
//! cargo run --release -p gpt2 -- FOLDER                       a chat, in the format that the files describe; a
//!                                                                    text that you and the model write if they do not
//! cargo run --release -p gpt2 -- FOLDER --temperature 0.8 --top-k 40 --top-p 0.95 --tokens 100 --seed 1
//! cargo run --release -p gpt2 -- FOLDER --train FILE --steps 100 --save FOLDER    fine-tuned on a text
//! ```
//!
//! The number of heads and their channels are static, and `run` chooses them by the configuration: it lists the models
//! that it has a type for, those of OpenAI and DistilGPT-2, and another one is one more row. All other axes are named, with
//! the sizes of the file. Source: Radford and others, "Language models are unsupervised multitask learners",
//! 2019.

#[path = "../text/mod.rs"]
pub mod text;

use std::error::Error;
use std::io::{BufRead, Write};
use std::path::Path;
use std::process::ExitCode;

use serde::Deserialize;
use tensor_core::io::Checkpoint;
use tensor_core::module::WeightMap;
use tensor_core::{IndexError, StaticAxis, axis, dim};
use tensor_nn::Module;
use tensor_nn::layers::{
    Causal, CausalLowerRight, Embedding, GeluTanh, LayerNorm, LearnedPositions, NormOrder, Pass,
    TransformerBlock,
};
use text::{
    Cache, Hidden, LanguageModel, Options, Scores, States, Tokens, Vocab, check_sizes, positive,
};

axis!(
    /// The width between the linear layers of a block.
    pub Inner
);
axis!(
    /// The positions that the model knows.
    pub Position
);

/// The prefix of the names in Hugging Face's files.
pub const PREFIX: &str = "transformer.";
/// Attention and two linear layers.
type Block<H, C> = TransformerBlock<Hidden, H, C, Inner, f32, GeluTanh>;
/// A GPT-2 with `H` heads of `C` channels. The fields have the names of the file.
#[derive(Clone, Debug, Module)]
pub struct Gpt2<H: StaticAxis, C: StaticAxis> {
    wte: Embedding<Vocab, Hidden>,
    wpe: LearnedPositions<Position, Hidden>,
    h: Vec<Block<H, C>>,
    ln_f: LayerNorm<Hidden>,
}

/// From the names and layouts of Hugging Face to those of the fields. The weights of GPT-2's linear layers are stored as
/// `[in, out]`, queries, keys and values as one; the scores of the tokens are made with their embeddings, `wte`. The
/// prefix of all names is `transformer.`, in OpenAI's own files none.
pub fn hugging_face(prefix: &str) -> WeightMap {
    WeightMap::new()
        .convert("*")
        .ignore("lm_head")
        .prefix(prefix)
        // Masks, in old files.
        .ignore("h.{i}.attn.bias")
        .ignore("h.{i}.attn.masked_bias")
        .transpose("*.c_attn.weight")
        .transpose("*.c_proj.weight")
        .transpose("*.c_fc.weight")
        .rename("h.{i}.attn.c_attn.weight", "h.{i}.self_attn.in_proj_weight")
        .rename("h.{i}.attn.c_attn.bias", "h.{i}.self_attn.in_proj_bias")
        .rename("h.{i}.attn.c_proj", "h.{i}.self_attn.out_proj")
        .rename("h.{i}.ln_1", "h.{i}.norm1")
        .rename("h.{i}.ln_2", "h.{i}.norm2")
        .rename("h.{i}.mlp.c_fc", "h.{i}.linear1")
        .rename("h.{i}.mlp.c_proj", "h.{i}.linear2")
}

/// The fields that are read from `config.json`.
#[derive(Deserialize)]
struct Config {
    model_type: String,
    n_embd: usize,
    n_head: usize,
    n_inner: Option<usize>,
    n_layer: usize,
    n_positions: usize,
    vocab_size: usize,
    layer_norm_epsilon: f64,
    activation_function: String,
    #[serde(default)]
    scale_attn_by_inverse_layer_idx: bool,
    scale_attn_weights: Option<bool>,
    tie_word_embeddings: Option<bool>,
}

impl Config {
    fn read(folder: &Path) -> Result<Self, String> {
        let config: Self = text::config(folder)?;
        if config.model_type != "gpt2"
            || !["gelu_new", "gelu_pytorch_tanh"].contains(&&config.activation_function[..])
            || config.scale_attn_by_inverse_layer_idx
            || config.scale_attn_weights == Some(false)
            || config.tie_word_embeddings == Some(false)
        {
            let expected = "the model `gpt2`, the activation `gelu_new` or `gelu_pytorch_tanh`, tied embeddings, scaled scores, and no scale \
                            by layer";
            return Err(format!("{}: expected {expected}", folder.join("config.json").display()));
        }
        positive(
            folder,
            &[("n_head", config.n_head as f64), ("layer_norm_epsilon", config.layer_norm_epsilon)],
        )?;
        Ok(config)
    }
}

impl<H: StaticAxis, C: StaticAxis> LanguageModel for Gpt2<H, C> {
    type Heads = H;
    type Channels = C;

    fn from_folder(folder: &Path) -> Result<Self, Box<dyn Error>> {
        let config = Config::read(folder)?;
        let file = Checkpoint::open(folder)?;
        let has_prefix = file.names().iter().any(|name| name.starts_with(PREFIX));
        let model: Self = hugging_face(if has_prefix { PREFIX } else { "" }).open_from(&file)?;
        let (heads, channels, width) =
            (H::VALUE.size(), C::VALUE.size(), model.wte.weight.sizes()[1]);
        if config.n_head != heads || width != heads * channels {
            return Err(format!(
                "the files have {} heads and width {width}, and the program {heads} heads of {channels} channels",
                config.n_head
            )
            .into());
        }
        if model.h.len() != config.n_layer {
            let (layers, expected) = (model.h.len(), config.n_layer);
            let message = format!("the files have {layers} layers, and `config.json` {expected}");
            return Err(message.into());
        }
        check_sizes(
            &model,
            &[
                ("Hidden", "n_embd", config.n_embd),
                ("Inner", "n_inner", config.n_inner.unwrap_or(4 * config.n_embd)),
                ("Position", "n_positions", config.n_positions),
                ("Vocab", "vocab_size", config.vocab_size),
            ],
        )?;
        let block = |block: Block<H, C>| Block {
            order: NormOrder::Pre,
            ..block.with_epsilon(config.layer_norm_epsilon)
        };
        let ln_f = model.ln_f.with_epsilon(config.layer_norm_epsilon);
        Ok(Self { h: model.h.into_iter().map(block).collect(), ln_f, ..model })
    }

    fn weights(&self) -> WeightMap {
        hugging_face(PREFIX)
    }

    fn layers(&self) -> usize {
        self.h.len()
    }

    fn positions(&self) -> usize {
        self.wpe.weight.sizes()[0]
    }

    fn states(
        &self,
        tokens: &Tokens,
        mut caches: Option<&mut [Cache<Self>]>,
    ) -> Result<States, IndexError> {
        let first = caches.as_ref().and_then(|caches| caches.first()).map_or(0, Cache::<Self>::len);
        let mut x: States = self.wpe.forward(&self.wte.forward(tokens)?, first);
        for (layer, block) in self.h.iter().enumerate() {
            x = match &mut caches {
                Some(caches) => block.forward_cached(&x, &mut caches[layer], CausalLowerRight),
                None => block.forward(&x, Causal, &mut Pass::eval()),
            };
        }
        Ok(self.ln_f.forward(&x))
    }

    fn head(&self, states: &States) -> Scores {
        states.dot(&self.wte.weight.transpose())
    }
}

/// Goes on with the prompt, or with the lines of the terminal in turn.
pub fn run(
    options: &Options,
    terminal: &mut dyn BufRead,
    out: &mut dyn Write,
) -> Result<(), Box<dyn Error>> {
    let Config { n_embd, n_head, .. } = Config::read(&options.folder)?;
    let write = match (n_head, n_embd / n_head) {
        // The tiny model.
        (4, 8) => text::write::<Gpt2<dim!(4), dim!(8)>>,
        // GPT-2 and DistilGPT-2, then the medium, the large and the XL one.
        (12, 64) => text::write::<Gpt2<dim!(12), dim!(64)>>,
        (16, 64) => text::write::<Gpt2<dim!(16), dim!(64)>>,
        (20, 64) => text::write::<Gpt2<dim!(20), dim!(64)>>,
        (25, 64) => text::write::<Gpt2<dim!(25), dim!(64)>>,
        (heads, channels) => return Err(format!(
            "the program has no type for {heads} heads of {channels} channels: `run` lists those that it has"
        )
        .into()),
    };
    write(options, terminal, out)
}

fn main() -> ExitCode {
    text::main("gpt2", include_str!("main.rs"), run)
}
