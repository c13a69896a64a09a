//! How long the compiler takes to check 1,000 broadcasts of rank 4, more than an empty program.
//!
//! ```text
//! cargo bench -p tensor-benchmarks --bench compile_time
//! ```
//!
//! Programs are generated and checked several times without incremental compilation; the table
//! gives the medians. One program names the types that `Broadcasted` computes and compares each with
//! the shape that it should be; the others add two tensors, whose result they leave to the compiler
//! or write out, too.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How often each program is checked.
const RUNS: usize = 7;
const BROADCASTS: u64 = 1000;

/// How a broadcast is written.
#[derive(Clone, Copy)]
enum Form {
    Types,
    Additions,
    AdditionsWithResults,
}

/// One function for each broadcast: the sizes differ from function to function, some axes stretch,
/// some are missing.
fn program(broadcasts: u64, form: Form) -> String {
    let mut text = String::from("pub fn main() {}\n");
    for number in 0..broadcasts {
        let sizes = [7, 11, 13, 17].map(|step| 2 + number * step % 997);
        let stretched = |bit: u64, size: u64| if number >> bit & 1 == 1 { 1 } else { size };
        let left: Vec<u64> = (0..4).map(|axis| stretched(axis, sizes[axis as usize])).collect();
        let right: Vec<u64> = (0..4)
            .map(|axis| {
                if left[axis] == 1 { sizes[axis] } else { stretched(axis as u64 + 4, sizes[axis]) }
            })
            .skip((number % 3) as usize)
            .collect();
        // A missing axis must not be one that the left side stretches.
        let left = [&sizes[..4 - right.len()], &left[4 - right.len()..]].concat();
        let [left, right, result] =
            [&left[..], &right, &sizes].map(|sizes| format!("tensor_core::shape!{sizes:?}"));
        let operands = format!("a: &tensor_core::Tensor<{left}>, b: &tensor_core::Tensor<{right}>");
        let _ = match form {
            Form::Types => writeln!(
                text,
                "pub fn f{number}(shape: tensor_core::broadcast::Broadcasted<{left}, {right}>) -> {result} {{ shape }}"
            ),
            Form::Additions => {
                writeln!(text, "pub fn f{number}({operands}) {{ let _ = a + b; }}")
            }
            Form::AdditionsWithResults => writeln!(
                text,
                "pub fn f{number}({operands}) -> tensor_core::Tensor<{result}> {{ a + b }}"
            ),
        };
    }
    text
}

/// A package in the target folder that depends on tensor-core.
fn package(root: &Path) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compile_time");
    std::fs::create_dir_all(folder.join("src")).expect("a writable target folder");
    let manifest = format!(
        "[package]\nname = \"compile-time\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
         [dependencies]\ntensor-core = {{ path = {:?} }}\n[workspace]\n",
        root.join("tensor-core")
    );
    std::fs::write(folder.join("Cargo.toml"), manifest).expect("a writable target folder");
    std::fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).expect("a lock file");
    folder
}

fn check(folder: &Path) -> Duration {
    let start = Instant::now();
    let status = Command::new(env!("CARGO"))
        .args(["check", "--quiet", "--offline"])
        .current_dir(folder)
        .env("CARGO_INCREMENTAL", "0")
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .stdout(Stdio::null())
        .status()
        .expect("cargo starts");
    assert!(status.success(), "the generated program compiles");
    start.elapsed()
}

fn median(folder: &Path, program: &str) -> Duration {
    let mut times: Vec<Duration> = (0..=RUNS)
        .map(|_| {
            std::fs::write(folder.join("src/main.rs"), program).expect("a writable file");
            check(folder)
        })
        // The first run also builds the dependencies.
        .skip(1)
        .collect();
    times.sort();
    times[RUNS / 2]
}

fn main() {
    // `cargo test --benches` and `cargo bench -- --test` only ask whether this starts.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a package in the workspace");
    let folder = package(root);
    let empty = median(&folder, &program(0, Form::Types));
    println!("{:<64}{:>6.0} ms", "empty program", empty.as_secs_f64() * 1e3);
    for (form, title) in [
        (Form::Types, "as types, with their results"),
        (Form::Additions, "as additions of tensors"),
        (Form::AdditionsWithResults, "as additions, with their results"),
    ] {
        let full = median(&folder, &program(BROADCASTS, form));
        let title = format!("{BROADCASTS} broadcasts of rank 4 more, {title}");
        println!("{title:<64}{:>6.0} ms", (full - empty).as_secs_f64() * 1e3);
    }
}
