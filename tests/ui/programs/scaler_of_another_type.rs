//! Data of `f64`, less the mean of `f32`: a cast is missing.
//!
//! The compiler says: "cannot combine elements of type `f64` with elements of type `f32`"
//! And: "convert a tensor with `x.cast::<f32>()`"

use tensor_core::{Tensor, axis, shape};

axis!(Rows);

struct Scaler {
    mean: Tensor<shape![128]>,
    std: Tensor<shape![128]>,
}

impl Scaler {
    fn fit(x: &Tensor<shape![Rows, 128], f64>) -> Self {
        let mean = x.mean_axis::<0>();
        let std = x.std_axis::<0>();
        Scaler { mean: mean.cast::<f32>(), std: std.cast::<f32>() }
    }

    fn transform(&self, x: &Tensor<shape![Rows, 128], f64>) -> Tensor<shape![Rows, 128]> {
        let x = x;
        (x - &self.mean) / (&self.std + 1e-6)
    }
}

fn main() {
    let x = Tensor::ones_shaped(shape![Rows(1000), 128]);
    let scaler = Scaler::fit(&x);
    println!("{}", scaler.transform(&x).sum().item());
}
