//! Reads the elements of a tensor in a file.

#[cfg(feature = "pt")]
use std::io;
use std::io::Read;

#[cfg(feature = "npz")]
use tensor_files::archive::{archive_error, ended};
#[cfg(feature = "pt")]
use tensor_files::is_row_major;
use tensor_files::npy::Endian;
use tensor_files::{Data, Record};
use tensor_kernels::layout::num_elements;

use super::{FileElement, Problem, ReadError, bytes};
use crate::tensor::DynTensor;

/// Reads the elements into newly allocated memory: `[..s]`.
pub(crate) fn read<T: FileElement>(record: &Record) -> Result<DynTensor<T>, ReadError> {
    let Record { element, sizes, data } = record;
    if element != T::NAME {
        return Err(Problem::ElementType { expected: T::NAME, found: element.clone() }.into());
    }
    let elements = match data {
        Data::RowMajor(section) => elements(sizes, section.clone(), Endian::Little)?,
        #[cfg(feature = "npz")]
        Data::Npy { archive, index } => {
            let mut archive = archive.clone();
            let mut entry = archive.by_index(*index).map_err(archive_error)?;
            let tensor = DynTensor::read_npy(&mut entry)?.contiguous();
            ended(&mut entry)?;
            return Ok(tensor);
        }
        #[cfg(feature = "pt")]
        Data::Member { archive, index, endian, negated } => {
            let mut archive = archive.clone();
            let mut entry = archive.by_index(*index).map_err(archive_error)?;
            let signed = Signed::new::<T>(&mut entry, *endian, *negated);
            let elements = elements(sizes, signed, *endian)?;
            ended(&mut entry)?;
            elements
        }
        #[cfg(feature = "pt")]
        Data::Strided { section, strides, endian, negated } => {
            let bytes = usize::try_from(section.len()).unwrap_or(usize::MAX);
            let span = Vec::with_capacity(bytes / size_of::<T>());
            let signed = Signed::new::<T>(section.clone(), *endian, *negated);
            let span = bytes::read_into(span, signed, bytes, *endian)?;
            match is_row_major(sizes, strides) {
                true => span,
                false => gathered(&span, sizes, strides),
            }
        }
        // Another crate of the program may switch on features of `tensor-files`.
        #[cfg(not(all(feature = "npz", feature = "pt")))]
        #[allow(unreachable_patterns, reason = "none of these features is on")]
        _ => {
            return Err(ReadError::format(
                "its format needs the feature `npz` or `pt` of tensor-core",
            ));
        }
    };
    Ok(DynTensor::from_row_major(sizes, elements))
}

/// As many elements as the sizes call for. The file is at least this long, so that memory is allocated at once.
fn elements<T: FileElement>(
    sizes: &[usize],
    reader: impl Read,
    endian: Endian,
) -> Result<Vec<T>, ReadError> {
    let len = num_elements(sizes);
    bytes::read_into(Vec::with_capacity(len), reader, len * size_of::<T>(), endian)
}

/// A reader of floats, which changes their signs where they are negated.
#[cfg(feature = "pt")]
struct Signed<R> {
    reader: R,
    /// The number of bytes of an element, and that of the byte with its sign.
    element: Option<(usize, usize)>,
    /// The number of bytes of the current element that were read.
    at: usize,
}

#[cfg(feature = "pt")]
impl<R> Signed<R> {
    fn new<T>(reader: R, endian: Endian, negated: bool) -> Self {
        let sign = match endian {
            Endian::Little => size_of::<T>() - 1,
            Endian::Big => 0,
        };
        Self { reader, element: negated.then_some((size_of::<T>(), sign)), at: 0 }
    }
}

#[cfg(feature = "pt")]
impl<R: Read> Read for Signed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        if let Some((bytes, sign)) = self.element {
            let first = (sign + bytes - self.at) % bytes;
            for byte in buffer[..count].iter_mut().skip(first).step_by(bytes) {
                *byte ^= 0x80;
            }
            self.at = (self.at + count) % bytes;
        }
        Ok(count)
    }
}

/// The elements at all indices, in row-major order.
#[cfg(feature = "pt")]
fn gathered<T: Copy>(span: &[T], sizes: &[usize], strides: &[usize]) -> Vec<T> {
    let len = num_elements(sizes);
    let mut elements = Vec::with_capacity(len);
    let (mut index, mut at) = (vec![0; sizes.len()], 0);
    for _ in 0..len {
        elements.push(span[at]);
        for axis in (0..sizes.len()).rev() {
            index[axis] += 1;
            at += strides[axis];
            if index[axis] < sizes[axis] {
                break;
            }
            at -= strides[axis] * sizes[axis];
            index[axis] = 0;
        }
    }
    elements
}
