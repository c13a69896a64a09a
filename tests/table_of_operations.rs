//! An operation is one row of the table: nothing else in the sources names it.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use tensor_core::{DynTensor, operations, tensor};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All source files below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry"));
    entries
        .flat_map(|entry| match entry.path() {
            path if path.is_dir() => sources(&path),
            path if path.extension().is_some_and(|extension| extension == "rs") => vec![path],
            _ => vec![],
        })
        .collect()
}

/// The rows of a file of the table: the name of the method, and that of the type.
fn rows(file: &str) -> Vec<(String, String)> {
    let row = |line: &str| {
        let (name, rest) = line.trim().strip_prefix("method ")?.split_once(": ")?;
        Some((name.to_owned(), rest.split_once(" ->")?.0.to_owned()))
    };
    read(&Path::new(ROOT).join("tensor-array/src/ops").join(file)).lines().filter_map(row).collect()
}

/// The words of the code, without its comments.
fn words(source: &str) -> impl Iterator<Item = &str> {
    let code = source.lines().map(|line| line.split("//").next().unwrap_or_default());
    code.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_'))
}

#[test]
fn a_unary_function_is_one_row() {
    let table = Path::new(ROOT).join("tensor-array/src/ops/unary.rs");
    let crates = ["tensor-array/src", "tensor-core/src"];
    let all = crates.iter().flat_map(|folder| sources(&Path::new(ROOT).join(folder)));
    let others: Vec<PathBuf> = all.filter(|path| *path != table).collect();
    assert!(others.len() > 80, "{} files", others.len());
    let texts: Vec<String> = others.iter().map(|path| read(path)).collect();
    let named: Vec<HashSet<&str>> = texts.iter().map(|text| words(text).collect()).collect();
    let rows = rows("unary.rs");
    assert!(rows.len() > 35, "{} rows", rows.len());
    // The operators `-` and `!` are implemented by hand, once for all elements.
    let is_operator = |name: &str| ["neg", "not"].contains(&name);
    for (name, operation) in rows.iter().filter(|(name, _)| !is_operator(name)) {
        for (path, named) in others.iter().zip(&named) {
            let named = named.contains(&operation[..]);
            assert!(!named, "{} names `{operation}`, the operation `{name}`", path.display());
        }
    }
}

#[test]
fn the_list_has_every_row_once() {
    let listed: Vec<&str> = operations().map(|operation| operation.name).collect();
    for (name, _) in [rows("unary.rs"), rows("binary.rs")].concat() {
        assert_eq!(listed.iter().filter(|&&other| other == name).count(), 1, "{name}");
    }
    for operation in operations() {
        let names = [operation.numpy, operation.pytorch, operation.stablehlo];
        assert!(names.iter().flatten().all(|name| !name.is_empty()), "{operation:?}");
        assert!(!operation.topic.is_empty() && operation.operands > 0, "{operation:?}");
    }
}

#[test]
fn dynamic_tensors_have_the_operations_of_typed_ones() {
    let x = tensor![[0.5, -1.5, 2.0], [1.0, 0.0, -3.0]];
    let y = tensor![2.0, 0.5, -1.0];
    let (dynamic_x, dynamic_y) = (DynTensor::from(x.clone()), DynTensor::from(y.clone()));
    assert_eq!((&dynamic_x + &dynamic_y).unwrap(), DynTensor::from(&x + &y));
    assert_eq!(dynamic_x.maximum(&dynamic_y).unwrap(), DynTensor::from(x.maximum(&y)));
    assert_eq!(dynamic_x.greater(&dynamic_y).unwrap(), DynTensor::from(x.greater(&y)));
    assert_eq!(dynamic_x.gelu(), DynTensor::from(x.gelu()));
    assert_eq!(&dynamic_x * 2.0, DynTensor::from(&x * 2.0));
    assert_eq!(-&dynamic_x, DynTensor::from(-&x));
    let transposed = DynTensor::from(x.transpose());
    assert_eq!(transposed.exp(), DynTensor::from(x.transpose().exp()));
    let refused = (&transposed + &dynamic_y).unwrap_err().to_string();
    assert!(refused.starts_with("The size of tensor a (2) must match"), "{refused}");
}
