//! [`Record`]: a tensor in a file, described but not read.

use std::collections::HashMap;

#[cfg(feature = "npz")]
use zip::ZipArchive;

#[cfg(feature = "pt")]
use crate::npy::Endian;
use crate::source::Section;

/// What a file has.
#[derive(Default)]
pub struct Contents {
    /// The tensors by name, in the order of the file.
    pub tensors: Vec<(String, Record)>,
    /// What a .safetensors file states about itself.
    pub metadata: HashMap<String, String>,
    /// The objects of a pickle that are not read: their names, and those of their classes.
    pub skipped: Vec<(String, String)>,
}

/// A tensor in a file: its element type, its sizes, and where its elements are.
#[derive(Clone)]
pub struct Record {
    /// The element type as Rust names it, or as the file does where Rust has no such type.
    pub element: String,
    /// The sizes of the axes.
    pub sizes: Vec<usize>,
    /// Where the elements are.
    pub data: Data,
}

/// Where the elements of a tensor are. The length of a section was compared with the sizes.
#[derive(Clone)]
pub enum Data {
    /// In row-major order, little-endian.
    RowMajor(Section),
    /// A `.npy` file in an archive.
    #[cfg(feature = "npz")]
    Npy {
        /// The archive.
        archive: ZipArchive<Section>,
        /// The number of the entry.
        index: usize,
    },
    /// All of a file in an archive, in row-major order.
    #[cfg(feature = "pt")]
    Member {
        /// The archive.
        archive: ZipArchive<Section>,
        /// The number of the entry.
        index: usize,
        /// The byte order.
        endian: Endian,
        /// Whether floats have the other sign in the file.
        negated: bool,
    },
    /// With strides that lead to no element twice, or strides of 0.
    #[cfg(feature = "pt")]
    Strided {
        /// From the first element to the last.
        section: Section,
        /// The strides, in elements.
        strides: Vec<usize>,
        /// The byte order.
        endian: Endian,
        /// Whether floats have the other sign in the file.
        negated: bool,
    },
}

impl Record {
    /// The description for messages: `f32 [3, 2]`.
    pub fn described(&self) -> String {
        format!("{} {:?}", self.element, self.sizes)
    }
}

/// A number that differs, but for chance, if names, element types or sizes do: FNV-1a of them. The tensors are sorted by
/// name.
pub fn fingerprint<'a>(tensors: impl Iterator<Item = (&'a str, &'a Record)>) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut add = |bytes: &[u8]| {
        for &byte in bytes {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    };
    for (name, Record { element, sizes, .. }) in tensors {
        // The lengths separate the parts.
        for text in [name, element] {
            add(&(text.len() as u64).to_le_bytes());
            add(text.as_bytes());
        }
        add(&(sizes.len() as u64).to_le_bytes());
        sizes.iter().for_each(|&size| add(&(size as u64).to_le_bytes()));
    }
    hash
}

/// Whether strides are those of row-major order, without gaps.
#[cfg(feature = "pt")]
pub fn is_row_major(sizes: &[usize], strides: &[usize]) -> bool {
    let mut next: usize = 1;
    sizes.iter().zip(strides).rev().all(|(&size, &stride)| {
        let fits = size == 1 || stride == next;
        // Without elements, sizes may have any product.
        next = next.saturating_mul(size);
        fits
    })
}
