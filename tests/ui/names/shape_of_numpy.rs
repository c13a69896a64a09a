//! `shape` is a field in Python, of numbers.
//!
//! The compiler says: "NumPy's `x.shape[0]` is `x.sizes()[0]`"
//! And: "write `x.sizes()[0]`"

use tensor_core::{Tensor, axis, shape};

axis!(Samples);

fn standard_error(x: &Tensor<shape![Samples, 4]>) -> Tensor<shape![4]> {
    let n = x.shape[0] as f32;
    let variance = (x - x.mean_axis::<0>()).square().sum_axis::<0>() / (n - 1.0);
    variance.sqrt() / n.sqrt()
}

fn main() {
    println!("{}", standard_error(&Tensor::ones_shaped(shape![Samples(10), 4])));
}
