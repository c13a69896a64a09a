//! The weights of an ONNX file, as a checkpoint.
//!
//! An ONNX file is a message of protobuf: fields with a number, each an integer or bytes, and bytes may be a message
//! again. The numbers are those of `onnx.proto`.

use serde_json::{Map, Value, json};
use tensor_core::io::Checkpoint;

const MODEL_GRAPH: u64 = 7;
const GRAPH_INITIALIZER: u64 = 5;
const TENSOR_DIMS: u64 = 1;
const TENSOR_DATA_TYPE: u64 = 2;
const TENSOR_NAME: u64 = 8;
const TENSOR_RAW_DATA: u64 = 9;
/// The type of `f32`.
const FLOAT: u64 = 1;

/// The `f32` tensors among the initializers of an ONNX file.
///
/// # Errors
///
/// If the bytes are no ONNX file, or if the data of a tensor has another length than its shape.
pub fn checkpoint(bytes: &[u8]) -> Result<Checkpoint, String> {
    // The two parts of a file of safetensors.
    let (mut header, mut data) = (Map::new(), Vec::new());
    for (_, graph) in fields(bytes)?.into_iter().filter(|&(number, _)| number == MODEL_GRAPH) {
        for (number, tensor) in fields(graph.bytes())? {
            if number == GRAPH_INITIALIZER {
                add(&fields(tensor.bytes())?, &mut header, &mut data);
            }
        }
    }
    let header = Value::Object(header).to_string();
    let file = [&(header.len() as u64).to_le_bytes(), header.as_bytes(), &data].concat();
    Checkpoint::from_bytes(file).map_err(|error| error.to_string())
}

/// Adds a tensor, if its elements are `f32`.
fn add(tensor: &[(u64, Field)], header: &mut Map<String, Value>, data: &mut Vec<u8>) {
    let field = |wanted| tensor.iter().filter(move |&&(number, _)| number == wanted);
    if field(TENSOR_DATA_TYPE).all(|(_, kind)| kind.integer() != FLOAT) {
        return;
    }
    let name: Vec<u8> = field(TENSOR_NAME).flat_map(|(_, name)| name.bytes()).copied().collect();
    let shape: Vec<u64> = field(TENSOR_DIMS).map(|(_, size)| size.integer()).collect();
    let start = data.len();
    data.extend(field(TENSOR_RAW_DATA).flat_map(|(_, raw)| raw.bytes()));
    let entry = json!({ "dtype": "F32", "shape": shape, "data_offsets": [start, data.len()] });
    header.insert(String::from_utf8_lossy(&name).into_owned(), entry);
}

/// The value of a field.
#[derive(Clone, Copy)]
enum Field<'a> {
    Integer(u64),
    Bytes(&'a [u8]),
}

impl<'a> Field<'a> {
    /// The integer; 0 if the field has bytes.
    fn integer(self) -> u64 {
        match self {
            Field::Integer(value) => value,
            Field::Bytes(_) => 0,
        }
    }

    /// The bytes; none if the field has an integer.
    fn bytes(self) -> &'a [u8] {
        match self {
            Field::Integer(_) => &[],
            Field::Bytes(bytes) => bytes,
        }
    }
}

/// The fields of a message, with their numbers.
fn fields(mut message: &[u8]) -> Result<Vec<(u64, Field<'_>)>, String> {
    let mut fields = Vec::new();
    while !message.is_empty() {
        let field = field(&mut message).ok_or("expected an ONNX file")?;
        fields.push(field);
    }
    Ok(fields)
}

/// The first field of a message, which it is taken off. `None` if it is none.
fn field<'a>(message: &mut &'a [u8]) -> Option<(u64, Field<'a>)> {
    let tag = integer(message)?;
    let field = match tag & 7 {
        0 => Field::Integer(integer(message)?),
        1 => Field::Bytes(message.split_off(..8)?),
        2 => {
            let len = usize::try_from(integer(message)?).ok()?;
            Field::Bytes(message.split_off(..len)?)
        }
        5 => Field::Bytes(message.split_off(..4)?),
        _ => return None,
    };
    Some((tag >> 3, field))
}

/// An integer of 7 bits in each byte, the lowest first; the highest bit says that more bytes follow.
fn integer(message: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let byte = *message.split_off_first()?;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}
