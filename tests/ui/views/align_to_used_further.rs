//! A tensor with an axis that the target lacks, whose result is used further: that is no second error.
//!
//! The compiler says: "axis `Time` of the tensor is not in the target `(((), Batch), Channels)`"
//! And: "[T212]"

use tensor_core::{Tensor, axis, shape};

axis!(Batch = 8, Channels = 3, Time = 5);

fn main() {
    let images: Tensor<shape![Batch, Channels]> = Tensor::zeros();
    let x: Tensor<shape![Time, Channels]> = Tensor::zeros();
    let y: Tensor<shape![Batch, Channels]> = x.align_to::<shape![Batch, Channels]>();
    let _ = (x.align_to::<shape![Batch, Channels]>() + images).sum_axis::<0>() + y;
}
