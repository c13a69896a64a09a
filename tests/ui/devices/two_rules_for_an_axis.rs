//! Two rules for one axis.
//!
//! The compiler says: "`Batch` has two rules: `Batch => Data` and `Batch => Model`"
//! And: "name all axes of the mesh in one, such as `Batch => (Data, Model)`"

use tensor_core::axis;
use tensor_xla::{mesh, sharding};

axis!(Batch, Hidden = 64);
mesh!(Grid: Data = 4, Model = 2);
sharding!(Rules on Grid: Batch => Data, Hidden => Model, Batch => Model);

fn main() {}
