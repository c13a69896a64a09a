//! [`LoadModelError`]: why a model is not read from a file.

use core::fmt;

use crate::io::{LoadError, ReadError};

/// Why a model could not be filled from a file.
///
/// ```
/// use tensor_core::module::{LoadModelError, Module};
/// use tensor_core::tensor;
///
/// let error = (tensor![1.0], tensor![2.0]).load("no such.safetensors").unwrap_err();
/// assert!(matches!(error, LoadModelError::Read(_)));
/// ```
pub enum LoadModelError {
    /// The file cannot be read, or is malformed.
    Read(ReadError),
    /// The file does not fit the model.
    Fit(LoadError),
}

impl fmt::Display for LoadModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Fit(error) => error.fmt(f),
        }
    }
}

tensor_kernels::__debug_as_display!(LoadModelError);

impl std::error::Error for LoadModelError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read(error) => error.source(),
            Self::Fit(_) => None,
        }
    }
}

impl From<ReadError> for LoadModelError {
    fn from(error: ReadError) -> Self {
        Self::Read(error)
    }
}

impl From<LoadError> for LoadModelError {
    fn from(error: LoadError) -> Self {
        Self::Fit(error)
    }
}
