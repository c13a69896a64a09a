//! Random access to the bytes of a file: in memory, mapped, or on the disk.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::Error;

/// The most bytes of a header, a pickle or an index: the limit of the safetensors format.
pub(crate) const LONGEST: u64 = 100_000_000;

/// The bytes of a file.
pub enum FileSource {
    /// Bytes that are in memory, or mapped.
    Memory(Box<dyn AsRef<[u8]> + Send + Sync>),
    /// A file that is read when a tensor is: only its length is known. Every read sets the position first.
    Disk {
        /// The file.
        file: Mutex<File>,
        /// The number of its bytes.
        len: u64,
    },
}

impl FileSource {
    /// Opens a file without reading it. What cannot be read at random, such as a pipe, is read into memory.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        let metadata = file.metadata()?;
        if metadata.is_file() {
            return Ok(Self::Disk { file: Mutex::new(file), len: metadata.len() });
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(Self::Memory(Box::new(bytes)))
    }

    fn len(&self) -> u64 {
        match self {
            Self::Memory(bytes) => (**bytes).as_ref().len() as u64,
            Self::Disk { len, .. } => *len,
        }
    }

    /// Reads bytes from `offset` on; 0 at the end.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = match self {
            Self::Memory(bytes) => (**bytes).as_ref(),
            Self::Disk { file, .. } => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                file.seek(SeekFrom::Start(offset))?;
                return file.read(buffer);
            }
        };
        let start = usize::try_from(offset).map_or(bytes.len(), |offset| offset.min(bytes.len()));
        (&bytes[start..]).read(buffer)
    }
}

/// A reader of a range of a [`FileSource`]. Each clone has a separate position.
#[derive(Clone)]
pub struct Section {
    source: Arc<FileSource>,
    start: u64,
    end: u64,
    position: u64,
}

impl Section {
    /// All of a source.
    pub fn all(source: FileSource) -> Self {
        let end = source.len();
        Self { source: Arc::new(source), start: 0, end, position: 0 }
    }

    /// `len` bytes from `start` on, `None` if this section has fewer.
    pub fn part(&self, start: u64, len: u64) -> Option<Self> {
        let start = self.start.checked_add(start)?;
        let end = start.checked_add(len).filter(|&end| end <= self.end)?;
        Some(Self { source: Arc::clone(&self.source), start, end, position: start })
    }

    /// The number of bytes.
    #[expect(clippy::len_without_is_empty, reason = "a range of a file, which is no container")]
    pub fn len(&self) -> u64 {
        self.end - self.start
    }

    /// Up to 32 bytes of the start, from which a format is recognised.
    pub fn first_bytes(&self) -> io::Result<Vec<u8>> {
        let mut start = Vec::new();
        self.clone().take(32).read_to_end(&mut start)?;
        Ok(start)
    }

    /// All bytes of what is held in memory: a pickle, an index.
    pub(crate) fn read_all(mut self, what: &str) -> Result<Vec<u8>, Error> {
        let len = self.len();
        if len > LONGEST {
            let message = format!("{what} of {len} bytes, and at most {LONGEST} are read");
            return Err(Error::format(message));
        }
        let mut bytes = Vec::new();
        self.read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

impl Read for Section {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end.saturating_sub(self.position)).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(left);
        if wanted == 0 {
            return Ok(0);
        }
        let count = self.source.read_at(self.position, &mut buffer[..wanted])?;
        self.position += count as u64;
        Ok(count)
    }
}

impl Seek for Section {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = match to {
            SeekFrom::Start(offset) => self.start.checked_add(offset),
            SeekFrom::End(offset) => self.end.checked_add_signed(offset),
            SeekFrom::Current(offset) => self.position.checked_add_signed(offset),
        };
        self.position = position.filter(|&position| position >= self.start).ok_or_else(|| {
            io::Error::new(io::ErrorKind::InvalidInput, "a position before the start")
        })?;
        Ok(self.position - self.start)
    }
}
