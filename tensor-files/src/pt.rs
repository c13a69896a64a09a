//! `.pt` and `.bin` of PyTorch: an archive with a pickle of names, shapes and storages, and a file for each storage. Before
//! version 1.6, the pickle and the storages were one after another.

use std::io::Read;

use zip::{CompressionMethod, ZipArchive};

use crate::archive::archive_error;
use crate::element::{bytes_of, checked_bytes};
use crate::error::Error;
use crate::npy::Endian;
use crate::pickle::{self, StoredTensor};
use crate::record::{Contents, Data, Record, is_row_major};
use crate::source::Section;

/// An archive, and the folder in it that has the pickle.
struct Archive<'a> {
    file: &'a Section,
    archive: ZipArchive<Section>,
    folder: String,
    endian: Endian,
}

/// Reads the pickle of an archive, which is its entry with this index.
pub(crate) fn read(
    file: &Section,
    archive: ZipArchive<Section>,
    pickle: usize,
) -> Result<Contents, Error> {
    let name = archive.name_for_index(pickle).and_then(Result::ok).unwrap_or_default();
    let folder = name.strip_suffix("data.pkl").unwrap_or_default().to_owned();
    let mut archive = Archive { file, archive, folder, endian: Endian::Little };
    archive.endian = archive.byte_order()?;
    let (_, pickle) = archive.stored("data.pkl")?;
    let found = pickle::read(&pickle.read_all("a pickle")?)?;
    contents(found, &mut |tensor| archive.record(tensor))
}

/// Reads the pickles of a file of PyTorch before version 1.6.
pub(crate) fn read_legacy(file: Section) -> Result<Contents, Error> {
    let found = pickle::read_legacy(file.clone())?;
    contents(found.contents, &mut |tensor| {
        let bytes = &found.storages[&tensor.key];
        let storage = file.part(bytes.start, bytes.end - bytes.start);
        let storage = storage.ok_or_else(|| Error::format("the file became shorter"))?;
        described(tensor, storage, Endian::Little, None)
    })
}

/// The tensors of a pickle by name, each described by `record`.
fn contents(
    found: pickle::Contents,
    record: &mut dyn FnMut(&StoredTensor) -> Result<Record, Error>,
) -> Result<Contents, Error> {
    let mut contents = Contents::default();
    for tensor in found.tensors {
        let record = record(&tensor).map_err(|error| error.within(&tensor.name))?;
        contents.tensors.push((tensor.name, record));
    }
    let skipped = found.skipped.into_iter();
    contents.skipped = skipped.map(|skipped| (skipped.name, skipped.class)).collect();
    Ok(contents)
}

impl Archive<'_> {
    /// The number and the bytes of an entry, which `torch.save` never compresses.
    fn stored(&mut self, name: &str) -> Result<(usize, Section), Error> {
        let name = format!("{}{name}", self.folder);
        let index = self.archive.index_for_name(&name);
        let index = index.ok_or_else(|| Error::format(format!("the archive has no `{name}`")))?;
        let entry = self.archive.by_index_raw(index).map_err(archive_error)?;
        if entry.compression() != CompressionMethod::Stored {
            return Err(Error::format(format!(
                "`{name}` is compressed, which `torch.save` does not do: save it again"
            )));
        }
        let section = entry.data_start().and_then(|start| self.file.part(start, entry.size()));
        let section = section
            .ok_or_else(|| Error::format(format!("`{name}` ends beyond the end of the file")))?;
        Ok((index, section))
    }

    /// The byte order of the machine that wrote the file.
    fn byte_order(&mut self) -> Result<Endian, Error> {
        // Files before PyTorch 2.1 do not have it.
        let Ok((_, order)) = self.stored("byteorder") else { return Ok(Endian::Little) };
        let mut text = String::new();
        order.take(10).read_to_string(&mut text)?;
        match &text[..] {
            "little" => Ok(Endian::Little),
            "big" => Ok(Endian::Big),
            other => Err(Error::format(format!("the byte order `{other}`"))),
        }
    }

    fn record(&mut self, tensor: &StoredTensor) -> Result<Record, Error> {
        let (index, storage) = self.stored(&format!("data/{}", tensor.key))?;
        described(tensor, storage, self.endian, Some((&self.archive, index)))
    }
}

/// Describes a tensor in a storage, which may be an entry of an archive.
fn described(
    tensor: &StoredTensor,
    storage: Section,
    endian: Endian,
    entry: Option<(&ZipArchive<Section>, usize)>,
) -> Result<Record, Error> {
    let element = tensor.element.to_owned();
    let bytes = bytes_of(tensor.element);
    let (sizes, len) = checked_bytes(&tensor.sizes, tensor.element)?;
    let axes = tensor.sizes.iter().zip(&tensor.strides);
    // `pickle` has checked that the last element lies in the storage as the pickle describes it.
    let (offset, last) = match len {
        0 => (0, None),
        _ => (tensor.offset, Some(axes.map(|(size, stride)| (size - 1) * stride).sum::<u64>())),
    };
    let span = (offset.checked_mul(bytes))
        .zip(last.map_or(0, |last| last + 1).checked_mul(bytes))
        .and_then(|(start, span)| storage.part(start, span));
    let span = span.ok_or_else(|| {
        let (key, found) = (&tensor.key, storage.len());
        Error::format(format!(
            "elements {} to {} of `data/{key}`, which has {found} bytes",
            offset,
            offset.saturating_add(last.unwrap_or(0))
        ))
    })?;
    let strides: Vec<usize> = tensor.strides.iter().map(|&stride| stride as usize).collect();
    let negated = tensor.negated;
    let data = match entry {
        Some((archive, index)) if span.len() == storage.len() && is_row_major(&sizes, &strides) => {
            Data::Member { archive: archive.clone(), index, endian, negated }
        }
        _ => Data::Strided { section: span, strides, endian, negated },
    };
    Ok(Record { element, sizes, data })
}
