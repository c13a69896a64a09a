//! What the tests of messages are made of: where the programs are, what their comments promise, and
//! what is measured.

pub mod measures;
mod next;
pub mod sizes;
pub mod story;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the programs that compile.
pub const PASS: &str = "pass";

/// The folder of this file, which holds no programs.
const HARNESS: &str = "harness";

/// The folder of `ui.rs`.
pub fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub fn workspace() -> &'static Path {
    folder().ancestors().nth(2).unwrap()
}

/// A path below the folder of `ui.rs`, from there.
pub fn local(path: &Path) -> &Path {
    path.strip_prefix(folder()).unwrap()
}

/// The name of a mistake: `broadcast/two_names`.
pub fn name(mistake: &Path) -> String {
    local(mistake).with_extension("").to_str().unwrap().replace('\\', "/")
}

/// The folders of the mistakes.
pub fn topics() -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let is_topic = |path: &PathBuf| path.is_dir() && !path.ends_with(PASS) && !is_harness(path);
    let mut topics: Vec<_> = entries.filter(is_topic).collect();
    topics.sort();
    topics
}

/// Whether this is the folder of this file, or a file in it.
pub fn is_harness(path: &Path) -> bool {
    local(path).starts_with(HARNESS)
}

/// The programs that do not compile.
pub fn mistakes() -> Vec<PathBuf> {
    let is_program = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "rs");
    let mistakes: Vec<_> = topics().iter().flat_map(|t| files(t)).filter(is_program).collect();
    assert!(!mistakes.is_empty());
    mistakes
}

/// What the compiler says about a mistake, as its snapshot has it.
pub fn snapshot(mistake: &Path) -> Option<String> {
    fs::read_to_string(mistake.with_extension("stderr")).ok()
}

/// All files below a folder.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> =
        entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect();
    files.sort();
    files
}

/// Whether this is the compiler that words the snapshots.
pub fn is_pinned_compiler() -> bool {
    let pinned = fs::read_to_string(workspace().join("rust-toolchain.toml")).unwrap();
    let channel = pinned.lines().find_map(|line| line.strip_prefix("channel = ")).unwrap();
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().unwrap().stdout;
    let version = String::from_utf8(version).unwrap();
    version.split(' ').nth(1) == Some(channel.trim_matches('"'))
}

/// Whether an environment variable asks for something.
pub fn is_asked(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| value != "0")
}

/// Whether `text` contains `word`, and not as a part of a longer word.
pub fn contains_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        let continues = |next: Option<char>| next.is_some_and(char::is_alphanumeric);
        !continues(before) && (word.ends_with(['<', '>']) || !continues(after))
    })
}

/// Whether a line of ours prints a name with the path to it.
///
/// The compiler does so where two public types, traits or variants have the name, also in other crates; the names of
/// elements are like that. In what it proposes for the program it always does.
pub fn names_a_path(line: &str) -> bool {
    const NOT_UNIQUE: [&str; 4] = ["Element", "Float", "Operand", "data::FromFn"];
    let is_ours = line.contains("= help: the trait") || line.contains("= note: required for");
    let named = |krate| line.split(krate).skip(1);
    let mut public =
        named("tensor_core::").chain(named("tensor_nn::")).chain(named("tensor_xla::"));
    is_ours
        && (public.any(|rest| !NOT_UNIQUE.iter().any(|name| rest.starts_with(name)))
            || named("tensor_sizes::").next().is_some())
}
