//! `.safetensors`: named tensors, the format of models of Hugging Face and PyTorch.

#![allow(unsafe_code, reason = "another process may write to a file that is mapped")]

use core::fmt;
use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};
use std::path::Path;
use std::sync::PoisonError;

use memmap2::Mmap;
use tensor_files::safetensors::{METADATA, header_of};
use tensor_files::{Contents, FileSource, Open, Record, Section};

#[cfg(feature = "pt")]
use super::pt_writer;
use super::{FileElement, Problem, ReadError, escaped, named, new_file};
use super::{any_array, record};
use crate::shape::Shape;
use crate::tensor::{AnyTensor, DynTensor, IntoTensor, Tensor};
use tensor_array::array::history::AnyArray;

/// A file of named tensors, which are read by name: `.safetensors`, or `model.safetensors.index.json` with its
/// shards; with the feature `npz`, `.npz`; with the feature `pt`, `.pt` and `.bin` of PyTorch. The format is
/// recognised from the contents of the file, not from its name.
///
/// [`Module::open`](crate::Module::open) makes a model of a file.
///
/// ```
/// use tensor_core::io::Checkpoint;
/// use tensor_core::{Tensor, shape, tensor};
///
/// let path = std::env::temp_dir().join("tensor-core-doc.safetensors");
/// let (weight, bias) = (Tensor::<shape![3, 2]>::ones(), tensor![0.5_f32, -0.5]);
/// Checkpoint::save(&path, &[("fc.weight", &weight), ("fc.bias", &bias)])?;
///
/// let checkpoint = Checkpoint::open(&path)?;
/// let read: Tensor<shape![3, 2]> = checkpoint.tensor("fc.weight")?;
/// assert_eq!(read, weight);
///
/// // Every entry that does not fit, at once; nothing is changed.
/// let (mut weight, mut scale) = (Tensor::<shape![2, 3]>::zeros(), tensor![1.0_f32]);
/// let error = checkpoint
///     .load_into(&mut [("fc.weight", &mut weight), ("fc.scale", &mut scale)])
///     .unwrap_err();
/// assert!(error.to_string().ends_with(
///     " does not fit:
///   `fc.weight` is f32 [3, 2], not f32 [2, 3]
///   `fc.scale` is missing
///   `fc.bias` f32 [2] is left over"
/// ));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Checkpoint {
    records: BTreeMap<String, Record>,
    metadata: HashMap<String, String>,
    skipped: Vec<(String, String)>,
    location: Option<String>,
}

/// # Reading
impl Checkpoint {
    /// Opens a file, and reads its header. Each tensor is read into separate memory when it is requested, so
    /// no other part of the file is in memory.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is malformed.
    ///
    /// ```
    /// use tensor_core::io::Checkpoint;
    ///
    /// let error = Checkpoint::open("no such.safetensors").unwrap_err();
    /// assert!(error.to_string().starts_with("no such.safetensors: "));
    /// ```
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ReadError> {
        Self::open_with(path.as_ref(), &FileSource::open)
    }

    fn open_with(path: &Path, source: Open<'_>) -> Result<Self, ReadError> {
        match tensor_files::open(path, source) {
            Ok(contents) => Ok(Self::new(contents, Some(named(path)))),
            Err(error) => Err(error.within(named(path)).into()),
        }
    }

