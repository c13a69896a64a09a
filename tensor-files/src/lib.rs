#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

#[cfg(feature = "npz")]
pub mod archive;
#[cfg(feature = "safetensors")]
mod contents;
pub mod element;
mod error;
pub mod npy;
#[cfg(all(feature = "npz", feature = "safetensors"))]
mod npz;
#[cfg(feature = "safetensors")]
mod other_formats;
#[cfg(feature = "pt")]
pub mod pickle;
#[cfg(feature = "pt")]
mod pt;
#[cfg(feature = "safetensors")]
mod record;
#[cfg(feature = "safetensors")]
pub mod safetensors;
#[cfg(feature = "safetensors")]
mod shards;
#[cfg(feature = "safetensors")]
mod source;

#[cfg(feature = "safetensors")]
pub use contents::{Open, file_at, open, read};
pub use error::{Error, Problem, escaped};
#[cfg(feature = "safetensors")]
pub use other_formats::is_onnx;
#[cfg(feature = "pt")]
pub use record::is_row_major;
#[cfg(feature = "safetensors")]
pub use record::{Contents, Data, Record, fingerprint};
#[cfg(feature = "safetensors")]
pub use source::{FileSource, Section};
#[cfg(feature = "npz")]
pub use zip;
