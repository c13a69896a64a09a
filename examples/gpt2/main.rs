//! GPT-2, read from the files that Hugging Face writes for it, goes on with a text. The keys and values of past tokens stay
//! in a cache, so that each token is computed once.
//!
//! ```text
//! cargo run --release --example gpt2                                 a tiny model, with random weights
//! cargo run --release --example gpt2 -- FOLDER "Once upon a time"    any GPT-2: `config.json`, `model.safetensors` and
//!                                                                    `tokenizer.json` are there
//! cargo run --release --example gpt2 -- FOLDER                       a text that you and the model write in turn
//! cargo run --release --example gpt2 -- FOLDER --temperature 0.8 --top-k 40 --top-p 0.95 --tokens 100 --seed 1
//! cargo run --release --example gpt2 -- FOLDER --train FILE --steps 100 --save FOLDER    fine-tuned on a text
//! ```
//!
//! The number of heads and their channels are static, and `run` chooses them by the configuration. All other axes are
//! named, with the sizes of the file. Source: Radford and others, "Language models are unsupervised multitask learners",
//! 2019.

use std::error::Error;
use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, Write, stdin, stdout};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::Deserialize;
use tensor_core::autograd::try_value_and_grad;
use tensor_core::io::Checkpoint;
use tensor_core::module::WeightMap;
use tensor_core::random::Generator;
use tensor_core::{IndexError, StaticAxis, Tensor, axis, dim, shape};
use tensor_nn::Module;
use tensor_nn::layers::{
    Causal, CausalLowerRight, Embedding, GeluTanh, KvCache, LayerNorm, LearnedPositions, NormOrder,
    Pass, TransformerBlock,
};
use tensor_nn::losses::cross_entropy;
use tensor_nn::optim::{AdamW, Optimizer, clip_norm};
use tensor_nn::sampling::Sampler;
use tokenizers::Tokenizer;

axis!(
    /// The tokens of the vocabulary.
    pub Vocab
);
axis!(
    /// The width of the model.
    pub Hidden
);
axis!(
    /// The width between the linear layers of a block.
    pub Inner
);
axis!(
    /// The positions that the model knows.
    pub Position
);
axis!(
    /// The tokens so far.
    pub Time
);
axis!(
    /// The tokens that are read together: a prompt, or one.
    pub New
);

/// The prefix of the names in Hugging Face's files.
pub const PREFIX: &str = "transformer.";
/// The tokens of a step of training.
const PART: usize = 128;

/// Attention and two linear layers.
type Block<H, C> = TransformerBlock<Hidden, H, C, Inner, f32, GeluTanh>;
/// The keys and values of one block.
type Cache<H, C> = KvCache<shape![], H, Time, C>;
/// A vector for each token.
type States = Tensor<shape![New, Hidden]>;

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

/// What is read of `config.json`.
#[derive(Deserialize)]
struct Config {
    n_embd: usize,
    n_head: usize,
    layer_norm_epsilon: f64,
    activation_function: String,
    eos_token_id: Option<i64>,
    #[serde(default)]
    scale_attn_by_inverse_layer_idx: bool,
    tie_word_embeddings: Option<bool>,
}

impl Config {
    fn read(folder: &Path) -> Result<Self, Box<dyn Error>> {
        let file = folder.join("config.json");
        let within = |error: &dyn Error| format!("{}: {error}", file.display());
        let text = fs::read_to_string(&file).map_err(|error| within(&error))?;
        let config: Self = serde_json::from_str(&text).map_err(|error| within(&error))?;
        if config.activation_function != "gelu_new"
            || config.scale_attn_by_inverse_layer_idx
            || config.tie_word_embeddings == Some(false)
        {
            let expected = "the activation `gelu_new`, tied embeddings, and no scale by layer";
            return Err(format!("{}: expected {expected}", file.display()).into());
        }
        Ok(config)
    }
}

