//! A covariance without the transpose: no message about the result.
//!
//! The compiler says: "the last axis of the left side is `Dim<64>`"

use tensor_core::{Tensor, shape};

type Data = Tensor<shape![4096, 64]>;

fn covariance(x: &Data) -> Tensor<shape![64, 64]> {
    let centred = x - x.mean_axis::<0>();
    centred.matmul(&centred) / 4095.0
}

fn power_iteration(c: &Tensor<shape![64, 64]>) -> Tensor<shape![64]> {
    let mut v = Tensor::<shape![64]>::ones();
    for _ in 0..50 {
        v = c.dot(&v);
        let norm = v.square().sum().sqrt().item();
        v /= norm;
    }
    v
}

fn main() {
    let x = Data::from_fn(|[i, j]| ((i * (j + 3)) % 19) as f32);
    let c = covariance(&x);
    let v = power_iteration(&c);
    println!("{}", v.dot(&c.dot(&v)).item());
}
