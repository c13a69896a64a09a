//! The shape of a field of a structure that is made within the macro.
//!
//! The compiler says: "this tensor has shape `((), Dim<2>)` and elements of type `f32`"

use tensor_core::{Tensor, shape, show_shape};

struct Layer {
    bias: Tensor<shape![2]>,
}

fn main() {
    let bias = Tensor::ones();
    let _ = show_shape!(Layer { bias }.bias);
}
