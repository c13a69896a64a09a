//! The state of an optimiser has the axes of the weights, and `Batch` is one of the data.
//!
//! The compiler says: "the rule `Batch => Data` splits nothing of the optimiser's state: no parameter has the axis `Batch`"

use tensor_core::trace::trace;
use tensor_core::{Tensor, axis, shape};
use tensor_xla::{mesh, shard_with_state, sharding};

axis!(Batch = 16, Pixel = 64);
mesh!(Grid: Data = 4, Model = 2);
sharding!(Rules on Grid: Batch => Data);

fn main() {
    let inputs = (Tensor::<shape![Pixel]>::zeros(), Tensor::<shape![Batch, Pixel]>::zeros());
    let step = trace(&inputs, |(weight, rows)| (weight * 2.0, rows.sum()));
    let _ = shard_with_state(step, Rules, Rules);
}