    /// Maps a file, or the shards of an index, into memory: tensors that are not requested are not read. A pipe
    /// is read into memory, as by [`open`](Self::open).
    ///
    /// # Safety
    ///
    /// Nothing changes the files as long as the checkpoint exists: neither this program nor another one.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    ///
    /// ```
    /// use tensor_core::io::Checkpoint;
    /// use tensor_core::{Tensor, shape, tensor};
    ///
    /// let path = std::env::temp_dir().join("tensor-core-doc-map.safetensors");
    /// Checkpoint::save(&path, &[("x", &tensor![1, 2, 3])])?;
    /// // SAFETY: the file is ours, and is not written again.
    /// let checkpoint = unsafe { Checkpoint::map(&path)? };
    /// let x: Tensor<shape![3], i32> = checkpoint.tensor("x")?;
    /// assert_eq!(x, tensor![1, 2, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub unsafe fn map(path: impl AsRef<Path>) -> Result<Self, ReadError> {
        Self::open_with(path.as_ref(), &|path| match FileSource::open(path)? {
            FileSource::Disk { file, .. } => {
                let file = file.into_inner().unwrap_or_else(PoisonError::into_inner);
                // SAFETY: the caller promises that the file does not change.
                Ok(FileSource::Memory(Box::new(unsafe { Mmap::map(&file)? })))
            }
            other => Ok(other),
        })
    }

    /// A checkpoint from the bytes of a file.
    ///
    /// # Errors
    ///
    /// If they are malformed.
    ///
    /// ```
    /// use tensor_core::io::Checkpoint;
    ///
    /// assert!(Checkpoint::from_bytes(b"\x02\0\0\0\0\0\0\0{}".to_vec())?.is_empty());
    /// assert!(Checkpoint::from_bytes(b"\xff\xff\xff\xff\xff\xff\xff\x7f{}".to_vec()).is_err());
    /// # Ok::<(), tensor_core::io::ReadError>(())
    /// ```
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, ReadError> {
        let contents = tensor_files::read(Section::all(FileSource::Memory(Box::new(bytes))), None)?;
        Ok(Self::new(contents, None))
    }

    fn new(contents: Contents, location: Option<String>) -> Self {
        let Contents { tensors, metadata, skipped } = contents;
        Self { records: tensors.into_iter().collect(), metadata, skipped, location }
    }

    /// The names of the tensors, sorted.
    ///
    /// ```
    /// use tensor_core::io::Checkpoint;
    ///
    /// assert!(Checkpoint::from_bytes(b"\x02\0\0\0\0\0\0\0{}".to_vec())?.names().is_empty());
    /// # Ok::<(), tensor_core::io::ReadError>(())
    /// ```
    pub fn names(&self) -> Vec<String> {
        self.records.keys().cloned().collect()
    }

    /// The number of tensors.
    ///
    /// ```
    /// use tensor_core::io::Checkpoint;
    ///
    /// assert_eq!(Checkpoint::from_bytes(b"\x02\0\0\0\0\0\0\0{}".to_vec())?.len(), 0);
    /// # Ok::<(), tensor_core::io::ReadError>(())
    /// ```
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are no tensors.
    ///
    /// ```
    /// use tensor_core::io::Checkpoint;
    ///
    /// assert!(Checkpoint::from_bytes(b"\x02\0\0\0\0\0\0\0{}".to_vec())?.is_empty());
    /// # Ok::<(), tensor_core::io::ReadError>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The metadata of the file: strings by name.
    ///
    /// ```
    /// use tensor_core::io::Checkpoint;
    ///
    /// assert!(Checkpoint::from_bytes(b"\x02\0\0\0\0\0\0\0{}".to_vec())?.metadata().is_empty());
    /// # Ok::<(), tensor_core::io::ReadError>(())
    /// ```
    pub fn metadata(&self) -> HashMap<String, String> {
        self.metadata.clone()
    }

    /// The objects in a file of PyTorch that are not read, as their classes are unknown: their names, and those of the
    /// classes, such as `("args", "argparse.Namespace")`. Nothing of them is executed. Tensors in them are not read either.
    ///
    /// ```
    /// use tensor_core::io::Checkpoint;
    ///
    /// assert!(Checkpoint::from_bytes(b"\x02\0\0\0\0\0\0\0{}".to_vec())?.skipped().is_empty());
    /// # Ok::<(), tensor_core::io::ReadError>(())
    /// ```
    pub fn skipped(&self) -> &[(String, String)] {
        &self.skipped
    }

    /// The tensor with this name: `[..s]`.
    ///
    /// # Errors
    ///
    /// If there is none, or if its elements are of another type.
    ///
    /// ```
    /// use tensor_core::io::Checkpoint;
    ///
    /// let checkpoint = Checkpoint::from_bytes(b"\x02\0\0\0\0\0\0\0{}".to_vec())?;
    /// let error = checkpoint.dyn_tensor::<f32>("x").unwrap_err();
    /// assert_eq!(error.to_string(), "no `x`: there is no tensor");
    /// # Ok::<(), tensor_core::io::ReadError>(())
    /// ```
    pub fn dyn_tensor<T: FileElement>(&self, name: &str) -> Result<DynTensor<T>, ReadError> {
        let read = || record::read(self.record(name)?);
        read().map_err(|error: ReadError| self.located(error, name))
    }

    /// The tensor with this name, if it has this shape: `[..s]`. Named axes take their size from the
    /// file.
    ///
    /// # Errors
    ///
    /// As [`dyn_tensor`](Self::dyn_tensor), and if the shape is another.
    ///
    /// ```
    /// use tensor_core::io::Checkpoint;
    /// use tensor_core::shape;
    ///
    /// let checkpoint = Checkpoint::from_bytes(b"\x02\0\0\0\0\0\0\0{}".to_vec())?;
    /// assert!(checkpoint.tensor::<shape![3], f32>("x").is_err());
    /// # Ok::<(), tensor_core::io::ReadError>(())
    /// ```
    pub fn tensor<S: Shape, T: FileElement>(&self, name: &str) -> Result<Tensor<S, T>, ReadError> {
        let tensor = self.dyn_tensor(name)?.into_tensor();
        tensor.map_err(|error| self.located(error.error().clone().into(), name))
    }

    /// Fills tensors with those of the same names, if there is one for every tensor, and each has the same
    /// shape and element type. A [`DynTensor`] accepts any shape.
    ///
    /// # Errors
    ///
    /// Whatever is missing, left over or different, all of it; then nothing is changed. All tensors are read
    /// before the first is replaced.
    ///
    /// ```
    /// use tensor_core::io::Checkpoint;
    /// use tensor_core::tensor;
    ///
    /// let path = std::env::temp_dir().join("tensor-core-doc-into.safetensors");
    /// Checkpoint::save(&path, &[("x", &tensor![1, 2, 3])])?;
    /// let mut x = tensor![0, 0, 0];
    /// Checkpoint::open(path)?.load_into(&mut [("x", &mut x)])?;
    /// assert_eq!(x, tensor![1, 2, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "load_state_dict")]
    pub fn load_into(&self, tensors: &mut [(&str, &mut dyn AnyTensor)]) -> Result<(), LoadError> {
        let mut mismatches = Vec::new();
        for (name, tensor) in tensors.iter() {
            let problem = match self.records.get(*name) {
                None => Some(Mismatch::Missing),
                Some(record) => mismatch(&**tensor, record),
            };
            mismatches.extend(problem.map(|problem| ((*name).to_owned(), problem)));
        }
        for (name, record) in &self.records {
            if !tensors.iter().any(|(other, _)| other == name) {
                mismatches.push((name.clone(), Mismatch::LeftOver { found: record.described() }));
            }
        }
        // Everything is read before anything is changed.
        let mut values = Vec::new();
        if mismatches.is_empty() {
            for (name, _) in tensors.iter() {
                match any_array::read(&self.records[*name]) {
                    Ok(value) => values.push(value),
                    Err(error) => mismatches.push(((*name).to_owned(), Mismatch::of(&error))),
                }
            }
        }
        if !mismatches.is_empty() {
            return Err(LoadError::new(self, mismatches));
        }
        for ((_, tensor), value) in tensors.iter_mut().zip(&values) {
            if let Err(error) = tensor.assign_array(value) {
                unreachable!("types and sizes were compared: {error}");
            }
        }
        Ok(())
    }

    /// The tensors by name, none of which is read.
    pub(crate) fn records(&self) -> &BTreeMap<String, Record> {
        &self.records
    }

    /// The path, for messages.
    pub(crate) fn location(&self) -> Option<String> {
        self.location.clone()
    }

    fn record(&self, name: &str) -> Result<&Record, ReadError> {
        if let Some(record) = self.records.get(name) {
            return Ok(record);
        }
        let is_within = |object: &str| {
            name.strip_prefix(object)
                .is_some_and(|rest| object.is_empty() || rest.is_empty() || rest.starts_with('.'))
        };
        Err(match self.skipped.iter().find(|(object, _)| is_within(object)) {
            Some((object, class)) => ReadError::format(format!(
                "`{object}` is an object of `{class}`, which is not read: save a state dict of tensors alone"
            )),
            None => Problem::Missing { name: name.to_owned(), names: self.names() }.into(),
        })
    }

    fn located(&self, error: ReadError, name: &str) -> ReadError {
        let error = match error.problem() {
            Problem::Missing { .. } => error,
            _ => error.within(name),
        };
        match &self.location {
            Some(location) => error.within(location),
            None => error,
        }
    }
}

