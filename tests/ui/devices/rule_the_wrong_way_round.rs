//! A rule with the axis of the mesh first.
//!
//! The compiler says: "`Batch` is not an axis of the mesh `Grid`"
//! And: "a rule is `TensorAxis => MeshAxis`"
//!
//! Lines: 18, the compiler lists the axes of the mesh

use tensor_core::axis;
use tensor_xla::{mesh, sharding};

axis!(Batch);
mesh!(Grid: Data = 4, Model = 2);
sharding!(Rules on Grid: Data => Batch);

fn main() {}
