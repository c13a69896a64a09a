//! `.safetensors`: named tensors, the format of models of Hugging Face and PyTorch.

use core::fmt;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use memmap2::Mmap;
use safetensors::tensor::{Metadata, TensorInfo};
use safetensors::{Dtype, SafeTensors};

use super::bytes::{self, Endian};
use super::{FileElement, Problem, ReadError, named, new_file};
use crate::array::evaluate::unwrap_or_panic;
use crate::array::layout::num_elements;
use crate::ops::elements::for_each_element;
use crate::shape::Shape;
use crate::shape::error::ShapeError;
use crate::tensor::{DynTensor, IntoTensor, Tensor};

/// A `.safetensors` file, from which tensors are read by name.
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
    contents: Contents,
    /// The start of the first tensor.
    start: usize,
    metadata: Metadata,
    place: Option<String>,
}

enum Contents {
    Read(Vec<u8>),
    Mapped(Mmap),
}

impl Contents {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Read(bytes) => bytes,
            Self::Mapped(map) => map,
        }
    }
}

/// The entry of a header that is not a tensor.
const METADATA: &str = "__metadata__";

/// The number of bytes of the header length, with which a file starts.
const LEN_BYTES: usize = 8;

/// The maximum length of a header that readers of the format accept, in bytes.
const LONGEST_HEADER: usize = 100_000_000;

/// # Reading
impl Checkpoint {
    /// Reads a file into memory.
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
        let path = path.as_ref();
        let open = || Self::new(Contents::Read(std::fs::read(path)?));
        open().map(|checkpoint| checkpoint.at(path)).map_err(|error| error.within(named(path)))
    }

    /// Maps a file into memory: tensors that are not requested are not read.
    ///
    /// # Safety
    ///
    /// Nothing changes the file as long as the checkpoint exists: neither this program nor another one.
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
        let path = path.as_ref();
        let open = || {
            let file = File::open(path)?;
            // SAFETY: the caller promises that the file does not change.
            Self::new(Contents::Mapped(unsafe { Mmap::map(&file)? }))
        };
        open().map(|checkpoint| checkpoint.at(path)).map_err(|error| error.within(named(path)))
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
        Self::new(Contents::Read(bytes))
    }

    fn new(contents: Contents) -> Result<Self, ReadError> {
        let bytes = contents.bytes();
        let malformed = |problem: &dyn fmt::Display| {
            ReadError::format(format!("not a .safetensors file: {problem}"))
        };
        let len = bytes
            .first_chunk::<LEN_BYTES>()
            .and_then(|&len| usize::try_from(u64::from_le_bytes(len)).ok())
            .filter(|&len| len <= bytes.len() - LEN_BYTES)
            .ok_or_else(|| malformed(&"it is shorter than its header"))?;
        // Checked before `safetensors` adds the lengths, whose sum may overflow `usize`.
        let header: Metadata = serde_json::from_slice(&bytes[LEN_BYTES..][..len])
            .map_err(|error| malformed(&error))?;
        let (expected, found) = (header.data_len(), bytes.len() - LEN_BYTES - len);
        if expected > found {
            return Err(Problem::Truncated { expected, found }.into());
        }
        let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(|error| malformed(&error))?;
        Ok(Self { start: LEN_BYTES + len, contents, metadata, place: None })
    }

    fn at(mut self, path: &Path) -> Self {
        self.place = Some(named(path));
        self
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
        let mut names = self.metadata.offset_keys();
        names.sort();
        names
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
        self.metadata.tensors().len()
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
        self.metadata.metadata().clone().unwrap_or_default()
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
        let read = || {
            let info = self.info(name)?;
            if info.dtype != dtype_of(T::NAME) {
                let found = found_type(info.dtype);
                return Err(Problem::ElementType { expected: T::NAME, found }.into());
            }
            let data = self.data(info);
            let elements = bytes::read(data, data.len(), Endian::Little)?;
            Ok(unwrap_or_panic(DynTensor::from_vec(&info.shape, elements)))
        };
        read().map_err(|error: ReadError| self.place_of(error, name))
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
        tensor.map_err(|error| self.place_of(error.error().clone().into(), name))
    }

    /// Fills tensors with those of the same names, if there is one for every tensor, and each has the same
    /// shape and element type.
    ///
    /// # Errors
    ///
    /// Whatever is missing, left over or different, all of it; then nothing is changed.
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
    pub fn load_into(
        &self,
        tensors: &mut [(&str, &mut dyn StoredTensor)],
    ) -> Result<(), LoadError> {
        let mut mismatches = Vec::new();
        for (name, tensor) in tensors.iter() {
            let problem = match self.metadata.info(name) {
                None => Some(Mismatch::Missing),
                Some(info) => self.mismatch(&**tensor, info),
            };
            mismatches.extend(problem.map(|problem| ((*name).to_owned(), problem)));
        }
        for name in self.names() {
            if !tensors.iter().any(|(other, _)| *other == name) {
                let found = self.metadata.info(&name).map(described).unwrap_or_default();
                mismatches.push((name, Mismatch::LeftOver { found }));
            }
        }
        if !mismatches.is_empty() {
            return Err(LoadError { place: self.place.clone(), mismatches });
        }
        for (name, tensor) in tensors.iter_mut() {
            if let Some(info) = self.metadata.info(name) {
                tensor.replace(&info.shape, self.data(info));
            }
        }
        Ok(())
    }

    fn mismatch(&self, tensor: &dyn StoredTensor, info: &TensorInfo) -> Option<Mismatch> {
        let expected = || format!("{} [{}]", tensor.element_name(), tensor.shape_name());
        if info.dtype != dtype_of(tensor.element_name()) || tensor.accepts(&info.shape).is_err() {
            return Some(Mismatch::Differs { expected: expected(), found: described(info) });
        }
        (!tensor.valid(self.data(info))).then_some(Mismatch::Malformed)
    }

    fn info(&self, name: &str) -> Result<&TensorInfo, ReadError> {
        self.metadata
            .info(name)
            .ok_or_else(|| Problem::Missing { name: name.to_owned(), names: self.names() }.into())
    }

    /// The bytes of a tensor, which `read_metadata` has checked to be within the file.
    fn data(&self, info: &TensorInfo) -> &[u8] {
        let (start, end) = info.data_offsets;
        &self.contents.bytes()[self.start..][start..end]
    }

    fn place_of(&self, error: ReadError, name: &str) -> ReadError {
        let error = match error.problem() {
            Problem::Missing { .. } => error,
            _ => error.within(name),
        };
        match &self.place {
            Some(place) => error.within(place),
            None => error,
        }
    }
}

