//! A fraction.
//!
//! The compiler says: "a size is an integer: write `768`, not `768.5`"

use tensor_core::axis;

axis!(Hidden = 768.5);

fn main() {}
