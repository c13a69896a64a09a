//! The rules for the state of an optimiser are on another mesh than those of the program.
//!
//! The compiler says: "`StateRules` splits over the mesh `Row`, and `Rules` over `Grid`"
//! Lines: 15, as rustc shows where the bound comes from.

use tensor_core::trace::trace;
use tensor_core::{Tensor, axis, shape};
use tensor_xla::{mesh, shard_with_state, sharding};

axis!(Batch = 16, Pixel = 64);
mesh!(Grid: Data = 4, Model = 2);
mesh!(Row: Along = 8);
sharding!(Rules on Grid: Batch => Data);
sharding!(StateRules on Row: Pixel => Along);

fn main() {
    let inputs = (Tensor::<shape![Pixel]>::zeros(), Tensor::<shape![Batch, Pixel]>::zeros());
    let step = trace(&inputs, |(weight, rows)| (weight * 2.0, rows.sum()));
    let _ = shard_with_state(step, Rules, StateRules);
}
