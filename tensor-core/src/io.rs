//! Tensors from files and to files.
//!
//! | format | read | write | feature |
//! | --- | --- | --- | --- |
//! | `.npy`, one array of NumPy | [`Tensor::load_npy`](crate::Tensor::load_npy) | [`Tensor::save_npy`](crate::Tensor::save_npy) | `npy` |
//! | `.npz`, several | [`Npz`] | [`NpzWriter`] | `npz` |
//! | `.safetensors`, a model | [`Checkpoint`] | [`Checkpoint::save`] | `safetensors` |
//!
//! A file is written beside the one that it replaces, and gets its name once it is complete and on the disk:
//! a full disk or a process that ends loses nothing. A new file has mode 0666 less the umask, one that
//! replaces another has the mode of that one; symbolic links are followed; a device or a pipe is written to.
//!
//! What a file holds is checked before it is believed: a malformed file is a [`ReadError`], which says
//! what is wrong and where, and memory is taken for what has been read and not for what a header
//! announces. Types of elements are not converted silently: read what the file has, then `cast`.

use core::fmt;
use std::io;
use std::path::Path;

#[cfg(feature = "npy")]
use crate::array::layout::checked_len;
use crate::shape::error::ShapeError;

mod bytes;
#[cfg(feature = "safetensors")]
mod checkpoint;
#[cfg(feature = "safetensors")]
mod entry;
#[cfg(any(feature = "npy", feature = "safetensors"))]
mod new_file;
#[cfg(feature = "npy")]
mod npy;
#[cfg(feature = "npz")]
mod npz;

pub use bytes::FileElement;
#[cfg(feature = "safetensors")]
pub use checkpoint::{Checkpoint, LoadError, Mismatch, StoredTensor};
#[cfg(feature = "safetensors")]
pub(crate) use entry::{Entry, stored};
#[cfg(feature = "npz")]
pub use new_file::NewFile;
#[cfg(feature = "npz")]
pub use npz::{Npz, NpzWriter};

/// Why a file could not be read.
///
/// ```
/// # #[cfg(feature = "npy")] {
/// use tensor_core::DynTensor;
///
/// let error = DynTensor::<f32>::read_npy(&b"P5 640 480 255"[..]).unwrap_err();
/// assert_eq!(error.to_string(), "not a .npy file: it begins with [50, 35, 20, 36, 34, 30]");
/// # }
/// ```
#[derive(Debug)]
pub struct ReadError {
    /// The file, and the entry within it.
    place: Vec<String>,
    problem: Problem,
}

/// What is wrong with a file.
#[derive(Debug)]
#[non_exhaustive]
pub enum Problem {
    /// Reading it failed.
    Io(io::Error),
    /// It is not of the format, or breaks its rules.
    Format(String),
    /// It ends before all elements were read.
    Truncated {
        /// The bytes of all elements.
        expected: usize,
        /// The bytes there are.
        found: usize,
    },
    /// The elements are of another type.
    ElementType {
        /// The type that was wanted, as Rust writes it.
        expected: &'static str,
        /// The type in the file, as Rust writes it, or as the file does if Rust has no such type.
        found: String,
    },
    /// The tensor has more elements than memory holds.
    TooLarge {
        /// Its sizes.
        sizes: Vec<u64>,
    },
    /// The tensor has not the shape of the type.
    InvalidShape(ShapeError),
    /// There is no entry of this name.
    Missing {
        /// The name.
        name: String,
        /// The names that there are.
        names: Vec<String>,
    },
}

impl ReadError {
    fn format(message: impl Into<String>) -> Self {
        Problem::Format(message.into()).into()
    }

    /// The same error, at a place around the one it names.
    fn within(mut self, place: impl Into<String>) -> Self {
        self.place.insert(0, place.into());
        self
    }

    /// What is wrong.
    ///
    /// ```
    /// # #[cfg(feature = "npy")] {
    /// use tensor_core::DynTensor;
    /// use tensor_core::io::Problem;
    ///
    /// let error = DynTensor::<f32>::load_npy("no such file").unwrap_err();
    /// assert!(matches!(error.problem(), Problem::Io(_)));
    /// # }
    /// ```
    pub fn problem(&self) -> &Problem {
        &self.problem
    }
}

impl From<Problem> for ReadError {
    fn from(problem: Problem) -> Self {
        Self { place: Vec::new(), problem }
    }
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        Problem::Io(error).into()
    }
}

impl From<ShapeError> for ReadError {
    fn from(error: ShapeError) -> Self {
        Problem::InvalidShape(error).into()
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for place in &self.place {
            write!(f, "{place}: ")?;
        }
        self.problem.fmt(f)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Format(message) => f.write_str(message),
            Self::Truncated { expected, found } => {
                write!(f, "the elements take {expected} bytes, and the file ends after {found}")
            }
            Self::ElementType { expected, found } => write!(
                f,
                "the elements are {found}, not {expected}: read them as what they are, then `cast`"
            ),
            Self::TooLarge { sizes } => {
                write!(f, "a tensor of shape {sizes:?} does not fit into memory")
            }
            Self::InvalidShape(error) => error.fmt(f),
            Self::Missing { name, names } if names.is_empty() => {
                write!(f, "no `{name}`: there is no tensor")
            }
            Self::Missing { name, names } => {
                write!(f, "no `{name}`; there are `{}`", names.join("`, `"))
            }
        }
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.problem {
            Problem::Io(error) => Some(error),
            Problem::InvalidShape(error) => Some(error),
            _ => None,
        }
    }
}

/// The sizes as `usize`, and how many bytes their elements take.
#[cfg(feature = "npy")]
fn checked_bytes(sizes: &[u64], element: usize) -> Result<(Vec<usize>, usize), ReadError> {
    let too_large = || ReadError::from(Problem::TooLarge { sizes: sizes.to_vec() });
    let sizes: Vec<usize> = sizes
        .iter()
        .map(|&size| usize::try_from(size))
        .collect::<Result<_, _>>()
        .map_err(|_| too_large())?;
    let len = checked_len(&sizes, element).ok_or_else(too_large)?;
    Ok((sizes, len * element))
}

/// The path, as an error names it.
fn named(path: &Path) -> String {
    path.display().to_string()
}
