//! The programs of `tests/ui/pass` compile and run, each as a separate crate.
//!
//! As programs of trybuild they would have `tensor-core` compiled once more.

mod compiler;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use compiler::{Compiler, folder};

/// The report about a program that does not compile, or panics.
fn complaint(compiler: &Compiler, layers: &Path, source: &Path) -> Option<String> {
    let name = source.file_stem()?.to_str()?;
    let program = folder("accepted").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let mut rustc = compiler.rustc("tensor_core");
    rustc.args(["-C", "codegen-units=1", "-A", "warnings"]).arg("-o").arg(&program).arg(source);
    rustc.arg("--extern").arg(format!("tensor_nn={}", layers.display()));
    for command in [&mut rustc, &mut Command::new(&program)] {
        let output = command.output().unwrap_or_else(|error| panic!("{name}: {error}"));
        if !output.status.success() {
            return Some(format!("{name}: {}", String::from_utf8_lossy(&output.stderr)));
        }
    }
    None
}

#[test]
fn accepted_programs_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let entries = fs::read_dir(root.join("tests/ui/pass")).expect("the folder");
    let programs: Vec<PathBuf> = entries.map(|entry| entry.expect("a program").path()).collect();
    assert!(!programs.is_empty());
    let compiler = Compiler::new("accepted");
    let layers = Compiler::of_library("accepted", "tensor_nn");
    let complaint = |program: &PathBuf| complaint(&compiler, layers.library(), program);
    let complaints =
        |programs: &[PathBuf]| programs.iter().filter_map(complaint).collect::<Vec<_>>();
    let (some, others) = programs.split_at(programs.len() / 2);
    let complaints = thread::scope(|scope| {
        let some = scope.spawn(|| complaints(some));
        [complaints(others), some.join().expect("no panic")].concat()
    });
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
