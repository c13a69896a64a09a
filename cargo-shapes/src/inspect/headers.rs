//! The headers of files: names, element types and sizes, without the elements.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::{Component, Path};

use safetensors::tensor::{Metadata, TensorInfo};
use serde_json::Value;
use zip::ZipArchive;

use super::other_formats;

/// A tensor in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name, with dots between the fields of a model.
    pub name: String,
    /// Its element type in Rust's notation, or in the file's if Rust has no such type.
    pub element: String,
    /// The sizes of its axes.
    pub sizes: Vec<u64>,
}

impl Entry {
    /// The number of its elements; `None` if it overflows.
    pub fn count(&self) -> Option<u64> {
        self.sizes.iter().try_fold(1_u64, |count, &size| count.checked_mul(size))
    }
}

/// The maximum length of a header: the limit of the safetensors format.
const LONGEST: u64 = 100_000_000;

/// The files that are looked for in a folder, as `Checkpoint::open` does: the first that is there is read.
const IN_FOLDER: [&str; 4] = [
    "model.safetensors",
    "model.safetensors.index.json",
    "pytorch_model.bin",
    "pytorch_model.bin.index.json",
];

/// The tensors of a `.safetensors`, `.pt`, `.npz` or `.npy` file, of the shards that an index names, or of the model in
/// a folder, in the order of the file or by name.
///
/// # Errors
///
/// The file cannot be read, or is damaged.
pub fn read(path: &Path) -> Result<Vec<Entry>, String> {
    read_format(path).map(|(entries, _)| entries)
}

/// What [`read`] reads, and whether it is a `.npy` file.
pub(super) fn read_format(path: &Path) -> Result<(Vec<Entry>, bool), String> {
    if path.is_dir() {
        let mut files = IN_FOLDER.iter().map(|name| path.join(name));
        return match files.find(|file| file.is_file()) {
            Some(file) => read_format(&file),
            None => Err(format!("a folder without weights; looked for {}", IN_FOLDER.join(", "))),
        };
    }
    let of_io = |error: io::Error| error.to_string();
    let mut file = File::open(path).map_err(of_io)?;
    if file.metadata().map_err(of_io)?.is_file() {
        return of_file(file, path);
    }
    // A pipe is read once, from front to back.
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(of_io)?;
    of_file(Cursor::new(bytes), path)
}

fn of_file(mut file: impl Read + Seek, path: &Path) -> Result<(Vec<Entry>, bool), String> {
    let start = first_bytes(&mut file)?;
    if is_index(&start) {
        return Ok((shards(file, path)?, false));
    }
    let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    Ok((tensors(file, name)?, start.starts_with(NUMPY)))
}

/// The tensors of an open file other than an index, whose format its first bytes tell. Only headers are read. The array
/// of a `.npy` file has the name `name`.
///
/// # Errors
///
/// As [`read`].
pub fn tensors(mut file: impl Read + Seek, name: &str) -> Result<Vec<Entry>, String> {
    let start = first_bytes(&mut file)?;
    if ZIP.iter().any(|zip| start.starts_with(zip)) {
        return archive(file);
    }
    if is_index(&start) {
        return Err("an index of shards names files in its folder: open it by its path".to_owned());
    }
    if start.starts_with(NUMPY) {
        return Ok(vec![npy(file, name)?]);
    }
    // A header has less than 2^32 bytes, so the upper half of its length is zero.
    if start.starts_with(b"\x80\x02") && start.get(4..8) != Some(&[0; 4]) {
        return Err("a pickle outside of an archive, as PyTorch wrote before version 1.6: `torch.load` it there and \
                    `torch.save` it again"
            .to_owned());
    }
    match other_formats::described(&start) {
        Some(what) => Err(what.to_owned()),
        None => safetensors(file),
    }
}

/// The error of a file that begins as none of those that are read: as the length of a header, its first bytes would be
/// larger than [`LONGEST`].
const UNKNOWN: &str = "in none of the formats that are read: .safetensors, the .safetensors.index.json of shards, .npz, \
                       and .pt or .bin of PyTorch";

/// How a zip archive begins, and an empty one.
const ZIP: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];

/// How a `.npy` file begins.
const NUMPY: &[u8] = b"\x93NUMPY";

/// Up to 16 bytes, which are still to be read.
fn first_bytes(mut file: impl Read + Seek) -> Result<Vec<u8>, String> {
    let mut start = Vec::new();
    let read = Read::by_ref(&mut file).take(16).read_to_end(&mut start);
    read.and_then(|_| file.rewind()).map_err(|error| error.to_string())?;
    Ok(start)
}

