//! A batch of 12 over all eight devices of a mesh, which has four along one axis and two along the other: each divides 12.
//!
//! The compiler says: "`Batch` has size `Dim<12>`, which `Dim<8>` devices do not share evenly"
//! And: "`Dim<12>` is not a multiple of the `Dim<8>` devices of `(Data, Model)`"

use tensor_core::axis;
use tensor_xla::{mesh, sharding};

axis!(Batch = 12);
mesh!(Grid: Data = 4, Model = 2);
sharding!(Rules on Grid: Batch => (Data, Model));

fn main() {}
