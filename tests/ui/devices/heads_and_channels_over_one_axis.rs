//! Heads and channels of an attention layer are both over `Model`, and its weight has both.
//!
//! The compiler says: "`Head` and `Channel` are both split over `Model`, and are axes of one tensor"
//! And: "an axis of the mesh splits one axis of a tensor"

use tensor_core::module::Module;
use tensor_core::trace::trace;
use tensor_core::{Tensor, axis, shape};
use tensor_xla::{mesh, shard, sharding};

axis!(Head = 4, Width = 64, Channel = 16);
mesh!(Grid: Model = 2);
sharding!(Rules on Grid: Head => Model, Channel => Model);

#[derive(Clone, Module)]
struct Attention {
    queries: Tensor<shape![Head, Width, Channel]>,
}

fn main() {
    let layers = vec![Attention { queries: Tensor::zeros() }];
    let program = trace(&layers, |layers| (layers.clone(), layers[0].queries.sum()));
    let _ = shard(program, Rules);
}
