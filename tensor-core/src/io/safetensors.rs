//! The header of a `.safetensors` file: names, element types, sizes and offsets, in JSON.

use core::fmt;
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Read};

use safetensors::Dtype;
use safetensors::tensor::{Metadata, TensorInfo};

use super::record::{Data, Record};
use super::source::Section;
use super::stored::StoredTensor;
use super::{Problem, ReadError, check_rank};
use crate::array::layout::num_elements;
use crate::ops::elements::for_each_element;

/// The entry of a header that is not a tensor.
pub(super) const METADATA: &str = "__metadata__";

/// The number of bytes of the header length, with which a file starts.
const LEN_BYTES: usize = 8;

/// The maximum length of a header that readers of the format accept, in bytes.
const LONGEST_HEADER: usize = 100_000_000;

/// The error of a file that begins as none of those that are read: as the length of a header, its first bytes would be
/// larger than [`LONGEST_HEADER`].
const UNKNOWN: &str = "in none of the formats that are read: .safetensors, the .safetensors.index.json of shards, \
                       .npz, and .pt or .bin of PyTorch";

/// What a file has.
#[derive(Default)]
pub(super) struct Contents {
    /// The tensors by name.
    pub(super) records: BTreeMap<String, Record>,
    pub(super) metadata: HashMap<String, String>,
    /// The objects of a pickle that are not read: their names, and those of their classes.
    pub(super) skipped: Vec<(String, String)>,
}

/// Reads the header, and compares it with the length of the file.
pub(super) fn read(mut file: Section) -> Result<Contents, ReadError> {
    let malformed = |problem: &dyn fmt::Display| {
        ReadError::format(format!("not a .safetensors file: {problem}"))
    };
    let short =
        || malformed(&"it is shorter than its header: download or copy it again, if it is a part");
    let data_len = file.len().checked_sub(LEN_BYTES as u64).ok_or_else(short)?;
    let mut len = [0; LEN_BYTES];
    file.read_exact(&mut len)?;
    let len = u64::from_le_bytes(len);
    if len > LONGEST_HEADER as u64 {
        return Err(ReadError::format(UNKNOWN));
    }
    let data_len = data_len.checked_sub(len).ok_or_else(short)?;
    let len = len as usize;
    let mut header = vec![0; len];
    file.read_exact(&mut header)?;
    // Checks that the data of the tensors are consecutive, and that their lengths are those of the shapes.
    let metadata: Metadata = serde_json::from_slice(&header).map_err(|error| malformed(&error))?;
    let (expected, found) = (metadata.data_len(), usize::try_from(data_len).unwrap_or(usize::MAX));
    if expected > found {
        return Err(Problem::Truncated { expected, found }.into());
    }
    if expected < found {
        return Err(malformed(&format!("{} bytes follow the tensors", found - expected)));
    }
    let mut records = BTreeMap::new();
    for (name, info) in metadata.tensors() {
        check_rank(info.shape.len()).map_err(|error| error.within(&name))?;
        let (start, end) = info.data_offsets;
        let section = file
            .part((LEN_BYTES + len + start) as u64, (end - start) as u64)
            .ok_or_else(|| malformed(&"a tensor ends beyond the end of the file"))?;
        let record = Record {
            element: found_type(info.dtype),
            sizes: info.shape.clone(),
            data: Data::RowMajor(section),
        };
        records.insert(name, record);
    }
    let metadata = metadata.metadata().clone().unwrap_or_default();
    Ok(Contents { records, metadata, skipped: Vec::new() })
}

/// The header of a file: the element types, sizes and offsets of its tensors, and its metadata,
/// padded so that the first tensor starts at a multiple of eight bytes.
pub(super) fn header_of(
    tensors: &[(Dtype, &str, &dyn StoredTensor)],
    about: &HashMap<String, String>,
) -> io::Result<Vec<u8>> {
    let mut end = 0;
    let described = tensors.iter().map(|&(dtype, name, tensor)| {
        let (shape, start) = (tensor.sizes(), end);
        end += num_elements(&shape) * dtype.bitsize() / 8;
        (name.to_owned(), TensorInfo { dtype, shape, data_offsets: (start, end) })
    });
    let described = described.collect();
    let about = (!about.is_empty()).then(|| about.clone());
    let metadata = Metadata::new(about, described).map_err(io::Error::other)?;
    let mut header = serde_json::to_vec(&metadata)?;
    header.resize(header.len().next_multiple_of(LEN_BYTES), b' ');
    if header.len() > LONGEST_HEADER {
        let message = format!(
            "the header takes {} bytes, at most {LONGEST_HEADER} can be read",
            header.len()
        );
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    Ok(header)
}

/// The Rust name of an element type, if it exists: a header names it in capital letters.
fn found_type(dtype: Dtype) -> String {
    let name = dtype.to_string();
    let rust = name.to_lowercase();
    if RUST_NAMES.contains(&&rust[..]) { rust } else { name }
}

/// The element type of a tensor, as in a header.
pub(super) fn dtype_of(rust: &str) -> Dtype {
    let name = serde_json::Value::String(rust.to_uppercase());
    serde_json::from_value(name).unwrap_or_else(|_| unreachable!("{rust} is the type of a tensor"))
}

macro_rules! rust_names {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {
        const RUST_NAMES: &[&str] = &[$($(#[$cfg])* stringify!($T)),*];
    };
}

for_each_element!(rust_names);
