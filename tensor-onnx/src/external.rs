//! Data of tensors in other files, beside the model.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Component, Path};

use crate::proto::Tensor;

/// The bytes of a tensor in another file.
pub fn read(folder: Option<&Path>, tensor: &Tensor<'_>, bytes: usize) -> Result<Vec<u8>, String> {
    let entry =
        |key: &str| tensor.external.iter().find(|(other, _)| *other == key).map(|row| row.1);
    let location = entry("location").ok_or("data in another file without its name")?;
    let folder =
        folder.ok_or_else(|| format!("data in the file {location:?}, which is not given"))?;
    let path = Path::new(location);
    let is_inside =
        path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if !is_inside || location.is_empty() {
        return Err(format!("data in {location:?}, which is outside of the folder of the model"));
    }
    let number = |key: &str| match entry(key) {
        Some(text) => text
            .parse::<u64>()
            .map(Some)
            .map_err(|_| format!("{key} {text:?} of data in {location:?}")),
        None => Ok(None),
    };
    let (offset, length) = (number("offset")?.unwrap_or(0), number("length")?);
    if length.is_some_and(|length| length != bytes as u64) {
        return Err(format!(
            "{bytes} bytes of elements and {} bytes of data in {location:?}",
            length.unwrap_or(0)
        ));
    }
    let path = folder.join(path);
    let lacks = |error: std::io::Error| format!("data in {location:?}: {error}");
    // A link could lead out of the folder.
    let (real, real_folder) =
        (path.canonicalize().map_err(lacks)?, folder.canonicalize().map_err(lacks)?);
    if !real.starts_with(&real_folder) {
        return Err(format!("data in {location:?}, which is outside of the folder of the model"));
    }
    let mut file = File::open(real).map_err(lacks)?;
    let len = file.metadata().map_err(lacks)?.len();
    if offset.checked_add(bytes as u64).is_none_or(|end| end > len) {
        return Err(format!("data from byte {offset} in {location:?}, which has {len} bytes"));
    }
    file.seek(SeekFrom::Start(offset)).map_err(lacks)?;
    let mut data = vec![0; bytes];
    file.read_exact(&mut data).map_err(lacks)?;
    Ok(data)
}
