//! What the compiler says about mistakes.
//!
//! Every file of `TOPIC/` is one mistake, and its name says which. The comment at its top tells the
//! story, and promises what the compiler says:
//!
//! ```text
//! //! Rows of three numbers and rows of two: 3 meets 2 at the last axis.
//! //!
//! //! The compiler says: "cannot broadcast an axis of size `Dim<3>` with one of size `Dim<2>`"
//! //! And: "shapes align at the last axis"
//! ```
//!
//! A mistake is one error of at most twelve lines; `//! Errors: 2, …` and `//! Lines: 14, …` state
//! other numbers, with the reason. `sizes.txt` says which two sizes a mistake is about, and
//! `measures.txt` how short and how clear the messages are: they may only become shorter and clearer.
//! `measures_next.txt` says the same of a nightly compiler with the next trait solver.
//!
//! The snapshots beside the files, `.stderr`, are written anew by
//! `TRYBUILD=overwrite cargo test -p messages`. What they say is compared with the promises, so that
//! this cannot bless nonsense. The programs of `pass/` compile and run: `tests/accepted.rs`.
//!
//! This is a package of its own because its dependencies are those of the programs: the compiler
//! says what it says to a user of `tensor-core`, and does not compile the other dependencies of the
//! tests and benchmarks once more.

mod harness;

use std::fs;
use std::path::{Path, PathBuf};

use harness::sizes::Sizes;
use harness::story::{Story, errors};
use harness::{
    PASS, contains_word, files, folder, is_asked, is_harness, is_pinned_compiler, local, measures,
    mistakes, names_a_path, snapshot, topics, workspace,
};

/// The files beside the topics.
const LISTS: [&str; 4] = ["Cargo.toml", "sizes.txt", "measures.txt", "measures_next.txt"];

/// Asks for the comparison on a compiler that words messages in another way.
const ANY_COMPILER: &str = "MESSAGES_OF_ANY_COMPILER";

/// What no message may say: how sizes are spelled for arithmetic, and places in the source of the
/// standard library and of dependencies, which is not everywhere the same.
const NONSENSE: [&str; 8] =
    ["UInt<", "UTerm", "B0", "B1", "PhantomData", "typenum", "$RUST", "$CARGO"];

#[test]
fn mistakes_are_refused_in_these_words() {
    if !is_pinned_compiler() && !is_asked(ANY_COMPILER) {
        println!("not compared: the snapshots are those of the compiler in rust-toolchain.toml");
        return;
    }
    let tests = trybuild::TestCases::new();
    for topic in topics() {
        tests.compile_fail(local(&topic).join("*.rs"));
    }
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
        let Some(said) = snapshot(&mistake) else {
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
        if let Some(line) = said.lines().find(|line| names_a_path(line)) {
            complain(format!("a name that is not unique is printed as a path: {line}"));
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
        let is_this = place == Path::new(file!()).file_name().unwrap();
        let is_list = LISTS.iter().any(|list| place == Path::new(list));
        if is_this || is_list || is_harness(&file) {
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
            // A file that programs of its folder name.
            Some("safetensors") => {}
            _ => panic!("{place:?} is neither a program nor a snapshot"),
        }
    }
}

#[test]
fn messages_are_short() {
    let mut long = Vec::new();
    for mistake in mistakes() {
        if let (Ok(story), Some(said)) = (Story::read(&mistake), snapshot(&mistake))
            && let Some(complaint) = story.complaint_about_length(said.lines().count())
        {
            long.push(format!("{}: {complaint}", local(&mistake).display()));
        }
    }
    assert!(
        long.is_empty(),
        "{} messages of another length; where it cannot be helped, say so with `//! Lines: 14, …`\n{}",
        long.len(),
        long.join("\n")
    );
}

#[test]
fn measures_do_not_get_worse() {
    let sizes = Sizes::read().unwrap_or_else(|complaint| panic!("{complaint}"));
    let now = measures::measured(&sizes);
    let table = measures::written(&now);
    if is_asked("BLESS") {
        fs::write(measures::file(), table).unwrap();
        return;
    }
    let recorded = measures::recorded().unwrap();
    let was = measures::parse(&recorded).unwrap_or_else(|complaint| panic!("{complaint}"));
    let worse = measures::worse(&now, &was);
    assert!(
        worse.is_empty(),
        "messages got worse:\n{}\nwhere mistakes were added and this is how they have to be, record \
         it by `.ci/bless ui`, and say why",
        worse.join("\n")
    );
    assert!(
        recorded == table,
        "messages changed, and none for the worse: record it by \
         `.ci/bless ui`\n{table}"
    );
}

/// How long the messages are: `cargo test -p messages -- --ignored --nocapture lengths`.
#[test]
#[ignore = "prints a table"]
fn lengths() {
    println!("lines  errors  mistake");
    for mistake in mistakes() {
        let said = snapshot(&mistake).unwrap_or_default();
        let place = local(&mistake).with_extension("");
        println!("{:5}  {:6}  {}", said.lines().count(), errors(&said), place.display());
    }
}
