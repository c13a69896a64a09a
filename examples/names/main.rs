//! A transformer learns names letter by letter, and writes new ones. The shapes of its attention are
//! types over batch, head, time and channel.
//!
//! ```text
//! cargo run --release -p names
//! cargo run --release -p names -- --steps 300            a part of it
//! cargo run --release -p names -- --load target/names/checkpoint.safetensors
//! cargo run --release -p names -- --engine xla           a step compiled by XLA
//! ```
//!
//! A name is read as "start, a, n, n, a", and at each position the model predicts the probability of each
//! next letter: "a, n, n, a, end". The number of names in a batch and their length are known only at run
//! time; the other axes are named and static. Exchange `h` and `c` in one of the products of `Attention`,
//! and the compiler says which axes do not fit.

#[path = "../training/mod.rs"]
pub(crate) mod training;

#[path = "../data/mod.rs"]
mod data_folder;

use std::collections::HashSet;
use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use tensor_core::autograd::try_value_and_grad;
use tensor_core::random::Generator;
use tensor_core::trace::scan;
use tensor_core::{Axis, IndexError, Tensor, axis, einsum, select, shape};
use tensor_nn::Module;
use tensor_nn::data::Loader;
use tensor_nn::layers::{Causal, Dropout, Embedding, LayerNorm, Linear, Mask, Pass};
use tensor_nn::losses::CrossEntropy;
use tensor_nn::optim::{AdamW, Cosine, Group, Optimizer, Schedule, WarmUp, clip_norm};
use tensor_xla::{jit, try_jit_step};

use training::{Loss, Options, Watch, engine};

use data_folder::repository;

axis!(
    /// The names that are looked at together.
    pub Batch
);
axis!(
    /// The positions of a name: the first is the start.
    pub Time
);
axis!(
    /// The maximum number of positions of the model.
    pub Place = 14
);
axis!(
    /// The end, which is the start of the next name, too, and 26 letters.
    pub Letter = 27
);
axis!(
    /// The features of each position of a name.
    pub Width = 64
);
axis!(
    /// Attention looks for several things at once.
    pub Head = 4
);
axis!(
    /// The channels of one head.
    pub Channel = 16
);
axis!(
    /// Between the two linear layers of a block.
    pub Inner = 256
);

/// For each position of each name a letter: 0 for the end, 1 for `a`.
pub type Letters = Tensor<shape![Batch, Time], i64>;
/// The batch of a step, and its learning rate.
pub type Examples = (Letters, Letters, Tensor<shape![], f64>);
/// For each position of each name its features.
type States = Tensor<shape![Batch, Time, Width]>;
/// For each position of each name the logits of the next letter.
type Scores = Tensor<shape![Batch, Time, Letter]>;

/// One in `HELD_OUT` names is held out.
const HELD_OUT: usize = 10;
/// How many batches the training takes.
pub const STEPS: usize = 2000;
const BATCH: usize = 64;
const SEED: u64 = 42;
pub(crate) const RATE: WarmUp<Cosine> =
    WarmUp { steps: 50, then: Cosine { rate: 3e-3, end: 1e-5, steps: STEPS - 50 } };
/// An ignored target: a position after the end of a name.
const NOTHING: i64 = -1;

/// Each position attends to itself and to earlier positions.
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
        // The scores of each query and key: the first `Time` is the queries, the second the keys.
        let wanted: Tensor<shape![Batch, Head, Time, Time]> = queries.matmul(&keys.transpose());
        let scaled = wanted / (Channel.size() as f32).sqrt();
        let weights = Causal.masked(scaled).softmax::<-1>();
        let found: Tensor<shape![Batch, Head, Time, Channel]> =
            weights.matmul(&in_heads(&self.values));
        einsum!(b h t c, h c w -> b t w; found, self.mix)
    }
}

/// Attention, then two linear layers at each position, each with a residual connection.
#[derive(Clone, Debug, Module)]
struct Block {
    before_attention: LayerNorm<Width>,
    attention: Attention,
    before_layers: LayerNorm<Width>,
    first: Linear<Width, Inner>,
    second: Linear<Inner, Width>,
    dropout: Dropout,
}

impl Block {
    fn new(rng: &mut Generator) -> Self {
        Self {
            before_attention: LayerNorm::new(),
            attention: Attention::new(rng),
            before_layers: LayerNorm::new(),
            first: Linear::new(rng),
            second: Linear::new(rng),
            dropout: Dropout::new(0.2),
        }
    }

    fn forward(&self, x: States, pass: &mut Pass) -> States {
        let found = self.attention.forward(&self.before_attention.forward(&x));
        let x = x + self.dropout.forward(&found, pass);
        let inner = self.first.forward(&self.before_layers.forward(&x)).gelu_tanh();
        let thought = self.second.forward(&inner);
        x + self.dropout.forward(&thought, pass)
    }
}

/// The whole transformer.
#[derive(Clone, Debug, Module)]
pub(crate) struct Writer {
    letters: Embedding<Letter, Width>,
    places: Tensor<shape![Place, Width]>,
    blocks: [Block; 3],
    norm: LayerNorm<Width>,
    scores: Linear<Width, Letter>,
}

