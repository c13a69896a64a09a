//! A rule for an axis without a name: it would be for all axes of this size.
//!
//! The compiler says: "axis `Dim<64>` has no name"
//! And: "rules are for axes that have names"

use tensor_core::dim;
use tensor_xla::{mesh, sharding};

mesh!(Grid: Model = 2);
sharding!(Rules on Grid: dim!(64) => Model);

fn main() {}
