//! Two names and nothing between them.
//!
//! The compiler says: "missing comma: write `, Seq`"

use tensor_core::axis;

axis!(Batch Seq);

fn main() {}
