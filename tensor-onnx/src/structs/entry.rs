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
}
