//! `cargo shapes inspect FILE`: the tensors of a file as a table, and as a Rust struct.

mod diff;
mod headers;
mod notes;

use std::path::Path;

use tensor_files::escaped;
use tensor_onnx::structs;

pub use diff::{Comparison, diff};
use headers::{Contents, Kind, contents};
pub use headers::{read, tensors};
pub use tensor_onnx::structs::{Entry, model, type_of};

/// The table of a file's tensors, followed by the struct.
///
/// # Errors
///
/// The file cannot be read, or is in none of the formats.
pub fn inspect(path: &Path) -> Result<String, String> {
    let contents = named(path)?;
    let notes = notes::notes(&contents, &notes::left_out(&contents.entries));
    Ok(format!("{}\n{notes}{}", table(&contents.entries), model(&contents.entries)))
}

/// The Rust struct of a file, which `Model::open` makes of it, or the `WeightMap` in its first lines. Tensors that are a
/// layer of `tensor-nn` become it.
///
/// # Errors
///
/// The file cannot be read, or is in none of the formats.
pub fn write_model(path: &Path) -> Result<String, String> {
    write_part(path, "")
}

/// [`write_model`] of the tensors whose names begin with a prefix, `bert` or `bert.`; of all if it is empty.
///
/// # Errors
///
/// The file cannot be read, or is in none of the formats, or has no such tensor.
pub fn write_part(path: &Path, prefix: &str) -> Result<String, String> {
    let mut contents = named(path)?;
    let name = path.file_name().unwrap_or_default();
    let prefix = match prefix.trim_end_matches('.') {
        "" => String::new(),
        prefix => format!("{prefix}."),
    };
    let (part, others): (Vec<Entry>, Vec<Entry>) =
        contents.entries.into_iter().partition(|entry| entry.name.starts_with(&prefix));
    if part.is_empty() && !others.is_empty() {
        let error = format!("{}: no tensor whose name begins with `{prefix}`", path.display());
        return Err(escaped(&error));
    }
    let others = notes::others(&others, &prefix);
    contents.entries = part;
    for entry in &mut contents.entries {
        entry.name.drain(..prefix.len());
    }
    let left_out = notes::left_out(&contents.entries);
    let how = match (contents.kind, left_out.is_empty() && prefix.is_empty()) {
        (Kind::Npy, true) => "one array, which `Tensor::load_npy` reads",
        (Kind::Npy, false) => "one array, whose element type Rust lacks",
        (Kind::Onnx, _) => "`Model::open` reads them from a .safetensors file, see below",
        (Kind::Named, true) => "`Model::open` reads them",
        (Kind::Named, false) => "a `WeightMap` reads those that have a field",
    };
    let notes = notes::notes_of_part(&contents, &left_out, &others, &prefix);
    let model = structs::model_of_layers(&contents.entries);
    let layers = match model.contains("use tensor_nn::") {
        true => "// Layers are those of tensor-nn: `cargo add tensor-nn`.\n",
        false => "",
    };
    Ok(format!("// The weights of {name:?}: {how}.\n{layers}{notes}\n{model}"))
}

/// What a file has, or an error with its path.
fn named(path: &Path) -> Result<Contents, String> {
    contents(path).map_err(|error| escaped(&format!("{}: {error}", path.display())))
}

/// A table with a row for each tensor, and the total number of elements.
fn table(entries: &[Entry]) -> String {
    let rows: Vec<[String; 3]> = entries
        .iter()
        .map(|entry| {
            let sizes: Vec<String> = entry.sizes.iter().map(u64::to_string).collect();
            [escaped(&entry.name), escaped(&entry.element), format!("[{}]", sizes.join(", "))]
        })
        .collect();
    let width =
        |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let (names, elements) = (width(0), width(1));
    let mut table = String::new();
    for [name, element, shape] in &rows {
        table += &format!("{name:names$}  {element:elements$}  {shape}\n");
    }
    let count =
        entries.iter().map(Entry::count).try_fold(0_u64, |sum, count| sum.checked_add(count?));
    let tensors = if entries.len() == 1 {
        "1 tensor".to_owned()
    } else {
        format!("{} tensors", entries.len())
    };
    match count {
        Some(count) => table + &format!("{tensors}, {count} elements\n"),
        None => table + &format!("{tensors}\n"),
    }
}
