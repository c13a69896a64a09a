//! The names, element types, sizes and strides of the tensors in a pickle of `torch.save`.
//!
//! A pickle is a program for a small stack machine that creates Python objects. Instructions that create tensors and their
//! containers are interpreted; nothing is imported or called. Objects of other classes are listed, and not read.
//!
//! ```
//! let error = tensor_files::pickle::read(b"\x80\x02cos\nsystem\n)R.").unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "the pickle is an object of `os.system`, which is not read: save a state dict of tensors alone"
//! );
//! ```

mod error;
mod legacy;
mod machine;
mod opcodes;
mod tree;
mod value;

pub use error::PickleError;
pub use legacy::{Legacy, read_legacy};
pub use tree::{Contents, Skipped, StoredTensor, read};
