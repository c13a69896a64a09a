//! A step returns its loss before it is reduced.
//!
//! The compiler says: "an input or output of the program is a sum over `Data` that is not reduced"
//! And: "call `.reduce()`, which adds the parts, in the function that is traced"

use tensor_core::trace::trace;
use tensor_core::{Tensor, shape};
use tensor_xla::{mesh, shard, sharding, unreduced};

mesh!(Grid: Data = 4, Model = 2);
sharding!(Rules on Grid: Data => Data);

fn main() {
    let inputs = (Tensor::<shape![3]>::zeros(), Tensor::<shape![Data, 16, 3]>::ones());
    let step = trace(&inputs, |(weights, rows)| {
        let loss = unreduced(rows, |rows| rows.dot(weights).mean());
        (weights * 0.5, loss)
    });
    let _ = shard(step, Rules);
}
