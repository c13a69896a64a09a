//! The scores of attention have `Time` twice, and `Time` is split.
//!
//! The compiler says: "`Time` and `Time` are both split over `Data`, and are axes of one tensor"
//! And: "a tensor of shape `(((), Time), Time)` has both"

use tensor_core::trace::trace;
use tensor_core::{Tensor, axis, shape};
use tensor_xla::{mesh, shard, sharding};

axis!(Time = 8);
mesh!(Grid: Data = 4);
sharding!(Rules on Grid: Time => Data);

fn main() {
    let program = trace(&Tensor::<shape![Time, Time]>::zeros(), |scores| scores.sum());
    let _ = shard(program, Rules);
}
