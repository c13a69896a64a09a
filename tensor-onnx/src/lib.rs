//! …
#![forbid(unsafe_code)]

mod contents;
mod convert;
mod element;
mod error;
mod external;
mod function;
mod known;
mod lower;
mod names;
mod operations;
mod proto;
mod reason;
pub mod structs;
mod sym;
mod weights;
mod write;

pub use contents::tensors;
pub use convert::{Options, convert};
pub use error::{Error, Refusal};
pub use weights::Conversion;
pub use write::{convert_file, formatted};
