//! The rate of an optimiser is an `f64`, the weights are `f32`.
//!
//! The compiler says: "cannot combine elements of type `f32` with elements of type `f64`"
//! And: "a number with `as f32`"

use tensor_core::{Tensor, shape};

struct Sgd {
    rate: f64,
}

impl Sgd {
    fn step(&self, weight: &mut Tensor<shape![1024, 4096]>, gradient: &Tensor<shape![1024, 4096]>) {
        *weight -= gradient * self.rate;
    }
}

fn main() {
    let mut weight = Tensor::zeros();
    Sgd { rate: 0.01 }.step(&mut weight, &Tensor::ones());
}
