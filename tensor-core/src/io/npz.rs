//! `.npz`: several arrays, as `numpy.savez` writes them: a zip archive of `.npy` files.

use core::fmt;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, Write};
use std::path::Path;

use tensor_files::archive::{archive_error, ended, open_archive};
use tensor_files::npy;
use tensor_files::zip::write::SimpleFileOptions;
use tensor_files::zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::{FileElement, NewFile, Problem, ReadError, named};
use crate::shape::Shape;
use crate::tensor::{DynTensor, Tensor};

/// A `.npz` file, from which arrays are read individually.
///
/// ```
/// use tensor_core::io::{Npz, NpzWriter};
/// use tensor_core::{Tensor, axis, shape, tensor};
///
/// axis!(Batch);
/// let path = std::env::temp_dir().join("tensor-core-doc.npz");
/// let mut file = NpzWriter::create(&path)?;
/// file.add("images", &tensor![[0.0_f32, 0.5], [1.0, 0.5]].into())?;
/// file.add("labels", &tensor![3, 7].into())?;
/// file.finish()?;
///
/// let mut data = Npz::open(&path)?;
/// let images: Tensor<shape![Batch, 2]> = data.tensor("images")?;
/// let labels: Tensor<shape![Batch], i32> = data.tensor("labels")?;
/// assert_eq!((images.sizes()[0], labels.sizes()[0]), (2, 2));
///
/// let error = data.dyn_tensor::<f32>("lables").unwrap_err();
/// assert!(error.to_string().ends_with("no `lables`; there are `images`, `labels`"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Npz<R> {
    archive: ZipArchive<R>,
    location: Option<String>,
}

impl Npz<BufReader<File>> {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is no zip archive.
    ///
    /// ```
    /// use tensor_core::io::Npz;
    ///
    /// assert!(Npz::open("no such file.npz").unwrap_err().to_string().starts_with("no such file.npz: "));
    /// ```
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ReadError> {
        let path = path.as_ref();
        let open = || Self::new(BufReader::new(File::open(path)?));
        let mut npz = open().map_err(|error| error.within(named(path)))?;
        npz.location = Some(named(path));
        Ok(npz)
    }
}

impl<R: Read + Seek> Npz<R> {
    /// Reads the names of the arrays.
    ///
    /// # Errors
    ///
    /// If they cannot be read, or if this is no zip archive.
    ///
    /// ```
    /// use std::io::Cursor;
    /// use tensor_core::io::Npz;
    ///
    /// assert!(Npz::new(Cursor::new(b"no archive")).is_err());
    /// ```
    pub fn new(reader: R) -> Result<Self, ReadError> {
        Ok(Self { archive: open_archive(reader)?, location: None })
    }

    /// The names of the arrays, in the order of the file.
    ///
    /// ```
    /// use std::io::Cursor;
    /// use tensor_core::io::{Npz, NpzWriter};
    /// use tensor_core::tensor;
    ///
    /// let mut file = NpzWriter::new(Cursor::new(Vec::new()));
    /// file.add("x", &tensor![1, 2].into())?;
    /// let npz = Npz::new(file.finish()?)?;
    /// assert_eq!(npz.names(), ["x"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn names(&self) -> Vec<String> {
        let names = self.archive.file_names().flatten();
        names.map(|name| name.strip_suffix(".npy").unwrap_or(&name).to_owned()).collect()
    }

    /// The array with this name: `[..s]`.
    ///
    /// # Errors
    ///
    /// If there is none, and as [`DynTensor::load_npy`].
    ///
    /// ```
    /// use std::io::Cursor;
    /// use tensor_core::io::{Npz, NpzWriter};
    /// use tensor_core::tensor;
    ///
    /// let mut file = NpzWriter::new(Cursor::new(Vec::new()));
    /// file.add("x", &tensor![1, 2].into())?;
    /// assert_eq!(Npz::new(file.finish()?)?.dyn_tensor::<i32>("x")?.to_vec(), [1, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn dyn_tensor<T: FileElement>(&mut self, name: &str) -> Result<DynTensor<T>, ReadError> {
        self.entry(name, |reader| DynTensor::read_npy(reader))
    }

    /// The array with this name, if it has this shape: `[..s]`. Named axes take their size from the
    /// file.
    ///
    /// # Errors
    ///
    /// If there is none, and as [`Tensor::load_npy`].
    ///
    /// ```
    /// use std::io::Cursor;
    /// use tensor_core::io::{Npz, NpzWriter};
    /// use tensor_core::{Tensor, shape, tensor};
    ///
    /// let mut file = NpzWriter::new(Cursor::new(Vec::new()));
    /// file.add("x", &tensor![1, 2].into())?;
    /// let mut npz = Npz::new(file.finish()?)?;
    /// let error = npz.tensor::<shape![3], i32>("x").unwrap_err();
    /// assert_eq!(error.to_string(), "x: axis 0 has size 3 in the type, 2 in the data");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tensor<S: Shape, T: FileElement>(
        &mut self,
        name: &str,
    ) -> Result<Tensor<S, T>, ReadError> {
        self.entry(name, |reader| Tensor::read_npy(reader))
    }

    fn entry<X>(
        &mut self,
        name: &str,
        read: impl FnOnce(&mut dyn Read) -> Result<X, ReadError>,
    ) -> Result<X, ReadError> {
        let file = format!("{name}.npy");
        let index =
            self.archive.index_for_name(&file).or_else(|| self.archive.index_for_name(name));
        let result = match index {
            Some(index) => match self.archive.by_index(index) {
                Ok(mut entry) => read(&mut entry)
                    .and_then(|value| ended(&mut entry).map(|()| value).map_err(ReadError::from))
                    .map_err(|error| error.within(name)),
                Err(error) => Err(archive_error(error).within(name).into()),
            },
            None => Err(Problem::Missing { name: name.to_owned(), names: self.names() }.into()),
        };
        result.map_err(|error| match &self.location {
            Some(location) => error.within(location),
            None => error,
        })
    }
}

