//! A Llama, read from the two files that Hugging Face writes for it, continues a text token by token. The keys and values
//! of past tokens stay in a cache, so that each token is computed once.
//!
//! ```text
//! cargo run --release --example llama                                     a tiny model, with random weights
//! cargo run --release --example llama -- FOLDER 1 5 9 33                  `config.json` and `model.safetensors` there
//! cargo run --release --example llama -- FOLDER 1 5 9 33 --temperature 0.8
//! ```
//!
//! The sizes of the model are types: for another Llama change the numbers below, and the compiler finds what does not
//! fit. That they are those of the files is checked when they are read. The fields have the names of the files.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::Value;
use tensor_core::random::Generator;
use tensor_core::{Axis, IndexError, StaticAxis, Tensor, axis, dim, shape};
use tensor_nn::Module;
use tensor_nn::layers::{
    CausalLowerRight, Embedding, GroupedQueryAttention, Halves, KvCache, Linear, NoBias, RmsNorm,
    RotaryPositions, RotaryScaling, SwiGlu,
};
use tensor_nn::sampling::Sampler;

axis!(
    /// The tokens of the vocabulary.
    pub Vocab = 64
);
axis!(
    /// The width of the model.
    pub Hidden = 32
);
axis!(
    /// The width between the gated linear layers.
    pub Inner = 48
);
axis!(
    /// The heads of queries.
    pub Head = 4
);
axis!(
    /// The heads of keys and values, which the heads of queries share.
    pub KvHead = 2
);
/// The channels of a head. Their rotary pairs are halves, as in all files of Hugging Face.
pub type Channel = Halves<dim!(8)>;

axis!(
    /// The tokens so far.
    pub Time
);
axis!(
    /// The tokens that are read together: a prompt, or one.
    pub New
);
axis!(
    /// The positions that the model knows.
    pub Place
);

/// The keys and values of one block.
type Cache = KvCache<shape![], KvHead, Time, Channel>;

/// The model, and its positions.
#[derive(Clone, Debug, Module)]
pub struct Llama {
    model: Body,
    lm_head: Linear<Hidden, Vocab, f32, NoBias>,
    positions: RotaryPositions<Place, Channel>,
}

#[derive(Clone, Debug, Module)]
struct Body {
    embed_tokens: Embedding<Vocab, Hidden>,
    layers: Vec<Block>,
    norm: RmsNorm<Hidden>,
}

#[derive(Clone, Debug, Module)]
struct Block {
    self_attn: GroupedQueryAttention<Hidden, Head, KvHead, Channel>,
    mlp: SwiGlu<Hidden, Inner>,
    input_layernorm: RmsNorm<Hidden>,
    post_attention_layernorm: RmsNorm<Hidden>,
}

impl Llama {
    /// Reads `config.json` and `model.safetensors` of a folder.
    pub fn open(folder: &Path) -> Result<Self, Box<dyn Error>> {
        let config: Value = serde_json::from_str(&fs::read_to_string(folder.join("config.json"))?)?;
        check_sizes(&config)?;
        let number = |name: &str| config[name].as_f64().ok_or(format!("no number `{name}`"));
        let epsilon = number("rms_norm_eps")?;
        // Any weights: those of the file replace them.
        let rng = &mut Generator::seed(0);
        let block = |rng: &mut Generator| Block {
            self_attn: GroupedQueryAttention::new(rng),
            mlp: SwiGlu::new(rng),
            input_layernorm: RmsNorm::new().with_epsilon(epsilon),
            post_attention_layernorm: RmsNorm::new().with_epsilon(epsilon),
        };
        let layers = number("num_hidden_layers")? as usize;
        let mut model = Self {
            model: Body {
                embed_tokens: Embedding::new(rng),
                layers: (0..layers).map(|_| block(rng)).collect(),
                norm: RmsNorm::new().with_epsilon(epsilon),
            },
            lm_head: Linear::without_bias(rng),
            positions: positions(&config)?,
        };
        model.load(folder.join("model.safetensors"))?;
        Ok(model)
    }

    /// An empty cache for each block.
    pub fn caches(&self) -> Vec<Cache> {
        self.model.layers.iter().map(|_| Cache::new(shape![])).collect()
    }

    /// Reads new tokens, and gives the scores of the tokens that may follow each: `[new] → [new, vocab]`.
    pub fn read(
        &self,
        tokens: &Tensor<shape![New], i64>,
        caches: &mut [Cache],
    ) -> Result<Tensor<shape![New, Vocab]>, IndexError> {
        let first = caches.first().map_or(0, Cache::len);
        let positions = self.positions.part::<New>(first..first + tokens.len());
        let mut x: Tensor<shape![New, Hidden]> = self.model.embed_tokens.forward(tokens)?;
        for (block, cache) in self.model.layers.iter().zip(caches) {
            let read = block.input_layernorm.forward(&x);
            x += block.self_attn.forward_rotary_cached(&read, &positions, cache, CausalLowerRight);
            x = &x + block.mlp.forward(&block.post_attention_layernorm.forward(&x));
        }
        Ok(self.lm_head.forward(&self.model.norm.forward(&x)))
    }

