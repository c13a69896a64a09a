//! The cases are those of all methods. The names are read from the sources.

use std::collections::BTreeSet;

use crate::repository::{is_of_tensor, methods_of_rows, name, public_functions};

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

#[test]
fn every_method_has_a_case() {
    let mut methods = methods_of_rows();
    methods.extend(public_functions("tensor-core/src", is_of_tensor));
    for file in ["zip", "binary"] {
        let path = format!("tensor-core/src/tensor/operations/{file}.rs");
        methods.extend(public_functions(path, |line| line.is_none()));
    }
    methods.insert("fuse".to_owned());
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