impl<H: StaticAxis, C: StaticAxis> Gpt2<H, C> {
    /// Reads `config.json` and `model.safetensors` of a folder.
    pub fn open(folder: &Path) -> Result<Self, Box<dyn Error>> {
        let config = Config::read(folder)?;
        let file = folder.join("model.safetensors");
        let names = Checkpoint::open(&file)?.names();
        let has_prefix = names.iter().any(|name| name.starts_with(PREFIX));
        let model: Self = hugging_face(if has_prefix { PREFIX } else { "" }).open(&file)?;
        let (heads, channels, width) =
            (H::VALUE.size(), C::VALUE.size(), model.wte.weight.sizes()[1]);
        if config.n_head != heads || width != heads * channels {
            return Err(format!(
                "the files have {} heads and width {width}, and the program {heads} heads of {channels} channels",
                config.n_head
            )
            .into());
        }
        let block = |block: Block<H, C>| Block {
            order: NormOrder::Pre,
            ..block.with_epsilon(config.layer_norm_epsilon)
        };
        let ln_f = model.ln_f.with_epsilon(config.layer_norm_epsilon);
        Ok(Self { h: model.h.into_iter().map(block).collect(), ln_f, ..model })
    }

    /// An empty cache for each block.
    pub fn caches(&self) -> Vec<Cache<H, C>> {
        self.h.iter().map(|_| Cache::new(shape![])).collect()
    }

    /// The tokens that a text may have.
    pub fn positions(&self) -> usize {
        self.wpe.weight.sizes()[0]
    }

    /// The scores of the tokens that may follow each of some tokens: `[new] → [new, vocab]`. The first has this position,
    /// and `apply` applies a block, whose number it takes.
    fn scores_with(
        &self,
        tokens: &Tensor<shape![New], i64>,
        first: usize,
        mut apply: impl FnMut(usize, &Block<H, C>, &States) -> States,
    ) -> Result<Tensor<shape![New, Vocab]>, IndexError> {
        let mut x: States = self.wpe.forward(&self.wte.forward(tokens)?, first);
        for (layer, block) in self.h.iter().enumerate() {
            x = apply(layer, block, &x);
        }
        Ok(self.ln_f.forward(&x).dot(&self.wte.weight.transpose()))
    }

    /// The scores for a whole text, which have gradients: `[new] → [new, vocab]`.
    pub fn scores(
        &self,
        tokens: &Tensor<shape![New], i64>,
    ) -> Result<Tensor<shape![New, Vocab]>, IndexError> {
        self.scores_with(tokens, 0, |_, block, x| block.forward(x, Causal, &mut Pass::eval()))
    }

    /// The scores for tokens that follow those in the caches, to which they are appended: `[new] → [new, vocab]`.
    pub fn read(
        &self,
        tokens: &Tensor<shape![New], i64>,
        caches: &mut [Cache<H, C>],
    ) -> Result<Tensor<shape![New, Vocab]>, IndexError> {
        let first = caches.first().map_or(0, Cache::len);
        self.scores_with(tokens, first, |layer, block, x| {
            block.forward_cached(x, &mut caches[layer], CausalLowerRight)
        })
    }

    /// The mean cross-entropy of each token of a text, given those before it. The text has one token or more.
    pub fn loss(&self, text: &[i64]) -> Result<Tensor<shape![]>, IndexError> {
        let (inputs, targets) = (&text[..text.len() - 1], &text[1..]);
        let targets: Tensor<shape![New], i64> = targets.iter().copied().collect();
        cross_entropy(&self.scores(&inputs.iter().copied().collect())?, &targets)
    }
}

/// A text that grows: its tokens, and the caches of those that were read.
struct Text<'a, H: StaticAxis, C: StaticAxis> {
    model: &'a Gpt2<H, C>,
    tokens: Vec<i64>,
    caches: Vec<Cache<H, C>>,
}

