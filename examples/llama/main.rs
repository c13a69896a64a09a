//! A Llama, a Mistral or a Qwen2, read from the files that Hugging Face writes for it, continues a text. The keys and
//! values of past tokens stay in a cache, so that each token is computed once.
//!
//! ```text
//! cargo run --release -p llama                                 a tiny model, with random weights
//! cargo run --release -p llama -- FOLDER "Once upon a time"    `config.json`, `tokenizer.json` and
//!                                                                     `model.safetensors`, or its shards, are there
//! cargo run --release -p llama -- FOLDER                       a chat, in the format that the files describe; a
//!                                                                     text that you and the model write if they do not
//! cargo run --release -p llama -- FOLDER --temperature 0.8 --top-k 40 --top-p 0.95 --tokens 100 --seed 1
//! cargo run --release -p llama -- FOLDER --train FILE --steps 100 --save FOLDER    fine-tuned on a text
//! ```
//!
//! The numbers of heads and their channels are static, and `run` chooses them by the configuration: it lists the models
//! that it has a type for, and another one is one more row. All other axes are named, with the sizes of the file. Queries,
//! keys and values may have biases, as Qwen2's; other layers, sliding windows and quantised weights are refused.
//! Source: Touvron and others, "LLaMA: open and efficient foundation language models", 2023.

#[path = "../text/mod.rs"]
pub mod text;

use std::error::Error;
use std::io::{BufRead, Write};
use std::path::Path;
use std::process::ExitCode;

use serde::Deserialize;
use serde_json::Value;
use tensor_core::module::WeightMap;
use tensor_core::splitting::ChunkAxis;
use tensor_core::{IndexError, StaticAxis, Tensor, axis, dim, shape};
use tensor_nn::Module;
use tensor_nn::layers::{
    Causal, CausalLowerRight, Chunks, Embedding, GroupedQueryAttention, Halves, KvCache, Linear,
    NoBias, Pass, RmsNorm, RotaryPositions, RotaryScaling, SharesHeads, SwiGlu,
};
use text::{
    Cache, Hidden, LanguageModel, New, Options, Scores, States, Time, Tokens, Vocab, check_sizes,
    positive,
};

axis!(
    /// The width between the gated linear layers.
    pub Inner
);

/// A Llama with `H` heads of queries, which share `KV` heads of keys and values, of `C` channels. The rotary pairs of
/// channels are halves, as in all files of Hugging Face. The fields have the names of the file.
#[derive(Clone, Debug, Module)]
pub struct Llama<H: StaticAxis, KV: StaticAxis, C: StaticAxis> {
    model: Body<H, KV, C>,
    /// `None` if the scores of the tokens are made with their embeddings.
    lm_head: Option<Linear<Hidden, Vocab, f32, NoBias>>,
    #[module(skip, value = Rotary::default())]
    rotary: Rotary,
}

#[derive(Clone, Debug, Module)]
struct Body<H: StaticAxis, KV: StaticAxis, C: StaticAxis> {
    embed_tokens: Embedding<Vocab, Hidden>,
    layers: Vec<Block<H, KV, C>>,
    norm: RmsNorm<Hidden>,
}

/// Attention whose queries, keys and values may have biases.
type Attention<H, KV, C> =
    GroupedQueryAttention<Hidden, H, KV, C, f32, MayHaveBias<H, C>, MayHaveBias<KV, C>>;
type MayHaveBias<H, C> = Option<Tensor<shape![Chunks<H, C>]>>;

#[derive(Clone, Debug, Module)]
struct Block<H: StaticAxis, KV: StaticAxis, C: StaticAxis> {
    self_attn: Attention<H, KV, Halves<C>>,
    mlp: SwiGlu<Hidden, Inner>,
    input_layernorm: RmsNorm<Hidden>,
    post_attention_layernorm: RmsNorm<Hidden>,
}

impl<H: StaticAxis, KV: StaticAxis, C: StaticAxis> Block<H, KV, C> {
    /// Attention and the gated linear layers, each with a residual connection: `[new, hidden] → [new, hidden]`.
    fn forward(
        &self,
        x: &States,
        positions: &RotaryPositions<New, Halves<C>>,
        cache: Option<&mut KvCache<shape![], KV, Time, Halves<C>>>,
    ) -> States {
        let (attn, read) = (&self.self_attn, self.input_layernorm.forward(x));
        let x = x + match cache {
            Some(cache) => attn.forward_rotary_cached(&read, positions, cache, CausalLowerRight),
            None => attn.forward_rotary(&read, positions, Causal, &mut Pass::eval()),
        };
        &x + self.mlp.forward(&self.post_attention_layernorm.forward(&x))
    }
}

