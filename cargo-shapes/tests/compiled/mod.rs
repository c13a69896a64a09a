//! The programs of `tests/ui`, compiled once as `cargo shapes` compiles them.

#![allow(dead_code, reason = "each test uses a part")]

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use cargo_shapes::render::Style;
use cargo_shapes::stream::{Line, Stream};
use serde_json::{Value, json};

/// A program, and the messages about it.
pub struct Program {
    /// `topic/mistake`
    pub name: String,
    pub messages: Vec<Message>,
}

/// A message, as rustc wrote it and in better words; `None` where it is left out.
pub struct Message {
    pub old: Value,
    pub new: Option<Value>,
}

pub fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The folder that trybuild compiles in: its packages are used again.
fn target() -> PathBuf {
    // target/tmp
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().join("tests/trybuild")
}

/// The mistakes: `topic/mistake`.
fn mistakes() -> Vec<String> {
    let ui = workspace().join("tests/ui");
    let entries = |folder: &Path| -> Vec<PathBuf> {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
    };
    let is_topic = |folder: &PathBuf| {
        folder.is_dir() && !folder.ends_with("pass") && !folder.ends_with("harness")
    };
    let topics = entries(&ui).into_iter().filter(is_topic);
    let files = topics.flat_map(|topic| entries(&topic));
    let programs = files.filter(|file| file.extension().is_some_and(|end| end == "rs"));
    let mut mistakes: Vec<_> = programs
        .map(|file| {
            file.strip_prefix(&ui).unwrap().with_extension("").to_str().unwrap().replace('\\', "/")
        })
        .collect();
    mistakes.sort();
    mistakes
}

/// Compiles all mistakes, each once.
pub fn programs() -> Vec<Program> {
    let mistakes = mistakes();
    let libraries = libraries();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let compile = || {
        let mut compiled = Vec::new();
        while let Some(name) = mistakes.get(next.fetch_add(1, Ordering::Relaxed)) {
            let path = format!("tests/ui/{name}.rs");
            compiled.push(in_better_words(name.clone(), messages(&path, &libraries)));
        }
        compiled
    };
    let mut programs: Vec<Program> = thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(compile)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    programs.sort_by(|a, b| a.name.cmp(&b.name));
    programs
}

/// Compiles a generated program.
pub fn generated(source: &str) -> Program {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("generated.rs");
    fs::write(&path, source).unwrap();
    in_better_words("generated".to_owned(), messages(path.to_str().unwrap(), &libraries()))
}

/// What cargo would write about a program, and what becomes of it.
fn in_better_words(name: String, messages: Vec<Value>) -> Program {
    let manifest = workspace().join("tests/ui/Cargo.toml");
    let mut stream = Stream::new(Style::default(), false);
    let mut pairs = Vec::new();
    let mut read = |line: &str| {
        for (line, becomes) in stream.lines(line) {
            let line: Value = serde_json::from_str(&line).unwrap_or_default();
            let old = line["message"].clone();
            let new = match becomes {
                Line::Same => Some(old.clone()),
                Line::Folded => None,
                Line::Changed(value) => Some(value["message"].clone()),
            };
            pairs.push(Message { old, new });
        }
    };
    for message in messages {
        let line = json!({
            "reason": "compiler-message", "package_id": name, "target": {}, "manifest_path": manifest, "message": message,
        });
        read(&line.to_string());
    }
    // The last one is not held back for ever.
    read("end");
    pairs.pop();
    let messages = pairs;
    assert!(!messages.is_empty(), "{name} compiles");
    Program { name, messages }
}

