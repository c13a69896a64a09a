//! The example that reads a Llama: its scores, gradients and text are those of `transformers` 5.24
//! (`examples/text/reference.py`).

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Value, json};
use tensor_core::dim;

#[path = "../main.rs"]
#[expect(dead_code, reason = "the program's `main`")]
mod example;
#[path = "../../text/tests.rs"]
mod language_models;

use example::Llama;
use example::text::chat::{Message, Template};
use example::text::{LanguageModel, Options};
use language_models::{
    Computed, Real, Reference, check, check_scores, check_text, check_training, copy, error,
    folder, printed, reference, write_real,
};

const NAME: &str = "llama";

type Tiny = Llama<dim!(4), dim!(2), dim!(8)>;

/// The tiny model with other rotary positions.
#[derive(Deserialize)]
struct WithYarn {
    yarn: Yarn,
}

/// The tiny model with positions whose scaling depends on the text.
#[derive(Deserialize)]
struct WithDynamic {
    dynamic: Dynamic,
}

#[derive(Deserialize)]
struct Dynamic {
    rope_parameters: Value,
    text: String,
    #[serde(flatten)]
    computed: Computed,
}

#[derive(Deserialize)]
struct WithQwen2 {
    qwen2: Real,
}

#[derive(Deserialize)]
struct WithChat {
    chat: Chat,
}

/// The prompts of `transformers` for messages, and turns with the tiny model.
#[derive(Deserialize)]
struct Chat {
    messages: Vec<Message>,
    templates: Vec<Rendered>,
    template: String,
    turns: Vec<Message>,
}

#[derive(Deserialize)]
struct Rendered {
    template: String,
    rendered: String,
}

#[derive(Deserialize)]
struct Yarn {
    rope_parameters: Value,
    #[serde(flatten)]
    computed: Computed,
}

/// The rotary positions are those of Llama 3.
#[test]
fn tiny() {
    let model = Tiny::from_folder(&Options::of(NAME).folder).unwrap();
    check(&model, &reference::<Reference>(NAME).tiny, &folder(NAME, "tiny"));
}

#[test]
fn yarn() {
    let WithYarn { yarn } = reference(NAME);
    let folder = copy(NAME, "yarn", |config| config["rope_parameters"] = yarn.rope_parameters);
    check(&Tiny::from_folder(&folder).unwrap(), &yarn.computed, &folder);
}

/// Beyond the positions of the training, the frequencies depend on the length of the text: those in a cache stay, and the
/// loss is that of a text without its last token.
#[test]
fn dynamic() {
    let WithDynamic { dynamic } = reference(NAME);
    let folder = copy(NAME, "dynamic", |config| {
        config["rope_parameters"] = dynamic.rope_parameters;
        config["max_position_embeddings"] = 4.into();
    });
    let model = Tiny::from_folder(&folder).unwrap();
    check_scores(&model, &dynamic.computed);
    assert_eq!(model.positions(), 16);
    let prompt = reference::<Reference>(NAME).prompt;
    let expected = dynamic.text.strip_prefix(&prompt).unwrap();
    let options = Options { folder, prompt: Some(prompt.clone()), tokens: 6, ..Options::of(NAME) };
    assert_eq!(printed(&options, b""), format!("{expected}\n"));
}

/// Qwen2 has biases of queries, keys and values, and Llama has none.
#[test]
fn qwen2() {
    let (WithQwen2 { qwen2 }, folder) = (reference(NAME), folder(NAME, "qwen2"));
    write_real(&qwen2, &folder);
    check(&Tiny::from_folder(&folder).unwrap(), &qwen2.computed, &folder);
    let error = |folder: &Path, from: &str, to: &str| {
        let file = folder.join("config.json");
        let config = fs::read_to_string(&file).unwrap();
        fs::write(&file, config.replacen(&format!("\"{from}\""), &format!("\"{to}\""), 1)).unwrap();
        Tiny::from_folder(folder).unwrap_err().to_string()
    };
    let expected = "the files have biases of queries, keys or values, which `llama` has not";
    assert_eq!(error(&folder, "qwen2", "llama"), expected);
    let expected = "the files lack biases of queries, keys and values, which `qwen2` has";
    assert_eq!(error(&copy(NAME, "no_biases", |_| ()), "llama", "qwen2"), expected);
}

