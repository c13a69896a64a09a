//! A rule that names an axis of the mesh twice.
//!
//! The compiler says: "the rule for `Batch` has `Data` twice"
//! And: "name each axis of the mesh once"

use tensor_core::axis;
use tensor_xla::{mesh, sharding};

axis!(Batch);
mesh!(Grid: Data = 4, Model = 2);
sharding!(Rules on Grid: Batch => (Data, Model, Data));

fn main() {}
