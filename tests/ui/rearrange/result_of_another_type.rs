//! The result is annotated with its axes in another order.
//!
//! The compiler says: "expected `1024`, found `12`"

use tensor_core::{Tensor, rearrange, shape};

fn main() {
    let x = Tensor::<shape![8, 1024, 768]>::zeros();
    let _: Tensor<shape![8, 1024, 12, 64]> = rearrange!(b s (h d) -> b h s d; x, h = 12);
}
