//! The chapter "What can still fail when the program runs" is complete and true: its messages are what programs
//! print, and every site of a panic, text of an error and section of the documentation belongs to it.

#![allow(clippy::let_unit_value, reason = "some calls that panic have no result")]
#![allow(clippy::result_large_err, reason = "the errors are those of the library")]

mod case;
mod dynamic;
mod files;
mod sources;
mod training;
mod typed;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::{panic, thread};

use case::{Case, UNEXPECTED};
use sources::{Section, Site, has_words, prints, silent, sources, texts_of_errors};

const PAGE: &str = "tensor-core/guide/failures.md";

/// Sites that no argument leads to, and those that print a text that another site has.
const BUGS: &str = "tests/failures/bugs.txt";

/// The line before the calls of an entry.
const MARK: &str = "<!-- what is printed: tests/failures -->";

/// An entry of the chapter.
struct Entry {
    /// Its heading.
    title: &'static str,
    /// The calls that fail.
    cases: fn() -> Vec<Case>,
    /// Words of `# Panics` and `# Errors` that are about it.
    words: &'static [&'static str],
}

const ENTRIES: [Entry; 15] = [
    Entry {
        title: "Named sizes that differ",
        cases: typed::named_sizes,
        words: &[
            "named axis",
            "one name has two",
            "has two sizes",
            "ShapeError::TwoSizes",
            "have it twice with two sizes",
            "a name would have two sizes",
            "name is already in the shape",
            "named axes",
            "`Found` has a static size",
            "`Name` is static",
            "is static and has another size",
            "static and not",
            "sizes that are known at run time differ",
            "If its axis has another size",
            "another size than a static",
            "If the axis has another size",
            "`B` has",
            "`Target` has more than one named",
            "`Parts` has more than one named",
            "two axes have different sizes",
            "the same named",
            "no size gives the parts",
            "no size gives it all",
            "parts do not multiply",
            "do not multiply to",
            "If the shape cannot have",
            "sizes differ",
        ],
    },
    Entry {
        title: "Sizes of a `DynTensor`",
        cases: dynamic::sizes,
        words: &[
            "do not broadcast",
            "ShapeError::AxisOutOfRange",
            "no such axis",
            "ShapeError::Sizes",
            "ShapeError::ProductRank",
            "ShapeError::AxisPairs",
            "ShapeError::NegativeSize",
            "ShapeError::SumTo",
            "ShapeError::OperandShape",
            "fewer than two axes",
            "there are fewer axes",
            "do not follow from those",
            "do not match",
            "tensor has not one axis",
            "has neither the size of the target",
            "numbers of elements differ",
        ],
    },
    Entry {
        title: "Numbers of elements, and conversions",
        cases: dynamic::conversions,
        words: &[
            "length of `data`",
            "number of elements is not the product",
            "rank or the size of a static axis",
            "the rank differs",
            "of another type",
            "shape does not take",
            "ShapeError::Rank`]",
            "axis runs backwards",
            "one runs backwards",
            "larger than",
            "`ndarray` has no array",
            "too large to draw",
            "the two sides give",
            "axis is static and there are more",
        ],
    },
    Entry {
        title: "Indices and ranges",
        cases: typed::indices,
        words: &[
            "index that is out of range",
            "index is out of range",
            "out of bounds",
            "part is out of range",
            "out of range",
            "number that is negative",
            "no such index",
            "fewer elements along",
            "`k` elements or fewer",
            "`count` is 0",
            "ShapeError::TooFewElements",
            "ShapeError::AxisCount",
            "IndexingError::InvalidIndex",
            "number of rows differs from the number of indices",
            "one count for each index",
        ],
    },
    Entry {
        title: "Axes without elements",
        cases: typed::empty,
        words: &[
            "axis has size 0",
            "axis of size 0",
            "no element to choose",
            "of the axes has size 0",
            "If there is no element",
            "there is no tensor",
            "ShapeError::Empty",
            "ShapeError::NotOneElement",
            "axis has no element",
            "axis without elements",
        ],
    },
    Entry {
        title: "Sizes beyond memory",
        cases: typed::memory,
        words: &[
            "`isize::MAX`",
            "fit into memory",
            "does not fit into memory",
            "ShapeError::TooLarge",
        ],
    },
    Entry {
        title: "Integers divided by zero",
        cases: typed::integers,
        words: &["divided by zero", "of `b` is 0", "the power negative"],
    },
    Entry {
        title: "Numbers out of their range",
        cases: typed::numbers,
        words: &[
            "`q` is not from 0 to 1",
            "range is reversed",
            "range is empty",
            "`low < high`",
            "`std` is negative",
            "`p` is not from 0 to 1",
            "a weight is negative",
            "weights have rank 0",
            "fewer than two sizes",
        ],
    },
    Entry {
        title: "Windows of a `DynTensor`",
        cases: dynamic::windows,
        words: &[
            "ShapeError::ConvolutionRank",
            "ShapeError::PoolRank",
            "DynTensor::conv)",
            "DynTensor::max_pool)",
            "groups do not divide",
        ],
    },
    Entry {
        title: "Equations and patterns in strings",
        cases: dynamic::equations,
        words: &[
            "equation cannot be read",
            "pattern cannot be read",
            "pattern does not fit",
            "If a name of the one side",
        ],
    },
    Entry {
        title: "Files",
        cases: files::files,
        words: &["cannot be read", "cannot be written", "malformed", "load_npy"],
    },
    Entry {
        title: "Models from files, and optimisers",
        cases: models,
        words: &[
            "missing, left over or different",
            "a placeholder is",
            "a rule has no way back",
            "a gradient or a state does not match",
            "negative or not finite",
            "negative or NaN",
        ],
    },
    Entry {
        title: "Gradients",
        cases: training::gradients,
        words: &[
            "does not require gradients",
            "tensor requires [gradients]",
            "does not depend on a parameter",
            "That of the function",
        ],
    },
    Entry {
        title: "Programs",
        cases: training::programs,
        words: &[
            "being [traced]",
            "being traced",
            "traced tensor",
            "when the program was traced",
            "fewer inputs or outputs",
            "more or fewer bytes",
            "index that is an element of an input",
        ],
    },
    Entry {
        title: "Layers and data",
        cases: layers_and_data,
        words: &[
            "class is not from 0",
            "one class for each row",
            "not from 0 to 1",
            "not a row of the table",
            "`LAYERS - 1`",
            "batch has no example",
            "base is not finite",
            "is not finite",
            "no variance",
            "is odd",
            "beyond the table",
            "`k` is 0",
            "score is NaN",
            "number of samples",
        ],
    },
];

