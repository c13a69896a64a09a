//! Labels that are integers, in a double reference, where probabilities are floats.
//!
//! The compiler says: "cannot combine elements of type `f32` with elements of type `i64`"
//! And: "convert a tensor with `x.cast::<f32>()`"

use tensor_core::{Tensor, axis, shape};

axis!(Batch);

fn brier(p: &Tensor<shape![Batch]>, labels: &Tensor<shape![Batch], i64>) -> f32 {
    let target = labels;
    (p - &target).square().mean().item()
}

fn calibration(p: &Tensor<shape![Batch]>, labels: &Tensor<shape![Batch], i64>) -> f32 {
    p.mean().item() - labels.cast::<f32>().mean().item()
}

fn main() {
    let p = Tensor::from_fn_shaped(shape![Batch(100)], |[i]| i as f32 / 100.0);
    let labels = Tensor::from_fn_shaped(shape![Batch(100)], |[i]| (i > 50) as i64);
    println!("{} {}", brier(&p, &labels), calibration(&p, &labels));
}
