//! A constant that is an `f64`, in one pass over `f32`.
//!
//! The compiler says: "cannot combine elements of type `f32` with elements of type `f64`"

use tensor_core::{Tensor, fuse, shape};

const EPS: f64 = 1e-6;

type Hidden = Tensor<shape![2048, 768]>;

fn rms_norm(x: &Hidden, gain: &Tensor<shape![768]>) -> Hidden {
    let mean_square = x.square().mean_axis_keepdims::<-1>();
    fuse!(x * (mean_square + EPS).rsqrt() * gain)
}

fn main() {
    let x = Hidden::from_fn(|[t, c]| ((t + c) as f32).cos());
    let gain = Tensor::ones();
    let y = rms_norm(&x, &gain);
    println!("{}", y.square().mean().item());
}
