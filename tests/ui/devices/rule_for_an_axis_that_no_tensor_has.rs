//! The hidden axis of the model is `Inner`, and the rule is for `Hidden`.
//!
//! The compiler says: "the rule `Hidden => Model` splits nothing: no input or output of the program has the axis `Hidden`"
//! And: "leave out the rule, or use `Hidden` in the shape of a tensor"

use tensor_core::trace::trace;
use tensor_core::{Tensor, axis, shape};
use tensor_xla::{mesh, shard, sharding};

axis!(Batch, Inner = 64, Hidden = 64);
mesh!(Grid: Data = 4, Model = 2);
sharding!(Rules on Grid: Batch => Data, Hidden => Model);

fn main() {
    let inputs = (
        Tensor::<shape![Batch, 8]>::zeros_shaped(shape![Batch(16), 8]),
        Tensor::<shape![8, Inner]>::zeros(),
    );
    let program = trace(&inputs, |(x, weight)| x.dot(weight));
    let _ = shard(program, Rules);
}
