//! A word of the language cannot be a name.
//!
//! The compiler says: "`type` is a word of the language: name the axis as a type, `axis!(Batch)`"

use tensor_core::axis;

axis!(type);

fn main() {}
