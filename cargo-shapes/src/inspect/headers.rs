//! The headers of files: names, element types and sizes, without the elements.

use std::io::Read;
use std::path::Path;

use tensor_files::npy::{self, Header};
use tensor_files::{Error, FileSource, Open, Section, file_at, is_onnx};

use super::Entry;

/// What a file has.
#[derive(Default)]
pub(super) struct Contents {
    pub(super) entries: Vec<Entry>,
    pub(super) kind: Kind,
    /// The objects of a pickle that are not read: their names, and those of their classes.
    pub(super) skipped: Vec<(String, String)>,
}

/// How the tensors of a file are read.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Kind {
    /// By `Model::open`.
    #[default]
    Named,
    /// By `Tensor::load_npy`.
    Npy,
    /// Not before they are in another file.
    Onnx,
}

/// The tensors of a `.safetensors`, `.pt`, `.npz`, `.npy` or `.onnx` file, of the shards that an index names, or of the
/// model in a folder, in the order of the file or by name.
///
/// # Errors
///
/// The file cannot be read, or is damaged.
pub fn read(path: &Path) -> Result<Vec<Entry>, String> {
    contents(path).map(|contents| contents.entries).map_err(|error| error.to_string())
}

/// The tensors of a file in memory that is no index, as [`read`]. The array of a `.npy` file has the name `name`.
///
/// # Errors
///
/// As [`read`].
pub fn tensors(file: Vec<u8>, name: &str) -> Result<Vec<Entry>, String> {
    let contents = of_file(Section::all(FileSource::Memory(Box::new(file))), name, None);
    contents.map(|contents| contents.entries).map_err(|error| error.to_string())
}

/// What the file at a path, or the model in a folder, has.
pub(super) fn contents(path: &Path) -> Result<Contents, Error> {
    let path = file_at(path)?;
    let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let folder = path.parent().map(|folder| (folder, &FileSource::open as Open<'_>));
    of_file(Section::all(FileSource::open(&path)?), name, folder)
}

/// What a file has, whose format its first bytes tell.
fn of_file(
    file: Section,
    name: &str,
    folder: Option<(&Path, Open<'_>)>,
) -> Result<Contents, Error> {
    let start = file.first_bytes()?;
    if npy::is_npy(&start) {
        let Header { element, sizes, .. } = Header::of_file(file)?;
        let entries = vec![Entry { name: name.to_owned(), element, sizes }];
        return Ok(Contents { entries, kind: Kind::Npy, skipped: Vec::new() });
    }
    if is_onnx(&start) {
        let mut bytes = Vec::new();
        let mut file = file;
        file.read_to_end(&mut bytes)?;
        let entries = tensor_onnx::tensors(&bytes).map_err(Error::format)?;
        return Ok(Contents { entries, kind: Kind::Onnx, skipped: Vec::new() });
    }
    let found = tensor_files::read(file, folder)?;
    let entries = found.tensors.into_iter().map(|(name, tensor)| Entry {
        name,
        element: tensor.element,
        sizes: tensor.sizes.into_iter().map(|size| size as u64).collect(),
    });
    Ok(Contents { entries: entries.collect(), kind: Kind::Named, skipped: found.skipped })
}
