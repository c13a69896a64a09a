//! `model.safetensors.index.json`: which of several files has a tensor.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use serde_json::Value;

use super::ReadError;
use super::safetensors::Contents;
use super::source::Section;

/// The maximum length of an index, in bytes.
const LONGEST_INDEX: u64 = 100_000_000;

/// Reads the index, and by `read_shard` what each of its files in the folder has.
pub(super) fn read(
    index: Section,
    folder: &Path,
    read_shard: &dyn Fn(&Path) -> Result<Contents, ReadError>,
) -> Result<Contents, ReadError> {
    if index.len() > LONGEST_INDEX {
        let len = index.len();
        return Err(ReadError::format(format!(
            "an index of {len} bytes, and at most {LONGEST_INDEX} are read"
        )));
    }
    let mut text = Vec::new();
    index.take(LONGEST_INDEX).read_to_end(&mut text)?;
    let malformed = |problem: &str| ReadError::format(format!("not an index of shards: {problem}"));
    let json: Value =
        serde_json::from_slice(&text).map_err(|error| malformed(&error.to_string()))?;
    let map = json.get("weight_map").and_then(Value::as_object);
    let map = map.ok_or_else(|| malformed("it has no object `weight_map`"))?;
    let mut files: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (name, file) in map {
        let file = file.as_str().ok_or_else(|| malformed(&format!("`{name}` has no file")))?;
        files.entry(file).or_default().push(name);
    }
    let mut all = Contents::default();
    for (file, names) in files {
        let mut shard = path_of(file, folder)
            .and_then(|path| read_shard(&path))
            .map_err(|error| error.within(file))?;
        // Tensors that the index lists for another file, or not at all, are left out.
        for name in names {
            let Some(record) = shard.records.remove(name) else {
                let message = format!("no `{name}`, which the index lists for it");
                return Err(ReadError::format(message).within(file));
            };
            all.records.insert(name.to_owned(), record);
        }
        all.metadata.extend(shard.metadata);
        all.skipped.extend(shard.skipped);
    }
    Ok(all)
}

/// The path of a file of the folder. One elsewhere is not opened.
fn path_of(file: &str, folder: &Path) -> Result<PathBuf, ReadError> {
    let mut components = Path::new(file).components();
    match (components.next(), components.next()) {
        (Some(Component::Normal(file)), None) => Ok(folder.join(file)),
        _ => Err(ReadError::format("a shard is a file in the folder of its index")),
    }
}
