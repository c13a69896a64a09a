//! The parts that the programs with a language model share: their arguments, the text that grows, training, and the
//! terminal.

pub mod chat;
#[path = "../data/mod.rs"]
mod data_folder;
#[path = "../usage/mod.rs"]
mod usage;

use std::error::Error;
use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, Write, stdin, stdout};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use chat::{Message, Template};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tensor_core::autograd::try_value_and_grad;
use tensor_core::module::WeightMap;
use tensor_core::random::Generator;
use tensor_core::{IndexError, StaticAxis, Tensor, axis, shape};
use tensor_nn::Module;
use tensor_nn::layers::KvCache;
use tensor_nn::losses::cross_entropy;
use tensor_nn::optim::{AdamW, Optimizer, clip_norm};
use tensor_nn::sampling::Sampler;
use tokenizers::Tokenizer;

use data_folder::repository;

axis!(
    /// The tokens of the vocabulary.
    pub Vocab
);
axis!(
    /// The width of the model.
    pub Hidden
);
axis!(
    /// The tokens so far.
    pub Time
);
axis!(
    /// The tokens that are read together: a prompt, or one.
    pub New
);

/// The tokens of a step of training.
const PART: usize = 128;

/// The indices of some tokens.
pub type Tokens = Tensor<shape![New], i64>;
/// A vector for each token.
pub type States = Tensor<shape![New, Hidden]>;
/// The scores of the tokens that may follow each token.
pub type Scores = Tensor<shape![New, Vocab]>;
/// The keys and values of one block.
pub type Cache<M> =
    KvCache<shape![], <M as LanguageModel>::Heads, Time, <M as LanguageModel>::Channels>;

/// A model that gives scores to the tokens that may follow a text.
pub trait LanguageModel: Module + Clone {
    /// The heads of keys and values.
    type Heads: StaticAxis;
    /// The channels of a head.
    type Channels: StaticAxis;

    /// Reads `config.json` and the weights of a folder: `model.safetensors`, or its shards and their index.
    ///
    /// # Errors
    ///
    /// If they cannot be read, or are those of another model.
    fn from_folder(folder: &Path) -> Result<Self, Box<dyn Error>>;

    /// From the names and layouts of Hugging Face to those of the model.
    fn weights(&self) -> WeightMap;

    /// The number of blocks.
    fn layers(&self) -> usize;

    /// The tokens that a text may have.
    fn positions(&self) -> usize;

    /// The states after the last block: `[new] → [new, hidden]`. The tokens are a whole text, whose states have
    /// gradients, or follow those in the caches, to which they are appended.
    ///
    /// # Errors
    ///
    /// If a token is not in the vocabulary.
    fn states(
        &self,
        tokens: &Tokens,
        caches: Option<&mut [Cache<Self>]>,
    ) -> Result<States, IndexError>;

    /// The scores for states: `[new, hidden] → [new, vocab]`.
    fn head(&self, states: &States) -> Scores;

    /// An empty cache for each block.
    fn caches(&self) -> Vec<Cache<Self>> {
        (0..self.layers()).map(|_| Cache::<Self>::new(shape![])).collect()
    }

    /// The scores for a whole text, which have gradients: `[new] → [new, vocab]`.
    fn scores(&self, tokens: &Tokens) -> Result<Scores, IndexError> {
        Ok(self.head(&self.states(tokens, None)?))
    }

    /// The scores for the last of one or more tokens that follow those in the caches: `[new] → [vocab]`.
    fn read(
        &self,
        tokens: &Tokens,
        caches: &mut [Cache<Self>],
    ) -> Result<Tensor<shape![Vocab]>, IndexError> {
        let (states, len) = (self.states(tokens, Some(caches))?, tokens.len());
        Ok(self.head(&states.slice_axis::<0, New>(len - 1..len)).index::<0>(0))
    }

    /// The mean cross-entropy of each token of a text, given those before it. The text has two tokens or more.
    fn loss(&self, text: &[i64]) -> Result<Tensor<shape![]>, IndexError> {
        let (inputs, targets) = (&text[..text.len() - 1], &text[1..]);
        cross_entropy(&self.scores(&tokens(inputs))?, &tokens(targets))
    }
}

