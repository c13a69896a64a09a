//! Files of other formats that are opened by mistake: what they are, and what to do.

use std::fs;
use std::path::Path;

/// Whether a file whose first bytes are these is an ONNX model: the number of the format, and the field of the name of the
/// program that wrote it, of the graph, or of the operators.
pub fn is_onnx(start: &[u8]) -> bool {
    matches!(start, [8, 2..=31, 0x12, _, b' '..=b'~', ..] | [8, 2..=31, 0x3a | 0x42, ..])
        && !is_header(start)
}

/// Whether a file begins as a .safetensors file: the length of its header has zeros in its upper half, and `{` follows.
fn is_header(start: &[u8]) -> bool {
    start.get(4..9) == Some(b"\0\0\0\0{")
}

/// Whether a file whose first 32 bytes are these is one of PyTorch before version 1.6.
pub(crate) fn is_legacy(start: &[u8]) -> bool {
    /// How the first pickle goes on after its protocol and frame: an integer of ten bytes.
    const MAGIC: [u8; 13] = *b"\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.";
    match start {
        // From protocol 4 on, a pickle is in a frame, whose length has eight bytes.
        [0x80, 4..=u8::MAX, 0x95, rest @ ..] => {
            rest.get(8..).is_some_and(|rest| rest.starts_with(&MAGIC))
        }
        [0x80, _, rest @ ..] => rest.starts_with(&MAGIC),
        _ => false,
    }
}

/// What a file is and how its tensors are read, if its first 32 bytes are those of a format that is not read.
pub(crate) fn described(start: &[u8]) -> Option<&'static str> {
    let text = start.trim_ascii_start();
    let is_text = !start.contains(&0);
    let is_header = is_header(start);
    Some(match start {
        [] => "the file is empty: download it or save it again",
        [b'v', b'e', b'r', b's', b'i', b'o', b'n', b' ', ..] => {
            "a pointer of Git LFS instead of the file: `git lfs pull` downloads the file"
        }
        _ if text.starts_with(b"<") && is_text => {
            "a page of HTML or XML instead of the file: download the address of the file itself, which \
             on Hugging Face has `/resolve/` instead of `/blob/`"
        }
        [b'G', b'G', b'U', b'F', ..] => {
            "a GGUF file of llama.cpp, which is not read: download the .safetensors files of the model"
        }
        [0x89, b'H', b'D', b'F', ..] => {
            "an HDF5 file, as Keras writes, which is not read: save its arrays as .npz or .safetensors"
        }
        [_, _, _, _, b'T', b'F', b'L', b'3', ..] => {
            "a TensorFlow Lite model, which is not read: save the weights of the model that it was made of, with \
             `numpy.savez` or `safetensors.numpy.save_file`"
        }
        _ if is_onnx(start) => ONNX,
        // The number of the format, and the field of the graphs; or the first node of a graph: its name and its operation.
        [8, 1, 0x12, ..]
        | [0x0a, _, 0x0a, _, b' '..=b'~', ..]
        | [0x0a, _, _, 0x0a, _, b' '..=b'~', ..]
            if !is_header =>
        {
            "a graph of TensorFlow, as a SavedModel has in `saved_model.pb`, which is not read: save its variables with \
             `numpy.savez` or `safetensors.numpy.save_file`"
        }
        [0x80, 2..=5, ..] if !is_header => {
            "a pickle of Python that `torch.save` did not write, which is not read: save its arrays with `torch.save`, \
             `numpy.savez` or `safetensors.numpy.save_file`"
        }
        _ => return None,
    })
}

const ONNX: &str = "an ONNX model, which is not read: save its initializers and the values of its `Constant` nodes as \
                    .safetensors, with `onnx.numpy_helper.to_array` and `safetensors.numpy.save_file`";

/// What a folder is that has none of the files with these names.
pub(crate) fn without_weights(folder: &Path, names: &[&str]) -> String {
    if folder.join("saved_model.pb").is_file() {
        return "a SavedModel of TensorFlow, which is not read: save its variables with `numpy.savez` or \
                `safetensors.numpy.save_file`"
            .to_owned();
    }
    let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let is_read = |path: &Path| {
        let end = path.extension().and_then(|end| end.to_str());
        end.is_some_and(|end| ["safetensors", "pt", "pth", "bin", "npz"].contains(&end))
    };
    let file = files.filter(|path| is_read(path)).min();
    let there = file.as_deref().and_then(Path::file_name).map_or(String::new(), |name| {
        format!("; it has `{}`: open it by its path", name.display())
    });
    format!("a folder without weights; looked for {}{there}", names.join(", "))
}