/// # Writing
impl Checkpoint {
    /// Writes tensors by name. An existing file is replaced once the new one is
    /// complete, as [`io`](crate::io) describes.
    ///
    /// # Errors
    ///
    /// If the file cannot be written, if two tensors have one name, or if one is named `__metadata__`.
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
    pub fn save(path: impl AsRef<Path>, tensors: &[(&str, &dyn StoredTensor)]) -> io::Result<()> {
        Self::save_with(path, tensors, &HashMap::new())
    }

    /// [`save`](Self::save) with metadata, strings by name.
    ///
    /// # Errors
    ///
    /// As [`save`](Self::save).
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
        tensors: &[(&str, &dyn StoredTensor)],
        about: &HashMap<String, String>,
    ) -> io::Result<()> {
        let mut names: Vec<&str> = tensors.iter().map(|(name, _)| *name).collect();
        names.sort_unstable();
        if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            let message = format!("two tensors have the name `{}`", twice[0]);
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        if names.contains(&METADATA) {
            let message = format!("`{METADATA}` names what a file says about itself, not a tensor");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        // Large elements first, so that each tensor starts at a multiple of its element size.
        let mut tensors: Vec<_> = tensors
            .iter()
            .map(|&(name, tensor)| (dtype_of(tensor.element_name()), name, tensor))
            .collect();
        tensors.sort_by(|(left, name, _), (right, other, _)| right.cmp(left).then(name.cmp(other)));
        let header = header_of(&tensors, about)?;
        new_file::save(path.as_ref(), |file| {
            file.write_all(&(header.len() as u64).to_le_bytes())?;
            file.write_all(&header)?;
            tensors.iter().try_for_each(|(.., tensor)| file.write_all(&tensor.bytes()))
        })
    }
}

