//! A hidden layer of 768 over five devices: 768 is not a multiple of 5.
//!
//! The compiler says: "`Hidden` has size `Dim<768>`, which `Dim<5>` devices do not share evenly"
//! And: "choose a size that is a multiple of `Dim<5>`"

use tensor_core::axis;
use tensor_xla::{mesh, sharding};

axis!(Batch, Hidden = 768);
mesh!(Grid: Data = 2, Model = 5);
sharding!(Rules on Grid: Batch => Data, Hidden => Model);

fn main() {}
