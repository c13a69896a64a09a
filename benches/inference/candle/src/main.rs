//! The models of `benches/inference.rs` in candle, with random weights of the same sizes.
//!
//! `compare.py` starts it and writes the name of a row on a line, which is answered with the nanoseconds of a call: those
//! on the processor with one thread, and those on the clock with more.

#[path = "../../../measure/clock.rs"]
mod clock;

use std::error::Error;
use std::hint::black_box;
use std::io::{BufRead, Write, stdin, stdout};
use std::time::Duration;

use candle_core::{DType, Device, Result, Tensor};
use candle_nn::{VarBuilder, VarMap};
use candle_transformers::models::bert::{BertModel, Config as BertConfig};
use candle_transformers::models::llama::{Cache, Config as LlamaConfig, Llama};
use candle_transformers::models::whisper::{Config as WhisperConfig, model::Whisper};

/// The tokens that are written one at a time, of which the time is the mean.
const TOKENS: u32 = 16;

/// A row: its name, and a function that gives the time of a call.
type Row = (&'static str, Box<dyn FnMut() -> Result<Duration>>);

fn row<R: 'static>(name: &'static str, mut call: impl FnMut() -> Result<R> + 'static) -> Row {
    let time = move || {
        let start = clock::now();
        black_box(call()?);
        Ok(clock::since(start))
    };
    (name, Box::new(time))
}

/// Weights that are drawn at random: memory of zeros would be one page.
fn weights() -> VarBuilder<'static> {
    VarBuilder::from_varmap(&VarMap::new(), DType::F32, &Device::Cpu)
}

fn words(rows: usize, columns: usize) -> Result<Tensor> {
    Tensor::full(1000_u32, (rows, columns), &Device::Cpu)
}

/// The mean of the states of each sentence, of length 1.
fn sentences(name: &'static str, [rows, columns]: [usize; 2]) -> Result<Row> {
    let config = BertConfig {
        hidden_size: 384,
        num_hidden_layers: 6,
        intermediate_size: 1536,
        ..BertConfig::default()
    };
    let model = BertModel::load(weights(), &config)?;
    let (words, types) =
        (words(rows, columns)?, Tensor::zeros((rows, columns), DType::U32, &Device::Cpu)?);
    let mask = Tensor::ones((rows, columns), DType::U32, &Device::Cpu)?;
    Ok(row(name, move || {
        let mean = model.forward(&words, &types, Some(&mask))?.mean(1)?;
        mean.broadcast_div(&(mean.sqr()?.sum_keepdim(1)? + 1e-12)?.sqrt()?)
    }))
}

fn whisper() -> Result<Whisper> {
    let config = WhisperConfig {
        num_mel_bins: 80,
        max_source_positions: 1500,
        d_model: 384,
        encoder_attention_heads: 6,
        encoder_layers: 4,
        vocab_size: 51_864,
        max_target_positions: 448,
        decoder_attention_heads: 6,
        decoder_layers: 4,
        suppress_tokens: Vec::new(),
    };
    Whisper::load(&weights(), config)
}

fn llama() -> Result<(Llama, Cache)> {
    let config = LlamaConfig {
        hidden_size: 768,
        intermediate_size: 2048,
        vocab_size: 16_000,
        num_hidden_layers: 12,
        num_attention_heads: 12,
        num_key_value_heads: 4,
        use_flash_attn: false,
        rms_norm_eps: 1e-6,
        rope_theta: 10_000.0,
        bos_token_id: None,
        eos_token_id: None,
        rope_scaling: None,
        max_position_embeddings: 256,
        tie_word_embeddings: false,
    };
    Ok((Llama::load(weights(), &config)?, Cache::new(true, DType::F32, &config, &Device::Cpu)?))
}

fn rows() -> Result<Vec<Row>> {
    let (mut encoder, mut decoder) = (whisper()?.encoder, whisper()?);
    let spectrogram = Tensor::ones((1, 80, 3000), DType::F32, &Device::Cpu)?;
    let sound = encoder.forward(&spectrogram, true)?;
    let tokens = move || {
        let first = words(1, 1)?;
        decoder.decoder.forward(&first, &sound, true)?;
        let start = clock::now();
        for _ in 0..TOKENS {
            let states = decoder.decoder.forward(&first, &sound, false)?;
            black_box(decoder.decoder.final_linear(&states)?);
        }
        Ok(clock::since(start) / TOKENS)
    };
    let ((prompts, prompt_cache), (llama, cache)) = (llama()?, llama()?);
    let prompt = words(1, 128)?;
    let continued = move || {
        let mut cache = cache.clone();
        llama.forward(&words(1, 128)?, 0, &mut cache)?;
        let start = clock::now();
        for token in 0..TOKENS {
            black_box(llama.forward(&words(1, 1)?, 128 + token as usize, &mut cache)?);
        }
        Ok(clock::since(start) / TOKENS)
    };
    Ok(vec![
        sentences("MiniLM, 32 × 64", [32, 64])?,
        sentences("MiniLM, 1 × 16", [1, 16])?,
        row("Whisper, encoder", move || encoder.forward(&spectrogram, true)),
        ("Whisper, token", Box::new(tokens)),
        row("Llama, prompt of 128", move || prompts.forward(&prompt, 0, &mut prompt_cache.clone())),
        ("Llama, token", Box::new(continued)),
    ])
}

fn main() -> std::result::Result<(), Box<dyn Error>> {
    if std::env::var("RAYON_NUM_THREADS").is_ok_and(|threads| threads != "1") {
        clock::count_elapsed_time();
    }
    let mut rows = rows()?;
    for line in stdin().lock().lines() {
        let line = line?;
        let mut out = stdout().lock();
        match rows.iter_mut().find(|(name, _)| *name == line) {
            Some((_, time)) => writeln!(out, "{}", time()?.as_nanos())?,
            // A row that is not for candle.
            None => writeln!(out)?,
        }
        out.flush()?;
    }
    Ok(())
}
