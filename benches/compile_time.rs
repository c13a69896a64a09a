//! Time of `cargo check` for 1,000 broadcasts of rank 4, above that of an empty program.
//!
//! ```text
//! cargo bench -p tensor-benchmarks --bench compile_time
//! ```
//!
//! Programs are generated and checked several times without incremental compilation; the table
//! gives the medians. One program names the types that `Broadcasted` computes and compares each with
//! the shape that it should be; the others add two tensors, whose result they leave to the compiler
//! or write out, too.

mod measure;

use std::fmt::Write as _;

use measure::programs::Package;

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

/// The median of the times that checking a program takes.
fn median(package: &Package, program: &str) -> f64 {
    // The first run also builds the dependencies.
    let times = (0..=RUNS).map(|_| package.time(program, &["check"])).skip(1);
    measure::median(times.map(|time| time.clock))
}

fn main() {
    // `cargo test --benches` and `cargo bench -- --test` only ask whether this starts.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let package = Package::new("compile_time");
    let empty = median(&package, &program(0, Form::Types));
    println!("{:<64}{empty:>6.0} ms", "empty program");
    for (form, title) in [
        (Form::Types, "as types, with their results"),
        (Form::Additions, "as additions of tensors"),
        (Form::AdditionsWithResults, "as additions, with their results"),
    ] {
        let full = median(&package, &program(BROADCASTS, form));
        let title = format!("{BROADCASTS} broadcasts of rank 4 more, {title}");
        println!("{title:<64}{:>6.0} ms", full - empty);
    }
}
