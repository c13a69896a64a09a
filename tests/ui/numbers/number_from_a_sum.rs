//! A sum is a tensor of rank 0, which `.item()` or `.into()` makes a number.
//!
//! The compiler says: "expected `f32`, found `Tensor<()>`"
//! And: "x.sum().into();"
//! Lines: 14, as the compiler proposes the call

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![64, 1024]>::ones();
    let total: f32 = x.sum();
    println!("{total}");
}
