//! The example that reads a Llama: its scores and its text are those of `transformers` 5.24, which wrote the files
//! (`examples/llama/reference.py`).

use std::fs;
use std::path::{Path, PathBuf};

use tensor_core::random::Generator;
use tensor_core::{Tensor, shape};
use tensor_nn::sampling::Sampler;

#[path = "../examples/llama/main.rs"]
#[expect(dead_code, reason = "the program's `main`")]
mod llama;

use llama::{Llama, New, Vocab};

const PROMPT: [i64; 8] = [1, 5, 9, 33, 2, 60, 7, 12];
const TEXT: [i64; 12] = [59, 59, 55, 40, 10, 55, 40, 55, 40, 55, 40, 55];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/data/llama")
}

fn tokens(tokens: &[i64]) -> Tensor<shape![New], i64> {
    tokens.iter().copied().collect()
}

#[test]
fn scores() {
    let model = Llama::open(&folder()).unwrap();
    let scores: Tensor<shape![New, Vocab]> =
        model.read(&tokens(&PROMPT), &mut model.caches()).unwrap();
    let check = |place: usize, expected: [f32; 8]| {
        for (token, expected) in expected.into_iter().enumerate() {
            let found = scores[[place, token]];
            assert!((found - expected).abs() < 1e-5, "{place}, {token}: {found}, {expected}");
        }
    };
    let first = [
        -0.789_620_6,
        0.819_374,
        -0.331_308_87,
        0.598_073_4,
        1.031_520_1,
        -1.766_846_3,
        -0.678_037_2,
        0.330_537_9,
    ];
    check(0, first);
    let last = [
        -0.057_472_73,
        0.483_109_74,
        -1.155_029_5,
        1.593_512_4,
        -0.604_337_3,
        1.717_006_3,
        -0.348_140_27,
        -0.099_230_09,
    ];
    check(7, last);
    assert!((scores.abs().sum().item() - 359.629_24).abs() < 1e-3);

    // A token at a time gives the same scores.
    let mut caches = model.caches();
    for (place, &token) in PROMPT.iter().enumerate() {
        let one = model.read(&tokens(&[token]), &mut caches).unwrap();
        assert!(one.index::<0>(0).all_close(&scores.index::<0>(place), 1e-5, 1e-5));
    }
}

#[test]
fn text() {
    let model = Llama::open(&folder()).unwrap();
    let write = |sampler: Sampler, seed: u64| {
        model.write(&PROMPT, 12, sampler, &mut Generator::seed(seed)).unwrap()
    };
    assert_eq!(write(Sampler::greedy(), 1)[8..], TEXT);
    let warm = Sampler::new().temperature(1.5).top_k(40);
    assert_eq!(write(warm, 1), write(warm, 1));
    assert_ne!(write(warm, 1), write(warm, 2));
}

/// The same weights with the rotary positions of YaRN.
#[test]
fn yarn() {
    let other = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("llama_yarn");
    fs::create_dir_all(&other).unwrap();
    let config = fs::read_to_string(folder().join("config.json")).unwrap();
    let mut config: serde_json::Value = serde_json::from_str(&config).unwrap();
    config["rope_parameters"] = serde_json::json!({
        "rope_type": "yarn",
        "rope_theta": 10000.0,
        "factor": 4.0,
        "original_max_position_embeddings": 8,
    });
    fs::write(other.join("config.json"), config.to_string()).unwrap();
    fs::copy(folder().join("model.safetensors"), other.join("model.safetensors")).unwrap();
    let model = Llama::open(&other).unwrap();
    let scores = model.read(&tokens(&PROMPT), &mut model.caches()).unwrap();
    let last = [
        -0.154_904_98,
        0.413_910_27,
        -1.200_839_9,
        1.546_248,
        -0.623_024_1,
        1.774_582_4,
        -0.415_792_26,
        -0.139_389_95,
    ];
    for (token, expected) in last.into_iter().enumerate() {
        assert!((scores[[7, token]] - expected).abs() < 1e-5, "{token}: {}", scores[[7, token]]);
    }
    assert!((scores.abs().sum().item() - 359.906_3).abs() < 1e-3);
}

/// A configuration of another model is refused before its weights are read.
#[test]
fn another_model() {
    let other = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("llama");
    fs::create_dir_all(&other).unwrap();
    let config = fs::read_to_string(folder().join("config.json")).unwrap();
    let config = config.replace("\"hidden_size\": 32", "\"hidden_size\": 64");
    fs::write(other.join("config.json"), config).unwrap();
    assert_eq!(
        Llama::open(&other).unwrap_err().to_string(),
        "`hidden_size` is 64 in the file and 32 in the program"
    );
}