/// The templates of chats, and two turns of one.
#[test]
fn chat() {
    let WithChat { chat } = reference(NAME);
    let tokens = [("bos_token", "<s>"), ("eos_token", "</s>")];
    let tokens: BTreeMap<_, _> =
        tokens.map(|(name, token)| (name.to_owned(), token.to_owned())).into();
    for Rendered { template, rendered } in chat.templates {
        let template = Template::new(template, tokens.clone()).unwrap();
        assert_eq!(template.render(&chat.messages), Ok(rendered));
    }
    let refused = |template: &str| match Template::new(template.into(), tokens.clone()) {
        Ok(template) => template.render(&chat.messages).unwrap_err(),
        Err(error) => error,
    };
    assert!(refused("{{ raise_exception('no user') }}").contains("no user"));
    let written = |template: &str| {
        Template::new(template.into(), tokens.clone()).unwrap().render(&chat.messages)
    };
    let marked = "{% generation %}a{%- endgeneration -%}\n b {%generation-%} c{% endgeneration %}";
    assert_eq!(written(marked).unwrap(), "ab c");
    let year = written("{{ strftime_now('%Y') }}").unwrap();
    assert!(year.parse::<u32>().is_ok_and(|year| year > 2025), "{year}");
    assert!(refused("{{ strftime_now('%') }}").contains("not a format of a date"));
    assert!(refused("{% for %}").contains("the template of the chat: syntax error"));
    let endless = "{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}";
    assert!(refused(endless).contains("the template of the chat: engine ran out of fuel"));

    let (lines, answers): (Vec<_>, Vec<_>) =
        chat.turns.chunks(2).map(|turn| (&turn[0].content[..], &turn[1].content[..])).unzip();
    let end = json!({ "content": "</s>" });
    let named = json!([{ "name": "tools", "template": "" }, { "name": "default", "template": chat.template }]);
    for template in [json!(chat.template), named] {
        let folder = copy(NAME, "chat", |_| ());
        let config = json!({ "chat_template": template, "bos_token": "<s>", "eos_token": end });
        fs::write(folder.join("tokenizer_config.json"), config.to_string()).unwrap();
        let options = Options { folder, tokens: 8, ..Options::of(NAME) };
        assert_eq!(
            printed(&options, lines.join("\n").as_bytes()),
            format!("{}\n{}\n", answers[0], answers[1])
        );
    }
    for template in [json!(7), json!([{ "name": "tools", "template": "" }])] {
        let folder = copy(NAME, "no_chat", |_| ());
        let config = json!({ "chat_template": template }).to_string();
        fs::write(folder.join("tokenizer_config.json"), config).unwrap();
        let error = error(&Options { folder, ..Options::of(NAME) });
        assert!(error.contains("tokenizer_config.json: `chat_template` is neither"), "{error}");
    }
    // The template of a separate file comes first.
    let folder = copy(NAME, "chat_file", |_| ());
    let generation = json!({ "eos_token_id": (0..128).collect::<Vec<u32>>() });
    let config = json!({ "bos_token": "<s>", "eos_token": "</s>", "chat_template": "" });
    fs::write(folder.join("tokenizer_config.json"), config.to_string()).unwrap();
    fs::write(folder.join("chat_template.jinja"), &chat.template).unwrap();
    fs::write(folder.join("generation_config.json"), generation.to_string()).unwrap();
    let options = Options { folder, ..Options::of(NAME) };
    assert_eq!(printed(&options, b"anna"), "\n");
}

/// Older files have the base of the rotary positions next to their scaling.
#[test]
fn older_configuration() {
    let folder = copy(NAME, "older", |config| {
        config["rope_theta"] = config["rope_parameters"]["rope_theta"].take();
        config["rope_scaling"] = config["rope_parameters"].take();
        config.as_object_mut().unwrap().remove("head_dim");
    });
    check(&Tiny::from_folder(&folder).unwrap(), &reference::<Reference>(NAME).tiny, &folder);
}

