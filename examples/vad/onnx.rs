//! The weights of an ONNX file, as a checkpoint.
//!
//! An ONNX file is a message of protobuf: fields with a number, each an integer or bytes, and bytes may be a message
//! again. The numbers are those of `onnx.proto`.

use tensor_core::io::Checkpoint;

use super::checkpoint::{Stored, checkpoint as checkpoint_of};

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
    let mut tensors = Vec::new();
    for (_, graph) in fields(bytes)?.into_iter().filter(|&(number, _)| number == MODEL_GRAPH) {
        for (number, tensor) in fields(graph.bytes())? {
            if number == GRAPH_INITIALIZER {
                tensors.extend(stored(&fields(tensor.bytes())?));
            }
        }
    }
    checkpoint_of(&tensors)
}

/// The tensor of these fields. `None` if its elements are not `f32`.
fn stored<'a>(tensor: &[(u64, Field<'a>)]) -> Option<Stored<'a>> {
    let field = |wanted| tensor.iter().filter(move |&&(number, _)| number == wanted);
    // Of a field that is there several times, the last one counts.
    let bytes = |wanted| field(wanted).next_back().map_or(&[][..], |(_, value)| value.bytes());
    let is_float = field(TENSOR_DATA_TYPE).any(|(_, kind)| kind.integer() == FLOAT);
    is_float.then(|| Stored {
        name: String::from_utf8_lossy(bytes(TENSOR_NAME)).into_owned(),
        element: "F32",
        shape: field(TENSOR_DIMS).map(|(_, size)| size.integer()).collect(),
        data: bytes(TENSOR_RAW_DATA),
    })
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

/// An integer of 7 bits in each byte, the lowest first; the highest bit means that more bytes
/// follow.
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