/// Tokens as a tensor: `[new]`.
pub fn tokens(tokens: &[i64]) -> Tokens {
    tokens.iter().copied().collect()
}

/// Reads what a program needs of the `config.json` of a folder.
///
/// # Errors
///
/// If the file cannot be read, or lacks it.
pub fn config<C: DeserializeOwned>(folder: &Path) -> Result<C, String> {
    json(&folder.join("config.json"))
}

/// Reads a file of JSON.
fn json<C: DeserializeOwned>(file: &Path) -> Result<C, String> {
    serde_json::from_str(&read(file)?).map_err(|error| format!("{}: {error}", file.display()))
}

/// Reads a file of text.
fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}

/// Compares the sizes of the named axes of all weights with those in `config.json`: the name of an axis, that of a
/// number, and the number.
///
/// # Errors
///
/// If a weight has another size.
pub fn check_sizes(model: &impl Module, sizes: &[(&str, &str, usize)]) -> Result<(), String> {
    for (name, _, weight) in model.tensors() {
        for axis in weight.axis_names() {
            let Some((axis, size)) = axis.split_once('=') else { continue };
            let expected = sizes.iter().find(|(name, _, _)| *name == axis);
            if let Some((_, key, expected)) = expected.filter(|of| of.2.to_string() != size) {
                return Err(format!(
                    "`{name}` has the axis {axis} of size {size}, and `config.json` the `{key}` {expected}"
                ));
            }
        }
    }
    Ok(())
}

