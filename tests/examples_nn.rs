//! The examples that train: some steps of each, the files that they write, and the arguments that
//! they reject.

#![allow(clippy::duplicate_mod, reason = "each program has its own copy of what they share")]

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use tensor_core::autograd::value_and_grad;
use tensor_core::precision::{autocast, bf16};
use tensor_core::random::Generator;
use tensor_core::trace::{cond, element_bytes, switch, trace, while_loop};
use tensor_core::{Module, One, Shape, Tensor, axis, dim, select, shape, tensor};
use tensor_nn::layers::{
    Bidirectional, CausalLowerRight, Embedding, GroupedQueryAttention, Halves, KvCache, Lstm, Pass,
    RotaryPositions,
};
use tensor_nn::optim::{AdamW, Optimizer};
use tensor_onnx::ToOnnx;

#[path = "../examples/autoencoder/main.rs"]
#[expect(dead_code, reason = "the program's `main`")]
mod autoencoder;
#[path = "../examples/digits_cnn/main.rs"]
#[expect(dead_code, reason = "the program's `main`")]
mod digits_cnn;
#[path = "../tensor-xla/tests/plugin/found.rs"]
mod found;
#[path = "../examples/generic_models/main.rs"]
#[expect(dead_code, reason = "the program's `main`")]
mod generic_models;
#[path = "../examples/names/main.rs"]
#[expect(dead_code, reason = "the program's `main`")]
mod names;
#[path = "exported/mod.rs"]
mod runtime;

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("examples_nn").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Checks one example, whose losses are those of each step of a run.
macro_rules! example {
    ($name:ident, $tests:ident, $steps:literal) => {
        mod $tests {
            use super::*;
            use crate::$name::training::{EngineName, Options};

            fn options(name: &str, arguments: &[&str]) -> Options {
                let folder = folder(&format!("{}-{name}", stringify!($name)));
                let folder = ["--folder", folder.to_str().unwrap()];
                let arguments = folder.into_iter().chain(arguments.iter().copied());
                Options::new(stringify!($name), crate::$name::STEPS)
                    .parse(arguments)
                    .unwrap()
                    .unwrap()
            }

            fn run(options: &Options) -> Result<crate::$name::Outcome, Box<dyn Error>> {
                crate::$name::run(options, &mut std::io::sink())
            }

            /// The loss goes down; a run that stops and goes on has the bits of one that does not.
            #[test]
            fn goes_on_with_the_same_bits() {
                let whole = options("whole", &["--steps", stringify!($steps)]);
                let losses = run(&whole).unwrap().losses;
                assert_eq!(losses.len(), $steps);
                let mean = |losses: &[f32]| losses.iter().sum::<f32>() / losses.len() as f32;
                let (first, last) = losses.split_at($steps / 2);
                assert!(mean(last) < mean(first), "{losses:?}");

                let mut part = options("part", &["--steps", "3"]);
                let mut joined = run(&part).unwrap().losses;
                part.load = Some(part.save.clone());
                part.steps = $steps;
                joined.extend(run(&part).unwrap().losses);
                let bits =
                    |losses: &[f32]| losses.iter().map(|loss| loss.to_bits()).collect::<Vec<_>>();
                assert_eq!(bits(&joined), bits(&losses));
                assert!(fs::read(&part.save).unwrap() == fs::read(&whole.save).unwrap());

                let curve = fs::read_to_string(whole.folder.join("loss.svg")).unwrap();
                let curve = roxmltree::Document::parse(&curve).unwrap();
                let lines = curve.descendants().filter(|node| node.has_tag_name("polyline"));
                let points: Vec<usize> = lines
                    .map(|line| line.attribute("points").unwrap().split(' ').count())
                    .collect();
                assert_eq!(points, [$steps, $steps]);
            }

            /// XLA takes the same steps, with the same dropout; a checkpoint of one engine goes on with the other.
            #[test]
            fn trains_with_xla() {
                if found::engine(&tensor_xla::Options::new()).is_none() {
                    return;
                }
                let kernels = options("kernels", &["--steps", "6"]);
                let kernels = run(&kernels).unwrap().losses;
                let mut xla = options("xla", &["--steps", "3", "--engine", "xla"]);
                let mut losses = run(&xla).unwrap().losses;
                xla.load = Some(xla.save.clone());
                for (steps, engine) in [(5, EngineName::Kernels), (6, EngineName::Xla)] {
                    (xla.steps, xla.engine) = (steps, engine);
                    losses.extend(run(&xla).unwrap().losses);
                }
                for (step, (kernels, xla)) in kernels.iter().zip(&losses).enumerate() {
                    assert!((kernels - xla).abs() < 1e-4 * kernels, "{step}: {kernels}, {xla}");
                }
                assert_eq!(losses.len(), kernels.len());
            }

            /// With products in `bf16`, the training takes about the same steps, by both engines.
            #[test]
            fn trains_with_products_in_bf16() {
                let steps = ["--steps", stringify!($steps)];
                let exact = run(&options("f32", &steps)).unwrap().losses;
                let mut engines = vec!["kernels"];
                engines.extend(found::engine(&tensor_xla::Options::new()).map(|_| "xla"));
                for engine in engines {
                    let options = options("bf16", &[&steps[..], &["--engine", engine]].concat());
                    let losses = autocast::<bf16, _>(|| run(&options)).unwrap().losses;
                    assert_ne!(losses, exact);
                    for (step, (exact, loss)) in exact.iter().zip(&losses).enumerate() {
                        let error = (exact - loss).abs() / exact;
                        assert!(error < 0.05, "{engine}, step {step}: {exact} and {loss}");
                    }
                    assert_eq!(losses.len(), exact.len());
                }
            }

            /// Enter ends the training after a step and leaves a checkpoint, from which the next run goes on.
            #[test]
            fn stops_with_a_checkpoint() {
                let mut options = options("stop", &["--steps", "3"]);
                options.stop.store(true, Ordering::Relaxed);
                assert_eq!(run(&options).unwrap().losses.len(), 1);
                options.stop.store(false, Ordering::Relaxed);
                options.load = Some(options.save.clone());
                assert_eq!(run(&options).unwrap().losses.len(), 2);
                // All steps are done: nothing is left to train.
                assert_eq!(run(&options).unwrap().losses.len(), 0);
            }

            /// A checkpoint of something else, and files that are none.
            #[test]
            fn foreign_checkpoints() {
                let mut options = options("foreign", &["--steps", "3"]);
                let file = options.folder.join("foreign.safetensors");
                let other = [tensor_core::tensor![1.0, 2.0], tensor_core::tensor![3.0, 4.0]];
                tensor_nn::Module::save(&other, &file).unwrap();
                options.load = Some(file.clone());
                let message = run(&options).err().unwrap().to_string();
                assert!(message.contains("does not fit:\n"), "{message}");
                for line in ["`step` is missing", "`optimizer.rate` is missing", "`0`", "`1`"] {
                    assert!(message.contains(line), "{message}");
                }
                // The model's own, the optimiser's three for each, its rate, the step, two left over.
                let parameters = message.matches("\n  `model.").count();
                assert!(parameters >= 8, "{message}");
                assert_eq!(message.lines().count(), 1 + 4 * parameters + 2 + 2, "{message}");

                fs::write(&file, b"no tensors").unwrap();
                let message = run(&options).err().unwrap().to_string();
                assert!(message.starts_with(&file.display().to_string()), "{message}");
                options.load = Some(options.folder.join("none.safetensors"));
                let message = run(&options).err().unwrap().to_string();
                assert!(message.contains("none.safetensors"), "{message}");
                assert!(!options.save.exists());
            }
        }
    };
}

