//! The same name twice.
//!
//! The compiler says: "axis `Batch` is declared twice: give one of them another name"

use tensor_core::axis;

axis!(Batch, Batch);

fn main() {}
