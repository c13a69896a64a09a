//! What the crate costs those who build it.
//!
//! ```text
//! cargo bench -p tensor-benchmarks --bench costs                 everything: some minutes
//! cargo bench -p tensor-benchmarks --bench costs -- digits       some parts: digits, crate, operation
//! cargo bench -p tensor-benchmarks --bench costs -- exp --quick  some operations, compiled once each
//! ```
//!
//! `digits` is the size of the example of that name, a release build without symbols. `crate` is a
//! clean release build of the crate with two jobs, its dependencies included. `operation` is what one
//! operation on new shapes adds to a release build and to its program: programs of some and of twice
//! as many operations take turns, and the difference is divided. Its times are those on processors,
//! which other programs do not change.

mod measure;

use std::fmt::Write as _;

use measure::programs::{Cost, Package, bytes, cargo, folder, root};
use measure::{least, median};

/// Operations in the smaller program.
const OPERATIONS: usize = 40;
/// How often each program is compiled, and how often with `--quick`.
const RUNS: [usize; 2] = [5, 1];

/// An operation in a generated program.
struct Operation {
    name: &'static str,
    /// The types of the operands, for the sizes of the axes.
    operands: fn([usize; 3]) -> Vec<String>,
    /// The operation on `a`, `b` and `c`.
    work: &'static str,
}

fn tensor(shape: &str) -> String {
    format!("&tensor_core::Tensor<tensor_core::shape![{shape}]>")
}

const OPERATIONS_OF_ALL_KINDS: [Operation; 11] = [
    Operation {
        name: "a + b, same shape",
        operands: |[x, y, z]| vec![tensor(&format!("{x}, {y}, {z}")); 2],
        work: "a + b",
    },
    Operation {
        name: "a + b, row",
        operands: |[x, y, z]| vec![tensor(&format!("{x}, {y}, {z}")), tensor(&z.to_string())],
        work: "a + b",
    },
    Operation {
        name: "a + b, both stretch",
        operands: |[x, y, z]| {
            vec![tensor(&format!("{x}, 1, {z}, 1")), tensor(&format!("{y}, 1, {x}"))]
        },
        work: "a + b",
    },
    Operation {
        // Shapes that differ in axes of size 1, too: there are not so many sizes up to 16.
        name: "a + b, up to 16 elements",
        operands: |[number, ..]| {
            let (size, before, after) = (number % 15 + 2, number / 15 % 4, number / 60);
            let ones = |count| "1, ".repeat(count);
            vec![tensor(&format!("{}{size}, {}", ones(before), ones(after))); 2]
        },
        work: "a + b",
    },
    Operation {
        name: "a.exp()",
        operands: |[x, y, z]| vec![tensor(&format!("{x}, {y}, {z}"))],
        work: "a.exp()",
    },
    Operation {
        name: "a.sum_axis::<0>()",
        operands: |[x, y, z]| vec![tensor(&format!("{x}, {y}, {z}"))],
        work: "a.sum_axis::<0>()",
    },
    Operation {
        name: "a.softmax::<-1>()",
        operands: |[x, y, z]| vec![tensor(&format!("{x}, {y}, {z}"))],
        work: "a.softmax::<-1>()",
    },
    Operation {
        name: "a.matmul(b)",
        operands: |[x, y, z]| vec![tensor(&format!("{x}, {y}")), tensor(&format!("{y}, {z}"))],
        work: "a.matmul(b)",
    },
    Operation {
        name: "select(a.is_nan(), a, b)",
        operands: |[x, y, z]| vec![tensor(&format!("{x}, {y}, {z}")), tensor(&z.to_string())],
        work: "tensor_core::select(a.is_nan(), a, b)",
    },
    Operation {
        name: "zip_with3 with a closure of its own",
        operands: |[x, y, z]| {
            let row = tensor(&z.to_string());
            vec![tensor(&format!("{x}, {y}, {z}")), row.clone(), row]
        },
        work: "tensor_core::zip_with3(a, b, c, |x, w, b| x * w + b)",
    },
    Operation {
        name: "gelu(x * w + b), closure of its own",
        operands: |[x, y, z]| {
            let row = tensor(&z.to_string());
            vec![tensor(&format!("{x}, {y}, {z}")), row.clone(), row]
        },
        work: "tensor_core::zip_with3(a, b, c, #[inline(always)] |x, w, b| \
               tensor_core::Float::gelu_tanh(x * w + b))",
    },
];

