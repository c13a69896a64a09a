//! The cases are those of all methods. The names are read from the sources.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Methods that no program has, and why.
const NOT_TRACED: [(&str, &str); 40] = [
    ("all_close", "compares elements"),
    ("as_mut_slice", "elements"),
    ("as_nalgebra", "elements"),
    ("as_ndarray", "elements"),
    ("as_slice", "elements"),
    ("compress", "its size depends on elements"),
    ("evcxr_display", "prints"),
    ("flatnonzero", "its size depends on elements"),
    ("get", "an element"),
    ("gradients", "in the loss of each case"),
    ("into_vec", "elements"),
    ("is_empty", "a number of elements"),
    ("is_tracked", "a fact about a tensor"),
    ("item", "an element"),
    ("iter", "elements"),
    ("len", "a number of elements"),
    ("load_npy", "a file"),
    ("map", "a closure: `fuse!`"),
    ("map_assign", "a closure: `fuse!`"),
    ("masked_select", "its size depends on elements"),
    ("nonzero", "its size depends on elements"),
    ("rank", "a number of axes"),
    ("read_npy", "a file"),
    ("tracked_gradients", "tests/trace.rs"),
    ("requires_grad", "in each case"),
    ("save_npy", "a file"),
    ("shape", "a shape"),
    ("sizes", "sizes"),
    ("to_vec", "elements"),
    ("unique", "its size depends on elements"),
    ("unique_all", "its size depends on elements"),
    ("unique_all_axis", "its size depends on elements"),
    ("unique_axis", "its size depends on elements"),
    ("unique_counts", "its size depends on elements"),
    ("unique_inverse", "its size depends on elements"),
    ("write_npy", "a file"),
    ("zip_assign", "a closure: `fuse!`"),
    ("zip_with", "a closure: `fuse!`"),
    ("zip_with3", "a closure: `fuse!`"),
    ("zip_with4", "a closure: `fuse!`"),
];

/// The text before anything but a part of a name.
fn name(text: &str) -> &str {
    text.split(|c: char| c != '_' && !c.is_ascii_alphanumeric()).next().unwrap_or_default()
}

/// Adds the names of the public methods of `Tensor` in the files of a folder.
fn add_methods(folder: &Path, names: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            add_methods(&path, names);
            continue;
        }
        let source = fs::read_to_string(&path).expect("a source");
        let (mut is_tensor, mut is_hidden) = (false, false);
        for line in source.lines() {
            let text = line.trim_start();
            if line.starts_with("impl") {
                is_tensor = line.contains("> Tensor<") && !line.contains(" for ");
            } else if let Some(function) = text.strip_prefix("pub fn ") {
                if is_tensor && !is_hidden {
                    names.insert(name(function).to_owned());
                }
                is_hidden = false;
            } else {
                let is_above = text.starts_with(['#', '/']);
                is_hidden = text == "#[doc(hidden)]" || is_hidden && is_above;
            }
        }
    }
}

/// Adds the names after a word, in the lines of a file that begin with it: one, or those of a list in brackets.
fn add_rows(file: &str, start: &str, names: &mut BTreeSet<String>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let source = fs::read_to_string(path).expect("a source");
    let lines = source.lines().filter_map(|line| line.trim_start().strip_prefix(start));
    for rest in lines {
        let list = rest.split_once(']').map_or_else(|| name(rest), |(list, _)| list);
        names.extend(list.split(", ").map(|rest| name(rest).to_owned()));
    }
}

#[test]
fn every_method_has_a_case() {
    let mut methods: BTreeSet<String> =
        tensor_core::operations().map(|operation| operation.name.to_owned()).collect();
    add_methods(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tensor-core/src"), &mut methods);
    for (file, start) in [
        ("tensor-kernels/src/ops/unary.rs", "method "),
        ("tensor-kernels/src/ops/binary.rs", "method "),
        ("tensor-kernels/src/ops/binary.rs", "operator "),
        ("tensor-kernels/src/ops/reductions.rs", "x."),
        ("tensor-kernels/src/ops/reductions.rs", "axes: ["),
        ("tensor-core/src/tensor/operations/zip.rs", "pub fn "),
        ("tensor-core/src/tensor/operations/binary.rs", "pub fn "),
    ] {
        add_rows(file, start, &mut methods);
    }
    methods.insert("fuse".to_owned());
    methods.remove("");
    assert!(methods.len() > 300, "{methods:?}: is this how they are written?");
    let cases: BTreeSet<&str> = super::names().into_iter().map(name).collect();
    let is_left_out = |name: &str| NOT_TRACED.iter().any(|(left_out, _)| *left_out == name);
    let missing: Vec<_> =
        methods.iter().filter(|name| !cases.contains(&name[..]) && !is_left_out(name)).collect();
    assert!(missing.is_empty(), "these methods have no case: {missing:#?}");
    let unknown: Vec<_> = cases.iter().filter(|name| !methods.contains(**name)).collect();
    assert!(unknown.is_empty(), "these cases are of no method: {unknown:#?}");
    for (name, reason) in NOT_TRACED {
        assert!(methods.contains(name) && !cases.contains(name), "`{name}`: {reason}");
    }
}
