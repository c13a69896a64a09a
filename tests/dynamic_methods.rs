//! `DynTensor` has the methods of `Tensor`. The names are read from the sources; those of the table of
//! operations are made of the same rows for both.

mod repository;

use std::collections::BTreeSet;

use repository::{is_of_tensor, methods_of_rows, name, public_functions, sources};

/// Where the methods of `DynTensor` are.
const DYNAMIC: [&str; 3] =
    ["tensor-array/src/array/dynamic", "tensor-array/src/ops", "tensor-array/src/display.rs"];

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

/// The names of methods of `DynTensor` whose documentation links to a method of `Tensor`: all that are public,
/// without those that it marks.
fn linked() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (_, source) in sources("tensor-array/src") {
        for part in source.split("#[tensor_array_macros::method_docs(twins)]\n").skip(1) {
            let block = part.split("\n}\n").next().unwrap_or(part);
            let mut is_marked = false;
            for line in block.lines().map(str::trim_start) {
                is_marked |= line.starts_with("#[twin(") || line == "#[doc(hidden)]";
                // `$name` is the name of each row.
                let name = line.strip_prefix("pub fn ").map(name).filter(|name| !name.is_empty());
                if let Some(name) = name
                    && !std::mem::take(&mut is_marked)
                {
                    names.insert(name.to_owned());
                }
            }
        }
    }
    names
}

#[test]
fn dynamic_tensors_have_the_methods_of_tensors() {
    let is_free_or_of_tensor = |line: Option<&str>| line.is_none() || is_of_tensor(line);
    let mut typed = public_functions("tensor-core/src/tensor", is_free_or_of_tensor);
    // Functions of warnings.
    typed.retain(|name| !["enable", "enable_with", "disable"].contains(&&name[..]));
    assert!(typed.len() > 40, "{typed:?}: is this how methods are written?");
    assert!(typed.contains("zip_with3") && typed.contains("permute"), "{typed:?}");

    let is_dynamic = |line: &str| line.contains("DynTensor<") && !line.contains(" for ");
    let dynamic = DYNAMIC.map(|path| public_functions(path, |line| line.is_none_or(is_dynamic)));
    let dynamic: BTreeSet<String> = dynamic.into_iter().flatten().collect();
    let rows = methods_of_rows();
    let missing: Vec<_> = typed
        .iter()
        .filter(|name| !dynamic.contains(*name) && !rows.contains(*name))
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
    let linked = linked();
    assert!(linked.len() > 130, "{linked:?}: is this how they are written?");
    let typed = public_functions("tensor-core/src", is_of_tensor);
    let missing: Vec<_> = linked.difference(&typed).collect();
    assert!(missing.is_empty(), "`Tensor` lacks {missing:?}: mark them by `#[twin(…)]`");
}
