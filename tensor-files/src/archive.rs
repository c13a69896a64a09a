//! Zip archives, of which no two entries share bytes.

use std::io::{self, Read, Seek};

use zip::ZipArchive;
use zip::result::ZipError;

use crate::error::Error;

/// The error of an archive.
pub fn archive_error(error: ZipError) -> Error {
    match error {
        ZipError::Io(error) => error.into(),
        error => Error::format(format!(
            "not a zip archive, or not all of one: {error}: download or copy it again"
        )),
    }
}

/// Opens an archive. No two of its entries share bytes, so that what all of them have is in proportion to the file.
///
/// # Errors
///
/// If it cannot be read, is no archive, or has entries that share bytes.
pub fn open_archive<R: Read + Seek>(reader: R) -> Result<ZipArchive<R>, Error> {
    let mut archive = ZipArchive::new(reader).map_err(archive_error)?;
    let mut ends = Vec::with_capacity(archive.len());
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index).map_err(archive_error)?;
        let start = entry.data_start().unwrap_or(u64::MAX);
        ends.push((entry.header_start(), start.saturating_add(entry.compressed_size()), index));
    }
    ends.sort_unstable();
    if let Some(pair) = ends.windows(2).find(|pair| pair[0].1 > pair[1].0) {
        let name = |index| archive.name_for_index(index).and_then(Result::ok).unwrap_or_default();
        return Err(Error::format(format!(
            "`{}` and `{}` share bytes of the file",
            name(pair[0].2),
            name(pair[1].2)
        )));
    }
    Ok(archive)
}

/// Checks that an entry ends after its array, where its checksum is compared.
///
/// # Errors
///
/// If bytes follow, or if the checksum is another.
pub fn ended(entry: &mut impl Read) -> Result<(), Error> {
    let mut rest = [0];
    loop {
        match entry.read(&mut rest) {
            Ok(0) => return Ok(()),
            Ok(_) => return Err(Error::format("more bytes follow the elements")),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
}
