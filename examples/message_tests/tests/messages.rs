//! Programs with one wrong shape each, in `tests/messages`: none compiles, and each message has the
//! sentence that the comment at the top promises.
//!
//! `TRYBUILD=overwrite cargo test --test messages` regenerates the messages next to the programs,
//! `.stderr`. The promised sentences are compared with them, so this cannot accept a wrong message.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The compiler version of the snapshots: that of `rust-toolchain.toml`.
const COMPILER: &str = "rustc 1.95.";

/// The maximum number of lines of a message.
const LINES: usize = 15;

/// Text that no message should contain: the encoding of sizes for arithmetic.
const NONSENSE: [&str; 3] = ["UInt<", "UTerm", "typenum"];

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/messages");
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.unwrap().path());
    let mut programs: Vec<PathBuf> = entries
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect();
    programs.sort();
    assert!(!programs.is_empty(), "no programs");
    programs
}

/// The sentences in `//! The compiler says: "…"`.
fn promises(program: &str) -> Vec<&str> {
    let said = program.lines().filter_map(|line| line.strip_prefix("//! The compiler says: \""));
    said.filter_map(|sentence| sentence.strip_suffix('"')).collect()
}

#[test]
fn wrong_shapes_are_refused_in_these_words() {
    let rustc = std::env::var_os("RUSTC").unwrap_or("rustc".into());
    let version = Command::new(rustc).arg("--version").output().expect("a compiler");
    // Other compilers word these messages differently; the next test runs on all of them.
    if String::from_utf8_lossy(&version.stdout).starts_with(COMPILER) {
        trybuild::TestCases::new().compile_fail("tests/messages/*.rs");
    }
}

#[test]
fn messages_keep_their_promises() {
    for path in programs() {
        let name = path.display();
        let program = fs::read_to_string(&path).unwrap();
        let message = fs::read_to_string(path.with_extension("stderr")).expect("a snapshot");
        let promises = promises(&program);
        assert!(!promises.is_empty(), "{name} promises nothing");
        for promise in promises {
            assert!(message.contains(promise), "{name}: the compiler does not say {promise:?}");
        }
        let errors = message.lines().filter(|line| line.starts_with("error")).count();
        assert_eq!(errors, 1, "{name}: one mistake is one error");
        assert!(message.lines().count() <= LINES, "{name}: more than {LINES} lines");
        for word in NONSENSE {
            assert!(!message.contains(word), "{name}: the message says {word}");
        }
    }
}
