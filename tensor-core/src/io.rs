//! Tensors from files and to files.
//!
//! | format | read | write | feature |
//! | --- | --- | --- | --- |
//! | `.npy`, one array of NumPy | [`Tensor::load_npy`](crate::Tensor::load_npy) | [`Tensor::save_npy`](crate::Tensor::save_npy) | `npy` |
//! | `.npz`, several | [`Npz`] | [`NpzWriter`] | `npz` |
//! | `.safetensors`, a model; several of them with an index | [`Checkpoint`] | [`Checkpoint::save`] | `safetensors` |
//! | `.pt` and `.bin`, a model of PyTorch | [`Checkpoint`] | [`Checkpoint::save`] | `pt` |
//!
//! A file is written to a temporary file in the same folder, which replaces the old one once it is complete
//! and on the disk: a full disk or a crash loses nothing. A new file has mode 0666 less the umask, one that
//! replaces another has the mode of that one; symbolic links are followed; devices and pipes are written to.
//!
//! The contents of a file are validated: a malformed file is a [`ReadError`], which states
//! the mistake and its position. Memory is allocated for bytes that have been read, not for the
//! size that a header states. Element types are not converted silently: read the type in the file,
//! then `cast`.

#[cfg(feature = "npz")]
#[doc(inline)]
pub use tensor_array::io::NewFile;
use tensor_array::io::named;
#[doc(inline)]
pub use tensor_array::io::{FileElement, Problem, ReadError};
#[cfg(feature = "safetensors")]
use tensor_array::io::{bytes, new_file};
#[cfg(feature = "safetensors")]
pub(crate) use tensor_files::escaped;

#[cfg(feature = "safetensors")]
pub(crate) mod any_array;
#[cfg(feature = "safetensors")]
mod checkpoint;
#[cfg(feature = "npy")]
mod npy;
#[cfg(feature = "npz")]
mod npz;
#[cfg(feature = "pt")]
mod pt_writer;
#[cfg(feature = "safetensors")]
mod record;

#[cfg(feature = "safetensors")]
pub use checkpoint::{Checkpoint, LoadError, Mismatch};
#[cfg(feature = "safetensors")]
pub(crate) use checkpoint::{is_of_torch, skipped_lines};
#[cfg(feature = "npz")]
pub use npz::{Npz, NpzWriter};