/// The parameters of the rotary positions, and their number.
#[derive(Clone, Debug, Default)]
struct Rotary {
    base: f64,
    scaling: RotaryScaling,
    positions: usize,
}

/// From the names of Hugging Face to those of the fields. Most files have floats of 16 bits.
pub fn hugging_face(tied: bool) -> WeightMap {
    // Frequencies of rotary positions, in old files.
    let map = WeightMap::new().convert("*").ignore("model.layers.{i}.self_attn.rotary_emb");
    if tied { map.ignore("lm_head") } else { map }
}

/// The fields that are read from `config.json`.
#[derive(Deserialize)]
struct Config {
    model_type: String,
    hidden_act: String,
    hidden_size: usize,
    intermediate_size: usize,
    vocab_size: usize,
    num_hidden_layers: usize,
    num_attention_heads: usize,
    num_key_value_heads: Option<usize>,
    head_dim: Option<usize>,
    max_position_embeddings: usize,
    rms_norm_eps: f64,
    #[serde(default)]
    attention_bias: bool,
    #[serde(default)]
    mlp_bias: bool,
    sliding_window: Option<f64>,
    use_sliding_window: Option<bool>,
    layer_types: Option<Vec<String>>,
    partial_rotary_factor: Option<f64>,
    #[serde(default)]
    tie_word_embeddings: bool,
    rope_theta: Option<f64>,
    #[serde(default)]
    rope_parameters: Value,
    /// The name of `rope_parameters` in older files, which have the base outside of it.
    #[serde(default)]
    rope_scaling: Value,
}

impl Config {
    fn read(folder: &Path) -> Result<Self, String> {
        let config: Self = text::config(folder)?;
        // One as long as a text may be hides nothing.
        let is_dynamic = config.rope_type() == Some("dynamic");
        let longest =
            if is_dynamic { f64::INFINITY } else { config.max_position_embeddings as f64 };
        let window = config.sliding_window.filter(|_| config.use_sliding_window != Some(false));
        let has_window = window.is_some_and(|len| len < longest)
            || config.layer_types.iter().flatten().any(|layer| layer != "full_attention");
        let parts = [config.partial_rotary_factor, config.rope()["partial_rotary_factor"].as_f64()];
        let expected = match () {
            () if !["llama", "mistral", "qwen2"].contains(&&config.model_type[..]) => {
                "the model `llama`, `mistral` or `qwen2`"
            }
            () if config.hidden_act != "silu" => "the activation `silu`",
            () if config.attention_bias || config.mlp_bias => {
                "no biases but those of queries, keys and values of `qwen2`"
            }
            () if has_window => "no sliding window",
            () if parts.into_iter().flatten().any(|part| part != 1.0) => {
                "no `partial_rotary_factor`"
            }
            () => "",
        };
        if !expected.is_empty() {
            return Err(format!("{}: expected {expected}", folder.join("config.json").display()));
        }
        positive(
            folder,
            &[
                ("num_attention_heads", config.num_attention_heads as f64),
                ("max_position_embeddings", config.max_position_embeddings as f64),
                ("rms_norm_eps", config.rms_norm_eps),
            ],
        )?;
        Ok(config)
    }

    /// The heads of queries, those of keys and values, and the channels of a head.
    fn heads(&self) -> (usize, usize, usize) {
        let heads = self.num_attention_heads;
        let channels = self.head_dim.unwrap_or(self.hidden_size / heads);
        (heads, self.num_key_value_heads.unwrap_or(heads), channels)
    }

    /// The parameters of the rotary positions.
    fn rope(&self) -> &Value {
        let rope = [&self.rope_parameters, &self.rope_scaling];
        rope.into_iter().find(|rope| rope.is_object()).unwrap_or(&Value::Null)
    }

    /// The kind of their scaling; `None` if it is no text.
    fn rope_type(&self) -> Option<&str> {
        let rope = self.rope();
        let kind = [&rope["rope_type"], &rope["type"]].into_iter().find(|kind| !kind.is_null());
        kind.map_or(Some("default"), Value::as_str)
    }

