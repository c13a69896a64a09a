//! An equals sign and no size.
//!
//! The compiler says: "the size of the axis is missing after `=`"

use tensor_core::axis;

axis!(Hidden = );

fn main() {}
