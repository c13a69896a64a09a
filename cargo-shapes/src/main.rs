//! `cargo shapes`: see README.md.

#![forbid(unsafe_code)]

use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use cargo_shapes::{cargo, doctor, lsp, onnx, wrapper};

const HELP: &str = "\
The compiler's messages about tensor-core with shapes as they are written

Usage: cargo shapes <COMMAND> [ARGUMENTS OF CARGO]

  check, build, test, clippy, run, bench, rustc    run cargo, and print its messages again
  fix [PLACE [NUMBER]] [-- ARGUMENTS OF CARGO CHECK]
                    list the corrections that rustc accepts, or apply one: cargo shapes fix src/main.rs:4 1
  explain [CODE]    print an entry of the error index: cargo shapes explain T101; without a code, list all
  inspect FILE      list the tensors of a .safetensors, .pt, .npz, .npy or .onnx file, or of a folder with a model, and a
                    Rust struct for them
  model FILE [--prefix NAME]
                    print the struct alone, with layers of tensor-nn: cargo shapes model weights.safetensors >
                    src/model.rs; with --prefix, of the tensors whose names begin with it
  onnx FILE [--size NAME=NUMBER] [--constant NAME=VALUE] [--out FOLDER] [--force]
                    write an ONNX model as FILE.rs and FILE.safetensors; --size fixes the size of an axis, --constant makes
                    an input a constant
  diff OLD NEW      say whether a program that opens the weights of one file opens those of the other, axis by axis
  doctor [--json]   print versions, features, vector instructions and threads
  lsp [PROGRAM]     rewrite the messages of rust-analyzer for an editor

CARGO_SHAPES_CORRECTIONS=0 tries no corrections; another number is that of the seconds for them, by default 3.
A crate that does not use tensor-core is compiled as by cargo, and its messages are not changed.
";

fn main() -> ExitCode {
    let arguments: Vec<OsString> = env::args_os().skip(1).collect();
    if wrapper::is_call(&arguments) {
        return wrapper::run(&arguments);
    }
    // cargo passes the name of the subcommand as first argument.
    let is_subcommand = arguments.first().is_some_and(|first| first == "shapes");
    let arguments = &arguments[usize::from(is_subcommand)..];
    let command = arguments.first().map(|first| first.to_string_lossy()).unwrap_or_default();
    let wants_help =
        arguments.get(1).is_some_and(|argument| argument == "-h" || argument == "--help");
    match &*command {
        command if cargo::COMMANDS.contains(&command) => cargo::run(arguments),
        "explain" | "fix" | "inspect" | "model" | "onnx" | "diff" | "doctor" | "lsp"
            if wants_help =>
        {
            print(HELP.to_owned())
        }
        "fix" => match cargo_shapes::fix::fix(&arguments[1..]) {
            Ok(text) => print(text),
            Err(error) => fail(&error),
        },
        "explain" => explain(arguments.get(1)),
        "inspect" => of_file("inspect", arguments.get(1), cargo_shapes::inspect::inspect),
        "model" => model(&arguments[1..]),
        "onnx" => match onnx::Arguments::read(&arguments[1..]) {
            Ok(arguments) => onnx::write(&arguments).map_or_else(|error| fail(&error), print),
            Err(error) => misused(&error),
        },
        "diff" => diff(&arguments[1..]),
        "lsp" => lsp::run(&arguments[1..]),
        "doctor" => match &arguments[1..] {
            [] => print(doctor::as_text(&doctor::report())),
            [option] if option == "--json" => print(doctor::as_json(&doctor::report()) + "\n"),
            _ => misused("`cargo shapes doctor` takes `--json` alone"),
        },
        "-V" | "--version" => print(format!("cargo-shapes {}\n", env!("CARGO_PKG_VERSION"))),
        "" | "-h" | "--help" | "help" => print(HELP.to_owned()),
        other => {
            misused(&format!("no command `{other}`; `cargo shapes --help` lists the commands"))
        }
    }
}

fn explain(code: Option<&OsString>) -> ExitCode {
    let Some(code) = code.map(|code| code.to_string_lossy()) else {
        return print(cargo_shapes::explain::titles().join("\n") + "\n");
    };
    match cargo_shapes::explain::entry(&code) {
        Some(text) => print(text),
        None => fail(&format!("no entry `{code}`; `cargo shapes explain` lists the entries")),
    }
}

/// Prints the structs of a file, or of the tensors below a prefix.
fn model(arguments: &[OsString]) -> ExitCode {
    let (file, prefix) = match arguments {
        [option, prefix, file] | [file, option, prefix] if option == "--prefix" => {
            (Some(file), prefix)
        }
        [] | [_] => return of_file("model", arguments.first(), cargo_shapes::inspect::write_model),
        _ => return misused("`cargo shapes model` takes a file, and `--prefix NAME`"),
    };
    let prefix = prefix.to_string_lossy();
    of_file("model", file, |path| cargo_shapes::inspect::write_part(path, &prefix))
}

/// Prints how two files differ. As of `diff`, the status is 1 where they do, and 2 where a file cannot be read.
fn diff(arguments: &[OsString]) -> ExitCode {
    let [old, new] = arguments else { return misused("`cargo shapes diff` takes two files") };
    match cargo_shapes::inspect::diff(Path::new(old), Path::new(new)) {
        Ok(comparison) => {
            let status = print(comparison.text);
            if comparison.opens { status } else { ExitCode::FAILURE }
        }
        Err(error) => misused(&error),
    }
}

/// Prints what a function makes of a file.
fn of_file(
    command: &str,
    file: Option<&OsString>,
    text: impl Fn(&Path) -> Result<String, String>,
) -> ExitCode {
    let Some(file) = file else {
        return misused(&format!("`cargo shapes {command}` takes a file"));
    };
    match text(Path::new(file)) {
        Ok(text) => print(text),
        Err(error) => fail(&error),
    }
}

/// Prints a text; a pipe that is closed early is not an error.
fn print(text: String) -> ExitCode {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => fail(&error.to_string()),
        _ => ExitCode::SUCCESS,
    }
}

/// The status of a command that fails. A panic has status 101, as errors of cargo have.
fn fail(why: &str) -> ExitCode {
    eprintln!("error: {why}");
    ExitCode::FAILURE
}

/// The status of a command that does not exist or lacks an argument.
fn misused(why: &str) -> ExitCode {
    eprintln!("error: {why}");
    ExitCode::from(2)
}