/// Whether a file is JSON: the same bytes as the length of a header would be more than a file has.
fn is_index(start: &[u8]) -> bool {
    start.trim_ascii_start().starts_with(b"{") && !start.contains(&0)
}

fn bytes(mut reader: impl Read, len: u64, what: &str) -> Result<Vec<u8>, String> {
    if len > LONGEST {
        return Err(format!("the {what} has {len} bytes, and at most {LONGEST} are read"));
    }
    let mut bytes = Vec::new();
    let read = Read::by_ref(&mut reader)
        .take(len)
        .read_to_end(&mut bytes)
        .map_err(|error| error.to_string())?;
    match u64::try_from(read) == Ok(len) {
        true => Ok(bytes),
        false => Err(format!("the file ends in its {what}: it has {read} bytes of {len}")),
    }
}

/// The header of a `.safetensors` file, compared with the length of the file as `Checkpoint::open` does.
fn header(mut file: impl Read + Seek) -> Result<Metadata, String> {
    let malformed = |problem: &str| format!("not a .safetensors file: {problem}");
    let short = || malformed("it is shorter than its header");
    let file_len = file.seek(SeekFrom::End(0)).map_err(|error| error.to_string())?;
    file.rewind().map_err(|error| error.to_string())?;
    let data_len = file_len.checked_sub(8).ok_or_else(short)?;
    let len = bytes(&mut file, 8, "length")?.try_into().map_or(0, u64::from_le_bytes);
    if len > LONGEST {
        return Err(UNKNOWN.to_owned());
    }
    let data_len = data_len.checked_sub(len).ok_or_else(short)?;
    let header = bytes(&mut file, len, "header")?;
    let metadata: Metadata =
        serde_json::from_slice(&header).map_err(|error| malformed(&error.to_string()))?;
    let expected = metadata.data_len() as u64;
    if expected > data_len {
        return Err(format!(
            "the elements take {expected} bytes, and the file ends after {data_len}"
        ));
    }
    match data_len - expected {
        0 => Ok(metadata),
        rest => Err(malformed(&format!("{rest} bytes follow the tensors"))),
    }
}

fn safetensors(file: impl Read + Seek) -> Result<Vec<Entry>, String> {
    let metadata = header(file)?;
    let mut tensors: Vec<(String, &TensorInfo)> = metadata.tensors().into_iter().collect();
    tensors
        .sort_by(|(name, a), (other, b)| (a.data_offsets.0, name).cmp(&(b.data_offsets.0, other)));
    let entries = tensors.into_iter().map(|(name, tensor)| Entry {
        name,
        element: of_safetensors(&tensor.dtype.to_string()),
        sizes: tensor.shape.iter().map(|&size| size as u64).collect(),
    });
    Ok(entries.collect())
}

/// The tensors of the files that an index names, which are in its folder.
fn shards(file: impl Read, index: &Path) -> Result<Vec<Entry>, String> {
    let malformed = |problem: &str| format!("not an index of shards: {problem}");
    let mut text = Vec::new();
    file.take(LONGEST).read_to_end(&mut text).map_err(|error| error.to_string())?;
    let json: Value =
        serde_json::from_slice(&text).map_err(|error| malformed(&error.to_string()))?;
    let map = json.get("weight_map").and_then(Value::as_object);
    let map = map.ok_or_else(|| malformed("it has no object `weight_map`"))?;
    let mut files: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (name, file) in map {
        let file = file.as_str().ok_or_else(|| malformed(&format!("`{name}` has no file")))?;
        files.entry(file).or_default().insert(name);
    }
    let (mut entries, mut found) = (Vec::new(), HashSet::new());
    for (file, mut names) in files {
        let shard = shard(index, file).map_err(|error| format!("{file}: {error}"))?;
        for entry in &shard {
            names.remove(&entry.name[..]);
        }
        if let Some(name) = names.first() {
            return Err(format!("{file}: no `{name}`, which the index lists for it"));
        }
        if let Some(twice) = shard.iter().find(|entry| !found.insert(entry.name.clone())) {
            return Err(format!("{file}: `{}` is in two shards", twice.name));
        }
        entries.extend(shard);
    }
    Ok(entries)
}

/// The tensors of a file in the folder of an index.
fn shard(index: &Path, file: &str) -> Result<Vec<Entry>, String> {
    let mut parts = Path::new(file).components();
    if !matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None)) {
        return Err("a shard is a file in the folder of its index".to_owned());
    }
    let shard = File::open(index.with_file_name(file)).map_err(|error| error.to_string())?;
    tensors(shard, "")
}

