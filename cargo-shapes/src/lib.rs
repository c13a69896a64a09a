//! `cargo shapes`: shows shapes in messages about [`tensor-core`](https://docs.rs/tensor-core) the way that programs
//! write them.
//!
//! rustc prints a shape as its type, `(((), Batch), Dim<64>)`. This program runs cargo, reads the messages
//! as JSON, and prints them again with `[Batch, 64]`. The library exists only for the program and its tests.

#![forbid(unsafe_code)]

pub mod cargo;
pub mod configuration;
pub mod corrections;
pub mod diagnostic;
pub mod doctor;
pub mod explain;
pub mod fix;
pub mod inspect;
pub mod library;
pub mod links;
pub mod lsp;
pub mod onnx;
pub mod render;
pub mod shapes;
pub mod stream;
pub mod text;
pub mod types;
pub mod words;
pub mod wrapper;

#[doc = include_str!("../guide/editors.md")]
pub mod editors {}
