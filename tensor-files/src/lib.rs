#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod error;
#[cfg(feature = "pt")]
pub mod pickle;

pub use error::{Error, Problem, escaped};
