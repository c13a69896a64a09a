//! Tensors from files and to files.
//!
//! | format | read | write | feature |
//! | --- | --- | --- | --- |
//! | `.npy`, one array of NumPy | [`Tensor::load_npy`](crate::Tensor::load_npy) | [`Tensor::save_npy`](crate::Tensor::save_npy) | `npy` |
//! | `.npz`, several | [`Npz`] | [`NpzWriter`] | `npz` |
//! | `.safetensors`, a model | [`Checkpoint`] | [`Checkpoint::save`] | `safetensors` |
//!
//! A file is written to a temporary file in the same folder, which replaces the old one once it is complete
//! and on the disk: a full disk or a crash loses nothing. A new file has mode 0666 less the umask, one that
//! replaces another has the mode of that one; symbolic links are followed; devices and pipes are written to.
//!
//! The contents of a file are validated: a malformed file is a [`ReadError`], which states
//! what is wrong and where, and memory is allocated for what has been read, not for what a header
//! announces. Element types are not converted silently: read the type in the file, then `cast`.

use tensor_array::internal::io::named;
#[cfg(feature = "npz")]
use tensor_array::internal::io::npy::header;
#[cfg(feature = "safetensors")]
use tensor_array::internal::io::{bytes, new_file};
#[cfg(feature = "npz")]
#[doc(inline)]
pub use tensor_array::io::NewFile;
#[doc(inline)]
pub use tensor_array::io::{FileElement, Problem, ReadError};

#[cfg(feature = "safetensors")]
mod checkpoint;
#[cfg(feature = "safetensors")]
mod entry;
#[cfg(feature = "npy")]
mod npy;
#[cfg(feature = "npz")]
mod npz;

#[cfg(feature = "safetensors")]
pub use checkpoint::{Checkpoint, LoadError, Mismatch, StoredTensor};
#[cfg(feature = "safetensors")]
pub(crate) use entry::{Entry, stored};
#[cfg(feature = "npz")]
pub use npz::{Npz, NpzWriter};
