//! The networks that `compare.py` compares with PyTorch and JAX: the same networks, written with `tensor-nn`, with the
//! kernels of the crate and by XLA.
//!
//! `python3 benches/training/compare.py` starts it and sends requests as lines of JSON, which it answers
//! with lines of JSON. It writes initial weights as a `.safetensors` file, and reads batches from one.

#[path = "training/autoencoder.rs"]
mod autoencoder;
#[path = "training/cnn.rs"]
mod cnn;
mod measure;
#[path = "training/mlp.rs"]
mod mlp;
#[path = "training/on_xla.rs"]
mod on_xla;
#[path = "training/run.rs"]
mod run;
#[path = "training/transformer.rs"]
mod transformer;

use std::error::Error;
use std::io::{BufRead, Write, stdin, stdout};
use std::path::Path;

use measure::clock;
use measure::roofline::Peak;
use serde_json::{Value, json};

use on_xla::OnXla;
use run::{Network, Run, Trains};

/// A network with its batches, whichever it is.
fn prepared(name: &str, folder: &Path, xla: bool) -> Result<Box<dyn Trains>, Box<dyn Error>> {
    fn run<N: Network + 'static>(
        folder: &Path,
        xla: bool,
    ) -> Result<Box<dyn Trains>, Box<dyn Error>> {
        let run = Run::<N>::prepare(folder)?;
        Ok(if xla { Box::new(OnXla::new(run)?) } else { Box::new(run) })
    }
    match name {
        "mlp" => run::<mlp::Mlp>(folder, xla),
        "cnn" => run::<cnn::Cnn>(folder, xla),
        "transformer" => run::<transformer::Transformer>(folder, xla),
        "autoencoder" => run::<autoencoder::Autoencoder>(folder, xla),
        _ => Err(format!("expected a network, found `{name}`").into()),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    // `cargo test --benches` and `cargo bench -- --test` only ask whether this starts.
    if !std::env::args().any(|argument| argument == "--bench") {
        return Ok(());
    }
    let mut networks = Vec::<(String, Box<dyn Trains>)>::new();
    let peak = Peak::measured::<f32>();
    for line in stdin().lock().lines() {
        let question: Value = serde_json::from_str(&line?)?;
        let text = |key: &str| question[key].as_str().unwrap_or_default().to_owned();
        let name = text("network");
        let answer = match question["do"].as_str() {
            Some("count all threads") => {
                clock::count_elapsed_time();
                Value::Null
            }
            Some("prepare") => {
                let xla = question["xla"] == true;
                let network = prepared(&name, Path::new(&text("folder")), xla)?;
                networks.push((name, network));
                Value::Null
            }
            Some("operation") => json!(peak.operation()),
            Some("overhead") => json!(on_xla::overhead(20_000)?.as_nanos() as u64),
            Some("overhead_of_steps") => {
                json!(on_xla::overhead_of_steps(20_000)?.as_nanos() as u64)
            }
            Some(what) => {
                let count = question["steps"].as_u64().unwrap_or_default() as usize;
                let network = networks.iter_mut().find(|(known, _)| *known == name);
                let (_, network) = network.ok_or_else(|| format!("`{name}` is not prepared"))?;
                match what {
                    "losses" => json!(network.losses(count)?),
                    "compile" => json!(network.compile_time().as_nanos() as u64),
                    "step" => json!(network.time_of_steps(count)?.as_nanos() as u64),
                    "gradients" => json!(network.time_of_gradients(count)?.as_nanos() as u64),
                    _ => return Err(format!("expected a question, found `{what}`").into()),
                }
            }
            None => return Err("expected what to do".into()),
        };
        let mut out = stdout().lock();
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}