/// The messages about one program.
fn messages(path: &str, libraries: &[String]) -> Vec<Value> {
    let output = Command::new(rustc())
        .args([
            "--edition=2024",
            "--emit=metadata",
            "--error-format=json",
            "--verbose",
            "--diagnostic-width=100000",
        ])
        .args(["-A", "dead_code", "--crate-name=mistake", "--out-dir"])
        .arg(env!("CARGO_TARGET_TMPDIR"))
        .args(libraries)
        // The path of the snapshots, with slashes everywhere.
        .arg(path)
        .current_dir(workspace())
        .output()
        .unwrap();
    let lines = String::from_utf8(output.stderr).unwrap();
    let messages = lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let is_summary = |message: &Value| {
        let words = message["message"].as_str().unwrap_or_default();
        message["level"] == "failure-note" || words.starts_with("aborting due to ")
    };
    messages.filter(|message| !is_summary(message)).collect()
}

/// A package with the libraries that a user of the mistakes' package has, below the folder that trybuild compiles in.
pub fn package(name: &str, file: &str, source: &str) -> PathBuf {
    let folder = target().join(name);
    fs::create_dir_all(folder.join("src")).unwrap();
    let root = workspace().display();
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n\
         tensor-core = {{ path = '{root}/tensor-core', features = [\"half\", \"weights\"] }}\n\
         tensor-nn = {{ path = '{root}/tensor-nn', default-features = false }}\n\
         tensor-xla = {{ path = '{root}/tensor-xla' }}\n"
    );
    fs::write(folder.join("Cargo.toml"), manifest).unwrap();
    fs::write(folder.join(file), source).unwrap();
    fs::copy(workspace().join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    folder
}

/// The arguments of cargo with which the libraries are not compiled once more.
pub fn arguments() -> Vec<String> {
    let host = output(&["-vV"]);
    let host = host.lines().find_map(|line| line.strip_prefix("host: ")).unwrap();
    // Those of trybuild.
    let flags =
        r#"["--cfg", "trybuild", "--verbose", "-A", "dead_code", "--diagnostic-width=140"]"#;
    let of_build = format!("--config=build.rustflags={flags}");
    let of_host = format!("--config=target.{host}.rustflags={flags}");
    let target = format!("--target={host}");
    vec!["--offline".to_owned(), target, of_build, of_host]
}

/// A program in a package, with the environment in which the libraries are not compiled once more.
pub fn command(program: &str, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder).env("CARGO_TARGET_DIR", target()).env("CARGO_INCREMENTAL", "0");
    command.env_remove("RUSTFLAGS");
    command
}

/// The arguments for the libraries that a user of the mistakes' package has, which trybuild compiles as well.
pub fn libraries() -> Vec<String> {
    let folder = package("shapes", "src/lib.rs", "");
    let output = command(env!("CARGO"), &folder)
        .args(["check", "--quiet", "--message-format=json"])
        .args(arguments())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let artifacts = String::from_utf8(output.stdout).unwrap();
    let mut arguments = Vec::new();
    for line in artifacts.lines() {
        let artifact: Value = serde_json::from_str(line).expect("JSON");
        let name = artifact["target"]["name"].as_str().unwrap_or_default();
        if ["tensor_core", "tensor_nn", "tensor_xla"].contains(&name) {
            let file = artifact["filenames"][0].as_str().unwrap();
            arguments.push(format!("--extern={name}={file}"));
            arguments.push(format!("-Ldependency={}", Path::new(file).parent().unwrap().display()));
        }
    }
    // What macros need is compiled for the host.
    arguments.push(format!("-Ldependency={}", target().join("debug/deps").display()));
    arguments
}

fn rustc() -> OsString {
    env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())
}

fn output(arguments: &[&str]) -> String {
    String::from_utf8(Command::new(rustc()).args(arguments).output().unwrap().stdout).unwrap()
}

/// Whether this is the compiler that words the messages.
pub fn is_pinned_compiler() -> bool {
    let pinned = fs::read_to_string(workspace().join("rust-toolchain.toml")).unwrap();
    let channel = pinned.lines().find_map(|line| line.strip_prefix("channel = ")).unwrap();
    output(&["--version"]).split(' ').nth(1) == Some(channel.trim_matches('"'))
}
