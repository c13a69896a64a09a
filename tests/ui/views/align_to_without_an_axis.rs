//! A tensor with an axis that the target lacks.
//!
//! The compiler says: "axis `Time` of the tensor is not in the target `((((), Batch), Channels), Height)`"
//! And: "`align_to` keeps every axis of the tensor"
//! And: "[T212]"

use tensor_core::{Tensor, axis, shape};

axis!(Batch = 8, Channels = 3, Height = 32, Time = 5);

fn main() {
    let x: Tensor<shape![Time, Channels]> = Tensor::zeros();
    let _ = x.align_to::<shape![Batch, Channels, Height]>();
}
