//! The axis of the rule is not that of the tensor, although both are called `Batch`.
//!
//! The compiler says: "axes of one name are two types"
//!
//! Lines: 18, the compiler shows how it came to the axis

use tensor_core::trace::trace;
use tensor_core::{Tensor, axis, shape};
use tensor_xla::{mesh, shard, sharding};

axis!(Batch);
mesh!(Grid: Data = 4);
sharding!(Rules on Grid: Batch => Data);

mod data {
    tensor_core::axis!(pub Batch);
}

fn main() {
    let rows = Tensor::<shape![data::Batch, 8]>::zeros_shaped(shape![data::Batch(16), 8]);
    let _ = shard(trace(&rows, |rows| rows.sum()), Rules);
}
