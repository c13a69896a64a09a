//! An element type is one row of the table: nothing else in the sources names it, but for the reasons
//! listed here. The names of some types have other meanings too, such as `u32` for 32 bits: types
//! that rarely do speak for all.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

const TABLE: &str = "tensor-array/src/ops/elements.rs";

/// The other files that name a type, and why.
const OTHERS: [(&str, &[(&str, &str)]); 5] = [
    (
        "i16",
        &[
            ("tensor-core/src/tensor/ranges.rs", "how far it counts"),
            ("tensor-core/src/io/pt_writer.rs", "the storages of PyTorch"),
            ("tensor-core/src/io/value.rs", "values of each type"),
        ],
    ),
    (
        "i8",
        &[
            ("tensor-core/src/io/pt_writer.rs", "the storages of PyTorch"),
            ("tensor-core/src/io/value.rs", "values of each type"),
            ("tensor-array/src/element.rs", "the message of `Element`"),
            ("tensor-array/src/element/cast.rs", "the message of `CastTo`"),
            ("tensor-core/src/tensor/ranges.rs", "how far it counts"),
        ],
    ),
    (
        "u16",
        &[
            ("tensor-core/src/io/pt_writer.rs", "the storages of PyTorch"),
            ("tensor-core/src/io/value.rs", "values of each type"),
            ("tensor-core/src/tensor/ranges.rs", "how far it counts"),
            ("tensor-array/src/io/npy/header.rs", "lengths in a header"),
            ("tensor-array/src/array/kernel/matmul/gemm.rs", "masks of vectors"),
            ("tensor-array/src/array/kernel/matmul/microkernel.rs", "masks of vectors"),
            ("tensor-array/src/array/kernel/reduce/strided.rs", "elements of two bytes"),
            ("tensor-array/src/array/kernel/table.rs", "elements of two bytes"),
            ("tensor-array/src/array/kernel/division.rs", "elements of two bytes"),
            ("tensor-array/src/array/kernel/tiles/operand.rs", "elements of two bytes"),
            ("tensor-array/src/array/kernel/moves.rs", "elements of two bytes"),
        ],
    ),
    ("f16", HALVES),
    ("bf16", HALVES),
];

const HALVES: &[(&str, &str)] = &[
    (
        "tensor-array/src/array/trace/stablehlo/builder.rs",
        "sums of them are translated as those of `f32`",
    ),
    ("tensor-core/src/io/pt_writer.rs", "the storages of PyTorch"),
    ("tensor-core/src/io/value.rs", "values of each type"),
    ("tensor-array/src/array/kernel/reduce/widen.rs", "their conversions differ"),
    ("tensor-array/src/element.rs", "the message of `Element`"),
    ("tensor-array/src/element/cast.rs", "the message of `CastTo`"),
    ("tensor-array/src/element/float.rs", "the message of `Float`"),
    ("tensor-array/src/io.rs", "what reads them, without the feature"),
    ("tensor-array/src/io/bytes.rs", "NumPy has one of them alone"),
    ("tensor-core/src/tensor/ranges.rs", "how far they count"),
];

/// The row of each type: its name and its class.
fn rows() -> Vec<(String, String)> {
    let source = fs::read_to_string(Path::new(ROOT).join(TABLE)).expect("the table");
    let (_, rows) = source.split_once("($then:ident").expect("the macro");
    let (rows, _) = rows.split_once("pub use").expect("the end of the macro");
    let row = |line: &str| {
        let (name, rest) = line.trim().strip_suffix(';')?.split_once(": ")?;
        let (class, _) = rest.split_once(' ')?;
        Some((name.to_owned(), class.to_owned()))
    };
    rows.lines().filter_map(row).collect()
}

/// All source files below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| match path {
            path if path.is_dir() => sources(&path),
            path if path.extension().is_some_and(|extension| extension == "rs") => vec![path],
            _ => vec![],
        })
        .collect()
}

/// Whether a text contains a word.
fn names(text: &str, word: &str) -> bool {
    let is_part = |c: char| c == '_' || c.is_ascii_alphanumeric();
    text.match_indices(word).any(|(at, _)| {
        let (before, behind) = (&text[..at], &text[at + word.len()..]);
        !before.ends_with(is_part) && !behind.starts_with(is_part)
    })
}

#[test]
fn words_are_found_whole() {
    assert!(names("let x: [f16; 2]", "f16") && names("f16", "f16"));
    assert!(!names("bf16 to_f16 f16x", "f16"));
}

#[test]
fn an_element_type_is_named_in_the_table_alone() {
    let rows = rows();
    assert_eq!(rows.len(), 13, "{rows:?}");
    let folders = ["tensor-array/src", "tensor-core/src"];
    let files: Vec<_> =
        folders.iter().flat_map(|folder| sources(&Path::new(ROOT).join(folder))).collect();
    for (name, others) in OTHERS {
        assert!(rows.iter().any(|(row, _)| row == name), "`{name}` is a type of the table");
        let mut found = BTreeSet::new();
        for path in &files {
            let relative = path.strip_prefix(ROOT).unwrap().to_str().expect("a name");
            let source = fs::read_to_string(path).expect("a source");
            // Examples and unit tests use types, and name some.
            let code = source.lines().filter(|line| !line.trim_start().starts_with("//"));
            let (code, is_test) =
                (code.collect::<Vec<_>>().join("\n"), relative.contains("/tests"));
            let code = code.split("#[cfg(test)]").next().unwrap();
            if !is_test && names(code, name) {
                found.insert(relative.to_owned());
            }
        }
        let expected = others.iter().map(|(path, _)| *path).chain([TABLE]);
        let expected: BTreeSet<_> = expected.map(str::to_owned).collect();
        let more: Vec<_> = found.difference(&expected).collect();
        assert!(more.is_empty(), "`{name}` is named in {more:?}: make it of the rows of {TABLE}");
        let fewer: Vec<_> = expected.difference(&found).collect();
        assert!(fewer.is_empty(), "`{name}` is not named in {fewer:?} any more: leave it out here");
    }
}

/// The lists that people read are those of the table.
#[test]
fn lists_of_types_are_those_of_the_table() {
    let rows = rows();
    let of = |classes: &[&str]| -> BTreeSet<&str> {
        let chosen = rows.iter().filter(|(_, class)| classes.contains(&class.as_str()));
        chosen.map(|(name, _)| name.as_str()).collect()
    };
    let all = of(&["float", "half", "signed", "unsigned", "boolean"]);
    assert_eq!(all.len(), rows.len());
    let listed = |line: &str| -> BTreeSet<String> {
        let quoted = line.split('`').skip(1).step_by(2);
        let words = quoted.flat_map(|words| words.split(' ').map(str::to_owned));
        words.filter(|word| all.contains(word.as_str())).collect()
    };
    let line = |path: &str, start: &str| -> BTreeSet<String> {
        let text = fs::read_to_string(Path::new(ROOT).join(path)).expect("a page");
        let line = text.lines().find(|line| line.starts_with(start));
        listed(line.unwrap_or_else(|| panic!("{path}: no line `{start}`")))
    };
    let owned = |names: BTreeSet<&str>| -> BTreeSet<String> {
        names.into_iter().map(str::to_owned).collect()
    };
    assert_eq!(line("README.md", "| element types"), owned(all.clone()));
    let guide = "tensor-core/guide/operations.md";
    assert_eq!(line(guide, "| `Element`"), owned(all.clone()));
    assert_eq!(line(guide, "| `Float`"), owned(of(&["float", "half"])));
    assert_eq!(line(guide, "| `Integer`"), owned(of(&["signed", "unsigned"])));
}
