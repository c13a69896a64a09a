//! README.md, ARCHITECTURE.md, CONTRIBUTING.md and llms.txt say what is so.

mod repository;
mod snapshots;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use repository::{ROOT, files, read, sources};
use snapshots::Case;

/// The folders that paths in prose are meant from.
const BASES: [&str; 9] = [
    "",
    "tensor-core/src",
    "tensor-kernels/src",
    "tensor-array/src",
    "tensor-array/src/array",
    "tensor-core/src/shape",
    "tensor-core/src/tensor",
    "tensor-macros/src",
    "tensor-nn/src",
];

/// The mistake whose program and message the README shows.
const SHOWN_MISTAKE: &str = "tests/ui/reductions/mean_of_the_rows";

/// The words that name a file, or a folder by a `/` at their end.
fn paths(line: &str) -> impl Iterator<Item = &str> {
    // `docs.rs` is no file.
    let is_link = |word: &str| word.starts_with("//") || word == "docs.rs";
    let separator = |c: char| c.is_whitespace() || "`,:;()[]|".contains(c);
    let is_path = move |word: &&str| {
        let (name, extension) = word.rsplit_once('.').unwrap_or((word, ""));
        let is_file = !name.is_empty() && ["rs", "md", "toml", "json", "gz"].contains(&extension);
        (is_file || (word.ends_with('/') && word.len() > 1)) && !is_link(word)
    };
    line.split(separator).filter(is_path)
}

#[test]
fn paths_that_documents_name_exist() {
    for (document, at_least) in [("ARCHITECTURE.md", 15), ("README.md", 3), ("CONTRIBUTING.md", 20)]
    {
        let mut found = 0;
        let text = read(document);
        // Paths in compiler messages belong to another program.
        for line in text.lines().filter(|line| !line.trim_start().starts_with("-->")) {
            // The first path in a line may be the folder of the others.
            let mut bases: Vec<PathBuf> = BASES.map(PathBuf::from).to_vec();
            // A recipe adds some files.
            for path in paths(line).filter(|path| !text.contains(&format!("{path}, new -->"))) {
                found += 1;
                let candidates = bases.iter().map(|base| base.join(path));
                let exists = candidates.clone().find(|path| Path::new(ROOT).join(path).exists());
                let Some(place) = exists else { panic!("{document} names {path}: {line}") };
                bases.push(if path.ends_with('/') { place } else { place.with_extension("") });
                bases.extend(Path::new(path).parent().map(PathBuf::from));
            }
        }
        assert!(found >= at_least, "{document} names {found} paths: is this how they are written?");
    }
}

/// The contents of the fence that opens with this line, and the text after it.
fn fenced<'a>(text: &'a str, opening: &str) -> (&'a str, &'a str) {
    let (_, rest) = text.split_once(&format!("{opening}\n")).unwrap_or_else(|| {
        panic!("README.md has no `{opening}`");
    });
    rest.split_once("```\n").unwrap()
}

#[test]
fn the_message_in_the_readme_is_that_of_the_compiler() {
    let readme = read("README.md");
    let (program, rest) = fenced(&readme, "```rust,compile_fail,E0277");
    let case = Case::read(SHOWN_MISTAKE);
    assert_eq!(format!("{program}\nfn main() {{}}\n"), case.program, "{SHOWN_MISTAKE}.rs");

    let (message, _) = fenced(rest, "tests/documents.rs -->\n```text");
    let said = case.message;
    assert!(!message.is_empty());
    assert!(said.starts_with(message.trim_end()), "README.md:\n{message}\nthe compiler:\n{said}");
}

/// The texts in backticks, single or double.
fn code_spans(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (_, after) = rest.split_once('`')?;
        let mark = if after.starts_with('`') { "``" } else { "`" };
        let (span, behind) = after[mark.len() - 1..].split_once(mark)?;
        rest = behind;
        Some(span.trim())
    })
}