impl fmt::Debug for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut map = f.debug_map();
        for name in self.names() {
            let described = self.metadata.info(&name).map(described).unwrap_or_default();
            map.entry(&format_args!("{name}"), &format_args!("{described}"));
        }
        map.finish()
    }
}

/// The header of a file: the element types, sizes and offsets of its tensors, and its metadata,
/// padded so that the first tensor starts at a multiple of eight bytes.
fn header_of(
    tensors: &[(Dtype, &str, &dyn StoredTensor)],
    about: &HashMap<String, String>,
) -> io::Result<Vec<u8>> {
    let mut end = 0;
    let described = tensors.iter().map(|&(dtype, name, tensor)| {
        let (shape, start) = (tensor.sizes(), end);
        end += num_elements(&shape) * dtype.bitsize() / 8;
        (name.to_owned(), TensorInfo { dtype, shape, data_offsets: (start, end) })
    });
    let described = described.collect();
    let about = (!about.is_empty()).then(|| about.clone());
    let metadata = Metadata::new(about, described).map_err(io::Error::other)?;
    let mut header = serde_json::to_vec(&metadata)?;
    header.resize(header.len().next_multiple_of(LEN_BYTES), b' ');
    if header.len() > LONGEST_HEADER {
        let message = format!(
            "the header takes {} bytes, at most {LONGEST_HEADER} can be read",
            header.len()
        );
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    Ok(header)
}

/// A tensor that can be stored in a checkpoint and filled from one: a [`Tensor`], or a [`DynTensor`],
/// which accepts any shape.
///
/// ```
/// use tensor_core::io::{Checkpoint, StoredTensor};
/// use tensor_core::tensor;
///
/// let (mut weight, mut steps) = (tensor![[0.5_f32, 1.0]], tensor![3_i64]);
/// let mut state: Vec<(&str, &mut dyn StoredTensor)> = vec![("weight", &mut weight), ("steps", &mut steps)];
/// let path = std::env::temp_dir().join("tensor-core-doc-stored.safetensors");
/// let stored: Vec<(&str, &dyn StoredTensor)> = state.iter().map(|(name, x)| (*name, &**x)).collect();
/// Checkpoint::save(&path, &stored)?;
/// Checkpoint::open(&path)?.load_into(&mut state)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait StoredTensor: sealed::Stored {}

impl<S: Shape, T: FileElement> StoredTensor for Tensor<S, T> {}

impl<T: FileElement> StoredTensor for DynTensor<T> {}

pub(super) mod sealed {
    use super::*;

    pub trait Stored {
        /// The element type, as named in Rust.
        fn element_name(&self) -> &'static str;
        fn sizes(&self) -> Vec<usize>;
        /// The accepted sizes, for messages.
        fn shape_name(&self) -> String;
        fn accepts(&self, sizes: &[usize]) -> Result<(), ShapeError>;
        /// Whether the bytes are valid elements.
        fn valid(&self, bytes: &[u8]) -> bool;
        /// The elements in row-major order, little-endian.
        fn bytes(&self) -> Vec<u8>;
        /// Replaces sizes and elements by those given, which were checked to fit.
        fn replace(&mut self, sizes: &[usize], bytes: &[u8]);
    }

    impl<T: FileElement> Stored for DynTensor<T> {
        fn element_name(&self) -> &'static str {
            T::NAME
        }

        fn sizes(&self) -> Vec<usize> {
            self.sizes().to_vec()
        }

        fn shape_name(&self) -> String {
            "..".to_owned()
        }

        fn accepts(&self, _: &[usize]) -> Result<(), ShapeError> {
            Ok(())
        }

        fn valid(&self, bytes: &[u8]) -> bool {
            are_elements::<T>(bytes)
        }

        fn bytes(&self) -> Vec<u8> {
            let elements = self.to_vec();
            let mut bytes = Vec::with_capacity(size_of_val(&elements[..]));
            T::encode(&elements, &mut bytes);
            bytes
        }

        fn replace(&mut self, sizes: &[usize], bytes: &[u8]) {
            *self = decoded(sizes, bytes);
        }
    }

    impl<S: Shape, T: FileElement> Stored for Tensor<S, T> {
        fn element_name(&self) -> &'static str {
            T::NAME
        }

        fn sizes(&self) -> Vec<usize> {
            self.shape().sizes().to_vec()
        }

        fn shape_name(&self) -> String {
            let mut names = Vec::new();
            self.shape().write_names(&mut names);
            names.join(", ")
        }

        fn accepts(&self, sizes: &[usize]) -> Result<(), ShapeError> {
            S::from_sizes(sizes).map(|_| ())
        }

        fn valid(&self, bytes: &[u8]) -> bool {
            are_elements::<T>(bytes)
        }

        fn bytes(&self) -> Vec<u8> {
            DynTensor::from(self.clone()).bytes()
        }

        fn replace(&mut self, sizes: &[usize], bytes: &[u8]) {
            match decoded::<T>(sizes, bytes).into_tensor() {
                Ok(tensor) => *self = tensor,
                Err(error) => unreachable!("`accepts` has seen the sizes: {error}"),
            }
        }
    }
}

