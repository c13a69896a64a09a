//! The result of a product in `bf16` is `f32` again.
//!
//! The compiler says: "mismatched types"
//! And: "expected `Tensor<(((), Dim<32>), Dim<10>), bf16>`, found `Tensor<(((), Dim<32>), Dim<10>)>`"

use tensor_core::precision::{autocast, bf16};
use tensor_core::{Tensor, shape};

fn main() {
    let (x, weight) = (Tensor::<shape![32, 64]>::ones(), Tensor::<shape![64, 10]>::ones());
    let scores: Tensor<shape![32, 10], bf16> = autocast::<bf16, _>(|| x.dot(&weight));
    println!("{scores}");
}