#[test]
fn messages_for_assistants_are_those_of_the_compiler() {
    let text = read("llms.txt");
    let (_, mistakes) = text.split_once("## Typical mistakes").expect("a list of mistakes");
    let said: String = files("tests/ui", &[".stderr"]).iter().map(read).collect();
    let spans: Vec<&str> = code_spans(mistakes).filter(|span| span.starts_with("error")).collect();
    assert!(spans.len() > 10, "{} messages: is this how they are written?", spans.len());
    for message in spans {
        assert!(said.contains(message), "llms.txt: no program of tests/ui has `{message}`");
    }
}

#[test]
fn names_for_assistants_exist() {
    let text = read("llms.txt");
    let (_, methods) = text.split_once("## Making and reading").expect("a list of constructors");
    let (methods, _) = methods.split_once("## Generic code").expect("an end of the list");
    let folders =
        ["tensor-kernels/src", "tensor-array/src", "tensor-core/src", "tensor-macros/src"];
    let folders = folders.map(sources);
    let code: String = folders.into_iter().flatten().map(|(_, source)| source).collect();
    let known: BTreeSet<&str> = code.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let prose = methods.split("```").step_by(2).collect::<String>();
    let mut names = 0;
    for word in
        code_spans(&prose).flat_map(|span| span.split(|c: char| !c.is_alphanumeric() && c != '_'))
    {
        // Longer ones, as names of variables are short.
        if word.len() > 4 && word.starts_with(|c: char| c.is_lowercase()) {
            names += 1;
            assert!(known.contains(word), "llms.txt names `{word}`, which is in no source");
        }
    }
    assert!(names > 100, "{names} names: is this how they are written?");
}

/// The words of the code, without its comments and the text of strings.
fn words(source: &str) -> impl Iterator<Item = &str> {
    let code = source.lines().map(|line| line.split("//").next().unwrap_or_default());
    let code = code.flat_map(|line| line.split('"').step_by(2));
    code.flat_map(|code| code.split(|c: char| !c.is_alphanumeric() && c != '_'))
}

#[test]
fn only_arithmetic_names_typenum() {
    for (path, source) in sources("tensor-core/src") {
        let is_arithmetic = path.starts_with("tensor-core/src/shape/arithmetic");
        let names_typenum = words(&source).any(|word| word == "typenum");
        assert!(is_arithmetic || !names_typenum, "{} names typenum", path.display());
    }
}

/// The unit tests of a library with `test = false` are run as a module of another test, or not at all.
#[test]
fn unit_tests_run() {
    const MODULE_OF_A_TEST: &str = "tensor-core/src/module/weight_map/pattern.rs";
    for folder in ["tensor-core/src", "tensor-nn/src", "tensor-files/src"] {
        for (path, source) in sources(folder) {
            let runs = !source.contains("#[cfg(test)]") || path == Path::new(MODULE_OF_A_TEST);
            assert!(runs, "{}: no test has this module", path.display());
        }
    }
    assert!(!read("tensor-sizes/src/lib.rs").contains("#[cfg(test)]"));
    assert!(read("tests/core/tests/io/main.rs").contains(MODULE_OF_A_TEST));
}

#[test]
fn every_dependency_has_its_reason() {
    let reasons = read("CONTRIBUTING.md");
    let root = read("Cargo.toml");
    let (_, members) = root.split_once("\nmembers = [").expect("a list of packages");
    let (members, _) = members.split_once(']').expect("its end");
    for folder in members.split('"').skip(1).step_by(2).chain(["", "fuzz"]) {
        let mut is_dependency = false;
        for line in read(Path::new(folder).join("Cargo.toml")).lines() {
            if let Some(section) = line.strip_prefix('[') {
                is_dependency = section.trim_end_matches(']').ends_with("dependencies");
            } else if let Some((name, _)) = line.split_once([' ', '=']).filter(|_| is_dependency)
                && !name.starts_with(['#', '"'])
            {
                let is_ours = Path::new(ROOT).join(name).exists();
                let named = reasons.contains(&format!("`{name}`"));
                assert!(is_ours || named, "CONTRIBUTING.md does not say what `{name}` is for");
            }
        }
    }
}
