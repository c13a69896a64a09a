//! Why shapes broadcast, or why they do not: in a table, as a picture, as a digraph.
//!
//! ```text
//! cargo run --example broadcast -- 8,1,6,1 7,1,5
//! cargo run --example broadcast -- 4,3 4 --svg picture.svg --dot graph.dot
//! ```

mod arguments;

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use tensor_explain::{Explanation, explain_sizes};

use arguments::{Request, Shapes};

/// The text of `--help`, and of the program without arguments.
pub const USAGE: &str = "\
Explains how shapes broadcast: which axes stretch, what the result is, or which axis fails.

usage: cargo run --example broadcast -- SHAPE SHAPE... [--svg FILE] [--dot FILE]

  SHAPE        sizes with commas between them, first axis first: 8,1,6,1
               also in brackets: [8,1,6,1]; a scalar is `scalar`, [] or ()
               names of axes begin with a capital letter: Batch,3 or Batch(32),3
  --svg FILE   writes a picture of the cells, for small shapes of at most 4 axes
  --dot FILE   writes a digraph for Graphviz: dot -Tsvg FILE
  --help       says this

The exit code is 0 when the shapes broadcast, 1 when they do not, 2 when something was wrong with
the arguments, with a file or with the output.
";

/// The answer of the program.
#[derive(Debug, PartialEq, Eq)]
pub struct Answer {
    /// For the standard output.
    pub text: String,
    /// For the standard error output.
    pub error: String,
    /// The exit code.
    pub code: u8,
}

/// Answers to the arguments after the program's name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> Answer {
    match Request::parse(arguments) {
        Ok(Request::Help) => Answer { text: with_example(), error: String::new(), code: 0 },
        Ok(Request::Explain(shapes)) => explain(&shapes),
        Err(problem) => {
            let hint = "`cargo run --example broadcast -- --help` says more.";
            let usage = USAGE.lines().find(|line| line.starts_with("usage")).unwrap_or_default();
            let error = format!("error: {problem}\n\n{usage}\n{hint}\n");
            Answer { text: String::new(), error, code: 2 }
        }
    }
}

/// The usage, and the explanation of the shapes in NumPy's documentation.
fn with_example() -> String {
    let example = explain_sizes(&[&[8, 1, 6, 1], &[7, 1, 5]]);
    let table: String = example.to_string().lines().map(|line| format!("  {line}\n")).collect();
    let example = format!("{USAGE}\nFor example, of 8,1,6,1 and 7,1,5 it says:\n\n{table}");
    example.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

fn explain(request: &Shapes) -> Answer {
    let explanation = Explanation::of(request.shapes.clone());
    let mut answer = Answer {
        text: format!("{explanation}\n"),
        error: String::new(),
        code: u8::from(explanation.result().is_err()),
    };
    for problem in write_files(&explanation, request) {
        answer.error += &format!("error: {problem}\n");
        answer.code = 2;
    }
    answer
}

/// Writes the requested files, and reports errors.
fn write_files(explanation: &Explanation, request: &Shapes) -> Vec<String> {
    let mut problems = Vec::new();
    let mut write = |file: &Path, text: &str| {
        if let Err(error) = fs::write(file, text) {
            problems.push(format!("cannot write {}: {error}", file.display()));
        }
    };
    if let Some(file) = &request.dot {
        write(file, &explanation.to_dot());
    }
    if let Some(file) = &request.svg {
        match explanation.to_svg() {
            Ok(picture) => write(file, &picture),
            Err(error) => problems.push(format!("cannot draw {}: {error}", file.display())),
        }
    }
    problems
}

fn main() -> ExitCode {
    let Answer { text, mut error, mut code } = run(std::env::args_os().skip(1));
    let mut output = io::stdout();
    // A full disk, or a pipe that `head` has closed.
    if let Err(problem) = output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        error += &format!("error: cannot write the explanation: {problem}\n");
        code = 2;
    }
    let _ = io::stderr().write_all(error.as_bytes());
    ExitCode::from(code)
}
