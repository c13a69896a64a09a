//! Comments above the structs of a file: what they need, and how the file is opened if they leave out tensors.

use std::collections::{BTreeSet, HashSet};

use super::Entry;
use super::model::has_field;

/// The comments; empty if the structs need nothing and have all tensors.
pub(super) fn notes(entries: &[Entry]) -> String {
    let mut notes = String::new();
    let is_half = |entry: &Entry| matches!(&entry.element[..], "f16" | "bf16");
    if entries.iter().any(|entry| is_half(entry) && has_field(entry)) {
        notes += "// Elements of 16 bits need the crate `half`, and the feature `half` of tensor-core:\n\
                  // `cargo add half`, `cargo add tensor-core --features half`.\n";
    }
    let patterns = left_out(entries);
    if !patterns.is_empty() {
        notes += "// Tensors in comments have no element type in Rust, or no name of a field. \
                  This opens the file without them:\n// WeightMap::new()\n";
        for pattern in &patterns {
            notes += &format!("//     .ignore({pattern:?})\n");
        }
        notes += "//     .open::<Model>(path)\n";
    }
    notes
}

/// Patterns of the tensors that no field has: with placeholders for numbers, where no tensor of a field has such a name.
pub(super) fn left_out(entries: &[Entry]) -> BTreeSet<String> {
    let (kept, others): (Vec<&Entry>, Vec<&Entry>) =
        entries.iter().partition(|entry| has_field(entry));
    let mut known = HashSet::new();
    if !others.is_empty() {
        for name in kept.iter().map(|entry| pattern(&entry.name)) {
            // A pattern matches the names below it as well.
            let ends = name.match_indices('.').map(|(end, _)| end);
            known.extend(ends.chain([name.len()]).map(|end| name[..end].to_owned()));
        }
    }
    let patterns = others.iter().map(|entry| match pattern(&entry.name) {
        general if known.contains(&general) => entry.name.replace('{', "*"),
        general => general,
    });
    patterns.collect()
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
