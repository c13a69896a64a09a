//! What the messages about names of other libraries say.

use std::fs;
use std::path::{Path, PathBuf};

use crate::other_names::{Input, Message, names, trait_name};

const CHAPTER: &str = "\
| Array API | here | PyTorch | ndarray |
| --- | --- | --- | --- |
| `abs`, `negative` | `x.abs()`, `-&x` | `abs`, `neg` | `abs`, `-` |
| `bitwise_or` | `&a \\| &b` | `bitwise_or` | the operators |
| `where`, `take` | `select(&mask, &a, &b)`, `x.take::<0, _>(&i)` | `where`, `index_select` | `mapv` |
| `svd` | – decompositions are elsewhere | `linalg.svd` | `mapv` |

| PyTorch | here |
| --- | --- |
| `fmax`, `fmin` | `zip_with(&a, &b, f32::max)`, which ignores NaN |
| `F.glu`, `nn.init.zeros_`, `Tensor.T` | the layer `Glu` |

Text with a | and `code`.
";

#[test]
fn messages_are_the_rows_of_the_chapter() {
    let names = names(CHAPTER);
    let message = |name: &str| {
        let Message { sentence, label } = &names[name];
        (sentence.as_str(), label.as_str())
    };
    assert_eq!(message("neg"), ("PyTorch's `neg` is `-&x`", "write `-&x`"));
    assert_eq!(message("negative"), ("NumPy's `negative` is `-&x`", "write `-&x`"));
    assert_eq!(message("bitwise_or"), ("NumPy's `bitwise_or` is `&a | &b`", "write `&a | &b`"));
    assert_eq!(message("index_select").0, "PyTorch's `index_select` is `x.take::<0, _>(&i)`");
    let svd = (
        "NumPy's `svd` has no counterpart here: decompositions are elsewhere",
        "not a method of tensors",
    );
    assert_eq!(message("svd"), svd);
    assert_eq!(
        message("fmin"),
        (
            "PyTorch's `fmin` is `zip_with(&a, &b, f32::max)`, which ignores NaN",
            "write `zip_with(&a, &b, f32::max)`"
        )
    );
    assert_eq!(message("glu"), ("PyTorch's `glu` is the layer `Glu`", "not a method of tensors"));
    // Names of methods here, keywords, functions, and names of several rows.
    for name in ["abs", "take", "where", "zeros_", "T", "mapv", "code"] {
        assert!(!names.contains_key(name), "{name}");
    }
}

/// The rows for a `DynTensor`, whose crate is below the one of the chapter: `.ci/bless macros` writes them anew.
#[test]
fn names_for_arrays_are_those_of_the_chapter() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let read = |path: &str| fs::read_to_string(root.join(path)).expect("a file of the workspace");
    let list = read("tensor-core/src/tensor/other_names.rs");
    let list = list.split("other_names! {").nth(1).and_then(|list| list.split("\n}").next());
    let list: Input = syn::parse_str(list.expect("the list")).expect("the list");
    let methods =
        sources(&root.join("tensor-array/src")) + &sources(&root.join("tensor-kernels/src/ops"));
    let mut rows = String::from(
        "//! Written by `.ci/bless macros` from `tensor-core/guide/coming_from.md`.\n\nuse super::NotAnElement;\n\nother_names! {\n",
    );
    for (name, message) in names(&read("tensor-core/guide/coming_from.md")) {
        let Some(call) =
            message.label.strip_prefix("write `").and_then(|label| label.strip_suffix('`'))
        else {
            continue;
        };
        let Some(call) = call_of_arrays(call, &methods) else { continue };
        let library = message.sentence.split("'s ").next().unwrap_or_default();
        let bound = trait_name(&name);
        let count = list.arguments.get(&name).copied().unwrap_or(0);
        let arguments = ["a", "b", "c", "d"][..count].join(" ");
        rows += &format!(
            "    {name} Dyn{bound} ({arguments}): \"{library}'s `{name}` is `{call}`\" \"write `{call}`\";\n"
        );
    }
    rows += "}\n";
    let file = root.join("tensor-array/src/array/other_names/rows.rs");
    if std::env::var_os("BLESS").is_some_and(|bless| bless != "0") {
        fs::write(file, rows).expect("a file");
        return;
    }
    assert!(fs::read_to_string(file).unwrap_or_default() == rows, "other rows: `.ci/bless macros`");
}

/// All source files below a folder.
fn sources(folder: &Path) -> String {
    let entries =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let text = |path: PathBuf| match path.is_dir() {
        true => sources(&path),
        false => fs::read_to_string(path).unwrap_or_default(),
    };
    entries.map(text).collect()
}

/// The call of the same method of an array, whose axes and shapes are arguments: `x.concat(…)`. `None` if arrays
/// have no such method.
fn call_of_arrays(call: &str, methods: &str) -> Option<String> {
    let is_operator = ["&a ", "-&x", "!&a"].iter().any(|start| call.starts_with(start));
    if is_operator && !call.contains("::") {
        return Some(call.to_owned());
    }
    let (receiver, rest) = call.split_once('.')?;
    let name: String = rest.chars().take_while(|c| *c == '_' || c.is_alphanumeric()).collect();
    let is_method =
        [format!("pub fn {name}("), format!("pub fn {name}<"), format!("method {name}:")]
            .iter()
            .any(|definition| methods.contains(definition));
    if !is_method || receiver.len() != 1 {
        return None;
    }
    let rest = &rest[name.len()..];
    // The type of elements is one here too.
    if name == "cast" || rest == "()" {
        return Some(call.to_owned());
    }
    // One call, and nothing behind it.
    let (generics, arguments) = rest.split_once('(')?;
    let is_one_call = arguments.find(')') == Some(arguments.len() - 1);
    let has_generics = generics.is_empty() || generics.starts_with("::<");
    (is_one_call && has_generics).then(|| format!("{receiver}.{name}(…)"))
}
