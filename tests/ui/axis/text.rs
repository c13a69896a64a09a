//! A name in quotes.
//!
//! The compiler says: "expected the name of an axis: `axis!(Batch)`, or `axis!(Hidden = 768)` for one of known size"

use tensor_core::axis;

axis!("Batch");

fn main() {}
