//! `cargo shapes`: the compiler's messages about [`tensor-core`](https://docs.rs/tensor-core) with shapes as they are
//! written.
//!
//! rustc writes a shape as the type that it is, `(((), Batch), Dim<64>)`. This program runs cargo, reads the messages
//! as JSON, and prints them again with `[Batch, 64]`. The library is there for the program and its tests.

pub mod cargo;
pub mod configuration;
pub mod diagnostic;
pub mod doctor;
pub mod explain;
pub mod inspect;
pub mod library;
pub mod links;
pub mod lsp;
pub mod render;
pub mod shapes;
pub mod stream;
pub mod text;
pub mod types;
pub mod words;
pub mod wrapper;

#[doc = include_str!("../guide/editors.md")]
pub mod editors {}
