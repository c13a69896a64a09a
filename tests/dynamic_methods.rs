//! `DynTensor` has the methods of `Tensor`. The names are read from the sources; those of the table of
//! operations are made of the same rows for both.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use tensor_core::{DynTensor, tensor};

const TENSOR: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tensor-core/src/tensor");
const DYNAMIC: [&str; 2] = [
    concat!(env!("CARGO_MANIFEST_DIR"), "/tensor-array/src/array/dynamic"),
    concat!(env!("CARGO_MANIFEST_DIR"), "/tensor-array/src/ops"),
];

/// Methods of `Tensor` that `DynTensor` does not need, and why.
const ONLY_TYPED: [(&str, &str); 13] = [
    ("shape", "it is a value of the type: `sizes`, `rank`"),
    ("concat_array", "`concat_all` takes any number of tensors"),
    ("concat_tuple", "`concat_all` takes tensors of different sizes"),
    ("stack_all", "`stack` takes any number of tensors"),
    ("align_to", "axes have no names: `permute` and `unsqueeze`"),
    ("rename_axis", "axes have no names"),
    ("flatten_axes_as", "axes have no names: `flatten_axes`"),
    ("unflatten_as", "axes have no names: `unflatten`"),
    ("pad_as", "axes have no names: `pad`"),
    ("repeat_as", "axes have no names: `repeat`"),
    ("tile_as", "axes have no names: `tile`"),
    ("diff_as", "axes have no names: `diff`"),
    ("windows_as", "axes have no names: `windows`, then `slice_axis_step`"),
];

/// Methods with this suffix take the shape as a value, as every method does here.
const SHAPED: &str = "_shaped";

/// The Rust files of a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.unwrap().path());
    entries.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

/// The Rust files of a folder, and of its folders.
fn all_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.unwrap().path());
    let folders = entries.filter(|path| path.is_dir());
    files(folder).into_iter().chain(folders.flat_map(|path| all_files(&path))).collect()
}

/// The name in `pub fn name…`.
fn name(line: &str) -> Option<&str> {
    let line = line.strip_prefix("pub fn ")?;
    let end = line.find(|c: char| c != '_' && !c.is_ascii_alphanumeric())?;
    // `$name` is the name of each row.
    (end > 0).then_some(&line[..end])
}

/// The public methods in impls whose first line matches, and the functions outside of impls.
fn methods(files: &[PathBuf], of: impl Fn(&str) -> bool) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for path in files {
        let source = fs::read_to_string(path).expect("a source");
        let mut chosen = false;
        for line in source.lines() {
            if line.starts_with("impl") {
                chosen = of(line);
            } else if let Some(name) = name(line.trim_start())
                && (line.starts_with("pub fn") || chosen)
            {
                names.insert(name.to_owned());
            }
        }
    }
    names
}

/// The names of methods of `DynTensor` whose documentation links to a method of `Tensor`: all that are public,
/// without those that it marks.
fn linked(files: &[PathBuf]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for path in files {
        let source = fs::read_to_string(path).expect("a source");
        for part in source.split("#[tensor_array_macros::method_docs(twins)]\n").skip(1) {
            let block = part.split("\n}\n").next().unwrap_or(part);
            let mut is_marked = false;
            for line in block.lines().map(str::trim_start) {
                is_marked |= line.starts_with("#[twin(") || line == "#[doc(hidden)]";
                if let Some(name) = name(line)
                    && !std::mem::take(&mut is_marked)
                {
                    names.insert(name.to_owned());
                }
            }
        }
    }
    names
}

/// The names of the methods of all rows of the table.
fn rows() -> BTreeSet<&'static str> {
    tensor_core::operations().map(|operation| operation.name).collect()
}

#[test]
fn dynamic_tensors_have_the_methods_of_tensors() {
    let folder = Path::new(TENSOR);
    let typed_files: Vec<_> =
        [folder.to_owned(), folder.join("operations"), folder.join("indexing")]
            .iter()
            .flat_map(|path| files(path))
            .collect();
    let is_tensor = |line: &str| line.contains("> Tensor<") && !line.contains(" for ");
    let mut typed = methods(&typed_files, is_tensor);
    let of_other_modules = ["enable", "enable_with", "disable", "layer_norm"];
    typed.retain(|name| !of_other_modules.contains(&name.as_str()));
    assert!(typed.len() > 40, "{typed:?}: is this how methods are written?");
    assert!(typed.contains("zip_with3") && typed.contains("permute"), "{typed:?}");

    let is_dynamic = |line: &str| line.contains("DynTensor<") && !line.contains(" for ");
    let mut sources: Vec<_> = DYNAMIC.iter().flat_map(|path| files(Path::new(path))).collect();
    sources.push(concat!(env!("CARGO_MANIFEST_DIR"), "/tensor-array/src/display.rs").into());
    let dynamic = methods(&sources, is_dynamic);
    let missing: Vec<_> = typed
        .iter()
        .filter(|name| !dynamic.contains(*name) && !rows().contains(name.as_str()))
        .filter(|name| !name.ends_with(SHAPED))
        .filter(|name| !ONLY_TYPED.iter().any(|(only, _)| only == *name))
        .collect();
    assert!(missing.is_empty(), "`DynTensor` lacks {missing:?}");
    for (name, reason) in ONLY_TYPED {
        assert!(typed.contains(name) && !dynamic.contains(name), "`{name}`: {reason}");
    }
}

#[test]
fn links_of_dynamic_tensors_lead_to_methods_of_tensors() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let linked = linked(&all_files(&root.join("tensor-array/src")));
    assert!(linked.len() > 130, "{linked:?}: is this how they are written?");
    let is_tensor = |line: &str| line.contains("> Tensor<") && !line.contains(" for ");
    let typed = methods(&all_files(&root.join("tensor-core/src")), is_tensor);
    let missing: Vec<_> = linked.difference(&typed).collect();
    assert!(missing.is_empty(), "`Tensor` lacks {missing:?}: mark them by `#[twin(…)]`");
}

/// Both make their methods of all groups of rows.
#[test]
fn both_have_the_methods_of_all_rows() {
    let groups = [
        ("unary", ["number_unary!", "signed_unary!", "bits_unary!", "float_unary!"].as_slice()),
        ("binary", &["element_binary!", "number_binary!", "float_binary!"]),
        ("reduce", &["for_each_reduction!"]),
        ("reduce_axes", &["for_each_reduction!"]),
    ];
    let dynamic: String = DYNAMIC
        .iter()
        .flat_map(|path| files(Path::new(path)))
        .map(|path| fs::read_to_string(path).expect("a source"))
        .collect();
    for (file, groups) in groups {
        let path = Path::new(TENSOR).join(format!("operations/{file}.rs"));
        let typed = fs::read_to_string(path).expect("a source");
        for group in groups {
            assert!(typed.contains(&format!("{group}(")), "{file}: {group}");
            assert!(dynamic.contains(&format!("{group}(")), "DynTensor: {group}");
        }
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
