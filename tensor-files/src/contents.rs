//! The tensors of a file by name, in any format, which is recognised from the first bytes.

use std::io;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::record::Contents;
use crate::source::{FileSource, Section};
use crate::{npy, other_formats, safetensors, shards};

/// The start of a zip archive, and that of one without entries.
const ZIP: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];

/// Opens the file at a path.
pub type Open<'a> = &'a dyn Fn(&Path) -> io::Result<FileSource>;

/// Reads what the file at a path, or a folder of Hugging Face's, has.
///
/// # Errors
///
/// If it cannot be read, is in none of the formats, or is malformed.
pub fn open(path: &Path, source: Open<'_>) -> Result<Contents, Error> {
    let path = file_at(path)?;
    let file = Section::all(source(&path)?);
    read(file, path.parent().map(|folder| (folder, source)))
}

/// The file at a path; in a folder, the one that has the weights of a model.
///
/// # Errors
///
/// If a folder has none.
pub fn file_at(path: &Path) -> Result<PathBuf, Error> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    const NAMES: [&str; 4] = [
        "model.safetensors",
        "model.safetensors.index.json",
        "pytorch_model.bin",
        "pytorch_model.bin.index.json",
    ];
    let mut files = NAMES.iter().map(|name| path.join(name));
    let file = files.find(|file| file.is_file());
    file.ok_or_else(|| Error::format(other_formats::without_weights(path, &NAMES)))
}

/// Reads what a file has. An index of shards names files in the folder.
///
/// # Errors
///
/// As [`open`].
pub fn read(file: Section, folder: Option<(&Path, Open<'_>)>) -> Result<Contents, Error> {
    let start = file.first_bytes()?;
    if ZIP.iter().any(|zip| start.starts_with(zip)) {
        #[cfg(feature = "npz")]
        return crate::npz::read(file);
        #[cfg(not(feature = "npz"))]
        return Err(Error::format(
            "a zip archive: the feature `npz` reads those of NumPy, the feature `pt` those of PyTorch",
        ));
    }
    // The same bytes as the length of a header would be more than a file has.
    if start.trim_ascii_start().starts_with(b"{") && !start.contains(&0) {
        return match folder {
            Some((folder, source)) => {
                shards::read(file, folder, &|path| read(Section::all(source(path)?), None))
            }
            None => Err(Error::format(
                "an index of shards names files in its folder: open it by its path",
            )),
        };
    }
    if npy::is_npy(&start) {
        return Err(Error::format(
            "a .npy file has one array, which has no name: `load_npy` reads it",
        ));
    }
    if other_formats::is_legacy(&start) {
        #[cfg(feature = "pt")]
        return crate::pt::read_legacy(file);
        #[cfg(not(feature = "pt"))]
        return Err(Error::format(
            "a file of PyTorch before version 1.6: the feature `pt` reads it",
        ));
    }
    match other_formats::described(&start) {
        Some(what) => Err(Error::format(what)),
        None => safetensors::read(file),
    }
}