/// # Writing
impl Checkpoint {
    /// Writes tensors by name. An existing file is replaced once the new one is complete, as [`io`](crate::io)
    /// describes. A path that ends in `.pt`, `.pth` or `.bin` is written for `torch.load`, with the feature `pt`; all
    /// others are `.safetensors`.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, if it is one of PyTorch's and the feature `pt` is off, if two tensors have one name, or if one is named `__metadata__`.
    ///
    /// ```
    /// use tensor_core::io::Checkpoint;
    /// use tensor_core::tensor;
    ///
    /// let path = std::env::temp_dir().join("tensor-core-doc-save.safetensors");
    /// Checkpoint::save(&path, &[("x", &tensor![1, 2, 3]), ("y", &tensor![0.5])])?;
    /// assert_eq!(Checkpoint::open(path)?.names(), ["x", "y"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "state_dict")]
    pub fn save(path: impl AsRef<Path>, tensors: &[(&str, &dyn AnyTensor)]) -> io::Result<()> {
        Self::save_with(path, tensors, &HashMap::new())
    }

    /// [`save`](Self::save) with metadata, strings by name.
    ///
    /// # Errors
    ///
    /// As [`save`](Self::save), and if the path is one of PyTorch's, whose files have no metadata.
    ///
    /// ```
    /// use std::collections::HashMap;
    ///
    /// use tensor_core::io::Checkpoint;
    /// use tensor_core::tensor;
    ///
    /// let path = std::env::temp_dir().join("tensor-core-doc-about.safetensors");
    /// let about = HashMap::from([("epoch".to_owned(), "7".to_owned())]);
    /// Checkpoint::save_with(&path, &[("x", &tensor![1, 2, 3])], &about)?;
    /// assert_eq!(Checkpoint::open(path)?.metadata()["epoch"], "7");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save_with(
        path: impl AsRef<Path>,
        tensors: &[(&str, &dyn AnyTensor)],
        about: &HashMap<String, String>,
    ) -> io::Result<()> {
        let arrays: Vec<_> =
            tensors.iter().map(|(name, tensor)| (*name, tensor.to_array())).collect();
        Self::save_arrays(path.as_ref(), &arrays, about)
    }

    /// [`save_with`](Self::save_with) of arrays.
    pub(crate) fn save_arrays(
        path: &Path,
        arrays: &[(impl AsRef<str>, AnyArray)],
        about: &HashMap<String, String>,
    ) -> io::Result<()> {
        let arrays: Vec<(&str, &AnyArray)> =
            arrays.iter().map(|(name, array)| (name.as_ref(), array)).collect();
        let mut names: Vec<&str> = arrays.iter().map(|(name, _)| *name).collect();
        names.sort_unstable();
        if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            let message = format!("two tensors have the name `{}`", twice[0]);
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        if names.contains(&METADATA) {
            let message = format!("`{METADATA}` names what a file says about itself, not a tensor");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        if is_of_torch(path) {
            if !about.is_empty() {
                let message = "a file of PyTorch has no metadata";
                return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
            }
            #[cfg(feature = "pt")]
            return pt_writer::save(path, &arrays);
            #[cfg(not(feature = "pt"))]
            return Err(io::Error::new(
                io::ErrorKind::Unsupported,
                "a file of PyTorch, by the end of its name: the feature `pt` writes it",
            ));
        }
        let described: Vec<_> = (arrays.iter())
            .map(|&(name, array)| (name, array.element().name, array.sizes().to_vec()))
            .collect();
        let (header, order) = header_of(&described, about)?;
        new_file::save(path, |file| {
            file.write_all(&(header.len() as u64).to_le_bytes())?;
            file.write_all(&header)?;
            order.iter().try_for_each(|&number| file.write_all(&arrays[number].1.to_le_bytes()))
        })
    }
}

