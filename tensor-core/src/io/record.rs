//! [`Record`]: a tensor in a file, described but not read.

#[cfg(feature = "pt")]
use std::io;
use std::io::Read;

#[cfg(feature = "npz")]
use zip::ZipArchive;

use super::bytes::{self, Endian};
#[cfg(feature = "npz")]
use super::npz::{archive_error, ended};
use super::source::Section;
use super::{FileElement, Problem, ReadError};
use crate::array::layout::num_elements;
use crate::tensor::DynTensor;

/// A tensor in a file: its element type, its sizes, and where its elements are.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    /// The element type as Rust names it, or as the file does where Rust has no such type.
    pub(crate) element: String,
    pub(crate) sizes: Vec<usize>,
    pub(super) data: Data,
}

/// Where the elements of a tensor are. The length of a section was compared with the sizes.
#[derive(Clone, Debug)]
pub(super) enum Data {
    /// In row-major order, little-endian.
    RowMajor(Section),
    /// A `.npy` file in an archive.
    #[cfg(feature = "npz")]
    Npy { archive: ZipArchive<Section>, index: usize },
    /// All of a file in an archive, in row-major order. Floats that are `negated` have the other sign in the file.
    #[cfg(feature = "pt")]
    Member { archive: ZipArchive<Section>, index: usize, endian: Endian, negated: bool },
    /// With strides that lead to no element twice, or strides of 0. The section is from the first element to the last.
    #[cfg(feature = "pt")]
    Strided { section: Section, strides: Vec<usize>, endian: Endian, negated: bool },
}

impl Record {
    /// The description for messages: `f32 [3, 2]`.
    pub(crate) fn described(&self) -> String {
        format!("{} {:?}", self.element, self.sizes)
    }

    /// Reads the elements into newly allocated memory: `[..s]`.
    pub(crate) fn read<T: FileElement>(&self) -> Result<DynTensor<T>, ReadError> {
        if self.element != T::NAME {
            let found = self.element.clone();
            return Err(Problem::ElementType { expected: T::NAME, found }.into());
        }
        match &self.data {
            Data::RowMajor(section) => {
                let elements = self.elements(section.clone(), Endian::Little)?;
                Ok(DynTensor::from_row_major(&self.sizes, elements))
            }
            #[cfg(feature = "npz")]
            Data::Npy { archive, index } => {
                let mut archive = archive.clone();
                let mut entry = archive.by_index(*index).map_err(archive_error)?;
                let tensor = DynTensor::read_npy(&mut entry)?.contiguous();
                ended(&mut entry)?;
                Ok(tensor)
            }
            #[cfg(feature = "pt")]
            Data::Member { archive, index, endian, negated } => {
                let mut archive = archive.clone();
                let mut entry = archive.by_index(*index).map_err(archive_error)?;
                let signed = Signed::new::<T>(&mut entry, *endian, *negated);
                let elements = self.elements(signed, *endian)?;
                ended(&mut entry)?;
                Ok(DynTensor::from_row_major(&self.sizes, elements))
            }
            #[cfg(feature = "pt")]
            Data::Strided { section, strides, endian, negated } => {
                let bytes = usize::try_from(section.len()).unwrap_or(usize::MAX);
                let span = Vec::with_capacity(bytes / size_of::<T>());
                let signed = Signed::new::<T>(section.clone(), *endian, *negated);
                let span = bytes::read_into(span, signed, bytes, *endian)?;
                let elements = match is_row_major(&self.sizes, strides) {
                    true => span,
                    false => gathered(&span, &self.sizes, strides),
                };
                Ok(DynTensor::from_row_major(&self.sizes, elements))
            }
        }
    }

    /// As many elements as the sizes call for. The file is at least this long, so that memory is allocated
    /// at once.
    fn elements<T: FileElement>(
        &self,
        reader: impl Read,
        endian: Endian,
    ) -> Result<Vec<T>, ReadError> {
        let len = num_elements(&self.sizes);
        bytes::read_into(Vec::with_capacity(len), reader, len * size_of::<T>(), endian)
    }
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

/// Whether strides are those of row-major order, without gaps.
#[cfg(feature = "pt")]
pub(super) fn is_row_major(sizes: &[usize], strides: &[usize]) -> bool {
    let mut next: usize = 1;
    sizes.iter().zip(strides).rev().all(|(&size, &stride)| {
        let fits = size == 1 || stride == next;
        // Without elements, sizes may have any product.
        next = next.saturating_mul(size);
        fits
    })
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
