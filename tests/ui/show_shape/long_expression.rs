//! The shape in the middle of a long expression.
//!
//! The compiler says: "this tensor has shape `((((), One), Dim<32>), Dim<784>)` and elements of type `f32`"
//! And: "this is an answer, not a mistake: take `show_shape!` away to go on"

use tensor_core::{Tensor, shape, show_shape};

fn main() {
    let images: Tensor<shape![32, 784]> = Tensor::zeros();
    let _ = show_shape!(images.relu().unsqueeze::<0>()).mean_axis::<0>() + 1.0;
}
