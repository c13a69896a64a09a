//! The mean of bytes, which is used as a number further on.
//!
//! The compiler says: "elements of type `u8` are not floating-point numbers"

use tensor_core::{Tensor, shape};

/// Mean and deviation of pixels, to normalise a data set.
fn statistics(images: &Tensor<shape![1000, 28, 28], u8>) -> (f32, f32) {
    let x = images;
    let mean = x.mean().item();
    let std = 78.6;
    (mean / 255.0, std / 255.0)
}

fn normalise(images: &Tensor<shape![1000, 28, 28], u8>) -> Tensor<shape![1000, 28, 28]> {
    let (mean, std) = statistics(images);
    (images.cast::<f32>() / 255.0 - mean) / std
}

fn main() {
    let images = Tensor::full(7_u8);
    println!("{}", normalise(&images).max());
}