example!(digits_cnn, a_convolutional_network, 40);
example!(names, a_transformer, 8);
example!(autoencoder, an_autoencoder, 40);

/// The models of the examples, without their training.
#[test]
fn xla_computes_what_the_models_do() {
    let Some(engine) = found::engine(&tensor_xla::Options::new()) else { return };
    let rng = &mut Generator::seed(7);

    let images = rng.uniform_shaped(shape![digits_cnn::Batch(5), 1, 8, 8], 0.0, 1.0);
    let reader = digits_cnn::Reader::new(rng);
    agrees(&engine, &(reader, images), |(model, images)| model.scores(images, &mut Pass::eval()));

    let letters = rng.integers_shaped(shape![names::Batch(3), names::Time(9)], 0..27);
    agrees(&engine, &(names::Writer::new(rng), letters), |(model, letters)| {
        model.scores(letters, &mut Pass::eval()).unwrap()
    });

    let images = rng.uniform_shaped(shape![autoencoder::Batch(5), 64], 0.0, 1.0);
    agrees(&engine, &(autoencoder::Autoencoder::new(rng), images), |(model, images)| {
        model.forward(images)
    });
}

fn agrees<I: Module + Clone, S: Shape>(
    engine: &tensor_xla::Engine,
    inputs: &I,
    forward: impl Fn(&I) -> Tensor<S>,
) where
    Tensor<S>: Module,
{
    let found = engine.compile_program(trace(inputs, &forward)).unwrap().call(inputs).unwrap();
    assert!(found.all_close(&forward(inputs), 1e-4, 1e-5));
}

