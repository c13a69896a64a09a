//! The tensors of a file by name, in any format, which is recognised from the first bytes.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

#[cfg(feature = "npz")]
use super::archive;
use super::safetensors::{self, Contents};
use super::source::{FileSource, Section};
use super::{ReadError, other_formats, shards};

/// The start of a zip archive, and that of one without entries.
const ZIP: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];

/// Opens the file at a path.
type Open<'a> = &'a dyn Fn(&Path) -> io::Result<FileSource>;

/// Reads what the file at a path, or a folder of Hugging Face's, has.
pub(super) fn open(path: &Path, source: Open<'_>) -> Result<Contents, ReadError> {
    let path = if path.is_dir() { in_folder(path)? } else { path.to_owned() };
    let file = Section::all(source(&path)?);
    read(file, path.parent().map(|folder| (folder, source)))
}

/// The file in a folder that has the weights of a model.
fn in_folder(folder: &Path) -> Result<PathBuf, ReadError> {
    const NAMES: [&str; 4] = [
        "model.safetensors",
        "model.safetensors.index.json",
        "pytorch_model.bin",
        "pytorch_model.bin.index.json",
    ];
    let files = NAMES.iter().map(|name| folder.join(name));
    files
        .into_iter()
        .find(|file| file.is_file())
        .ok_or_else(|| ReadError::format(other_formats::without_weights(folder, &NAMES)))
}

/// Reads what a file has. An index of shards names files in the folder.
pub(super) fn read(
    file: Section,
    folder: Option<(&Path, Open<'_>)>,
) -> Result<Contents, ReadError> {
    let mut start = Vec::new();
    file.clone().take(32).read_to_end(&mut start)?;
    if ZIP.iter().any(|zip| start.starts_with(zip)) {
        return of_archive(file);
    }
    // The same bytes as the length of a header would be more than a file has.
    if start.trim_ascii_start().starts_with(b"{") && !start.contains(&0) {
        return match folder {
            Some((folder, source)) => {
                shards::read(file, folder, &|path| read(Section::all(source(path)?), None))
            }
            None => Err(ReadError::format(
                "an index of shards names files in its folder: open it by its path",
            )),
        };
    }
    if start.starts_with(b"\x93NUMPY") {
        return Err(ReadError::format(
            "a .npy file has one array, which has no name: `load_npy` reads it",
        ));
    }
    #[cfg(feature = "pt")]
    if tensor_files::pickle::is_legacy(&start) {
        return super::pt::read_legacy(file);
    }
    #[cfg(not(feature = "pt"))]
    if start.starts_with(b"\x80\x02\x8a\x0a\x6c\xfc") {
        return Err(ReadError::format(
            "a file of PyTorch before version 1.6: the feature `pt` reads it",
        ));
    }
    match other_formats::described(&start) {
        Some(what) => Err(ReadError::format(what)),
        None => safetensors::read(file),
    }
}

#[cfg(feature = "npz")]
fn of_archive(file: Section) -> Result<Contents, ReadError> {
    archive::read(file)
}

#[cfg(not(feature = "npz"))]
fn of_archive(_: Section) -> Result<Contents, ReadError> {
    Err(ReadError::format(
        "a zip archive: the feature `npz` reads those of NumPy, the feature `pt` those of PyTorch",
    ))
}