impl<H: StaticAxis, C: StaticAxis> Text<'_, H, C> {
    /// The next token. `None` if the model knows no further position.
    fn next(
        &mut self,
        sampler: Sampler,
        rng: &mut Generator,
    ) -> Result<Option<i64>, Box<dyn Error>> {
        if self.tokens.len() > self.model.positions() {
            return Ok(None);
        }
        let read = self.caches.first().map_or(0, Cache::len);
        let new: Tensor<shape![New], i64> = self.tokens[read..].iter().copied().collect();
        let scores = self.model.read(&new, &mut self.caches)?;
        let token = sampler.sample(&scores.index::<0>(new.len() - 1), rng)?.item();
        self.tokens.push(token);
        Ok(Some(token))
    }
}

/// The arguments.
pub struct Options {
    /// The folder of the model.
    pub folder: PathBuf,
    /// The beginning of the text; `None` if it is read from the terminal, and continued in turn.
    pub prompt: Option<String>,
    /// How the next token is chosen.
    pub sampler: Sampler,
    /// The tokens that are added at most.
    pub tokens: usize,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The text to train with.
    pub train: Option<PathBuf>,
    /// The steps of training.
    pub steps: usize,
    /// The folder for the model that was trained.
    pub save: Option<PathBuf>,
}

impl Default for Options {
    /// The tiny model, whose text is the most likely one.
    fn default() -> Self {
        Self {
            folder: Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/data/gpt2"),
            prompt: None,
            sampler: Sampler::greedy(),
            tokens: 50,
            seed: 0,
            train: None,
            steps: 100,
            save: None,
        }
    }
}

impl Options {
    fn read() -> Result<Self, lexopt::Error> {
        use lexopt::ValueExt;
        use lexopt::prelude::{Long, Value};

        let (mut options, mut has_folder) = (Self::default(), false);
        let mut parser = lexopt::Parser::from_env();
        while let Some(argument) = parser.next()? {
            let sampler = options.sampler;
            match argument {
                Long("temperature") => {
                    options.sampler = sampler.temperature(up_to(100.0, &parser.value()?)?)
                }
                Long("top-k") => {
                    let count: NonZero<usize> = parser.value()?.parse()?;
                    options.sampler = sampler.top_k(count.get());
                }
                Long("top-p") => options.sampler = sampler.top_p(up_to(1.0, &parser.value()?)?),
                Long("tokens") => options.tokens = parser.value()?.parse()?,
                Long("seed") => options.seed = parser.value()?.parse()?,
                Long("train") => options.train = Some(parser.value()?.into()),
                Long("steps") => options.steps = parser.value()?.parse()?,
                Long("save") => options.save = Some(parser.value()?.into()),
                Value(folder) if !has_folder => {
                    (options.folder, has_folder) = (folder.into(), true)
                }
                Value(prompt) => options.prompt = Some(prompt.string()?),
                _ => return Err(argument.unexpected()),
            }
        }
        if !has_folder {
            options.prompt = Some("anna and ben".into());
        }
        Ok(options)
    }
}

/// The number that an argument is, from 0 to `most`.
fn up_to(most: f64, argument: &OsStr) -> Result<f64, String> {
    let number = argument.to_str().and_then(|text| text.parse().ok());
    number.filter(|number| (0.0..=most).contains(number)).ok_or_else(|| {
        format!("expected a number from 0 to {most}, found `{}`", argument.display())
    })
}

