//! Two commas and nothing between them.
//!
//! The compiler says: "the name of an axis is missing before this comma: write one, or remove the comma"

use tensor_core::axis;

axis!(Batch, , Seq);

fn main() {}
