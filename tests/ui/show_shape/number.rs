//! The shape of a number.
//!
//! The compiler says: "this is neither a tensor nor a shape: its type is `f32`"

use tensor_core::{Tensor, shape, show_shape};

fn main() {
    let x: Tensor<shape![3]> = Tensor::ones();
    let _ = show_shape!(x.sum().item());
}
