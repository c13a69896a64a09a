//! The headers of files: names, element types and sizes, without the elements.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::{Component, Path};

use safetensors::tensor::{Metadata, TensorInfo};
use serde_json::Value;
use tensor_files::pickle::Skipped;
use zip::ZipArchive;
use zip::result::ZipError;

use super::entry::{Entry, check_rank};
use super::{onnx, other_formats};

/// The maximum length of a header: the limit of the safetensors format.
const LONGEST: u64 = 100_000_000;

/// The files that are looked for in a folder, as `Checkpoint::open` does: the first that is there is read.
const IN_FOLDER: [&str; 4] = [
    "model.safetensors",
    "model.safetensors.index.json",
    "pytorch_model.bin",
    "pytorch_model.bin.index.json",
];

/// What a file has.
#[derive(Default)]
pub(super) struct Contents {
    pub(super) entries: Vec<Entry>,
    pub(super) kind: Kind,
    /// The objects of a pickle that are not read.
    pub(super) skipped: Vec<Skipped>,
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

impl From<Vec<Entry>> for Contents {
    fn from(entries: Vec<Entry>) -> Self {
        Self { entries, ..Self::default() }
    }
}

/// The tensors of a `.safetensors`, `.pt`, `.npz`, `.npy` or `.onnx` file, of the shards that an index names, or of the
/// model in a folder, in the order of the file or by name.
///
/// # Errors
///
/// The file cannot be read, or is damaged.
pub fn read(path: &Path) -> Result<Vec<Entry>, String> {
    contents(path).map(|contents| contents.entries)
}

/// What the file at a path, or the model in a folder, has.
pub(super) fn contents(path: &Path) -> Result<Contents, String> {
    if path.is_dir() {
        let mut files = IN_FOLDER.iter().map(|name| path.join(name));
        return match files.find(|file| file.is_file()) {
            Some(file) => contents(&file),
            None => Err(other_formats::without_weights(path, &IN_FOLDER)),
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

fn of_file(mut file: impl Read + Seek, path: &Path) -> Result<Contents, String> {
    if is_index(&first_bytes(&mut file)?) {
        return shards(file, path).map(Contents::from);
    }
    of_open(file, path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default())
}

/// The tensors of an open file other than an index, whose format its first bytes tell. Only headers are read. The array
/// of a `.npy` file has the name `name`.
///
/// # Errors
///
/// As [`read`].
pub fn tensors(file: impl Read + Seek, name: &str) -> Result<Vec<Entry>, String> {
    of_open(file, name).map(|contents| contents.entries)
}

fn of_open(mut file: impl Read + Seek, name: &str) -> Result<Contents, String> {
    let start = first_bytes(&mut file)?;
    if ZIP.iter().any(|zip| start.starts_with(zip)) {
        return archive(file);
    }
    if is_index(&start) {
        return Err("an index of shards names files in its folder: open it by its path".to_owned());
    }
    if start.starts_with(NUMPY) {
        return Ok(Contents { kind: Kind::Npy, ..vec![npy_file(file, name)?].into() });
    }
    if tensor_files::pickle::is_legacy(&start) {
        let read = tensor_files::pickle::read_legacy(file).map_err(|error| error.to_string())?;
        return Ok(of_pickle(read.contents));
    }
    if other_formats::is_onnx(&start) {
        return Ok(Contents { kind: Kind::Onnx, ..onnx::tensors(file)?.into() });
    }
    match other_formats::described(&start) {
        Some(what) => Err(what.to_owned()),
        None => safetensors(file).map(Contents::from),
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

/// Up to 32 bytes, which are still to be read.
fn first_bytes(mut file: impl Read + Seek) -> Result<Vec<u8>, String> {
    let mut start = Vec::new();
    let read = Read::by_ref(&mut file).take(32).read_to_end(&mut start);
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
    let short =
        || malformed("it is shorter than its header: download or copy it again, if it is a part");
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
    let entries = tensors.into_iter().map(|(name, tensor)| {
        check_rank(tensor.shape.len()).map_err(|error| format!("{name}: {error}"))?;
        let sizes = tensor.shape.iter().map(|&size| size as u64).collect();
        Ok(Entry { name, element: of_safetensors(&tensor.dtype.to_string()), sizes })
    });
    entries.collect()
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
fn archive(mut file: impl Read + Seek) -> Result<Contents, String> {
    let len = file.seek(SeekFrom::End(0)).map_err(|error| error.to_string())?;
    let mut archive = ZipArchive::new(file).map_err(of_zip)?;
    check_entries(&mut archive)?;
    let pickle = (0..archive.len()).find(|&index| {
        let name = archive.name_for_index(index).and_then(Result::ok).unwrap_or_default();
        name == "data.pkl" || name.ends_with("/data.pkl")
    });
    match pickle {
        Some(pickle) => pt(archive, pickle, len),
        None => npz(archive).map(Contents::from),
    }
}

fn of_zip(error: ZipError) -> String {
    match error {
        ZipError::Io(error) => error.to_string(),
        error => {
            format!("not a zip archive, or not all of one: {error}: download or copy it again")
        }
    }
}

/// Checks that no two entries share bytes, so that what all of them have is in proportion to the file.
fn check_entries(archive: &mut ZipArchive<impl Read + Seek>) -> Result<(), String> {
    let mut ends = Vec::with_capacity(archive.len());
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index).map_err(of_zip)?;
        let start = entry.data_start().unwrap_or(u64::MAX);
        ends.push((entry.header_start(), start.saturating_add(entry.compressed_size()), index));
    }
    ends.sort_unstable();
    match ends.windows(2).find(|pair| pair[0].1 > pair[1].0) {
        Some(pair) => {
            let name =
                |index| archive.name_for_index(index).and_then(Result::ok).unwrap_or_default();
            Err(format!("`{}` and `{}` share bytes of the file", name(pair[0].2), name(pair[1].2)))
        }
        None => Ok(()),
    }
}

/// The tensors of a file of `torch.save` of `len` bytes.
fn pt(
    mut archive: ZipArchive<impl Read + Seek>,
    pickle: usize,
    len: u64,
) -> Result<Contents, String> {
    let member = archive.by_index(pickle).map_err(of_zip)?;
    // `torch.save` does not compress.
    let size = member.size();
    if size > len {
        return Err(format!("the pickle has {size} bytes, more than the file"));
    }
    let pickle = bytes(member, size, "pickle")?;
    tensor_files::pickle::read(&pickle).map(of_pickle).map_err(|error| error.to_string())
}

fn of_pickle(contents: tensor_files::pickle::Contents) -> Contents {
    let tensors = contents.tensors.into_iter();
    let entries = tensors.map(|tensor| Entry {
        name: tensor.name,
        element: tensor.element.to_owned(),
        sizes: tensor.sizes,
    });
    Contents { entries: entries.collect(), skipped: contents.skipped, ..Contents::default() }
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
        let member = archive.by_index(index).map_err(of_zip)?;
        let name = member.name().map_err(of_zip)?.into_owned();
        entries.push(npy(member, name.strip_suffix(".npy").unwrap_or(&name))?);
    }
    Ok(entries)
}

/// The array of a `.npy` file, which has all of its elements.
fn npy_file(mut file: impl Read + Seek, name: &str) -> Result<Entry, String> {
    let entry = npy(&mut file, name)?;
    let position = file.stream_position().map_err(|error| error.to_string())?;
    let len = file.seek(SeekFrom::End(0)).map_err(|error| error.to_string())?;
    let (bytes, found) = (entry.bytes(), len.saturating_sub(position));
    match bytes.filter(|&bytes| bytes > found) {
        Some(bytes) => {
            Err(format!("the elements take {bytes} bytes, and the file ends after {found}"))
        }
        None => Ok(entry),
    }
}

/// The maximum length of the header of an array, as `tensor-core` has it.
const LONGEST_NPY: u64 = 1 << 16;

/// The most characters of the name of an element type.
const LONGEST_ELEMENT: usize = 64;

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
    if len > LONGEST_NPY {
        return Err(format!(
            "`{name}` has a header of {len} bytes, and one of an array takes less than {LONGEST_NPY}"
        ));
    }
    let header = bytes(&mut file, len, "header")?;
    let header = String::from_utf8_lossy(&header);
    let damaged = || {
        let start: String = header.chars().take(200).collect();
        format!("`{name}` has a header that cannot be read: {start}")
    };
    let field =
        |field: &str| header.split_once(&format!("'{field}':")).map(|(_, rest)| rest.trim_start());
    let element = field("descr")
        .and_then(|rest| rest.strip_prefix('\'')?.split_once('\''))
        .filter(|(element, _)| element.len() <= LONGEST_ELEMENT)
        .ok_or_else(damaged)?
        .0;
    let shape = field("shape")
        .and_then(|rest| rest.strip_prefix('(')?.split_once(')'))
        .ok_or_else(damaged)?
        .0;
    let sizes = shape.split(',').map(str::trim).filter(|size| !size.is_empty());
    check_rank(sizes.clone().count()).map_err(|error| format!("{name}: {error}"))?;
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
