//! Pages about mistakes and how to read what the compiler says of them.

#[doc = include_str!("../guide/errors.md")]
pub mod errors {}
