//! Files of PyTorch before version 1.6, and of `_use_new_zipfile_serialization=False`: five pickles, and the elements of
//! storages.
//!
//! ```text
//! pickle 0x1950a86a20f9469cfc6c | pickle 1001 | pickle {"little_endian": True, …}
//! pickle of what was saved | pickle of a list of keys | for each key: the number of elements, 8 bytes; elements
//! ```
//!
//! Source: `_legacy_save` of `torch/serialization.py`, `THPStorage_writeFileRaw` of `torch/csrc/serialization.cpp`, by which
//! elements are little-endian on any machine.

use std::collections::HashMap;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;

use super::error::PickleError;
use super::machine::Machine;
use super::tree::{Contents, contents};
use super::value::Value;
use crate::element::bytes_of;
use crate::error::Error;
use crate::source::LONGEST;

/// A file of PyTorch before version 1.6.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Legacy {
    /// What its pickle has.
    pub contents: Contents,
    /// By the key of a storage, the bytes of the file that are its elements, in little-endian order.
    pub storages: HashMap<String, Range<u64>>,
}

const PROTOCOL: i64 = 1001;

/// The tensors of a file of PyTorch before version 1.6, and where their elements are. Only pickles and the lengths of
/// storages are read; [`read`](super::read) has the bounds of time and memory.
///
/// # Errors
///
/// If the file cannot be read, is damaged or not complete, and as [`read`](super::read).
///
/// ```
/// use std::io::Cursor;
///
/// // What `torch.save({}, file)` wrote.
/// let file = b"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.\x80\x02M\xe9\x03.\x80\x02}.\x80\x02}.\x80\x02].";
/// let read = tensor_files::pickle::read_legacy(Cursor::new(file))?;
/// assert!(read.contents.tensors.is_empty() && read.storages.is_empty());
/// # Ok::<(), tensor_files::Error>(())
/// ```
pub fn read_legacy(mut file: impl Read + Seek) -> Result<Legacy, Error> {
    let len = file.seek(SeekFrom::End(0))?;
    file.rewind()?;
    let mut bytes = Vec::new();
    let mut wanted: u64 = 1 << 16;
    let header = loop {
        let more = wanted.min(LONGEST) - bytes.len() as u64;
        Read::by_ref(&mut file).take(more).read_to_end(&mut bytes)?;
        match pickles(&bytes) {
            Err(error) if error.is_short && (bytes.len() as u64) < len.min(LONGEST) => wanted *= 4,
            Err(error) if error.is_short && len > LONGEST => {
                return Err(Error::format(format!("the pickles have more than {LONGEST} bytes")));
            }
            Err(error) if error.is_short => {
                return Err(Error::format(format!(
                    "the file ends at byte {len}, within a pickle: download or copy it again"
                )));
            }
            header => break header?,
        }
    };
    let mut storages = HashMap::new();
    let mut at = header.len as u64;
    for (key, count, bytes) in header.storages {
        let ends = || {
            Error::format(format!(
                "the file ends at byte {len}, before the elements of storage `{key}` end: download or copy it again"
            ))
        };
        let start = at.checked_add(8).filter(|&start| start <= len).ok_or_else(ends)?;
        file.seek(SeekFrom::Start(at))?;
        let mut found = [0; 8];
        file.read_exact(&mut found)?;
        let found = u64::from_le_bytes(found);
        if found != count {
            return Err(Error::format(format!(
                "storage `{key}` has {found} elements, and {count} in the pickle"
            )));
        }
        at = count
            .checked_mul(bytes)
            .and_then(|bytes| start.checked_add(bytes))
            .filter(|&end| end <= len)
            .ok_or_else(ends)?;
        storages.insert(key, start..at);
    }
    let tensors = &header.contents.tensors;
    match tensors.iter().find(|tensor| !storages.contains_key(&tensor.key)) {
        Some(tensor) => Err(Error::format(format!(
            "`{}` has its elements in storage `{}`, which the file does not have",
            tensor.name, tensor.key
        ))),
        None => Ok(Legacy { contents: header.contents, storages }),
    }
}

/// What the pickles of a file have.
struct Header {
    contents: Contents,
    /// Keys, numbers of elements, and numbers of bytes of an element, in the order of the file.
    storages: Vec<(String, u64, u64)>,
    /// The number of bytes of all pickles.
    len: usize,
}

/// Reads the pickles with which a file begins.
fn pickles(bytes: &[u8]) -> Result<Header, PickleError> {
    let mut at = 0;
    let mut next = || -> Result<_, PickleError> {
        let (machine, root, len) = Machine::run(&bytes[at..])?;
        at += len;
        Ok((machine, root, len, at))
    };
    next()?;
    let (version, number, ..) = next()?;
    if !matches!(version.value(number), Value::Integer(PROTOCOL)) {
        return Err(PickleError::new(format!(
            "a file of PyTorch before version 1.6 has protocol {PROTOCOL}, and this one has another"
        )));
    }
    // The system that wrote the file: sizes of integers and the byte order, which its elements do not have.
    next()?;
    let (machine, root, len, _) = next()?;
    let contents = contents(&machine, root, len)?;
    let mut known: HashMap<&str, (u64, u64)> = HashMap::new();
    for value in &machine.values {
        let Value::Storage(storage) = value else { continue };
        let described = (storage.len, storage.element.map_or(1, bytes_of));
        let key = machine.text(storage.key);
        if *known.entry(key).or_insert(described) != described {
            return Err(PickleError::new(format!("storage `{key}` is described in two ways")));
        }
    }
    let (keys, list, _, len) = next()?;
    let Value::List(list) = keys.value(list) else {
        return Err(PickleError::new("the keys of the storages are no list"));
    };
    let storages = list.iter().map(|&key| {
        let key = match *keys.value(key) {
            Value::Text(key) => keys.text(key),
            _ => return Err(PickleError::new("the key of a storage is no text")),
        };
        let (count, bytes) = known.remove(key).ok_or_else(|| {
            PickleError::new(format!(
                "storage `{key}` has elements, and no description, or has them twice"
            ))
        })?;
        Ok((key.to_owned(), count, bytes))
    });
    let storages = storages.collect::<Result<_, _>>()?;
    Ok(Header { contents, storages, len })
}
