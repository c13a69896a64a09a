//! Ten axes, of which the last becomes 15 instead of 16.
//!
//! The compiler says: "`reshape` keeps the number of elements: `Dim<18000, 432>` is not `Dim<17000, 280>`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2, 3, 2, 2, 2, 2, 2, 2, 3, 16]>::zeros();
    let _ = x.reshape::<shape![2, 3, 2, 2, 2, 2, 2, 2, 3, 15]>();
}
