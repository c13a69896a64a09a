//! PyTorch's function for normal random numbers, as a function of tensors.
//!
//! The compiler says: "PyTorch's `randn` is `rng.normal(0.0, 1.0)`"

use tensor_core::{Tensor, shape};

fn main() {
    let weight = Tensor::<shape![64, 10]>::randn();
    let x = Tensor::<shape![8, 64]>::ones();
    println!("{}", x.dot(&weight).softmax::<-1>());
}
