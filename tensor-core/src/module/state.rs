//! Saving and loading models in `.safetensors` files.

use std::io;
use std::path::Path as FilePath;

use super::load_error::LoadModelError;
use super::{Module, WeightMap, tensors};
use crate::io::{Checkpoint, LoadError, StoredTensor, Value};

pub(super) fn save(module: &dyn Module, path: &FilePath) -> io::Result<()> {
    let stored: Vec<(String, Value)> =
        tensors(module).into_iter().map(|(name, _, tensor)| (name, Value::of(tensor))).collect();
    let named: Vec<(&str, &dyn StoredTensor)> =
        stored.iter().map(|(name, value)| (&name[..], value.as_stored())).collect();
    Checkpoint::save(path, &named)
}

pub(super) fn load(module: &mut dyn Module, path: &FilePath) -> Result<(), LoadModelError> {
    WeightMap::new().load(module, path)
}

pub(super) fn load_from(module: &mut dyn Module, checkpoint: &Checkpoint) -> Result<(), LoadError> {
    WeightMap::new().load_from(module, checkpoint)
}
