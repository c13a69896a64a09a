//! Saving and loading models in `.safetensors` files.

use std::io;
use std::path::Path as FilePath;

use super::load_error::LoadModelError;
use super::{AnyTensor, Module, WeightMap, tensors};
use crate::io::{Checkpoint, LoadError};

pub(super) fn save(module: &dyn Module, path: &FilePath) -> io::Result<()> {
    let stored = tensors(module);
    let named: Vec<(&str, &dyn AnyTensor)> =
        stored.iter().map(|(name, _, tensor)| (&name[..], *tensor)).collect();
    Checkpoint::save(path, &named)
}

pub(super) fn load(module: &mut dyn Module, path: &FilePath) -> Result<(), LoadModelError> {
    WeightMap::new().load(module, path)
}

pub(super) fn load_from(module: &mut dyn Module, checkpoint: &Checkpoint) -> Result<(), LoadError> {
    WeightMap::new().load_from(module, checkpoint)
}
