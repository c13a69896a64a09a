//! The messages of the chapter "What can still fail when the program runs" are what programs print.

#![allow(clippy::let_unit_value, reason = "some calls that panic have no result")]
#![allow(clippy::result_large_err, reason = "the errors are those of the library")]

mod case;
mod dynamic;
mod files;
#[path = "../repository/mod.rs"]
mod repository;
mod training;
mod typed;

use std::sync::LazyLock;
use std::{panic, thread};

use case::{Case, UNEXPECTED};
use repository::{compare, read};

const PAGE: &str = "tensor-core/guide/failures.md";

/// The line before the calls of an entry.
const MARK: &str = "<!-- what is printed: tests/failures -->";

/// An entry of the chapter.
struct Entry {
    /// Its heading.
    title: &'static str,
    /// The calls that fail.
    cases: fn() -> Vec<Case>,
}

const ENTRIES: [Entry; 15] = [
    Entry { title: "Named sizes that differ", cases: typed::named_sizes },
    Entry { title: "Sizes of a `DynTensor`", cases: dynamic::sizes },
    Entry { title: "Numbers of elements, and conversions", cases: dynamic::conversions },
    Entry { title: "Indices and ranges", cases: typed::indices },
    Entry { title: "Axes without elements", cases: typed::empty },
    Entry { title: "Sizes beyond memory", cases: typed::memory },
    Entry { title: "Integers divided by zero", cases: typed::integers },
    Entry { title: "Numbers out of their range", cases: typed::numbers },
    Entry { title: "Windows of a `DynTensor`", cases: dynamic::windows },
    Entry { title: "Equations and patterns in strings", cases: dynamic::equations },
    Entry { title: "Files", cases: files::files },
    Entry { title: "Models from files, and optimisers", cases: models },
    Entry { title: "Gradients", cases: training::gradients },
    Entry { title: "Programs", cases: training::programs },
    Entry { title: "Layers and data", cases: layers_and_data },
];

fn models() -> Vec<Case> {
    files::models().into_iter().chain(training::optimizers()).collect()
}

fn layers_and_data() -> Vec<Case> {
    training::layers().into_iter().chain(training::data()).collect()
}

/// The calls of all entries.
static CASES: LazyLock<Vec<(&str, Vec<Case>)>> = LazyLock::new(|| {
    let this = thread::current().id();
    let before = panic::take_hook();
    // The messages of other threads are shown.
    panic::set_hook(Box::new(move |info| {
        if thread::current().id() != this {
            before(info);
        }
    }));
    let cases: Vec<_> = ENTRIES.iter().map(|entry| (entry.title, (entry.cases)())).collect();
    _ = panic::take_hook();
    let all = cases.iter().flat_map(|(_, cases): &(_, Vec<Case>)| cases);
    let wrong: Vec<&str> =
        all.filter(|case| case.message == UNEXPECTED).map(|case| &case.code[..]).collect();
    assert!(wrong.is_empty(), "calls that do not fail so:\n{}", wrong.join("\n"));
    cases
});

#[test]
fn the_chapter_prints_what_programs_print() {
    let mut renewed = read(PAGE);
    for (title, cases) in &*CASES {
        let heading = format!("\n## {title}\n");
        let (before, entry) =
            renewed.split_once(&heading).unwrap_or_else(|| panic!("{PAGE} lacks {title}"));
        let (text, rest) = entry.split_once(MARK).unwrap_or_else(|| panic!("{title} lacks {MARK}"));
        assert!(!text.contains("\n## "), "{title} lacks {MARK}");
        let rest = rest.strip_prefix("\n```text\n").and_then(|rest| rest.split_once("```\n"));
        let (_, rest) = rest.unwrap_or_else(|| panic!("{title}: a fence follows {MARK}"));
        let printed: Vec<String> = cases.iter().map(Case::lines).collect();
        let printed = printed.join("\n");
        renewed = format!("{before}{heading}{text}{MARK}\n```text\n{printed}```\n{rest}");
    }
    compare(PAGE, &renewed, "failures");
}