/// Whether the bytes are valid elements: only `bool` has invalid bytes.
pub(super) fn are_elements<T: FileElement>(bytes: &[u8]) -> bool {
    size_of::<T>() > 1 || T::decode(bytes, Endian::Little, &mut Vec::new()).is_ok()
}

/// The tensor of [valid](are_elements) bytes.
pub(super) fn decoded<T: FileElement>(sizes: &[usize], bytes: &[u8]) -> DynTensor<T> {
    let mut elements = Vec::with_capacity(bytes.len() / size_of::<T>());
    T::decode(bytes, Endian::Little, &mut elements).expect("bytes that are elements");
    unwrap_or_panic(DynTensor::from_vec(sizes, elements))
}

/// The error of [`Checkpoint::load_into`]: the entries of a checkpoint that do not match the tensors to fill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError {
    place: Option<String>,
    mismatches: Vec<(String, Mismatch)>,
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
    /// A byte of it is not a valid element.
    Malformed,
}

impl LoadError {
    /// The names of the entries that do not match, and how: first ours in their order, then those that
    /// are left over.
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
        match &self.place {
            Some(place) => write!(f, "{place} does not fit:")?,
            None => write!(f, "the checkpoint does not fit:")?,
        }
        for (name, mismatch) in &self.mismatches {
            match mismatch {
                Mismatch::Missing => write!(f, "\n  `{name}` is missing")?,
                Mismatch::LeftOver { found } => write!(f, "\n  `{name}` {found} is left over")?,
                Mismatch::Differs { expected, found } => {
                    write!(f, "\n  `{name}` is {found}, not {expected}")?;
                }
                Mismatch::Malformed => write!(f, "\n  `{name}` has a byte that is no bool")?,
            }
        }
        Ok(())
    }
}

impl std::error::Error for LoadError {}

/// The description of a tensor of a file, for messages: `f32 [3, 2]`.
fn described(info: &TensorInfo) -> String {
    format!("{} {:?}", found_type(info.dtype), info.shape)
}

/// The Rust name of an element type, if it exists: a header names it in capital letters.
fn found_type(dtype: Dtype) -> String {
    let name = dtype.to_string();
    let rust = name.to_lowercase();
    if RUST_NAMES.contains(&&rust[..]) { rust } else { name }
}

/// The element type of a tensor, as in a header.
fn dtype_of(rust: &str) -> Dtype {
    let name = serde_json::Value::String(rust.to_uppercase());
    serde_json::from_value(name).unwrap_or_else(|_| unreachable!("{rust} is the type of a tensor"))
}

macro_rules! rust_names {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {
        const RUST_NAMES: &[&str] = &[$($(#[$cfg])* stringify!($T)),*];
    };
}

for_each_element!(rust_names);
