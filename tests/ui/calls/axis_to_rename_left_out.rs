//! The axis that gets a name is left out.
//!
//! The compiler says: "cannot infer the value of the const parameter `AXIS` declared on the method `rename_axis`"

use tensor_core::{Axis, Tensor, axis, shape};

axis!(Batch);

fn batches<N: Axis, D: Axis>(x: &Tensor<shape![N, D]>) {
    let _ = x.rename_axis();
}

fn main() {
    let _ = shape![Batch(1)];
}
