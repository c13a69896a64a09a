//! Zip archives of named tensors: `.npz` of NumPy, `.pt` of PyTorch.

use zip::ZipArchive;

use super::bytes::rust_name;
use super::header::Header;
use super::npz::{archive_error, open_archive};
use super::record::{Data, Record};
use super::safetensors::Contents;
use super::source::Section;
use super::value::element_bytes;
use super::{ReadError, checked_bytes};

/// Reads the names and headers of an archive.
pub(super) fn read(file: Section) -> Result<Contents, ReadError> {
    let archive = open_archive(file.clone())?;
    let pickle = (0..archive.len()).find(|&index| {
        let name = archive.name_for_index(index).and_then(Result::ok).unwrap_or_default();
        name == "data.pkl" || name.ends_with("/data.pkl")
    });
    match pickle {
        Some(pickle) => of_torch(&file, archive, pickle),
        None => of_numpy(archive),
    }
}

#[cfg(feature = "pt")]
fn of_torch(
    file: &Section,
    archive: ZipArchive<Section>,
    pickle: usize,
) -> Result<Contents, ReadError> {
    super::pt::read(file, archive, pickle)
}

#[cfg(not(feature = "pt"))]
fn of_torch(_: &Section, _: ZipArchive<Section>, _: usize) -> Result<Contents, ReadError> {
    Err(ReadError::format("a file of `torch.save`: the feature `pt` reads it"))
}

fn of_numpy(mut archive: ZipArchive<Section>) -> Result<Contents, ReadError> {
    let mut contents = Contents::default();
    for index in 0..archive.len() {
        let copy = archive.clone();
        let mut entry = archive.by_index(index).map_err(archive_error)?;
        let file = entry.name().map_err(archive_error)?.into_owned();
        let name = file.strip_suffix(".npy").unwrap_or(&file).to_owned();
        let described = || -> Result<Record, ReadError> {
            let header = Header::read(&mut entry)?;
            let element = rust_name(&header.element).map_or(header.element, str::to_owned);
            let bytes = element_bytes(&element).unwrap_or(1);
            let (sizes, _) = checked_bytes(&header.sizes, bytes)?;
            Ok(Record { element, sizes, data: Data::Npy { archive: copy, index } })
        };
        let record = described().map_err(|error| error.within(&name))?;
        if contents.records.insert(name.clone(), record).is_some() {
            return Err(ReadError::format(format!("two arrays have the name `{name}`")));
        }
    }
    Ok(contents)
}
