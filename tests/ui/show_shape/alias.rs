//! The shape of a type alias.
//!
//! The compiler says: "this tensor has shape `(((), Dim<32>), Dim<50000, 257>)` and elements of type `f32`"
//! And: "[T708]"

use tensor_core::{Tensor, shape, show_shape};

type Logits = Tensor<shape![32, 50257]>;

fn main() {
    show_shape!(type Logits);
}
