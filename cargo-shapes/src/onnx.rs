//! `cargo shapes onnx MODEL.onnx`: the model in Rust, and its weights.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use tensor_files::escaped;
use tensor_onnx::{Options, convert_file};

/// How the command is used.
pub const USAGE: &str = "`cargo shapes onnx` takes a model, and `--constant NAME=VALUE`, `--size NAME=NUMBER`, `--out FOLDER`, `--force`";

/// The arguments of the command.
#[derive(Debug, Default)]
pub struct Arguments {
    model: PathBuf,
    out: PathBuf,
    is_forced: bool,
    options: Options,
}

impl Arguments {
    /// Reads the arguments.
    ///
    /// # Errors
    ///
    /// They are not those of the command.
    pub fn read(arguments: &[OsString]) -> Result<Self, String> {
        let mut read = Self::default();
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let text = argument.to_string_lossy();
            let mut value = || rest.next().ok_or_else(|| USAGE.to_owned());
            match &*text {
                "--force" => read.is_forced = true,
                "--out" => read.out = value()?.into(),
                "--constant" => {
                    let text = value()?.to_string_lossy();
                    let (name, numbers) = text.split_once('=').ok_or(USAGE)?;
                    let numbers = numbers.split(',').map(str::trim);
                    // `NAME=` has no elements.
                    let is_empty = numbers.clone().all(str::is_empty);
                    let numbers = numbers.filter(|_| !is_empty);
                    read.options = read.options.constant(name, numbers);
                }
                "--size" => {
                    let text = value()?.to_string_lossy();
                    let (name, size) = text.split_once('=').ok_or(USAGE)?;
                    let size = size
                        .parse()
                        .map_err(|_| format!("{size:?} is no size: `--size {name}=1`"))?;
                    read.options = read.options.size(name, size);
                }
                option if option.starts_with('-') => return Err(USAGE.to_owned()),
                _ if read.model.as_os_str().is_empty() => read.model = argument.into(),
                _ => return Err(USAGE.to_owned()),
            }
        }
        if read.model.as_os_str().is_empty() { Err(USAGE.to_owned()) } else { Ok(read) }
    }
}

/// Writes `NAME.rs` and `NAME.safetensors` for `NAME.onnx`, and returns what was done.
///
/// # Errors
///
/// The model cannot be converted, or a file exists or cannot be written. Then nothing is written.
pub fn write(arguments: &Arguments) -> Result<String, String> {
    let Arguments { model, out, is_forced, options } = arguments;
    let conversion =
        convert_file(model, options).map_err(|error| escaped_lines(&error.to_string()))?;
    let stem = model.file_stem().unwrap_or_default().to_string_lossy();
    let name: String = stem
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' })
        .collect();
    let file = |end: &str| Path::new(out).join(format!("{name}.{end}"));
    let (source, weights) = (file("rs"), file("safetensors"));
    let mut written = vec![&source];
    written.extend(conversion.has_weights().then_some(&weights));
    if let Some(path) = written.iter().find(|path| !is_forced && path.exists()) {
        return Err(escaped(&format!("{} exists: `--force` replaces it", path.display())));
    }
    conversion.write(&source, &weights).map_err(|error| escaped(&error.to_string()))?;
    let names: Vec<String> = written.iter().map(|path| path.display().to_string()).collect();
    Ok(escaped(&format!("wrote {}", names.join(" and "))) + "\n")
}

/// The text with control characters escaped, except for line breaks.
fn escaped_lines(text: &str) -> String {
    text.lines().map(escaped).collect::<Vec<_>>().join("\n")
}