/// The letters of 16 names, drawn by one step of a program.
#[test]
fn a_program_writes_the_names_that_the_function_writes() {
    let start = Tensor::zeros_shaped(shape![names::Batch(16), names::Time(14)]);
    let inputs = (names::Writer::new(&mut Generator::seed(7)), start);
    let write = |(model, letters): &(names::Writer, names::Letters)| model.write(letters);
    let letters = write(&inputs);
    let program = trace(&inputs, write);
    assert!(program.num_steps() < 20, "{program}");
    assert_eq!(program.run(&inputs).unwrap(), letters);
    assert!(names::names_of(&letters).iter().any(|name| name.len() > 3), "{letters}");
    let Some(engine) = found::engine(&tensor_xla::Options::new()) else { return };
    assert_eq!(engine.compile_program(program).unwrap().call(&inputs).unwrap(), letters);
}

axis!(Position, Word = 23);

type Heads = GroupedQueryAttention<dim!(12), dim!(4), dim!(2), Channels>;
type Channels = Halves<dim!(8)>;
type Cache = KvCache<shape![], dim!(2), Position, Channels>;
/// A model: its attention, and the embeddings of its words.
type Speaker = (Heads, Embedding<Word, dim!(12)>);
/// The words, the last one, and the cache.
type Spoken = (Tensor<shape![32], i64>, Tensor<shape![1], i64>, Cache);

/// Writes the most likely words after the first one, until one that ends the text, or for as long as there is room.
fn speak((heads, words): &Speaker, first: &Tensor<shape![1], i64>, cache: &Cache) -> Spoken {
    const END: i64 = 3;
    let positions: RotaryPositions<dim!(32), Channels> = RotaryPositions::new();
    let goes_on =
        |(_, last, cache): &Spoken| cache.position().less(31) & last.index::<0>(0).not_equal(END);
    while_loop(&(Tensor::zeros(), first.clone(), cache.clone()), goes_on, |(text, last, cache)| {
        let mut cache = cache.clone();
        let position = positions.at(&cache.next_positions(One)).expect("a position");
        let x = words.forward(last).expect("a word");
        let found = heads.forward_rotary_cached(&x, &position, &mut cache, CausalLowerRight);
        let scores: Tensor<shape![1, Word]> = (x + found * 8.0).dot(&words.weight.transpose());
        let next = scores.argmax_axis::<-1>();
        let is_next = Tensor::<shape![32], i64>::arange().equal(cache.position());
        (select(&is_next, next.index::<0>(0), text), next, cache)
    })
}

