//! The header of a `.safetensors` file: names, element types, sizes and offsets, in JSON.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::io::{self, Read};

use safetensors::Dtype;
use safetensors::tensor::{Metadata, TensorInfo};
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};

use crate::element::{NAMES, check_rank};
use crate::error::{Error, Problem};
use crate::record::{Contents, Data, Record};
use crate::source::{LONGEST, Section};

/// The entry of a header that is not a tensor.
pub const METADATA: &str = "__metadata__";

/// The number of bytes of the header length, with which a file starts.
const LEN_BYTES: usize = 8;

/// The error of a file that begins as none of those that are read: as the length of a header, its first bytes would be
/// larger than [`LONGEST`].
const UNKNOWN: &str = "in none of the formats that are read: .safetensors, the .safetensors.index.json of shards, \
                       .npz, and .pt or .bin of PyTorch";

/// Reads the header, and compares it with the length of the file.
pub(crate) fn read(mut file: Section) -> Result<Contents, Error> {
    let malformed =
        |problem: &dyn fmt::Display| Error::format(format!("not a .safetensors file: {problem}"));
    let short =
        || malformed(&"it is shorter than its header: download or copy it again, if it is a part");
    let data_len = file.len().checked_sub(LEN_BYTES as u64).ok_or_else(short)?;
    let mut len = [0; LEN_BYTES];
    file.read_exact(&mut len)?;
    let len = u64::from_le_bytes(len);
    if len > LONGEST {
        return Err(Error::format(UNKNOWN));
    }
    let data_len = data_len.checked_sub(len).ok_or_else(short)?;
    let len = len as usize;
    let mut header = vec![0; len];
    file.read_exact(&mut header)?;
    let Header { metadata, mut tensors } =
        serde_json::from_slice(&header).map_err(|error| malformed(&error))?;
    tensors.sort_by_key(|(_, info)| info.data_offsets);
    // Checks that the data of the tensors are consecutive, and that their lengths are those of the shapes.
    let metadata = Metadata::new(metadata, tensors).map_err(|error| malformed(&error))?;
    let (expected, found) = (metadata.data_len(), usize::try_from(data_len).unwrap_or(usize::MAX));
    if expected > found {
        return Err(Problem::Truncated { expected, found }.into());
    }
    if expected < found {
        return Err(malformed(&format!("{} bytes follow the tensors", found - expected)));
    }
    let mut infos: Vec<(String, &TensorInfo)> = metadata.tensors().into_iter().collect();
    infos.sort_by(|(name, a), (other, b)| (a.data_offsets.0, name).cmp(&(b.data_offsets.0, other)));
    let mut tensors = Vec::with_capacity(infos.len());
    for (name, info) in infos {
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
        tensors.push((name, record));
    }
    let metadata = metadata.metadata().clone().unwrap_or_default();
    Ok(Contents { tensors, metadata, skipped: Vec::new() })
}

/// The JSON of a header, whose keys are all different: a map would take the last of equal ones.
#[derive(Default)]
struct Header {
    metadata: Option<HashMap<String, String>>,
    tensors: Vec<(String, TensorInfo)>,
}

impl<'de> Deserialize<'de> for Header {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Self::default())
    }
}

impl<'de> Visitor<'de> for Header {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the tensors by their names")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Self, A::Error> {
        let mut keys = HashSet::new();
        while let Some(key) = map.next_key::<String>()? {
            match &key[..] {
                METADATA => self.metadata = map.next_value()?,
                _ => self.tensors.push((key.clone(), map.next_value()?)),
            }
            if let Some(key) = keys.replace(key) {
                return Err(A::Error::custom(format_args!("`{key}` is there twice")));
            }
        }
        Ok(self)
    }
}

/// The header of a file of tensors, each a name, an element type of Rust and sizes, with its metadata; and the numbers of
/// the tensors in the order of their elements. The first tensor starts at a multiple of eight bytes.
///
/// # Errors
///
/// If the header is longer than readers of the format accept.
pub fn header_of(
    tensors: &[(&str, &str, Vec<usize>)],
    about: &HashMap<String, String>,
) -> io::Result<(Vec<u8>, Vec<usize>)> {
    let mut order: Vec<(Dtype, usize)> = tensors
        .iter()
        .enumerate()
        .map(|(number, (_, element, _))| (dtype_of(element), number))
        .collect();
    // Large elements first, so that each tensor starts at a multiple of its element size.
    order.sort_by_key(|&(dtype, number)| (Reverse(dtype), tensors[number].0));
    let mut end = 0;
    let infos = order.iter().map(|&(dtype, number)| {
        let (name, _, shape) = &tensors[number];
        let start = end;
        // Without elements, sizes may have any product.
        let count = if shape.contains(&0) { 0 } else { shape.iter().product() };
        end += count * dtype.bitsize() / 8;
        let shape = shape.clone();
        ((*name).to_owned(), TensorInfo { dtype, shape, data_offsets: (start, end) })
    });
    let infos = infos.collect();
    let about = (!about.is_empty()).then(|| about.clone());
    let metadata = Metadata::new(about, infos).map_err(io::Error::other)?;
    let mut header = serde_json::to_vec(&metadata)?;
    header.resize(header.len().next_multiple_of(LEN_BYTES), b' ');
    if header.len() as u64 > LONGEST {
        let message =
            format!("the header takes {} bytes, at most {LONGEST} can be read", header.len());
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    Ok((header, order.into_iter().map(|(_, number)| number).collect()))
}

/// The Rust name of an element type, if it exists: a header names it in capital letters.
fn found_type(dtype: Dtype) -> String {
    let name = dtype.to_string();
    let rust = name.to_lowercase();
    if NAMES.contains(&&rust[..]) { rust } else { name }
}

/// An element type of Rust, as in a header.
fn dtype_of(rust: &str) -> Dtype {
    let name = serde_json::Value::String(rust.to_uppercase());
    serde_json::from_value(name).unwrap_or_else(|_| unreachable!("{rust} is the type of a tensor"))
}
