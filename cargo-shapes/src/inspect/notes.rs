//! Comments above the structs of a file: what they need, and how the file is opened if they leave out tensors.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::headers::{Contents, Kind};
use super::{Entry, escaped};
use tensor_onnx::structs::has_field;

/// The most objects that comments list: a file may have a list of thousands.
const MOST_SKIPPED: usize = 20;

/// The comments, with the patterns of [`left_out`]; empty if the structs need nothing and have all tensors. A `.npy` file
/// has one array, which no `WeightMap` reads.
pub(super) fn notes(contents: &Contents, left_out: &BTreeSet<String>) -> String {
    notes_of_part(contents, left_out, &BTreeSet::new(), "")
}

/// [`notes`] of the tensors below a prefix, with patterns of the [`others`].
pub(super) fn notes_of_part(
    contents: &Contents,
    left_out: &BTreeSet<String>,
    others: &BTreeSet<String>,
    prefix: &str,
) -> String {
    let Contents { entries, kind, skipped } = contents;
    let is_npy = *kind == Kind::Npy;
    let mut notes = String::new();
    for (name, class) in skipped.iter().take(MOST_SKIPPED) {
        let (name, class) = (escaped(name), escaped(class));
        notes += &format!("// Not read: `{name}`, an object of `{class}`.\n");
    }
    if skipped.len() > MOST_SKIPPED {
        notes += &format!("// Not read: {} other objects.\n", skipped.len() - MOST_SKIPPED);
    }
    if *kind == Kind::Onnx {
        notes += "// ONNX files are not read: save the initializers and the values of `Constant` nodes as .safetensors,\n\
                  // with `onnx.numpy_helper.to_array` and `safetensors.numpy.save_file`.\n";
    }
    let is_half = |entry: &Entry| matches!(&entry.element[..], "f16" | "bf16");
    if entries.iter().any(|entry| is_half(entry) && has_field(entry)) {
        notes += "// Elements of 16 bits need the crate `half`, and the feature `half` of tensor-core:\n\
                  // `cargo add half`, `cargo add tensor-core --features half`.\n";
    }
    if !left_out.is_empty() && !is_npy {
        notes += "// Tensors in comments have no element type in Rust, or no name of a field. This opens the file without them:\n";
    } else if !prefix.is_empty() {
        notes += "// This opens the part of the file:\n";
    }
    if !is_npy && (!left_out.is_empty() || !prefix.is_empty()) {
        notes += "// WeightMap::new()\n";
        for pattern in others {
            notes += &format!("//     .ignore({pattern:?})\n");
        }
        if !prefix.is_empty() {
            notes += &format!("//     .prefix({prefix:?})\n");
        }
        for pattern in left_out {
            notes += &format!("//     .ignore({pattern:?})\n");
        }
        notes += "//     .open::<Model>(path)\n";
    }
    notes
}

/// Patterns of the tensors that do not have a prefix: the first parts of their names, up to one that differs from it.
pub(super) fn others(entries: &[Entry], prefix: &str) -> BTreeSet<String> {
    let pattern = |entry: &Entry| {
        let same = entry.name.split('.').zip(prefix.split('.')).take_while(|(a, b)| a == b).count();
        let parts: Vec<&str> = entry.name.split('.').take(same + 1).collect();
        parts.join(".").replace('{', "*")
    };
    entries.iter().map(pattern).collect()
}

/// Patterns of the tensors that no field has: with placeholders for numbers, where no tensor of a field has such a name.
pub(super) fn left_out(entries: &[Entry]) -> BTreeSet<String> {
    let (kept, others): (Vec<&Entry>, Vec<&Entry>) =
        entries.iter().partition(|entry| has_field(entry));
    // For the number of parts of a pattern and its placeholders, the names of the fields that could match it.
    let mut fields: HashMap<(usize, Vec<usize>), HashSet<String>> = HashMap::new();
    let patterns = others.iter().map(|entry| {
        let general = pattern(&entry.name);
        let count = general.split('.').count();
        let placeholders = general.split('.').enumerate().filter(|(_, part)| part.starts_with('{'));
        let placeholders: Vec<usize> = placeholders.map(|(number, _)| number).collect();
        let known = fields.entry((count, placeholders.clone())).or_insert_with(|| {
            kept.iter().filter_map(|entry| masked(&entry.name, count, &placeholders)).collect()
        });
        let matches = masked(&entry.name, count, &placeholders).filter(|name| known.contains(name));
        if matches.is_some() { entry.name.replace('{', "*") } else { general }
    });
    patterns.collect()
}

/// The first parts of a name without those of placeholders, which match any part; `None` if it has fewer parts. A pattern
/// matches the names below it as well.
fn masked(name: &str, count: usize, placeholders: &[usize]) -> Option<String> {
    let parts = name.split('.').enumerate().take(count);
    let parts: Vec<&str> = parts
        .map(|(number, part)| if placeholders.contains(&number) { "{}" } else { part })
        .collect();
    (parts.len() == count).then(|| parts.join("."))
}

/// A name as a pattern, with `{i}`, `{j}` and `{k}` for its first parts that are numbers.
fn pattern(name: &str) -> String {
    let mut placeholders = ["{i}", "{j}", "{k}"].into_iter();
    let parts = name.split('.').map(|part| {
        let is_number = part.parse::<u64>().is_ok();
        let placeholder = if is_number { placeholders.next() } else { None };
        // A brace would begin a placeholder.
        placeholder.map_or_else(|| part.replace('{', "*"), str::to_owned)
    });
    parts.collect::<Vec<_>>().join(".")
}