    /// The rotary positions, with the scaling that Llama 3.1 and later have.
    fn rotary(&self, folder: &Path) -> Result<Rotary, String> {
        let rope = self.rope();
        let within = |error: String| format!("{}: {error}", folder.join("config.json").display());
        let number = |name: &str, default: Option<f64>| {
            let number = rope[name].as_f64().or(default);
            let number = number.ok_or_else(|| within(format!("there is no number `{name}`")))?;
            positive(folder, &[(name, number)]).map(|()| number)
        };
        let factor = || number("factor", None);
        let original = || number("original_max_position_embeddings", None).map(|len| len as usize);
        let mut positions = self.max_position_embeddings;
        let scaling = match self.rope_type() {
            Some("default") => RotaryScaling::None,
            Some("linear") => RotaryScaling::PositionInterpolation { factor: factor()? },
            Some("dynamic") => {
                let (factor, max_position_embeddings) = (factor()?, positions);
                positions = (factor.max(1.0) * positions as f64) as usize;
                RotaryScaling::DynamicNtk { factor, max_position_embeddings, len: 0 }
            }
            Some("llama3") => RotaryScaling::Llama3 {
                factor: factor()?,
                low_freq_factor: number("low_freq_factor", None)?,
                high_freq_factor: number("high_freq_factor", None)?,
                original_max_position_embeddings: original()?,
            },
            Some("yarn") => RotaryScaling::Yarn {
                factor: factor()?,
                beta_fast: number("beta_fast", Some(32.0))?,
                beta_slow: number("beta_slow", Some(1.0))?,
                original_max_position_embeddings: original()?,
                truncate: rope["truncate"].as_bool().unwrap_or(true),
                attention_factor: match rope["attention_factor"] {
                    Value::Null => mscale(rope, factor()?),
                    _ => Some(number("attention_factor", None)?),
                },
            },
            Some(kind) => return Err(within(format!("the `rope_type` {kind} is unknown"))),
            None => return Err(within("the `rope_type` is no text".into())),
        };
        let base = number("rope_theta", Some(self.rope_theta.unwrap_or(10_000.0)))?;
        Ok(Rotary { base, scaling, positions })
    }
}

/// The factor of rotated queries and keys that YaRN's `mscale` and `mscale_all_dim` give; `None` without both.
fn mscale(rope: &Value, factor: f64) -> Option<f64> {
    let [scale, all] = ["mscale", "mscale_all_dim"].map(|name| rope[name].as_f64());
    let of = |scale: f64| 0.1 * scale * factor.max(1.0).ln() + 1.0;
    scale.zip(all).filter(|&(scale, all)| scale != 0.0 && all != 0.0).map(|(a, b)| of(a) / of(b))
}

impl Rotary {
    /// The scaling for a text of this length.
    fn scaling(&self, text: usize) -> RotaryScaling {
        match self.scaling {
            RotaryScaling::DynamicNtk { factor, max_position_embeddings, .. } => {
                RotaryScaling::DynamicNtk { factor, max_position_embeddings, len: text }
            }
            scaling => scaling,
        }
    }
}