/// The words that a model chooses one by one: by calls with a cache that grows, and by one step of a program.
#[test]
fn a_program_writes_the_words_that_the_function_writes() {
    let rng = &mut Generator::seed(7);
    let words = Embedding { weight: rng.normal(0.0, 1.0) };
    let speaker: Speaker = (Heads::new(rng), words);
    let inputs = |first| (speaker.clone(), tensor![first], Cache::fixed(shape![], 31));
    let write = |(speaker, first, cache): &(Speaker, _, Cache)| speak(speaker, first, cache).0;
    let program = trace(&inputs(0), write);
    assert_eq!(program.num_steps(), 1, "{program}");
    let engine = found::engine(&tensor_xla::Options::new());
    let compiled = engine.map(|engine| engine.compile_program(trace(&inputs(0), write)).unwrap());
    let mut lengths = Vec::new();
    for first in 0..23 {
        let (text, _, cache) = speak(&speaker, &tensor![first], &Cache::new(shape![]));
        assert_eq!(program.run(&inputs(first)).unwrap(), text);
        if let Some(compiled) = &compiled {
            assert_eq!(compiled.call(&inputs(first)).unwrap(), text);
        }
        lengths.push(cache.len());
    }
    // Some texts have an end, and some reach the capacity.
    assert!(lengths.contains(&31) && lengths.iter().any(|&len| len < 31), "{lengths:?}");
}

/// The models of the examples, and a step of their training, as ONNX models.
#[test]
fn onnxruntime_computes_what_the_models_do() {
    let rng = &mut Generator::seed(7);
    let (mut models, mut expected) = (Vec::new(), Vec::new());

    let images = rng.uniform_shaped(shape![digits_cnn::Batch(5), 1, 8, 8], 0.0, 1.0);
    let reader = digits_cnn::Reader::new(rng);
    exported(&mut models, &mut expected, &images, move |images| {
        reader.scores(images, &mut Pass::eval())
    });

    let letters = rng.integers_shaped(shape![names::Batch(3), names::Time(9)], 0..27);
    let writer = names::Writer::new(rng);
    exported(&mut models, &mut expected, &letters, move |letters| {
        writer.scores(letters, &mut Pass::eval()).unwrap()
    });

    let images = rng.uniform_shaped(shape![autoencoder::Batch(5), 64], 0.0, 1.0);
    let autoencoder = autoencoder::Autoencoder::new(rng);
    let inputs = (autoencoder, images);
    exported(&mut models, &mut expected, &inputs, |(model, images)| model.forward(images));
    exported(&mut models, &mut expected, &inputs, |(model, images)| {
        let loss =
            |model: &autoencoder::Autoencoder| (model.forward(images) - images).square().mean();
        let (loss, gradient) = value_and_grad(model, loss);
        let (mut next, mut optimizer) = (model.clone(), Optimizer::new(AdamW::default(), 0.01));
        optimizer.step(&mut next, &gradient).unwrap();
        (next, loss)
    });

    // Loops and branches.
    let words = rng.uniform_shaped(shape![names::Batch(2), 5, 3], -1.0, 1.0);
    let layer: Lstm<dim!(3), dim!(4), f32, Bidirectional> = Lstm::new(rng);
    exported(&mut models, &mut expected, &(layer, words), |(layer, words)| {
        let loss =
            |layer: &Lstm<_, _, _, _>| layer.forward(words, &mut Pass::eval()).0.square().mean();
        value_and_grad(layer, loss)
    });
    for (index, x) in [(0, 0.1), (1, 0.1), (2, 3.0)] {
        let inputs = (Tensor::<shape![], i64>::scalar(index), tensor![x, -x]);
        exported(&mut models, &mut expected, &inputs, |(index, x)| {
            let x = switch(index, x, &[&|x| x * 2.0, &|x| x.exp(), &|x| -x]);
            let x = cond(&x.sum().greater(0.5), &x, |x| x + 1.0, |x| x - 1.0);
            while_loop(&x, |x| x.abs().max().less(10.0), |x| x * 1.5)
        });
    }

    let Some(found) = runtime::run("examples", &models) else { return };
    for (number, (found, expected)) in found.into_iter().zip(expected).enumerate() {
        let found = found.unwrap();
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(&expected) {
            let number_of = |bytes: &[u8]| f32::from_le_bytes(bytes.try_into().unwrap());
            let pairs = found.chunks_exact(4).zip(expected.chunks_exact(4));
            let pairs = pairs.map(|(found, expected)| (number_of(found), number_of(expected)));
            for (found, expected) in pairs {
                let error = (found - expected).abs();
                assert!(error <= 1e-5 + 1e-4 * expected.abs(), "{number}: {found}, {expected}");
            }
        }
    }
}

