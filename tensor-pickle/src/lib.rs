#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod error;
mod machine;
mod opcodes;
mod tree;
mod value;

pub use error::PickleError;
pub use tree::{StoredTensor, tensors};
