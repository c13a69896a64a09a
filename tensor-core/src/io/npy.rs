//! `.npy` files of typed tensors.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use super::{FileElement, ReadError, named};
use crate::shape::Shape;
use crate::tensor::{DynTensor, IntoTensor, Tensor};

/// # NumPy files
#[tensor_array_macros::method_docs]
impl<S: Shape, T: FileElement> Tensor<S, T> {
    /// The array of a `.npy` file, if it has this shape: `[..s]`. Named axes take their size
    /// from the file.
    /// Errors: As [`DynTensor::load_npy`], and if the shape is another.
    /// ```
    /// axis!(Batch);
    /// let path = std::env::temp_dir().join("tensor-core-doc-typed.npy");
    /// tensor![[1.0_f32, 2.0], [3.0, 4.0], [5.0, 6.0]].save_npy(&path)?;
    ///
    /// let x = Tensor::<shape![Batch, 2]>::load_npy(&path)?;
    /// assert_eq!(x.shape(), shape![Batch(3), 2]);
    ///
    /// let error = Tensor::<shape![Batch, 3]>::load_npy(&path).unwrap_err();
    /// assert!(error.to_string().ends_with("axis 1 has size 3 in the type, 2 in the data"));
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
    /// tensor![1, 2, 3].write_npy(&mut bytes)?;
    /// assert_eq!(Tensor::<shape![3], i32>::read_npy(&bytes[..])?, tensor![1, 2, 3]);
    /// ```
    pub fn read_npy(reader: impl Read) -> Result<Self, ReadError> {
        let read = DynTensor::read_npy(reader)?;
        read.into_tensor().map_err(|error| error.error().clone().into())
    }

    /// Writes the array as a `.npy` file, in C order and little-endian: `[..s]`.
    /// Errors: As [`DynTensor::save_npy`].
    /// ```
    /// tensor![[1, 2], [3, 4]].save_npy(std::env::temp_dir().join("tensor-core-doc-out.npy"))?;
    /// ```
    #[doc(alias = "save")]
    pub fn save_npy(&self, path: impl AsRef<Path>) -> io::Result<()> {
        self.erased().save_npy(path)
    }

    /// [`save_npy`](Self::save_npy) to any writer.
    /// Errors: As [`DynTensor::save_npy`].
    /// ```
    /// let mut bytes = Vec::new();
    /// tensor![1, 2].write_npy(&mut bytes)?;
    /// assert!(bytes.starts_with(b"\x93NUMPY"));
    /// ```
    pub fn write_npy(&self, writer: impl Write) -> io::Result<()> {
        self.erased().write_npy(writer)
    }
}