impl<H, KV, C> LanguageModel for Llama<H, KV, C>
where
    H: StaticAxis,
    KV: StaticAxis,
    C: StaticAxis,
    (H, KV): SharesHeads,
    shape![Halves<C>]: ChunkAxis<0, 2>,
{
    type Heads = KV;
    type Channels = Halves<C>;

    fn from_folder(folder: &Path) -> Result<Self, Box<dyn Error>> {
        let config = Config::read(folder)?;
        let (found, expected) =
            (config.heads(), (H::VALUE.size(), KV::VALUE.size(), C::VALUE.size()));
        if found != expected {
            let names = "heads, heads of keys and values, and channels";
            let message =
                format!("{names} are {found:?} in the files and {expected:?} in the program");
            return Err(message.into());
        }
        let mut model: Self = hugging_face(config.tie_word_embeddings).open(folder)?;
        let layers = model.model.layers.len();
        if layers != config.num_hidden_layers {
            let expected = config.num_hidden_layers;
            let message = format!("the files have {layers} layers, and `config.json` {expected}");
            return Err(message.into());
        }
        check_sizes(
            &model,
            &[
                ("Hidden", "hidden_size", config.hidden_size),
                ("Inner", "intermediate_size", config.intermediate_size),
                ("Vocab", "vocab_size", config.vocab_size),
            ],
        )?;
        if model.lm_head.is_none() && !config.tie_word_embeddings {
            let message = "the files have no `lm_head.weight`, and `tie_word_embeddings` is false";
            return Err(message.into());
        }
        let expected = config.model_type == "qwen2";
        let has_biases = |block: &Block<H, KV, C>| {
            let Attention::<H, KV, Halves<C>> { q_proj, k_proj, v_proj, .. } = &block.self_attn;
            [q_proj.bias.is_some(), k_proj.bias.is_some(), v_proj.bias.is_some()]
        };
        if model.model.layers.iter().any(|block| has_biases(block) != [expected; 3]) {
            let model = config.model_type;
            let message = match expected {
                true => format!(
                    "the files lack biases of queries, keys and values, which `{model}` has"
                ),
                false => format!(
                    "the files have biases of queries, keys or values, which `{model}` has not"
                ),
            };
            return Err(message.into());
        }
        model.rotary = config.rotary(folder)?;
        model.model.norm.epsilon = config.rms_norm_eps;
        for block in &mut model.model.layers {
            block.input_layernorm.epsilon = config.rms_norm_eps;
            block.post_attention_layernorm.epsilon = config.rms_norm_eps;
        }
        Ok(model)
    }

    fn weights(&self) -> WeightMap {
        hugging_face(self.lm_head.is_none())
    }

    fn layers(&self) -> usize {
        self.model.layers.len()
    }

    fn positions(&self) -> usize {
        self.rotary.positions
    }

    fn states(
        &self,
        tokens: &Tokens,
        mut caches: Option<&mut [Cache<Self>]>,
    ) -> Result<States, IndexError> {
        let first = caches.as_ref().and_then(|caches| caches.first()).map_or(0, Cache::<Self>::len);
        let shape = (((), New(tokens.len())), Halves::<C>::VALUE);
        let scaling = self.rotary.scaling(first + tokens.len());
        let positions = RotaryPositions::new_scaled(shape, self.rotary.base, first, scaling);
        let mut x: States = self.model.embed_tokens.forward(tokens)?;
        for (layer, block) in self.model.layers.iter().enumerate() {
            x = block.forward(
                &x,
                &positions,
                caches.as_deref_mut().map(|caches| &mut caches[layer]),
            );
        }
        Ok(self.model.norm.forward(&x))
    }

    fn head(&self, states: &States) -> Scores {
        let embeddings = &self.model.embed_tokens.weight;
        let weight = self.lm_head.as_ref().map_or(embeddings, |head| &head.weight);
        states.dot(&weight.transpose())
    }
}

/// Goes on with the prompt, or with the lines of the terminal in turn.
pub fn run(
    options: &Options,
    terminal: &mut dyn BufRead,
    out: &mut dyn Write,
) -> Result<(), Box<dyn Error>> {
    let write = match Config::read(&options.folder)?.heads() {
        // The tiny model.
        (4, 2, 8) => text::write::<Llama<dim!(4), dim!(2), dim!(8)>>,
        // SmolLM2 with 135 and 360 million parameters, and with 1.7 billion.
        (9, 3, 64) => text::write::<Llama<dim!(9), dim!(3), dim!(64)>>,
        (15, 5, 64) => text::write::<Llama<dim!(15), dim!(5), dim!(64)>>,
        (32, 32, 64) => text::write::<Llama<dim!(32), dim!(32), dim!(64)>>,
        // TinyLlama.
        (32, 4, 64) => text::write::<Llama<dim!(32), dim!(4), dim!(64)>>,
        // Llama 3.2 with 1 and 3 billion parameters, Llama 3 and 3.1 with 8 billion, and Mistral with 7 billion.
        (32, 8, 64) => text::write::<Llama<dim!(32), dim!(8), dim!(64)>>,
        (24, 8, 128) => text::write::<Llama<dim!(24), dim!(8), dim!(128)>>,
        (32, 8, 128) => text::write::<Llama<dim!(32), dim!(8), dim!(128)>>,
        // Llama and Llama 2 with 7 and 13 billion parameters.
        (32, 32, 128) => text::write::<Llama<dim!(32), dim!(32), dim!(128)>>,
        (40, 40, 128) => text::write::<Llama<dim!(40), dim!(40), dim!(128)>>,
        // Llama 2, 3 and 3.1 with 70 billion parameters.
        (64, 8, 128) => text::write::<Llama<dim!(64), dim!(8), dim!(128)>>,
        // Qwen2 and Qwen2.5 with 0.5, 1.5 and 7 billion parameters.
        (14, 2, 64) => text::write::<Llama<dim!(14), dim!(2), dim!(64)>>,
        (12, 2, 128) => text::write::<Llama<dim!(12), dim!(2), dim!(128)>>,
        (28, 4, 128) => text::write::<Llama<dim!(28), dim!(4), dim!(128)>>,
        (heads, shared, channels) => return Err(format!(
            "the program has no type for {heads} heads and {shared} of keys and values, of {channels} channels: \
             `run` lists those that it has"
        )
        .into()),
    };
    write(options, terminal, out)
}

fn main() -> ExitCode {
    text::main("llama", include_str!("main.rs"), run)
}
