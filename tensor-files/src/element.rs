//! Element types by name, and the sizes of tensors.

use crate::error::{Error, Problem};

/// The element types of files that Rust has.
pub const NAMES: [&str; 13] =
    ["bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "bf16", "f32", "f64"];

/// The number of bytes of an element, as Rust or PyTorch names its type; 1 for other types.
pub fn bytes_of(element: &str) -> u64 {
    match element {
        "complex128" => 16,
        "f64" | "i64" | "u64" | "complex64" => 8,
        "f32" | "i32" | "u32" | "qint32" => 4,
        "f16" | "bf16" | "i16" | "u16" => 2,
        _ => 1,
    }
}

/// The sizes as `usize`, and the number of bytes of their elements.
pub fn checked_bytes(sizes: &[u64], element: &str) -> Result<(Vec<usize>, usize), Error> {
    let bytes = match sizes.contains(&0) {
        true => Some(0),
        false => sizes.iter().try_fold(bytes_of(element), |bytes, &size| bytes.checked_mul(size)),
    };
    let bytes = bytes.and_then(|bytes| isize::try_from(bytes).ok()).map(isize::cast_unsigned);
    let sizes_in_memory = sizes.iter().map(|&size| usize::try_from(size).ok()).collect();
    let checked = Option::zip(sizes_in_memory, bytes);
    checked.ok_or_else(|| Problem::TooLarge { sizes: sizes.to_vec() }.into())
}

/// The most axes of an array in a file: those of NumPy and PyTorch.
pub(crate) const LARGEST_RANK: usize = 64;

/// Refuses an array with too many axes: a file of a few bytes could have any number of them.
pub fn check_rank(axes: usize) -> Result<(), Error> {
    match axes {
        ..=LARGEST_RANK => Ok(()),
        _ => Err(Error::format(format!(
            "an array of {axes} axes, and at most {LARGEST_RANK} are read"
        ))),
    }
}