impl Writer {
    pub(crate) fn new(rng: &mut Generator) -> Self {
        Self {
            letters: Embedding { weight: rng.normal(0.0, 0.1) },
            places: rng.normal(0.0, 0.1),
            blocks: [(); 3].map(|()| Block::new(rng)),
            norm: LayerNorm::new(),
            scores: Linear::new(rng),
        }
    }

    pub(crate) fn scores(&self, letters: &Letters, pass: &mut Pass) -> Result<Scores, IndexError> {
        let ((_, _), time) = letters.shape();
        let places: Tensor<shape![Time, Width]> = self.places.slice_axis::<0, Time>(..time.size());
        let mut states = self.letters.forward(letters)? + places;
        for block in &self.blocks {
            states = block.forward(states, pass);
        }
        Ok(self.scores.forward(&self.norm.forward(&states)))
    }

    /// New names in place of letters that are all 0, letter by letter: each is drawn from the model's distribution, given all
    /// letters before it. One step of a program, however long the names are.
    pub(crate) fn write(&self, letters: &Letters) -> Letters {
        let (_, time) = letters.shape();
        let places: Tensor<shape![Time], i64> = Tensor::arange_shaped(shape![Time(time.size())]);
        let last = time.size() - 1;
        let (letters, ()) =
            scan(letters, &places.slice_axis::<0, Time>(..last), |letters, place| {
                // Attention is causal: the letters at later places do not count.
                let scores = self.scores(letters, &mut Pass::eval()).expect("letters");
                let scores: Tensor<shape![Batch, Letter]> =
                    scores.take::<1, _>(place).expect("a place");
                let next = Generator::at(SEED, place).categorical(&scores.softmax::<-1>());
                let next: Tensor<shape![Batch], i64> = next.expect("probabilities");
                (select(&places.equal(place + 1), &next.unsqueeze::<1>(), letters), ())
            });
        letters
    }
}

/// The names in rows of letters.
pub(crate) fn names_of(letters: &Letters) -> Vec<String> {
    let name =
        |row: &[i64]| row[1..].iter().take_while(|&&letter| letter != 0).map(character).collect();
    letters.to_vec().chunks(Place.size()).map(name).collect()
}

/// `a` for 1.
fn character(letter: &i64) -> char {
    char::from(b'a' - 1 + *letter as u8)
}

/// The name in each row, from the start; what comes next; and the names.
pub struct Names {
    pub(crate) inputs: Letters,
    pub(crate) targets: Letters,
}

impl Names {
    pub(crate) fn of<'a>(
        names: impl IntoIterator<Item = &'a String>,
    ) -> Result<Self, Box<dyn Error>> {
        let time = Place.size();
        let (mut inputs, mut targets) = (Vec::new(), Vec::new());
        for name in names {
            let row = inputs.len();
            inputs.push(0);
            for byte in name.bytes() {
                let letter = i64::from(byte - b'a' + 1);
                inputs.push(letter);
                targets.push(letter);
            }
            targets.push(0);
            inputs.resize(row + time, 0);
            targets.resize(row + time, NOTHING);
        }
        let shape = shape![Batch(inputs.len() / time), Time(time)];
        Ok(Self {
            inputs: Tensor::from_vec_shaped(shape, inputs)?,
            targets: Tensor::from_vec_shaped(shape, targets)?,
        })
    }
}

/// The file that comes with the example.
pub fn bundled_file() -> PathBuf {
    repository().join("examples/data/names.txt")
}

/// The names of a file, one a line.
pub fn read(file: &Path) -> Result<Vec<String>, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("cannot read it: {error}"))?;
    let longest = Place.size() - 1;
    for (index, name) in text.lines().enumerate() {
        let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase());
        if !is_name || name.len() > longest {
            let line = index + 1;
            return Err(format!(
                "line {line}: expected a name of 1 to {longest} letters from a to z, found `{name}`"
            ));
        }
    }
    let names: Vec<String> = text.lines().map(str::to_owned).collect();
    match names.len() {
        0..HELD_OUT => Err(format!("expected at least {HELD_OUT} names, found {}", names.len())),
        _ => Ok(names),
    }
}

/// A bigram model: for each letter, the log-probability of each next letter, from counts. One is added to
/// each count, so that no pair is impossible.
fn bigrams(names: &Names) -> Embedding<Letter, Letter> {
    let mut counts: Tensor<shape![Letter, Letter]> = Tensor::ones();
    for (&before, &letter) in names.inputs.iter().zip(names.targets.iter()) {
        if letter != NOTHING {
            counts[[before as usize, letter as usize]] += 1.0;
        }
    }
    let probability = &counts / counts.sum_axis_keepdims::<-1>();
    Embedding { weight: probability.ln() }
}

/// The mean cross-entropy for each letter, ends of names included.
fn loss(scores: &Scores, targets: &Letters) -> Result<Tensor<shape![]>, IndexError> {
    CrossEntropy::new().ignore(NOTHING).mean(scores, targets)
}

