//! Any number, as `f32`.
//!
//! The compiler says: "no conversion from `T` to `f32` is known here"

use tensor_core::element::Number;
use tensor_core::{Axis, Shape, Tensor, shape};

/// Columns of any numbers, centred as f32.
fn centred<N: Axis, D: Axis, T: Number>(x: &Tensor<shape![N, D], T>) -> Tensor<shape![N, D]> {
    let x = x.cast::<f32>();
    &x - x.mean_axis::<0>()
}

fn largest<S: Shape, T: Number>(x: &Tensor<S, T>) -> T {
    x.max().item()
}

fn main() {
    let pixels = Tensor::<shape![1000, 784], u8>::full(128);
    let x = centred(&pixels);
    let c = x.transpose().dot(&x) / 999.0;
    println!("{} {}", largest(&pixels), largest(&c));
    println!("{}", c.trace());
}
