//! No name.
//!
//! The compiler says: "name the axis: `axis!(Batch)`, or `axis!(Hidden = 768)` for one of known size"

use tensor_core::axis;

axis!();

fn main() {}
