//! A constant that is no size.
//!
//! The compiler says: "an axis has at most 999999999 elements"

use tensor_core::axis;

const TOO_LARGE: usize = 1 << 40;

axis!(Hidden = TOO_LARGE);

fn main() {}
