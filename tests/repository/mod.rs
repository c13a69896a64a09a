//! Files of the repository, which tests read and compare.

#![allow(dead_code, reason = "each test uses its part")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

pub const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The text of a file, whose path is from the folder of the package.
#[track_caller]
pub fn read(path: impl AsRef<Path>) -> String {
    let path = Path::new(ROOT).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files of a folder and of its folders whose names have one of these endings, in order; a file is itself alone.
#[track_caller]
pub fn files(path: impl AsRef<Path>, endings: &[&str]) -> Vec<PathBuf> {
    let path = Path::new(ROOT).join(path);
    if !path.is_dir() {
        let name = path.to_str().expect("UTF-8");
        let is_meant = endings.iter().any(|ending| name.ends_with(ending));
        return if is_meant { vec![path] } else { Vec::new() };
    }
    let entries = fs::read_dir(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let entries = entries.map(|entry| entry.expect("an entry").path());
    let mut found: Vec<_> = entries.flat_map(|path| files(path, endings)).collect();
    found.sort();
    found
}

/// The Rust files at a path, with their texts; their paths are from the folder of the package.
#[track_caller]
pub fn sources(path: impl AsRef<Path>) -> Vec<(PathBuf, String)> {
    let text = |path: PathBuf| (path.strip_prefix(ROOT).unwrap_or(&path).to_owned(), read(&path));
    files(path, &[".rs"]).into_iter().map(text).collect()
}

/// Whether expected files are to be written instead of compared.
pub fn is_blessed() -> bool {
    std::env::var_os("BLESS").is_some_and(|value| value != "0")
}

/// Compares a file with what it is to be, or writes it; `part` is that of `.ci/bless`.
#[track_caller]
pub fn compare(path: impl AsRef<Path>, expected: &str, part: &str) {
    let path = Path::new(ROOT).join(path);
    if is_blessed() {
        fs::write(&path, expected).expect("a writable file");
        return;
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    let differs = found.lines().zip(expected.lines()).find(|(here, there)| here != there);
    assert!(
        found == expected,
        "{} is not what it is made of: {differs:#?}\n`.ci/bless {part}` writes it anew",
        path.display()
    );
}

/// The part of a text before anything but a name.
pub fn name(text: &str) -> &str {
    &text[..text.find(|c| c != '_' && !char::is_ascii_alphanumeric(&c)).unwrap_or(text.len())]
}

/// The names of the public functions in the Rust files at a path that the documentation does not hide: of those in impls
/// whose first line is chosen, and, as `None`, of those outside of impls.
pub fn public_functions(
    path: impl AsRef<Path>,
    is_chosen: impl Fn(Option<&str>) -> bool,
) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (_, source) in sources(path) {
        let (mut is_of_impl, mut is_hidden) = (false, false);
        for line in source.lines() {
            let text = line.trim_start();
            let function = text.strip_prefix("pub fn ").or(text.strip_prefix("pub unsafe fn "));
            if line.starts_with("impl") {
                is_of_impl = is_chosen(Some(line));
            } else if let Some(name) = function.map(name).filter(|name| !name.is_empty()) {
                let is_outside = line.starts_with("pub");
                if !is_hidden && if is_outside { is_chosen(None) } else { is_of_impl } {
                    names.insert(name.to_owned());
                }
            }
            is_hidden = text == "#[doc(hidden)]" || is_hidden && text.starts_with(['#', '/']);
        }
    }
    names
}

/// Whether an impl has methods of `Tensor`.
pub fn is_of_tensor(line: Option<&str>) -> bool {
    line.is_some_and(|line| line.contains("> Tensor<") && !line.contains(" for "))
}

/// The names of the methods that the rows of the table of operations make.
pub fn methods_of_rows() -> BTreeSet<String> {
    let mut names: BTreeSet<String> =
        tensor_core::operations().map(|operation| operation.name.to_owned()).collect();
    // The forms of reductions: `x.sum_axis::<0>(),` and `axes: [sum_axes, sum_axes_keepdims],`.
    for line in read("tensor-kernels/src/ops/reductions.rs").lines().map(str::trim_start) {
        if let Some(call) = line.strip_prefix("x.") {
            names.insert(name(call).to_owned());
        } else if let Some(forms) = line.strip_prefix("axes: [") {
            let forms = forms.split_once(']').map_or(forms, |(forms, _)| forms);
            names.extend(forms.split(", ").map(|form| name(form).to_owned()));
        }
    }
    names
}