/// The program for a model with `H` heads of `C` channels.
fn write<H: StaticAxis, C: StaticAxis>(
    options: &Options,
    terminal: &mut impl BufRead,
    out: &mut impl Write,
) -> Result<(), Box<dyn Error>> {
    let mut model = Gpt2::<H, C>::open(&options.folder)?;
    let end = Config::read(&options.folder)?.eos_token_id;
    let tokenizer = options.folder.join("tokenizer.json");
    let tokenizer = Tokenizer::from_file(&tokenizer)
        .map_err(|error| format!("{}: {error}", tokenizer.display()))?;
    let encode = |text: &str| -> Result<Vec<i64>, String> {
        match tokenizer.encode(text, false) {
            Ok(tokens) => Ok(tokens.get_ids().iter().map(|&token| i64::from(token)).collect()),
            Err(error) => Err(error.to_string()),
        }
    };
    let mut rng = Generator::seed(options.seed);
    if let Some(file) = &options.train {
        let text = encode(&fs::read_to_string(file)?)?;
        train(&mut model, &text, options.steps, &mut rng, out)?;
    }
    if let Some(folder) = &options.save {
        fs::create_dir_all(folder)?;
        for file in ["config.json", "tokenizer.json"] {
            fs::copy(options.folder.join(file), folder.join(file))?;
        }
        hugging_face(PREFIX).save(&model, folder.join("model.safetensors"))?;
    }

    let mut text = Text { caches: model.caches(), tokens: Vec::new(), model: &model };
    let mut go_on = |part: &str| -> Result<(), Box<dyn Error>> {
        let start = if text.tokens.is_empty() { "" } else { "\n" };
        let part = encode(&format!("{start}{part}"))?;
        text.tokens.extend(if part.is_empty() { end.into_iter().collect() } else { part });
        let (len, positions) = (text.tokens.len(), model.positions());
        if !(1..=positions).contains(&len) {
            return Err(format!("the text has {len} tokens, expected 1 to {positions}").into());
        }
        let mut decoder = tokenizer.decode_stream(true);
        for _ in 0..options.tokens {
            match text.next(options.sampler, &mut rng)? {
                Some(token) if Some(token) != end => {
                    let new = decoder.step(token as u32).map_err(|error| error.to_string())?;
                    write!(out, "{}", new.unwrap_or_default())?;
                    out.flush()?;
                }
                _ => break,
            }
        }
        Ok(writeln!(out)?)
    };
    match &options.prompt {
        Some(prompt) => go_on(prompt),
        None => terminal.lines().try_for_each(|line| go_on(&line?)),
    }
}

/// Trains with parts of a text, drawn at random.
fn train<H: StaticAxis, C: StaticAxis>(
    model: &mut Gpt2<H, C>,
    text: &[i64],
    steps: usize,
    rng: &mut Generator,
    out: &mut impl Write,
) -> Result<(), Box<dyn Error>> {
    let len = PART.min(model.positions());
    if text.len() <= len {
        return Err(format!(
            "the text has {} tokens, and training needs more than {len}",
            text.len()
        )
        .into());
    }
    let mut optimizer = Optimizer::new(AdamW::default(), 5e-5);
    for step in 0..steps {
        let first = rng.integers::<shape![], i64>(0..(text.len() - len) as i64).item() as usize;
        let part = &text[first..=first + len];
        let (loss, mut gradient) = try_value_and_grad(&*model, |model| model.loss(part))?;
        clip_norm(&mut gradient, 1.0);
        optimizer.step(model, &gradient)?;
        writeln!(out, "step {step}: loss {:.4}", loss.item())?;
    }
    Ok(())
}

/// Goes on with the prompt, or with the lines of the terminal in turn.
pub fn run(
    options: &Options,
    terminal: &mut impl BufRead,
    out: &mut impl Write,
) -> Result<(), Box<dyn Error>> {
    let Config { n_embd, n_head, .. } = Config::read(&options.folder)?;
    match (n_head, n_embd / n_head.max(1)) {
        // The tiny model.
        (4, 8) => write::<dim!(4), dim!(8)>(options, terminal, out),
        // GPT-2 and DistilGPT-2, then the medium, the large and the XL one.
        (12, 64) => write::<dim!(12), dim!(64)>(options, terminal, out),
        (16, 64) => write::<dim!(16), dim!(64)>(options, terminal, out),
        (20, 64) => write::<dim!(20), dim!(64)>(options, terminal, out),
        (25, 64) => write::<dim!(25), dim!(64)>(options, terminal, out),
        (heads, channels) => Err(format!(
            "the program has no type for {heads} heads of {channels} channels: `run` lists those that it has"
        )
        .into()),
    }
}

fn main() -> ExitCode {
    let outcome = Options::read()
        .map_err(Into::into)
        .and_then(|options| run(&options, &mut stdin().lock(), &mut stdout().lock()));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
