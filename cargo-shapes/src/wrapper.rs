//! The wrapper that cargo runs instead of rustc, for packages of the workspace.
//!
//! rustc shortens long types unless these options are set: `--verbose` for messages,
//! `--diagnostic-width` for labels. Packages that do not use the library are compiled as without this
//! program.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, ExitCode, ExitStatus, Stdio};

use serde_json::Value;

use crate::corrections::Corrections;
use crate::diagnostic::text;
use crate::library::uses_library;
use crate::words::Folded;

/// The variable with the wrapper that was set before.
pub const INNER: &str = "CARGO_SHAPES_INNER_WRAPPER";

/// The option with a width at which rustc shortens no label.
const WIDTH: &str = "--diagnostic-width=100000";

/// Whether cargo calls this program as a wrapper of the compiler in the first argument.
pub fn is_call(arguments: &[OsString]) -> bool {
    let stem = arguments.first().and_then(|first| Path::new(first).file_stem());
    let is_compiler = |stem: &OsStr| stem == "rustc" || stem == "clippy-driver";
    stem.is_some_and(is_compiler) && arguments.len() > 1
}

/// Runs the compiler.
pub fn run(call: &[OsString]) -> ExitCode {
    let manifest =
        env::var_os("CARGO_MANIFEST_DIR").map(|folder| Path::new(&folder).join("Cargo.toml"));
    let whole = manifest.is_some_and(|manifest| uses_library(&manifest)) && is_compilation(call);
    let mut program: Vec<OsString> =
        env::var_os(INNER).into_iter().filter(|inner| !inner.is_empty()).collect();
    program.extend(if whole { with_whole_types(call) } else { call.to_vec() });
    let [program, arguments @ ..] = &program[..] else { return ExitCode::FAILURE };
    let mut command = Command::new(program);
    command.args(arguments).env_remove(INNER);
    match whole.then(|| Corrections::new(&with_whole_types(call))).flatten() {
        Some(corrections) => with_corrections(&mut command, program, &corrections),
        None => execute(&mut command, program),
    }
}

/// Runs the compiler, and adds corrections to its errors.
fn with_corrections(command: &mut Command, program: &OsStr, corrections: &Corrections) -> ExitCode {
    let mut child = match command.stderr(Stdio::piped()).spawn() {
        Ok(child) => child,
        Err(error) => return failed(program, &error),
    };
    let Some(stderr) = child.stderr.take() else { return ExitCode::FAILURE };
    let (mut stderr, mut line) = (BufReader::new(stderr), Vec::new());
    // Lines from the first error on, until all errors are known.
    let mut held: Vec<Vec<u8>> = Vec::new();
    while stderr.read_until(b'\n', &mut line).is_ok_and(|len| len > 0) {
        if held.is_empty() && error(&line).is_none() {
            let _ = io::stderr().write_all(&line);
        } else {
            held.push(std::mem::take(&mut line));
        }
        line.clear();
    }
    let status = child.wait();
    let errors: Vec<Value> = held.iter().filter_map(|line| error(line)).collect();
    let mut folded = Folded::default();
    for line in held {
        let changed = error(&line).filter(|error| !folded.follows(error)).and_then(|mut error| {
            corrections.add(&mut error, &errors).then(|| format!("{error}\n").into_bytes())
        });
        let _ = io::stderr().write_all(&changed.unwrap_or(line));
    }
    match status {
        Ok(status) => exit_code(status),
        Err(error) => failed(program, &error),
    }
}

/// The error in a line of rustc.
fn error(line: &[u8]) -> Option<Value> {
    let value: Value = serde_json::from_slice(line).ok()?;
    let is_summary = text(&value, "message").starts_with("aborting due to");
    (text(&value, "level") == "error" && !is_summary).then_some(value)
}

/// Whether this compiles a crate, and does not query information about the compiler.
fn is_compilation(arguments: &[OsString]) -> bool {
    let has = |wanted: &str| arguments.iter().any(|argument| argument == wanted);
    has("--crate-name")
        && !has("-")
        && arguments.iter().any(|argument| argument == "--error-format=json")
}

/// The arguments, with options that keep types whole instead of a width option.
pub fn with_whole_types(arguments: &[OsString]) -> Vec<OsString> {
    let is_width = |argument: &&OsString| {
        argument.to_str().is_some_and(|argument| argument.starts_with("--diagnostic-width="))
    };
    let is_verbose = |argument: &OsString| argument == "--verbose" || argument == "-v";
    let kept = arguments.iter().filter(|argument| !is_width(argument)).cloned();
    let verbose = (!arguments.iter().any(is_verbose)).then(|| OsString::from("--verbose"));
    kept.chain(verbose).chain([WIDTH.into()]).collect()
}

/// Replaces this process by the program, on platforms that can.
#[cfg(unix)]
fn execute(command: &mut Command, program: &OsStr) -> ExitCode {
    use std::os::unix::process::CommandExt;
    failed(program, &command.exec())
}

#[cfg(not(unix))]
fn execute(command: &mut Command, program: &OsStr) -> ExitCode {
    match command.status() {
        Ok(status) => exit_code(status),
        Err(error) => failed(program, &error),
    }
}

/// The exit code of a process; if a signal ended it, the code that a shell would return.
pub fn exit_code(status: ExitStatus) -> ExitCode {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return u8::try_from(128 + signal).map_or(ExitCode::FAILURE, ExitCode::from);
    }
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    code.map_or(ExitCode::FAILURE, ExitCode::from)
}

fn failed(program: &OsStr, error: &io::Error) -> ExitCode {
    eprintln!("error: cargo shapes cannot run `{}`: {error}", program.display());
    ExitCode::FAILURE
}

#[test]
fn a_call_of_the_compiler_is_recognised() {
    let call = |line: &str| is_call(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
    assert!(
        call("rustc -vV")
            && call("/usr/bin/rustc --crate-name a")
            && call("clippy-driver rustc -vV")
    );
    assert!(!call("check --all-targets") && !call("shapes check") && !call("rustc"));
}

#[test]
fn types_are_whole_and_no_argument_is_lost() {
    let of = |line: &str| line.split(' ').map(OsString::from).collect::<Vec<_>>();
    let whole = with_whole_types(&of("rustc --crate-name a --diagnostic-width=80 src/lib.rs"));
    assert_eq!(whole, of("rustc --crate-name a src/lib.rs --verbose --diagnostic-width=100000"));
    let twice = with_whole_types(&of("rustc -v a.rs"));
    assert_eq!(
        twice,
        of("rustc -v a.rs --diagnostic-width=100000"),
        "rustc refuses an option twice"
    );
}
