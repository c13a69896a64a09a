//! The time of a release build after one line of a program changed, with all dependencies built.

use crate::measure::median;
use crate::measure::programs::{Package, TENSOR_CORE, root};
use crate::report;
use crate::wanted::Wanted;

/// A program with ours, and its twin with ndarray.
struct Program {
    name: &'static str,
    ours: String,
    peer: Option<String>,
    /// Seconds on processors.
    limit: Option<f64>,
    /// Whether the empty program is subtracted.
    is_more: bool,
}

const OPERANDS: &str = "use tensor_core::{Tensor, shape};
pub type Matrix = Tensor<shape![64, 64]>;
fn main() {
    let x = std::hint::black_box(Matrix::ones());
";

const ARRAYS: &str = "use ndarray::{Array2, Axis, Zip};
fn main() {
    let x = std::hint::black_box(Array2::<f32>::ones((64, 64)));
";

/// Statements that keep the results, so that nothing is left out.
fn with_results(head: &str, results: &[&str]) -> String {
    let head = if results.len() == 1 {
        head.replace("{Array2, Axis, Zip}", "Array2")
    } else {
        head.into()
    };
    let lines = results.iter().map(|result| format!("    std::hint::black_box(&{result});\n"));
    head + &lines.collect::<String>() + "}\n"
}

const SEVEN: [&str; 7] = [
    "(&x + &x)",
    "(&x * &x)",
    "x.exp()",
    "x.softmax::<-1>()",
    "x.sum_axis::<0>()",
    "x.matmul(&x)",
    "tensor_core::select(x.greater(0.5), &x, 0.0)",
];

const SEVEN_OF_NDARRAY: [&str; 7] = [
    "(&x + &x)",
    "(&x * &x)",
    "x.mapv(f32::exp)",
    "{
        let largest = x.fold_axis(Axis(1), f32::NEG_INFINITY, |a, b| a.max(*b));
        let exponentials = (&x - &largest.insert_axis(Axis(1))).mapv(f32::exp);
        let sums = exponentials.sum_axis(Axis(1)).insert_axis(Axis(1));
        exponentials / sums
    }",
    "x.sum_axis(Axis(0))",
    "x.dot(&x)",
    "{
        let mask = x.mapv(|x| x > 0.5);
        Zip::from(&mask).and(&x).map_collect(|is, x| if *is { *x } else { 0.0 })
    }",
];

/// The programs; the empty one comes first.
fn programs() -> [Program; 5] {
    let empty = "fn main() {}\n".to_string();
    let network = |name| read(&format!("benches/costs/{name}.rs"));
    [
        Program {
            name: "rebuild: empty main",
            ours: empty.clone(),
            peer: Some(empty),
            limit: None,
            is_more: false,
        },
        Program {
            name: "rebuild: one `&x + &x`, more than empty",
            ours: with_results(OPERANDS, &SEVEN[..1]),
            peer: Some(with_results(ARRAYS, &SEVEN_OF_NDARRAY[..1])),
            limit: Some(0.3),
            is_more: true,
        },
        Program {
            name: "rebuild: + * exp softmax sum matmul select, more",
            ours: with_results(OPERANDS, &SEVEN),
            peer: Some(with_results(ARRAYS, &SEVEN_OF_NDARRAY)),
            limit: Some(1.5),
            is_more: true,
        },
        Program {
            name: "rebuild: digits",
            ours: read("examples/digits/main.rs"),
            peer: None,
            limit: Some(4.0),
            is_more: false,
        },
        Program {
            name: "rebuild: network",
            ours: network("network"),
            peer: Some(network("network_ndarray")),
            limit: None,
            is_more: false,
        },
    ]
}

/// A file of the repository.
fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).expect("a file of the repository")
}

/// A package with what `examples/digits` depends on.
fn package_of_digits() -> Package {
    let dependencies = format!("{TENSOR_CORE}\nindicatif = \"0.18\"");
    let package = Package::with("costs-digits", &dependencies);
    for module in ["data.rs", "show.rs", "../usage/mod.rs", "../data/mod.rs"] {
        package.add(module, &read(&format!("examples/digits/{module}")));
    }
    package
}

/// Programs that take turns, each with a line that is new.
pub fn rows(wanted: &Wanted) {
    let programs = programs();
    let size = "size: digits";
    let is_measured: Vec<bool> = programs.iter().map(|program| wanted.has(program.name)).collect();
    let subtracts = programs.iter().zip(&is_measured).any(|(program, is)| *is && program.is_more);
    let (ours, peers) =
        (Package::new("costs"), Package::with("costs-ndarray", "ndarray = \"0.17\""));
    let digits = package_of_digits();
    let package_of =
        |program: &Program| if program.name.ends_with("digits") { &digits } else { &ours };
    let build = ["build", "--release"];
    let runs = if is_measured.contains(&true) { wanted.runs } else { 0 };
    if runs > 0 {
        for package in [&ours, &peers, &digits] {
            package.time("fn main() {}\n", &build);
        }
    }
    let mut times = [(); 5].map(|()| (Vec::new(), Vec::new()));
    for run in 0..runs {
        let line = format!("#[used]\nstatic LINE: usize = {run};\n");
        for (i, program) in programs.iter().enumerate() {
            let is_subtracted = i == 0 && subtracts;
            if !(is_measured[i] || is_subtracted) {
                continue;
            }
            let text = format!("{}{line}", program.ours);
            times[i].0.push(package_of(program).time(&text, &build).processor / 1e3);
            if let Some(peer) = &program.peer {
                times[i].1.push(peers.time(&format!("{peer}{line}"), &build).processor / 1e3);
            }
        }
    }
    let medians = times.map(|(ours, peers)| (median(ours), median(peers)));
    for (i, program) in programs.iter().enumerate() {
        if !is_measured[i] {
            continue;
        }
        let (less, less_of_peer) = if program.is_more { medians[0] } else { (0.0, 0.0) };
        let peer = program.peer.as_ref().map(|_| medians[i].1 - less_of_peer);
        report::row(program.name, "s", medians[i].0 - less, peer, program.limit);
    }
    if wanted.has(size) {
        digits.time(&programs[3].ours, &build);
        report::row(size, "MB", digits.bytes() as f64 / 1e6, None, Some(3.0));
    }
}
