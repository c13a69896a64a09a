//! Zip archives of named tensors: `.npz` of NumPy, `.pt` of PyTorch.

use std::collections::HashSet;

use zip::ZipArchive;

use crate::archive::{archive_error, open_archive};
use crate::element::checked_bytes;
use crate::error::Error;
use crate::npy::Header;
use crate::record::{Contents, Data, Record};
use crate::source::Section;

/// Reads the names and headers of an archive.
pub(crate) fn read(file: Section) -> Result<Contents, Error> {
    let archive = open_archive(file.clone())?;
    let pickle = (0..archive.len()).find(|&index| {
        let name = archive.name_for_index(index).and_then(Result::ok).unwrap_or_default();
        name == "data.pkl" || name.ends_with("/data.pkl")
    });
    match pickle {
        #[cfg(feature = "pt")]
        Some(pickle) => crate::pt::read(&file, archive, pickle),
        #[cfg(not(feature = "pt"))]
        Some(_) => Err(Error::format("a file of `torch.save`: the feature `pt` reads it")),
        None => of_numpy(archive),
    }
}

fn of_numpy(mut archive: ZipArchive<Section>) -> Result<Contents, Error> {
    let (mut contents, mut names) = (Contents::default(), HashSet::new());
    for index in 0..archive.len() {
        let copy = archive.clone();
        let mut entry = archive.by_index(index).map_err(archive_error)?;
        let file = entry.name().map_err(archive_error)?.into_owned();
        let name = file.strip_suffix(".npy").unwrap_or(&file).to_owned();
        let described = || -> Result<Record, Error> {
            let Header { element, sizes, .. } = Header::read(&mut entry)?;
            let (sizes, _) = checked_bytes(&sizes, &element)?;
            Ok(Record { element, sizes, data: Data::Npy { archive: copy, index } })
        };
        let record = described().map_err(|error| error.within(&name))?;
        if !names.insert(name.clone()) {
            return Err(Error::format(format!("two arrays have the name `{name}`")));
        }
        contents.tensors.push((name, record));
    }
    Ok(contents)
}
