//! The size of a batch is known when the program runs, and is given there.
//!
//! The compiler says: "an axis is declared without a value, `axis!(Batch)`, and gets its size where it is used: `Batch(32)`"

use tensor_core::axis;

axis!(Batch(32));

fn main() {}
