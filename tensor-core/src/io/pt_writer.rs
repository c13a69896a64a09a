//! Writes `.pt` files: an archive with a pickle of names, shapes and storages, and a file for each storage.

use std::io::{self, Write};
use std::path::Path;

use tensor_files::zip::write::SimpleFileOptions;
use tensor_files::zip::{CompressionMethod, ZipWriter};
use tensor_kernels::layout::num_elements;
use tensor_kernels::plan::row_major_strides;

use super::new_file::NewFile;
use tensor_array::array::history::AnyArray;

/// Where PyTorch's own writer begins storages, so that they can be mapped.
const ALIGNMENT: u16 = 64;

/// Writes arrays by name, as `torch.save` writes a dict of them.
pub(super) fn save(path: &Path, arrays: &[(&str, &AnyArray)]) -> io::Result<()> {
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let mut archive = ZipWriter::new(NewFile::seekable(path)?);
    // PyTorch takes the name of the folder from the first entry.
    archive.start_file("archive/data.pkl", options)?;
    archive.write_all(&pickle(arrays))?;
    for (name, text) in [("byteorder", "little"), ("version", "3\n")] {
        archive.start_file(format!("archive/{name}"), options)?;
        archive.write_all(text.as_bytes())?;
    }
    for (key, (_, array)) in arrays.iter().enumerate() {
        let bytes = array.to_le_bytes();
        let options = options.with_alignment(ALIGNMENT).large_file(bytes.len() >= 1 << 31);
        archive.start_file(format!("archive/data/{key}"), options)?;
        archive.write_all(&bytes)?;
    }
    archive.finish()?.commit()
}

/// A dict of tensors, in protocol 2.
fn pickle(arrays: &[(&str, &AnyArray)]) -> Vec<u8> {
    let mut pickle = b"\x80\x02}(".to_vec();
    for (key, (name, array)) in arrays.iter().enumerate() {
        let sizes = array.sizes();
        let (storage, dtype, bytes) = names_of(array.element().name);
        text(&mut pickle, name);
        let function = if dtype.is_some() { "_rebuild_tensor_v3" } else { "_rebuild_tensor_v2" };
        global(&mut pickle, "torch._utils", function);
        pickle.extend(b"((");
        text(&mut pickle, "storage");
        let module = if dtype.is_some() { "torch.storage" } else { "torch" };
        global(&mut pickle, module, storage);
        text(&mut pickle, &key.to_string());
        text(&mut pickle, "cpu");
        integer(&mut pickle, num_elements(sizes) * bytes);
        pickle.extend(b"tQ");
        integer(&mut pickle, 0);
        tuple(&mut pickle, sizes.iter().copied());
        tuple(&mut pickle, row_major_strides(sizes).iter().map(|&stride| stride as usize));
        // It requires no gradient, and has no hooks.
        pickle.push(0x89);
        global(&mut pickle, "collections", "OrderedDict");
        pickle.extend(b")R");
        if let Some(dtype) = dtype {
            global(&mut pickle, "torch", dtype);
        }
        pickle.extend(b"tR");
    }
    pickle.extend(b"u.");
    pickle
}

/// The storage of an element type. For types without a storage class in PyTorch, the storage of bytes, the
/// type, and the number of bytes of an element.
fn names_of(element: &str) -> (&'static str, Option<&'static str>, usize) {
    match element {
        "f64" => ("DoubleStorage", None, 1),
        "f32" => ("FloatStorage", None, 1),
        "f16" => ("HalfStorage", None, 1),
        "bf16" => ("BFloat16Storage", None, 1),
        "i64" => ("LongStorage", None, 1),
        "i32" => ("IntStorage", None, 1),
        "i16" => ("ShortStorage", None, 1),
        "i8" => ("CharStorage", None, 1),
        "u8" => ("ByteStorage", None, 1),
        "bool" => ("BoolStorage", None, 1),
        "u16" => ("UntypedStorage", Some("uint16"), 2),
        "u32" => ("UntypedStorage", Some("uint32"), 4),
        "u64" => ("UntypedStorage", Some("uint64"), 8),
        other => unreachable!("elements of type {other}"),
    }
}

fn text(pickle: &mut Vec<u8>, text: &str) {
    let len = u32::try_from(text.len()).expect("a name of less than 4 GiB");
    pickle.push(b'X');
    pickle.extend(len.to_le_bytes());
    pickle.extend(text.as_bytes());
}

fn global(pickle: &mut Vec<u8>, module: &str, name: &str) {
    pickle.extend(format!("c{module}\n{name}\n").as_bytes());
}

fn tuple(pickle: &mut Vec<u8>, numbers: impl Iterator<Item = usize>) {
    pickle.push(b'(');
    numbers.for_each(|number| integer(pickle, number));
    pickle.push(b't');
}

fn integer(pickle: &mut Vec<u8>, number: usize) {
    match i32::try_from(number) {
        Ok(number) => {
            pickle.push(b'J');
            pickle.extend(number.to_le_bytes());
        }
        Err(_) => {
            pickle.extend([0x8a, 8]);
            pickle.extend((number as u64).to_le_bytes());
        }
    }
}
