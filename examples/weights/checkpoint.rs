//! A checkpoint of the tensors that a file of another format has.

use serde_json::{Map, Value, json};
use tensor_core::io::Checkpoint;

/// A tensor of a file.
pub struct Stored<'a> {
    /// Its name.
    pub name: String,
    /// Its element type, by the name that safetensors has for it: `F32`.
    pub element: &'static str,
    /// Its sizes.
    pub shape: Vec<u64>,
    /// Its elements in row-major order, each with its lowest byte first.
    pub data: &'a [u8],
}

/// The checkpoint with these tensors, which are copied.
///
/// # Errors
///
/// If two tensors have the same name, or if the data of a tensor has another length than its shape.
pub fn checkpoint(tensors: &[Stored<'_>]) -> Result<Checkpoint, String> {
    // A file of safetensors is a header in JSON with the length of it before, and the data of all tensors after it.
    let (mut header, mut end) = (Map::new(), 0);
    for Stored { name, element, shape, data } in tensors {
        let offsets = [end, end + data.len()];
        end += data.len();
        let entry = json!({ "dtype": element, "shape": shape, "data_offsets": offsets });
        header.insert(name.clone(), entry);
    }
    let header = Value::Object(header).to_string();
    let mut file = Vec::with_capacity(8 + header.len() + end);
    file.extend((header.len() as u64).to_le_bytes());
    file.extend(header.as_bytes());
    tensors.iter().for_each(|tensor| file.extend(tensor.data));
    Checkpoint::from_bytes(file).map_err(|error| error.to_string())
}
