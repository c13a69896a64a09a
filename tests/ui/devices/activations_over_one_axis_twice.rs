//! The constraint of an intermediate tensor splits two of its axes over one axis of the mesh.
//!
//! The compiler says: "`Head` and `Channel` are both split over `Model`, and are axes of one tensor"

use tensor_core::{Tensor, axis, shape};
use tensor_xla::{constrain, mesh, sharding};

axis!(Batch = 8, Head = 4, Channel = 16);
mesh!(Grid: Data = 4, Model = 2);
sharding!(Rules on Grid: Batch => Data, Head => Model, Channel => Model);

fn attention(queries: &Tensor<shape![Batch, Head, Channel]>) -> Tensor<shape![Batch, Head]> {
    constrain(queries, Rules).sum_axis::<-1>()
}

fn main() {
    let _ = attention(&Tensor::zeros());
}
