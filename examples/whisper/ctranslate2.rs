//! The weights of a CTranslate2 file, as a checkpoint.
//!
//! Such a file is a version, the name of a model and its revision, the number of tensors, and the tensors, all numbers
//! with their lowest byte first. A tensor is its name, rank, sizes, element type, and its data, with their length.

use tensor_core::io::Checkpoint;

use super::checkpoint::{Stored, checkpoint as checkpoint_of};

/// The version of the format that the program reads.
const VERSION: usize = 6;
/// The element types of weights, by the names that safetensors has for them.
const FLOATS: [(usize, &str); 3] = [(0, "F32"), (4, "F16"), (5, "BF16")];

/// The floats among the tensors of a CTranslate2 file, with dots between the parts of their names. The others are
/// integers that describe the model.
///
/// # Errors
///
/// If the bytes are no CTranslate2 file of this version, or if the data of a tensor has another length than its shape.
pub fn checkpoint(mut bytes: &[u8]) -> Result<Checkpoint, String> {
    let version = number(&mut bytes, 4);
    if version != Some(VERSION) {
        let found = version.map_or("no number".into(), |version| version.to_string());
        return Err(format!("expected a CTranslate2 file of version {VERSION}, found {found}"));
    }
    let tensors = tensors(&mut bytes).ok_or("the CTranslate2 file ends early")?;
    checkpoint_of(&tensors.into_iter().flatten().collect::<Vec<_>>())
}

/// The tensors after the version; `None` for those of integers.
fn tensors<'a>(bytes: &mut &'a [u8]) -> Option<Vec<Option<Stored<'a>>>> {
    let (_model, _revision) = (text(bytes)?, number(bytes, 4)?);
    // Collected as far as there are bytes: the number may be any.
    (0..number(bytes, 4)?).map(|_| tensor(bytes)).collect()
}

/// The next tensor. The outer `None` if there is none.
fn tensor<'a>(bytes: &mut &'a [u8]) -> Option<Option<Stored<'a>>> {
    let name = text(bytes)?.replace('/', ".");
    let rank = number(bytes, 1)?;
    let shape: Option<Vec<u64>> = (0..rank).map(|_| Some(number(bytes, 4)? as u64)).collect();
    let (shape, element, len) = (shape?, number(bytes, 1)?, number(bytes, 4)?);
    let data = bytes.split_off(..len)?;
    let element = FLOATS.iter().find(|&&(number, _)| number == element);
    Some(element.map(|&(_, element)| Stored { name, element, shape, data }))
}

/// The next text, which ends with a zero that its length counts.
fn text(bytes: &mut &[u8]) -> Option<String> {
    let len = number(bytes, 2)?;
    let text = bytes.split_off(..len)?.strip_suffix(&[0])?;
    Some(String::from_utf8_lossy(text).into_owned())
}

/// The next number, of 1, 2 or 4 bytes.
fn number(bytes: &mut &[u8], len: usize) -> Option<usize> {
    let bytes = bytes.split_off(..len)?;
    Some(bytes.iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte)))
}