/// Exports a function, and computes its outputs.
fn exported<I: Module + Clone, O: Module + Clone>(
    models: &mut Vec<runtime::Model>,
    expected: &mut Vec<Vec<Vec<u8>>>,
    inputs: &I,
    function: impl Fn(&I) -> O,
) {
    let model = trace(inputs, &function).to_onnx().unwrap_or_else(|error| panic!("{error}"));
    models.push((model, element_bytes(inputs)));
    expected.push(element_bytes(&function(inputs)));
}

#[test]
fn generic_models_take_any_shape() {
    let mut printed = Vec::new();
    let losses = generic_models::run(&mut printed).unwrap();
    assert!(losses[losses.len() - 1] < 0.5 * losses[0], "{losses:?}");
    let printed = String::from_utf8(printed).unwrap();
    let shapes: Vec<&str> = printed.lines().skip(1).collect();
    let expected = [
        "images [16, 3, 16, 16], scores [16, 10]",
        "image [3, 20, 12], scores [10]",
        "views [16, 5, 3, 8, 8], scores [16, 5, 10]",
        "tokens [4, 9], vectors [4, 9, 64], sentences [4, 64]",
        "tokens [32], vectors [32, 64], sentence [64]",
    ];
    assert_eq!(shapes, expected);
}

#[test]
fn arguments() {
    use digits_cnn::training::Options;
    let parse =
        |arguments: &[&str]| Options::new("digits_cnn", 100).parse(arguments.iter().copied());
    let error = |arguments: &[&str]| parse(arguments).err().unwrap().to_string();
    assert_eq!(error(&["--steps", "many"]), "expected a number after `--steps`, found `many`");
    assert_eq!(error(&["--load"]), "missing argument for option '--load'");
    assert_eq!(
        error(&["--engine", "xlb"]),
        "expected `kernels` or `xla` after `--engine`, found `xlb`"
    );
    assert_eq!(error(&["--speed", "9"]), "invalid option '--speed'");
    assert_eq!(error(&["a.csv", "b.csv"]), "unexpected argument \"b.csv\"");
    assert!(parse(&["--help"]).unwrap().is_none());

    let options = parse(&["--save", "a", "--folder", "b", "--steps", "7", "c"]).unwrap().unwrap();
    assert_eq!(options.save, PathBuf::from("a"));
    assert_eq!(options.folder, PathBuf::from("b"));
    assert_eq!((options.steps, options.data), (7, Some(PathBuf::from("c"))));
}

#[test]
fn files_that_hold_no_names() {
    let folder = folder("no-names");
    let complaint = |text: &str| {
        let mut options = names::training::Options::new("names", 1);
        let file = folder.join("names.txt");
        fs::write(&file, text).unwrap();
        options.data = Some(file.clone());
        let message = names::run(&options, &mut std::io::sink()).err().unwrap().to_string();
        message.strip_prefix(&format!("{}: ", file.display())).unwrap().to_string()
    };
    let expected = "expected a name of 1 to 13 letters from a to z, found";
    assert_eq!(complaint("anna\nBea\n"), format!("line 2: {expected} `Bea`"));
    assert_eq!(complaint("anna\n\nbea\n"), format!("line 2: {expected} ``"));
    assert_eq!(complaint("abcdefghijklmn\n"), format!("line 1: {expected} `abcdefghijklmn`"));
    assert_eq!(complaint("anna\nbea\n"), "expected at least 10 names, found 2");
}