impl<R: Read + Seek> fmt::Debug for Npz<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Npz").field(&self.names()).finish()
    }
}

/// Writes a `.npz` file, array by array: [`Npz`] has an example.
pub struct NpzWriter<W: Write + Seek> {
    archive: ZipWriter<W>,
    compression: CompressionMethod,
    names: HashSet<String>,
    /// The action of the writer after the last byte.
    end: fn(&mut W) -> io::Result<()>,
}

impl NpzWriter<NewFile> {
    /// Creates a file, or replaces it in [`finish`](Self::finish): until then the old one is kept. Without
    /// `finish`, nothing is written.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    ///
    /// ```
    /// use tensor_core::io::NpzWriter;
    ///
    /// assert!(NpzWriter::create("no such folder/x.npz").is_err());
    /// ```
    pub fn create(path: impl AsRef<Path>) -> io::Result<Self> {
        Ok(Self { end: NewFile::commit, ..Self::new(NewFile::seekable(path.as_ref())?) })
    }
}

impl<W: Write + Seek> NpzWriter<W> {
    /// A file without arrays. Arrays are stored uncompressed, as by `numpy.savez`.
    ///
    /// ```
    /// use std::io::Cursor;
    /// use tensor_core::io::NpzWriter;
    ///
    /// assert!(NpzWriter::new(Cursor::new(Vec::new())).finish().is_ok());
    /// ```
    pub fn new(writer: W) -> Self {
        Self {
            archive: ZipWriter::new(writer),
            compression: CompressionMethod::Stored,
            names: HashSet::new(),
            end: W::flush,
        }
    }

    /// Compresses the following arrays, as `numpy.savez_compressed`.
    ///
    /// ```
    /// use std::io::Cursor;
    /// use tensor_core::DynTensor;
    /// use tensor_core::io::NpzWriter;
    ///
    /// let mut file = NpzWriter::new(Cursor::new(Vec::new())).compressed();
    /// file.add("zeros", &DynTensor::full(&[1000], 0.0_f32))?;
    /// assert!(file.finish()?.into_inner().len() < 500);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn compressed(mut self) -> Self {
        self.compression = CompressionMethod::Deflated;
        self
    }

    /// Adds an array: `[..s]`. An array that is refused leaves no entry, and its name stays free.
    ///
    /// # Errors
    ///
    /// If it cannot be written, if there is one of this name already, or if NumPy has no such element type
    /// (`bf16`).
    ///
    /// ```
    /// use std::io::Cursor;
    /// use tensor_core::io::NpzWriter;
    /// use tensor_core::tensor;
    ///
    /// let mut file = NpzWriter::new(Cursor::new(Vec::new()));
    /// file.add("x", &tensor![1, 2].into())?;
    /// let error = file.add("x", &tensor![3].into()).unwrap_err();
    /// assert_eq!(error.to_string(), "two arrays have the name `x`");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn add<T: FileElement>(&mut self, name: &str, array: &DynTensor<T>) -> io::Result<()> {
        if self.names.contains(name) {
            let message = format!("two arrays have the name `{name}`");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        let options = SimpleFileOptions::default()
            .compression_method(self.compression)
            // Sizes are written after the array, where they may take eight bytes.
            .large_file(array.len().saturating_mul(size_of::<T>()) >= 1 << 31);
        // An element type that NumPy lacks starts no entry.
        npy::descr(T::NAME)?;
        self.archive.start_file(format!("{name}.npy"), options)?;
        if let Err(error) = array.write_npy(&mut self.archive) {
            // The first error is more useful than one of aborting the entry.
            let _ = self.archive.abort_file();
            return Err(error);
        }
        self.names.insert(name.to_owned());
        Ok(())
    }

    /// Writes the table of contents, without which the file cannot be read, and returns the writer.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    ///
    /// ```
    /// use std::io::Cursor;
    /// use tensor_core::io::NpzWriter;
    ///
    /// let bytes = NpzWriter::new(Cursor::new(Vec::new())).finish()?.into_inner();
    /// assert!(bytes.starts_with(b"PK"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn finish(self) -> io::Result<W> {
        let mut writer = self.archive.finish()?;
        (self.end)(&mut writer)?;
        Ok(writer)
    }
}

impl<W: Write + Seek> fmt::Debug for NpzWriter<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NpzWriter").field("compression", &self.compression).finish_non_exhaustive()
    }
}
