//! What the compiler says about mistakes, and programs that it accepts.
//!
//! Every file of `TOPIC/` is one mistake, and its name says which. The comment at its top tells the
//! story, and promises what the compiler says:
//!
//! ```text
//! //! Rows of three numbers and rows of two: 3 meets 2 at the last axis.
//! //!
//! //! The compiler says: "cannot broadcast an axis of size `Dim<3>` with one of size `Dim<2>`"
//! //! And: "two axes match when they are equal or when one of them is `One`"
//! ```
//!
//! A mistake is one error; `//! Errors: 2, …` states another number, with the reason.
//!
//! The snapshots beside the files, `.stderr`, are written anew by
//! `TRYBUILD=overwrite cargo test --test ui`. What they say is compared with the promises, so that
//! this cannot bless nonsense. The programs of `pass/` compile and run.
//!
//! This is a package of its own because its dependencies are those of the programs: the compiler
//! says what it says to a user of `tensor-core`, and does not compile the other dependencies of the
//! tests and benchmarks once more.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of the programs that compile.
const PASS: &str = "pass";

/// What no message may say: how sizes are spelled for arithmetic, and places in the source of the
/// standard library and of dependencies, which is not everywhere the same.
const NONSENSE: [&str; 8] =
    ["UInt<", "UTerm", "B0", "B1", "PhantomData", "typenum", "$RUST", "$CARGO"];

#[test]
fn mistakes_are_refused_in_these_words() {
    if !is_pinned_compiler() {
        println!("not compared: the snapshots are those of the compiler in rust-toolchain.toml");
        return;
    }
    let tests = trybuild::TestCases::new();
    for topic in topics() {
        tests.compile_fail(local(&topic).join("*.rs"));
    }
}

#[test]
fn accepted_programs_run() {
    trybuild::TestCases::new().pass(format!("{PASS}/*.rs"));
}

#[test]
fn snapshots_keep_their_promises() {
    let mut broken = Vec::new();
    for mistake in mistakes() {
        let mut complain =
            |complaint: String| broken.push(format!("{}: {complaint}", local(&mistake).display()));
        let story = match Story::read(&mistake) {
            Ok(story) => story,
            Err(complaint) => {
                complain(complaint.into());
                continue;
            }
        };
        let Ok(said) = fs::read_to_string(mistake.with_extension("stderr")) else {
            complain("there is no snapshot".into());
            continue;
        };
        for promise in story.promises.iter().filter(|promise| !said.contains(*promise)) {
            complain(format!("the compiler does not say: {promise}"));
        }
        if errors(&said) != story.errors {
            complain(format!("{} errors instead of {}", errors(&said), story.errors));
        }
        if let Some(warning) = said.lines().find(|line| line.starts_with("warning")) {
            complain(format!("the program has another flaw: {warning}"));
        }
        for word in NONSENSE.iter().filter(|word| contains_word(&said, word)) {
            complain(format!("the message says `{word}`"));
        }
        if said.contains(&workspace().display().to_string()) {
            complain("the message names a path of this machine".into());
        }
    }
    assert!(broken.is_empty(), "{} promises broken\n{}", broken.len(), broken.join("\n"));
}

#[test]
fn every_file_is_a_test() {
    let folders: Vec<PathBuf> = topics().into_iter().chain([folder().join(PASS)]).collect();
    for file in files(folder()) {
        let place = local(&file);
        if place == Path::new("Cargo.toml") || place == Path::new(file!()).file_name().unwrap() {
            continue;
        }
        assert!(
            folders.iter().any(|folder| file.parent() == Some(folder)),
            "{place:?} is in no topic"
        );
        let program = file.with_extension("rs");
        match file.extension().and_then(|extension| extension.to_str()) {
            Some("rs") => {}
            Some("stderr") => assert!(program.exists(), "{place:?} is the snapshot of no program"),
            _ => panic!("{place:?} is neither a program nor a snapshot"),
        }
    }
}

/// How long the messages are: `cargo test --test ui -- --ignored --nocapture lengths`.
#[test]
#[ignore = "prints a table"]
fn lengths() {
    println!("lines  errors  mistake");
    for mistake in mistakes() {
        let said = fs::read_to_string(mistake.with_extension("stderr")).unwrap_or_default();
        let place = local(&mistake).with_extension("");
        println!("{:5}  {:6}  {}", said.lines().count(), errors(&said), place.display());
    }
}

/// What the comment at the top of a mistake promises.
struct Story {
    promises: Vec<String>,
    errors: usize,
}

impl Story {
    /// Reads the comment, or says what it lacks.
    fn read(mistake: &Path) -> Result<Self, &'static str> {
        let program = fs::read_to_string(mistake).map_err(|_| "the program cannot be read")?;
        let mut story = Self { promises: Vec::new(), errors: 1 };
        let mut told = String::new();
        for line in program.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim) {
            let promise = line.strip_prefix("The compiler says: ").or(line.strip_prefix("And: "));
            if let Some(promise) = promise {
                let quoted = promise.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
                story.promises.push(quoted.ok_or("a promise stands in quotes")?.to_owned());
            } else if let Some(stated) = line.strip_prefix("Errors: ") {
                let (number, reason) = stated.split_once(", ").ok_or("a number has a reason")?;
                story.errors = number.parse().map_err(|_| "a number of errors is a number")?;
                told.push_str(reason);
            } else {
                told.push_str(line);
            }
        }
        match (told.is_empty(), story.promises.is_empty()) {
            (true, _) => Err("the first lines tell no story"),
            (_, true) => Err("nothing is promised: `//! The compiler says: \"…\"`"),
            _ => Ok(story),
        }
    }
}

/// The number of errors in a snapshot.
fn errors(said: &str) -> usize {
    said.lines().filter(|line| line.starts_with("error")).count()
}

/// Whether `word` stands in `text`, and not as a part of a longer word.
fn contains_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        let continues = |next: Option<char>| next.is_some_and(char::is_alphanumeric);
        !continues(before) && (word.ends_with('<') || !continues(after))
    })
}

/// The folder of this file.
fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn workspace() -> &'static Path {
    folder().ancestors().nth(2).unwrap()
}

/// A path below the folder of this file, from there.
fn local(path: &Path) -> &Path {
    path.strip_prefix(folder()).unwrap()
}

/// The folders of the mistakes.
fn topics() -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let mut topics: Vec<_> = entries.filter(|p| p.is_dir() && !p.ends_with(PASS)).collect();
    topics.sort();
    topics
}

/// The programs that do not compile.
fn mistakes() -> Vec<PathBuf> {
    let is_program = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "rs");
    let mistakes: Vec<_> = topics().iter().flat_map(|t| files(t)).filter(is_program).collect();
    assert!(!mistakes.is_empty());
    mistakes
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> =
        entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect();
    files.sort();
    files
}

/// Whether this is the compiler that words the snapshots.
fn is_pinned_compiler() -> bool {
    let pinned = fs::read_to_string(workspace().join("rust-toolchain.toml")).unwrap();
    let channel = pinned.lines().find_map(|line| line.strip_prefix("channel = ")).unwrap();
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().unwrap().stdout;
    let version = String::from_utf8(version).unwrap();
    version.split(' ').nth(1) == Some(channel.trim_matches('"'))
}
