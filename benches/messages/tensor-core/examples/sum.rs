//! `[2, 3] + [2, 4]`

use tensor_core::{Tensor, shape};

fn main() {
    let a = Tensor::<shape![2, 3]>::zeros();
    let b = Tensor::<shape![2, 4]>::zeros();
    let sum = a + b;
    println!("{sum}");
}