    /// Continues a text by this many tokens.
    pub fn write(
        &self,
        prompt: &[i64],
        count: usize,
        sampler: Sampler,
        rng: &mut Generator,
    ) -> Result<Vec<i64>, Box<dyn Error>> {
        let (mut caches, mut text, mut read) = (self.caches(), prompt.to_vec(), 0);
        for _ in 0..count {
            let new: Tensor<shape![New], i64> = text[read..].iter().copied().collect();
            read = text.len();
            let scores = self.read(&new, &mut caches)?;
            text.push(sampler.sample(&scores.index::<0>(new.len() - 1), rng)?.item());
        }
        Ok(text)
    }
}

/// The positions of a configuration, with the scaling that Llama 3.1 and later have.
fn positions(config: &Value) -> Result<RotaryPositions<Place, Channel>, Box<dyn Error>> {
    // Older files have the base and the scaling at the top.
    let rope = ["rope_parameters", "rope_scaling"].map(|name| &config[name]);
    let rope = rope.into_iter().find(|rope| rope.is_object()).unwrap_or(&Value::Null);
    let number = |name: &str| rope[name].as_f64().ok_or(format!("no number `{name}`"));
    let base = rope["rope_theta"].as_f64().or(config["rope_theta"].as_f64()).unwrap_or(10_000.0);
    let scaling = match rope["rope_type"].as_str().unwrap_or("default") {
        "default" => RotaryScaling::None,
        "linear" => RotaryScaling::Linear { factor: number("factor")? },
        "llama3" => RotaryScaling::Llama3 {
            factor: number("factor")?,
            low_freq_factor: number("low_freq_factor")?,
            high_freq_factor: number("high_freq_factor")?,
            original_max_position_embeddings: number("original_max_position_embeddings")? as usize,
        },
        "yarn" => RotaryScaling::Yarn {
            factor: number("factor")?,
            beta_fast: rope["beta_fast"].as_f64().unwrap_or(32.0),
            beta_slow: rope["beta_slow"].as_f64().unwrap_or(1.0),
            original_max_position_embeddings: number("original_max_position_embeddings")? as usize,
            truncate: rope["truncate"].as_bool().unwrap_or(true),
            attention_factor: rope["attention_factor"].as_f64(),
        },
        other => return Err(format!("unknown `rope_type` {other}").into()),
    };
    let places =
        config["max_position_embeddings"].as_u64().ok_or("no `max_position_embeddings`")?;
    let shape = (((), Place(places as usize)), Channel::VALUE);
    Ok(RotaryPositions::new_scaled(shape, base, 0, scaling))
}

/// Compares the sizes of a configuration with those of the types.
fn check_sizes(config: &Value) -> Result<(), Box<dyn Error>> {
    let sizes = [
        ("vocab_size", Vocab::SIZE),
        ("hidden_size", Hidden::SIZE),
        ("intermediate_size", Inner::SIZE),
        ("num_attention_heads", Head::SIZE),
        ("num_key_value_heads", KvHead::SIZE),
        ("head_dim", Channel::SIZE),
    ];
    for (name, size) in sizes {
        let found = config[name].as_u64().map(|found| found as usize);
        if found.is_some() && found != size {
            let [found, size] = [found, size].map(Option::unwrap_or_default);
            return Err(format!("`{name}` is {found} in the file and {size} in the program").into());
        }
    }
    Ok(())
}

/// The arguments: a folder, the ids of the tokens of a prompt, and the temperature.
struct Arguments {
    folder: PathBuf,
    prompt: Vec<i64>,
    temperature: f64,
}

fn arguments() -> Result<Arguments, lexopt::Error> {
    use lexopt::ValueExt;
    use lexopt::prelude::{Long, Value};

    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/data/llama");
    let mut arguments = Arguments { folder, prompt: Vec::new(), temperature: 0.0 };
    let (mut parser, mut has_folder) = (lexopt::Parser::from_env(), false);
    while let Some(argument) = parser.next()? {
        match argument {
            Long("temperature") => arguments.temperature = parser.value()?.parse()?,
            Value(folder) if !has_folder => (arguments.folder, has_folder) = (folder.into(), true),
            Value(token) => arguments.prompt.push(token.parse()?),
            _ => return Err(argument.unexpected()),
        }
    }
    if arguments.prompt.is_empty() {
        arguments.prompt = vec![1, 5, 9, 33, 2, 60, 7, 12];
    }
    Ok(arguments)
}

fn run() -> Result<(), Box<dyn Error>> {
    let Arguments { folder, prompt, temperature } = arguments()?;
    let sampler = Sampler::new().temperature(temperature).top_p(0.95);
    let text = Llama::open(&folder)?.write(&prompt, 12, sampler, &mut Generator::seed(42))?;
    let text: Vec<String> = text.iter().map(i64::to_string).collect();
    println!("{}", text.join(" "));
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