/// The tensors of a zip archive: a file of `torch.save` has a pickle, one of NumPy `.npy` files.
fn archive(mut file: impl Read + Seek) -> Result<Vec<Entry>, String> {
    let len = file.seek(SeekFrom::End(0)).map_err(|error| error.to_string())?;
    let archive = ZipArchive::new(file).map_err(|error| error.to_string())?;
    let pickle = (0..archive.len()).find(|&index| {
        let name = archive.name_for_index(index).and_then(Result::ok).unwrap_or_default();
        name == "data.pkl" || name.ends_with("/data.pkl")
    });
    match pickle {
        Some(pickle) => pt(archive, pickle, len),
        None => npz(archive),
    }
}

/// The tensors of a file of `torch.save` of `len` bytes.
fn pt(
    mut archive: ZipArchive<impl Read + Seek>,
    pickle: usize,
    len: u64,
) -> Result<Vec<Entry>, String> {
    let member = archive.by_index(pickle).map_err(|error| error.to_string())?;
    // `torch.save` does not compress.
    let size = member.size();
    if size > len {
        return Err(format!("the pickle has {size} bytes, more than the file"));
    }
    let pickle = bytes(member, size, "pickle")?;
    let tensors = tensor_pickle::tensors(&pickle).map_err(|error| error.to_string())?;
    Ok(tensors
        .into_iter()
        .map(|tensor| Entry {
            name: tensor.name,
            element: tensor.element.to_owned(),
            sizes: tensor.sizes,
        })
        .collect())
}

fn of_safetensors(element: &str) -> String {
    match element {
        "BOOL" => "bool".to_owned(),
        "F16" | "BF16" | "F32" | "F64" | "I8" | "I16" | "I32" | "I64" | "U8" | "U16" | "U32"
        | "U64" => element.to_lowercase(),
        other => other.to_owned(),
    }
}

fn npz(mut archive: ZipArchive<impl Read + Seek>) -> Result<Vec<Entry>, String> {
    let mut entries = Vec::new();
    for index in 0..archive.len() {
        let member = archive.by_index(index).map_err(|error| error.to_string())?;
        let name = member.name().map_err(|error| error.to_string())?.into_owned();
        entries.push(npy(member, name.strip_suffix(".npy").unwrap_or(&name))?);
    }
    Ok(entries)
}

fn npy(mut file: impl Read, name: &str) -> Result<Entry, String> {
    let start = bytes(&mut file, 8, "header")?;
    if !start.starts_with(NUMPY) {
        return Err(format!("`{name}` is no .npy file"));
    }
    let len = match start[6] {
        1 => bytes(&mut file, 2, "header")?,
        _ => bytes(&mut file, 4, "header")?,
    };
    let len = len.iter().rev().fold(0, |len, byte| len << 8 | u64::from(*byte));
    let header = bytes(&mut file, len, "header")?;
    let header = String::from_utf8_lossy(&header);
    let damaged = || format!("`{name}` has a header that cannot be read: {header}");
    let field =
        |field: &str| header.split_once(&format!("'{field}':")).map(|(_, rest)| rest.trim_start());
    let element = field("descr")
        .and_then(|rest| rest.strip_prefix('\'')?.split_once('\''))
        .ok_or_else(damaged)?
        .0;
    let shape = field("shape")
        .and_then(|rest| rest.strip_prefix('(')?.split_once(')'))
        .ok_or_else(damaged)?
        .0;
    let sizes = shape.split(',').map(str::trim).filter(|size| !size.is_empty());
    let sizes: Result<Vec<u64>, _> = sizes.map(str::parse).collect();
    Ok(Entry {
        name: name.to_owned(),
        element: of_numpy(element).ok_or_else(|| {
            format!("`{name}` has the element type `{element}`, which NumPy has not")
        })?,
        sizes: sizes.map_err(|_| damaged())?,
    })
}

/// Converts NumPy's name of an element type to Rust's: `f4` to `f32`; `None` if it does not begin with a letter.
fn of_numpy(element: &str) -> Option<String> {
    let mut letters = element.trim_start_matches(['<', '>', '=', '|']).chars();
    let class = letters.next().filter(char::is_ascii_alphabetic)?;
    let bytes: Option<u32> = letters.as_str().parse().ok();
    Some(match (class, bytes.and_then(|bytes| bytes.checked_mul(8))) {
        ('b', Some(8)) => "bool".to_owned(),
        ('f' | 'i' | 'u', Some(bits)) => format!("{class}{bits}"),
        _ => element.to_owned(),
    })
}
