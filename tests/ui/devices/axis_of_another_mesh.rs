//! A rule names an axis that is one of another mesh.
//!
//! The compiler says: "`Node` is not an axis of the mesh `Grid`"
//!
//! Lines: 16, the compiler shows another mesh that has the axis

use tensor_core::axis;
use tensor_xla::{mesh, sharding};

axis!(Batch);
mesh!(Grid: Data = 4, Model = 2);
mesh!(Cluster: Node = 2);
sharding!(Rules on Grid: Batch => Node);

fn main() {}
