//! 4 × 1024 is 4096, and the annotation of the `let` is 1024.
//!
//! The compiler says: "mismatched types"
//! And: "expected `1024`, found `4096`"

use tensor_core::{Tensor, shape};

fn main() {
    let heads = Tensor::<shape![4, 1024]>::ones();
    let joined: Tensor<shape![1024]> = heads.flatten();
    println!("{joined}");
}