impl fmt::Debug for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut map = f.debug_map();
        for (name, record) in &self.records {
            let (name, described) = (escaped(name), escaped(&record.described()));
            map.entry(&format_args!("{name}"), &format_args!("{described}"));
        }
        map.finish()
    }
}

/// Whether a path ends as those of PyTorch do.
pub(crate) fn is_of_torch(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "pt" || end == "pth" || end == "bin")
}

/// How the record of a file differs from the tensor of the same name, if it does.
fn mismatch(tensor: &dyn AnyTensor, record: &Record) -> Option<Mismatch> {
    let (element, fits) = (tensor.element_name(), tensor.accepts(&record.sizes).is_ok());
    if record.element != element || !fits {
        let axes = match fits {
            true => record.sizes.iter().map(usize::to_string).collect(),
            false => tensor.axis_names(),
        };
        let expected = format!("{element} [{}]", axes.join(", "));
        return Some(Mismatch::Differs { expected, found: record.described() });
    }
    // Other elements have no invalid bytes.
    let read = if element == "bool" { any_array::read(record).err() } else { None };
    read.map(|error| Mismatch::of(&error))
}

/// The error of [`Checkpoint::load_into`]: the entries of a checkpoint that do not match the tensors to fill.
#[derive(Clone, PartialEq, Eq)]
pub struct LoadError {
    location: Option<String>,
    mismatches: Vec<(String, Mismatch)>,
    /// What may explain them.
    notes: Vec<String>,
    /// Whether the notes explain most of the mismatches, which the message then leaves out.
    is_explained: bool,
}