fn models() -> Vec<Case> {
    files::models().into_iter().chain(training::optimizers()).collect()
}

fn layers_and_data() -> Vec<Case> {
    training::layers().into_iter().chain(training::data()).collect()
}

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn read(name: &str) -> String {
    fs::read_to_string(path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
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
    assert!(
        wrong.is_empty(),
        "calls that do not fail so:
{}",
        wrong.join(
            "
"
        )
    );
    cases
});

#[test]
fn the_chapter_prints_what_programs_print() {
    let page = read(PAGE);
    let mut renewed = page.clone();
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
    if std::env::var_os("BLESS").is_some() {
        fs::write(path(PAGE), &renewed).expect("a page");
    } else {
        assert!(
            page == renewed,
            "{PAGE} is not what programs print: BLESS=1 cargo test --test failures"
        );
    }
}

#[test]
fn every_panic_and_every_text_of_an_error_has_a_call() {
    let cases: Vec<&Case> = CASES.iter().flat_map(|(_, cases)| cases).collect();
    let is_printed = |template: &str, by_panic: bool| {
        let cases = cases.iter().filter(|case| !by_panic || case.error.is_none());
        has_words(template) && { cases }.any(|case| prints(template, &case.message))
    };
    let sources = sources();
    let sites: Vec<Site> = sources.iter().flat_map(Site::all).collect();
    assert!(sites.len() > 300, "{} sites: is this how they are written?", sites.len());
    let listed = read(BUGS);
    let listed: BTreeSet<&str> =
        listed.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let without_call: BTreeSet<&str> = sites
        .iter()
        .filter(|site| !is_printed(&site.template, true))
        .map(|site| &site.place[..])
        .collect();
    let new: Vec<&str> = without_call.difference(&listed).copied().collect();
    let gone: Vec<&str> = listed.difference(&without_call).copied().collect();
    assert!(
        new.is_empty(),
        "panics without a call in tests/failures; where no argument leads there, a line of {BUGS}:\n{}",
        new.join("\n")
    );
    assert!(gone.is_empty(), "lines of {BUGS} without such a panic:\n{}", gone.join("\n"));

    let texts: Vec<String> = sources.iter().flat_map(texts_of_errors).collect();
    assert!(texts.len() > 80, "{} texts of errors: is this how they are written?", texts.len());
    let missing: Vec<&String> = texts.iter().filter(|text| !is_printed(text, false)).collect();
    assert!(missing.is_empty(), "texts of errors without a call in tests/failures: {missing:#?}");
}

#[test]
fn every_section_of_the_documentation_belongs_to_an_entry() {
    let mut unknown = BTreeSet::new();
    let mut met: BTreeSet<&&str> = BTreeSet::new();
    let sections = sources()
        .iter()
        .filter(|source| !is_private(&source.path))
        .flat_map(Section::all)
        .collect::<Vec<_>>();
    assert!(sections.len() > 400, "{} sections: is this how they are written?", sections.len());
    for section in &sections {
        let words = ENTRIES.iter().flat_map(|entry| entry.words);
        let found: Vec<_> = words.filter(|words| section.text.contains(**words)).collect();
        if found.is_empty() && !is_of_no_user(&section.item) {
            unknown.insert(format!("{} | {}", section.text, section.item));
        }
        met.extend(found);
    }
    assert!(
        unknown.is_empty(),
        "sections about no entry:\n{}",
        unknown.into_iter().collect::<Vec<_>>().join("\n")
    );
    let words = ENTRIES.iter().flat_map(|entry| entry.words);
    let unmet: Vec<_> = words.filter(|words| !met.contains(words)).collect();
    assert!(unmet.is_empty(), "words that no section has: {unmet:?}");
}

/// Hidden functions that no argument of a user makes fail.
fn is_of_no_user(item: &str) -> bool {
    ["fn dot_slices", "fn remove_stretched_axes", "pub fn infer_left_out"]
        .iter()
        .any(|start| item.starts_with(start))
}

/// Whether users see nothing of a source.
fn is_private(path: &str) -> bool {
    path.starts_with("tensor-array/src/array/")
        && !path.starts_with("tensor-array/src/array/dynamic/")
        && !path.ends_with("/memory.rs")
}

#[test]
fn public_functions_that_panic_say_so() {
    let sources = sources();
    let silent: Vec<String> =
        sources.iter().filter(|source| !is_private(&source.path)).flat_map(silent).collect();
    assert!(silent.is_empty(), "without `# Panics`:\n{}", silent.join("\n"));
}
