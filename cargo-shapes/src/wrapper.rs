//! The wrapper that cargo runs instead of rustc, for packages of the workspace.
//!
//! rustc shortens long types unless these options are set: `--verbose` for messages,
//! `--diagnostic-width` for labels. Packages that do not use the library are compiled as without this
//! program.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::{Command, ExitCode, ExitStatus};

use crate::library::uses_library;

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
pub fn run(arguments: &[OsString]) -> ExitCode {
    let manifest =
        env::var_os("CARGO_MANIFEST_DIR").map(|folder| Path::new(&folder).join("Cargo.toml"));
    let whole =
        manifest.is_some_and(|manifest| uses_library(&manifest)) && is_compilation(arguments);
    let mut program: Vec<OsString> =
        env::var_os(INNER).into_iter().filter(|inner| !inner.is_empty()).collect();
    program.extend(if whole { with_whole_types(arguments) } else { arguments.to_vec() });
    let [program, arguments @ ..] = &program[..] else { return ExitCode::FAILURE };
    let mut command = Command::new(program);
    command.args(arguments).env_remove(INNER);
    execute(&mut command, program)
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

fn failed(program: &OsStr, error: &std::io::Error) -> ExitCode {
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
