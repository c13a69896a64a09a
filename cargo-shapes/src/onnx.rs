//! `cargo shapes onnx MODEL.onnx`: the model in Rust, and its weights.

use std::ffi::OsString;
use std::fs;
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
    let name = module_name(&model.file_stem().unwrap_or_default().to_string_lossy());
    let file = |end: &str| Path::new(out).join(format!("{name}.{end}"));
    let (source, weights) = (file("rs"), file("safetensors"));
    let mut written = vec![&source];
    written.extend(conversion.has_weights().then_some(&weights));
    if let Some(path) = written.iter().find(|path| !is_forced && path.exists()) {
        return Err(escaped(&format!("{} exists: `--force` replaces it", path.display())));
    }
    if !out.as_os_str().is_empty() {
        fs::create_dir_all(out).map_err(|error| escaped(&format!("{}: {error}", out.display())))?;
    }
    conversion.write(&source, &weights).map_err(|error| escaped(&error.to_string()))?;
    let names: Vec<String> = written.iter().map(|path| path.display().to_string()).collect();
    Ok(escaped(&format!("wrote {}", names.join(" and "))) + "\n")
}

/// The name of a file that `mod` can name: `1-model` is `model_1_model`, `type` is `model_type`.
fn module_name(stem: &str) -> String {
    let name: String = stem
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' })
        .collect();
    // `syn` has the keywords of earlier editions.
    match syn::parse_str::<syn::Ident>(&name).is_ok() && name != "gen" {
        true => name,
        false => format!("model_{name}"),
    }
}

/// The text with control characters escaped, except for line breaks.
fn escaped_lines(text: &str) -> String {
    text.lines().map(escaped).collect::<Vec<_>>().join("\n")
}

#[test]
fn files_are_in_a_new_folder_under_names_of_modules() {
    let field = |number: u8, bytes: &[u8]| {
        [&[number << 3 | 2, u8::try_from(bytes.len()).unwrap()], bytes].concat()
    };
    // A vector of two floats.
    let axes = field(1, &[1 << 3, 2]);
    let ty = field(2, &field(1, &[&[1 << 3, 1], &field(2, &axes)[..]].concat()));
    let value = |name: &[u8]| [field(1, name), ty.clone()].concat();
    let node = [field(1, b"x"), field(2, b"y"), field(4, b"Relu")].concat();
    let graph = [field(1, &node), field(11, &value(b"x")), field(12, &value(b"y"))].concat();
    let model = [field(7, &graph), field(8, &[2 << 3, 17])].concat();
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("src/models");
    for (name, expected) in [
        ("type", "model_type.rs"),
        ("gen", "model_gen.rs"),
        ("1model", "model_1model.rs"),
        ("Net-2", "net_2.rs"),
    ] {
        let path = folder.path().join(name).with_extension("onnx");
        fs::write(&path, &model).unwrap();
        let arguments = ["--out".into(), out.clone().into_os_string(), path.into_os_string()];
        write(&Arguments::read(&arguments).unwrap()).unwrap();
        assert!(out.join(expected).is_file(), "{name}");
    }
}
