//! The models that `inference/compare.py` compares with PyTorch, onnxruntime, CTranslate2 and candle: those of two
//! examples, and a Llama.
//!
//! `python3 benches/inference/compare.py` starts it and writes the name of a row on a line, which is answered with the
//! nanoseconds of a call. The arguments are the files of the weights of the two examples.

#![expect(clippy::duplicate_mod, reason = "both examples have the module `weights`")]

#[path = "inference/llama.rs"]
mod llama;
mod measure;
#[path = "../examples/sentence/main.rs"]
#[expect(dead_code, reason = "the program")]
mod sentence;
#[path = "../examples/whisper/main.rs"]
#[expect(dead_code, reason = "the program")]
mod whisper;

use std::error::Error;
use std::hint::black_box;
use std::io::{BufRead, Write, stdin, stdout};
use std::path::Path;
use std::time::Duration;

use measure::clock;
use tensor_core::random::Generator;
use tensor_core::{Axis, DynTensor, Tensor, shape};
use tensor_nn::Module;
use tensor_nn::layers::Pass;

use llama::Llama;
use sentence::{MiniLm, Sentence, Word};
use whisper::Whisper;

/// A row: its name, and a function that gives the time of a call.
type Row = (&'static str, Box<dyn FnMut() -> Duration>);

/// The tokens that are written one at a time, of which the time is the mean.
const TOKENS: u32 = 16;

/// A row whose call is timed as a whole.
fn row<R>(name: &'static str, mut call: impl FnMut() -> R + 'static) -> Row {
    let time = move || {
        let start = clock::now();
        black_box(call());
        clock::since(start)
    };
    (name, Box::new(time))
}

/// A row of which each call begins a text, and is timed for the tokens that follow.
fn row_of_tokens<S>(
    name: &'static str,
    mut begin: impl FnMut() -> S + 'static,
    mut next: impl FnMut(&mut S, i64) + 'static,
) -> Row {
    let time = move || {
        let mut text = begin();
        let start = clock::now();
        (0..TOKENS).for_each(|token| next(&mut text, i64::from(token)));
        clock::since(start) / TOKENS
    };
    (name, Box::new(time))
}

/// A text of one token.
fn one<New: Axis>(token: i64) -> Tensor<shape![New], i64> {
    [token].into_iter().collect()
}

/// The time of reading the weights of a model, without its embedding `tables`.
fn reading(name: &'static str, model: &impl Module, tables: &[&str]) -> Row {
    let is_read = |name: &str| !tables.iter().any(|table| name.starts_with(table));
    let tensors = model.tensors().into_iter().filter(|(name, ..)| is_read(name));
    let weights: Vec<DynTensor<f32>> =
        tensors.filter_map(|(_, _, tensor)| tensor.get().map(|tensor| tensor.detach())).collect();
    row(name, move || weights.iter().map(DynTensor::sum).collect::<Vec<_>>())
}

fn sentences(name: &'static str, model: &MiniLm, sizes: [usize; 2]) -> Row {
    let shape = shape![Sentence(sizes[0]), Word(sizes[1])];
    let words = Generator::seed(1).integers_shaped(shape, 1000..30_000);
    let (model, is_word) = (model.clone(), Tensor::full_shaped(shape, true));
    row(name, move || model.forward(&words, &is_word, &mut Pass::eval()).expect("known words"))
}

fn rows(weights: [&Path; 2]) -> Result<Vec<Row>, Box<dyn Error>> {
    let mini_lm = MiniLm::open(weights[0])?;
    let Whisper { encoder, decoder } = Whisper::open(weights[1])?;
    let read = [
        reading("MiniLM, weights read", &mini_lm, &["words", "positions", "segments"]),
        reading("Whisper, decoder's weights read", &decoder, &["positions"]),
    ];
    let spectrogram = Generator::seed(1).uniform(-0.5, 1.0);
    let sound = encoder.forward(&spectrogram);
    let (llama, prompt) = (Llama::new(&mut Generator::seed(1)), Generator::seed(1));
    let read_llama = reading("Llama, weights read", &llama, &["embed_tokens", "positions"]);
    let (again, begins) = (llama.clone(), decoder.clone());
    let prompt: Tensor<shape![llama::New], i64> =
        { prompt }.integers_shaped(shape![llama::New(128)], 0..1000);
    let first = prompt.clone();
    let begin = move || {
        let mut caches = llama.caches();
        llama.read(&prompt, &mut caches);
        (llama.clone(), caches)
    };
    let rows = [
        sentences("MiniLM, 32 × 64", &mini_lm, [32, 64]),
        sentences("MiniLM, 1 × 16", &mini_lm, [1, 16]),
        row("Whisper, encoder", move || encoder.forward(&spectrogram)),
        row_of_tokens(
            "Whisper, token",
            move || begins.start(&sound),
            move |memories, token| {
                black_box(decoder.read(&one(token), memories).expect("a known token"));
            },
        ),
        row("Llama, prompt of 128", move || again.read(&first, &mut again.caches())),
        row_of_tokens("Llama, token", begin, move |(llama, caches), token| {
            black_box(llama.read(&one(token), caches));
        }),
        read_llama,
    ];
    Ok(read.into_iter().chain(rows).collect())
}

fn main() -> Result<(), Box<dyn Error>> {
    // `cargo test --benches` and `cargo bench -- --test` only ask whether this starts.
    if !std::env::args().any(|argument| argument == "--bench") {
        return Ok(());
    }
    if std::env::var("RAYON_NUM_THREADS").is_ok_and(|threads| threads != "1") {
        clock::count_elapsed_time();
    }
    let files: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let [mini_lm, whisper] = &files[..] else {
        return Err(format!("expected two files of weights, found {files:?}").into());
    };
    let mut rows = rows([Path::new(mini_lm), Path::new(whisper)])?;
    for line in stdin().lock().lines() {
        let line = line?;
        let row = rows.iter_mut().find(|(name, _)| *name == line);
        let (_, time) = row.ok_or_else(|| format!("there is no row `{line}`"))?;
        let mut out = stdout().lock();
        writeln!(out, "{}", time().as_nanos())?;
        out.flush()?;
    }
    Ok(())
}
