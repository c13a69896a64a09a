//! The time of models in Rust, compared with onnxruntime, each on one thread.
//!
//! ```text
//! ONNX_CASES=$PWD/target/onnx-cases PYTHONPATH=$PWD/target/onnx-packages \
//!     cargo test --workspace --test onnx -- --ignored --nocapture speed
//! ```

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::compiler;
use crate::{Case, cases};

/// The beginnings of the names of the models: those of `tools/onnx_models.py`.
const MODELS: [&str; 6] =
    ["silero", "magika", "basic_pitch", "rapidocr", "minilm", "paraphrase_minilm"];

/// Prints the name of a model, and the seconds of its fastest run.
const FASTEST: &str = "
/// The fastest of the runs of a second.
pub fn fastest(name: &str, mut run: impl FnMut()) {
    let (start, mut best) = (std::time::Instant::now(), f64::INFINITY);
    for number in 0.. {
        let before = std::time::Instant::now();
        run();
        best = best.min(before.elapsed().as_secs_f64());
        if number > 20 && start.elapsed().as_secs_f64() > SECONDS {
            break;
        }
    }
    println!(\"{name} {best}\");
}
";

/// The seconds for which each model runs.
const SECONDS: f64 = 3.0;

#[test]
#[ignore = "prints a table"]
fn speed() {
    let folder = std::env::var_os("ONNX_CASES").expect("ONNX_CASES, which `.ci/run onnx` sets");
    let only = std::env::var("ONNX_ONLY").unwrap_or_default();
    // Those of fixed sizes.
    let is_model = |case: &Case| {
        let is_open = case.name.ends_with("_free") || case.name.ends_with("_batch");
        let is_named = MODELS.iter().any(|model| case.name.starts_with(model));
        is_named && !is_open && case.name.contains(&only)
    };
    let models: Vec<Case> = cases(Path::new(&folder)).into_iter().filter(is_model).collect();
    let package = package(&models);
    let build = ["run", "--release", "--quiet", "--offline"];
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(&package).args(build).env("RAYON_NUM_THREADS", "1");
    cargo.env("CARGO_TARGET_DIR", compiler::folder("onnx_speed_target"));
    let ours = seconds(&mut cargo);
    let mut python = Command::new("python3");
    python.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tools/onnx_speed.py"));
    python.arg(SECONDS.to_string()).args(models.iter().map(|case| &case.folder));
    let theirs = seconds(&mut python);
    println!("| model | onnxruntime | Rust | ratio |\n| --- | --- | --- | --- |");
    for (case, (ours, theirs)) in models.iter().zip(ours.iter().zip(&theirs)) {
        let [theirs_ms, ours_ms] = [theirs, ours].map(|seconds| format!("{:.2} ms", 1e3 * seconds));
        println!("| {} | {theirs_ms} | {ours_ms} | {:.2} |", case.name, ours / theirs);
    }
}

/// The last word of each line that a program prints.
fn seconds(command: &mut Command) -> Vec<f64> {
    let output = command.output().expect("it starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("text");
    let last = |line: &str| line.split(' ').next_back()?.parse().ok();
    text.lines().filter_map(last).collect()
}

/// A package that runs the models.
fn package(models: &[Case]) -> std::path::PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let package = compiler::folder("onnx_speed");
    fs::create_dir_all(package.join("src")).expect("a folder");
    fs::copy(root.join("Cargo.lock"), package.join("Cargo.lock")).expect("a file");
    let mut text = format!(
        "#![allow(dead_code, unused_imports, clippy::all)]\nconst SECONDS: f64 = {SECONDS:?};\n{FASTEST}mod runtime {{\n"
    );
    text += include_str!("runtime.rs").split_once("\n\n").expect("a comment").1;
    text += "}\n";
    let mut main = "fn main() {\n".to_owned();
    for case in models {
        let conversion = case.convert().unwrap_or_else(|error| panic!("{}: {error}", case.name));
        let weights = conversion.weights().expect("weights");
        fs::write(case.folder.join("model.safetensors"), weights).expect("a file");
        let (open, call) = case.call(&conversion, |number| format!("&x{number}"));
        let inputs: String = (case.parameters(&conversion).iter())
            .map(|number| format!("let x{number} = data.input({number});\n"))
            .collect();
        let Case { name, folder, .. } = case;
        text += &format!(
            "mod {name} {{\n{}\npub fn run() {{\nlet folder = std::path::Path::new({folder:?});\n\
             let data = crate::runtime::Data::open(folder, 0.0, 0.0);\n{inputs}{open}\
             crate::fastest({name:?}, || drop(std::hint::black_box({call})));\n}}\n}}\n",
            conversion.source()
        );
        main += &format!("{}::run();\n", case.name);
    }
    text += &main;
    text += "}\n";
    let [core, nn] = ["tensor-core", "tensor-nn"].map(|name| root.join(name));
    let mut manifest = format!(
        "[package]\nname = \"speed\"\nedition = \"2024\"\n\n[workspace]\n\n\
         [dependencies]\ntensor-core = {{ path = {core:?}, features = [\"safetensors\"] }}\n"
    );
    if text.contains("tensor_nn::") {
        manifest += &format!("tensor-nn = {{ path = {nn:?} }}\n");
    }
    fs::write(package.join("Cargo.toml"), manifest).expect("a file");
    fs::write(package.join("src/main.rs"), text).expect("a file");
    package
}
