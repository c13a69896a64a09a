//! The example that reads a GPT-2: its scores, gradients and text are those of `transformers` 5.24, which wrote the files
//! (`examples/gpt2/reference.py`).

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use tensor_core::autograd::value_and_grad;
use tensor_core::io::Checkpoint;
use tensor_core::{DynTensor, Tensor, dim, shape};
use tensor_nn::sampling::Sampler;

#[path = "../examples/gpt2/main.rs"]
#[expect(dead_code, reason = "the program's `main`")]
mod gpt2;

use gpt2::{Gpt2, New, Options, PREFIX, Vocab, hugging_face};

type Tiny = Gpt2<dim!(4), dim!(8)>;

/// What `transformers` has computed.
#[derive(Deserialize)]
struct Reference {
    prompt: String,
    tokens: Vec<i64>,
    logits: Vec<Vec<f32>>,
    sum: f32,
    text: String,
    loss: f32,
    gradients: BTreeMap<String, Vec<f32>>,
}

fn source() -> PathBuf {
    Options::default().folder
}

fn reference() -> Reference {
    serde_json::from_str(&fs::read_to_string(source().join("reference.json")).unwrap()).unwrap()
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("gpt2").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn tensor(tokens: &[i64]) -> Tensor<shape![New], i64> {
    tokens.iter().copied().collect()
}

#[test]
fn scores() {
    let (model, Reference { tokens, logits, sum, .. }) =
        (Tiny::open(&source()).unwrap(), reference());
    let scores: Tensor<shape![New, Vocab]> = model.scores(&tensor(&tokens)).unwrap();
    for (row, logits) in logits.iter().enumerate() {
        for (part, expected) in logits.iter().enumerate() {
            let found = scores[[row, 20 * part]];
            assert!((found - expected).abs() < 1e-5, "{row}, {part}: {found}, {expected}");
        }
    }
    assert!((scores.abs().sum().item() - sum).abs() < 1e-5 * sum);

    // With a cache, three tokens and then one at a time have the same scores.
    let mut caches = model.caches();
    let first = model.read(&tensor(&tokens[..3]), &mut caches).unwrap();
    assert!(first.index::<0>(2).all_close(&scores.index::<0>(2), 1e-5, 1e-5));
    for (place, &token) in tokens.iter().enumerate().skip(3) {
        let one = model.read(&tensor(&[token]), &mut caches).unwrap();
        assert!(one.index::<0>(0).all_close(&scores.index::<0>(place), 1e-5, 1e-5));
    }
}

/// The gradient is saved under the names and in the layouts of Hugging Face.
#[test]
fn gradients() {
    let (model, reference) = (Tiny::open(&source()).unwrap(), reference());
    let (loss, gradient) = value_and_grad(&model, |model| model.loss(&reference.tokens).unwrap());
    assert!((loss.item() - reference.loss).abs() < 1e-5, "{loss}");
    let file = folder("gradients").join("gradients.safetensors");
    hugging_face(PREFIX).save(&gradient, &file).unwrap();
    let file = Checkpoint::open(&file).unwrap();
    assert_eq!(file.names(), reference.gradients.keys().cloned().collect::<Vec<_>>());
    for (name, expected) in reference.gradients {
        let gradient: DynTensor<f32> = file.dyn_tensor(&name).unwrap();
        let elements = gradient.to_vec();
        let norm = elements.iter().map(|x| x * x).sum::<f32>().sqrt();
        let some = elements.iter().step_by(elements.len() / 4).copied();
        for (found, expected) in [norm].into_iter().chain(some).zip(expected) {
            assert!((found - expected).abs() < 1e-4 * norm, "{name}: {found}, {expected}");
        }
    }
}

/// What the program prints.
fn printed(options: &Options, mut terminal: &[u8]) -> String {
    let mut printed = Vec::new();
    gpt2::run(options, &mut terminal, &mut printed).unwrap();
    String::from_utf8(printed).unwrap()
}

#[test]
fn text() {
    let Reference { prompt, text, .. } = reference();
    let options = |sampler: Sampler, seed: u64| Options {
        prompt: Some(prompt.clone()),
        tokens: 12,
        sampler,
        seed,
        ..Options::default()
    };
    let expected = text.strip_prefix(&prompt).unwrap();
    assert_eq!(printed(&options(Sampler::greedy(), 0), b""), format!("{expected}\n"));
    let warm = Sampler::new().temperature(1.5).top_k(40).top_p(0.95);
    assert_eq!(printed(&options(warm, 1), b""), printed(&options(warm, 1), b""));
    assert_ne!(printed(&options(warm, 1), b""), printed(&options(warm, 2), b""));

    // In turn: what was written before is read no second time, and counts.
    let turns = Options { prompt: None, tokens: 3, ..Options::default() };
    let one = printed(&turns, prompt.as_bytes());
    let two = printed(&turns, format!("{prompt}\n{prompt}").as_bytes());
    assert!(two.starts_with(&one) && two.lines().count() == 2);
    assert_ne!(two, one.repeat(2));
    // The text ends where the model knows no further position.
    let full = |tokens| {
        printed(&Options { prompt: Some("s".repeat(62)), tokens, ..Options::default() }, b"")
    };
    assert_eq!([full(1000), full(2)], ["GGG\n", "GG\n"]);
    let long = Options { prompt: Some("s".repeat(65)), ..Options::default() };
    let error = gpt2::run(&long, &mut std::io::empty(), &mut std::io::sink()).unwrap_err();
    assert_eq!(error.to_string(), "the text has 65 tokens, expected 1 to 64");
}

#[test]
fn training() {
    let folder = folder("training");
    let names = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/data/names.txt");
    let trained = Options {
        train: Some(names),
        steps: 3,
        save: Some(folder.clone()),
        prompt: Some("anna".into()),
        ..Options::default()
    };
    let printed_then = printed(&trained, b"");
    let text = printed_then.splitn(4, '\n').nth(3).unwrap();
    let saved = Options { folder, prompt: Some("anna".into()), ..Options::default() };
    assert_eq!(printed(&saved, b""), text);
}

/// Files of other models are refused.
#[test]
fn other_models() {
    let folder = folder("other");
    let config = fs::read_to_string(source().join("config.json")).unwrap();
    for file in ["model.safetensors", "tokenizer.json"] {
        fs::copy(source().join(file), folder.join(file)).unwrap();
    }
    let error = |from: &str, to: &str| {
        fs::write(folder.join("config.json"), config.replace(from, to)).unwrap();
        let options = Options { folder: folder.clone(), ..Options::default() };
        gpt2::run(&options, &mut std::io::empty(), &mut std::io::sink()).unwrap_err().to_string()
    };
    assert_eq!(
        error("\"n_head\": 4", "\"n_head\": 2"),
        "the program has no type for 2 heads of 16 channels: `run` lists those that it has"
    );
    assert!(error("gelu_new", "relu").contains("config.json: expected the activation `gelu_new`"));
    assert!(error("n_head", "heads").contains("missing field `n_head`"));
    assert_eq!(
        Gpt2::<dim!(2), dim!(16)>::open(&source()).unwrap_err().to_string(),
        "the files have 4 heads and width 32, and the program 2 heads of 16 channels"
    );
}
