//! The time that one operation on new shapes adds to a release build, and the bytes that it adds to
//! the program.

use std::fmt::Write as _;

use crate::measure::median;
use crate::measure::programs::{Cost, Package};
use crate::report::verdict;
use crate::wanted::Wanted;

/// Operations in the smaller program.
const OPERATIONS: usize = 40;

/// An operation in a generated program.
struct Operation {
    name: &'static str,
    /// The types of the operands, for the sizes of the axes.
    operands: fn([usize; 3]) -> Vec<String>,
    /// The operation on `a`, `b` and `c`.
    work: &'static str,
    /// Milliseconds on processors that one more may add to a release build.
    limit: f64,
}

/// Limits of operations that are compiled in the crate, and of those with a closure of the program.
const KNOWN: f64 = 10.0;
const CLOSURE: f64 = 80.0;
/// Bytes that one more may add to the program.
const BYTES: f64 = 4096.0;

fn tensor(shape: &str) -> String {
    format!("&tensor_core::Tensor<tensor_core::shape![{shape}]>")
}

fn one([x, y, z]: [usize; 3]) -> Vec<String> {
    vec![tensor(&format!("{x}, {y}, {z}"))]
}

/// A tensor, and one with its last axis.
fn with_row([x, y, z]: [usize; 3]) -> Vec<String> {
    vec![tensor(&format!("{x}, {y}, {z}")), tensor(&z.to_string())]
}

const OPERATIONS_OF_ALL_KINDS: [Operation; 17] = [
    Operation {
        name: "a + b, same shape",
        operands: |[x, y, z]| vec![tensor(&format!("{x}, {y}, {z}")); 2],
        work: "a + b",
        limit: KNOWN,
    },
    Operation { name: "a + b, row", operands: with_row, work: "a + b", limit: KNOWN },
    Operation {
        name: "a + b, both stretch",
        operands: |[x, y, z]| {
            vec![tensor(&format!("{x}, 1, {z}, 1")), tensor(&format!("{y}, 1, {x}"))]
        },
        work: "a + b",
        limit: KNOWN,
    },
    Operation {
        // Shapes that differ in axes of size 1, too: there are not enough sizes up to 16.
        name: "a + b, up to 16 elements",
        operands: |[number, ..]| {
            let (size, before, after) = (number % 15 + 2, number / 15 % 4, number / 60);
            let ones = |count| "1, ".repeat(count);
            vec![tensor(&format!("{}{size}, {}", ones(before), ones(after))); 2]
        },
        work: "a + b",
        limit: KNOWN,
    },
    Operation { name: "a.exp()", operands: one, work: "a.exp()", limit: KNOWN },
    Operation { name: "a.sum_axis::<0>()", operands: one, work: "a.sum_axis::<0>()", limit: KNOWN },
    Operation { name: "a.softmax::<-1>()", operands: one, work: "a.softmax::<-1>()", limit: KNOWN },
    Operation {
        name: "a.matmul(b)",
        operands: |[x, y, z]| vec![tensor(&format!("{x}, {y}")), tensor(&format!("{y}, {z}"))],
        work: "a.matmul(b)",
        limit: KNOWN,
    },
    Operation {
        name: "select(mask, a, b)",
        operands: |[x, y, z]| {
            let mask = format!("&tensor_core::Tensor<tensor_core::shape![{x}, {y}, {z}], bool>");
            vec![mask, tensor(&format!("{x}, {y}, {z}")), tensor(&z.to_string())]
        },
        work: "tensor_core::select(a, b, c)",
        limit: KNOWN,
    },
    Operation { name: "a.clamp(0, b)", operands: with_row, work: "a.clamp(0.0, b)", limit: KNOWN },
    Operation { name: "a.cast::<f64>()", operands: one, work: "a.cast::<f64>()", limit: KNOWN },
    Operation { name: "a.powi(3)", operands: one, work: "a.powi(3)", limit: KNOWN },
    Operation { name: "a.transpose()", operands: one, work: "a.transpose()", limit: KNOWN },
    Operation {
        name: "a.concat::<0, _>(b)",
        operands: |[x, y, z]| vec![tensor(&format!("{x}, {z}")), tensor(&format!("{y}, {z}"))],
        work: "a.concat::<0, _>(b)",
        limit: KNOWN,
    },
    Operation {
        name: "zip_with3 with a closure of its own",
        operands: |[x, y, z]| {
            let row = tensor(&z.to_string());
            vec![tensor(&format!("{x}, {y}, {z}")), row.clone(), row]
        },
        work: "tensor_core::zip_with3(a, b, c, |x, w, b| x * w + b)",
        limit: CLOSURE,
    },
    Operation {
        name: "gelu(x * w + b), closure of its own",
        operands: |[x, y, z]| {
            let row = tensor(&z.to_string());
            vec![tensor(&format!("{x}, {y}, {z}")), row.clone(), row]
        },
        work: "tensor_core::zip_with3(a, b, c, #[inline(always)] |x, w, b| \
               tensor_core::Float::gelu_tanh(x * w + b))",
        limit: CLOSURE,
    },
    Operation {
        name: "fuse!(a * b + c)",
        operands: |[x, y, z]| {
            let row = tensor(&z.to_string());
            vec![tensor(&format!("{x}, {y}, {z}")), row.clone(), row]
        },
        work: "tensor_core::fuse!(a * b + c)",
        limit: CLOSURE,
    },
];

/// A program with `count` operations, each on different shapes and in a separate function.
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

/// Programs of `n` and of `2 n` operations take turns; the cost of one is the difference over `n`.
pub fn rows(wanted: &Wanted) {
    let operations: Vec<&Operation> = OPERATIONS_OF_ALL_KINDS
        .iter()
        .filter(|operation| wanted.has(&format!("operation: {}", operation.name)))
        .collect();
    if operations.is_empty() {
        return;
    }
    let package = Package::new("costs");
    // The dependencies of all programs.
    for command in [&["check"][..], &["build", "--release"]] {
        package.time("fn main() {}\n", command);
    }
    println!(
        "\n{:<38}{:>10}{:>12}{:>12}{:>10}{:>8}  reached",
        "one more operation on new shapes",
        "check, ms",
        "release, ms",
        "clock, ms",
        "bytes",
        "limit"
    );
    for operation in operations {
        let programs = [OPERATIONS, 2 * OPERATIONS].map(|count| program(operation, count));
        let (mut checks, mut builds, mut sizes) = ([vec![], vec![]], [vec![], vec![]], [0; 2]);
        for _ in 0..wanted.runs {
            for (i, program) in programs.iter().enumerate() {
                checks[i].push(package.time(program, &["check"]));
                builds[i].push(package.time(program, &["build", "--release"]));
                sizes[i] = package.bytes();
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
        let Operation { name, limit, .. } = operation;
        let reached = verdict(build <= *limit && bytes < BYTES);
        println!(
            "{name:<38}{check:>10.1}{build:>12.1}{clock:>12.1}{bytes:>10.0}{limit:>8.0}  {reached}"
        );
    }
}
