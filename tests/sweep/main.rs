//! Every operation of the list on empty, single and ordinary shapes and on special values: results, first
//! and second gradients compared with PyTorch, `f32` with `f64`, views with copies, and programs with calls.

mod case;
mod decided;
mod elementwise;
#[path = "../embed/runner.rs"]
mod embed_runner;
mod embedded;
mod exported;
#[path = "../../tensor-xla/tests/plugin/found.rs"]
mod found;
mod gradients;
mod graphs;
#[path = "../exported/mod.rs"]
mod runtime;
mod structural;
mod traced;
mod views;

use std::collections::BTreeSet;

use case::{Case, Operands, Real, Results};
use tensor_core::operations;

/// Computes a case by the methods of `DynTensor`.
fn compute<T: Real>(o: &Operands<'_, T>) -> Results<T> {
    let op = o.case.op.as_str();
    elementwise::elementwise(op, o)
        .or_else(|| elementwise::reduction(op, o))
        .or_else(|| elementwise::along(op, o))
        .or_else(|| structural::floats(op, o))
        .or_else(|| structural::counted(op, o))
        .unwrap_or_else(|| panic!("no method for `{op}`"))
}

/// Rows that share the cases of another row: the same method, or one with fixed arguments.
const SAME_CASES: [(&str, &str); 6] = [
    ("median_axis", "median"),
    ("quantile_with", "quantile"),
    ("quantile_axis", "quantile"),
    ("quantile_axis_with", "quantile"),
    ("unique_all", "unique_counts"),
    ("unique_all_axis", "unique_axis"),
];

#[test]
fn every_operation_has_cases() {
    let cases: Vec<Case> = Case::read();
    let names: BTreeSet<&str> = cases.iter().map(|case| case.op.as_str()).collect();
    let same = |name| SAME_CASES.iter().any(|(row, other)| *row == name && names.contains(other));
    let missing: Vec<_> = operations()
        .map(|operation| operation.name)
        .filter(|&name| !names.contains(name) && !same(name))
        .collect();
    assert!(missing.is_empty(), "no cases for {missing:?}: add them to tests/sweep/pytorch.py");
}
