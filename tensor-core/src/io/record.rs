//! [`Record`]: a tensor in a file, described but not read.

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
    /// All of a file in an archive, in row-major order.
    #[cfg(feature = "pt")]
    Member { archive: ZipArchive<Section>, index: usize, endian: Endian },
    /// With strides that lead to no element twice, or strides of 0. The section is from the first element to the last.
    #[cfg(feature = "pt")]
    Strided { section: Section, strides: Vec<usize>, endian: Endian },
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
            Data::Member { archive, index, endian } => {
                let mut archive = archive.clone();
                let mut entry = archive.by_index(*index).map_err(archive_error)?;
                let elements = self.elements(&mut entry, *endian)?;
                ended(&mut entry)?;
                Ok(DynTensor::from_row_major(&self.sizes, elements))
            }
            #[cfg(feature = "pt")]
            Data::Strided { section, strides, endian } => {
                let bytes = usize::try_from(section.len()).unwrap_or(usize::MAX);
                let span = Vec::with_capacity(bytes / size_of::<T>());
                let span = bytes::read_into(span, section.clone(), bytes, *endian)?;
                Ok(DynTensor::from_row_major(&self.sizes, gathered(&span, &self.sizes, strides)))
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
