//! Whether a program passes: the compiler compiles it, and then it runs.
//!
//! Cargo compiles `tensor-core` and `tensor-nn`, once. A lesson is one file, which the compiler is given directly:
//! that takes a moment, and what cargo would ask first, whether the file is newer than what was made
//! of it, has no wrong answer where the question is not asked.

use std::env;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

use lessons::Lesson;

use crate::folder::{Folder, make_folder};
use crate::{Problem, repository};

/// What came of a program, with what it printed or what was said about it.
pub enum Outcome {
    /// It compiles and its assertions hold.
    Passes(String),
    /// It does not.
    Stopped(By, String),
}

/// What stopped a program.
pub enum By {
    /// It does not compile.
    Compiler,
    /// It compiles, and an assertion does not hold.
    Assertion,
}

/// What the compiler and programs say that a learner has no use for.
const NOISE: [&str; 4] = [
    ": aborting due to ",
    "For more information about this error",
    "Some errors have detailed explanations",
    "run with `RUST_BACKTRACE=1`",
];

/// What a lesson can use.
const CRATES: [&str; 2] = ["tensor_core", "tensor_nn"];

/// What cargo is asked for: both crates as `cargo test` and the examples have them. With other features
/// they would be compiled once more, which takes a minute.
const CARGO: [&str; 8] = [
    "test",
    "--no-run",
    "--test",
    "lessons",
    "--message-format",
    "json-render-diagnostics",
    "--color",
    "never",
];

/// `tensor-core` and `tensor-nn` as they are compiled.
pub struct Compiled([PathBuf; 2]);

impl Compiled {
    /// Has cargo compile both, and shows what is being compiled, if anything.
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
        // Both are read at once, as cargo waits for whoever reads neither.
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
        // One who learns reads the message; the functions that it went through are not theirs.
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
        // Quick to make and small; nobody steps through a lesson with a debugger.
        command.args(["-C", "codegen-units=1", "-C", "strip=debuginfo"]);
        // What cargo has compiled `tensor-core` with, such as a measurement of coverage.
        command.args(env::var("RUSTFLAGS").unwrap_or_default().split_whitespace());
        // What the compiler warns of is not part of the lesson.
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

/// The library of a crate among the files that cargo names, each in quotes.
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

/// Runs a command from the repository, where the compiler is the one that belongs to it.
fn output(command: &mut Command, name: &Path) -> Result<Output, Problem> {
    let finished = command.current_dir(repository()).stdin(Stdio::null()).output();
    Ok(finished.map_err(|error| format!("cannot start {}: {error}", name.display()))?)
}

/// What was printed, without [`NOISE`].
fn readable(output: &Output) -> String {
    let said = [&output.stdout[..], &output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    let is_noise = |line: &str| NOISE.iter().any(|noise| line.contains(noise));
    let lines: Vec<_> = said.lines().filter(|line| !is_noise(line)).collect();
    lines.join("\n").trim_matches('\n').trim_end().to_owned()
}
