//! Text in the place of a size.
//!
//! The compiler says: "expected the size of an axis, such as `768`, not a string"

use tensor_core::axis;

axis!(Hidden = "768");

fn main() {}
