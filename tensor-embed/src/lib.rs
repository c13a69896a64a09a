#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod expression;
mod file;
mod lower;
mod plan;
mod program;
mod scalar;
mod steps;
mod write;

pub use file::{EmbedError, EmbedOptions, RustFile, embed};
pub use program::ToRust;
