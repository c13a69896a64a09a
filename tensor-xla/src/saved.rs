//! Compiled programs in files.
//!
//! A file begins with a line that names the format and a line of JSON: the plugin, the names of inputs and outputs, how
//! many bytes follow and their checksum. Then come the text of the program and the code of the plugin. Plugins crash on
//! code that is damaged or from another version, so all of it is checked before the plugin sees the code.

use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};
use tensor_array::io::new_file;

use crate::error::Error;
use crate::signature::Signature;

/// The first line of a file.
const FORMAT: &str = "tensor-xla executable, format 2";

/// Writes a file, which replaces another one once it is complete.
pub(crate) fn save(
    path: &Path,
    identity: &str,
    text: &str,
    signature: &Signature,
    code: &[u8],
) -> Result<(), Error> {
    let content = [text.as_bytes(), code].concat();
    let header = json!({
        "plugin": identity,
        "inputs": signature.inputs().iter().map(|input| input.name()).collect::<Vec<_>>(),
        "outputs": signature.outputs().iter().map(|output| output.name()).collect::<Vec<_>>(),
        "text_bytes": text.len(),
        "code_bytes": code.len(),
        "crc32": crc32fast::hash(&content),
    });
    let written = new_file::save(path, |file| {
        write!(file, "{FORMAT}\n{header}\n")?;
        file.write_all(&content)
    });
    written.map_err(|error| Error::Saved { path: path.to_owned(), reason: error.to_string() })
}

/// The contents of a file.
#[derive(Debug)]
pub(crate) struct Contents<'a> {
    pub(crate) plugin: String,
    pub(crate) text: &'a str,
    pub(crate) signature: Signature,
    pub(crate) code: &'a [u8],
}

/// Reads a file, or states what is wrong with it.
pub(crate) fn contents(bytes: &[u8]) -> Result<Contents<'_>, String> {
    let line = |bytes: &[u8]| bytes.iter().position(|&byte| byte == b'\n');
    let first = line(bytes).filter(|&end| bytes[..end] == *FORMAT.as_bytes());
    let Some(first) = first else {
        return Err(format!("it is not an executable: its first line is not `{FORMAT}`"));
    };
    let rest = &bytes[first + 1..];
    let header = line(rest).ok_or("it ends within its header")?;
    let content = &rest[header + 1..];
    let header: Value =
        serde_json::from_slice(&rest[..header]).map_err(|error| error.to_string())?;
    let number = |name: &str| header[name].as_u64().ok_or(format!("its header lacks `{name}`"));
    let (text_bytes, code_bytes) = (number("text_bytes")?, number("code_bytes")?);
    if text_bytes.checked_add(code_bytes) != Some(content.len() as u64) {
        return Err(format!(
            "it should have {text_bytes} + {code_bytes} bytes after its header, and has {}",
            content.len()
        ));
    }
    if number("crc32")? != u64::from(crc32fast::hash(content)) {
        return Err("it is damaged: its checksum is wrong".to_owned());
    }
    let (text, code) = content.split_at(text_bytes as usize);
    let text = core::str::from_utf8(text).map_err(|error| error.to_string())?;
    let plugin = header["plugin"].as_str().ok_or("its header lacks `plugin`")?.to_owned();
    let names = |name: &str| -> Option<Vec<&str>> {
        header[name].as_array()?.iter().map(Value::as_str).collect()
    };
    let (Some(inputs), Some(outputs)) = (names("inputs"), names("outputs")) else {
        return Err("its header lacks the names of inputs and outputs".to_owned());
    };
    let signature = Signature::of_text(text).map_err(|error| error.to_string())?;
    let signature = signature.with_names(&inputs, &outputs).map_err(|error| error.to_string())?;
    Ok(Contents { plugin, text, signature, code })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const TEXT: &str =
        "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }";

    fn file() -> Vec<u8> {
        let path = std::env::temp_dir().join(format!("tensor-xla-saved-{}", std::process::id()));
        let signature = Signature::of_text(TEXT).unwrap().with_names(&["pair"], &["same"]).unwrap();
        save(&path, "a plugin", TEXT, &signature, b"code").unwrap();
        let bytes = fs::read(&path).unwrap();
        fs::remove_file(path).unwrap();
        bytes
    }

    #[test]
    fn what_is_saved_is_read() {
        let bytes = file();
        let contents = contents(&bytes).unwrap();
        assert_eq!(
            (contents.plugin.as_str(), contents.text, contents.code),
            ("a plugin", TEXT, &b"code"[..])
        );
        assert_eq!(contents.signature.to_string(), "(pair: f32 [2]) -> (same: f32 [2])");
    }

    /// A link at the name of a file that is being written would lead the bytes to another file.
    #[cfg(unix)]
    #[test]
    fn no_link_is_followed_while_a_file_is_written() {
        let id = std::process::id();
        let folder = std::env::temp_dir().join(format!("tensor-xla-links-{id}"));
        fs::create_dir_all(&folder).unwrap();
        let (victim, path) = (folder.join("victim"), folder.join("step.xla"));
        fs::write(&victim, "kept").unwrap();
        let names = (0..8).map(|count| format!(".tensor-core-{id}-{count}.tmp"));
        for name in names.chain([format!("step.xla.{id}.new")]) {
            std::os::unix::fs::symlink(&victim, folder.join(name)).unwrap();
        }
        save(&path, "a plugin", TEXT, &Signature::of_text(TEXT).unwrap(), b"code").unwrap();
        assert_eq!(contents(&fs::read(&path).unwrap()).unwrap().code, b"code");
        assert_eq!(fs::read(&victim).unwrap(), b"kept");
        fs::remove_dir_all(folder).unwrap();
    }

    /// Whatever byte is cut off or changed, the plugin does not see the code.
    #[test]
    fn damaged_files_are_refused() {
        let bytes = file();
        let end_of_header = bytes.len() - TEXT.len() - 4;
        for length in 0..bytes.len() {
            contents(&bytes[..length]).expect_err("a file that was cut off");
        }
        for index in end_of_header..bytes.len() {
            let mut changed = bytes.clone();
            changed[index] ^= 1;
            let error = contents(&changed).expect_err("a file that was changed");
            assert_eq!(error, "it is damaged: its checksum is wrong");
        }
        let error = contents(b"{}\n").expect_err("another file");
        assert_eq!(
            error,
            "it is not an executable: its first line is not `tensor-xla executable, format 2`"
        );
    }
}
