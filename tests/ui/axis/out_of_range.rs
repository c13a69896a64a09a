//! Sizes end at 999,999,999.
//!
//! The compiler says: "size 1000000000 is out of range: an axis has at most 999999999 elements"

use tensor_core::axis;

axis!(Hidden = 1_000_000_000);

fn main() {}
