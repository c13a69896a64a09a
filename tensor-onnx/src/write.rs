//! Files: the model that is read, and those that are written.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::{Conversion, Error, Options, convert};

/// The largest model that is read: Protocol Buffers are at most 2 GiB, and larger weights are in other files.
const LARGEST: u64 = 1 << 31;

/// [`convert`] for a file. Data in other files are read from its folder.
///
/// # Errors
///
/// The file cannot be read, is damaged, has nodes that cannot be written in Rust, or lacks what the options name.
///
/// ```no_run
/// # // build.rs
/// use tensor_onnx::{Options, convert_file};
///
/// let model = convert_file("model.onnx".as_ref(), &Options::default().size("batch", 1))?;
/// model.write("src/model.rs".as_ref(), "model.safetensors".as_ref())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn convert_file(path: &Path, options: &Options) -> Result<Conversion, Error> {
    let failed =
        |problem: &dyn std::fmt::Display| Error::Damaged(format!("{}: {problem}", path.display()));
    let len = fs::metadata(path).map_err(|error| failed(&error))?.len();
    if len > LARGEST {
        return Err(failed(&format!(
            "{len} bytes, more than the 2 GiB that an ONNX model may have"
        )));
    }
    let bytes = fs::read(path).map_err(|error| failed(&error))?;
    let folder = match path.parent() {
        Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
        Some(folder) => folder,
        None => Path::new("."),
    };
    let mut options = options.clone();
    if options.name.is_empty() {
        options.name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    }
    convert(&bytes, Some(folder), &options).map_err(|error| match error {
        Error::Damaged(problem) => failed(&problem),
        Error::Options(problem) => Error::Options(format!("{}: {problem}", path.display())),
        refused @ Error::Refused(_) => refused,
    })
}

impl Conversion {
    /// Writes the Rust file, formatted where `rustfmt` is installed, and the weights, if there are any. They appear, or
    /// replace others, once both are complete.
    ///
    /// # Errors
    ///
    /// A file cannot be written.
    pub fn write(&self, source: &Path, weights: &Path) -> io::Result<()> {
        let mut files = Vec::new();
        if self.has_weights() {
            files.push(Staged::new(weights, &self.weights().map_err(io::Error::other)?)?);
        }
        files.push(Staged::new(source, formatted(self.source()).as_bytes())?);
        files.iter().try_for_each(Staged::rename)
    }
}

/// A file that is complete, under another name in the same folder. Dropping it deletes the file.
struct Staged<'a> {
    path: &'a Path,
    temporary: PathBuf,
}

impl<'a> Staged<'a> {
    fn new(path: &'a Path, bytes: &[u8]) -> io::Result<Self> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let temporary = path.with_file_name(format!(".{name}.{}", std::process::id()));
        let staged = Self { path, temporary };
        fs::write(&staged.temporary, bytes).map_err(|error| staged.named(&error))?;
        Ok(staged)
    }

    fn rename(&self) -> io::Result<()> {
        fs::rename(&self.temporary, self.path).map_err(|error| self.named(&error))
    }

    /// The error with the path.
    fn named(&self, error: &io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("{}: {error}", self.path.display()))
    }
}

impl Drop for Staged<'_> {
    fn drop(&mut self) {
        // It does not exist any more if it was renamed.
        let _ = fs::remove_file(&self.temporary);
    }
}

/// The source as `rustfmt` formats it; as it is where there is none.
pub fn formatted(source: &str) -> String {
    let format = || -> io::Result<String> {
        let mut rustfmt = Command::new("rustfmt")
            .args(["--edition", "2024"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let mut stdin = rustfmt.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let bytes = source.as_bytes().to_vec();
        // It may write before it has read all.
        let writer = std::thread::spawn(move || stdin.write_all(&bytes));
        let output = rustfmt.wait_with_output()?;
        writer.join().map_err(|_| io::ErrorKind::BrokenPipe)??;
        let text = String::from_utf8(output.stdout).map_err(io::Error::other)?;
        if output.status.success() && !text.is_empty() {
            Ok(text)
        } else {
            Err(io::ErrorKind::InvalidData.into())
        }
    };
    format().unwrap_or_else(|_| source.to_owned())
}
