//! Atomic writing of files: to a temporary file, which replaces the old one once it is complete.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, BufWriter, Cursor, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use super::named;

/// A file that is being written: what `NpzWriter::create` writes to.
///
/// The bytes go to a temporary file in the same folder. Once they are complete, and on the disk, it replaces
/// the file at the path: readers of that path see the old file or the new one, and a full disk loses
/// nothing. Until then, dropping this deletes the temporary file.
///
/// - A new file has mode 0666 less the umask, as [`File::create`] has it; one that replaces another has the
///   mode of that one. The owner is the user of the process, and other hard links lead to the old file.
/// - A symbolic link is followed: its target is replaced.
/// - A device or a pipe is not replaced but written directly.
///
/// Errors name the path.
#[derive(Debug)]
pub struct NewFile {
    path: PathBuf,
    file: BufWriter<File>,
    target: Target,
}

#[derive(Debug)]
enum Target {
    /// A regular file, or a path without a file so far.
    Regular(Replacement),
    /// A device or a pipe.
    Stream,
    /// A device or a pipe for a format whose writer seeks: the bytes are collected until they are complete.
    Collected(Cursor<Vec<u8>>),
    Done,
}

/// The path of a temporary file, and its final path. Dropping it deletes the temporary file.
#[derive(Debug)]
struct Replacement {
    temporary: PathBuf,
    target: PathBuf,
}

impl Drop for Replacement {
    fn drop(&mut self) {
        // It does not exist any more if it was renamed.
        let _ = fs::remove_file(&self.temporary);
    }
}

/// Writes a file with these bytes, from front to back.
pub fn save(path: &Path, write: impl FnOnce(&mut NewFile) -> io::Result<()>) -> io::Result<()> {
    let mut file = NewFile::create(path)?;
    write(&mut file)?;
    file.commit()
}

/// The error of a file, of the same kind, with its path.
fn at(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", named(path)))
}

impl NewFile {
    fn create(path: &Path) -> io::Result<Self> {
        let (file, target) = opened(path).map_err(|error| at(path, &error))?;
        Ok(Self { path: path.to_owned(), file: BufWriter::new(file), target })
    }

    /// A file for a format whose writer seeks.
    #[doc(hidden)]
    pub fn seekable(path: &Path) -> io::Result<Self> {
        let mut file = Self::create(path)?;
        if matches!(file.target, Target::Stream) {
            file.target = Target::Collected(Cursor::default());
        }
        Ok(file)
    }

    /// Moves the file to its final path.
    #[doc(hidden)]
    pub fn commit(&mut self) -> io::Result<()> {
        self.complete().map_err(|error| at(&self.path, &error))
    }

    fn complete(&mut self) -> io::Result<()> {
        match core::mem::replace(&mut self.target, Target::Done) {
            Target::Regular(replacement) => {
                self.file.flush()?;
                self.file.get_ref().sync_all()?;
                fs::rename(&replacement.temporary, &replacement.target)?;
                // The new name is synced to the disk as well, where folders can be opened.
                if let Some(Ok(folder)) = replacement.target.parent().map(File::open) {
                    let _ = folder.sync_all();
                }
                Ok(())
            }
            Target::Collected(bytes) => {
                self.file.write_all(bytes.get_ref())?;
                self.file.flush()
            }
            Target::Stream | Target::Done => self.file.flush(),
        }
    }
}

/// Opens the file that is written: the one at the path, if it is a device or a pipe.
fn opened(path: &Path) -> io::Result<(File, Target)> {
    // Opened as for overwriting: so a write-protected file is refused.
    match OpenOptions::new().write(true).open(path) {
        Ok(old) => {
            let metadata = old.metadata()?;
            if metadata.is_file() {
                beside(fs::canonicalize(path)?, Some(metadata.permissions()))
            } else {
                Ok((old, Target::Stream))
            }
        }
        Err(error) if error.kind() == ErrorKind::NotFound => beside(end_of(path)?, None),
        Err(error) => Err(error),
    }
}

/// A temporary file in the folder of the target.
fn beside(target: PathBuf, permissions: Option<Permissions>) -> io::Result<(File, Target)> {
    /// The number of files that this process has written.
    static COUNT: AtomicU64 = AtomicU64::new(0);
    loop {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!(".tensor-core-{}-{count}.tmp", std::process::id());
        let temporary = target.with_file_name(name);
        let file = match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
            Err(error) => return Err(error),
        };
        let replacement = Replacement { temporary, target };
        if let Some(permissions) = permissions {
            file.set_permissions(permissions)?;
        }
        return Ok((file, Target::Regular(replacement)));
    }
}

/// The target of a path without a file: follows symbolic links, to the missing file they point to.
fn end_of(path: &Path) -> io::Result<PathBuf> {
    /// The maximum number of links that are followed: that of Linux.
    const LINKS: usize = 40;
    let mut end = path.to_owned();
    for _ in 0..LINKS {
        match fs::read_link(&end) {
            // If `next` is an absolute path, `join` returns it.
            Ok(next) => end = end.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(end),
        }
    }
    Err(io::Error::other(format!("{} leads through more than {LINKS} links", path.display())))
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match &mut self.target {
            Target::Collected(collected) => collected.write(bytes),
            _ => self.file.write(bytes),
        };
        written.map_err(|error| at(&self.path, &error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush().map_err(|error| at(&self.path, &error))
    }
}

impl Seek for NewFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match &mut self.target {
            Target::Collected(collected) => collected.seek(to),
            _ => self.file.seek(to).map_err(|error| at(&self.path, &error)),
        }
    }
}
