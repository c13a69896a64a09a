//! `.npy`: one array, in the format of `numpy.save`.
//!
//! Source: NumPy Enhancement Proposal 1, "A simple file format for NumPy arrays", versions 1.0 to 3.0.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use tensor_files::element::{NAMES, checked_bytes};
use tensor_files::npy::{self, Header};

use super::bytes::{self, FileElement};
use super::{Problem, ReadError, named, new_file};
use crate::array::dynamic::DynTensor;

/// # NumPy files
#[tensor_array_macros::method_docs(twins)]
impl<T: FileElement> DynTensor<T> {
    /// The array of a `.npy` file: `[..s]`. Both axis orders and both byte orders are read; an array in
    /// Fortran order becomes a view of its elements, without a copy.
    /// Errors: If the file cannot be read, is malformed, or holds another element type.
    /// ```
    /// let path = std::env::temp_dir().join("tensor-core-doc-dyn.npy");
    /// DynTensor::full(&[2, 3], 0.5_f32).save_npy(&path)?;
    /// assert_eq!(DynTensor::<f32>::load_npy(&path)?.sizes(), [2, 3]);
    ///
    /// let error = DynTensor::<f64>::load_npy(&path).unwrap_err();
    /// assert!(error.to_string().ends_with(
    ///     "the elements are f32, not f64: read them as what they are, then `cast`"
    /// ));
    /// ```
    #[doc(alias = "load")]
    pub fn load_npy(path: impl AsRef<Path>) -> Result<Self, ReadError> {
        let path = path.as_ref();
        let read = || Self::read_npy(BufReader::new(File::open(path)?));
        read().map_err(|error| error.within(named(path)))
    }

    /// [`load_npy`](Self::load_npy) from any reader; nothing after the array is read.
    /// Errors: As [`load_npy`](Self::load_npy).
    /// ```
    /// let mut bytes = Vec::new();
    /// DynTensor::full(&[2], 7_u8).write_npy(&mut bytes)?;
    /// assert_eq!(DynTensor::<u8>::read_npy(&bytes[..])?.to_vec(), [7, 7]);
    /// ```
    pub fn read_npy(mut reader: impl Read) -> Result<Self, ReadError> {
        let Header { element, endian, fortran_order, sizes } = Header::read(&mut reader)?;
        if element != T::NAME {
            return Err(match NAMES.contains(&&element[..]) {
                true => Problem::ElementType { expected: T::NAME, found: element }.into(),
                false => ReadError::format(format!(
                    "no element type here is NumPy's `{element}`: convert them with `astype` before they are saved"
                )),
            });
        }
        let (sizes, count) = checked_bytes(&sizes, T::NAME)?;
        let elements = bytes::read(reader, count, endian)?;
        Ok(if fortran_order {
            Self::from_column_major(&sizes, elements)
        } else {
            Self::from_row_major(&sizes, elements)
        })
    }

    /// Writes the array as a `.npy` file, in C order and little-endian: `[..s]`. An existing file is
    /// replaced once the new one is complete, as
    /// [`io`](https://docs.rs/tensor-core/latest/tensor_core/io/index.html) describes.
    /// Errors: If the file cannot be written, or if NumPy has no such element type (`bf16`).
    /// ```
    /// let path = std::env::temp_dir().join("tensor-core-doc-save.npy");
    /// DynTensor::from(tensor![[1, 2], [3, 4]]).save_npy(path)?;
    /// ```
    #[doc(alias = "save")]
    pub fn save_npy(&self, path: impl AsRef<Path>) -> io::Result<()> {
        // If NumPy lacks the element type, the file is left unchanged.
        npy::descr(T::NAME)?;
        new_file::save(path.as_ref(), |file| self.write_npy(file))
    }

    /// [`save_npy`](Self::save_npy) to any writer.
    /// Errors: As [`save_npy`](Self::save_npy).
    /// ```
    /// let mut bytes = Vec::new();
    /// DynTensor::full(&[2], 7_u8).write_npy(&mut bytes)?;
    /// assert!(bytes.starts_with(b"\x93NUMPY"));
    /// ```
    pub fn write_npy(&self, mut writer: impl Write) -> io::Result<()> {
        npy::write(&mut writer, T::NAME, self.sizes())?;
        bytes::write(writer, &self.to_vec())
    }
}
