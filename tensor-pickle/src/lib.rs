#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod error;
mod legacy;
mod machine;
mod opcodes;
mod tree;
mod value;

pub use error::{LegacyError, PickleError, escaped};
pub use legacy::{Legacy, is_legacy, read_legacy};
pub use tree::{Contents, Skipped, StoredTensor, read};
