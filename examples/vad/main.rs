//! Silero VAD detects speech in a sound. It reads 32 ms at a time, and passes a state from one call to the next.
//!
//! ```text
//! cargo run --release -p vad                          the sound that comes with the example
//! cargo run --release -p vad -- FILE.wav              16,000 Hz, 16 bits, one channel
//! arecord -q -f S16_LE -r 16000 | cargo run --release -p vad -- -
//! cargo run --release -p vad -- --weights FOLDER/silero_vad_16k_op15.onnx FILE.wav
//! ```
//!
//! All sizes are static, so that the compiler has checked, for example, that four convolutions with these strides leave
//! one position of the four frames of a window. Source: Silero Team, "Silero VAD", 2024.

#[path = "../weights/checkpoint.rs"]
pub mod checkpoint;
pub mod model;
pub mod onnx;
#[path = "../sound/mod.rs"]
pub mod sound;
#[path = "../usage/mod.rs"]
pub mod usage;
#[path = "../weights/mod.rs"]
pub mod weights;

use std::error::Error;
use std::fmt::Display;
use std::fs;
use std::io::{Read, Write, stdout};
use std::path::Path;
use std::process::ExitCode;

use tensor_core::module::WeightMap;
use tensor_core::{Axis, Tensor, axis, shape, slice};

use model::{SileroVad, State};
use sound::RATE;
use weights::Package;

axis!(
    /// The samples that are heard at a time.
    pub Window = 512
);
/// Where the weights are, if no argument names them.
pub const PACKAGE: Package =
    Package { name: "silero-vad==6.2.3", file: "silero_vad/data/silero_vad_16k_op15.onnx" };
/// Speech starts where its probability reaches the first, and ends where it has been below the second for some windows.
const START: f32 = 0.5;
const END: f32 = 0.35;
const QUIET_WINDOWS: usize = 4;

/// From the names of the file to those of the fields.
fn names() -> WeightMap {
    WeightMap::new()
        .rename("model.stft.forward_basis_buffer", "stft.weight")
        .rename("model.encoder.{i}.reparam_conv", "encoder.{i}")
        .rename("model.decoder.rnn", "lstm")
        .rename("model.decoder.decoder.2", "score")
}

/// The state after the sound so far: its last samples, and the state of the model.
#[derive(Clone, Debug)]
pub struct Heard {
    samples: Tensor<shape![64]>,
    lstm: State,
}

impl SileroVad {
    /// Reads `silero_vad_16k_op15.onnx`.
    pub fn open(file: &Path) -> Result<Self, Box<dyn Error>> {
        let within = |error: &dyn Display| format!("{}: {error}", file.display());
        let checkpoint = onnx::checkpoint(&fs::read(file).map_err(|error| within(&error))?);
        let checkpoint = checkpoint.map_err(|error| within(&error))?;
        Ok(names().open_from(&checkpoint).map_err(|error| within(&error))?)
    }

    /// Silence.
    pub fn start(&self) -> Heard {
        Heard { samples: Tensor::zeros(), lstm: self.lstm.first_state(shape![]) }
    }

    /// The probability that somebody speaks in the next window, and what is known then.
    pub fn hear(&self, window: &Tensor<shape![Window]>, heard: &Heard) -> (f32, Heard) {
        let sound: Tensor<shape![576]> = heard.samples.concat::<0, _>(window);
        let (probability, lstm) = self.probability(&sound, &heard.lstm);
        let samples: Tensor<shape![64]> = window.slice(slice![-64..]);
        (probability.item(), Heard { samples, lstm })
    }
}

/// The windows of a sound, whose last one is filled up with silence.
pub fn windows<R: Read>(
    sound: R,
) -> Result<impl Iterator<Item = Result<Tensor<shape![Window]>, hound::Error>>, String> {
    let mut samples = sound::samples(sound)?;
    Ok(std::iter::from_fn(move || {
        let window: Result<Vec<f32>, _> = samples.by_ref().take(Window.size()).collect();
        match window {
            Ok(window) if window.is_empty() => None,
            window => {
                Some(window.map(|window| {
                    Tensor::from_fn(|[i]| window.get(i).copied().unwrap_or_default())
                }))
            }
        }
    }))
}

/// Prints when speech starts and ends, in seconds, while the sound is read.
pub fn run(
    model: &SileroVad,
    sound: impl Read,
    out: &mut impl Write,
) -> Result<(), Box<dyn Error>> {
    let seconds = |windows: usize| (windows * Window.size()) as f64 / f64::from(RATE);
    let (mut heard, mut quiet, mut count, mut is_speech) = (model.start(), 0, 0, false);
    for window in windows(sound)? {
        let probability;
        (probability, heard) = model.hear(&window?, &heard);
        quiet = if probability < END { quiet + 1 } else { 0 };
        if !is_speech && probability >= START {
            is_speech = true;
            write!(out, "{:7.2} s", seconds(count))?;
        }
        count += 1;
        if is_speech && quiet == QUIET_WINDOWS {
            is_speech = false;
            writeln!(out, " to {:7.2} s", seconds(count - quiet))?;
        }
        out.flush()?;
    }
    if is_speech {
        writeln!(out, " to {:7.2} s", seconds(count - quiet))?;
    }
    Ok(())
}

fn main() -> ExitCode {
    if let Some(usage) = usage::requested(include_str!("main.rs")) {
        print!("{usage}");
        return ExitCode::SUCCESS;
    }
    match program() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The program with its arguments.
fn program() -> Result<(), Box<dyn Error>> {
    let (weights, file) = sound::arguments()?;
    let model = SileroVad::open(&weights.map_or_else(|| PACKAGE.find(), Ok)?)?;
    sound::with_sound(&file, |sound| run(&model, sound, &mut stdout().lock()))
}