/// The mismatch of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mismatch {
    /// The checkpoint has no such tensor.
    Missing,
    /// The checkpoint has a tensor that fills none of ours.
    LeftOver {
        /// Its element type and its sizes.
        found: String,
    },
    /// The element type or the shape differs.
    Differs {
        /// The element type and the shape of our tensor.
        expected: String,
        /// Those of the checkpoint.
        found: String,
    },
    /// The checkpoint has the two axes in the other order: `[in, out]` instead of `[out, in]`.
    Transposed {
        /// The element type and the shape of our tensor.
        expected: String,
        /// Those of the checkpoint.
        found: String,
    },
    /// A square matrix, which fits in either order, beside others that are [`Transposed`](Self::Transposed).
    EitherOrder {
        /// Its element type and its sizes.
        found: String,
    },
    /// A byte of it is not a valid element.
    Malformed,
    /// Its elements cannot be read.
    Unreadable {
        /// Why.
        problem: String,
    },
    /// A rule of a [`WeightMap`](crate::module::WeightMap) does not apply to it.
    MapRule {
        /// Why.
        problem: String,
    },
    /// A field of the model is no tensor, and has no value where a model is made from a file.
    NoTensor {
        /// The type of the field.
        type_name: &'static str,
    },
    /// The model has a tensor that was not read from the file.
    NotRead,
}

impl Mismatch {
    /// The mismatch of a tensor whose elements could not be read.
    pub(crate) fn of(error: &ReadError) -> Self {
        match error.problem() {
            Problem::NotABool { .. } => Self::Malformed,
            _ => Self::Unreadable { problem: error.to_string() },
        }
    }
}

