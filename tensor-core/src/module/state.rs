//! Saving and loading models in `.safetensors` files.

use core::fmt;
use std::io;
use std::path::Path as FilePath;

use super::{Module, tensors, tensors_mut};
use crate::io::{Checkpoint, Entry, LoadError, ReadError, StoredTensor, stored};

/// Why a model could not be filled from a file.
///
/// ```
/// use tensor_core::module::{LoadModelError, Module};
/// use tensor_core::tensor;
///
/// let error = (tensor![1.0], tensor![2.0]).load("no such.safetensors").unwrap_err();
/// assert!(matches!(error, LoadModelError::Read(_)));
/// ```
#[derive(Debug)]
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

pub(super) fn save(module: &dyn Module, path: &FilePath) -> io::Result<()> {
    let stored: Vec<(String, Box<dyn StoredTensor>)> =
        tensors(module).into_iter().map(|(name, _, tensor)| (name, stored(tensor))).collect();
    let named: Vec<(&str, &dyn StoredTensor)> =
        stored.iter().map(|(name, tensor)| (&name[..], &**tensor)).collect();
    Checkpoint::save(path, &named)
}

pub(super) fn load(module: &mut dyn Module, path: &FilePath) -> Result<(), LoadModelError> {
    Ok(load_from(module, &Checkpoint::open(path)?)?)
}

pub(super) fn load_from(module: &mut dyn Module, checkpoint: &Checkpoint) -> Result<(), LoadError> {
    let mut entries: Vec<(String, Entry<'_>)> =
        (tensors_mut(module).into_iter()).map(|(name, _, tensor)| (name, Entry(tensor))).collect();
    let mut named: Vec<(&str, &mut dyn StoredTensor)> = (entries.iter_mut())
        .map(|(name, entry)| (&name[..], entry as &mut dyn StoredTensor))
        .collect();
    checkpoint.load_into(&mut named)
}
