//! Files: the model that is read, and those that are written.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::{Conversion, Error, Options, convert};

/// The largest model that is read: Protocol Buffers are at most 2 GiB, and larger weights are in other files.
const LARGEST: u64 = 1 << 31;

/// [`convert`] for a file. Data in other files are read from its folder.
///
/// # Errors
///
/// The file cannot be read, is damaged, or has nodes that cannot be written in Rust.
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
        refused @ Error::Refused(_) => refused,
    })
}

impl Conversion {
    /// Writes the Rust file, formatted where `rustfmt` is installed, and the weights, if there are any. Each file appears,
    /// or replaces another, once it is complete.
    ///
    /// # Errors
    ///
    /// A file cannot be written.
    pub fn write(&self, source: &Path, weights: &Path) -> io::Result<()> {
        if self.has_weights() {
            replace(weights, &self.weights().map_err(io::Error::other)?)?;
        }
        replace(source, formatted(self.source()).as_bytes())
    }
}

/// Writes a file under another name, and renames it.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let named =
        |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    let name = path.file_name().ok_or_else(|| named(io::ErrorKind::InvalidInput.into()))?;
    let temporary =
        path.with_file_name(format!(".{}.{}", name.to_string_lossy(), std::process::id()));
    let written = fs::write(&temporary, bytes).and_then(|()| fs::rename(&temporary, path));
    written.map_err(|error| {
        // It may not exist.
        let _ = fs::remove_file(&temporary);
        named(error)
    })
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
