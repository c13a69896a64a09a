//! A matrix has no axis 2.

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2, 3]>::zeros();
    let sums = x.sum_axis::<2>();
    println!("{sums}");
}