impl LoadError {
    pub(crate) fn new(checkpoint: &Checkpoint, mismatches: Vec<(String, Mismatch)>) -> Self {
        let is_missing = mismatches.iter().any(|(_, mismatch)| *mismatch == Mismatch::Missing);
        let notes = if is_missing { skipped_lines(&checkpoint.skipped) } else { Vec::new() };
        Self { location: checkpoint.location(), mismatches, notes, is_explained: false }
    }

    /// The error with notes before those that it has.
    pub(crate) fn with_notes(mut self, mut notes: Vec<String>, is_explained: bool) -> Self {
        notes.append(&mut self.notes);
        Self { notes, is_explained, ..self }
    }

    /// The names of the entries that do not match, and how: first ours in their order, then those that
    /// are left over, and square ones of which the order is uncertain.
    ///
    /// ```
    /// use tensor_core::io::{Checkpoint, Mismatch};
    /// use tensor_core::tensor;
    ///
    /// let checkpoint = Checkpoint::from_bytes(b"\x02\0\0\0\0\0\0\0{}".to_vec())?;
    /// let error = checkpoint.load_into(&mut [("x", &mut tensor![1])]).unwrap_err();
    /// assert_eq!(error.mismatches(), [("x".to_owned(), Mismatch::Missing)]);
    /// # Ok::<(), tensor_core::io::ReadError>(())
    /// ```
    pub fn mismatches(&self) -> &[(String, Mismatch)] {
        &self.mismatches
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.location {
            Some(location) => write!(f, "{} does not fit:", escaped(location))?,
            None => write!(f, "the checkpoint does not fit:")?,
        }
        if !self.is_explained {
            for (name, mismatch) in &self.mismatches {
                let line = match mismatch {
                    // A model that is one tensor, and a tensor of a file, may have an empty name.
                    Mismatch::LeftOver { found } if name.is_empty() => {
                        format!("the tensor without a name, {found}, is left over")
                    }
                    _ if name.is_empty() => format!("the model{mismatch}"),
                    _ => format!("`{name}`{mismatch}"),
                };
                write!(f, "\n  {}", escaped(&line))?;
            }
        }
        self.notes.iter().try_for_each(|note| write!(f, "\n  {note}"))
    }
}

/// A line for each object of a file that is not read, up to 20 of them: a file may have a list of thousands.
pub(crate) fn skipped_lines(skipped: &[(String, String)]) -> Vec<String> {
    const MOST: usize = 20;
    let line = |(name, class): &(String, String)| {
        let (name, class) = (escaped(name), escaped(class));
        format!("`{name}` is an object of `{class}`, which is not read")
    };
    let mut lines: Vec<String> = skipped.iter().take(MOST).map(line).collect();
    if skipped.len() > MOST {
        lines.push(format!("{} other objects are not read", skipped.len() - MOST));
    }
    lines
}

/// The part of the message after the name of the tensor.
impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str(" is missing"),
            Self::LeftOver { found } => write!(f, " {found} is left over"),
            Self::Differs { expected, found } => write!(f, " is {found}, not {expected}"),
            Self::Transposed { expected, found } => {
                write!(f, " is {found}, not {expected}: `WeightMap::transpose` swaps its axes")
            }
            Self::EitherOrder { found } => write!(
                f,
                " is {found}, which fits in either order: transpose it too if it is stored as those above"
            ),
            Self::Malformed => f.write_str(" has a byte that is no bool"),
            Self::Unreadable { problem } | Self::MapRule { problem } => write!(f, ": {problem}"),
            Self::NoTensor { type_name } => write!(
                f,
                " is {type_name}, which is not read from a file: write `#[module(value = …)]` above it"
            ),
            Self::NotRead => f.write_str(
                " is not read from the file: its field has a `value`, or `from_tensors` leaves it out",
            ),
        }
    }
}

tensor_kernels::__debug_as_display!(LoadError);

impl std::error::Error for LoadError {}
