//! `model.safetensors.index.json`: which of several files has a tensor.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use serde_json::Value;

use crate::error::Error;
use crate::record::Contents;
use crate::source::Section;

/// Reads the index, and by `read_shard` what each of its files in the folder has.
pub(crate) fn read(
    index: Section,
    folder: &Path,
    read_shard: &dyn Fn(&Path) -> Result<Contents, Error>,
) -> Result<Contents, Error> {
    let text = index.read_all("an index")?;
    let malformed = |problem: &str| Error::format(format!("not an index of shards: {problem}"));
    let json: Value =
        serde_json::from_slice(&text).map_err(|error| malformed(&error.to_string()))?;
    let map = json.get("weight_map").and_then(Value::as_object);
    let map = map.ok_or_else(|| malformed("it has no object `weight_map`"))?;
    let mut files: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (name, file) in map {
        let file = file.as_str().ok_or_else(|| malformed(&format!("`{name}` has no file")))?;
        files.entry(file).or_default().insert(name);
    }
    let mut all = Contents::default();
    for (file, mut names) in files {
        let shard = path_of(file, folder)
            .and_then(|path| read_shard(&path))
            .map_err(|error| error.within(file))?;
        // Tensors that the index lists for another file, or not at all, are left out.
        let tensors = shard.tensors.into_iter();
        all.tensors.extend(tensors.filter(|(name, _)| names.remove(&name[..])));
        if let Some(name) = names.first() {
            let message = format!("no `{name}`, which the index lists for it");
            return Err(Error::format(message).within(file));
        }
        all.metadata.extend(shard.metadata);
        all.skipped.extend(shard.skipped);
    }
    Ok(all)
}

/// The path of a file of the folder. One elsewhere is not opened.
fn path_of(file: &str, folder: &Path) -> Result<PathBuf, Error> {
    let mut components = Path::new(file).components();
    match (components.next(), components.next()) {
        (Some(Component::Normal(file)), None) => Ok(folder.join(file)),
        _ => Err(Error::format("a shard is a file in the folder of its index")),
    }
}