/// Checks the numbers of a `config.json` that must be finite and larger than 0.
///
/// # Errors
///
/// If one is not: its name, and the number.
pub fn positive(folder: &Path, numbers: &[(&str, f64)]) -> Result<(), String> {
    match numbers.iter().find(|(_, number)| !(number.is_finite() && *number > 0.0)) {
        None => Ok(()),
        Some((name, number)) => {
            let file = folder.join("config.json");
            Err(format!(
                "{}: `{name}` is {number}, expected a number larger than 0",
                file.display()
            ))
        }
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

impl Options {
    /// The tiny model of an example, whose text is the most likely one.
    pub fn of(example: &str) -> Self {
        Self {
            folder: repository().join("examples/data").join(example),
            prompt: None,
            sampler: Sampler::greedy(),
            tokens: 50,
            seed: 0,
            train: None,
            steps: 100,
            save: None,
        }
    }

    fn read(example: &str) -> Result<Self, lexopt::Error> {
        use lexopt::ValueExt;
        use lexopt::prelude::{Long, Value};

        let (mut options, mut has_folder) = (Self::of(example), false);
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

/// Runs an example with the arguments of the command line. Its source has the usage.
pub fn main(
    example: &str,
    source: &str,
    run: fn(&Options, &mut dyn BufRead, &mut dyn Write) -> Result<(), Box<dyn Error>>,
) -> ExitCode {
    if let Some(usage) = usage::requested(source) {
        print!("{usage}");
        return ExitCode::SUCCESS;
    }
    let outcome = Options::read(example)
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

/// The program for a model: trains and saves it, if the arguments say so, and goes on with the prompt, or with the
/// lines of the terminal in turn.
///
/// # Errors
///
/// If a file cannot be read or written, or if a text does not fit the model.
pub fn write<M: LanguageModel>(
    options: &Options,
    terminal: &mut dyn BufRead,
    out: &mut dyn Write,
) -> Result<(), Box<dyn Error>> {
    let mut model = M::from_folder(&options.folder)?;
    let vocabulary = Vocabulary::open(&options.folder)?;
    let mut rng = Generator::seed(options.seed);
    if let Some(file) = &options.train {
        let text = vocabulary.encode(&read(file)?, true)?;
        train(&mut model, &text, options.steps, &mut rng, out)?;
    }
    if let Some(folder) = &options.save {
        save(&model, &options.folder, folder)?;
    }
    let (caches, tokens) = (model.caches(), Vec::new());
    let mut text = Text { model: &model, vocabulary: &vocabulary, tokens, caches };
    match (&options.prompt, &vocabulary.template) {
        (Some(prompt), _) => text.go_on(prompt, options, &mut rng, out),
        (None, Some(template)) => text.chat(template, terminal, options, &mut rng, out),
        (None, None) => {
            terminal.lines().try_for_each(|line| text.go_on(&line?, options, &mut rng, out))
        }
    }
}

/// Writes a model, and the files of its folder that stay as they are.
fn save<M: LanguageModel>(model: &M, from: &Path, to: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(to).map_err(|error| format!("{}: {error}", to.display()))?;
    let may_have = ["generation_config.json", "tokenizer_config.json", "chat_template.jinja"];
    let may_have = may_have.into_iter().filter(|file| from.join(file).exists());
    for file in ["config.json", "tokenizer.json"].into_iter().chain(may_have) {
        // Both folders may be one, whose file `fs::copy` would empty.
        let text = read(&from.join(file))?;
        let text = if file == "config.json" { of_f32(text)? } else { text };
        let to = to.join(file);
        fs::write(&to, text).map_err(|error| format!("{}: {error}", to.display()))?;
    }
    Ok(model.weights().save(model, to.join("model.safetensors"))?)
}

/// A `config.json` for weights in `f32`: other programs read them in the type that it names.
fn of_f32(text: String) -> Result<String, serde_json::Error> {
    let mut config: Value = serde_json::from_str(&text)?;
    let types = ["dtype", "torch_dtype"].map(|key| config[key].is_string().then_some(key));
    for key in types.into_iter().flatten() {
        config[key] = "float32".into();
    }
    if types == [None; 2] { Ok(text) } else { serde_json::to_string_pretty(&config) }
}

/// Trains with parts of a text, drawn at random.
fn train<M: LanguageModel>(
    model: &mut M,
    text: &[i64],
    steps: usize,
    rng: &mut Generator,
    out: &mut dyn Write,
) -> Result<(), Box<dyn Error>> {
    let len = PART.min(model.positions());
    if text.len() <= len {
        let found = text.len();
        let message = format!("the text has {found} tokens, and training needs more than {len}");
        return Err(message.into());
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

/// The tokens of a model, those at which a text begins and ends, and the format of a chat.
struct Vocabulary {
    tokenizer: Tokenizer,
    begin: Option<i64>,
    ends: Vec<i64>,
    template: Option<Template>,
}

/// The fields that are read from `config.json`, and from `generation_config.json`, which has the
/// end of a turn as well.
#[derive(Deserialize)]
struct Ends {
    bos_token_id: Option<OneOrMore>,
    eos_token_id: Option<OneOrMore>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(i64),
    More(Vec<i64>),
}

impl OneOrMore {
    fn all(self) -> Vec<i64> {
        match self {
            Self::One(end) => vec![end],
            Self::More(ends) => ends,
        }
    }
}

impl Vocabulary {
    fn open(folder: &Path) -> Result<Self, String> {
        let file = folder.join("tokenizer.json");
        let tokenizer = Tokenizer::from_file(&file);
        let tokenizer = tokenizer.map_err(|error| format!("{}: {error}", file.display()))?;
        let Ends { bos_token_id, eos_token_id } = config(folder)?;
        let begin = bos_token_id.and_then(|begin| begin.all().first().copied());
        let mut ends = eos_token_id.map_or_else(Vec::new, OneOrMore::all);
        let generation = folder.join("generation_config.json");
        if generation.exists() {
            ends.extend(
                json::<Ends>(&generation)?.eos_token_id.into_iter().flat_map(OneOrMore::all),
            );
        }
        let template = Template::open(folder)?;
        let end = template.as_ref().and_then(|template| template.tokens.get("eos_token"));
        ends.extend(end.and_then(|end| tokenizer.token_to_id(end)).map(i64::from));
        Ok(Self { tokenizer, begin, ends, template })
    }

    /// The tokens of a text. Where one begins, many tokenizers add a token that says so.
    fn encode(&self, text: &str, begins: bool) -> Result<Vec<i64>, String> {
        let tokens = self.tokenizer.encode(text, begins).map_err(|error| error.to_string())?;
        let mut tokens: Vec<i64> = tokens.get_ids().iter().copied().map(i64::from).collect();
        if tokens.is_empty() {
            tokens.extend(self.begin);
        }
        Ok(tokens)
    }
}

/// A text that grows: its tokens, and the caches of those that were read.
struct Text<'a, M: LanguageModel> {
    model: &'a M,
    vocabulary: &'a Vocabulary,
    tokens: Vec<i64>,
    caches: Vec<Cache<M>>,
}

impl<M: LanguageModel> Text<'_, M> {
    /// Appends a part, and writes what follows it.
    fn go_on(
        &mut self,
        part: &str,
        options: &Options,
        rng: &mut Generator,
        out: &mut dyn Write,
    ) -> Result<(), Box<dyn Error>> {
        let begins = self.tokens.is_empty();
        let start = if begins { "" } else { "\n" };
        let part = self.vocabulary.encode(&format!("{start}{part}"), begins)?;
        self.tokens.extend(&part);
        self.write(&part, options, rng, out)?;
        Ok(())
    }

    /// Answers the lines of the terminal in turn.
    fn chat(
        &mut self,
        template: &Template,
        terminal: &mut dyn BufRead,
        options: &Options,
        rng: &mut Generator,
        out: &mut dyn Write,
    ) -> Result<(), Box<dyn Error>> {
        let mut messages = Vec::new();
        for line in terminal.lines() {
            messages.push(Message { role: "user".into(), content: line? });
            // With the tokens that begin a text, if any.
            let chat = self.vocabulary.encode(&template.render(&messages)?, false)?;
            // What was read before is read again from the first token on that differs: a template may write past
            // messages in another way.
            let same = self.tokens.iter().zip(&chat).take_while(|(old, new)| old == new).count();
            let read = same.min(chat.len().saturating_sub(1));
            self.caches.iter_mut().for_each(|cache| cache.truncate(read));
            self.tokens.clone_from(&chat);
            let content = self.write(&chat, options, rng, out)?;
            messages.push(Message { role: "assistant".into(), content });
        }
        Ok(())
    }

    /// Writes what follows the text, whose last tokens are `part`.
    fn write(
        &mut self,
        part: &[i64],
        options: &Options,
        rng: &mut Generator,
        out: &mut dyn Write,
    ) -> Result<String, Box<dyn Error>> {
        self.reserve(options.tokens)?;
        // A token is written as it is after those before it: some tokenizers leave out the first space of a text.
        let mut decoder = self.vocabulary.tokenizer.decode_stream(true);
        let mut decode = |token| decoder.step(token as u32).map_err(|error| error.to_string());
        for &token in part {
            decode(token)?;
        }
        let mut written = String::new();
        for _ in 0..options.tokens {
            match self.next(options.sampler, rng)? {
                Some(token) if !self.vocabulary.ends.contains(&token) => {
                    let text = decode(token)?.unwrap_or_default();
                    write!(out, "{text}")?;
                    out.flush()?;
                    written += &text;
                }
                _ => break,
            }
        }
        writeln!(out)?;
        Ok(written)
    }

    /// Makes room in the caches for the text and this many tokens, as far as the model knows their positions.
    fn reserve(&mut self, tokens: usize) -> Result<(), String> {
        let (len, positions) = (self.tokens.len(), self.model.positions());
        if !(1..=positions).contains(&len) {
            return Err(format!("the text has {len} tokens, expected 1 to {positions}"));
        }
        let capacity = len.saturating_add(tokens).min(positions);
        self.caches.iter_mut().for_each(|cache| cache.reserve(capacity - cache.len()));
        Ok(())
    }

    /// The next token. `None` if the model knows no further position.
    fn next(
        &mut self,
        sampler: Sampler,
        rng: &mut Generator,
    ) -> Result<Option<i64>, Box<dyn Error>> {
        if self.tokens.len() > self.model.positions() {
            return Ok(None);
        }
        let read = self.caches.first().map_or(0, Cache::<M>::len);
        let scores = self.model.read(&tokens(&self.tokens[read..]), &mut self.caches)?;
        let token = sampler.sample(&scores, rng)?.item();
        self.tokens.push(token);
        Ok(Some(token))
    }
}
