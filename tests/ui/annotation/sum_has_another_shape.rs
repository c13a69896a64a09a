//! Two tensors of `[2, 3]` add up to `[2, 3]`, and `[2, 4]` is announced.
//!
//! The compiler says: "mismatched types"
//! And: "expected `4`, found `3`"

use tensor_core::{Tensor, shape};

fn main() {
    let a = Tensor::<shape![2, 3]>::zeros();
    let b = Tensor::<shape![2, 3]>::ones();
    let _: Tensor<shape![2, 4]> = a + b;
}
