//! [`CheckedWeights`]: a file that was compared with a type of models at compile time.

use core::fmt;
use std::path::Path as FilePath;

use tensor_files::fingerprint;

use super::{LoadModelError, Module, ModuleTree, WeightMap};
use crate::io::{Checkpoint, LoadError, ReadError};

mod check;
pub(super) mod text;

pub use check::StoredTensor;

/// The value of [`weights!`](crate::weights!): a file whose names, element types and sizes were compared with those of the
/// model `M` at compile time. It opens this file, and others with the same names, element types and sizes.
///
/// ```
/// use tensor_core::{Module, Tensor, shape, tensor, weights};
///
/// #[derive(Module)]
/// struct Norm {
///     weight: Tensor<shape![3]>,
///     bias: Tensor<shape![3]>,
/// }
///
/// let weights = weights!(Norm, "guide/norm.safetensors");
/// let norm = weights.open("guide/norm.safetensors")?;
/// assert_eq!(norm.weight, tensor![1.0, 2.0, 3.0]);
///
/// // Another file is an error when the program runs.
/// let path = std::env::temp_dir().join("tensor-core-doc-checked-weights.safetensors");
/// (tensor![1.0_f32], tensor![2.0_f32]).save(&path)?;
/// assert!(weights.open(&path).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct CheckedWeights<M> {
    /// As the program names it.
    file: &'static str,
    fingerprint: u64,
    /// Makes the model: a function, so that a model that is no module is one error.
    read: fn(&Checkpoint) -> Result<M, LoadError>,
}

impl<M> Clone for CheckedWeights<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for CheckedWeights<M> {}

impl<M> fmt::Debug for CheckedWeights<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CheckedWeights({:?})", self.file)
    }
}

impl<M> CheckedWeights<M> {
    /// Makes the model from a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, does not fit the model, or differs from the file of [`weights!`](crate::weights!) in a
    /// name, an element type or a size, also one that the model does not fix.
    ///
    /// ```
    /// use tensor_core::module::Module;
    /// use tensor_core::{DynTensor, tensor, weights};
    ///
    /// // Any size fits a `DynTensor`.
    /// let weights = weights!(std::collections::BTreeMap<String, DynTensor<f32>>, "guide/norm.safetensors");
    /// assert_eq!(weights.open("guide/norm.safetensors")?["bias"].sizes(), [3]);
    ///
    /// let path = std::env::temp_dir().join("tensor-core-doc-other-weights.safetensors");
    /// (tensor![1.0_f32], tensor![2.0_f32]).save(&path)?;
    /// let error = weights.open(&path).unwrap_err().to_string();
    /// assert!(error.ends_with(
    ///     "not the file that the program was compiled with, `guide/norm.safetensors`: names, element types or sizes \
    ///      differ, which `cargo shapes diff` lists; compile the program with the file that it opens"
    /// ));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open(&self, path: impl AsRef<FilePath>) -> Result<M, LoadModelError> {
        self.open_from(&Checkpoint::open(path)?)
    }

    /// [`open`](Self::open) for a checkpoint, such as one that is part of the program.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    ///
    /// ```
    /// use tensor_core::io::Checkpoint;
    /// use tensor_core::{Tensor, shape, weights};
    /// # use tensor_core::Module;
    ///
    /// # #[derive(Module)]
    /// # struct Norm {
    /// #     weight: Tensor<shape![3]>,
    /// #     bias: Tensor<shape![3]>,
    /// # }
    /// let weights = weights!(Norm, "guide/norm.safetensors");
    /// let file = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/guide/norm.safetensors"));
    /// let norm = weights.open_from(&Checkpoint::from_bytes(file.to_vec())?)?;
    /// assert_eq!(norm.bias, Tensor::<shape![3]>::zeros());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open_from(&self, checkpoint: &Checkpoint) -> Result<M, LoadModelError> {
        let tensors = checkpoint.records().iter();
        let is_same =
            fingerprint(tensors.map(|(name, record)| (&name[..], record))) == self.fingerprint;
        let model = (self.read)(checkpoint)?;
        if is_same {
            return Ok(model);
        }
        let error = ReadError::format(format!(
            "not the file that the program was compiled with, `{}`: names, element types or sizes differ, which \
             `cargo shapes diff` lists; compile the program with the file that it opens",
            self.file
        ));
        Err(LoadModelError::Read(match checkpoint.location() {
            Some(location) => error.within(location),
            None => error,
        }))
    }
}

fn read<M: Module>(checkpoint: &Checkpoint) -> Result<M, LoadError> {
    WeightMap::new().open_from(checkpoint)
}

/// The value of [`weights!`](crate::weights!), in a constant. The tensors are sorted by name.
///
/// # Panics
///
/// If the file does not fit the model.
#[doc(hidden)]
#[track_caller]
#[tensor_array_macros::bounds_without_source]
pub const fn checked_weights<M: Module, const N: usize>(
    file: &'static str,
    fingerprint: u64,
    tensors: &[StoredTensor; N],
    tree: ModuleTree,
) -> CheckedWeights<M> {
    if matches!(tree, ModuleTree::Unknown) {
        panic!(
            "the tensors of this model are not known at compile time: write `#[derive(Module)]` above it, or open the file \
             with `Module::open` [T715]"
        );
    }
    if let Some(misfit) = check::misfit(file, tensors, &tree) {
        panic!("{}", misfit.as_str());
    }
    CheckedWeights { file, fingerprint, read: read::<M> }
}