/// Two layers with the heads and the width of SmolLM2, whose embeddings are tied.
#[test]
fn real() {
    let (real, folder) = (reference::<Reference>(NAME).real, folder(NAME, "real"));
    write_real(&real, &folder);
    let model = Llama::<dim!(9), dim!(3), dim!(64)>::from_folder(&folder).unwrap();
    check(&model, &real.computed, &folder);

    let config = fs::read_to_string(folder.join("config.json")).unwrap();
    let untied = config.replace("\"tie_word_embeddings\":true", "\"tie_word_embeddings\":false");
    fs::write(folder.join("config.json"), untied).unwrap();
    assert_eq!(
        Llama::<dim!(9), dim!(3), dim!(64)>::from_folder(&folder).unwrap_err().to_string(),
        "the files have no `lm_head.weight`, and `tie_word_embeddings` is false"
    );
}

#[test]
fn text() {
    check_text(NAME);
    // The text ends where the model knows no further position. It begins with `<s>` and a space.
    let full = |tokens| {
        printed(&Options { prompt: Some("z".repeat(60)), tokens, ..Options::of(NAME) }, b"")
    };
    assert_eq!(full(1000), full(3));
    assert!(full(3).starts_with(full(2).trim_end()) && full(3) != full(2));
    let long = Options { prompt: Some("z".repeat(63)), ..Options::of(NAME) };
    assert_eq!(error(&long), "the text has 65 tokens, expected 1 to 64");
}

#[test]
fn training() {
    check_training(NAME);
}

