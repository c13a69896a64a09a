//! Files of other formats that are opened by mistake: what they are, and what to do.

/// What a file is and how its tensors are read, if its first 16 bytes are those of a format that is not read.
pub(super) fn described(start: &[u8]) -> Option<&'static str> {
    let text = start.trim_ascii_start();
    // The length of a header, with which a .safetensors file begins, has a zero in its upper half.
    let is_text = !start.contains(&0);
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
        // The number of the format, and the field of the name of the program that wrote it.
        [8, 1..=31, 0x12, _, b' '..=b'~', ..] => {
            "an ONNX model, which is not read: save its initializers as .safetensors, with \
             `onnx.numpy_helper.to_array` and `safetensors.numpy.save_file`"
        }
        _ => return None,
    })
}