/// All that a checkpoint holds: a program that loads it goes on as if it had never stopped.
#[derive(Clone, Module)]
pub struct Training {
    model: Writer,
    optimizer: Optimizer,
    /// How many steps are done.
    step: Tensor<shape![], i64>,
}

impl Training {
    pub(crate) fn new() -> Self {
        let model = Writer::new(&mut Generator::seed(SEED));
        let rule = AdamW { betas: (0.9, 0.99), decay: 0.1, ..AdamW::default() };
        let is_vector = |name: &str| name.contains("before") || name.ends_with("bias");
        let optimizer = Optimizer::new(rule, 0.0)
            .with_group(is_vector, Group { decay: Some(0.0), ..Group::default() })
            .with_state_of(&model);
        Self { model, optimizer, step: Tensor::scalar(0) }
    }

    fn steps_done(&self) -> usize {
        self.step.item() as usize
    }

    /// One step against the gradient of the loss, which has the type of the model.
    pub fn step(&mut self, (inputs, targets, rate): &Examples) -> Result<Loss, Box<dyn Error>> {
        // Random numbers follow from the step, so that they are the same where a program goes on.
        let mut pass = Pass::training_at(SEED, &self.step);
        let (value, mut gradient) = try_value_and_grad(&self.model, |model| {
            loss(&model.scores(inputs, &mut pass)?, targets)
        })?;
        clip_norm(&mut gradient, 1.0);
        self.optimizer.set_rate_tensor(rate);
        self.optimizer.step(&mut self.model, &gradient)?;
        self.step += 1;
        Ok(value)
    }
}

/// The results of a training.
pub struct Outcome {
    /// The loss of each step of this run.
    pub losses: Vec<f32>,
    /// The loss of the transformer on names that were held out.
    pub held_out: f32,
    /// The loss of counted pairs of letters on the same names.
    pub bigrams: f32,
    /// The names that the transformer wrote.
    pub written: Vec<String>,
}

/// Trains, saves, compares with a simpler model, and writes names.
pub fn run(options: &Options, out: &mut impl Write) -> Result<Outcome, Box<dyn Error>> {
    let file = options.data.clone().unwrap_or_else(bundled_file);
    let names = read(&file).map_err(|problem| format!("{}: {problem}", file.display()))?;
    // The file is sorted: a part at its end would be names with the same first letter.
    let order = Generator::seed(SEED).permutation(names.len());
    let (held_out, others) = order.split_at(names.len() / HELD_OUT);
    let train = Names::of(others.iter().map(|&index| &names[index]))?;
    let test = Names::of(held_out.iter().map(|&index| &names[index]))?;

    let mut training = Training::new();
    options.load(&mut training)?;
    writeln!(out, "{}\n", training.model.summary())?;
    writeln!(out, "{} names to train, {} held out", others.len(), held_out.len())?;

    let first = training.steps_done();
    let data = (train.inputs.clone(), train.targets.clone());
    let batch = BATCH.min(others.len());
    let loader = Loader::new(data, batch).drop_last().shuffled(SEED).prefetched(2);
    let an_epoch = loader.num_batches();
    let epochs = (first / an_epoch..).flat_map(|epoch| loader.epoch::<Batch>(epoch));
    let mut watch = Watch::new(options, first);
    let engine = engine(options)?;
    let mut training = try_jit_step(engine.as_ref(), training, Training::step);
    for (step, (inputs, targets)) in (first..options.steps).zip(epochs.skip(first % an_epoch)) {
        let loss = training.call(&(inputs, targets, Tensor::scalar(RATE.rate(step))))?;
        if !watch.goes_on(loss.item()) {
            break;
        }
    }
    let training = training.state()?;
    options.save(&training)?;
    let losses = watch.finish(out)?;
    writeln!(out, "checkpoint: {}\n", options.save.display())?;

    let model = &training.model;
    let counted = loss(&bigrams(&train).forward(&test.inputs)?, &test.targets)?.item();
    let held_out = loss(&model.scores(&test.inputs, &mut Pass::eval())?, &test.targets)?.item();
    writeln!(out, "loss for each letter of held-out names: {held_out:.4}")?;
    writeln!(out, "a bigram model, which sees one letter:  {counted:.4}\n")?;

    let known: HashSet<&str> = names.iter().map(String::as_str).collect();
    let write = jit(engine.as_ref(), |(model, letters): &(Writer, Letters)| model.write(letters));
    let start = Tensor::zeros_shaped(shape![Batch(24), Time(Place.size())]);
    let written = names_of(&write.call(&(model.clone(), start))?);
    let (old, new): (Vec<&str>, Vec<&str>) =
        written.iter().map(String::as_str).partition(|&name| known.contains(name));
    writeln!(out, "new names: {}", new.join(" "))?;
    writeln!(out, "names of the file, written again: {}", old.join(" "))?;
    out.flush()?;
    Ok(Outcome { losses, held_out, bigrams: counted, written })
}

fn main() -> ExitCode {
    training::main("names", STEPS, run)
}