/// A program with so many operations, each on shapes of its own and in a function of its own.
fn program(operation: &Operation, count: usize) -> String {
    let (mut functions, mut calls) = (String::new(), String::new());
    for number in 0..count {
        let small = operation.name.contains("up to 16");
        let sizes = [7, 11, 13].map(|step| 17 + (number + 1) * step % 997);
        let operands = (operation.operands)(if small { [number; 3] } else { sizes });
        let parameters: Vec<String> = operands
            .iter()
            .zip(["a", "b", "c"])
            .map(|(ty, name)| format!("{name}: {ty}"))
            .collect();
        let work = operation.work;
        let parameters = parameters.join(", ");
        let _ = writeln!(functions, "fn f{number}({parameters}) {{ black_box(&({work})); }}");
        let places = vec!["_"; operands.len()].join(", ");
        let _ = writeln!(calls, "    black_box(f{number} as fn({places}));");
    }
    format!("use std::hint::black_box;\n{functions}fn main() {{\n{calls}}}\n")
}

fn verdict(reached: bool) -> &'static str {
    if reached { "yes" } else { "NO" }
}

/// What one operation of each kind costs.
fn operations(parts: &[String]) {
    let runs = RUNS[usize::from(std::env::args().any(|argument| argument == "--quick"))];
    let package = Package::new("costs");
    println!(
        "\n{:<38}{:>10}{:>12}{:>12}{:>10}  reached",
        "one more operation on new shapes", "check, ms", "release, ms", "clock, ms", "bytes"
    );
    let wanted = |name: &str| parts.iter().any(|part| part == "operation" || name.contains(part));
    for operation in &OPERATIONS_OF_ALL_KINDS {
        if !parts.is_empty() && !wanted(operation.name) {
            continue;
        }
        let programs = [OPERATIONS, 2 * OPERATIONS].map(|count| program(operation, count));
        let (mut checks, mut builds, mut sizes) = ([vec![], vec![]], [vec![], vec![]], [0; 2]);
        for run in 0..=runs {
            for (i, program) in programs.iter().enumerate() {
                let check = package.time(program, &["check"]);
                let build = package.time(program, &["build", "--release"]);
                sizes[i] = package.bytes();
                // The first run compiles what all programs depend on.
                if run > 0 {
                    checks[i].push(check);
                    builds[i].push(build);
                }
            }
        }
        let one = |costs: &[Vec<Cost>; 2], time: fn(&Cost) -> f64| {
            let [few, many] = [&costs[0], &costs[1]].map(|costs| median(costs.iter().map(time)));
            (many - few) / OPERATIONS as f64
        };
        let check = one(&checks, |cost| cost.processor);
        let build = one(&builds, |cost| cost.processor);
        let clock = one(&builds, |cost| cost.clock);
        let bytes = (sizes[1] as f64 - sizes[0] as f64) / OPERATIONS as f64;
        let reached = verdict(build < 15.0 && bytes < 4096.0);
        let name = operation.name;
        println!("{name:<38}{check:>10.1}{build:>12.1}{clock:>12.1}{bytes:>10.0}  {reached}");
    }
}

/// A clean release build of the crate.
fn clean_build() {
    let target = folder("costs-clean");
    cargo(root(), &target, &["fetch"]);
    let costs = [(); 3].map(|()| {
        std::fs::remove_dir_all(&target).expect("a folder that can be removed");
        cargo(root(), &target, &["build", "--release", "--package", "tensor-core", "--jobs", "2"])
    });
    let clock = least(&costs.map(|cost| cost.clock / 1e3));
    let processor = median(costs.map(|cost| cost.processor / 1e3));
    println!(
        "clean release build, 2 jobs: {clock:.1} s at least, {processor:.1} s on processors, \
         below 45 s: {}",
        verdict(clock < 45.0)
    );
}

/// The size of the example.
fn digits() {
    let target = folder("costs-digits");
    cargo(root(), &target, &["build", "--release", "--example", "digits"]);
    let megabytes = bytes(&target.join("release/examples/digits")) as f64 / 1e6;
    println!("digits: {megabytes:.2} MB, below 3 MB: {}", verdict(megabytes < 3.0));
}

fn main() {
    // `cargo test --benches` and `cargo bench -- --test` only ask whether this starts.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let parts: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let wants = |name: &str| parts.is_empty() || parts.iter().any(|part| part == name);
    if wants("digits") {
        digits();
    }
    if wants("crate") {
        clean_build();
    }
    if parts.iter().any(|part| part != "digits" && part != "crate") || parts.is_empty() {
        operations(&parts);
    }
}
