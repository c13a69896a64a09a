//! A function of ten axes is given 1536 for 1024 in the last.
//!
//! The compiler says: "mismatched types"
//! And: "expected `1024`, found `1536`"
//! Lines: 15, because E0308 also shows the function that is called.

use tensor_core::{Tensor, shape};

fn total(x: &Tensor<shape![2, 3, 4, 5, 6, 7, 8, 9, 10, 1024]>) -> f32 {
    x.sum().item()
}

fn main() {
    let x = Tensor::<shape![2, 3, 4, 5, 6, 7, 8, 9, 10, 1536]>::zeros();
    println!("{}", total(&x));
}
