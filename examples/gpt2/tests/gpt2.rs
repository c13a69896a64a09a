//! The example that reads a GPT-2: its scores, gradients and text are those of `transformers` 5.24
//! (`examples/text/reference.py`).

use tensor_core::dim;

#[path = "../main.rs"]
#[expect(dead_code, reason = "the program's `main`")]
mod example;
#[path = "../../text/tests.rs"]
mod language_models;

use example::Gpt2;
use example::text::{LanguageModel, Options};
use language_models::{
    Reference, check, check_text, check_training, copy, error, folder, printed, reference,
    write_real,
};

const NAME: &str = "gpt2";

type Tiny = Gpt2<dim!(4), dim!(8)>;

#[test]
fn tiny() {
    let model = Tiny::from_folder(&Options::of(NAME).folder).unwrap();
    check(&model, &reference::<Reference>(NAME).tiny, &folder(NAME, "tiny"));
}

/// One layer with the heads and the width of GPT-2.
#[test]
fn real() {
    let (real, folder) = (reference::<Reference>(NAME).real, folder(NAME, "real"));
    write_real(&real, &folder);
    let model = Gpt2::<dim!(12), dim!(64)>::from_folder(&folder).unwrap();
    check(&model, &real.computed, &folder);
}

#[test]
fn text() {
    check_text(NAME);
    // The text ends where the model knows no further position.
    let full = |tokens| {
        printed(&Options { prompt: Some("s".repeat(62)), tokens, ..Options::of(NAME) }, b"")
    };
    assert_eq!([full(1000), full(2)], ["GGG\n", "GG\n"]);
    let long = Options { prompt: Some("s".repeat(65)), ..Options::of(NAME) };
    assert_eq!(error(&long), "the text has 65 tokens, expected 1 to 64");
}

#[test]
fn training() {
    check_training(NAME);
}

/// Files of other models are refused.
#[test]
fn other_models() {
    let with = |key: &str, value: serde_json::Value| {
        let folder = copy(NAME, "other", |config| config[key] = value);
        error(&Options { folder, ..Options::of(NAME) })
    };
    assert_eq!(
        with("n_head", 2.into()),
        "the program has no type for 2 heads of 16 channels: `run` lists those that it has"
    );
    let error = with("activation_function", "relu".into());
    assert!(error.contains("config.json: expected the model `gpt2`, the activation"), "{error}");
    assert!(
        with("model_type", "gpt_neo".into()).contains("config.json: expected the model `gpt2`")
    );
    assert_eq!(with("n_layer", 3.into()), "the files have 2 layers, and `config.json` 3");
    for (key, axis, size) in
        [("n_inner", "Inner", 48), ("n_positions", "Position", 64), ("vocab_size", "Vocab", 300)]
    {
        let expected =
            format!("has the axis {axis} of size {size}, and `config.json` the `{key}` 9");
        let error = with(key, 9.into());
        assert!(error.contains(&expected), "{error}");
    }
    let error = with("scale_attn_weights", false.into());
    assert!(error.contains("scaled scores"), "{error}");
    for (key, number) in [("n_head", 0), ("layer_norm_epsilon", -1)] {
        let error = with(key, number.into());
        let expected = format!("config.json: `{key}` is {number}, expected a number larger than 0");
        assert!(error.contains(&expected), "{error}");
    }
    assert!(with("n_head", "many".into()).contains("config.json: invalid type: string \"many\""));
    assert_eq!(
        Gpt2::<dim!(2), dim!(16)>::from_folder(&Options::of(NAME).folder).unwrap_err().to_string(),
        "the files have 4 heads and width 32, and the program 2 heads of 16 channels"
    );
}
