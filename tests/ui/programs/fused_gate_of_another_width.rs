//! A gate of one width and values of another in one pass.
//!
//! The compiler says: "cannot broadcast an axis of size `H` with one of size `C`"

use tensor_core::{Axis, Shape, Tensor, fuse, shape};

fn swiglu<Lead: Shape, H: Axis, C: Axis>(
    x: &Tensor<shape![Lead.., C]>,
    gate: &Tensor<shape![C, H]>,
    up: &Tensor<shape![C, C]>,
) -> Tensor<shape![Lead.., H]> {
    let g = x.dot(gate);
    let u = x.dot(up);
    fuse!(g.silu() * u)
}

fn main() {
    let x = Tensor::<shape![4, 1024, 768]>::full(0.1);
    let gate = Tensor::<shape![768, 3072]>::full(0.01);
    println!("{}", swiglu(&x, &gate, &Tensor::full(0.02)).mean().item());
}
