//! A rule over two axes, one of which is that of another mesh.
//!
//! The compiler says: "`Node` is not an axis of the mesh `Grid`"
//!
//! Lines: 18, the compiler shows another mesh that has the axis

use tensor_core::axis;
use tensor_xla::{mesh, sharding};

axis!(Batch);
mesh!(Grid: Data = 4, Model = 2);
mesh!(Cluster: Node = 2);
sharding!(Rules on Grid: Batch => (Data, Node));

fn main() {}
