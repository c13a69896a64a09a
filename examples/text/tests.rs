//! Shared by the tests of the examples `gpt2` and `llama`: the results of `transformers`, which
//! `examples/text/reference.py` writes, and what each model is checked for.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use half::bf16;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tensor_core::DynTensor;
use tensor_core::autograd::value_and_grad;
use tensor_core::io::Checkpoint;
use tensor_core::module::AnyTensor;
use tensor_nn::sampling::Sampler;

use crate::example::run;
use crate::example::text::{LanguageModel, Options, Scores, tokens};

/// The results of `transformers`.
#[derive(Deserialize)]
pub struct Reference {
    pub prompt: String,
    pub text: String,
    pub tiny: Computed,
    /// A model with the heads and the width of a real one.
    pub real: Real,
}

#[derive(Deserialize)]
pub struct Computed {
    tokens: Vec<i64>,
    logits: Vec<Vec<f32>>,
    sum: f32,
    loss: f32,
    gradients: BTreeMap<String, Vec<f32>>,
}

#[derive(Deserialize)]
pub struct Real {
    config: Value,
    shapes: BTreeMap<String, Vec<usize>>,
    #[serde(flatten)]
    pub computed: Computed,
}

/// What the file of an example has: a [`Reference`], and more.
pub fn reference<R: DeserializeOwned>(example: &str) -> R {
    let file = Options::of(example).folder.join("reference.json");
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

/// An empty folder of a test.
pub fn folder(example: &str, name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(example).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// A folder with the files of a tiny model, and another configuration.
pub fn copy(example: &str, name: &str, change: impl FnOnce(&mut Value)) -> PathBuf {
    let (source, folder) = (Options::of(example).folder, folder(example, name));
    for file in ["model.safetensors", "tokenizer.json"] {
        fs::copy(source.join(file), folder.join(file)).unwrap();
    }
    let config = fs::read_to_string(source.join("config.json")).unwrap();
    let mut config = serde_json::from_str(&config).unwrap();
    change(&mut config);
    fs::write(folder.join("config.json"), config.to_string()).unwrap();
    folder
}

/// The scores, the loss and the gradients of a model are those of `transformers`, also with a cache.
pub fn check<M: LanguageModel>(model: &M, computed: &Computed, folder: &Path) {
    let scores = check_scores(model, computed);
    check_caches(model, &computed.tokens, &scores);
    check_gradients(model, computed, folder);
}

/// The scores of a model are those of `transformers`.
pub fn check_scores<M: LanguageModel>(model: &M, computed: &Computed) -> Scores {
    let scores = model.scores(&tokens(&computed.tokens)).unwrap();
    for (row, logits) in computed.logits.iter().enumerate() {
        for (part, expected) in logits.iter().enumerate() {
            let found = scores[[row, 20 * part]];
            assert!((found - expected).abs() < 1e-5, "{row}, {part}: {found}, {expected}");
        }
    }
    assert!((scores.abs().sum().item() - computed.sum).abs() < 1e-5 * computed.sum);
    scores
}

/// With a cache, three tokens and then one at a time have the same scores.
fn check_caches<M: LanguageModel>(model: &M, text: &[i64], scores: &Scores) {
    let mut caches = model.caches();
    for end in 3..=text.len() {
        let start = if end == 3 { 0 } else { end - 1 };
        let read = model.read(&tokens(&text[start..end]), &mut caches).unwrap();
        assert!(read.all_close(&scores.index::<0>(end - 1), 1e-5, 1e-5), "{end} tokens");
    }
}

/// The gradient is saved under the names and in the layouts of Hugging Face.
fn check_gradients<M: LanguageModel>(model: &M, computed: &Computed, folder: &Path) {
    let (loss, gradient) = value_and_grad(model, |model| model.loss(&computed.tokens).unwrap());
    assert!((loss.item() - computed.loss).abs() < 1e-5, "{loss}");
    let file = folder.join("gradients.safetensors");
    model.weights().save(&gradient, &file).unwrap();
    let file = Checkpoint::open(&file).unwrap();
    assert_eq!(file.names(), computed.gradients.keys().cloned().collect::<Vec<_>>());
    for (name, expected) in &computed.gradients {
        let gradient: DynTensor<f32> = file.dyn_tensor(name).unwrap();
        let elements = gradient.to_vec();
        let squares = elements.iter().map(|&x| f64::from(x).powi(2));
        let norm = squares.sum::<f64>().sqrt() as f32;
        let some = elements.iter().step_by(elements.len() / 4).copied();
        for (found, expected) in [norm].into_iter().chain(some).zip(expected) {
            assert!((found - expected).abs() < 1e-4 * norm, "{name}: {found}, {expected}");
        }
    }
}

/// Writes the files of a model as people have it: matrices with floats of 16 bits, in two shards.
pub fn write_real(real: &Real, folder: &Path) {
    fs::write(folder.join("config.json"), real.config.to_string()).unwrap();
    let mut shards: [Vec<(&str, Box<dyn AnyTensor>)>; 2] = Default::default();
    let mut index = BTreeMap::new();
    for (place, (name, sizes)) in real.shapes.iter().enumerate() {
        let is_matrix = sizes.len() == 2;
        let elements = (0..sizes.iter().product()).map(|element: usize| {
            let hashed = hashed(element as u32 + ((place as u32) << 24));
            if is_matrix { hashed / 4096.0 } else { 1.0 + hashed / 1024.0 }
        });
        let tensor = DynTensor::from_vec(sizes, elements.collect()).unwrap();
        let shard = usize::from(is_matrix);
        shards[shard].push((
            name,
            if is_matrix { Box::new(tensor.cast::<bf16>()) } else { Box::new(tensor) },
        ));
        index.insert(name, format!("model-{shard}.safetensors"));
    }
    for (shard, tensors) in shards.iter().enumerate() {
        let tensors: Vec<(&str, &dyn AnyTensor)> =
            tensors.iter().map(|(name, tensor)| (*name, &**tensor)).collect();
        Checkpoint::save(folder.join(format!("model-{shard}.safetensors")), &tensors).unwrap();
    }
    let index = json!({ "metadata": {}, "weight_map": index });
    fs::write(folder.join("model.safetensors.index.json"), index.to_string()).unwrap();
}

/// An integer from -128 to 127, as `reference.py` computes it.
fn hashed(mut x: u32) -> f32 {
    for factor in [0x7feb_352d, 0x846c_a68b] {
        x = (x ^ (x >> 16)).wrapping_mul(factor);
    }
    f32::from((x >> 24) as u8 as i8)
}

/// The output of the program.
pub fn printed(options: &Options, mut terminal: &[u8]) -> String {
    let mut printed = Vec::new();
    run(options, &mut terminal, &mut printed).unwrap();
    String::from_utf8(printed).unwrap()
}

/// The error of the program.
pub fn error(options: &Options) -> String {
    run(options, &mut std::io::empty(), &mut std::io::sink()).unwrap_err().to_string()
}

/// The text is that of `transformers`, and goes on in turn.
pub fn check_text(example: &str) {
    let Reference { prompt, text, .. } = reference(example);
    let options = |sampler: Sampler, seed: u64| Options {
        prompt: Some(prompt.clone()),
        tokens: 12,
        sampler,
        seed,
        ..Options::of(example)
    };
    let expected = text.strip_prefix(&prompt).unwrap();
    assert_eq!(printed(&options(Sampler::greedy(), 0), b""), format!("{expected}\n"));
    let warm = Sampler::new().temperature(1.5).top_k(40).top_p(0.95);
    assert_eq!(printed(&options(warm, 1), b""), printed(&options(warm, 1), b""));
    assert_ne!(printed(&options(warm, 1), b""), printed(&options(warm, 2), b""));

    // In turn: what was written before is read no second time, and counts.
    let turns = Options { prompt: None, tokens: 3, ..Options::of(example) };
    let one = printed(&turns, prompt.as_bytes());
    let two = printed(&turns, format!("{prompt}\n{prompt}").as_bytes());
    assert!(two.starts_with(&one) && two.lines().count() == 2);
    assert_ne!(two, one.repeat(2));
}

/// Three steps of training change the text; the model is saved, and the saved one writes the same.
pub fn check_training(example: &str) {
    let names = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/names.txt");
    let prompt = || Some("anna".to_owned());
    let folder = folder(example, "training");
    let trained = Options {
        train: Some(names),
        steps: 3,
        save: Some(folder.clone()),
        prompt: prompt(),
        ..Options::of(example)
    };
    let trained = printed(&trained, b"");
    let lines: Vec<&str> = trained.splitn(4, '\n').collect();
    assert!(lines[..3].iter().all(|line| line.starts_with("step ")), "{trained}");
    // A model that is saved into its own folder generates the same text.
    let save = Some(folder.clone());
    let again = Options { folder, save, prompt: prompt(), ..Options::of(example) };
    assert_eq!(printed(&again, b""), lines[3]);
    assert_eq!(printed(&again, b""), lines[3]);
}
