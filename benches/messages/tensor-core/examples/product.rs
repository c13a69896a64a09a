//! `[2, 3] × [4, 5]`

use tensor_core::{Tensor, shape};

fn main() {
    let a = Tensor::<shape![2, 3]>::zeros();
    let b = Tensor::<shape![4, 5]>::zeros();
    let product = a.matmul(&b);
    println!("{product}");
}
