//! One mistake, and much that depends on it: no message about later operations.
//!
//! The compiler says: "cannot broadcast an axis of size `Dim<3>` with one of size `Dim<4>`"

use tensor_core::{Tensor, shape};

fn main() {
    let a = Tensor::<shape![2, 3]>::zeros();
    let b = Tensor::<shape![2, 4]>::zeros();
    let sum = &a + &b;
    let weights = (sum.relu().mean_axis::<0>() * 2.0 - 1.0).softmax::<-1>();
    println!("{weights} {}", weights[[0]]);
    let total: Tensor<shape![]> = weights.sum();
    println!("{}", total.item());
}
