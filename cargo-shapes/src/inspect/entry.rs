//! [`Entry`]: a tensor in a file.

/// A tensor in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name, with dots between the fields of a model.
    pub name: String,
    /// Its element type in Rust's notation, or in the file's if Rust has no such type.
    pub element: String,
    /// The sizes of its axes.
    pub sizes: Vec<u64>,
}

impl Entry {
    /// The number of its elements; `None` if it overflows.
    pub fn count(&self) -> Option<u64> {
        self.sizes.iter().try_fold(1_u64, |count, &size| count.checked_mul(size))
    }

    /// The number of bytes of its elements; `None` if their type is none of Rust, or if it overflows.
    pub(super) fn bytes(&self) -> Option<u64> {
        let bytes = match &self.element[..] {
            "bool" | "i8" | "u8" => 1,
            "f16" | "bf16" | "i16" | "u16" => 2,
            "f32" | "i32" | "u32" => 4,
            "f64" | "i64" | "u64" => 8,
            _ => return None,
        };
        self.count()?.checked_mul(bytes)
    }
}

/// The most axes of an array: those of NumPy and PyTorch.
const LARGEST_RANK: usize = 64;

pub(super) fn check_rank(axes: usize) -> Result<(), String> {
    match axes {
        ..=LARGEST_RANK => Ok(()),
        _ => Err(format!("an array of {axes} axes, and at most {LARGEST_RANK} are read")),
    }
}