/// A window as long as a text may be hides nothing, and YaRN's factor may be given by two scales.
#[test]
fn other_configurations_of_the_same_model() {
    let text = |change: &dyn Fn(&mut Value)| {
        let folder = copy(NAME, "same", change);
        printed(&Options { folder, prompt: Some("anna".into()), ..Options::of(NAME) }, b"")
    };
    assert_eq!(text(&|config| config["sliding_window"] = 64.into()), text(&|_| ()));
    let yarn = |more: Value| {
        text(&move |config| {
            let rope = &mut config["rope_parameters"];
            *rope =
                json!({ "rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 8 });
            rope.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        })
    };
    // (0.1 · 2 · ln 4 + 1) / (0.1 · 0.5 · ln 4 + 1)
    let scaled = yarn(json!({ "mscale": 2, "mscale_all_dim": 0.5 }));
    assert_eq!(scaled, yarn(json!({ "attention_factor": 1.194_464_876_108_714 })));
    assert_eq!(yarn(json!({ "mscale": 2 })), yarn(json!({})));
    assert_ne!(scaled, yarn(json!({})));
}

/// The configuration of a saved model names the type of its weights.
#[test]
fn saved_weights_are_f32() {
    let source = copy(NAME, "bf16", |config| config["dtype"] = "bfloat16".into());
    let (saved, prompt) = (folder(NAME, "f32"), Some("anna".into()));
    let save = Some(saved.clone());
    printed(&Options { folder: source, save, prompt, ..Options::of(NAME) }, b"");
    let config = fs::read_to_string(saved.join("config.json")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&config).unwrap()["dtype"], "float32");
}

/// Errors name the file.
#[test]
fn files_that_cannot_be_read_or_written() {
    let (missing, file) = (PathBuf::from("no/such/file"), folder(NAME, "file").join("file"));
    fs::write(&file, "").unwrap();
    let prompt = || Some("anna".to_owned());
    let read = error(&Options { train: Some(missing), prompt: prompt(), ..Options::of(NAME) });
    assert!(read.starts_with("no/such/file: "), "{read}");
    let written =
        error(&Options { save: Some(file.clone()), prompt: prompt(), ..Options::of(NAME) });
    assert!(written.starts_with(&format!("{}: ", file.display())), "{written}");
}

/// Any of several tokens ends a text.
#[test]
fn several_ends() {
    let prompt = || Some("anna".to_owned());
    let ends: Vec<u32> = (0..128).collect();
    let folder = copy(NAME, "ends", |config| config["eos_token_id"] = json!(ends));
    assert_ne!(printed(&Options { prompt: prompt(), ..Options::of(NAME) }, b""), "\n");
    assert_eq!(printed(&Options { folder, prompt: prompt(), ..Options::of(NAME) }, b""), "\n");
}

/// Files of other models are refused.
#[test]
fn other_models() {
    let with = |key: &str, value: Value| {
        let folder = copy(NAME, "other", |config| config[key] = value);
        error(&Options { folder, ..Options::of(NAME) })
    };
    assert_eq!(
        with("num_attention_heads", 2.into()),
        "the program has no type for 2 heads and 2 of keys and values, of 8 channels: `run` lists those that it has"
    );
    for (key, value, expected) in [
        ("model_type", json!("granite"), "expected the model `llama`, `mistral` or `qwen2`"),
        ("hidden_act", json!("gelu"), "expected the activation `silu`"),
        ("attention_bias", json!(true), "expected no biases but those of queries"),
        ("sliding_window", json!(32), "expected no sliding window"),
        ("layer_types", json!(["sliding_attention"]), "expected no sliding window"),
        ("partial_rotary_factor", json!(0.5), "expected no `partial_rotary_factor`"),
        ("rms_norm_eps", json!(-1), "`rms_norm_eps` is -1, expected a number larger than 0"),
        ("num_attention_heads", json!(0), "`num_attention_heads` is 0"),
        ("max_position_embeddings", json!(0), "`max_position_embeddings` is 0"),
        ("rms_norm_eps", json!("small"), "invalid type: string \"small\""),
    ] {
        let error = with(key, value);
        assert!(error.contains("config.json: ") && error.contains(expected), "{error}");
    }
    let folder = copy(NAME, "window", |config| {
        config["sliding_window"] = 64.into();
        config["rope_parameters"] = json!({ "rope_type": "dynamic", "factor": 2 });
    });
    assert!(error(&Options { folder, ..Options::of(NAME) }).contains("expected no sliding window"));
    for (rope, expected) in [
        (json!({ "rope_type": "longrope" }), "config.json: the `rope_type` longrope is unknown"),
        (json!({ "rope_type": "linear" }), "config.json: there is no number `factor`"),
        (json!({ "rope_type": 3 }), "config.json: the `rope_type` is no text"),
        (json!({ "rope_type": "linear", "factor": 0 }), "`factor` is 0"),
        (json!({ "rope_type": "dynamic", "factor": -2 }), "`factor` is -2"),
        (json!({ "rope_theta": 0 }), "`rope_theta` is 0"),
        (json!({ "partial_rotary_factor": 0.5 }), "expected no `partial_rotary_factor`"),
        (
            json!({ "rope_type": "yarn", "factor": 2, "original_max_position_embeddings": 8, "attention_factor": 0 }),
            "`attention_factor` is 0",
        ),
    ] {
        let error = with("rope_parameters", rope);
        assert!(error.contains(expected), "{error}");
    }
    for (key, axis, size) in [
        ("hidden_size", "Hidden", 32),
        ("intermediate_size", "Inner", 48),
        ("vocab_size", "Vocab", 128),
    ] {
        let expected =
            format!("has the axis {axis} of size {size}, and `config.json` the `{key}` 9");
        let error = with(key, 9.into());
        assert!(error.contains(&expected), "{error}");
    }
    assert_eq!(with("num_hidden_layers", 3.into()), "the files have 2 layers, and `config.json` 3");
    assert_eq!(
        Llama::<dim!(9), dim!(3), dim!(64)>::from_folder(&Options::of(NAME).folder)
            .unwrap_err()
            .to_string(),
        "heads, heads of keys and values, and channels are (4, 2, 8) in the files and (9, 3, 64) in the program"
    );
}
