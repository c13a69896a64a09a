//! Checks whether a program passes: compiles it, and then runs it.
//!
//! Cargo compiles `tensor-core` and `tensor-nn`, once. A lesson is one file, which is passed directly to the
//! compiler: that is quick, and cargo's check whether the file is newer than its output
//! cannot give a wrong answer if it is not made.

use std::env;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

use lessons::Lesson;

use crate::folder::{Folder, make_folder};
use crate::{Problem, repository};

/// The result of a check, with the output of the program or of the compiler.
pub enum Outcome {
    /// The program compiles and its assertions hold.
    Passes(String),
    /// The program does not pass.
    Stopped(By, String),
}

/// The reason why a program does not pass.
pub enum By {
    /// It does not compile.
    Compiler,
    /// It compiles, and an assertion does not hold.
    Assertion,
}

/// Parts of the output of the compiler and of programs that do not help a learner.
const NOISE: [&str; 4] = [
    ": aborting due to ",
    "For more information about this error",
    "Some errors have detailed explanations",
    "run with `RUST_BACKTRACE=1`",
];

/// The crates that a lesson can use.
const CRATES: [&str; 2] = ["tensor_core", "tensor_nn"];

/// The arguments of cargo: build both crates with the features of `cargo test` and the examples. With other
/// features they would be compiled again, which takes a minute.
const CARGO: [&str; 9] = [
    "test",
    "--workspace",
    "--no-run",
    "--test",
    "lessons",
    "--message-format",
    "json-render-diagnostics",
    "--color",
    "never",
];

/// The compiled libraries of `tensor-core` and `tensor-nn`.
pub struct Compiled([PathBuf; 2]);

impl Compiled {
    /// Compiles both with cargo, and shows what is being compiled, if anything.
    pub fn new() -> Result<Self, Problem> {
        let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.current_dir(repository()).args(CARGO);
        if let Some(target) = env::var_os("CARGO_TARGET_DIR") {
            cargo.arg("--target-dir").arg(std::path::absolute(target)?);
        }
        let mut child = cargo
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("cannot start cargo: {error}"))?;
        // Both outputs are read concurrently, because cargo blocks when one of them is full.
        let made = child.stdout.take().map(|out| thread::spawn(|| io::read_to_string(out)));
        if let Some(said) = child.stderr.take() {
            let lines = BufReader::new(said).lines().map_while(Result::ok);
            let is_end =
                |line: &str| ["Finished", "Executable"].iter().any(|w| line.starts_with(w));
            for line in lines.filter(|line| !is_end(line.trim_start())) {
                eprintln!("{line}");
            }
        }
        if !child.wait()?.success() {
            return Err(
                "tensor-core and tensor-nn, which the lessons are about, do not compile".into()
            );
        }
        let made = made.and_then(|made| made.join().ok()).transpose()?.unwrap_or_default();
        match CRATES.map(|name| library(&made, name)) {
            [Some(core), Some(nn)] => Ok(Self([core, nn])),
            _ => Err("cargo has not made tensor-core and tensor-nn".into()),
        }
    }

    /// Compiles and runs the learner's program.
    pub fn check(
        &self,
        lesson: &Lesson,
        folder: &Folder,
        colour: bool,
    ) -> Result<Outcome, Problem> {
        let program = folder.executable(lesson);
        make_folder(&program)?;
        let compiled = self.compile(&folder.shown(&folder.program(lesson)), &program, colour)?;
        if !compiled.status.success() {
            return Ok(Outcome::Stopped(By::Compiler, readable(&compiled)));
        }
        // A learner reads the message; the functions in a backtrace are not theirs.
        let ran = output(Command::new(&program).env("RUST_BACKTRACE", "0"), &program)?;
        let said = readable(&ran);
        Ok(match ran.status.success() {
            true => Outcome::Passes(said),
            false => Outcome::Stopped(By::Assertion, said),
        })
    }

    fn compile(&self, source: &str, program: &Path, colour: bool) -> Result<Output, Problem> {
        let rustc = PathBuf::from(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
        let mut command = Command::new(&rustc);
        command.args(["--edition", "2024", "--crate-type", "bin", "--error-format", "human"]);
        command.args(["--color", if colour { "always" } else { "never" }]);
        // Compiles fast and produces small files; lessons need no debug information.
        command.args(["-C", "codegen-units=1", "-C", "strip=debuginfo"]);
        // The flags that cargo has compiled `tensor-core` with, for example for coverage.
        command.args(env::var("RUSTFLAGS").unwrap_or_default().split_whitespace());
        // Compiler warnings are not part of the lesson.
        command.args(["-A", "warnings"]);
        for (name, library) in CRATES.iter().zip(&self.0) {
            command.arg("--extern").arg(prefixed(&format!("{name}="), library));
        }
        if let Some(folder) = self.0[0].parent() {
            command.arg("-L").arg(prefixed("dependency=", folder));
        }
        command.arg("-o").arg(program).arg(source);
        output(&mut command, &rustc)
    }
}

/// The library of a crate among the quoted file names in cargo's output.
fn library(made: &str, name: &str) -> Option<PathBuf> {
    let start = format!("lib{name}-");
    let mut paths = made.split('"').map(|word| PathBuf::from(word.replace("\\\\", "\\")));
    paths.find(|path| {
        let file = path.file_name().and_then(|file| file.to_str()).unwrap_or_default();
        file.starts_with(&start) && file.ends_with(".rlib")
    })
}

fn prefixed(start: &str, path: &Path) -> std::ffi::OsString {
    let mut word = std::ffi::OsString::from(start);
    word.push(path);
    word
}

/// Runs a command from the repository, where rustup selects the repository's toolchain.
fn output(command: &mut Command, name: &Path) -> Result<Output, Problem> {
    let finished = command.current_dir(repository()).stdin(Stdio::null()).output();
    Ok(finished.map_err(|error| format!("cannot start {}: {error}", name.display()))?)
}

/// The output without [`NOISE`].
fn readable(output: &Output) -> String {
    let said = [&output.stdout[..], &output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    let is_noise = |line: &str| NOISE.iter().any(|noise| line.contains(noise));
    let lines: Vec<_> = said.lines().filter(|line| !is_noise(line)).collect();
    lines.join("\n").trim_matches('\n').trim_end().to_owned()
}
