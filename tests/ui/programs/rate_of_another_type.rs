//! A learning rate that is an `f64`, for weights that are `f32`.
//!
//! The compiler says: "cannot combine elements of type `f32` with elements of type `f64`"
//! And: "a number with `as f32`"

use tensor_core::{Tensor, shape};

fn train(
    x: &Tensor<shape![4096, 8]>,
    y: &Tensor<shape![4096]>,
    rate: f64,
) -> Tensor<shape![8]> {
    let mut w = Tensor::<shape![8]>::zeros();
    for step in 0..200 {
        let error = x.dot(&w) - y;
        let gradient = x.transpose().dot(&error) / 4096.0;
        w -= gradient * rate;
        if step % 50 == 0 {
            println!("loss {}", error.square().mean().item());
        }
    }
    w
}

fn main() {
    let x = Tensor::from_fn(|[i, j]| ((i * (j + 1)) % 13) as f32 / 13.0);
    let y = x.sum_axis::<1>();
    println!("{}", train(&x, &y, 0.1));
}
