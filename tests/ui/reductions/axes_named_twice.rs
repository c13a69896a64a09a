//! The batch is axis 0, and in three axes -3 is the same one: the last should go as well, not this one
//! again.
//!
//! The compiler says: "axis -3 is in this list of axes twice"
//! And: "each axis is named once; -1 is the last axis, whatever its number from the front is"

use tensor_core::{Tensor, axes, shape};

/// The mean activation of each token.
fn activation(x: &Tensor<shape![32, 1024, 768]>) -> Tensor<shape![1024]> {
    x.mean_axes::<axes![0, -3]>()
}

fn main() {
    let x = Tensor::<shape![32, 1024, 768]>::zeros();
    let _ = activation(&x);
}
