//! The programs that add shapes: those in Rust compile and run, or rustc refuses them with the message that is predicted.

use std::fs;
use std::process::Command;

use tensor_core::explain::{Explanation, Library, Repair};

use crate::compiler::{Compiler, folder};
use crate::corpus::ROOT;
use crate::{cases, explained};

/// Those with names, with large sizes, and of more than two shapes.
const OTHERS: [&str; 17] = [
    "shape![Batch, 1, 3] (4, 1)",
    "shape![Batch(32), 10] shape![Seq(32), 1]",
    "x = (Batch(32), 3)  y = (32, 3)",
    "(Batch, 3) (Batch(5), 1)",
    "(Batch, Seq) (Batch)",
    "(3) (Batch, 4)",
    "logits = (50257,)  bias = (50304,)",
    "(60000, 784) (784)",
    "(9999) (10000)",
    "(1000000) (7000000)",
    "(2, 3) (3) (4)",
    "(2, 1) (3) (4, 1, 1)",
    "(5, 1) (7) (4) (5)",
    "(2, 3, 4, 5, 6) (2, 3, 1, 6, 6)",
    "() ()",
    "(2, 3) (2, 3) (0)",
    "(Batch(2)) (1) (Batch, 1, 1) (7, 1)",
];

/// The changes whose results are small enough to be computed.
fn small_repairs(explanation: &Explanation) -> Vec<Repair> {
    let mut repairs = explanation.repairs();
    repairs
        .retain(|repair| repair.result.iter().map(|axis| axis.size).product::<usize>() < 1 << 20);
    repairs
}

/// The shapes of the articles in the corpus, and those above.
fn programs() -> Vec<Explanation> {
    let articles = cases().into_iter().filter(|(id, ..)| id.contains("_seed"));
    let articles = articles.map(|(_, shapes, _)| explained(&shapes));
    articles.chain(OTHERS.map(|text| text.parse().unwrap())).collect()
}

#[test]
fn programs_compile_and_run_or_are_refused_with_the_message() {
    let compiler = Compiler::new("explain");
    let mut accepted = String::new();
    let (mut calls, mut expected, mut refused) = (String::new(), String::new(), 0);
    let mut accept = |program: &str, result: &[usize]| {
        let number = expected.lines().count();
        let program = program.replace("fn main", "pub fn main");
        accepted += &format!("mod p{number} {{\n{program}}}\n");
        calls += &format!("p{number}::main();\n");
        expected += &format!("{result:?}\n");
    };
    for explanation in programs() {
        let program = explanation.program(Library::TensorCore, None);
        match explanation.compiler_message() {
            None => accept(&program, &explanation.result().unwrap()),
            Some(message) => {
                refused += 1;
                let folder = folder(&format!("refused_{refused}"));
                fs::create_dir_all(folder.join("src")).unwrap();
                fs::write(folder.join("src/main.rs"), program).unwrap();
                let mut rustc = compiler.rustc("tensor_core");
                // Without the option, long types are abbreviated.
                rustc.current_dir(&folder).args(["--verbose", "src/main.rs"]);
                let output = rustc.output().unwrap();
                let found = String::from_utf8(output.stderr).unwrap();
                let end = "\nerror: aborting due to 1 previous error";
                assert_eq!(found.split(end).next(), Some(message.as_str()), "{found}");
            }
        }
        for repair in small_repairs(&explanation) {
            let sizes: Vec<_> = repair.result.iter().map(|axis| axis.size).collect();
            accept(&explanation.program(Library::TensorCore, Some(&repair)), &sizes);
        }
    }
    assert!(refused > 15 && expected.lines().count() > 40, "{refused} refused, {expected}");

    let folder = folder("programs_of_explanations");
    let (source, program) = (folder.join("main.rs"), folder.join("main"));
    fs::write(&source, format!("{accepted}fn main() {{\n{calls}}}\n")).unwrap();
    let mut rustc = compiler.rustc("tensor_core");
    rustc.args(["-D", "warnings", "-o"]).arg(&program).arg(&source);
    let output = rustc.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = Command::new(&program).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
}

#[test]
fn two_sizes_of_one_name_compile() {
    let explanation: Explanation = "(Batch(32), 3) (Batch(31), 3)".parse().unwrap();
    assert!(explanation.result().is_err());
    assert_eq!(explanation.compiler_message(), None);
    // Another axis fails first for the compiler.
    let explanation: Explanation = "(4, Batch(32)) (5, Batch(31))".parse().unwrap();
    let message = explanation.compiler_message().unwrap();
    assert!(message.contains("`Dim<4>` with one of size `Dim<5>`"), "{message}");
}

/// What Python prints is what the comment says, for each library that is installed.
#[test]
fn programs_of_python() {
    let folder = folder("programs_of_python");
    for library in [Library::NumPy, Library::PyTorch, Library::Jax] {
        let mut programs_of_library = Vec::new();
        for explanation in programs() {
            programs_of_library.push(explanation.program(library, None));
            let repairs = small_repairs(&explanation);
            programs_of_library
                .extend(repairs.iter().map(|r| explanation.program(library, Some(r))));
        }
        for program in &programs_of_library {
            let last = program.lines().last().unwrap();
            assert!(last.starts_with("print((") && last.contains(").shape)  # "), "{program}");
        }
        let file = folder.join(format!("{}.json", library.title()));
        fs::write(&file, serde_json::to_string(&programs_of_library).unwrap()).unwrap();
        let script = format!("{ROOT}/tests/explain/run.py");
        let Ok(output) = Command::new("python3").arg(script).arg(&file).output() else {
            println!("{}: skipped, python3 is not installed", library.title());
            continue;
        };
        let printed = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{printed}{}", String::from_utf8_lossy(&output.stderr));
        println!("{}: {printed}", library.title());
    }
}
